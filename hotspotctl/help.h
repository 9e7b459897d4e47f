/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOTCTL_HELP_H
#define HOTSPOTCTL_HELP_H

#include "common/buf.h"
#include "hotspotctl/command.h"

/* What --help prints: of a command, or of the whole for NULL. */
void help_print(const struct command *command, struct buf *out);

#endif
