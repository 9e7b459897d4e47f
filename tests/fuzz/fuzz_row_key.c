/* SPDX-License-Identifier: Apache-2.0 */
/* Row keys: each escaped key is that key again when it is read. */
#include "common/row_key.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf text, shell;
    uint8_t *back;

    buf_init(&text, 0);
    buf_init(&shell, 0);
    row_key_escape(&text, data, size);
    row_key_shell(&shell, data, size);
    back = malloc(text.len + 1);
    MUST(back != NULL);
    if (text.len > 0) {
        MUST(row_key_unescape(text.data, text.len, back) == size);
        MUST(memcmp(back, data, size) == 0);
    }
    for (size_t i = 0; i < shell.len; i++)
        MUST((uint8_t)shell.data[i] >= 0x20 && (uint8_t)shell.data[i] < 0x7f);
    free(back);
    back = malloc(size + 1);
    MUST(back != NULL);
    MUST(row_key_unescape((const char *)data, size, back) <= size);
    free(back);
    buf_finish(&text);
    buf_finish(&shell);
    return 0;
}
