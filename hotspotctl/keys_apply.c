/* SPDX-License-Identifier: Apache-2.0 */
/* hotspotctl keys apply: the row keys themselves, to load a test table or to compare
 * with an application's own. Streams: the output may be larger than memory. */
#include <stdio.h>

#include "common/row_key.h"
#include "hotspotctl/keys_commands.h"
#include "hotspotctl/keys_options.h"

enum { CHUNK = 1 << 16 };

static int
flush(struct invocation *in)
{
    if (fwrite(in->out.data, 1, in->out.len, stdout) != in->out.len)
        return wrong(in, "cannot write the result: %m");
    buf_reset(&in->out);
    return 0;
}

enum pass { PASS_CHECK, PASS_STREAM, PASS_COLLECT };

/* Keys that can be read twice are checked first and streamed then; those of a pipe are
 * collected and left to main(). */
static int
apply_all(struct invocation *in, const struct scheme *scheme, struct key_source *source,
          enum pass pass)
{
    struct buf row;
    struct key key;
    uint64_t turn = 0;
    int status = 0;

    buf_init(&row, 0);
    while (status == 0 && key_source_next(source, &key)) {
        buf_reset(&row);
        int result = scheme_apply(scheme, turn++, key, &row);
        if (result < 0) {
            status = scheme_failed(in, scheme, key, result);
            break;
        }
        if (pass == PASS_CHECK)
            continue;
        row_key_escape(&in->out, row.data, row.len);
        buf_addc(&in->out, '\n');
        if (pass == PASS_STREAM && in->out.len >= CHUNK)
            status = flush(in);
    }
    buf_finish(&row);
    return status != 0 || pass == PASS_STREAM ? status : end_of_keys(in, source, turn);
}

int
keys_apply(struct invocation *in)
{
    struct scheme scheme;
    struct key_source *source;

    if (scheme_option(in, &scheme) != 0 || open_keys(in, &source) != 0)
        return STATUS_WRONG;
    bool twice = key_source_rewind(source);
    int status = apply_all(in, &scheme, source, twice ? PASS_CHECK : PASS_COLLECT);
    if (status == 0 && twice && !key_source_rewind(source))
        status = wrong(in, "cannot read the keys again: %m");
    if (status == 0 && twice)
        status = apply_all(in, &scheme, source, PASS_STREAM);
    key_source_close(source);
    return status;
}
