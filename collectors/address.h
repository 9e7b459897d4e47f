/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of web interfaces as people and HBase write them, made into one form:
 * "http://host:port" with the host in lower case, IPv6 in brackets. Nothing is
 * resolved. */
#ifndef COLLECTORS_ADDRESS_H
#define COLLECTORS_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads "host:port", "[v6]:port" or "http(s)://host:port" (a final '/' is allowed; the
 * scheme's own port if a URL has none). -EINVAL for anything else: a user name, a path,
 * odd characters. *ret_url: caller frees. */
int address_parse(const char *text, size_t len, char **ret_url);

/* The part of an address_parse() URL that says which socket is meant: "host:port". */
const char *address_key(const char *url);

/* The web address of the server "host,port,startcode" (cut at the last two commas).
 * -EINVAL when the name is not of that form. */
int address_of_server(const char *server, bool https, uint16_t info_port,
                      char **ret_url);

/* Length of "host,port" in "host,port,startcode"; 0 when it is not of that form. */
size_t address_server_prefix(const char *server);

#endif
