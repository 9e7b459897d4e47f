/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOTSPOTCTL_LISTING_DAEMON_H
#define HOTSPOTCTL_LISTING_DAEMON_H

#include "common/buf.h"

struct message;

/* The regions of a table as a hotspotd knows them: a listing (MESSAGE_LISTING) with
 * ids, keys and replica numbers, which the caller destroys. NULL with a line in *error.
 */
struct message *listing_from_daemon(const char *url, const char *table,
                                    struct buf *error);

#endif
