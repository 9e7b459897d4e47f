/* SPDX-License-Identifier: Apache-2.0 */
/* Service discovery, from files and from HTTP. */
#include "collectors/file_sd.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct url_list urls = {0};
    char *error = NULL;

    MUST(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    int r = file_sd_parse(text, size, &urls, &error);
    MUST_SAY_WHY(r < 0, error);
    MUST(urls.count <= FILE_SD_TARGETS_MAX);
    for (size_t i = 0; i < urls.count; i++)
        MUST(strncmp(urls.items[i], "http", 4) == 0);
    if (r == 0)
        url_list_finish(&urls);
    free(text);
    return 0;
}
