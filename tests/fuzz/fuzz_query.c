/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind '?' in a request, and times in it. */
#include <errno.h>

#include "daemon/query.h"
#include "tests/fuzz/fuzz.h"

static const char *const sorts[] = {"rate", "read", "write", NULL};
static const struct param params[] = {
    {.name = "table", .kind = PARAM_TEXT},
    {.name = "limit", .kind = PARAM_LIMIT},
    {.name = "offset", .kind = PARAM_OFFSET},
    {.name = "sort", .kind = PARAM_CHOICE, .choices = sorts},
    {.name = "from", .kind = PARAM_TIME},
    {.name = "step", .kind = PARAM_DURATION},
    {.name = "columns", .kind = PARAM_COUNT, .low = 2, .high = 240},
    {0},
};

static void
must_be_in_range(const struct query *q)
{
    const struct param_value *v = q->values;

    MUST(!v[0].set || (v[0].text[0] != '\0' && strlen(v[0].text) <= QUERY_TEXT_MAX));
    MUST(!v[1].set || (v[1].number >= 1 && v[1].number <= QUERY_LIMIT_MAX));
    MUST(!v[2].set || v[2].number <= 10000000);
    MUST(!v[3].set || v[3].number < 3);
    MUST(!v[5].set || v[5].ms > 0);
    MUST(!v[6].set || (v[6].number >= 2 && v[6].number <= 240));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct query query;
    struct buf error;
    int64_t ms;

    MUST(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    buf_init(&error, 4096);
    int r = query_parse(text, params, &query, &error);
    MUST(r == 0 || r == -EINVAL);
    MUST((r < 0) == (error.len > 0));
    if (r == 0)
        must_be_in_range(&query);
    query_finish(&query);
    buf_finish(&error);
    (void)rfc3339_parse(text, size, &ms);
    free(text);
    return 0;
}
