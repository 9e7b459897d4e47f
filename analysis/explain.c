/* SPDX-License-Identifier: Apache-2.0 */
/* Stories and explanations. */
#include "analysis/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advise.h"
#include "analysis/classify.h"
#include "common/alloc.h"

struct story *
story_destroy(struct story *s)
{
    if (s != NULL)
        row_heat_finish(&s->heat);
    free(s);
    return NULL;
}

static struct story *
story_of(struct episode *e)
{
    if (e->story == NULL)
        e->story = xcalloc(1, sizeof(*e->story));
    return e->story;
}

/* ---- rows ---- */

static bool
may_be_sampled(const struct registry *r, uint32_t region)
{
    return r->tables[r->regions[region].table].rule->row_sampling;
}

/* The episode whose rows they are; NO_INDEX. A server's or table's alert keeps none:
 * its top regions come and go. */
static uint32_t
episode_for(const struct detector *d, const struct registry *r, struct region_id id)
{
    uint32_t slot = registry_find_region(r, id);

    if (slot == NO_INDEX || !may_be_sampled(r, slot))
        return NO_INDEX;
    uint32_t episode = r->regions[slot].episode;
    if (episode == NO_INDEX || d->episodes[episode].alert.state == ALERT_RESOLVED)
        return NO_INDEX;
    return episode;
}

/* A server refuses rows that are not the region's, so that such a call tells nothing of
 * it. Scans may begin elsewhere. */
static bool
fits_its_region(const struct registry *r, const struct row_samples *rows,
                const struct sampled_call *c)
{
    uint32_t slot = registry_find_region(r, c->region);

    return c->method == CALL_SCAN ||
           row_may_be_inside(r->regions[slot].facts, rows->arena + c->row, c->row_len);
}

/* What was told, without rows and commands that may hold some. */
static struct explanation *
without_rows(const struct explanation *x)
{
    struct explanation *bare = xcalloc(1, sizeof(*bare));

    atomic_init(&bare->refs, 1);
    bare->heat_class = x->heat_class;
    bare->evidence = xstrdup(x->evidence);
    bare->advice = xstrdup(x->advice);
    return bare;
}

/* Row sampling was switched off: nothing that was seen is kept, nor told any more, also
 * of an alert of which nothing can be judged now. */
static void
forget_rows(struct episode *e, const struct registry *r)
{
    struct explanation *before = e->alert.why;

    if (e->story == NULL || e->story->heat.number == 0 ||
        (e->table != NO_INDEX && r->tables[e->table].rule->row_sampling))
        return;
    row_heat_finish(&e->story->heat);
    if (before == NULL)
        return;
    e->alert.why = without_rows(before);
    explanation_unref(before);
}

void
explain_rows(struct detector *d, const struct registry *r,
             const struct row_samples *rows)
{
    uint64_t *before = xcalloc(d->episode_slots + 1, sizeof(*before));

    for (uint32_t i = 0; i < d->episode_slots; i++)
        if (d->episodes[i].used && d->episodes[i].story != NULL)
            before[i] = d->episodes[i].story->heat.number;
    for (size_t i = 0; i < rows->call_count; i++) {
        const struct sampled_call *c = &rows->calls[i];
        uint32_t episode = episode_for(d, r, c->region);
        if (episode == NO_INDEX || !fits_its_region(r, rows, c))
            continue;
        row_heat_add(&story_of(&d->episodes[episode])->heat, c->method == CALL_SCAN,
                     rows->arena + c->row, c->row_len,
                     c->client < rows->client_count ? rows->clients[c->client] : NULL,
                     rows->received.mono_ms);
    }
    for (uint32_t i = 0; i < d->episode_slots; i++) {
        struct episode *e = &d->episodes[i];
        if (e->used && e->story != NULL && e->story->heat.number != before[i])
            row_heat_settle(&e->story->heat);
    }
    free(before);
}

/* ---- splits ---- */

/* The region's id among the lineage's heirs of splits, the newest; NULL. */
static const struct lineage_entry *
split_into(const struct alert *a, struct region_id id)
{
    char text[REGION_ID_TEXT_SIZE];

    region_id_text(id, text);
    for (uint32_t i = a->lineage_count; i-- > 0;)
        if (a->lineage[i].event == LINEAGE_SPLIT && strcmp(a->lineage[i].to, text) == 0)
            return &a->lineage[i];
    return NULL;
}

/* The other daughter of the same parent, or NULL. */
static const struct region *
sister(const struct alert *a, const struct registry *r,
       const struct lineage_entry *mine)
{
    struct region_id id;

    for (uint32_t i = 0; i < a->lineage_count; i++) {
        const struct lineage_entry *l = &a->lineage[i];
        if (l->event != LINEAGE_SPLIT || strcmp(l->from, mine->from) != 0 ||
            strcmp(l->to, mine->to) == 0 || !region_id_parse(l->to, strlen(l->to), &id))
            continue;
        uint32_t slot = registry_find_region(r, id);
        return slot == NO_INDEX ? NULL : &r->regions[slot];
    }
    return NULL;
}

/* Once for each region that became the hottest: did the heat go up or down? Told when
 * both daughters were measured and the keys are known. */
static void
follow_heat(struct story *story, const struct alert *a, const struct registry *r,
            const struct region *hottest)
{
    const struct lineage_entry *mine = split_into(a, hottest->id);

    if (mine == NULL || region_id_equal(story->last, hottest->id))
        return;
    const struct region *other = sister(a, r, mine);
    if (other == NULL || !region_is_judged(other) || !other->facts->start_known ||
        !hottest->facts->start_known ||
        !(hottest->rate[ACCESS_TOTAL] >=
          class_limits.daughter_share *
              (double)(hottest->rate[ACCESS_TOTAL] + other->rate[ACCESS_TOTAL])))
        return;
    story->last = hottest->id;
    if (region_compare_starts(hottest->facts, other->facts) > 0)
        story->went_up++;
    else
        story->went_down++;
}

/* ---- the class, kept steady ---- */

/* The class to tell, and whether it is the one that was just found. */
static bool
settle(struct story *s, bool first, enum heat_class found)
{
    if (found == s->heat_class) {
        s->other_count = 0;
        return true;
    }
    s->other_count = found == s->other ? s->other_count + 1 : 1;
    s->other = found;
    if (found == CLASS_UNKNOWN && !first)
        return false;
    if (!first && s->heat_class != CLASS_UNKNOWN && s->other_count < CLASS_SETTLES)
        return false;
    s->heat_class = found;
    s->other_count = 0;
    return true;
}

/* ---- explanations ---- */

static void
take_rows(struct explanation *x, const struct row_heat *h)
{
    size_t n = h->rows.used < EXPLAIN_ROWS ? h->rows.used : EXPLAIN_ROWS;

    x->rows = n == 0 ? NULL : xcalloc(n, sizeof(*x->rows));
    for (size_t i = 0; i < n; i++) {
        const struct space_counter *c = &h->rows.counters[i];
        x->rows[i] = (struct sampled_row){(unsigned char *)xmemdup0(c->key, c->len),
                                          c->len, row_heat_share(&h->rows, i)};
    }
    x->row_count = n;
}

static void
take_clients(struct explanation *x, const struct row_heat *h)
{
    size_t n = h->clients.used < EXPLAIN_CLIENTS ? h->clients.used : EXPLAIN_CLIENTS;

    x->clients = n == 0 ? NULL : xcalloc(n, sizeof(*x->clients));
    for (size_t i = 0; i < n; i++) {
        const struct space_counter *c = &h->clients.counters[i];
        x->clients[i] = (struct sampled_client){xmemdup0(c->key, c->len),
                                                row_heat_share(&h->clients, i)};
    }
    x->client_count = n;
}

static void
take_split_key(struct explanation *x, const struct subject *s)
{
    struct buf key;

    buf_init(&key, 0);
    if (s->region != NULL &&
        row_heat_split_key(&s->story->heat, s->region->facts, &key)) {
        x->split_key_len = key.len;
        x->split_key = (unsigned char *)buf_steal(&key, NULL);
    }
    buf_finish(&key);
}

static void
take_commands(struct explanation *x, const struct subject *s)
{
    struct shell_command commands[EXPLAIN_COMMANDS];
    size_t n = advise(s, x->heat_class, commands);

    x->commands = n == 0 ? NULL : xcalloc(n, sizeof(*x->commands));
    if (n > 0)
        memcpy(x->commands, commands, n * sizeof(*commands));
    x->command_count = n;
}

/* evidence: of the class as found now; NULL: what was told before still stands. */
static struct explanation *
make(const struct subject *s, const struct explanation *before, const char *evidence)
{
    struct explanation *x = xcalloc(1, sizeof(*x));
    const struct row_heat *h = &s->story->heat;

    atomic_init(&x->refs, 1);
    x->heat_class = s->story->heat_class;
    x->evidence = xstrdup(evidence != NULL ? evidence : before->evidence);
    x->advice = xstrdup(class_advice(s, x->heat_class));
    x->samples = row_heat_rows(h) + h->scans;
    x->rows_rise = row_heat_rises(h);
    take_rows(x, h);
    take_clients(x, h);
    take_split_key(x, s);
    take_commands(x, s);
    return x;
}

/* The region that the alert is about, or the hottest of its table or server; NULL where
 * it is about the cluster. */
static const struct region *
hottest_of(const struct registry *r, const struct alert *a)
{
    if (a->kind == ALERT_TABLE && a->table == NULL)
        return NULL;
    const struct region_facts *f = a->top_count > 0 ? a->top[0].region : a->region;
    uint32_t slot = f == NULL ? NO_INDEX : registry_find_region(r, f->id);

    return slot == NO_INDEX || !region_is_judged(&r->regions[slot]) ? NULL
                                                                    : &r->regions[slot];
}

static void
explain(const struct subject *s, struct episode *e)
{
    struct explanation *before = e->alert.why;
    struct buf evidence;

    buf_init(&evidence, 0);
    bool fresh = settle(e->story, before == NULL, classify(s, &evidence));
    e->alert.why = make(s, before, fresh ? evidence.data : NULL);
    explanation_unref(before);
    buf_finish(&evidence);
}

static bool
is_to_explain(const struct episode *e)
{
    return e->used && e->alert.state != ALERT_RESOLVED && e->finding.judged;
}

void
explain_update(struct detector *d, const struct registry *r, const struct load *load,
               const struct calls *calls, struct moment now)
{
    struct surroundings around;
    bool any = false;

    for (uint32_t i = 0; i < d->episode_slots; i++) {
        if (d->episodes[i].used)
            forget_rows(&d->episodes[i], r);
        any |= is_to_explain(&d->episodes[i]);
    }
    if (!any)
        return;
    surroundings_make(&around, r, now.mono_ms);
    for (uint32_t i = 0; i < d->episode_slots; i++) {
        struct episode *e = &d->episodes[i];
        if (!is_to_explain(e))
            continue;
        struct subject s = {
            .r = r,
            .load = load,
            .calls = calls,
            .around = &around,
            .d = d,
            .e = e,
            .a = &e->alert,
            .story = story_of(e),
            .region = hottest_of(r, &e->alert),
            .table = e->table,
        };
        if (s.region == NULL && episode_has_members(e))
            continue; /* what was told before still stands */
        if (episode_has_members(e))
            follow_heat(e->story, &e->alert, r, s.region);
        if (s.region != NULL && s.table == NO_INDEX)
            s.table = s.region->table;
        explain(&s, e);
    }
    surroundings_finish(&around);
}
