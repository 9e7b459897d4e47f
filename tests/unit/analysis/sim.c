/* SPDX-License-Identifier: Apache-2.0 */
#include "sim.h"

#include <math.h>
#include <string.h>

#include "common/alloc.h"

struct sim sim;
static const char *const table_names[TABLES] = {"a", "b", "ns:c", "single",
                                                "hbase:meta"};

/* ---- the cluster ---- */

uint32_t
sim_family(uint32_t n)
{
    while (sim.family[n] != n)
        n = sim.family[n] = sim.family[sim.family[n]];
    return n;
}

static struct sim_region *
create(int table, int server, uint32_t start, uint32_t end)
{
    for (int i = 0; i < REGIONS_MOST; i++) {
        struct sim_region *r = &sim.regions[i];
        if (r->number != 0)
            continue;
        *r = (struct sim_region){
            .number = ++sim.numbers,
            .table = table,
            .server = server,
            .start = start,
            .end = end,
            .read_rate = (double)next_below(&sim.g, 60),
            .write_rate = (double)next_below(&sim.g, 20),
            .copy_on = -1,
        };
        must(sim.numbers < IDS);
        sim.family[r->number] = r->number;
        return r;
    }
    return NULL;
}

static unsigned
count(int table)
{
    unsigned n = 0;

    for (int i = 0; i < REGIONS_MOST; i++)
        n += sim.regions[i].number != 0 && sim.regions[i].table == table;
    return n;
}

static int
any_server(void)
{
    return (int)next_below(&sim.g, SERVERS);
}

/* Opened on a server: a copy that lingered there is no more. */
static void
arrive(struct sim_region *r, int server)
{
    r->server = server;
    if (r->copy_on != server || server < 0)
        return;
    r->copy_on = -1;
    r->read = r->write = 0;
}

static void
move(struct sim_region *r)
{
    int from = r->server, to = next_below(&sim.g, 4) == 0 ? -1 : any_server();
    uint64_t count = (uint64_t)r->read;

    if (next_below(&sim.g, 3) != 0)
        r->read = r->write = 0;
    arrive(r, to);
    if (from >= 0 && from != to && next_below(&sim.g, 4) == 0) {
        r->copy_on = from;
        r->copy_read = count;
    }
}

static void
split(struct sim_region *r)
{
    struct sim_region p = *r;

    if (p.end - p.start < 4 || sim.unlisted[p.table] || p.table >= 3)
        return;
    uint32_t middle = p.start + 1 + (uint32_t)next_below(&sim.g, p.end - p.start - 1);
    struct sim_region *d1 = create(p.table, any_server(), p.start, middle);
    struct sim_region *d2 =
        d1 == NULL ? NULL : create(p.table, any_server(), middle, p.end);
    if (d2 == NULL) {
        if (d1 != NULL)
            d1->number = 0;
        return;
    }
    sim.settled[p.table] = false;
    sim.family[d1->number] = sim.family[d2->number] = sim_family(p.number);
    d1->read_rate = p.read_rate * (double)next_below(&sim.g, 3) / 2;
    d2->read_rate = p.read_rate - d1->read_rate;
    r->number = 0;
}

static void
merge(struct sim_region *r)
{
    if (sim.unlisted[r->table] || r->table >= 3)
        return;
    for (int i = 0; i < REGIONS_MOST; i++) {
        struct sim_region *s = &sim.regions[i];
        if (s->number == 0 || s->table != r->table || s->start != r->end)
            continue;
        struct sim_region *m = create(r->table, any_server(), r->start, s->end);
        if (m == NULL)
            return;
        m->read_rate = fmin(7000, r->read_rate + s->read_rate);
        sim.settled[r->table] = false;
        sim.family[sim_family(s->number)] = sim_family(r->number);
        sim.family[m->number] = sim_family(r->number);
        r->number = s->number = 0;
        return;
    }
}

bool
sim_is_calm(void)
{
    for (int i = 0; i < SERVERS; i++)
        if (sim.servers[i].down > 0 || sim.servers[i].empty > 0)
            return false;
    for (int i = 0; i < REGIONS_MOST; i++)
        if (sim.regions[i].number != 0 && sim.regions[i].server < 0)
            return false;
    return true;
}

static void
truncate_table(int table)
{
    if (!sim.settled[table] || !sim_is_calm())
        return; /* nobody could tell what came from where */
    sim.unlisted[table] = 3;
    for (int i = 0; i < REGIONS_MOST; i++) {
        struct sim_region *r = &sim.regions[i];
        if (r->number == 0 || r->table != table)
            continue;
        struct sim_region old = *r;
        r->number = 0;
        create(table, any_server(), old.start, old.end);
    }
}

static void
restart(int i)
{
    struct sim_server *s = &sim.servers[i];

    /* Sometimes with a clock that was set back. */
    s->start_code += next_below(&sim.g, 5) == 0 ? -1000 : 1000 + (int64_t)sim.numbers;
    s->dead = false;
    s->last = message_destroy(s->last);
    for (int j = 0; j < REGIONS_MOST; j++)
        if (sim.regions[j].server == i)
            sim.regions[j].read = sim.regions[j].write = 0;
}

static void
die(int i)
{
    struct sim_server *s = &sim.servers[i];

    s->down = 5 + (int)next_below(&sim.g, 60);
    s->dead = next_below(&sim.g, 2) == 0;
    for (int j = 0; j < REGIONS_MOST && s->dead; j++)
        if (sim.regions[j].server == i)
            move(&sim.regions[j]);
}

static void
heat(struct sim_region *r)
{
    r->read_rate = next_below(&sim.g, 3) == 0 ? 2000 + (double)next_below(&sim.g, 5000)
                                              : (double)next_below(&sim.g, 60);
    r->write_rate = next_below(&sim.g, 8) == 0 ? 3000 : (double)next_below(&sim.g, 20);
    if (next_below(&sim.g, 4) == 0)
        r->read_rate = r->write_rate = 0;
}

static void
step_clock(void)
{
    int64_t by = ((int64_t)next_below(&sim.g, 3) - 1) * 3600000;

    sim.now.wall_ms += by;
    sim.clock_skew_ms -= by;
    if (next_below(&sim.g, 2) == 0) /* the servers' clocks, too, or only theirs */
        sim.clock_skew_ms += ((int64_t)next_below(&sim.g, 3) - 1) * 3600000;
}

static void
reload(void)
{
    static struct label label = {"team", "x"};
    struct rule *rule = &sim.config.detection.rule;

    engine_configure(sim.engine, &sim.config);
    if (next_below(&sim.g, 3) == 0)
        rule->labels = (struct label_list){&label, next_below(&sim.g, 4) == 0 ? 1 : 0};
    rule->max_alerts_per_table = 1 + (unsigned)next_below(&sim.g, 8);
    for (int a = 0; a < ACCESS_COUNT; a++)
        rule->threshold[a] = 2 + (double)next_below(&sim.g, 20) / 10;
    engine_configure(sim.engine, &sim.config);
}

void
sim_happen(void)
{
    struct sim_region *r = &sim.regions[next_below(&sim.g, REGIONS_MOST)];
    int server = any_server();

    if (r->number == 0)
        return;
    switch (next_below(&sim.g, 60)) {
    case 0 ... 11:
        move(r);
        break;
    case 12 ... 18:
        if (count(r->table) < REGIONS_MOST / TABLES)
            split(r);
        break;
    case 19 ... 25:
        if (count(r->table) > 6)
            merge(r);
        break;
    case 26 ... 45:
        heat(r);
        break;
    case 46:
        if (next_below(&sim.g, 10) == 0)
            truncate_table(r->table);
        break;
    case 47:
        restart(server);
        break;
    case 48:
        if (next_below(&sim.g, 3) == 0)
            die(server);
        break;
    case 49:
        sim.servers[server].down = 1 + (int)next_below(&sim.g, 4);
        break;
    case 50:
        sim.servers[server].empty = 1 + (int)next_below(&sim.g, 3);
        break;
    case 51:
        step_clock();
        break;
    case 52:
        if (next_below(&sim.g, 4) == 0)
            reload();
        break;
    default:
        break;
    }
    for (int i = 0; i < REGIONS_MOST; i++) /* what was on its way arrives */
        if (sim.regions[i].number != 0 && sim.regions[i].server < 0 &&
            next_below(&sim.g, 30) == 0)
            arrive(&sim.regions[i], any_server());
}

void
sim_pass(void)
{
    sim.now.mono_ms += INTERVAL;
    sim.now.wall_ms += INTERVAL;
    for (int i = 0; i < REGIONS_MOST; i++) {
        struct sim_region *r = &sim.regions[i];
        r->read += r->read_rate * INTERVAL / 1000;
        r->write += r->write_rate * INTERVAL / 1000;
        if (r->copy_on >= 0 && next_below(&sim.g, 40) == 0)
            r->copy_on = -1;
    }
    for (int i = 0; i < SERVERS; i++) {
        struct sim_server *s = &sim.servers[i];
        s->empty -= s->empty > 0;
        if (s->down > 0 && --s->down == 0)
            restart(i);
    }
}

/* ---- what the collectors make of it ---- */

static struct region_id
id_of(uint32_t number)
{
    return (struct region_id){number * 0x9e3779b97f4a7c15u, number};
}

static char *
server_name(int i)
{
    char text[64];

    snprintf(text, sizeof(text), "rs%d,16020,%lld", i,
             (long long)sim.servers[i].start_code);
    return xstrdup(text);
}

static char **
all_tables(void)
{
    char **names = xcalloc(TABLES, sizeof(*names));

    for (int i = 0; i < TABLES; i++)
        names[i] = xstrdup(table_names[i]);
    return names;
}

static struct message *
answer(int server)
{
    struct message *m = message_create(MESSAGE_POLL);
    struct server_poll *p = &m->poll;

    p->url = xstrdup("http://rs_:16030");
    p->url[9] = (char)('a' + server);
    p->received = sim.now;
    if (sim.servers[server].down > 0 || sim.servers[server].empty > 0) {
        p->outcome = sim.servers[server].down > 0 ? POLL_TIMEOUT : POLL_NO_DATA;
        return m;
    }
    p->server = server_name(server);
    p->tables = all_tables();
    p->table_count = TABLES;
    if (next_below(&sim.g, 10) != 0)
        p->server_time_ms = sim.now.wall_ms + sim.clock_skew_ms;
    p->regions = xcalloc(2 * REGIONS_MOST, sizeof(*p->regions));
    for (int i = 0; i < REGIONS_MOST; i++) {
        const struct sim_region *r = &sim.regions[i];
        if (r->number == 0 || (r->server != server && r->copy_on != server))
            continue;
        p->regions[p->region_count++] = (struct region_sample){
            .id = id_of(r->number),
            .table = (uint32_t)r->table,
            .read = r->server == server ? (uint64_t)r->read : r->copy_read,
            .write = r->server == server ? (uint64_t)r->write : 0,
            .known = next_below(&sim.g, 300) == 0 ? 3 | SAMPLE_INVALID : 3,
        };
    }
    return m;
}

void
sim_poll(int i)
{
    struct sim_server *s = &sim.servers[i];
    bool repeated = s->last != NULL && s->last->poll.server_time_ms >= 0 &&
                    next_below(&sim.g, 15) == 0;

    if (next_below(&sim.g, 40) == 0)
        return; /* lost */
    struct message *m = repeated ? s->last : answer(i);
    if (repeated && next_below(&sim.g, 2) == 0)
        m->poll.received = sim.now; /* else it was overtaken */
    engine_apply_poll(sim.engine, &m->poll);
    if (repeated)
        return;
    message_destroy(s->last);
    s->last = m->poll.outcome == POLL_OK ? m : message_destroy(m);
}

void
sim_tell_cluster(void)
{
    struct message *m = message_create(MESSAGE_CLUSTER);
    struct cluster_state *c = &m->cluster;

    c->received = sim.now;
    c->live = xcalloc(SERVERS, sizeof(*c->live));
    c->dead = xcalloc(SERVERS, sizeof(*c->dead));
    for (int i = 0; i < SERVERS; i++)
        if (sim.servers[i].dead)
            c->dead[c->dead_count++] = server_name(i);
        else
            c->live[c->live_count++] = server_name(i);
    engine_apply_cluster(sim.engine, c);
    message_destroy(m);
}

static void
put_key(struct listing *l, uint32_t key, bool *known, uint32_t *at, uint32_t *len)
{
    *known = true;
    *at = (uint32_t)l->arena_len;
    if (key == 0 || key == KEYS) /* the ends of the table */
        return;
    l->arena = xreallocarray(l->arena, l->arena_len + 8, 1);
    snprintf(l->arena + l->arena_len, 8, "%05x", key & 0xfffff);
    *len = 5;
    l->arena_len += 5;
}

void
sim_list(void)
{
    struct message *m = message_create(MESSAGE_LISTING);
    struct listing *l = &m->listing;

    l->whole_cluster = true;
    l->received = sim.now;
    l->as_of_ms = sim.now.wall_ms;
    l->tables = all_tables();
    l->table_count = TABLES;
    l->servers = xcalloc(SERVERS, sizeof(*l->servers));
    l->server_count = SERVERS;
    for (int i = 0; i < SERVERS; i++)
        l->servers[i] = server_name(i);
    l->rows = xcalloc(REGIONS_MOST, sizeof(*l->rows));
    for (int i = 0; i < REGIONS_MOST; i++) {
        const struct sim_region *r = &sim.regions[i];
        if (r->number == 0 || r->server < 0)
            continue;
        struct listing_row *row = &l->rows[l->row_count++];
        *row = (struct listing_row){.id = id_of(r->number),
                                    .table = (uint32_t)r->table,
                                    .server = (uint32_t)r->server,
                                    .created_ms = r->number,
                                    .size_bytes = 1,
                                    .locality = NAN};
        put_key(l, r->start, &row->start_known, &row->start_key, &row->start_len);
        put_key(l, r->end, &row->end_known, &row->end_key, &row->end_len);
    }
    engine_apply_listing(sim.engine, l);
    message_destroy(m);
}

/* ---- begin ---- */

void
sim_begin(const char *name, bool keys)
{
    memset(&sim, 0, sizeof(sim));
    sim.g = start_generator(name);
    sim.keys = keys;
    sim.now = (struct moment){1000000, 1700000000000};
    sim.config.poll =
        (struct poll_config){.jmx = true, .interval_ms = INTERVAL, .timeout_ms = 10000};
    sim.config.topology.interval_ms = 600000;
    sim.config.detection = (struct detection_config){
        .rule = {.threshold = {3, 3, 3},
                 .min_rate = {100, 100, 100},
                 .min_server_share = 0.25,
                 .for_ms = 120000,
                 .clear_ratio = 0.8,
                 .clear_for_ms = 300000,
                 .max_alerts_per_table = 4,
                 .severity = SEVERITY_WARNING},
        .window_ms = 120000,
        .max_alerts = 10,
        .table_min_rate = 200,
        .single_region_min_rate = 1000,
        .server_threshold = 2,
        .server_min_rate = 500,
        .meta_max_rate = 2000,
    };
    sim.config.history = (struct history_config){.raw_ms = 3600000,
                                                 .five_minutes_ms = 7200000,
                                                 .hours_ms = 86400000,
                                                 .max_memory = 100000};
    sim.engine = engine_create(&sim.config);
    for (int i = 0; i < SERVERS; i++)
        sim.servers[i].start_code = 1700000000000;
    for (int t = 0; t < 3; t++)
        for (uint32_t i = 0; i < 12; i++)
            create(t, any_server(), i * (KEYS / 12),
                   i == 11 ? KEYS : (i + 1) * (KEYS / 12));
    create(3, any_server(), 0, KEYS);
    create(4, any_server(), 0, KEYS);
    if (keys)
        sim_list();
}
