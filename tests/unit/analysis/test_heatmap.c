/* SPDX-License-Identifier: Apache-2.0 */
/* Heat maps of planted loads, of random tables against plain sums, and what a large
 * one costs. */
#include <math.h>
#include <string.h>

#include "analysis/heatmap_priv.h"
#include "analysis/registry.h"
#include "common/clock.h"
#include "tests/unit/common/harness.h"

static struct config config;
static struct registry registry;
static struct moment now;
static uint32_t table, server;

static const int64_t tick_ms = 30000;

static void
begin(int64_t interval_ms, int64_t raw_ms)
{
    config = (struct config){
        .poll = {.jmx = true, .interval_ms = interval_ms, .timeout_ms = 10000},
        .topology = {.interval_ms = 600000},
        .detection = {.rule = {.threshold = {3, 3, 3}}, .window_ms = 120000},
        .history = {.raw_ms = raw_ms,
                    .five_minutes_ms = 86400000,
                    .hours_ms = 604800000,
                    .max_memory = 1 << 30},
    };
    now = (struct moment){.mono_ms = 7000000, .wall_ms = 1796000000000};
    registry_init(&registry, &config);
    table = registry_table(&registry, "orders");
    server = registry_server(&registry, "rs1,16020,1700000000001", now.mono_ms);
    known_slots_init(&registry.servers[server].known, &registry.history);
}

static uint32_t
add_region(uint64_t number, const char *start, const char *end)
{
    struct region_id id = {0x1111, number};
    uint32_t slot =
        registry_add_region(&registry, id, table, 0, now.mono_ms - 86400000);
    struct region *region = &registry.regions[slot];

    region_facts_unref(region->facts);
    region->facts = region_facts_create(id, registry.tables[table].facts, 0, -1, start,
                                        start != NULL ? strlen(start) : 0, end,
                                        end != NULL ? strlen(end) : 0);
    region->server = server;
    region->sampled_mono_ms = now.mono_ms;
    return slot;
}

/* A tick passes; each region has rates[slot] writes/s and half of it reads/s. */
static void
record(const double *rates, bool heard)
{
    int64_t slot[TIER_COUNT], step = registry.history.slot_ms[TIER_RAW];

    now.mono_ms += step;
    now.wall_ms += step;
    history_advance(&registry.history, now.mono_ms, now.wall_ms, slot);
    known_slots_write(&registry.servers[server].known, &registry.history, slot, heard);
    for (uint32_t i = 0; i < registry.region_slots; i++) {
        struct region *region = &registry.regions[i];
        double rate = heard ? rates[i] : NAN;
        if (region->facts != NULL)
            history_write(&region->history, &registry.history, slot,
                          region_past(&registry, region), rate / 2, rate);
    }
    history_commit(&registry.history, slot);
}

static struct heatmap *
draw(int64_t span_ms, uint32_t columns, uint32_t rows, enum access access)
{
    struct heatmap_query query = {.table = "orders",
                                  .from_ms = now.wall_ms - span_ms,
                                  .to_ms = now.wall_ms,
                                  .columns = columns,
                                  .rows = rows,
                                  .access = access};
    struct heatmap *h = heatmap_create(&query);

    while (heatmap_collect(h, &registry))
        ;
    heatmap_plan(h);
    while (heatmap_add(h, &registry))
        ;
    return h;
}

static bool
near(double value, double expected)
{
    return fabs(value - expected) <= 0.045 * expected + 0.01;
}

/* ---- planted loads ---- */

static const char *const tens[] = {"",   "10", "20", "30", "40", "50",
                                   "60", "70", "80", "90", ""};

START_TEST(a_hot_region_has_its_row)
{
    double rates[10];
    uint32_t count;

    begin(tick_ms, 3600000);
    for (unsigned i = 0; i < 10; i++) {
        add_region(9 - i, tens[9 - i], tens[10 - i]); /* against the order of keys */
        rates[i] = i == 5 ? 1000 : 10;
    }
    for (int i = 0; i < 20; i++)
        record(rates, i != 10 && i != 11);
    struct heatmap *h = draw(20 * tick_ms, 40, 4, ACCESS_WRITE);
    const struct heatmap_row *rows = heatmap_rows(h, &count);
    ck_assert(heatmap_table_known(h));
    ck_assert_uint_le(count, 4);
    ck_assert_uint_ge(count, 3);
    ck_assert_uint_eq(heatmap_columns(h), 20);
    ck_assert_int_eq(heatmap_time(h, 20), now.wall_ms);
    uint32_t hot = 0;
    while (hot < count && rows[hot].hottest->id.lo != 4)
        hot++;
    ck_assert_uint_lt(hot, count);
    ck_assert_uint_eq(rows[hot].regions, 1);
    for (uint32_t k = 0; k < 20; k++) {
        if (k == 10 || k == 11) {
            ck_assert_msg(isnan(heatmap_value(h, hot, k)), "column %u", k);
            continue;
        }
        ck_assert(near((double)heatmap_value(h, hot, k), 1000));
        double cold = 0;
        for (uint32_t i = 0; i < count; i++)
            cold += i == hot ? 0 : (double)heatmap_value(h, i, k);
        ck_assert_msg(near(cold, 90), "%g", cold);
    }
    heatmap_destroy(h);
    registry_finish(&registry);
}
END_TEST

START_TEST(access_chooses_reads_writes_or_both)
{
    static const double expected[] = {50, 100, 150};
    double rates[1] = {100};

    begin(tick_ms, 3600000);
    add_region(1, "", "");
    for (int i = 0; i < 4; i++)
        record(rates, true);
    for (int a = 0; a < ACCESS_COUNT; a++) {
        struct heatmap *h = draw(4 * tick_ms, 10, 10, (enum access)a);
        ck_assert(near((double)heatmap_value(h, 0, 1), expected[a]));
        heatmap_destroy(h);
    }
    registry_finish(&registry);
}
END_TEST

START_TEST(a_short_peak_keeps_a_row)
{
    enum { N = 1000, HOT = 617 };
    static double rates[N];
    char start[8], end[8];
    uint32_t count;

    begin(tick_ms, 3600000);
    for (unsigned i = 0; i < N; i++) {
        snprintf(start, sizeof start, "%04u", i);
        snprintf(end, sizeof end, "%04u", i + 1);
        add_region(i, start, end);
        rates[i] = 5;
    }
    for (int i = 0; i < 60; i++) {
        rates[HOT] = i == 30 ? 400 : 5;
        record(rates, true);
    }
    struct heatmap *h = draw(60 * tick_ms, 60, 50, ACCESS_TOTAL);
    const struct heatmap_row *rows = heatmap_rows(h, &count);
    ck_assert_uint_le(count, 50);
    bool found = false;
    for (uint32_t i = 0; i < count; i++)
        found = found || (rows[i].regions == 1 && rows[i].hottest->id.lo == HOT);
    ck_assert(found);
    ck_assert_uint_ge(count, 25); /* and the others are not one lump */
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_le(rows[i].regions, N / 10);
    heatmap_destroy(h);
    registry_finish(&registry);
}
END_TEST

START_TEST(regions_without_keys_stand_apart)
{
    double rates[40];
    uint32_t count, unkeyed = 0;
    size_t len;

    begin(tick_ms, 3600000);
    for (unsigned i = 0; i < 40; i++) {
        char start[2] = {(char)('A' + i % 20), 0};
        add_region(i, i % 2 ? start : NULL, i % 2 ? "z" : NULL);
        rates[i] = 1;
    }
    record(rates, true);
    struct heatmap *h = draw(tick_ms, 5, 2, ACCESS_TOTAL);
    const struct heatmap_row *rows = heatmap_rows(h, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert(rows[0].first->start_known);
    ck_assert(!rows[1].first->start_known);
    ck_assert_ptr_nonnull(heatmap_row_end(h, 0, &len));
    ck_assert_ptr_null(heatmap_row_end(h, 1, &len));
    for (uint32_t i = 0; i < count; i++)
        unkeyed += rows[i].first->start_known ? 0 : rows[i].regions;
    ck_assert_uint_eq(unkeyed, 20);
    heatmap_destroy(h);
    registry_finish(&registry);
}
END_TEST

START_TEST(marks_are_of_the_table_and_the_span)
{
    double rates[3] = {1, 1, 1};
    uint32_t count;

    begin(tick_ms, 3600000);
    uint32_t mine = add_region(1, "", "");
    for (int i = 0; i < 10; i++)
        record(rates, true);
    uint32_t other_table = registry_table(&registry, "other");
    uint32_t other = registry_add_region(&registry, (struct region_id){5, 5},
                                         other_table, 0, now.mono_ms);
    struct chronicle *c = &registry.chronicle;
    struct region_facts *facts = registry.regions[mine].facts;
    chronicle_add(c, now.wall_ms - 3600000, LINEAGE_MOVE, facts);
    chronicle_add(c, now.wall_ms - 60000, LINEAGE_MOVE, facts);
    chronicle_add(c, now.wall_ms - 60000, LINEAGE_SPLIT, registry.regions[other].facts);
    chronicle_add(c, now.wall_ms - 30000, LINEAGE_SPLIT, facts);
    struct heatmap *h = draw(8 * tick_ms, 10, 10, ACCESS_TOTAL);
    const struct heatmap_mark *marks = heatmap_marks(h, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(marks[0].event, LINEAGE_SPLIT);
    ck_assert_int_eq(marks[1].event, LINEAGE_MOVE);
    ck_assert_int_eq(marks[1].time_ms, now.wall_ms - 60000);
    heatmap_destroy(h);
    for (int i = 0; i < 2 * CHRONICLE_MAX; i++)
        chronicle_add(c, now.wall_ms - 1000, LINEAGE_MERGE, facts);
    h = draw(8 * tick_ms, 10, 10, ACCESS_TOTAL);
    (void)heatmap_marks(h, &count);
    ck_assert_uint_eq(count, HEATMAP_MARKS_MAX);
    heatmap_destroy(h);
    registry_finish(&registry);
}
END_TEST

START_TEST(nothing_is_an_answer_too)
{
    uint32_t count;

    begin(tick_ms, 3600000);
    struct heatmap *h = draw(3600000, 10, 10, ACCESS_TOTAL);
    (void)heatmap_rows(h, &count);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(heatmap_columns(h), 0);
    heatmap_destroy(h);
    add_region(1, "", "");
    h = draw(3600000, 10, 10, ACCESS_TOTAL);
    (void)heatmap_rows(h, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(heatmap_columns(h), 0);
    heatmap_destroy(h);
    registry_finish(&registry);
}
END_TEST

/* ---- random tables ---- */

/* Rows follow one another without holes and cover every region once. */
static void
check_rows(const struct heatmap *h, uint32_t regions, uint32_t most)
{
    uint32_t count, sum = 0;
    const struct heatmap_row *rows = heatmap_rows(h, &count);
    size_t len;

    ck_assert_uint_le(count, most);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *end = heatmap_row_end(h, i, &len);
        sum += rows[i].regions;
        ck_assert_ptr_nonnull(end);
        if (i + 1 == count) {
            ck_assert_uint_eq(len, 0);
            continue;
        }
        const struct region_facts *next = rows[i + 1].first;
        ck_assert_uint_eq(len, next->start_len);
        ck_assert_int_eq(memcmp(end, region_start_key(next), len), 0);
        ck_assert(rows[i].last->end_len == len &&
                  memcmp(region_end_key(rows[i].last), end, len) == 0);
    }
    ck_assert_uint_eq(sum, regions);
}

START_TEST(rows_are_contiguous_and_sums_are_kept)
{
    enum { MOST = 3000, TICKS = 6 };
    static double rates[TICKS][MOST];
    struct generator g = start_generator("rows_are_contiguous_and_sums_are_kept");

    for (int round = 0; round < 60; round++) {
        uint32_t n = 1 + (uint32_t)next_below(&g, round % 2 ? 30 : MOST);
        uint32_t most = 2 + (uint32_t)next_below(&g, HEATMAP_ROWS_MAX - 1);
        char start[16], end[16];
        double sums[TICKS] = {0};

        begin(tick_ms, 3600000);
        for (uint32_t i = 0; i < n; i++) {
            snprintf(start, sizeof start, i == 0 ? "" : "user%06u", i);
            snprintf(end, sizeof end, i + 1 == n ? "" : "user%06u", i + 1);
            add_region(next_u64(&g), start, end);
        }
        for (int t = 0; t < TICKS; t++) {
            for (uint32_t i = 0; i < n; i++) {
                rates[t][i] =
                    next_below(&g, 3) == 0 ? 0 : (double)(next_wide(&g) % 5000);
                double as_kept = history_decode(history_encode(rates[t][i]));
                sums[t] += as_kept;
            }
            record(rates[t], true);
        }
        struct heatmap *h = draw(TICKS * tick_ms, 60, most, ACCESS_WRITE);
        check_rows(h, n, most);
        uint32_t count;
        (void)heatmap_rows(h, &count);
        ck_assert_uint_eq(heatmap_columns(h), TICKS);
        for (uint32_t t = 0; t < TICKS; t++) {
            double sum = 0;
            for (uint32_t i = 0; i < count; i++)
                sum += (double)heatmap_value(h, i, t);
            ck_assert_msg(fabs(sum - sums[t]) <= 1e-4 * sums[t] + 1e-3, "%g %g", sum,
                          sums[t]);
        }
        heatmap_destroy(h);
        registry_finish(&registry);
    }
}
END_TEST

/* Means are those that single reads give, whatever the tier and the stride. */
START_TEST(columns_are_means_of_slots)
{
    struct generator g = start_generator("columns_are_means_of_slots");
    double rates[2];

    begin(tick_ms, 600000);
    add_region(1, "", "m");
    add_region(2, "m", "");
    for (int i = 0; i < 700; i++) {
        rates[0] = (double)next_below(&g, 500);
        rates[1] = 0;
        record(rates, next_below(&g, 10) != 0);
    }
    for (int i = 0; i < 300; i++) {
        struct history_span span = {
            .tier = (int)next_below(&g, TIER_COUNT),
            .first = (int64_t)next_below(&g, 800),
            .stride = 1 + (uint32_t)next_below(&g, 9),
            .columns = 1 + (uint32_t)next_below(&g, HEATMAP_COLUMNS_MAX),
        };
        const struct region *region = &registry.regions[i % 2];
        float means[HEATMAP_COLUMNS_MAX], table_of_rates[256];
        table_of_rates[HISTORY_UNKNOWN] = 0;
        for (int k = 0; k < HISTORY_UNKNOWN; k++)
            table_of_rates[k] = (float)history_decode((uint8_t)k);
        history_means(&region->history, &registry.history, &span,
                      region_past(&registry, region), ACCESS_WRITE, table_of_rates,
                      means);
        for (uint32_t k = 0; k < span.columns; k++) {
            double sum = 0;
            int count = 0;
            for (uint32_t s = 0; s < span.stride; s++) {
                double rate = history_decode(
                    history_read(&region->history, &registry.history, span.tier,
                                 span.first + k * span.stride + s,
                                 region_past(&registry, region))
                        .write);
                count += !isnan(rate);
                sum += isnan(rate) ? 0 : rate;
            }
            if (count == 0)
                ck_assert(isnan(means[k]));
            else
                ck_assert(fabs(sum / count - (double)means[k]) < 0.01);
        }
    }
    registry_finish(&registry);
}
END_TEST

/* ---- cost ---- */

static double
milliseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* other tests run beside */
    return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

/* Half as many again as asked, and room for slow machines and sanitizers. */
static double
slack(void)
{
    const char *free = getenv("CK_FORK"); /* "no" with a sanitizer */

    return free != NULL && strcmp(free, "no") == 0 ? 20 : 4;
}

START_TEST(fifty_thousand_regions_and_a_week)
{
    enum { N = 50000, HOURS = 168 };
    static double rates[N];
    char start[24], end[24];
    uint32_t count;
    double locked = 0, longest = 0;

    begin(3600000, 7 * 86400000); /* a slot an hour: quickly recorded */
    for (uint32_t i = 0; i < N; i++) {
        snprintf(start, sizeof start, "user%08u", i);
        snprintf(end, sizeof end, "user%08u", i + 1);
        add_region((uint64_t)i * 2654435761u % N, start, end);
    }
    for (int t = 0; t < HOURS; t++) {
        for (uint32_t i = 0; i < N; i++)
            rates[i] = i == 31415 ? 3000 : 1 + (i * 7 + (uint32_t)t) % 90;
        record(rates, true);
    }
    struct heatmap_query query = {.table = "orders",
                                  .from_ms = now.wall_ms - HOURS * INT64_C(3600000),
                                  .to_ms = now.wall_ms,
                                  .columns = 180,
                                  .rows = 120,
                                  .access = ACCESS_TOTAL};
    double began = milliseconds();
    struct heatmap *h = heatmap_create(&query);
    bool (*portions[])(struct heatmap *, const struct registry *) = {heatmap_collect,
                                                                     heatmap_add};
    for (int i = 0; i < 2; i++) {
        for (bool more = true; more;) {
            double at = milliseconds();
            more = portions[i](h, &registry);
            double took = milliseconds() - at;
            locked += took;
            longest = took > longest ? took : longest;
        }
        if (i == 0)
            heatmap_plan(h);
    }
    double took = milliseconds() - began;
    printf("50,000 regions, 168 columns: %.1f ms, %.1f ms locked, at most %.2f ms at "
           "once\n",
           took, locked, longest);
    ck_assert_msg(took < 100 * slack(), "%g ms", took);
    ck_assert_msg(longest < 10 * slack(), "%g ms", longest);
    const struct heatmap_row *rows = heatmap_rows(h, &count);
    ck_assert_uint_eq(heatmap_columns(h), HOURS);
    bool found = false;
    for (uint32_t i = 0; i < count; i++)
        found = found ||
                (rows[i].regions == 1 && near((double)heatmap_value(h, i, 100), 4500));
    ck_assert(found);
    heatmap_destroy(h);
    registry_finish(&registry);
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        a_hot_region_has_its_row,
        access_chooses_reads_writes_or_both,
        a_short_peak_keeps_a_row,
        regions_without_keys_stand_apart,
        marks_are_of_the_table_and_the_span,
        nothing_is_an_answer_too,
        rows_are_contiguous_and_sums_are_kept,
        columns_are_means_of_slots,
        fifty_thousand_regions_and_a_week,
    };
    /* The large one is slow to record. */
    setenv("CK_DEFAULT_TIMEOUT", "120", 0);
    return run_tests("heatmap", tests, sizeof tests / sizeof tests[0]);
}
