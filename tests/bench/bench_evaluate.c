/* SPDX-License-Identifier: Apache-2.0 */
/* What an evaluation costs (rates, rules, snapshot) at 10^3 to 10^6 regions, and the
 * applying of a round of answers before it.
 *
 * usage: bench-evaluate [--largest N] [--check]
 *
 * Prints a Markdown table. --check: status 1 if ten times the regions cost more than
 * SLACK times ten times as much, in processor time and the best of several runs. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/engine.h"
#include "collectors/sample.h"
#include "common/alloc.h"
#include "config/load.h"

/* From 10^4 regions on what is read no longer fits into the processor's caches: a step
 * of 2 to 3 per region, once; n log n would add a fifth, n^2 ten. */
#define SLACK 5.0
enum { PER_SERVER = 500, PER_TABLE = 100, INTERVAL_MS = 30000, ROUNDS = 4 };

struct bench {
    struct config *config;
    struct engine *engine;
    struct message **answers; /* one per server */
    size_t servers, regions;
    struct moment now;
};

static double
seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static char *
named(const char *before, size_t i, const char *after)
{
    char text[64];

    snprintf(text, sizeof(text), "%s%zu%s", before, i, after);
    return xstrdup(text);
}

/* The answer of one server: its regions in runs of PER_TABLE to a table. */
static struct message *
make_answer(size_t server, size_t regions)
{
    struct message *m = message_create(MESSAGE_POLL);
    struct server_poll *p = &m->poll;
    size_t tables = (regions + PER_TABLE - 1) / PER_TABLE;

    p->url = named("http://rs", server, ":16030");
    p->server = named("rs", server, ",16020,1700000000000");
    p->tables = xcalloc(tables, sizeof(*p->tables));
    p->table_count = tables;
    for (size_t i = 0; i < tables; i++)
        p->tables[i] = named("table_", (server + i * 7) % (server / 4 + 8), "");
    p->regions = xcalloc(regions, sizeof(*p->regions));
    p->region_count = regions;
    for (size_t i = 0; i < regions; i++) {
        uint64_t number = server * PER_SERVER + i + 1;
        p->regions[i] = (struct region_sample){
            .id = {number * 0x9e3779b97f4a7c15u, number},
            .table = (uint32_t)(i / PER_TABLE),
            .known = SAMPLE_READ | SAMPLE_WRITE,
        };
    }
    return m;
}

static void
begin(struct bench *b, size_t regions)
{
    *b = (struct bench){.config = config_create_default(),
                        .servers = (regions + PER_SERVER - 1) / PER_SERVER,
                        .regions = regions,
                        .now = {1000000, 1700000000000}};
    b->engine = engine_create(b->config);
    b->answers = xcalloc(b->servers, sizeof(*b->answers));
    for (size_t i = 0; i < b->servers; i++) {
        size_t left = regions - i * PER_SERVER;
        b->answers[i] = make_answer(i, left < PER_SERVER ? left : PER_SERVER);
    }
}

static void
finish(struct bench *b)
{
    for (size_t i = 0; i < b->servers; i++)
        message_destroy(b->answers[i]);
    free(b->answers);
    engine_destroy(b->engine);
    config_destroy(b->config);
}

/* An interval passes: one in ten regions is idle, one in a thousand hot. */
static void
pass(struct bench *b)
{
    b->now.mono_ms += INTERVAL_MS;
    b->now.wall_ms += INTERVAL_MS;
    for (size_t i = 0; i < b->servers; i++) {
        struct server_poll *p = &b->answers[i]->poll;
        p->received = b->now;
        p->server_time_ms = b->now.wall_ms;
        for (size_t j = 0; j < p->region_count; j++) {
            uint64_t number = p->regions[j].id.lo;
            uint64_t rate = number % 10 == 0 ? 0 : number % 1000 == 1 ? 9000 : 20;
            p->regions[j].read += rate * 30 + number % 17;
            p->regions[j].write += rate * 10;
        }
    }
}

struct cost {
    double apply, evaluate; /* ns per region, the best round */
    double bytes;           /* of the engine, per region */
};

static struct cost
measure(size_t regions)
{
    struct bench b;
    struct cost best = {1e18, 1e18, 0};

    begin(&b, regions);
    for (int round = 0; round < ROUNDS + 2; round++) {
        pass(&b);
        double start = seconds();
        for (size_t i = 0; i < b.servers; i++)
            engine_apply_poll(b.engine, &b.answers[i]->poll);
        double applied = seconds();
        struct snapshot *s = engine_evaluate(b.engine, b.now);
        double evaluated = seconds();
        snapshot_unref(s);
        if (round < 2) /* the first ones allocate */
            continue;
        double apply = (applied - start) / (double)regions * 1e9;
        double evaluate = (evaluated - applied) / (double)regions * 1e9;
        best.apply = apply < best.apply ? apply : best.apply;
        best.evaluate = evaluate < best.evaluate ? evaluate : best.evaluate;
    }
    best.bytes = (double)engine_counters(b.engine).memory_bytes / (double)regions;
    finish(&b);
    return best;
}

/* The best of a few, for sizes so small that the clock matters. */
static struct cost
measure_best(size_t regions)
{
    struct cost best = measure(regions);

    for (size_t n = regions; n < 20000; n += regions) {
        struct cost again = measure(regions);
        best.apply = again.apply < best.apply ? again.apply : best.apply;
        best.evaluate = again.evaluate < best.evaluate ? again.evaluate : best.evaluate;
    }
    return best;
}

int
main(int argc, char **argv)
{
    static const struct option options[] = {{"largest", required_argument, NULL, 'l'},
                                            {"check", no_argument, NULL, 'c'},
                                            {NULL, 0, NULL, 0}};
    size_t largest = 1000000;
    bool check = false, fine = true;
    double before = 0;

    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 'l')
            largest = strtoull(optarg, NULL, 10);
        else if (c != 'c')
            return 2;
        check |= c == 'c';
    }
    printf("| regions | servers | answers, ns a region | evaluation, ns a region | "
           "evaluation, ms | per region, to a tenth of the regions | bytes a region |\n"
           "|--:|--:|--:|--:|--:|--:|--:|\n");
    for (size_t n = 1000; n <= largest; n *= 10) {
        struct cost cost = measure_best(n);
        double ratio = before > 0 ? cost.evaluate / before : 1;
        printf("| %zu | %zu | %.0f | %.0f | %.2f | %.2f | %.0f |\n", n,
               (n + PER_SERVER - 1) / PER_SERVER, cost.apply, cost.evaluate,
               cost.evaluate * (double)n / 1e6, ratio, cost.bytes);
        fflush(stdout);
        fine &= ratio <= SLACK;
        before = cost.evaluate;
    }
    if (check && !fine)
        printf(
            "the cost of an evaluation is not linear in regions: more than %.0f times "
            "as much per region\n",
            SLACK);
    return check && !fine;
}
