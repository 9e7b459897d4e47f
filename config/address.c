/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of form only; pure functions. Hosts: names as in RFC 1123 (underscores are
 * tolerated, since people have them), IPv4, IPv6 in brackets. */
#include "config/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/parse.h"

enum { HOST_MAX = 253 };

struct authority {
    const char *host;
    size_t host_len;
    bool v6;          /* was in brackets */
    const char *port; /* NULL: none */
    size_t port_len;
};

static int
split_authority(const char *s, size_t len, struct authority *ret)
{
    struct authority a = {.host = s};
    const char *end = s + len;
    const char *rest;

    if (len > 0 && s[0] == '[') {
        const char *bracket = memchr(s, ']', len);
        if (!bracket)
            return -EINVAL;
        a.v6 = true;
        a.host = s + 1;
        a.host_len = (size_t)(bracket - a.host);
        rest = bracket + 1;
    } else {
        const char *colon = memchr(s, ':', len);
        rest = colon ? colon : end;
        a.host_len = (size_t)(rest - s);
    }
    if (rest < end && *rest != ':')
        return -EINVAL;
    if (rest < end) {
        a.port = rest + 1;
        a.port_len = (size_t)(end - a.port);
    }
    *ret = a;
    return 0;
}

static bool
is_ip(int family, const char *host, size_t len)
{
    char text[INET6_ADDRSTRLEN];
    unsigned char address[sizeof(struct in6_addr)];

    if (len >= sizeof text)
        return false;
    memcpy(text, host, len);
    text[len] = '\0';
    return inet_pton(family, text, address) == 1;
}

static bool
is_name(const char *host, size_t len)
{
    bool letters = false;

    for (size_t i = 0; i < len; i++) {
        char c = host[i];
        bool digit = c >= '0' && c <= '9';
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool inner = (c == '-' || c == '.') && i > 0 && host[i - 1] != '.';
        if (!digit && !letter && !inner)
            return false;
        letters |= letter || c == '-';
    }
    return letters || is_ip(AF_INET, host, len);
}

static const char *
check_host(const struct authority *a)
{
    if (a->v6)
        return is_ip(AF_INET6, a->host, a->host_len) ? NULL
                                                     : "expected an IPv6 address in []";
    if (a->host_len == 0 || a->host_len > HOST_MAX)
        return "expected a host name of 1 to 253 characters";
    return is_name(a->host, a->host_len)
               ? NULL
               : "expected a host name of letters, digits, '-' and '.'";
}

static const char *
check_port(const struct authority *a, uint64_t least)
{
    uint64_t port;

    if (parse_u64(a->port, a->port_len, &port) < 0 || port < least || port > 65535)
        return least == 0 ? "expected a port from 0 to 65535 after the ':'"
                          : "expected a port from 1 to 65535 after the ':'";
    return NULL;
}

/* Two colons and no bracket: an IPv6 address, perhaps with a port behind it. */
static bool
is_v6_without_brackets(const char *s, size_t len)
{
    const char *colon = memchr(s, ':', len);

    return s[0] != '[' && colon &&
           memchr(colon + 1, ':', len - (size_t)(colon + 1 - s)) != NULL;
}

/* True for what must be escaped in a URL. */
static bool
has_bad_character(const char *s)
{
    for (; *s; s++) {
        if ((unsigned char)*s <= ' ' || strchr("\"<>\\^`{|}\x7f", *s))
            return true;
    }
    return false;
}

static const char *
check_url_rest(const char *rest, unsigned flags)
{
    if (has_bad_character(rest))
        return "expected no blanks and none of \"<>\\^`{|} in a URL (write %20 and so "
               "on)";
    if (!(flags & URL_PATH) && rest[0] != '\0' && strcmp(rest, "/") != 0)
        return "expected nothing after the host and port";
    if (!(flags & URL_QUERY) && strpbrk(rest, "?#"))
        return "expected no query ('?') and no fragment ('#')";
    return NULL;
}

const char *
address_check_url(const char *url, unsigned flags)
{
    static const char *const schemes[] = {"http://", "https://"};
    struct authority a;
    const char *s = NULL;

    for (size_t i = 0; i < 2; i++) {
        if (strncmp(url, schemes[i], strlen(schemes[i])) == 0)
            s = url + strlen(schemes[i]);
    }
    if (!s)
        return "expected a URL such as http://host:port or https://host:port";
    size_t len = strcspn(s, "/?#");
    if (memchr(s, '@', len))
        return "expected no user and password in the URL";
    if (is_v6_without_brackets(s, len))
        return "expected an IPv6 address in brackets, such as http://[::1]:16010";
    if (split_authority(s, len, &a) < 0)
        return "expected host:port after the scheme";
    const char *wrong = check_host(&a);
    if (!wrong && a.port)
        wrong = check_port(&a, 1);
    return wrong ? wrong : check_url_rest(s + len, flags);
}

const char *
address_check_target(const char *target)
{
    struct authority a;
    size_t len = strlen(target);

    if (strstr(target, "://"))
        return address_check_url(target, 0);
    if (strchr(target, '@'))
        return "expected no user and password in the address";
    if (is_v6_without_brackets(target, len))
        return "expected an IPv6 address in brackets, such as [::1]:16030";
    if (split_authority(target, len, &a) < 0 || !a.port)
        return "expected host:port, [v6]:port or http(s)://host:port";
    const char *wrong = check_host(&a);
    return wrong ? wrong : check_port(&a, 1);
}

const char *
address_check_listen(const char *address)
{
    struct authority a;
    size_t len = strlen(address);

    if (is_v6_without_brackets(address, len))
        return "expected an IPv6 address in brackets, such as [::1]:16090";
    if (split_authority(address, len, &a) < 0 || !a.port)
        return "expected :port, host:port or [v6]:port";
    const char *wrong = a.host_len == 0 && !a.v6 ? NULL : check_host(&a);
    return wrong ? wrong : check_port(&a, 0);
}
