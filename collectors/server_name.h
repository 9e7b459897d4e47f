/* SPDX-License-Identifier: Apache-2.0 */
/* Names of servers and tables as they arrive from outside: are they fit to be keys,
 * labels and parts of a URL? Source: HBase ServerName.java, TableName.java. */
#ifndef COLLECTORS_SERVER_NAME_H
#define COLLECTORS_SERVER_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum { SERVER_NAME_MAX = 512, TABLE_NAME_MAX = 1024 };

/* "host,port,startcode" (the host may be an IPv6 address): a printable host without
 * blanks, ',', ';', '/', a port of 1 to 65535, a start code that fits Java's long. */
bool server_name_valid(const char *s, size_t len);
/* Writes that form and its NUL; also from "host:port startcode". False for all else. */
bool server_name_normalise(const char *s, size_t len,
                           char ret[static SERVER_NAME_MAX + 1]);
/* 1 to TABLE_NAME_MAX bytes of well-formed UTF-8 without control characters or blanks.
 */
bool table_name_valid(const char *s, size_t len);

#endif
