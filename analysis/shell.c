/* SPDX-License-Identifier: Apache-2.0 */
/* Ruby string literals and the commands around them. Pure. */
#include "analysis/shell.h"

#include <assert.h>
#include <string.h>

#include "common/alloc.h"
#include "common/row_key.h"
#include "common/utf8.h"

/* A control character pasted into a terminal may do anything. */
static bool
is_safe(const char *s)
{
    size_t len = strlen(s);

    for (size_t at = 0; at < len;) {
        size_t n = utf8_sequence(s + at, len - at);
        if (n == 0 || utf8_is_control(s + at))
            return false;
        at += n;
    }
    return len > 0;
}

bool
shell_name(struct buf *out, const char *name)
{
    if (!is_safe(name))
        return false;
    buf_addc(out, '\'');
    for (const char *s = name; *s != '\0'; s++) {
        if (*s == '\'' || *s == '\\')
            buf_addc(out, '\\');
        buf_addc(out, *s);
    }
    buf_addc(out, '\'');
    return true;
}

void
shell_key(struct buf *out, const void *key, size_t len)
{
    buf_addc(out, '"');
    row_key_shell(out, key, len);
    buf_addc(out, '"');
}

static void
add_id(struct buf *out, struct region_id id)
{
    char text[REGION_ID_TEXT_SIZE];

    buf_addf(out, "'%s'", region_id_text(id, text));
}

/* The command, or NULL. */
static char *
finish(struct buf *b, bool good)
{
    char *text = good && !b->failed ? buf_steal(b, NULL) : NULL;

    buf_finish(b);
    return text;
}

char *
shell_split(const char *table, const void *key, size_t len)
{
    struct buf b;

    buf_init(&b, 0);
    buf_adds(&b, "split ");
    bool good = shell_name(&b, table);
    buf_adds(&b, ", ");
    shell_key(&b, key, len);
    return finish(&b, good);
}

char *
shell_split_region(struct region_id id)
{
    struct buf b;

    buf_init(&b, 0);
    buf_adds(&b, "split ");
    add_id(&b, id);
    return finish(&b, true);
}

char *
shell_move(struct region_id id, const char *server)
{
    struct buf b;

    buf_init(&b, 0);
    buf_adds(&b, "move ");
    add_id(&b, id);
    buf_adds(&b, ", ");
    return finish(&b, shell_name(&b, server));
}

char *
shell_merge(struct region_id a, struct region_id b)
{
    struct buf text;

    buf_init(&text, 0);
    buf_adds(&text, "merge_region ");
    add_id(&text, a);
    buf_adds(&text, ", ");
    add_id(&text, b);
    return finish(&text, true);
}

char *
shell_max_file_size(const char *table, long long bytes)
{
    struct buf b;

    buf_init(&b, 0);
    buf_adds(&b, "alter ");
    bool good = shell_name(&b, table);
    buf_addf(&b, ", MAX_FILESIZE => '%lld'", bytes);
    return finish(&b, good);
}

char *
shell_create_salted(const char *table, unsigned parts)
{
    struct buf b, name;

    assert(parts >= 2 && parts <= 256);
    buf_init(&b, 0);
    buf_init(&name, 0);
    buf_addf(&name, "%s_salted", table);
    buf_adds(&b, "create ");
    bool good = shell_name(&b, name.data);
    buf_adds(&b, ", 'cf', SPLITS => [");
    for (unsigned i = 1; i < parts; i++)
        buf_addf(&b, "%s\"%02x\"", i > 1 ? ", " : "", i * 256 / parts);
    buf_adds(&b, "]");
    buf_finish(&name);
    return finish(&b, good);
}

char *
shell_balancer(void)
{
    return xstrdup("balancer");
}
