/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP threads; explanations are immutable. */
#include "daemon/json_why.h"

#include "common/row_key.h"
#include "daemon/json_util.h"

void
json_commands(struct json_writer *w, const struct shell_command *commands, size_t count)
{
    json_array_begin(w);
    for (size_t i = 0; i < count; i++) {
        json_object_begin(w);
        json_member_string(w, "command", commands[i].command);
        json_member_string(w, "why", commands[i].why);
        json_object_end(w);
    }
    json_array_end(w);
}

static void
write_row(struct json_writer *w, const struct sampled_row *row)
{
    struct buf text;

    buf_init(&text, 0);
    json_object_begin(w);
    row_key_escape(&text, row->row, row->row_len);
    json_member_string(w, "row", text.data);
    buf_reset(&text);
    base64_encode(&text, row->row, row->row_len);
    json_member_string(w, "rowBase64", text.data);
    json_member_figure(w, "share", row->share);
    json_object_end(w);
    buf_finish(&text);
}

static void
member_samples(struct json_writer *w, const struct explanation *why)
{
    json_member_u64(w, "samples", why != NULL ? why->samples : 0);
    json_key(w, "sampledRows");
    json_array_begin(w);
    for (size_t i = 0; why != NULL && i < why->row_count; i++)
        write_row(w, &why->rows[i]);
    json_array_end(w);
    json_member_bool(w, "rowsRise", why != NULL && why->rows_rise);
    json_key(w, "topClients");
    json_array_begin(w);
    for (size_t i = 0; why != NULL && i < why->client_count; i++) {
        json_object_begin(w);
        json_member_string(w, "address", why->clients[i].address);
        json_member_figure(w, "share", why->clients[i].share);
        json_object_end(w);
    }
    json_array_end(w);
}

void
json_member_why(struct json_writer *w, const struct explanation *why)
{
    json_member_string(w, "class",
                       why != NULL ? heat_class_name(why->heat_class) : NULL);
    json_member_string(w, "classEvidence", why != NULL ? why->evidence : NULL);
    json_key(w, "commands");
    json_commands(w, why != NULL ? why->commands : NULL,
                  why != NULL ? why->command_count : 0);
    member_samples(w, why);
}

/* ---- servers ---- */

static void
member_rates(struct json_writer *w, const double *rates)
{
    json_key(w, "rates");
    json_object_begin(w);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (signal_is_counter((enum signal)i))
            json_member_figure(w, signal_name((enum signal)i), rates[i]);
    json_object_end(w);
}

static void
member_diagnoses(struct json_writer *w, const struct vitals *v, uint32_t diagnoses)
{
    struct buf words;

    json_key(w, "diagnosis");
    json_array_begin(w);
    for (int i = 0; i < DIAGNOSIS_COUNT; i++)
        if (diagnoses & UINT32_C(1) << i)
            json_string(w, diagnosis_name((enum diagnosis)i));
    json_array_end(w);
    buf_init(&words, 0);
    diagnosis_words(&words, diagnoses, v);
    json_member_string(w, "diagnosisText", diagnoses != 0 ? words.data : NULL);
    buf_finish(&words);
}

void
json_member_vitals(struct json_writer *w, const char *key, const struct vitals *v,
                   uint32_t diagnoses)
{
    json_key(w, key);
    json_object_begin(w);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        json_member_double(w, signal_name((enum signal)i), v->signals[i]);
    json_member_figure(w, "cacheHitRatio", v->cache_hit_ratio);
    if (v->handlers > 0)
        json_member_u64(w, "handlers", v->handlers);
    else
        json_member_null(w, "handlers");
    if (v->memstore_limit_bytes >= 0)
        json_member_i64(w, "memstoreLimitBytes", v->memstore_limit_bytes);
    else
        json_member_null(w, "memstoreLimitBytes");
    member_rates(w, v->rates);
    member_diagnoses(w, v, diagnoses);
    json_object_end(w);
}
