/* SPDX-License-Identifier: Apache-2.0 */
/* Compression of whole answers with zlib. No state. */
#include "daemon/gzip.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

char *
gzip_compress(const char *data, size_t len, int level, size_t *ret_len)
{
    z_stream z = {0};

    assert(len < UINT32_MAX / 2);
    if (deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    size_t bound = deflateBound(&z, len);
    char *out = malloc(bound);
    if (out != NULL) {
        z.next_in = (Bytef *)data;
        z.avail_in = (uInt)len;
        z.next_out = (Bytef *)out;
        z.avail_out = (uInt)bound;
        if (deflate(&z, Z_FINISH) == Z_STREAM_END) {
            *ret_len = z.total_out;
        } else {
            free(out);
            out = NULL;
        }
    }
    (void)deflateEnd(&z);
    return out;
}
