/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to a RegionServer in the text form of protocol buffers, as its status page
 * prints them: which regions and rows they are for. Everything else in them, values
 * above all, is passed over and stored nowhere.
 * Sources: HBase Client.proto (GetRequest, MutateRequest, ScanRequest, MultiRequest);
 * protobuf TextFormat.java. */
#ifndef COLLECTORS_PROTO_TEXT_H
#define COLLECTORS_PROTO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PROTO_DEPTH_MAX = 32,         /* open blocks */
    PROTO_REGION_MAX = 40 * 1024, /* a table's name, a key of 32 KiB and the rest */
    PROTO_ROW_MAX = 1024,
};

enum proto_event {
    PROTO_REGION,   /* the rows from here on are of this region; "" not known */
    PROTO_ROW,      /* of a get or mutation; of a scan where it starts, perhaps "" */
    PROTO_LONG_ROW, /* a row longer than PROTO_ROW_MAX; no text */
};

/* text: raw bytes (escapes undone), valid during the call. False to stop. */
typedef bool proto_event_fn(void *user, enum proto_event event, const char *text,
                            size_t len);

/* Walks through one request. 0; -EINVAL malformed; -E2BIG nested too deeply;
 * -ECANCELED fn returned false. Events of what stands before an error have happened. */
int proto_text_walk(const char *text, size_t len, proto_event_fn *fn, void *user);

#endif
