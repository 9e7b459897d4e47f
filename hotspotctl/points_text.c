/* SPDX-License-Identifier: Apache-2.0 */
/* Split points as text. Sources: HBase's shell (admin.rb: SPLITS and SPLITS_FILE both
 * go through Bytes.toBytesBinary, files are stripped of blanks by some versions),
 * TableName .java and ColumnFamilyDescriptorBuilder.java (names). */
#include "hotspotctl/points_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/file.h"
#include "common/log.h"
#include "common/row_key.h"
#include "keys/split.h"

enum { FILE_MAX = 256 << 20 };

static int
check(const struct key_list *points, struct buf *error)
{
    size_t index;
    struct buf text;

    if (split_valid(points, &index))
        return points->count < REGIONS_MAX
                   ? 0
                   : (buf_adds(error, "more than 1000000 regions"), -EINVAL);
    struct key key = key_list_get(points, index);
    buf_init(&text, 0);
    row_key_escape(&text, key.data, key.len < 100 ? key.len : 100);
    if (key.len == 0)
        buf_addf(error, "split point %zu is empty", index + 1);
    else
        buf_addf(error, "split point %zu, '%s', does not come after the one before",
                 index + 1, text.data);
    buf_finish(&text);
    return -EINVAL;
}

/* Adds the point that the text stands for; text is overwritten. */
static int
add_point(struct key_list *points, char *text, size_t len)
{
    while (len > 0 && isspace((unsigned char)*text)) {
        text++;
        len--;
    }
    while (len > 0 && isspace((unsigned char)text[len - 1]))
        len--;
    size_t bytes = row_key_unescape(text, len, (uint8_t *)text);
    if (bytes > KEY_MAX)
        return -EINVAL;
    return key_list_add(points, (struct key){(uint8_t *)text, bytes});
}

int
points_read_file(const char *path, struct key_list *ret, struct buf *error)
{
    struct buf text;
    char quoted[LOG_QUOTE_SIZE];
    int result;

    buf_init(&text, FILE_MAX);
    result = file_read_whole(path, &text, NULL);
    if (result < 0)
        buf_addf(error, "cannot read %s: %s", log_quote(path, strlen(path), quoted),
                 file_error_text(result));
    for (size_t begin = 0, line = 1; result == 0 && begin < text.len; line++) {
        char *newline = memchr(text.data + begin, '\n', text.len - begin);
        size_t end = newline != NULL ? (size_t)(newline - text.data) : text.len;
        result = add_point(ret, text.data + begin, end - begin);
        if (result < 0)
            buf_addf(error, "%s, line %zu: longer than a row key may be",
                     log_quote(path, strlen(path), quoted), line);
        begin = end + 1;
    }
    buf_finish(&text);
    return result < 0 ? result : check(ret, error);
}

int
points_read_list(const char *text, struct key_list *ret, struct buf *error)
{
    char *copy = strdup(text);
    int result = copy == NULL ? -ENOMEM : 0;

    for (char *p = copy; result == 0; p++) {
        size_t len = strcspn(p, ",");
        bool last = p[len] == '\0';
        result = add_point(ret, p, len);
        if (last)
            break;
        p += len;
    }
    free(copy);
    if (result < 0)
        buf_adds(error, "wrong --splits, expected keys parted by commas");
    return result < 0 ? result : check(ret, error);
}

/* In HBase's escape, with blanks at the ends escaped, too: some versions strip them. */
static void
write_point(struct key key, struct buf *out)
{
    for (size_t i = 0; i < key.len; i++) {
        if (key.data[i] == ' ' && (i == 0 || i + 1 == key.len))
            buf_adds(out, "\\x20");
        else
            row_key_escape(out, key.data + i, 1);
    }
}

void
points_write_file(const struct key_list *points, struct buf *out)
{
    for (size_t i = 0; i < points->count; i++) {
        write_point(key_list_get(points, i), out);
        buf_addc(out, '\n');
    }
}

/* In single quotes, where Ruby leaves \x00 alone and HBase's shell reads it. */
static void
write_quoted(struct key key, struct buf *out)
{
    buf_addc(out, '\'');
    for (size_t i = 0; i < key.len; i++) {
        if (key.data[i] == '\'')
            buf_adds(out, "\\x27");
        else
            row_key_escape(out, key.data + i, 1);
    }
    buf_addc(out, '\'');
}

void
points_write_shell(const struct key_list *points, const char *table, const char *family,
                   struct buf *out)
{
    buf_addf(out, "create '%s', '%s'", table, family);
    for (size_t i = 0; i < points->count; i++) {
        buf_adds(out, i == 0 ? ", SPLITS => [" : ", ");
        write_quoted(key_list_get(points, i), out);
    }
    buf_adds(out, points->count > 0 ? "]\n" : "\n");
}

/* Letters, digits, '_', '-', '.', not beginning with '-' or '.'. */
static bool
name_part_valid(const char *name, size_t len, bool dots)
{
    if (len == 0 || name[0] == '-' || name[0] == '.')
        return false;
    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_' &&
            !(dots && (name[i] == '-' || name[i] == '.')))
            return false;
    return true;
}

bool
create_name_valid(const char *name)
{
    const char *colon = strchr(name, ':');

    if (colon == NULL)
        return name_part_valid(name, strlen(name), true);
    return name_part_valid(name, (size_t)(colon - name), false) &&
           name_part_valid(colon + 1, strlen(colon + 1), true);
}

bool
create_family_valid(const char *name)
{
    if (*name == '\0' || *name == '.')
        return false;
    for (const char *p = name; *p != '\0'; p++)
        if (!isgraph((unsigned char)*p) || strchr(":/'\\", *p) != NULL)
            return false;
    return true;
}
