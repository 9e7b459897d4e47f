/* SPDX-License-Identifier: Apache-2.0 */
/* hotspotctl keys ...: each returns an exit status. */
#ifndef HOTSPOTCTL_KEYS_COMMANDS_H
#define HOTSPOTCTL_KEYS_COMMANDS_H

struct invocation;

int keys_try(struct invocation *in);
int keys_recommend(struct invocation *in);
int keys_split(struct invocation *in);
int keys_verify(struct invocation *in);
int keys_apply(struct invocation *in);

#endif
