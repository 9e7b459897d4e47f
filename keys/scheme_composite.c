/* SPDX-License-Identifier: Apache-2.0 */
/* Composite keys of fixed widths. */
#include <errno.h>
#include <string.h>

#include "common/parse.h"
#include "keys/scheme_priv.h"

/* "[FIELD@]WIDTH", where the field is the next one if it has no number. */
static int
parse_field(const char *text, size_t len, size_t index, struct scheme_field *ret)
{
    const char *at = memchr(text, '@', len);
    size_t head = at != NULL ? (size_t)(at - text) + 1 : 0;
    uint64_t number = index + 1;
    uint64_t width;

    if (at != NULL && parse_u64(text, head - 1, &number) < 0)
        return -EINVAL;
    if (parse_u64(text + head, len - head, &width) < 0 || number < 1 ||
        number > KEY_MAX || width < 1 || width > KEY_MAX)
        return -EINVAL;
    *ret = (struct scheme_field){(uint32_t)number, (uint32_t)width};
    return 0;
}

int
composite_parse(const char *text, struct scheme *ret)
{
    size_t spec = strcspn(text, ":");
    const char *separator = text[spec] == ':' ? text + spec + 1 : "|";
    size_t total = 0;

    ret->separator_len = strlen(separator);
    if (ret->separator_len == 0 || ret->separator_len >= sizeof ret->separator)
        return -EINVAL;
    memcpy(ret->separator, separator, ret->separator_len + 1);
    for (size_t begin = 0; begin <= spec;) {
        size_t len = strcspn(text + begin, ",:");
        if (ret->field_count == COMPOSITE_MAX ||
            parse_field(text + begin, len, ret->field_count,
                        &ret->fields[ret->field_count]) < 0)
            return -EINVAL;
        total += ret->fields[ret->field_count++].width;
        begin += len + 1;
    }
    return total <= KEY_MAX ? 0 : -EINVAL;
}

/* Field `number` of the key; -EINVAL if it has not so many. */
static int
find_field(const struct scheme *s, struct key key, uint32_t number, struct key *ret)
{
    const uint8_t *p = key.data;
    const uint8_t *end = key.data + key.len;

    while (true) {
        const uint8_t *next =
            memmem(p, (size_t)(end - p), s->separator, s->separator_len);
        if (number == 1) {
            *ret = (struct key){p, (size_t)((next != NULL ? next : end) - p)};
            return 0;
        }
        if (next == NULL)
            return -EINVAL;
        p = next + s->separator_len;
        number--;
    }
}

static bool
is_number(struct key field)
{
    for (size_t i = 0; i < field.len; i++)
        if (field.data[i] < '0' || field.data[i] > '9')
            return false;
    return field.len > 0;
}

int
composite_apply(const struct scheme *s, struct key key, struct buf *out)
{
    for (size_t i = 0; i < s->field_count; i++) {
        struct key field;
        if (find_field(s, key, s->fields[i].number, &field) < 0)
            return -EINVAL;
        if (field.len > s->fields[i].width)
            return -ERANGE;
        size_t padding = s->fields[i].width - field.len;
        bool number = is_number(field);
        for (size_t n = 0; number && n < padding; n++)
            buf_addc(out, '0');
        buf_add(out, field.data, field.len);
        for (size_t n = 0; !number && n < padding; n++)
            buf_addc(out, '\0');
    }
    return 0;
}
