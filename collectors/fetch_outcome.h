/* SPDX-License-Identifier: Apache-2.0 */
/* From what curl and the server said to an outcome and a line for people. */
#ifndef COLLECTORS_FETCH_OUTCOME_H
#define COLLECTORS_FETCH_OUTCOME_H

#include <curl/curl.h>

#include "collectors/sample.h"

/* Why we ended a transfer ourselves. */
enum fetch_stop {
    STOP_NONE,
    STOP_BODY,    /* above the limit of decoded bytes */
    STOP_HEADERS, /* too many or too large */
    STOP_STATUS,  /* not 200: its body is of no interest */
    STOP_READER,  /* the body function wants no more */
};

/* All that is known at the end of a transfer. Texts are as they came from outside. */
struct fetch_end {
    CURLcode code;
    enum fetch_stop stop;
    long http_status;      /* 0: none */
    const char *where;     /* URL without its query */
    const char *detail;    /* curl's error buffer; "" if empty */
    const char *location;  /* of a redirect; NULL if none */
    const char *challenge; /* WWW-Authenticate; NULL if none */
    int64_t timeout_ms;
    uint64_t max_body;
};

/* POLL_OK, or why not with a line in *ret_error (caller frees). STOP_READER is POLL_OK:
 * the reader knows its reasons. */
enum poll_outcome fetch_outcome(const struct fetch_end *end, char **ret_error);

#endif
