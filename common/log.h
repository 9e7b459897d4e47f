/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines on stderr. Each file defines LOG_MODULE before it includes this header.
 * Formats: journal ("<4>collector: text", sd-daemon(3) priorities), text (a readable
 * line with the local time), json (one object a line). Text that came from outside is
 * passed through log_quote(). Lines may come from any thread; each is one write(2). */
#ifndef COMMON_LOG_H
#define COMMON_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG, LOG_LEVEL_COUNT };
enum log_format {
    LOG_FORMAT_AUTO,
    LOG_FORMAT_TEXT,
    LOG_FORMAT_JOURNAL,
    LOG_FORMAT_JSON
};

/* "error", "warn", "info", "debug". */
const char *log_level_name(enum log_level level);
/* -EINVAL for an unknown name. */
int log_level_parse(const char *name, enum log_level *ret_level);

/* AUTO: text when stderr is a terminal or not the journal's ($JOURNAL_STREAM), else
 * journal. May be called again on a reload. Before the first call: info, auto. */
void log_setup(enum log_level level, enum log_format format);

/* Lines written at a level since the start, for the metric. A message is cut at 2 kB
 * and its control characters become blanks. */
uint64_t log_count(enum log_level level);

void log_line(enum log_level level, const char *module, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define log_error(...) log_line(LOG_ERROR, LOG_MODULE, __VA_ARGS__)
#define log_warn(...) log_line(LOG_WARN, LOG_MODULE, __VA_ARGS__)
#define log_info(...) log_line(LOG_INFO, LOG_MODULE, __VA_ARGS__)
#define log_debug(...) log_line(LOG_DEBUG, LOG_MODULE, __VA_ARGS__)

/* Outside text made safe for one line: control bytes, single quotes, backslashes and
 * bytes that are not UTF-8 as \xHH, in single quotes, cut to what `out` holds (then it
 * ends with ...'). Returns out. */
enum { LOG_QUOTE_SIZE = 256 };
const char *log_quote(const char *s, size_t len, char out[static LOG_QUOTE_SIZE]);

/* Lets one line of a kind through a minute; the next one allowed carries how many were
 * held back (*ret_held). One struct per kind of line, zeroed at first. */
struct log_limit {
    int64_t next_ms;
    unsigned held;
};
bool log_allowed(struct log_limit *limit, int64_t mono_ms, unsigned *ret_held);

#endif
