/* SPDX-License-Identifier: Apache-2.0 */
/* hotspotctl keys verify: do the regions of an existing table suit the keys? */
#include <stdlib.h>
#include <string.h>

#include "collectors/sample.h"
#include "common/alloc.h"
#include "common/json_write.h"
#include "common/log.h"
#include "hotspotctl/api_commands.h"
#include "hotspotctl/grid.h"
#include "hotspotctl/keys_commands.h"
#include "hotspotctl/keys_trial.h"
#include "hotspotctl/listing_daemon.h"
#include "hotspotctl/listing_input.h"

struct check {
    const struct listing *listing;
    const struct listing_row **rows; /* of the table, by start key */
    size_t count;
    const char *table;
    struct buf problems; /* lines */
    uint64_t keys;
    double threshold;
};

static struct key
row_key(const struct check *c, size_t i)
{
    const struct listing_row *row = c->rows[i];

    return (struct key){(const uint8_t *)c->listing->arena + row->start_key,
                        row->start_len};
}

/* ---- the table's regions ---- */

static int
choose_table(struct invocation *in, struct check *c, uint32_t *ret)
{
    const char *wanted = in->values[OPT_TABLE];
    char quoted[LOG_QUOTE_SIZE];

    if (wanted == NULL && c->listing->table_count == 1) {
        *ret = 0;
        return 0;
    }
    if (wanted == NULL)
        return wrong(in, "the listing is of %zu tables; choose one with --table",
                     c->listing->table_count);
    for (size_t i = 0; i < c->listing->table_count; i++) {
        if (strcmp(c->listing->tables[i], wanted) == 0) {
            *ret = (uint32_t)i;
            return 0;
        }
    }
    return wrong(in, "table %s is not in the listing",
                 log_quote(wanted, strlen(wanted), quoted));
}

static int
by_start(const void *a, const void *b, void *listing)
{
    const struct listing_row *x = *(const struct listing_row *const *)a;
    const struct listing_row *y = *(const struct listing_row *const *)b;
    const uint8_t *arena = (const uint8_t *)((const struct listing *)listing)->arena;
    int order = key_compare((struct key){arena + x->start_key, x->start_len},
                            (struct key){arena + y->start_key, y->start_len});

    return order != 0
               ? order
               : (x->created_ms > y->created_ms) - (x->created_ms < y->created_ms);
}

/* The default replicas of the table in key order; of two with one start key, a parent
 * and its daughter, the younger. */
static int
take_rows(struct invocation *in, struct check *c, uint32_t table)
{
    const struct listing *l = c->listing;
    size_t kept = 0;

    c->table = l->tables[table];
    c->rows = malloc((l->row_count + 1) * sizeof *c->rows);
    if (c->rows == NULL)
        return wrong(in, "out of memory");
    for (size_t i = 0; i < l->row_count; i++) {
        if (l->rows[i].table != table || l->rows[i].replica != 0)
            continue;
        if (!l->rows[i].start_known)
            return wrong(in, "the listing does not tell the start key of each region");
        c->rows[c->count++] = &l->rows[i];
    }
    if (c->count == 0)
        return wrong(in, "the listing holds no region of the table");
    qsort_r(c->rows, c->count, sizeof *c->rows, by_start, (void *)l);
    for (size_t i = 0; i < c->count; i++) {
        if (kept > 0 && key_equal(row_key(c, kept - 1), row_key(c, i)))
            kept--;
        c->rows[kept++] = c->rows[i];
    }
    c->count = kept;
    return 0;
}

/* Does region i end where the next one begins, the last one at the end of the table? */
static bool
meets_next(const struct check *c, size_t i)
{
    const struct listing_row *row = c->rows[i];
    struct key end = {(const uint8_t *)c->listing->arena + row->end_key, row->end_len};
    struct key next = i + 1 < c->count ? row_key(c, i + 1) : (struct key){0};

    return row->end_known && key_equal(end, next);
}

/* Regions that do not meet: what the END_KEY column says against the neighbours. */
static void
find_holes(struct check *c)
{
    struct buf text;

    buf_init(&text, 0);
    if (row_key(c, 0).len > 0)
        buf_addf(&c->problems, "no region for keys below '%s'\n",
                 key_text(&text, row_key(c, 0)));
    for (size_t i = 0; i < c->count; i++)
        if (!meets_next(c, i))
            buf_addf(&c->problems,
                     "the end of the region from '%s' is not the start of the next\n",
                     key_text(&text, row_key(c, i)));
    buf_finish(&text);
}

static int
set_points(struct invocation *in, const struct check *c, struct trial *t)
{
    for (size_t i = 1; i < c->count; i++)
        if (key_list_add(&t->points, row_key(c, i)) < 0)
            return wrong(in, "out of memory");
    t->fixed = true;
    t->algo = "given";
    return 0;
}

/* ---- verdict ---- */

static void
judge(struct check *c, const struct spread_result *r)
{
    double even = 1 / (double)r->regions;

    if (r->regions == 1) {
        buf_adds(&c->problems, "one region takes all keys\n");
        return;
    }
    if (r->max_over_mean >= c->threshold)
        buf_addf(&c->problems,
                 "one region takes %.1f %% of the keys, %.1f times the mean\n",
                 100 * r->max_over_mean * even, r->max_over_mean);
    /* Few keys in a window lie unevenly by chance. */
    else if (r->windows > 0 && r->keys / 20 >= 10 * (uint64_t)r->regions &&
             r->window_share >= c->threshold * even)
        buf_addf(&c->problems,
                 "in order of arrival one region at a time takes %.1f %% of the keys\n",
                 100 * r->window_share);
}

static void
print_json(struct invocation *in, const struct check *c, const struct spread_result *r)
{
    struct json_writer w;
    char id[REGION_ID_TEXT_SIZE];

    json_init(&w, &in->out);
    json_object_begin(&w);
    json_member_string(&w, "table", c->table);
    json_member_u64(&w, "keys", c->keys);
    json_key(&w, "regions");
    json_array_begin(&w);
    for (size_t i = 0; i < c->count; i++) {
        struct key end = i + 1 < c->count ? row_key(c, i + 1) : (struct key){0};
        json_object_begin(&w);
        json_member_string(&w, "region", region_id_text(c->rows[i]->id, id));
        json_key_member(&w, "startKey", row_key(c, i));
        json_key_member(&w, "endKey", end);
        json_member_u64(&w, "count", r->counts[i]);
        json_member_double(&w, "share", (double)r->counts[i] / (double)r->keys);
        json_object_end(&w);
    }
    json_array_end(&w);
    json_member_double(&w, "maxOverMean", r->max_over_mean);
    json_member_double(&w, "effectiveRegions", r->effective);
    json_member_double(&w, "hottestShareAtATime", r->window_share);
    json_key(&w, "problems");
    json_array_begin(&w);
    for (const char *p = c->problems.data; *p != '\0';) {
        size_t len = strcspn(p, "\n");
        json_string_n(&w, p, len);
        p += len + (p[len] == '\n');
    }
    json_array_end(&w);
    json_object_end(&w);
    buf_addc(&in->out, '\n');
}

static void
print_grid(struct invocation *in, const struct check *c, const struct spread_result *r)
{
    static const struct grid_column columns[] = {
        {"REGION", "region", false, false},
        {"KEYS", "count", true, false},
        {"SHARE", "share", true, false},
        {"START KEY", "startKey", false, false}};
    struct grid grid;
    struct buf text;
    char id[REGION_ID_TEXT_SIZE];

    grid_init(&grid, columns, 4);
    buf_init(&text, 0);
    for (size_t i = 0; i < c->count; i++) {
        double share = (double)r->counts[i] / (double)r->keys;
        grid_add(&grid, "%s", region_id_text(c->rows[i]->id, id));
        grid_add(&grid, "%llu", (unsigned long long)r->counts[i]);
        if (in->output == OUTPUT_CSV)
            grid_add(&grid, "%.6f", share);
        else
            grid_add(&grid, "%.1f %%", 100 * share);
        grid_add(&grid, "%s", key_text(&text, row_key(c, i)));
    }
    if (in->output == OUTPUT_CSV)
        grid_print_csv(&grid, &in->out);
    else
        grid_print_table(&grid, &in->out);
    buf_finish(&text);
    grid_finish(&grid);
}

static int
report(struct invocation *in, struct check *c, const struct trial *t)
{
    struct spread_result r = spread_result(t->spread);

    judge(c, &r);
    if (in->output == OUTPUT_JSON) {
        print_json(in, c, &r);
    } else {
        if (in->output == OUTPUT_TABLE)
            buf_addf(
                &in->out,
                "%s: %zu regions, %llu keys; effective regions %.1f, hottest %.1f %%, "
                "at a time %.1f %%\n%s\n",
                c->table, c->count, (unsigned long long)c->keys, r.effective,
                100 * r.max_over_mean / (double)r.regions, 100 * r.window_share,
                c->problems.len > 0 ? c->problems.data
                                    : "The regions suit the keys.\n");
        print_grid(in, c, &r);
    }
    return c->problems.len > 0 ? STATUS_HOT : STATUS_FINE;
}

static int
verify(struct invocation *in, struct check *c, struct trial *t)
{
    struct trial *trials[] = {t};
    struct key_source *source;
    uint32_t table = 0;

    if (choose_table(in, c, &table) != 0 || take_rows(in, c, table) != 0 ||
        set_points(in, c, t) != 0 || open_keys(in, &source) != 0)
        return STATUS_WRONG;
    find_holes(c);
    int status = trials_run(in, trials, 1, source, &c->keys);
    key_source_close(source);
    return status != 0 ? status : report(in, c, t);
}

/* Both may not come from standard input. */
static bool
inputs_clash(const struct invocation *in)
{
    const char *keys = in->values[OPT_KEYS_FILE];

    return in->values[OPT_LISTING] != NULL &&
           strcmp(in->values[OPT_LISTING], "-") == 0 &&
           in->values[OPT_PATTERN] == NULL && (keys == NULL || strcmp(keys, "-") == 0);
}

static struct message *
read_listing(struct invocation *in)
{
    struct buf text, error;
    struct message *message = NULL;

    buf_init(&text, INPUT_MAX);
    buf_init(&error, 0);
    if (in->values[OPT_LISTING] == NULL)
        message = listing_from_daemon(daemon_url(in), in->values[OPT_TABLE], &error);
    else if (input_read(in->values[OPT_LISTING], &text, &error) == 0)
        message = listing_input_parse(in->values[OPT_LISTING], &text, &error);
    if (message == NULL)
        wrong(in, "%s", error.data);
    buf_finish(&text);
    buf_finish(&error);
    return message;
}

int
keys_verify(struct invocation *in)
{
    struct check c = {0};
    struct scheme scheme;
    struct trial t;

    if (scheme_option(in, &scheme) != 0 ||
        option_ratio(in, OPT_THRESHOLD, 1, 3, &c.threshold) != 0)
        return STATUS_WRONG;
    if (in->values[OPT_LISTING] == NULL && in->values[OPT_TABLE] == NULL)
        return wrong(in,
                     "no --listing FILE (text of list_regions), and no --table of a "
                     "hotspotd");
    if (in->values[OPT_LISTING] != NULL && in->values[OPT_URL] != NULL)
        return wrong(in, "--listing and --url exclude each other");
    if (inputs_clash(in))
        return wrong(in,
                     "the listing and the keys cannot both come from standard input");
    struct message *message = read_listing(in);
    if (message == NULL)
        return STATUS_WRONG;
    c.listing = &message->listing;
    buf_init(&c.problems, 0);
    trial_init(&t, &scheme, 1);
    int status = verify(in, &c, &t);
    trial_finish(&t);
    buf_finish(&c.problems);
    free(c.rows);
    message_destroy(message);
    return status;
}
