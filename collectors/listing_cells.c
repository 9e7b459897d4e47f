/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of the shell's tables into rows of a listing. Works on the struct listing_text
 * of one call. Sources: HBase list_regions.rb, Size.java; Ruby String#dump. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "collectors/listing_priv.h"
#include "collectors/number.h"
#include "collectors/outcome.h"
#include "collectors/server_name.h"
#include "common/alloc.h"
#include "common/log.h"
#include "common/parse.h"
#include "common/row_key.h"
#include "common/utf8.h"

enum { NAME_MAX_LEN = 256 * 1024 };
static const int64_t megabyte = 1048576;

static const struct {
    const char *title;
    enum column kind;
} titles[] = {
    {"SERVER_NAME", COLUMN_SERVER}, {"SERVER", COLUMN_SERVER},
    {"REGION_NAME", COLUMN_REGION}, {"REGION", COLUMN_REGION},
    {"TABLE", COLUMN_TABLE},        {"TABLE_NAME", COLUMN_TABLE},
    {"START_KEY", COLUMN_START},    {"END_KEY", COLUMN_END},
    {"SIZE", COLUMN_SIZE},          {"REQ", COLUMN_REQ},
    {"LOCALITY", COLUMN_LOCALITY},
};

enum column
listing_column(struct span title)
{
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
        if (span_is(title, titles[i].title))
            return titles[i].kind;
    }
    return COLUMN_OTHER;
}

bool
listing_has_column(const struct columns *columns, enum column kind)
{
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->kind[i] == kind)
            return true;
    }
    return false;
}

/* ---- names ---- */

static int
hex_value(char c)
{
    const char digits[] = "0123456789abcdef";
    const char *found = memchr(digits, c >= 'A' && c <= 'F' ? c | 0x20 : c, 16);

    return found == NULL ? -1 : (int)(found - digits);
}

/* Hex digits of s, at most max; their number in *ret_len. */
static uint32_t
hex_number(struct span s, size_t max, size_t *ret_len)
{
    uint32_t v = 0;
    size_t n = 0;

    for (; n < max && n < s.len && hex_value(s.s[n]) >= 0; n++)
        v = v << 4 | (uint32_t)hex_value(s.s[n]);
    *ret_len = n;
    return v;
}

/* "\x41", "\u00e9", "\u{1F600}" behind the backslash: the bytes they stand for into out
 * (up to 4), how many in *ret_len. Returns how long the escape is, 0 if it is none. */
static size_t
undump_number(struct span s, char *out, size_t *ret_len)
{
    size_t digits;

    bool braces = s.len > 1 && s.s[0] == 'u' && s.s[1] == '{';
    size_t skip = braces ? 2 : 1;
    struct span rest = {s.s + skip, s.len - skip};
    uint32_t v = hex_number(rest, braces ? 6 : s.s[0] == 'x' ? 2 : 4, &digits);
    if (digits == 0 || (braces && (digits == rest.len || rest.s[digits] != '}')))
        return 0;
    if (s.s[0] == 'x') {
        out[0] = (char)v;
        *ret_len = 1;
    } else if (v < 0x110000) {
        *ret_len = utf8_encode(v, out);
    } else {
        return 0;
    }
    return skip + digits + braces;
}

/* Undoes Ruby's String#dump (without the quotes); out may hold s.len bytes. */
static size_t
undump(struct span s, char *out)
{
    static const char from[] = "ntrfvbae";
    static const char to[] = "\n\t\r\f\v\b\a\x1b";
    size_t len = 0;

    for (size_t i = 0; i < s.len; i++) {
        if (s.s[i] != '\\' || i + 1 == s.len) {
            out[len++] = s.s[i];
            continue;
        }
        char c = s.s[++i];
        struct span rest = {s.s + i, s.len - i};
        size_t bytes = 0;
        size_t used = c == 'x' || c == 'u' ? undump_number(rest, out + len, &bytes) : 0;
        if (used > 0) {
            len += bytes;
            i += used - 1;
            continue;
        }
        const char *found = memchr(from, c, sizeof(from) - 1);
        out[len++] = found != NULL ? to[found - from] : c;
    }
    return len;
}

/* Reads a region's name in the shell's escapes. The result points into t->scratch. */
static int
parse_name(struct listing_text *t, struct span name, bool dumped,
           struct region_name *ret)
{
    struct region_name plain;

    if (name.len == 0 || name.len > NAME_MAX_LEN)
        return -EINVAL;
    xgrow(&t->scratch, &t->scratch_cap, name.len * 2, 1);
    char *escaped = (char *)t->scratch + name.len;
    size_t len = name.len;
    if (dumped)
        len = undump(name, escaped);
    else
        memcpy(escaped, name.s, len);
    size_t raw_len = row_key_unescape(escaped, len, t->scratch);
    int r = region_name_parse((const char *)t->scratch, raw_len, ret);
    /* HBase 1.0 to 1.2 do not escape here: what stands there may be the bytes. */
    if ((r < 0 || !ret->exact) && dumped &&
        region_name_parse(escaped, len, &plain) == 0 && plain.exact) {
        *ret = plain;
        return 0;
    }
    return r;
}

enum poll_outcome
listing_add_named(struct listing_text *t, struct span name, bool dumped,
                  size_t *ret_row)
{
    struct region_name parsed;
    char quoted[LOG_QUOTE_SIZE];

    int r = parse_name(t, name, dumped, &parsed);
    if (r == 0)
        r = listing_build_add(t->build, &parsed, ret_row);
    if (r == -E2BIG)
        return outcome_error(
            POLL_TOO_LARGE, t->ret_error,
            "line %u: more than %zu regions, or too many bytes of keys", t->line,
            t->max_rows);
    if (r < 0)
        return listing_refuse(t, t->line, "expected a region's full name, not %s",
                              log_quote(name.s, name.len, quoted));
    return POLL_OK;
}

bool
listing_take_note(struct listing_text *t, struct span line)
{
    struct region_name parsed;

    if (!span_begins(line, "Can not find "))
        return false;
    struct span rest = line;
    span_cut(&rest, "region: ");
    struct span name = span_trim(span_cut(&rest, " , it may be"));
    if (parse_name(t, name, false, &parsed) == 0)
        listing_build_in_transition(t->build, parsed.id);
    else
        listing_build_incomplete(t->build);
    t->listing->skipped_lines++;
    return true;
}

enum poll_outcome
listing_add_moving(struct listing_text *t, struct span name)
{
    struct region_name parsed;
    size_t row;

    if (region_id_parse(name.s, name.len, &parsed.id)) {
        listing_build_in_transition(t->build, parsed.id);
        return POLL_OK;
    }
    if (parse_name(t, name, false, &parsed) != 0) {
        listing_build_incomplete(t->build);
        return POLL_OK;
    }
    listing_build_in_transition(t->build, parsed.id);
    return listing_add_named(t, name, false, &row);
}

/* ---- values ---- */

int64_t
listing_size(struct span cell)
{
    int64_t bytes;

    return number_size(cell.s, cell.len, megabyte, &bytes) == 0 ? bytes : -1;
}

double
listing_locality(struct span cell)
{
    double d;

    return parse_double(cell.s, cell.len, &d) == 0 && d >= 0 && d <= 1 ? d : NAN;
}

void
listing_counter(struct span cell, uint8_t bit, uint64_t *ret, uint8_t *known)
{
    if (cell.len == 0)
        return;
    *known |= number_counter(cell.s, cell.len, ret) == 0 ? bit : SAMPLE_INVALID;
}

/* ---- rows ---- */

/* A hand-made table may give a region's encoded name and its table beside it. */
static enum poll_outcome
add_region(struct listing_text *t, struct span region, struct span table,
           size_t *ret_row)
{
    struct region_id id;
    char quoted[LOG_QUOTE_SIZE];

    if (!region_id_parse(region.s, region.len, &id))
        return listing_add_named(t, region, false, ret_row);
    int r = listing_build_add_id(t->build, id, table.s, table.len, ret_row);
    if (r == -E2BIG)
        return outcome_error(POLL_TOO_LARGE, t->ret_error,
                             "line %u: more than %zu regions", t->line, t->max_rows);
    if (r < 0)
        return listing_refuse(
            t, t->line,
            "region %s without its table: expected its full name or a "
            "column TABLE",
            log_quote(region.s, region.len, quoted));
    return POLL_OK;
}

static enum poll_outcome
set_server(struct listing_text *t, size_t row, struct span cell)
{
    char name[SERVER_NAME_MAX + 1];
    char quoted[LOG_QUOTE_SIZE];

    if (cell.len == 0)
        return POLL_OK;
    if (!server_name_normalise(cell.s, cell.len, name))
        return listing_refuse(t, t->line, "expected host,port,startcode, not %s",
                              log_quote(cell.s, cell.len, quoted));
    listing_build_row(t->build, row)->server = listing_build_server(t->build, name);
    return POLL_OK;
}

enum poll_outcome
listing_add_cells(struct listing_text *t, const struct columns *columns,
                  const struct span *cells)
{
    struct span by_kind[COLUMN_KINDS] = {{0}};
    size_t row;

    for (size_t i = 0; i < columns->count; i++)
        by_kind[columns->kind[i]] = cells[i];
    enum poll_outcome outcome =
        add_region(t, by_kind[COLUMN_REGION], by_kind[COLUMN_TABLE], &row);
    if (outcome != POLL_OK)
        return outcome;
    struct listing_row *r = listing_build_row(t->build, row);
    r->size_bytes = listing_size(by_kind[COLUMN_SIZE]);
    r->locality = listing_locality(by_kind[COLUMN_LOCALITY]);
    listing_counter(by_kind[COLUMN_REQ], SAMPLE_TOTAL, &r->total, &r->known);
    struct span end = by_kind[COLUMN_END];
    if (span_is(end, "(empty)"))
        end.len = 0;
    if (listing_has_column(columns, COLUMN_END))
        listing_build_end_text(t->build, row, end.s, end.len);
    return set_server(t, row, by_kind[COLUMN_SERVER]);
}
