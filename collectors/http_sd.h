/* SPDX-License-Identifier: Apache-2.0 */
/* Asks regionservers.http_sd for targets. Collector thread only. */
#ifndef COLLECTORS_HTTP_SD_H
#define COLLECTORS_HTTP_SD_H

#include <stdbool.h>

#include "collectors/context.h"
#include "collectors/file_sd.h"

struct http_sd;

struct http_sd_events {
    /* A good answer; the receiver takes ownership of the list's content. */
    void (*found)(void *user, struct url_list *urls);
    /* A bad one, or none; said in a MESSAGE_SOURCE. */
    void (*missed)(void *user);
    /* A request ended. */
    void (*counted)(void *user, uint64_t bytes);
    void *user;
};

/* context->config->regionservers.http_sd must be set. */
struct http_sd *http_sd_create(const struct context *context,
                               const struct http_sd_events *events);
/* Ends what is under way. Accepts NULL; returns NULL. */
struct http_sd *http_sd_destroy(struct http_sd *h);

/* Asks, unless the last request is still under way. A bad answer is a MESSAGE_SOURCE.
 */
void http_sd_start(struct http_sd *h);
bool http_sd_busy(const struct http_sd *h);

#endif
