/* SPDX-License-Identifier: Apache-2.0 */
/* Shared parts of JSON answers. No state, any thread. */
#include "daemon/json_util.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/parse.h"
#include "common/row_key.h"
#include "daemon/names.h"

/* To 6 significant digits. */
static double
round_figure(double value)
{
    char text[DOUBLE_TEXT_SIZE];
    double rounded = value;

    int len = snprintf(text, sizeof text, "%.6g", value);
    if (len > 0 && isfinite(value))
        (void)parse_double(text, (size_t)len, &rounded);
    return rounded;
}

void
json_member_figure(struct json_writer *w, const char *key, double value)
{
    json_key(w, key);
    json_double(w, round_figure(value)); /* null unless finite */
}

void
json_member_figure_text(struct json_writer *w, const char *key, double value)
{
    char text[DOUBLE_TEXT_SIZE];

    json_member_string(w, key, double_text(round_figure(value), text));
}

void
json_member_rates_d(struct json_writer *w, const double *rate)
{
    json_member_figure(w, "readRate", rate[ACCESS_READ]);
    json_member_figure(w, "writeRate", rate[ACCESS_WRITE]);
    json_member_figure(w, "rate", rate[ACCESS_TOTAL]);
}

void
json_member_rates(struct json_writer *w, const float *rate)
{
    const double copy[ACCESS_COUNT] = {
        (double)rate[ACCESS_READ],
        (double)rate[ACCESS_WRITE],
        (double)rate[ACCESS_TOTAL],
    };

    json_member_rates_d(w, copy);
}

void
json_member_region(struct json_writer *w, const char *key,
                   const struct region_facts *facts)
{
    char id[REGION_ID_TEXT_SIZE];

    json_member_string(w, key, facts != NULL ? region_id_text(facts->id, id) : NULL);
}

void
json_member_server(struct json_writer *w, const char *key,
                   const struct server_facts *facts)
{
    json_member_string(w, key, facts != NULL ? facts->address : NULL);
}

void
base64_encode(struct buf *out, const void *data, size_t len)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *bytes = data;

    for (size_t i = 0; i < len; i += 3) {
        size_t left = len - i;
        uint32_t group = (uint32_t)bytes[i] << 16;
        if (left > 1)
            group |= (uint32_t)bytes[i + 1] << 8;
        if (left > 2)
            group |= bytes[i + 2];
        const char quad[4] = {
            alphabet[group >> 18],
            alphabet[group >> 12 & 63],
            left > 1 ? alphabet[group >> 6 & 63] : '=',
            left > 2 ? alphabet[group & 63] : '=',
        };
        buf_add(out, quad, sizeof quad);
    }
}

/* The three members of one key. */
static void
member_key(struct json_writer *w, const char *prefix, bool known, const uint8_t *key,
           size_t len)
{
    char name[32];
    struct buf text;

    buf_init(&text, 0);
    if (known)
        row_key_escape(&text, key, len);
    (void)snprintf(name, sizeof name, "%sKey", prefix);
    json_member_string(w, name, known ? text.data : NULL);
    buf_reset(&text);
    if (known)
        base64_encode(&text, key, len);
    (void)snprintf(name, sizeof name, "%sKeyBase64", prefix);
    json_member_string(w, name, known ? text.data : NULL);
    (void)snprintf(name, sizeof name, "%sKeyOpen", prefix);
    if (known)
        json_member_bool(w, name, len == 0);
    else
        json_member_null(w, name);
    buf_finish(&text);
}

void
json_member_keys(struct json_writer *w, const struct region_facts *facts)
{
    bool start = facts != NULL && facts->start_known;
    bool end = facts != NULL && facts->end_known;

    member_key(w, "start", start, start ? region_start_key(facts) : NULL,
               start ? facts->start_len : 0);
    member_key(w, "end", end, end ? region_end_key(facts) : NULL,
               end ? facts->end_len : 0);
}

void
json_member_labels(struct json_writer *w, const char *packed, size_t len)
{
    const char *name, *value;

    json_key(w, "labels");
    json_object_begin(w);
    for (size_t at = 0; labels_next(packed, len, &at, &name, &value);)
        json_member_string(w, name, value);
    json_object_end(w);
}

const struct server_facts *
snapshot_server(const struct snapshot *s, uint32_t server)
{
    return server == NO_INDEX ? NULL : s->servers[server].facts;
}
