/* SPDX-License-Identifier: Apache-2.0 */
/* Query strings into values. The values belong to the struct query of the caller; no
 * other state, any thread. */
#include "daemon/query.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/log.h"
#include "common/parse.h"
#include "common/utf8.h"

enum { OFFSET_MAX = 10000000 };

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Percent-decodes into *out; false for a bad escape or a NUL. */
static bool
decode(const char *s, size_t len, struct buf *out)
{
    for (size_t i = 0; i < len; i++) {
        char c = s[i];
        if (c == '+') {
            c = ' ';
        } else if (c == '%') {
            if (len - i < 3 || hex_digit(s[i + 1]) < 0 || hex_digit(s[i + 2]) < 0)
                return false;
            c = (char)(hex_digit(s[i + 1]) * 16 + hex_digit(s[i + 2]));
            i += 2;
        }
        if (c == '\0')
            return false;
        buf_addc(out, c);
    }
    return true;
}

/* ---- times ---- */

/* Reads n digits; false if they are not all digits or outside low..high. */
static bool
digits(const char *s, int n, int low, int high, int *ret)
{
    int value = 0;

    for (int i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        value = value * 10 + (s[i] - '0');
    }
    *ret = value;
    return value >= low && value <= high;
}

/* Days from 1970-01-01 to a day of the Gregorian calendar (years 1970 to 9999). */
static int64_t
days_since_epoch(int year, int month, int day)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int64_t y = year - 1;
    int64_t days = 365 * (int64_t)(year - 1970) + (y / 4 - y / 100 + y / 400) -
                   (1969 / 4 - 1969 / 100 + 1969 / 400);
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days + before[month - 1] + (leap && month > 2) + day - 1;
}

static int
days_in_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (leap && month == 2);
}

/* ".123456" to ms; *at moves behind it. */
static bool
fraction(const char *s, size_t len, size_t *at, int *ret_ms)
{
    int unit = 100, ms = 0;
    size_t start = *at + 1;

    *ret_ms = 0;
    if (*at >= len || s[*at] != '.')
        return true;
    size_t i = start;
    for (; i < len && s[i] >= '0' && s[i] <= '9'; i++) {
        ms += unit * (s[i] - '0');
        unit /= 10;
    }
    *at = i;
    *ret_ms = ms;
    return i > start && i - start <= 9;
}

/* "Z" or "+hh:mm" at the end; minutes east of UTC. */
static bool
zone(const char *s, size_t len, int *ret_minutes)
{
    int hours, minutes;

    *ret_minutes = 0;
    if (len == 1 && (s[0] == 'Z' || s[0] == 'z'))
        return true;
    if (len != 6 || (s[0] != '+' && s[0] != '-') || s[3] != ':' ||
        !digits(s + 1, 2, 0, 23, &hours) || !digits(s + 4, 2, 0, 59, &minutes))
        return false;
    *ret_minutes = (hours * 60 + minutes) * (s[0] == '-' ? -1 : 1);
    return true;
}

int
rfc3339_parse(const char *s, size_t len, int64_t *ret_ms)
{
    int year, month, day, hour, minute, second, ms, east;
    size_t at = 19;

    if (len < 20 || s[4] != '-' || s[7] != '-' || strchr("Tt ", s[10]) == NULL ||
        s[10] == '\0' || s[13] != ':' || s[16] != ':')
        return -EINVAL;
    if (!digits(s, 4, 1970, 9999, &year) || !digits(s + 5, 2, 1, 12, &month) ||
        !digits(s + 8, 2, 1, days_in_month(year, month), &day) ||
        !digits(s + 11, 2, 0, 23, &hour) || !digits(s + 14, 2, 0, 59, &minute) ||
        !digits(s + 17, 2, 0, 60, &second))
        return -EINVAL;
    if (!fraction(s, len, &at, &ms) || !zone(s + at, len - at, &east))
        return -EINVAL;
    int64_t seconds = days_since_epoch(year, month, day) * 86400 + hour * 3600 +
                      minute * 60 + second - east * 60;
    *ret_ms = seconds * 1000 + ms;
    return 0;
}

static bool
read_time(const char *s, size_t len, struct param_value *value)
{
    double seconds;

    if (rfc3339_parse(s, len, &value->ms) == 0)
        return true;
    if (parse_double(s, len, &seconds) < 0 || seconds < 0 || seconds > 253402300799.0)
        return false;
    value->ms = (int64_t)llround(seconds * 1000);
    return true;
}

static bool
read_duration(const char *s, size_t len, struct param_value *value)
{
    double seconds;

    if (parse_double(s, len, &seconds) == 0) {
        if (seconds < 0.001 || seconds > 1e9)
            return false;
        value->ms = (int64_t)llround(seconds * 1000);
        return true;
    }
    return parse_duration_ms(s, len, &value->ms) == 0 && value->ms > 0;
}

/* ---- values ---- */

static bool
read_number(const char *s, size_t len, uint64_t low, uint64_t high,
            struct param_value *value)
{
    return parse_u64(s, len, &value->number) == 0 && value->number >= low &&
           value->number <= high;
}

static bool
read_choice(const struct param *p, const char *s, struct param_value *value)
{
    for (size_t i = 0; p->choices[i] != NULL; i++) {
        if (strcmp(p->choices[i], s) == 0) {
            value->number = i;
            return true;
        }
    }
    return false;
}

static bool
read_text(const char *s, size_t len, struct param_value *value)
{
    if (len == 0 || len > QUERY_TEXT_MAX || !utf8_valid(s, len))
        return false;
    value->text = xmemdup0(s, len);
    return true;
}

static bool
read_value(const struct param *p, const char *s, size_t len, struct param_value *value)
{
    switch (p->kind) {
    case PARAM_TEXT:
        return read_text(s, len, value);
    case PARAM_LIMIT:
        return read_number(s, len, 1, QUERY_LIMIT_MAX, value);
    case PARAM_COUNT:
        return read_number(s, len, p->low, p->high, value);
    case PARAM_OFFSET:
        return read_number(s, len, 0, OFFSET_MAX, value);
    case PARAM_CHOICE:
        return read_choice(p, s, value);
    case PARAM_TIME:
        return read_time(s, len, value);
    case PARAM_DURATION:
        return read_duration(s, len, value);
    }
    return false;
}

/* ---- errors ---- */

static void
add_expected(struct buf *error, const struct param *p)
{
    switch (p->kind) {
    case PARAM_TEXT:
        buf_addf(error, "1 to %d bytes of UTF-8", QUERY_TEXT_MAX);
        break;
    case PARAM_LIMIT:
        buf_addf(error, "a number from 1 to %d", QUERY_LIMIT_MAX);
        break;
    case PARAM_COUNT:
        buf_addf(error, "a number from %" PRIu64 " to %" PRIu64, p->low, p->high);
        break;
    case PARAM_OFFSET:
        buf_addf(error, "a number from 0 to %d", OFFSET_MAX);
        break;
    case PARAM_CHOICE:
        buf_adds(error, "one of");
        for (size_t i = 0; p->choices[i] != NULL; i++)
            buf_addf(error, "%s %s", i > 0 ? "," : "", p->choices[i]);
        break;
    case PARAM_TIME:
        buf_adds(error, "a time like 2026-11-30T22:10:24Z or Unix seconds");
        break;
    case PARAM_DURATION:
        buf_adds(error, "a duration like 30s or a number of seconds above 0");
        break;
    }
}

static void
add_unknown(struct buf *error, const struct param *params, const char *name, size_t len)
{
    char quoted[LOG_QUOTE_SIZE];

    buf_addf(error, "unknown parameter %s; expected ", log_quote(name, len, quoted));
    if (params[0].name == NULL)
        buf_adds(error, "none");
    for (size_t i = 0; params[i].name != NULL; i++)
        buf_addf(error, "%s%s", i > 0 ? ", " : "", params[i].name);
}

/* ---- pairs ---- */

static const struct param *
find_param(const struct param *params, const char *name)
{
    for (size_t i = 0; params[i].name != NULL; i++)
        if (strcmp(params[i].name, name) == 0)
            return &params[i];
    return NULL;
}

/* One decoded pair. */
static int
take_pair(const struct param *params, const struct buf *name, const struct buf *text,
          struct query *q, struct buf *error)
{
    char quoted[LOG_QUOTE_SIZE];
    const struct param *p = find_param(params, name->data);

    if (p == NULL) {
        add_unknown(error, params, name->data, name->len);
        return -EINVAL;
    }
    struct param_value *value = &q->values[p - params];
    if (value->set) {
        buf_addf(error, "parameter %s: given twice, expected once", p->name);
        return -EINVAL;
    }
    if (!read_value(p, text->data, text->len, value)) {
        buf_addf(error, "parameter %s: expected ", p->name);
        add_expected(error, p);
        buf_addf(error, ", found %s", log_quote(text->data, text->len, quoted));
        return -EINVAL;
    }
    value->set = true;
    return 0;
}

/* "name=value" as it stands in the query. */
static int
read_pair(const char *s, size_t len, const struct param *params, struct query *q,
          struct buf *error)
{
    char quoted[LOG_QUOTE_SIZE];
    struct buf name, text;
    int r = -EINVAL;

    buf_init(&name, 0);
    buf_init(&text, 0);
    const char *equals = memchr(s, '=', len);
    size_t name_len = equals != NULL ? (size_t)(equals - s) : len;
    size_t text_at = equals != NULL ? name_len + 1 : len;
    if (decode(s, name_len, &name) && decode(s + text_at, len - text_at, &text))
        r = take_pair(params, &name, &text, q, error);
    else
        buf_addf(error, "%s: expected percent-encoded text (%%XX, not %%00)",
                 log_quote(s, len, quoted));
    buf_finish(&name);
    buf_finish(&text);
    return r;
}

int
query_parse(const char *text, const struct param *params, struct query *ret_query,
            struct buf *error)
{
    *ret_query = (struct query){0};
    for (size_t i = 0; params[i].name != NULL; i++)
        assert(i < QUERY_PARAMS_MAX);
    for (const char *s = text; *s != '\0';) {
        size_t len = strcspn(s, "&");
        if (len > 0) {
            int r = read_pair(s, len, params, ret_query, error);
            if (r < 0)
                return r;
        }
        s += len;
        if (*s == '&')
            s++;
    }
    return 0;
}

void
query_finish(struct query *q)
{
    for (int i = 0; i < QUERY_PARAMS_MAX; i++)
        free(q->values[i].text);
    *q = (struct query){0};
}
