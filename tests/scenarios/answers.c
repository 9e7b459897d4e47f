/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/scenarios/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

#define WALL_START 1700000000000

struct moment
moment_at(const struct cluster *c, int64_t now)
{
    return (struct moment){1000000 + now, WALL_START + now + c->wall_step_ms};
}

static struct region_id
id_of(uint32_t number)
{
    return (struct region_id){number * 0x9e3779b97f4a7c15u, number};
}

static char *
host_name(const struct cluster *c, int host)
{
    char text[64];

    snprintf(text, sizeof(text), "rs%d,16020,%lld", host,
             (long long)c->hosts[host].start_code);
    return xstrdup(text);
}

static char *
host_url(int host)
{
    char text[64];

    snprintf(text, sizeof(text), "http://rs%d:16030", host);
    return xstrdup(text);
}

static char **
table_names(const struct cluster *c)
{
    char **names = xcalloc((size_t)c->table_count, sizeof(*names));

    for (int i = 0; i < c->table_count; i++)
        names[i] = xstrdup(c->tables[i].name);
    return names;
}

/* ---- polls ---- */

/* As HBase's narrower counters would show it; false: a negative number. */
static bool
narrow(double count, int bits, uint64_t *ret_value)
{
    *ret_value = (uint64_t)count;
    if (bits == 0)
        return true;
    *ret_value &= 0xffffffff;
    return bits == 32 || *ret_value < 0x80000000;
}

static void
add_sample(const struct cluster *c, struct server_poll *p, const struct place *place,
           uint32_t number, const double count[2])
{
    int bits = c->tables[place->table].wrap_bits;
    struct region_sample *s = &p->regions[p->region_count++];

    *s = (struct region_sample){
        .id = id_of(number),
        .table = (uint32_t)place->table,
        .known = SAMPLE_READ | SAMPLE_WRITE,
        .replica = place->replica,
    };
    if (narrow(count[0], bits, &s->read) && narrow(count[1], bits, &s->write))
        return;
    s->known |= SAMPLE_INVALID;
    p->invalid_values++;
}

static int
by_id(const void *a, const void *b)
{
    return region_id_compare(((const struct age_probe *)a)->id,
                             ((const struct age_probe *)b)->id);
}

/* Ages of files by the host's own clock, of the regions with the smallest ids. */
static void
add_probes(const struct cluster *c, struct server_poll *p, int host, int64_t now)
{
    struct age_probe *all = xcalloc(p->region_count, sizeof(*all));

    for (size_t i = 0; i < p->region_count; i++)
        all[i] = (struct age_probe){p->regions[i].id,
                                    1000000 * (int64_t)(p->regions[i].id.lo % 7 + 1) +
                                        now + c->hosts[host].skew_ms};
    qsort(all, p->region_count, sizeof(*all), by_id);
    p->probe_count = p->region_count < AGE_PROBES ? p->region_count : AGE_PROBES;
    memcpy(p->probes, all, p->probe_count * sizeof(*all));
    free(all);
}

static void
add_copies(const struct cluster *c, struct server_poll *p, int host, int64_t now)
{
    for (int i = 0; i < c->copy_count; i++) {
        const struct copy *y = &c->copies[i];
        if (y->host != host || now >= y->until_ms)
            continue;
        double more = y->creep * (double)(now - y->since_ms) / 1000;
        const double count[2] = {y->count[0] + more, y->count[1]};
        add_sample(c, p, &c->places[y->place], y->number, count);
    }
}

struct message *
answer_poll(struct cluster *c, int host, int64_t now)
{
    struct host *h = &c->hosts[host];
    struct message *m = message_create(MESSAGE_POLL);
    struct server_poll *p = &m->poll;

    cluster_count_host(c, host, now);
    p->url = host_url(host);
    if (h->dead || now < h->down_until || now < h->empty_until) {
        bool down = h->dead || now < h->down_until;
        p->outcome = down ? POLL_TIMEOUT : POLL_NO_DATA;
        return m;
    }
    p->server = host_name(c, host);
    p->tables = table_names(c);
    p->table_count = (size_t)c->table_count;
    p->regions =
        xcalloc((size_t)(c->place_count + c->copy_count + 1), sizeof(*p->regions));
    for (int i = 0; i < c->place_count; i++)
        if (c->places[i].host == host && c->places[i].number != 0)
            add_sample(c, p, &c->places[i], c->places[i].number, c->places[i].count);
    add_copies(c, p, host, now);
    memcpy(p->signals, h->signals, sizeof(p->signals));
    if (c->clock == CLOCK_ABSOLUTE)
        p->server_time_ms = WALL_START + now + h->skew_ms;
    else if (c->clock == CLOCK_AGES)
        add_probes(c, p, host, now);
    return m;
}

/* ---- the master ---- */

struct message *
answer_cluster(const struct cluster *c, int64_t now)
{
    struct message *m = message_create(MESSAGE_CLUSTER);
    struct cluster_state *s = &m->cluster;

    s->received = moment_at(c, now);
    s->live = xcalloc((size_t)c->host_count, sizeof(*s->live));
    s->dead = xcalloc((size_t)c->host_count, sizeof(*s->dead));
    for (int i = 0; i < c->host_count; i++)
        if (c->hosts[i].dead)
            s->dead[s->dead_count++] = host_name(c, i);
        else
            s->live[s->live_count++] = host_name(c, i);
    return m;
}

/* ---- listings ---- */

static void
put_key(struct listing *l, uint32_t key, bool *known, uint32_t *at, uint32_t *len)
{
    *known = true;
    *at = (uint32_t)l->arena_len;
    if (key == 0 || key == KEYS)
        return;
    snprintf(l->arena + l->arena_len, 8, "%06x", key & (KEYS - 1));
    *len = 6;
    l->arena_len += 6;
}

static void
add_row(struct listing *l, const struct place *p)
{
    struct listing_row *row = &l->rows[l->row_count++];

    *row = (struct listing_row){
        .id = id_of(p->number),
        .table = (uint32_t)p->table,
        .server = p->host < 0 ? UINT32_MAX : (uint32_t)p->host,
        .in_transition = p->host < 0,
        .created_ms = WALL_START / 2 + p->number,
        .replica = p->replica,
        .size_bytes = p->size_bytes,
        .locality = NAN,
    };
    put_key(l, p->start, &row->start_known, &row->start_key, &row->start_len);
    put_key(l, p->end, &row->end_known, &row->end_key, &row->end_len);
}

struct message *
answer_listing(const struct cluster *c, int64_t now)
{
    struct message *m = message_create(MESSAGE_LISTING);
    struct listing *l = &m->listing;
    size_t most = (size_t)c->place_count + 1;

    l->whole_cluster = true;
    l->received = moment_at(c, now);
    l->as_of_ms = l->received.wall_ms;
    l->tables = table_names(c);
    l->table_count = (size_t)c->table_count;
    l->servers = xcalloc((size_t)c->host_count, sizeof(*l->servers));
    l->server_count = (size_t)c->host_count;
    for (int i = 0; i < c->host_count; i++)
        l->servers[i] = host_name(c, i);
    l->rows = xcalloc(most, sizeof(*l->rows));
    l->arena = xmalloc(most * 16);
    for (int i = 0; i < c->place_count; i++)
        if (c->places[i].number != 0)
            add_row(l, &c->places[i]);
    return m;
}

/* ---- what is asked of servers in the focus ---- */

/* The host that the focus names, if it is that start and answers; -1. */
static int
find_host(const struct cluster *c, const struct focus_server *f, int64_t now)
{
    for (int i = 0; i < c->host_count; i++) {
        char *name = host_name(c, i);
        bool same = strcmp(name, f->server) == 0;
        free(name);
        if (same)
            return c->hosts[i].dead || now < c->hosts[i].down_until ? -1 : i;
    }
    return -1;
}

/* The place of a region of the focus, on that host now; NULL. */
static struct place *
find_place(struct cluster *c, struct region_id id, int host)
{
    struct place *p = &c->places[c->place_of[id.lo]];

    return p->number == id.lo && p->host == host ? p : NULL;
}

struct message *
answer_detail(struct cluster *c, const struct focus_server *f, int64_t now)
{
    int host = find_host(c, f, now);

    if (host < 0)
        return NULL;
    struct message *m = message_create(MESSAGE_DETAIL);
    struct server_detail *d = &m->detail;
    d->url = host_url(host);
    d->server = host_name(c, host);
    d->received = moment_at(c, now);
    d->handlers = 30;
    d->operations = xcalloc(f->region_count + 1, sizeof(*d->operations));
    for (size_t i = 0; i < f->region_count; i++) {
        struct place *p = find_place(c, f->regions[i], host);
        if (p == NULL)
            continue;
        cluster_count(c, (int)(p - c->places), now);
        d->operations[d->operation_count++] = (struct operation_sample){
            .id = f->regions[i],
            .read = (uint64_t)p->count[ACCESS_READ],
            .write = (uint64_t)p->count[ACCESS_WRITE],
            .gets = (uint64_t)p->gets,
            .scans = (uint64_t)p->scans,
        };
    }
    return m;
}

/* The key of the n-th call of a session on a place. Rising keys get through a region in
 * six hours. */
static uint32_t
key_of_call(struct cluster *c, const struct place *p, int n)
{
    double width = (double)(p->end - p->start);
    double low = p->start + width * p->hot_from;
    double high = p->start + width * p->hot_to;

    if (p->rows == ROWS_RISING)
        return (uint32_t)(low + (high - low) *
                                    ((double)p->counted_ms / (6 * 3600000) + 1e-5 * n));
    if (p->rows == ROWS_ONE && dice_unit(&c->dice) < 0.8)
        return (uint32_t)(low + (high - low) / 2);
    return (uint32_t)dice_between(&c->dice, low, high);
}

/* Which region of the focus a call is on: as likely as its load says. */
static struct place *
place_of_call(struct cluster *c, const struct focus_server *f, int host)
{
    double sum = 0, at;

    for (size_t i = 0; i < f->region_count; i++) {
        const struct place *p = find_place(c, f->regions[i], host);
        sum += p == NULL ? 0 : p->rate[0] + p->rate[1];
    }
    at = dice_between(&c->dice, 0, sum);
    for (size_t i = 0; i < f->region_count && sum > 0; i++) {
        struct place *p = find_place(c, f->regions[i], host);
        at -= p == NULL ? 0 : p->rate[0] + p->rate[1];
        if (p != NULL && at <= 0)
            return p;
    }
    return NULL;
}

static void
add_call(struct cluster *c, struct row_samples *r, const struct place *p, int n)
{
    bool write = dice_unit(&c->dice) * (p->rate[0] + p->rate[1]) < p->rate[1];
    struct sampled_call *call = &r->calls[r->call_count++];

    *call = (struct sampled_call){
        .region = id_of(p->number),
        .row = (uint32_t)r->arena_len,
        .row_len = 8,
        .client = (uint32_t)dice_below(&c->dice, 3),
        .method = write                  ? CALL_MUTATE
                  : p->rows_per_call > 1 ? CALL_SCAN
                                         : CALL_GET,
    };
    snprintf(r->arena + r->arena_len, 9, "%06xaa", key_of_call(c, p, n));
    r->arena_len += 8;
}

struct message *
answer_rows(struct cluster *c, const struct focus_server *f, int calls, int64_t now)
{
    int host = find_host(c, f, now);

    if (host < 0)
        return NULL;
    struct message *m = message_create(MESSAGE_ROWS);
    struct row_samples *r = &m->rows;
    r->url = host_url(host);
    r->server = host_name(c, host);
    r->received = moment_at(c, now);
    r->turn = f->turn;
    r->requests = (unsigned)calls;
    r->calls = xcalloc((size_t)calls + 1, sizeof(*r->calls));
    r->arena = xmalloc((size_t)calls * 8 + 16);
    r->clients = xcalloc(3, sizeof(*r->clients));
    r->client_count = 3;
    for (int i = 0; i < 3; i++) {
        r->clients[i] = xstrdup("10.0.0._");
        r->clients[i][7] = (char)('1' + i);
    }
    for (int i = 0; i < calls; i++) {
        const struct place *p = place_of_call(c, f, host);
        if (p != NULL)
            add_call(c, r, p, i);
    }
    return m;
}
