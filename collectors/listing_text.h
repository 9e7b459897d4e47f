/* SPDX-License-Identifier: Apache-2.0 */
/* What the HBase shell prints for list_regions (one or many tables after another) and
 * status 'detailed', with log noise, notes among rows and ERROR endings; also the
 * hand-made tables with the header REGION | START_KEY | END_KEY | SIZE | REQ |
 * LOCALITY. Sources: HBase list_regions.rb, formatter.rb, admin.rb, RegionLoad.java,
 * RegionMetricsBuilder.java. */
#ifndef COLLECTORS_LISTING_TEXT_H
#define COLLECTORS_LISTING_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "collectors/sample.h"

/* Reads the whole text into *listing (of message_create(MESSAGE_LISTING)); the form is
 * recognised by its content. An incomplete or erroneous text is refused as a whole:
 * POLL_PARSE, POLL_NO_DATA (nothing in it), POLL_TOO_LARGE, POLL_BAD_RESPONSE (the
 * shell reported an ERROR) with a line in *ret_error (line number, what, expected;
 * caller frees); what *listing holds then is of no use. whole_cluster is set for status
 * 'detailed' only, which goes before tables in the same text.
 *
 * Start keys come from the regions' names and are known where these are exact. End keys
 * are the neighbours' start keys (listing_build.h), and only where an END_KEY column,
 * if there is one, says the same. SIZE without a unit is in MB. REQ is `total`. Regions
 * in transition, from notes and from status, are marked. "0 rows" is a good table. */
enum poll_outcome listing_text_parse(const char *text, size_t len, size_t max_rows,
                                     struct listing *listing, char **ret_error);

#endif
