/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration file: refused with at least one error, or taken and without any. */
#include "config/load.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct config_problems problems;
    struct config *config = config_load_text((const char *)data, size, &problems);
    size_t errors = 0;

    for (size_t i = 0; i < problems.count; i++) {
        MUST(problems.items[i].text[0] != '\0');
        MUST(strchr(problems.items[i].text, '\n') == NULL);
        errors += !problems.items[i].warning;
    }
    MUST(errors == problems.errors);
    MUST((config == NULL) == (errors > 0));
    config_problems_finish(&problems);
    config_destroy(config);
    return 0;
}
