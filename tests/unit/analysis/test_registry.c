/* SPDX-License-Identifier: Apache-2.0 */
/* Slots, indexes and references, driven at random against plain models. */
#include <stdlib.h>
#include <string.h>

#include "analysis/registry.h"
#include "tests/unit/common/harness.h"

/* ck_assert() is too slow for what is checked a million times. */
#define must(condition)                                                                \
    do {                                                                               \
        if (!(condition))                                                              \
            ck_abort_msg("%s", #condition);                                            \
    } while (0)

static struct table_rule table_rules[] = {
    {.match = "iot:*", .rule = {.threshold = {5, 5, 5}, .min_rate = {1, 1, 1}}},
    {.match = "*", .rule = {.threshold = {7, 7, 7}, .min_rate = {2, 2, 2}}},
};
static char *ignored[] = {"tmp_*", "ns?:x"};

static struct config config;
static struct registry registry;

static void
begin(void)
{
    config = (struct config){
        .poll = {.jmx = true, .interval_ms = 30000, .timeout_ms = 10000},
        .topology = {.interval_ms = 600000},
        .detection = {.rule = {.threshold = {3, 3, 3}}, .window_ms = 120000},
        .history = {.raw_ms = 3600000,
                    .five_minutes_ms = 86400000,
                    .hours_ms = 604800000,
                    .max_memory = 1 << 30},
    };
    registry_init(&registry, &config);
}

/* ---- regions ---- */

static struct region_id
next_id(struct generator *g, bool colliding)
{
    struct region_id id = {next_u64(g), next_u64(g)};

    while (colliding && (region_id_hash(id) & 0x3ff) != 0x3fd)
        id.lo = next_u64(g);
    return id;
}

enum { IDS = 100000 };

START_TEST(regions_as_in_a_list)
{
    static struct region_id ids[IDS];
    static uint32_t slots[IDS]; /* NO_INDEX: not in it now */
    struct generator g = start_generator("regions_as_in_a_list");

    begin();
    uint32_t table = registry_table(&registry, "t"), count = 0;
    for (uint32_t i = 0; i < IDS; i++) {
        ids[i] = next_id(&g, i % 40 == 0);
        slots[i] = NO_INDEX;
    }
    for (uint32_t step = 0; step < 3 * IDS; step++) {
        /* Fills up, then works on a few thousands, so that slots come round. */
        uint32_t i =
            step < IDS ? step : (uint32_t)next_below(&g, step < 2 * IDS ? IDS : 3000);
        must(registry_find_region(&registry, ids[i]) == slots[i]);
        if (slots[i] == NO_INDEX) {
            slots[i] = registry_add_region(&registry, ids[i], table, 0, step);
            must(region_id_equal(registry.regions[slots[i]].facts->id, ids[i]));
            must(registry.regions[slots[i]].episode == NO_INDEX);
            must(registry.regions[slots[i]].twin == NO_INDEX);
            count++;
        } else if (step >= IDS) {
            registry_remove_region(&registry, slots[i]);
            slots[i] = NO_INDEX;
            count--;
        }
        must(registry.region_count == count);
        must(registry.tables[table].regions == count);
    }
    for (uint32_t i = 0; i < IDS; i++)
        must(registry_find_region(&registry, ids[i]) == slots[i]);
    must(registry.region_slots <= IDS);
    registry_finish(&registry);
}
END_TEST

START_TEST(a_cap_on_regions)
{
    begin();
    uint32_t table = registry_table(&registry, "t");
    registry.region_count = REGIONS_MAX;
    ck_assert_uint_eq(
        registry_add_region(&registry, (struct region_id){1, 2}, table, 0, 0),
        NO_INDEX);
    ck_assert_uint_eq(registry.rejected_regions, 1);
    registry.region_count = 0;
    registry_finish(&registry);
}
END_TEST

/* ---- names ---- */

START_TEST(names_as_in_a_list)
{
    enum { NAMES = 2000 };
    static char names[NAMES][24];
    static uint32_t slots[NAMES];
    struct generator g = start_generator("names_as_in_a_list");
    struct name_index ix = {0};

    must(name_index_find(&ix, "x") == UINT32_MAX);
    name_index_remove(&ix, "x");
    for (uint32_t i = 0; i < NAMES; i++) {
        snprintf(names[i], sizeof(names[i]), "ns%u:table_%u", i % 7, i);
        slots[i] = UINT32_MAX;
    }
    for (uint32_t step = 0; step < 200000; step++) {
        uint32_t i = (uint32_t)next_below(&g, NAMES);
        must(name_index_find(&ix, names[i]) == slots[i]);
        if (slots[i] == UINT32_MAX) {
            slots[i] = step;
            name_index_add(&ix, names[i], step);
        } else {
            slots[i] = UINT32_MAX;
            name_index_remove(&ix, names[i]);
            name_index_remove(&ix, names[i]); /* once more does nothing */
        }
    }
    for (uint32_t i = 0; i < NAMES; i++)
        must(name_index_find(&ix, names[i]) == slots[i]);
    name_index_finish(&ix);
    must(name_index_find(&ix, names[0]) == UINT32_MAX);
}
END_TEST

START_TEST(tables_come_and_go)
{
    begin();
    uint32_t a = registry_table(&registry, "a"), b = registry_table(&registry, "b");
    ck_assert_uint_ne(a, b);
    ck_assert_uint_eq(registry_table(&registry, "a"), a);
    uint32_t region = registry_add_region(&registry, (struct region_id){1, 1}, b, 0, 0);
    registry_sweep_tables(&registry);
    ck_assert_uint_eq(registry_find_table(&registry, "a"), NO_INDEX);
    ck_assert_uint_eq(registry_find_table(&registry, "b"), b);
    ck_assert_uint_eq(registry_table(&registry, "c"), a); /* the slot is used again */
    ck_assert_uint_eq(registry_find_table(&registry, "c"), a);
    registry_remove_region(&registry, region);
    registry_sweep_tables(&registry);
    ck_assert_uint_eq(registry.table_count, 0);
    registry_finish(&registry);
}
END_TEST

START_TEST(rules_by_the_first_glob)
{
    begin();
    config.detection.tables = table_rules;
    config.detection.table_count = 2;
    config.detection.ignore_tables.items = ignored;
    config.detection.ignore_tables.count = 2;
    uint32_t iot = registry_table(&registry, "iot:events");
    uint32_t tmp = registry_table(&registry, "tmp_1");
    uint32_t meta = registry_table(&registry, "hbase:meta");
    ck_assert_ptr_eq(registry.tables[iot].rule, &table_rules[0].rule);
    ck_assert_ptr_eq(registry.tables[tmp].rule, &table_rules[1].rule);
    ck_assert(registry.tables[tmp].ignored && !registry.tables[iot].ignored);
    ck_assert(registry.tables[meta].is_meta && !registry.tables[iot].is_meta);
    ck_assert(table_is_ignored(&config.detection, "ns1:x"));
    ck_assert(!table_is_ignored(&config.detection, "ns12:x"));
    struct config other = config;
    other.detection.table_count = 0;
    other.detection.ignore_tables.count = 0;
    registry_configure(&registry, &other);
    ck_assert_ptr_eq(registry.tables[iot].rule, &other.detection.rule);
    ck_assert(!registry.tables[tmp].ignored);
    registry_finish(&registry);
}
END_TEST

/* ---- servers ---- */

START_TEST(server_names)
{
    static const char *const bad[] = {"",     "a",       "a,1",
                                      ",1,2", "a,1,x",   "a,,5",
                                      "a,1,", "a,1,1e9", "a,1,99999999999999999999"};

    begin();
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ck_assert_uint_eq(registry_server(&registry, bad[i], 0), NO_INDEX);
    ck_assert_uint_eq(registry.server_count, 0);
    uint32_t s = registry_server(&registry, "fe80::1,16020,-9223372036854775808", 0);
    ck_assert_str_eq(registry.servers[s].facts->address, "fe80::1:16020");
    ck_assert_int_eq(registry.servers[s].facts->start_code, INT64_MIN);
    ck_assert_uint_eq(registry_find_server(&registry, "fe80::1,16020,1"), NO_INDEX);
    registry_finish(&registry);
}
END_TEST

START_TEST(starts_of_one_address)
{
    begin();
    uint32_t old = registry_server(&registry, "rs,16020,100", 0);
    uint32_t other = registry_server(&registry, "rs,16021,100", 0);
    uint32_t new = registry_server(&registry, "rs,16020,200", 0);
    uint32_t late = registry_server(&registry, "rs,16020,50", 0);
    ck_assert(registry.servers[old].replaced && registry.servers[late].replaced);
    ck_assert(!registry.servers[new].replaced && !registry.servers[other].replaced);
    /* Its clock was set back: the start with the lower code is the one that answers. */
    registry.servers[new].sampled_mono_ms = 1000;
    registry_claim_address(&registry, late, 999);
    ck_assert(registry.servers[late].replaced); /* overtaken */
    registry_claim_address(&registry, late, 1001);
    ck_assert(!registry.servers[late].replaced);
    ck_assert(registry.servers[new].replaced && !registry.servers[other].replaced);
    registry_finish(&registry);
}
END_TEST

START_TEST(nothing_refers_to_a_removed_server)
{
    begin();
    uint32_t table = registry_table(&registry, "t");
    uint32_t gone = registry_server(&registry, "a,1,1", 10);
    uint32_t stays = registry_server(&registry, "b,1,1", 20);
    uint32_t x = registry_add_region(&registry, (struct region_id){1, 1}, table, 0, 0);
    uint32_t y = registry_add_region(&registry, (struct region_id){1, 2}, table, 0, 0);
    registry.regions[x].server = registry.regions[y].listed_server = gone;
    registry.regions[y].server = stays;
    registry_add_twin(&registry, y, gone)->seen_mono_ms = 100;
    registry_add_twin(&registry, x, stays)->seen_mono_ms = 100;
    registry_expire_servers(&registry, 10);
    ck_assert_uint_eq(registry.server_count, 2);
    registry_expire_servers(&registry, 11);
    ck_assert_uint_eq(registry.server_count, 1);
    ck_assert_uint_eq(registry.regions[x].server, NO_INDEX);
    ck_assert_uint_eq(registry.regions[y].listed_server, NO_INDEX);
    ck_assert_uint_eq(registry.regions[y].server, stays);
    ck_assert_uint_eq(registry.twin_count, 1);
    ck_assert_ptr_null(registry_find_twin(&registry, y, gone));
    ck_assert_ptr_nonnull(registry_find_twin(&registry, x, stays));
    ck_assert_uint_eq(registry_find_server(&registry, "a,1,1"), NO_INDEX);
    ck_assert_uint_eq(registry_server(&registry, "c,1,1", 0), gone);
    registry_finish(&registry);
}
END_TEST

/* ---- twins ---- */

START_TEST(twins_as_in_a_list)
{
    enum { REGIONS = 30, SERVERS = 12 };
    static int64_t seen[REGIONS][SERVERS]; /* 0: none */
    struct generator g = start_generator("twins_as_in_a_list");

    begin();
    memset(seen, 0, sizeof(seen));
    uint32_t table = registry_table(&registry, "t");
    for (uint32_t i = 0; i < REGIONS; i++)
        must(registry_add_region(&registry, (struct region_id){7, i}, table, 0, 0) ==
             i);
    for (int64_t step = 1; step < 60000; step++) {
        uint32_t r = (uint32_t)next_below(&g, REGIONS);
        uint32_t s = (uint32_t)next_below(&g, SERVERS);
        struct twin *twin = registry_find_twin(&registry, r, s);
        must((twin == NULL ? 0 : twin->seen_mono_ms) == seen[r][s]);
        unsigned have = 0;
        for (uint32_t i = 0; i < SERVERS; i++)
            have += seen[r][i] != 0;
        if (twin == NULL) {
            twin = registry_add_twin(&registry, r, s);
            must((twin == NULL) == (have == TWINS_MAX));
            if (twin != NULL)
                seen[r][s] = twin->seen_mono_ms = step;
        }
        if (next_below(&g, 50) == 0) {
            registry_drop_twins(&registry, r);
            memset(seen[r], 0, sizeof(seen[r]));
        }
        if (next_below(&g, 100) == 0) {
            int64_t since = step - (int64_t)next_below(&g, 200);
            registry_expire_twins(&registry, since);
            for (uint32_t i = 0; i < REGIONS * SERVERS; i++)
                if (seen[i / SERVERS][i % SERVERS] < since)
                    seen[i / SERVERS][i % SERVERS] = 0;
        }
    }
    registry_finish(&registry);
}
END_TEST

START_TEST(another_source)
{
    begin();
    uint32_t table = registry_table(&registry, "t");
    uint32_t x = registry_add_region(&registry, (struct region_id){1, 1}, table, 0, 0);
    registry.regions[x].known = 3;
    registry.regions[x].paired_from_ms = 5;
    struct config text = config;
    text.poll.jmx = false;
    registry_configure(&registry, &text);
    ck_assert(registry.text_only);
    ck_assert_int_eq(registry.cadence_ms, 600000);
    ck_assert_int_eq(registry_window_ms(&registry), 1200000);
    ck_assert_int_eq(registry_for_ms(&registry, &text.detection.rule), 1200000);
    ck_assert_int_eq(registry.regions[x].known, 0);
    ck_assert_int_eq(registry.regions[x].paired_from_ms, NEVER);
    registry_configure(&registry, &config);
    ck_assert_int_eq(registry.cadence_ms, 30000);
    ck_assert_int_eq(registry_window_ms(&registry), 120000);
    ck_assert_int_eq(registry_patience_ms(&registry), 70000);
    registry_finish(&registry);
}
END_TEST

TEST_MAIN("registry", regions_as_in_a_list, a_cap_on_regions, names_as_in_a_list,
          tables_come_and_go, rules_by_the_first_glob, server_names,
          starts_of_one_address, nothing_refers_to_a_removed_server, twins_as_in_a_list,
          another_source)
