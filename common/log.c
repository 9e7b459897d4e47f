/* SPDX-License-Identifier: Apache-2.0 */
/* Log lines. The settings and counters are atomics, each line is built in a buffer of
 * its own and written with one write(2), so any thread may log without a lock. */
#include "common/log.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/json_write.h"
#include "common/utf8.h"

enum { MESSAGE_SIZE = 2048, LIMIT_MS = 60000 };

static const struct {
    const char *name;
    char priority; /* sd-daemon(3) */
} levels[] = {
    [LOG_ERROR] = {"error", '3'},
    [LOG_WARN] = {"warn", '4'},
    [LOG_INFO] = {"info", '6'},
    [LOG_DEBUG] = {"debug", '7'},
};
static_assert(sizeof levels / sizeof levels[0] == LOG_LEVEL_COUNT, "a row per level");

static _Atomic(enum log_level) max_level = LOG_INFO;
static _Atomic(enum log_format) wanted_format = LOG_FORMAT_AUTO;
static _Atomic(uint64_t) counts[LOG_LEVEL_COUNT];

static pthread_once_t detect_once = PTHREAD_ONCE_INIT;
static enum log_format detected_format;

const char *
log_level_name(enum log_level level)
{
    assert(level < LOG_LEVEL_COUNT);
    return levels[level].name;
}

int
log_level_parse(const char *name, enum log_level *ret_level)
{
    for (enum log_level level = 0; level < LOG_LEVEL_COUNT; level++) {
        if (strcmp(levels[level].name, name) == 0) {
            *ret_level = level;
            return 0;
        }
    }
    return -EINVAL;
}

void
log_setup(enum log_level level, enum log_format format)
{
    assert(level < LOG_LEVEL_COUNT);
    atomic_store(&max_level, level);
    atomic_store(&wanted_format, format);
}

uint64_t
log_count(enum log_level level)
{
    assert(level < LOG_LEVEL_COUNT);
    return atomic_load(&counts[level]);
}

/* $JOURNAL_STREAM names the journal's socket as "device:inode" (systemd.exec(5)); it is
 * inherited, so stderr counts as the journal's only if it is that very file. */
static void
detect_format(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat st;
    char own[64];

    detected_format = LOG_FORMAT_TEXT;
    if (stream == NULL || fstat(STDERR_FILENO, &st) != 0)
        return;
    snprintf(own, sizeof own, "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
    if (strcmp(own, stream) == 0)
        detected_format = LOG_FORMAT_JOURNAL;
}

static enum log_format
current_format(void)
{
    enum log_format format = atomic_load(&wanted_format);

    if (format != LOG_FORMAT_AUTO)
        return format;
    pthread_once(&detect_once, detect_format);
    return detected_format;
}

/* "2026-11-30 22:10:24.123" in local time. */
static void
format_local(int64_t wall_ms, char *text, size_t size)
{
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm tm;

    localtime_r(&seconds, &tm);
    size_t len = strftime(text, size, "%Y-%m-%d %H:%M:%S", &tm);
    snprintf(text + len, size - len, ".%03d", (int)(wall_ms % 1000));
}

static void
write_line(struct buf *line)
{
    buf_addc(line, '\n');
    /* A log that cannot be written is no reason to stop. */
    if (write(STDERR_FILENO, line->data, line->len) < 0)
        return;
}

static void
add_json(struct buf *line, enum log_level level, const char *module,
         const char *message)
{
    struct json_writer w;

    json_init(&w, line);
    json_object_begin(&w);
    json_member_time(&w, "time", clock_now().wall_ms);
    json_member_string(&w, "level", levels[level].name);
    json_member_string(&w, "module", module);
    json_member_string(&w, "message", message);
    json_object_end(&w);
}

static void
add_text(struct buf *line, enum log_level level, const char *module,
         const char *message)
{
    char time_text[40];

    format_local(clock_now().wall_ms, time_text, sizeof time_text);
    buf_addf(line, "%s %-5s %s: %s", time_text, levels[level].name, module, message);
}

/* One line stays one line, whatever the caller passed. */
static void
flatten(char *message)
{
    for (char *p = message; *p != '\0'; p++) {
        size_t n = utf8_sequence(p, strnlen(p, 4));
        if (n > 0 && utf8_is_control(p))
            memset(p, ' ', n);
    }
}

void
log_line(enum log_level level, const char *module, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    struct buf line;
    va_list args;
    int saved_errno = errno;

    assert(level < LOG_LEVEL_COUNT);
    if (level > atomic_load(&max_level))
        return;
    va_start(args, format);
    int len = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (len >= (int)sizeof message)
        memcpy(message + sizeof message - 4, "...", 4);
    flatten(message);

    buf_init(&line, 0);
    switch (current_format()) {
    case LOG_FORMAT_JSON:
        add_json(&line, level, module, message);
        break;
    case LOG_FORMAT_JOURNAL:
        buf_addf(&line, "<%c>%s: %s", levels[level].priority, module, message);
        break;
    default:
        add_text(&line, level, module, message);
    }
    write_line(&line);
    buf_finish(&line);
    atomic_fetch_add(&counts[level], 1);
    errno = saved_errno;
}

/* Length of the sequence at s that may stand in a log line as it is, else 0. */
static size_t
quotable(const char *s, size_t len)
{
    size_t n = utf8_sequence(s, len);

    if (n > 0 && (utf8_is_control(s) || s[0] == '\'' || s[0] == '\\'))
        return 0;
    return n;
}

const char *
log_quote(const char *s, size_t len, char out[static LOG_QUOTE_SIZE])
{
    static const char tail[] = "...'";
    const size_t room = LOG_QUOTE_SIZE - sizeof tail; /* without the tail and the NUL */
    size_t n = 0;
    size_t at = 0;

    out[n++] = '\'';
    while (at < len) {
        size_t plain = quotable(s + at, len - at);
        size_t width = plain > 0 ? plain : 4;
        if (n + width > room)
            break;
        if (plain > 0)
            memcpy(out + n, s + at, plain);
        else
            snprintf(out + n, 5, "\\x%02X", (unsigned char)s[at]);
        n += width;
        at += plain > 0 ? plain : 1;
    }
    memcpy(out + n, at < len ? tail : tail + 3, at < len ? sizeof tail : 2);
    return out;
}

bool
log_allowed(struct log_limit *limit, int64_t mono_ms, unsigned *ret_held)
{
    if (mono_ms < limit->next_ms) {
        limit->held++;
        return false;
    }
    *ret_held = limit->held;
    *limit = (struct log_limit){.next_ms = mono_ms + LIMIT_MS};
    return true;
}
