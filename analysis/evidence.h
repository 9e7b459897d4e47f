/* SPDX-License-Identifier: Apache-2.0 */
/* From what an evaluation found to what an alert says, for each kind of subject. Writes
 * the alert of an episode, nothing else. */
#ifndef ANALYSIS_EVIDENCE_H
#define ANALYSIS_EVIDENCE_H

#include "analysis/episode.h"
#include "analysis/registry.h"

/* Renews the figures. The access stays once it fired; while nothing is known of it the
 * figures stay, too. */
void evidence_renew(struct episode *e, const struct registry *r);
/* While there is no verdict: where the subject is. */
void evidence_renew_place(struct episode *e, const struct registry *r);
/* Nothing was heard for longer: how old the last sample is; the alert is stale. */
void evidence_mark_stale(struct episode *e, const struct registry *r);

#endif
