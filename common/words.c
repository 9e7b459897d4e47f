/* SPDX-License-Identifier: Apache-2.0 */
#include "common/words.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* Whole numbers with thousands separated. */
static void
add_whole(struct buf *out, double value)
{
    char text[64];

    int len = snprintf(text, sizeof text, "%.0f", value);
    if (len < 0 || (size_t)len >= sizeof text) { /* beyond any rate */
        buf_addf(out, "%.4g", value);
        return;
    }
    for (int i = 0; i < len; i++) {
        buf_addc(out, text[i]);
        if (text[i] != '-' && i + 1 < len && (len - i - 1) % 3 == 0)
            buf_addc(out, ',');
    }
}

/* False when it was no finite number, and said so. */
static bool
is_finite(struct buf *out, double value)
{
    if (isfinite(value))
        return true;
    buf_adds(out, isnan(value) ? "an unknown number" : "infinitely many");
    return false;
}

void
words_number(struct buf *out, double value)
{
    if (!is_finite(out, value))
        return;
    double whole = round(value);
    bool small = fabs(value) < 99.95 && fabs(value - whole) >= 0.05;
    if (value != 0 && fabs(value) < 0.005)
        buf_adds(out, value > 0 ? "below 0.01" : "0");
    else if (fabs(value) < 0.995 && value != 0)
        buf_addf(out, "%.2f", value);
    else if (small)
        buf_addf(out, "%.1f", value);
    else
        add_whole(out, whole == 0 ? 0 : whole);
}

void
words_count(struct buf *out, double value)
{
    if (is_finite(out, value))
        add_whole(out, value);
}

void
words_of(struct buf *out, double value, const char *one, const char *many)
{
    words_count(out, value);
    buf_addf(out, " %s", value >= 0.5 && value < 1.5 ? one : many);
}

void
words_percent(struct buf *out, double share)
{
    if (is_finite(out, share))
        buf_addf(out, share < 0.0995 && share > 0 ? "%.1f %%" : "%.0f %%", share * 100);
}

void
words_bytes(struct buf *out, int64_t bytes)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;

    while (value >= 1024 && unit + 1 < sizeof names / sizeof names[0]) {
        value /= 1024;
        unit++;
    }
    buf_addf(out, unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s", value,
             names[unit]);
}
