/* SPDX-License-Identifier: Apache-2.0 */
/* Which RegionServers to poll: the union of the configured ones, the file, the HTTP
 * discovery and the master's live servers, by host and port. Collector thread only. */
#ifndef COLLECTORS_SERVER_LIST_H
#define COLLECTORS_SERVER_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/file_sd.h"
#include "collectors/live_servers.h"
#include "common/clock.h"
#include "config/config.h"

struct server_list;

/* Takes the static targets; nothing is read yet. config must outlive it. An address
 * that is none gives a line in *ret_error (caller frees; NULL if all are good). */
struct server_list *server_list_create(const struct regionservers_config *config,
                                       char **ret_error);
/* Accepts NULL; returns NULL. */
struct server_list *server_list_destroy(struct server_list *l);

/* Looks at regionservers.file and reads it when it changed. -errno with a line in
 * *ret_error (caller frees) once for each state of the file that cannot be used; the
 * last good list stays. */
int server_list_look(struct server_list *l, struct moment now, char **ret_error);

/* The answer of regionservers.http_sd; takes ownership of urls' content. */
void server_list_set_http_sd(struct server_list *l, struct url_list *urls);
/* There was none that can be used; the last good list stays. */
void server_list_miss_http_sd(struct server_list *l);

/* The live servers of the active master ("host,port,startcode"); an empty list after
 * one that was not is not believed. https: the web interfaces speak TLS. */
void server_list_set_live(struct server_list *l, char *const *names, size_t count,
                          bool https);

/* The info ports that live_servers gave. */
void server_list_set_ports(struct server_list *l, const struct live_server *servers,
                           size_t count);
/* True if a live server's port has to be guessed although set_ports() was called. */
bool server_list_lacks_ports(const struct server_list *l);

/* While held, the master's servers are left out: their ports are about to be known. */
void server_list_hold(struct server_list *l, bool hold);

/* True if the set is another one than at the last call (at first: than the empty one),
 * or if the file or the HTTP discovery works for the first time or again.
 * *ret_urls: distinct, in strcmp() order, valid until the next call. */
bool server_list_changed(struct server_list *l, char ***ret_urls, size_t *ret_count);

#endif
