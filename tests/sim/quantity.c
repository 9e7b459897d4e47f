/* SPDX-License-Identifier: Apache-2.0 */
/* Values behind attribute names: one table, one small function a value. Reads the
 * samples only, so that an answer shows one moment. Owns nothing. */
#include "tests/sim/quantity.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"

void
print_u64(struct buf *out, uint64_t v)
{
    char digits[20];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + v % 10);
        v /= 10;
    } while (v > 0);
    buf_add(out, digits + at, sizeof(digits) - at);
}

/* The shortest digits that read back as v: "d.ddde+XX" in text, at least one decimal.
 */
static void
shortest(double v, char *text, size_t size)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, size, "%.*e", digits, v);
        if (strtod(text, NULL) == v)
            return;
    }
}

void
print_java_double(struct buf *out, double v)
{
    char text[40];
    char *exponent;
    int power, decimals;

    assert(isfinite(v));
    shortest(v, text, sizeof(text));
    exponent = strchr(text, 'e');
    power = atoi(exponent + 1);
    *exponent = '\0';
    /* "1.50" is not shortest; the first digit after the point stays. */
    for (char *end = exponent - 1; *end == '0' && end[-1] != '.'; end--)
        *end = '\0';
    if (v == 0) {
        buf_adds(out, "0.0");
    } else if (power >= 7 || power < -3) {
        buf_addf(out, "%sE%d", text, power);
    } else {
        decimals = (int)strlen(strchr(text, '.') + 1) - power;
        buf_addf(out, "%.*f", decimals > 1 ? decimals : 1, v);
    }
}

void
print_gson_string(struct buf *out, const char *s, size_t len)
{
    buf_addc(out, '"');
    for (size_t i = 0; i < len;) {
        unsigned char b = (unsigned char)s[i];
        size_t sequence = b < 0x80 ? 1 : utf8_sequence(s + i, len - i);

        if (sequence == 0)
            buf_adds(out, "\xEF\xBF\xBD");
        else if (b == '"' || b == '\\')
            buf_addf(out, "\\%c", b);
        else if (b < 0x20 || strchr("<>&='", b))
            buf_addf(out, "\\u%04x", b);
        else
            buf_add(out, s + i, sequence);
        i += sequence > 0 ? sequence : 1;
    }
    buf_addc(out, '"');
}

static void
print_string(struct buf *out, const char *s)
{
    buf_addf(out, "\"%s\"", s);
}

typedef void print_fn(struct buf *out, const struct subject *subject);

/* One line a value of a server's sums. */
#define SUM(name, expression)                                                          \
    static void print_##name(struct buf *out, const struct subject *subject)           \
    {                                                                                  \
        const struct server_sums *sums = &subject->server->sums;                       \
        print_u64(out, expression);                                                    \
    }

SUM(regions, sums->regions)
SUM(files, sums->files)
SUM(size, sums->size)
SUM(memstore, sums->memstore)
SUM(average_size, sums->regions ? (sums->size + sums->memstore) / sums->regions : 0)
SUM(reads, sums->read)
SUM(writes, sums->write)
SUM(rows, sums->read + sums->write)
SUM(gets, sums->gets)
SUM(scans, sums->scans)
SUM(calls, sums->calls)
SUM(hits, sums->blocks - sums->blocks / 100)
SUM(misses, sums->blocks / 100)
SUM(handlers, sums->handlers)
SUM(queue, sums->queue)
SUM(queue_bytes, sums->queue * 185)
SUM(received, sums->calls * 184)
SUM(sent, sums->calls * 108)
SUM(gc_count, sums->calls / 10000 + 16)
SUM(gc_time, sums->calls / 500 + 216)

static void
print_read_rate(struct buf *out, const struct subject *subject)
{
    print_java_double(out, subject->server->sums.read_rate);
}

static void
print_write_rate(struct buf *out, const struct subject *subject)
{
    print_java_double(out, subject->server->sums.write_rate);
}

static void
print_start(struct buf *out, const struct subject *subject)
{
    buf_addf(out, "%" PRId64, subject->server->start_code);
}

static void
print_server(struct buf *out, const struct subject *subject)
{
    char name[SERVER_NAME_SIZE];

    print_string(out, server_name(subject->server, name));
}

static void
print_zk(struct buf *out, const struct subject *subject)
{
    (void)subject;
    print_string(out, "127.0.0.1:2181");
}

static void
print_cluster(struct buf *out, const struct subject *subject)
{
    print_string(out, subject->cluster->id);
}

static void
print_host(struct buf *out, const struct subject *subject)
{
    print_string(out, subject->server ? subject->server->endpoint.address
                                      : subject->master->endpoint.address);
}

static void
print_master(struct buf *out, const struct subject *subject)
{
    char name[SERVER_NAME_SIZE];

    print_string(out, master_name(subject->master, name));
}

/* Only the active master knows the servers. */
static void
print_live(struct buf *out, const struct subject *subject)
{
    print_string(out, subject->master->shown_active ? subject->master->live : "");
}

static void
print_dead(struct buf *out, const struct subject *subject)
{
    print_string(out, subject->master->shown_active ? subject->master->dead : "");
}

static void
print_active(struct buf *out, const struct subject *subject)
{
    print_string(out, subject->master->shown_active ? "true" : "false");
}

static void
print_active_since(struct buf *out, const struct subject *subject)
{
    buf_addf(out, "%" PRId64, subject->master->active_since);
}

static void
print_initialized(struct buf *out, const struct subject *subject)
{
    int64_t since = subject->master->active_since;

    buf_addf(out, "%" PRId64, since > 0 ? since + 12000 : 0);
}

static void
print_master_start(struct buf *out, const struct subject *subject)
{
    buf_addf(out, "%" PRId64, subject->master->start_code);
}

static void
print_live_count(struct buf *out, const struct subject *subject)
{
    print_u64(out, subject->master->shown_active ? subject->master->live_count : 0);
}

static void
print_dead_count(struct buf *out, const struct subject *subject)
{
    print_u64(out, subject->master->shown_active ? subject->master->dead_count : 0);
}

static void
print_load(struct buf *out, const struct subject *subject)
{
    const struct master *m = subject->master;

    if (m->shown_active && m->live_count > 0)
        print_java_double(out, (double)m->region_count / m->live_count);
    else
        buf_adds(out, "0.0");
}

static void
print_requests(struct buf *out, const struct subject *subject)
{
    print_u64(out, subject->master->shown_active ? subject->master->requests : 0);
}

static void
print_operations(struct buf *out, const struct subject *subject)
{
    print_u64(out, subject->cluster->operations);
}

static const struct {
    const char *name;
    print_fn *print;
} quantities[] = {
    {"regions", print_regions},
    {"files", print_files},
    {"size", print_size},
    {"memstore", print_memstore},
    {"average_size", print_average_size},
    {"reads", print_reads},
    {"writes", print_writes},
    {"rows", print_rows},
    {"gets", print_gets},
    {"scans", print_scans},
    {"calls", print_calls},
    {"hits", print_hits},
    {"misses", print_misses},
    {"handlers", print_handlers},
    {"queue", print_queue},
    {"queue_bytes", print_queue_bytes},
    {"received", print_received},
    {"sent", print_sent},
    {"gc_count", print_gc_count},
    {"gc_time", print_gc_time},
    {"read_rate", print_read_rate},
    {"write_rate", print_write_rate},
    {"start", print_start},
    {"server", print_server},
    {"zk", print_zk},
    {"cluster", print_cluster},
    {"host", print_host},
    {"master", print_master},
    {"live", print_live},
    {"dead", print_dead},
    {"active", print_active},
    {"active_since", print_active_since},
    {"initialized", print_initialized},
    {"master_start", print_master_start},
    {"live_count", print_live_count},
    {"dead_count", print_dead_count},
    {"load", print_load},
    {"requests", print_requests},
    {"operations", print_operations},
};

void
quantity_print(struct buf *out, const struct subject *subject, const char *name,
               size_t len)
{
    for (size_t i = 0; i < sizeof(quantities) / sizeof(*quantities); i++) {
        if (strncmp(quantities[i].name, name, len) == 0 &&
            quantities[i].name[len] == '\0') {
            quantities[i].print(out, subject);
            return;
        }
    }
    assert(false); /* the shapes name no other */
}
