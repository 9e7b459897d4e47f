/* SPDX-License-Identifier: Apache-2.0 */
#include "lab.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

static const struct rule default_rule = {
    .threshold = {3, 3, 3},
    .min_rate = {100, 100, 100},
    .baseline = BASELINE_REST,
    .min_server_share = 0.25,
    .for_ms = 120000,
    .clear_ratio = 0.8,
    .clear_for_ms = 300000,
    .max_alerts_per_table = 10,
    .severity = SEVERITY_WARNING,
};

void
lab_init(struct lab *lab, int servers)
{
    *lab = (struct lab){
        .now = {1000000, 1700000000000},
        .server_count = servers,
    };
    lab->config.poll =
        (struct poll_config){.jmx = true, .interval_ms = 30000, .timeout_ms = 10000};
    lab->config.topology.interval_ms = 600000;
    lab->config.detection = (struct detection_config){
        .rule = default_rule,
        .window_ms = 120000,
        .max_alerts = 200,
        .table_min_rate = 1000,
        .single_region_min_rate = 1000,
        .server_threshold = 2,
        .server_min_rate = 1000,
        .meta_max_rate = 5000,
    };
    lab->config.history = (struct history_config){.raw_ms = 3600000,
                                                  .five_minutes_ms = 86400000,
                                                  .hours_ms = 7 * 86400000,
                                                  .max_memory = 512 << 20};
    for (int i = 0; i < servers; i++)
        snprintf(lab->servers[i], sizeof(lab->servers[i]), "rs%d,16020,170000000000%d",
                 i + 1, i + 1);
}

void
lab_start(struct lab *lab)
{
    lab->engine = engine_create(&lab->config);
}

void
lab_finish(struct lab *lab)
{
    lab->last = snapshot_unref(lab->last);
    lab->engine = engine_destroy(lab->engine);
}

struct region_id
lab_id(int region)
{
    return (struct region_id){0x1000 + (uint64_t)region * 0x9E3779B97F4A7C15u,
                              region + 1};
}

int
lab_region(struct lab *lab, const char *table, int server, double read_rate,
           double write_rate)
{
    int i = lab->region_count++;

    ck_assert_int_lt(i, LAB_REGIONS);
    lab->regions[i] = (struct lab_region){
        .id = lab_id(i),
        .table = table,
        .server = server,
        .created_ms = 1600000000000 + i,
        .read_rate = read_rate,
        .write_rate = write_rate,
        .known = SAMPLE_READ | SAMPLE_WRITE,
    };
    return i;
}

void
lab_pass(struct lab *lab, int64_t ms)
{
    lab->now.mono_ms += ms;
    lab->now.wall_ms += ms;
    for (int i = 0; i < lab->region_count; i++) {
        lab->regions[i].read += lab->regions[i].read_rate * (double)ms / 1000;
        lab->regions[i].write += lab->regions[i].write_rate * (double)ms / 1000;
    }
}

static uint32_t
name_number(char ***names, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*names)[i], name) == 0)
            return (uint32_t)i;
    *names = xreallocarray(*names, *count + 1, sizeof(**names));
    (*names)[*count] = xstrdup(name);
    return (uint32_t)(*count)++;
}

/* Ages of the server's first regions: of files made long ago, by its own clock. */
static void
add_probes(const struct lab *lab, struct server_poll *p)
{
    p->probe_count = p->region_count < AGE_PROBES ? p->region_count : AGE_PROBES;
    for (size_t i = 0; i < p->probe_count; i++)
        p->probes[i].id = p->regions[i].id;
    for (size_t i = 0; i < p->probe_count; i++)
        for (size_t j = i + 1; j < p->probe_count; j++)
            if (region_id_compare(p->probes[j].id, p->probes[i].id) < 0) {
                struct region_id id = p->probes[i].id;
                p->probes[i].id = p->probes[j].id;
                p->probes[j].id = id;
            }
    for (size_t i = 0; i < p->probe_count; i++)
        p->probes[i].age_ms = lab->now.mono_ms + lab->clock_skew_ms +
                              1000000 * (int64_t)(p->probes[i].id.lo % 7);
}

static void
add_sample(struct server_poll *p, const struct lab_region *r, double read, double write)
{
    p->regions = xreallocarray(p->regions, p->region_count + 1, sizeof(*p->regions));
    p->regions[p->region_count++] = (struct region_sample){
        .id = r->id,
        .table = name_number(&p->tables, &p->table_count, r->table),
        .read = (uint64_t)read,
        .write = (uint64_t)write,
        .known = r->known,
        .replica = r->replica,
    };
    p->invalid_values += (r->known & SAMPLE_INVALID) != 0;
}

struct message *
lab_answer(const struct lab *lab, int server)
{
    struct message *m = message_create(MESSAGE_POLL);
    struct server_poll *p = &m->poll;

    p->url = xstrdup("http://rs_:16030");
    p->url[9] = (char)('a' + server);
    p->received = lab->now;
    p->received.mono_ms += lab->receipt_late_ms;
    p->received.wall_ms += lab->receipt_late_ms;
    if (lab->down[server] || lab->empty[server]) {
        p->outcome = lab->empty[server] ? POLL_NO_DATA : POLL_CONNECT;
        return m;
    }
    p->server = xstrdup(lab->servers[server]);
    for (int i = 0; i < lab->region_count; i++)
        if (lab->regions[i].server == server)
            add_sample(p, &lab->regions[i], lab->regions[i].read,
                       lab->regions[i].write);
    for (int i = 0; i < lab->copy_count; i++)
        if (lab->copies[i].server == server)
            add_sample(p, &lab->regions[lab->copies[i].region], lab->copies[i].read,
                       lab->copies[i].write);
    if (lab->clock == LAB_CLOCK_ABSOLUTE)
        p->server_time_ms = lab->now.wall_ms + lab->clock_skew_ms;
    if (lab->clock == LAB_CLOCK_AGES)
        add_probes(lab, p);
    return m;
}

void
lab_poll(struct lab *lab, int server)
{
    struct message *m = lab_answer(lab, server);

    engine_apply_poll(lab->engine, &m->poll);
    message_destroy(m);
}

void
lab_cluster(struct lab *lab)
{
    struct message *m = message_create(MESSAGE_CLUSTER);
    struct cluster_state *c = &m->cluster;

    c->received = lab->now;
    for (int i = 0; i < lab->server_count; i++)
        name_number(lab->dead[i] ? &c->dead : &c->live,
                    lab->dead[i] ? &c->dead_count : &c->live_count, lab->servers[i]);
    engine_apply_cluster(lab->engine, c);
    message_destroy(m);
}

void
lab_restart(struct lab *lab, int server, int64_t start_code)
{
    snprintf(lab->servers[server], sizeof(lab->servers[server]), "rs%d,16020,%lld",
             server + 1, (long long)start_code);
    for (int i = 0; i < lab->region_count; i++)
        if (lab->regions[i].server == server)
            lab->regions[i].read = lab->regions[i].write = 0;
}

void
lab_move(struct lab *lab, int region, int server)
{
    lab->regions[region].server = server;
    lab->regions[region].read = lab->regions[region].write = 0;
}

static void
add_key(struct listing *l, const char *key, bool *known, uint32_t *at, uint32_t *len)
{
    *known = key != NULL;
    if (key == NULL)
        return;
    *at = (uint32_t)l->arena_len;
    *len = (uint32_t)strlen(key);
    l->arena = xreallocarray(l->arena, l->arena_len + *len + 1, 1);
    memcpy(l->arena + l->arena_len, key, *len);
    l->arena_len += *len;
}

static void
add_row(const struct lab *lab, struct listing *l, const struct lab_region *r)
{
    l->rows = xreallocarray(l->rows, l->row_count + 1, sizeof(*l->rows));
    struct listing_row *row = &l->rows[l->row_count++];
    *row = (struct listing_row){
        .id = r->id,
        .table = name_number(&l->tables, &l->table_count, r->table),
        .server = name_number(&l->servers, &l->server_count, lab->servers[r->server]),
        .replica = r->replica,
        .created_ms = r->created_ms,
        .size_bytes = 1 << 20,
        .locality = 1,
        .read = (uint64_t)r->read,
        .write = (uint64_t)r->write,
        .total = (uint64_t)(r->read + r->write),
        .known = r->known,
    };
    add_key(l, r->start, &row->start_known, &row->start_key, &row->start_len);
    add_key(l, r->end, &row->end_known, &row->end_key, &row->end_len);
}

struct message *
lab_listing(const struct lab *lab, const char *table)
{
    struct message *m = message_create(MESSAGE_LISTING);
    struct listing *l = &m->listing;

    l->source = LISTING_API;
    l->whole_cluster = table == NULL;
    l->received = lab->now;
    l->as_of_ms = lab->now.wall_ms;
    for (int i = 0; i < lab->region_count; i++) {
        const struct lab_region *r = &lab->regions[i];
        if (r->server >= 0 && (table == NULL || strcmp(table, r->table) == 0))
            add_row(lab, l, r);
    }
    return m;
}

void
lab_list(struct lab *lab)
{
    struct message *m = lab_listing(lab, NULL);

    engine_apply_listing(lab->engine, &m->listing);
    message_destroy(m);
}

/* Whom an alert is about, as tests write it. */
static const char *
subject(const struct alert *a)
{
    static char text[16];

    if (a->kind == ALERT_SERVER)
        return a->server->address;
    if (a->kind == ALERT_TABLE)
        return a->table == NULL ? "cluster" : a->table->name;
    snprintf(text, sizeof(text), "%d", (int)a->origin.lo - 1);
    return text;
}

struct snapshot *
lab_evaluate(struct lab *lab)
{
    size_t count;

    snapshot_unref(lab->last);
    lab->last = engine_evaluate(lab->engine, lab->now);
    const struct engine_event *events = engine_events(lab->engine, &count);
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(lab->events);
        snprintf(lab->events + used, sizeof(lab->events) - used, "%s%s%s %s;",
                 event_kind_name(events[i].kind),
                 events[i].alert->reason == END_NONE ? "" : " ",
                 end_reason_name(events[i].alert->reason), subject(events[i].alert));
    }
    engine_record_history(lab->engine, lab->now);
    return lab->last;
}

struct snapshot *
lab_tick(struct lab *lab, int n)
{
    for (int i = 0; i < n; i++) {
        lab_pass(lab, lab->config.poll.interval_ms);
        for (int s = 0; s < lab->server_count; s++)
            lab_poll(lab, s);
        lab_evaluate(lab);
    }
    return lab->last;
}

const struct alert *
lab_alert(const struct lab *lab, int region)
{
    for (uint32_t i = 0; i < lab->last->alert_count; i++)
        if (region_id_equal(lab->last->alerts[i].origin, lab_id(region)))
            return &lab->last->alerts[i];
    return NULL;
}

const struct alert *
lab_alert_about(const struct lab *lab, const char *name)
{
    for (uint32_t i = 0; i < lab->last->alert_count; i++)
        if (strcmp(subject(&lab->last->alerts[i]), name) == 0)
            return &lab->last->alerts[i];
    return NULL;
}

const struct region_row *
lab_row(const struct lab *lab, int region)
{
    uint32_t i = snapshot_find_region(lab->last, lab_id(region));

    return i == NO_INDEX ? NULL : &lab->last->regions[i];
}

const struct table_row *
lab_table(const struct lab *lab, const char *table)
{
    for (uint32_t i = 0; i < lab->last->table_count; i++)
        if (strcmp(lab->last->tables[i].facts->name, table) == 0)
            return &lab->last->tables[i];
    return NULL;
}

const struct server_row *
lab_server(const struct lab *lab, int server)
{
    for (uint32_t i = 0; i < lab->last->server_count; i++)
        if (strcmp(lab->last->servers[i].facts->text, lab->servers[server]) == 0)
            return &lab->last->servers[i];
    return NULL;
}

int
lab_even_table(struct lab *lab, double rate, double times)
{
    lab_init(lab, 3);
    for (int i = 0; i < 10; i++)
        lab_region(lab, "orders", i % 3, rate * (i == 4 ? times : 1), 0);
    lab_start(lab);
    return 4;
}

void
lab_even_keys(struct lab *lab)
{
    static const char *const keys[] = {"",   "10", "20", "30", "40", "50",
                                       "60", "70", "80", "90", ""};

    for (int i = 0; i < 10; i++) {
        lab->regions[i].start = keys[i];
        lab->regions[i].end = keys[i + 1];
    }
}
