/* SPDX-License-Identifier: Apache-2.0 */
/* Pure functions; the strings they return belong to the caller. Any thread. */
#include "collectors/address.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/alloc.h"
#include "common/parse.h"

enum { HOST_MAX = 253 };

static bool
ascii_in(char c, const char *more)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c != '\0' && strchr(more, c) != NULL);
}

/* A name or an IPv4 address, or (v6) the inside of brackets. */
static bool
host_valid(const char *host, size_t len, bool v6)
{
    if (len == 0 || len > HOST_MAX || host[0] == '-')
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!ascii_in(host[i], v6 ? ":." : "-._"))
            return false;
    }
    return !v6 || memchr(host, ':', len) != NULL;
}

static int
make_url(const char *host, size_t len, bool v6, bool https, uint64_t port,
         char **ret_url)
{
    char url[HOST_MAX + 32];

    if (!host_valid(host, len, v6) || port == 0 || port > UINT16_MAX)
        return -EINVAL;
    int n = snprintf(url, sizeof url, "%s://%s%.*s%s:%u", https ? "https" : "http",
                     v6 ? "[" : "", (int)len, host, v6 ? "]" : "", (unsigned)port);
    for (int i = 0; i < n; i++)
        url[i] = (char)tolower((unsigned char)url[i]);
    *ret_url = xmemdup0(url, (size_t)n);
    return 0;
}

/* Takes the scheme off; false if there is none. */
static bool
cut_scheme(const char **text, size_t *len, bool *ret_https)
{
    static const char *const schemes[] = {"http://", "https://"};

    for (size_t i = 0; i < 2; i++) {
        size_t n = strlen(schemes[i]);
        if (*len >= n && strncasecmp(*text, schemes[i], n) == 0) {
            *text += n;
            *len -= n;
            *ret_https = i == 1;
            return true;
        }
    }
    return false;
}

int
address_parse(const char *text, size_t len, char **ret_url)
{
    bool https = false;
    bool scheme = cut_scheme(&text, &len, &https);
    bool v6 = len > 0 && text[0] == '[';

    if (scheme && len > 0 && text[len - 1] == '/')
        len--;
    const char *end = memchr(text, v6 ? ']' : ':', len);
    size_t host_len = end != NULL ? (size_t)(end - text) : len;
    if (v6 && end == NULL)
        return -EINVAL;
    const char *host = text + v6;
    const char *rest = text + host_len + v6;
    size_t rest_len = len - host_len - v6;
    uint64_t port = https ? 443 : 80;
    if (rest_len == 0 && !scheme)
        return -EINVAL;
    if (rest_len > 0 &&
        (rest[0] != ':' || parse_u64(rest + 1, rest_len - 1, &port) < 0))
        return -EINVAL;
    return make_url(host, host_len - v6, v6, https, port, ret_url);
}

const char *
address_key(const char *url)
{
    const char *mark = strstr(url, "://");

    return mark != NULL ? mark + 3 : url;
}

size_t
address_server_prefix(const char *server)
{
    const char *code = strrchr(server, ',');
    uint64_t number;

    if (code == NULL || code == server ||
        parse_u64(code + 1, strlen(code + 1), &number) < 0)
        return 0;
    const char *port = memrchr(server, ',', (size_t)(code - server));
    if (port == NULL || port == server ||
        parse_u64(port + 1, (size_t)(code - port - 1), &number) < 0)
        return 0;
    return (size_t)(code - server);
}

int
address_of_server(const char *server, bool https, uint16_t info_port, char **ret_url)
{
    size_t prefix = address_server_prefix(server);

    if (prefix == 0)
        return -EINVAL;
    const char *comma = memrchr(server, ',', prefix);
    assert(comma != NULL);
    size_t len = (size_t)(comma - server);
    if (len > 2 && server[0] == '[' && server[len - 1] == ']') {
        server++;
        len -= 2;
    }
    bool v6 = memchr(server, ':', len) != NULL;
    return make_url(server, len, v6, https, info_port, ret_url);
}
