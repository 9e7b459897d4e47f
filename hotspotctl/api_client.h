/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to a hotspotd. */
#ifndef HOTSPOTCTL_API_CLIENT_H
#define HOTSPOTCTL_API_CLIENT_H

#include <stddef.h>

#include "common/buf.h"

struct cJSON;
struct api_client;

/* base: "http://host:16090". NULL with a line in *error for what is no such URL. */
struct api_client *api_client_create(const char *base, struct buf *error);
/* Accepts NULL; returns NULL. */
struct api_client *api_client_destroy(struct api_client *c);

struct api_answer {
    long status; /* of HTTP; 0: no answer */
    struct buf body;
    struct cJSON *root;
    const struct cJSON *data; /* of root */
    const char *data_text;    /* the same as it came, data_len bytes of body */
    size_t data_len;
};

/* GET of a path with its query. -EIO with a line in *error: nobody answers, an error
 * answer, or no answer of a hotspotd. The caller ends with api_answer_finish() in any
 * case. */
int api_get(struct api_client *c, const char *path, struct api_answer *ret,
            struct buf *error);
void api_answer_finish(struct api_answer *a);

/* Appends "name=value", encoded, with '?' or '&' in front as needed. */
void api_add_parameter(struct buf *path, const char *name, const char *value);

/* The member at a dotted path ("evidence.ratio"); NULL if there is none. */
const struct cJSON *api_member(const struct cJSON *object, const char *path);

#endif
