/* SPDX-License-Identifier: Apache-2.0 */
/* Region names and JMX attributes; what is found lies inside the name. */
#include "collectors/jmx.h"
#include "collectors/region_name.h"
#include "tests/fuzz/fuzz.h"

static void
must_lie_inside(const char *part, size_t len, const uint8_t *data, size_t size)
{
    const char *name = (const char *)data;

    MUST(part >= name && part + len <= name + size);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct region_name name;
    struct region_id id;
    char table[512];
    const char *metric;
    size_t metric_len;

    if (region_name_parse((const char *)data, size, &name) == 0) {
        must_lie_inside(name.table, name.table_len, data, size);
        must_lie_inside(name.start, name.start_len, data, size);
        MUST(name.created_ms >= -1);
    }
    if (jmx_attribute_split((const char *)data, size, &id, table, sizeof(table),
                            &metric, &metric_len)) {
        must_lie_inside(metric, metric_len, data, size);
        MUST(strnlen(table, sizeof(table)) < sizeof(table));
    }
    return 0;
}
