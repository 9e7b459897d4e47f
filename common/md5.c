/* SPDX-License-Identifier: Apache-2.0 */
/* MD5 by nettle. Holds no state; any thread may call it. */
#include "common/md5.h"

#include <nettle/md5.h>

void
md5_bytes(const void *data, size_t len, uint8_t ret_digest[static 16])
{
    struct md5_ctx ctx;

    md5_init(&ctx);
    if (len > 0)
        md5_update(&ctx, len, data);
    md5_digest(&ctx, MD5_DIGEST_SIZE, ret_digest);
}
