/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of server and table names. Holds no state; any thread may call it. */
#include "collectors/server_name.h"

#include <string.h>

#include "common/parse.h"
#include "common/utf8.h"

/* Well-formed UTF-8 without control characters, blanks and what is in `banned`. */
static bool
clean_text(const char *s, size_t len, const char *banned)
{
    for (size_t at = 0; at < len;) {
        size_t n = utf8_sequence(s + at, len - at);
        if (n == 0 || utf8_is_control(s + at) || s[at] == ' ' ||
            (n == 1 && strchr(banned, s[at]) != NULL))
            return false;
        at += n;
    }
    return true;
}

bool
server_name_valid(const char *s, size_t len)
{
    uint64_t port;
    int64_t start;

    if (len > SERVER_NAME_MAX)
        return false;
    const char *second = memrchr(s, ',', len);
    if (second == NULL)
        return false;
    const char *first = memrchr(s, ',', (size_t)(second - s));
    if (first == NULL || first == s ||
        !clean_text(s, (size_t)(first - s), ",;/?#@\"'<>\\"))
        return false;
    return parse_u64(first + 1, (size_t)(second - first - 1), &port) == 0 && port > 0 &&
           port <= 65535 &&
           parse_i64(second + 1, (size_t)(s + len - second - 1), &start) == 0 &&
           start >= 0;
}

bool
server_name_normalise(const char *s, size_t len, char ret[static SERVER_NAME_MAX + 1])
{
    if (len == 0 || len > SERVER_NAME_MAX)
        return false;
    memcpy(ret, s, len);
    ret[len] = '\0';
    char *blank = strrchr(ret, ' ');
    if (blank != NULL) {
        *blank = '\0';
        char *colon = strrchr(ret, ':');
        if (colon == NULL)
            return false;
        *blank = ',';
        *colon = ',';
    }
    return server_name_valid(ret, len);
}

bool
table_name_valid(const char *s, size_t len)
{
    return len > 0 && len <= TABLE_NAME_MAX && clean_text(s, len, "");
}
