/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 by the table of RFC 3629, section 4. Holds no state; any thread may call it. */
#include "common/utf8.h"

#include <assert.h>

/* Sequences by their first byte, with the range allowed for the second one: that is
 * where overlong forms, surrogates and values above U+10FFFF are cut off. */
static const struct {
    uint8_t first_min, first_max;
    uint8_t len;
    uint8_t second_min, second_max;
} forms[] = {
    {0x00, 0x7f, 1, 0, 0},       {0xc2, 0xdf, 2, 0x80, 0xbf},
    {0xe0, 0xe0, 3, 0xa0, 0xbf}, {0xe1, 0xec, 3, 0x80, 0xbf},
    {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
    {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf},
    {0xf4, 0xf4, 4, 0x80, 0x8f},
};

size_t
utf8_sequence(const char *s, size_t len)
{
    const uint8_t *p = (const uint8_t *)s;
    const size_t n_forms = sizeof forms / sizeof forms[0];
    size_t f = 0;

    assert(len > 0);
    while (f < n_forms && (p[0] < forms[f].first_min || p[0] > forms[f].first_max))
        f++;
    if (f == n_forms || forms[f].len > len)
        return 0;
    if (forms[f].len > 1 && (p[1] < forms[f].second_min || p[1] > forms[f].second_max))
        return 0;
    for (size_t i = 2; i < forms[f].len; i++) {
        if (p[i] < 0x80 || p[i] > 0xbf)
            return 0;
    }
    return forms[f].len;
}

bool
utf8_is_control(const char *s)
{
    const uint8_t *p = (const uint8_t *)s;

    return p[0] < 0x20 || p[0] == 0x7f || (p[0] == 0xc2 && p[1] < 0xa0);
}

bool
utf8_valid(const char *s, size_t len)
{
    for (size_t at = 0; at < len;) {
        size_t n = utf8_sequence(s + at, len - at);
        if (n == 0)
            return false;
        at += n;
    }
    return true;
}

size_t
utf8_encode(uint32_t code_point, char out[static 4])
{
    assert(code_point < 0x110000);
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }

    static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t len = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code_point & 0x3f));
        code_point >>= 6;
    }
    out[0] = (char)(lead[len] | code_point);
    return len;
}
