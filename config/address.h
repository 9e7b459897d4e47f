/* SPDX-License-Identifier: Apache-2.0 */
/* The form of addresses: URLs, host:port, listen addresses. Each function returns NULL
 * for a good one, else what is wrong or was expected, as a text that does not hold the
 * address itself (it may hold a password). Nothing is resolved. */
#ifndef CONFIG_ADDRESS_H
#define CONFIG_ADDRESS_H

enum {
    URL_PATH = 1 << 0,  /* a path is allowed */
    URL_QUERY = 1 << 1, /* a query and a fragment are allowed */
};

/* http or https, a host, perhaps a port; no user, no path but "/" unless allowed. */
const char *address_check_url(const char *url, unsigned flags);
/* host:port, [v6]:port or an URL without a path. */
const char *address_check_target(const char *target);
/* [host]:port where the host may be missing and the port may be 0. */
const char *address_check_listen(const char *address);

#endif
