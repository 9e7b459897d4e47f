/* SPDX-License-Identifier: Apache-2.0 */
/* Reload: RELOADING, parse completely, keep the old configuration on any error, else
 * swap and reconfigure the parts that differ, READY on every path. Main thread. */
#define LOG_MODULE "config"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/alloc.h"
#include "common/log.h"
#include "daemon/config_diff.h"
#include "daemon/daemon.h"
#include "daemon/problems.h"
#include "daemon/sd_notify.h"

/* Each line of text, which is cut up. */
static void
log_lines(enum log_level level, char *text)
{
    for (char *line = text, *end; *line != '\0'; line = end) {
        end = line + strcspn(line, "\n");
        if (*end != '\0')
            *end++ = '\0';
        log_line(level, LOG_MODULE, "%s", line);
    }
}

void
daemon_say_if_blind(const struct config *config)
{
    const char *problem = problem_without_sources(config);

    if (problem != NULL)
        log_warn("%s", problem);
}

void
daemon_take_warnings(const struct options *options,
                     const struct config_problems *problems,
                     struct string_list *ret_warnings)
{
    struct string_list list = {0};

    for (size_t i = 0; i < problems->count; i++) {
        struct buf text;
        if (!problems->items[i].warning)
            continue;
        buf_init(&text, 0);
        options_print_problem(options, &problems->items[i], &text);
        log_warn("%s", text.data);
        list.items = xreallocarray(list.items, list.count + 1, sizeof *list.items);
        list.items[list.count++] = buf_steal(&text, NULL);
    }
    *ret_warnings = list;
}

/* Logs the errors; the first, and how many there are, go to *summary. */
static void
tell_errors(const struct options *options, const struct config_problems *problems,
            struct buf *summary)
{
    size_t errors = 0;

    for (size_t i = 0; i < problems->count; i++) {
        struct buf text;
        if (problems->items[i].warning)
            continue;
        buf_init(&text, 0);
        options_print_problem(options, &problems->items[i], &text);
        log_error("%s", text.data);
        if (errors++ == 0)
            buf_adds(summary, text.data);
        buf_finish(&text);
    }
    if (errors > 1)
        buf_addf(summary, " (and %zu more errors, see the log)", errors - 1);
    log_error("the configuration was not reloaded; the old one stays in force");
}

/* Takes over config; *error gets the reason if the collector could not start anew. */
static void
put_in_force(struct daemon *d, struct config *config, struct string_list *warnings)
{
    struct shared_config *old = d->config;
    struct buf fixed;

    buf_init(&fixed, 0);
    config_fixed_changes(old->config, config, &fixed);
    log_lines(LOG_WARN, fixed.data);
    buf_finish(&fixed);
    d->config = shared_config_create(config);
    log_setup((enum log_level)config->log.level, (enum log_format)config->log.format);
    bool same = config_same_collection(d->collector_config->config, config);
    if (!same)
        daemon_stop_collector(d);
    monitor_reconfigure(d->monitor, d->config, warnings, clock_now());
    if (!same && daemon_start_collector(d) < 0)
        loop_stop(d->loop); /* blind: let the service manager start us again */
    daemon_arm_tick(d);
    shared_config_unref(old);
    log_info("configuration reloaded%s", same ? "" : "; polling starts anew");
}

static void
notify_reloading(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    (void)sd_notify_sendf("RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
                          (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000);
}

void
daemon_reload(struct daemon *d)
{
    struct config_problems problems;
    struct string_list warnings = {0};
    struct buf notes, error;

    notify_reloading();
    buf_init(&notes, 0);
    buf_init(&error, 0);
    struct config *config = options_load_config(&d->options, &problems, &notes);
    if (config == NULL) {
        tell_errors(&d->options, &problems, &error);
        monitor_reload_failed(d->monitor, error.data, clock_now());
    } else {
        log_lines(LOG_INFO, notes.data);
        daemon_take_warnings(&d->options, &problems, &warnings);
        daemon_say_if_blind(config);
        put_in_force(d, config, &warnings);
    }
    if (d->gate != NULL)
        reload_gate_report(d->gate, config == NULL ? error.data : NULL);
    config_problems_finish(&problems);
    buf_finish(&notes);
    buf_finish(&error);
    (void)sd_notify_send("READY=1");
}
