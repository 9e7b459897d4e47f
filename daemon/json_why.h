/* SPDX-License-Identifier: Apache-2.0 */
/* Why something is hot, as JSON: class, evidence, commands, sampled rows, and what its
 * server suffers from. */
#ifndef DAEMON_JSON_WHY_H
#define DAEMON_JSON_WHY_H

#include "analysis/diagnosis.h"
#include "common/json_write.h"

/* class, classEvidence, commands, samples, sampledRows, rowsRise, topClients; null and
 * empty while it was not looked at. */
void json_member_why(struct json_writer *w, const struct explanation *why);

/* [{command, why}] */
void json_commands(struct json_writer *w, const struct shell_command *commands,
                   size_t count);

/* An object: each signal by name (null where the server does not say), cacheHitRatio,
 * handlers, memstoreLimitBytes, rates (counters per second), diagnosis[] and its words.
 */
void json_member_vitals(struct json_writer *w, const char *key, const struct vitals *v,
                        uint32_t diagnoses);

#endif
