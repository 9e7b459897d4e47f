/* SPDX-License-Identifier: Apache-2.0 */
/* HBase's binary escape, both ways. Holds no state; any thread may call it. */
#include "common/row_key.h"

#include <stdbool.h>
#include <string.h>

static void
add_hex(struct buf *out, uint8_t byte)
{
    static const char digits[] = "0123456789ABCDEF";
    char text[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};

    buf_add(out, text, sizeof text);
}

static bool
stands_for_itself(uint8_t byte)
{
    return byte >= 0x20 && byte <= 0x7e && byte != '\\';
}

void
row_key_escape(struct buf *out, const void *key, size_t len)
{
    const uint8_t *p = key;

    for (size_t i = 0; i < len; i++) {
        if (stands_for_itself(p[i]))
            buf_addc(out, (char)p[i]);
        else
            add_hex(out, p[i]);
    }
}

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

size_t
row_key_unescape(const char *text, size_t len, uint8_t *out)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] != '\\' || len - i < 4 || text[i + 1] != 'x') {
            out[n++] = (uint8_t)text[i];
            continue;
        }
        int high = hex_digit(text[i + 2]);
        int low = hex_digit(text[i + 3]);
        if (high < 0 || low < 0)
            continue; /* HBase drops such a backslash and goes on with the x */
        out[n++] = (uint8_t)(high << 4 | low);
        i += 3;
    }
    return n;
}

void
row_key_shell(struct buf *out, const void *key, size_t len)
{
    const uint8_t *p = key;

    for (size_t i = 0; i < len; i++) {
        bool interpolates = p[i] == '#' && i + 1 < len && p[i + 1] != '\0' &&
                            strchr("{$@", p[i + 1]) != NULL;
        if (p[i] == '"')
            buf_adds(out, "\\\"");
        else if (stands_for_itself(p[i]) && !interpolates)
            buf_addc(out, (char)p[i]);
        else
            add_hex(out, p[i]);
    }
}

int
row_key_compare(const void *a, size_t a_len, const void *b, size_t b_len)
{
    size_t common = a_len < b_len ? a_len : b_len;
    int order = common == 0 ? 0 : memcmp(a, b, common);

    return order != 0 ? order : (a_len > b_len) - (a_len < b_len);
}
