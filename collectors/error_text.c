/* SPDX-License-Identifier: Apache-2.0 */
/* Pure; what error_text() returns belongs to the caller. */
#include "collectors/error_text.h"

#include <stdarg.h>

#include "common/buf.h"

char *
error_text(const char *format, ...)
{
    struct buf b;
    va_list args;

    buf_init(&b, 0);
    va_start(args, format);
    buf_vaddf(&b, format, args);
    va_end(args);
    return buf_steal(&b, NULL);
}

struct quoted_text
quoted(const char *s)
{
    struct quoted_text q;

    log_quote(s, strlen(s), q.text);
    return q;
}

struct quoted_text
sentence(const char *s)
{
    struct quoted_text q;
    size_t n = 0;

    for (; s[n] != '\0' && n < sizeof q.text - 1; n++)
        q.text[n] = s[n] >= ' ' && s[n] <= '~' ? s[n] : '?';
    q.text[n] = '\0';
    return q;
}
