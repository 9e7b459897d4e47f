/* SPDX-License-Identifier: Apache-2.0 */
/* hbase_auth of the configuration, laid onto requests. Secrets come from files and stay
 * here: they never reach a URL, a message or a log line. Collector thread only. */
#ifndef COLLECTORS_CREDENTIALS_H
#define COLLECTORS_CREDENTIALS_H

#include <stdbool.h>

#include <curl/curl.h>

#include "config/config.h"

struct credentials;

/* config must outlive it. Nothing is read yet. */
struct credentials *credentials_create(const struct auth_config *config);
/* Accepts NULL; returns NULL. */
struct credentials *credentials_destroy(struct credentials *c);

/* Sets the process environment that Kerberos reads (keytab, cache in memory); to be
 * called before threads are started. */
void credentials_environment(const struct auth_config *config);

/* Reads the password file (again). -errno with a line in *ret_error (caller frees);
 * what was read before stays in use. */
int credentials_refresh(struct credentials *c, char **ret_error);

/* True if servers hand out cookies that spare the next login (hadoop.auth). */
bool credentials_use_cookies(const struct credentials *c);

/* Sets the options of one request. */
void credentials_apply(const struct credentials *c, CURL *easy);

#endif
