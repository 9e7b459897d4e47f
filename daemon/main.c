/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the parts, turns the loop, stops the parts in the opposite order. The main
 * thread takes the collector's messages, evaluates at each tick, reloads, pings the
 * watchdog. */
#define LOG_MODULE "main"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/log.h"
#include "daemon/daemon.h"
#include "daemon/problems.h"
#include "daemon/sd_notify.h"
#include "daemon/version.h"

/* How long POST /-/reload waits, and how often connections are looked at. */
enum { RELOAD_WAIT_MS = 20000, SWEEP_US = 1000000 };

/* ---- descriptors in the loop ---- */

/* Takes over fd, which may be a negative errno. */
static int
watch_start(struct daemon *d, struct watch *w, int fd, void (*handler)(void *data),
            const char *what)
{
    w->fd = fd;
    if (fd >= 0)
        w->source = loop_add(d->loop, fd, handler, d);
    if (fd >= 0 && w->source != NULL)
        return 0;
    int r = fd < 0 ? fd : -errno;
    log_error("cannot set up %s: %s", what, strerror(-r));
    return r;
}

static void
watch_stop(struct daemon *d, struct watch *w)
{
    w->source = loop_remove(d->loop, w->source);
    if (w->fd >= 0)
        (void)close(w->fd);
    w->fd = -1;
}

/* ---- events ---- */

static void
tell_status(const struct daemon *d)
{
    struct buf text;

    buf_init(&text, 0);
    buf_adds(&text, "STATUS=");
    monitor_status_line(d->monitor, &text);
    (void)sd_notify_send(text.data);
    buf_finish(&text);
}

static void
evaluate(struct daemon *d)
{
    const char **tables;

    monitor_evaluate(d->monitor, clock_now());
    struct engine_wants wants = monitor_wants(d->monitor, &tables);
    if (d->collector != NULL && (wants.listing || wants.urgent_listing))
        collector_want_listing(d->collector, wants.urgent_listing, tables);
    if (d->collector != NULL)
        collector_set_focus(d->collector, monitor_focus(d->monitor));
    free(tables);
    tell_status(d);
}

static void
on_messages(void *data)
{
    struct daemon *d = data;
    struct message *m = collector_take(d->collector);

    while (m != NULL) {
        struct message *next = m->next;
        monitor_message(d->monitor, m, clock_now());
        message_destroy(m);
        m = next;
    }
    if (monitor_first_round_waits(d->monitor))
        evaluate(d);
}

void
daemon_arm_tick(struct daemon *d)
{
    int64_t interval_ms = d->config->config->poll.interval_ms;
    int r = timer_wall_arm(d->tick.fd, next_tick_ms(clock_now().wall_ms, interval_ms));

    if (r < 0)
        log_error("cannot set the timer of the evaluations: %s", strerror(-r));
}

static void
on_tick(void *data)
{
    struct daemon *d = data;
    int r = timer_clear(d->tick.fd);

    daemon_arm_tick(d);
    if (r == 0)
        evaluate(d);
}

static void
on_sweep(void *data)
{
    struct daemon *d = data;

    (void)timer_clear(d->sweep.fd);
    http_server_sweep(d->http, clock_now().mono_ms);
}

static void
on_watchdog(void *data)
{
    struct daemon *d = data;

    (void)timer_clear(d->watchdog.fd);
    d->watchdog_due = true;
}

static void
on_turned(void *data)
{
    struct daemon *d = data;

    if (d->watchdog_due)
        (void)sd_notify_send("WATCHDOG=1");
    d->watchdog_due = false;
}

static void
on_signal(void *data)
{
    struct daemon *d = data;
    struct signalfd_siginfo info;

    if (read(d->signals.fd, &info, sizeof info) != sizeof info)
        return;
    if (info.ssi_signo == SIGHUP) {
        log_info("SIGHUP: reloading the configuration");
        daemon_reload(d);
    } else {
        log_info("%s: stopping", strsignal((int)info.ssi_signo));
        loop_stop(d->loop);
    }
}

static void
on_reload_wish(void *data)
{
    struct daemon *d = data;

    reload_gate_accept(d->gate);
    log_info("/-/reload: reloading the configuration");
    daemon_reload(d);
}

/* ---- parts ---- */

/* Blocked before the first thread is made, so that all threads inherit that. */
static int
start_signals(struct daemon *d)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return watch_start(d, &d->signals, fd < 0 ? -errno : fd, on_signal, "signals");
}

static int
start_monitor(struct daemon *d)
{
    d->monitor = monitor_create(d->config, &d->warnings, &d->http_stats, clock_now());
    return 0;
}

static int
start_reload_gate(struct daemon *d)
{
    if (!d->config->config->http.enable_lifecycle)
        return 0;
    d->gate = reload_gate_create(RELOAD_WAIT_MS);
    if (d->gate != NULL)
        d->gate_source = loop_add(d->loop, reload_gate_fd(d->gate), on_reload_wish, d);
    if (d->gate_source != NULL)
        return 0;
    int r = -errno;
    log_error("cannot set up /-/reload: %s", strerror(-r));
    return r;
}

static int
start_http(struct daemon *d)
{
    const struct http_config *config = &d->config->config->http;
    struct http_server_options options = http_server_defaults(config);
    struct buf error;

    d->http_context = (struct http_context){
        .views = monitor_views(d->monitor),
        .telemetry_path =
            d->options.telemetry_path != NULL ? d->options.telemetry_path : "/metrics",
        .series = monitor_series,
        .heatmap = monitor_heatmap,
        .series_data = d->monitor,
        .reload = d->gate,
    };
    buf_init(&error, 0);
    d->http = http_server_create(&options, &d->http_context, &d->http_stats, &error);
    if (d->http == NULL)
        log_error("%s", error.data);
    buf_finish(&error);
    return d->http != NULL ? 0 : -EIO;
}

static int
start_timers(struct daemon *d)
{
    int r = watch_start(d, &d->sweep, timer_every_us(SWEEP_US), on_sweep,
                        "the timer of the connections");

    if (r == 0)
        r = watch_start(d, &d->tick, timer_wall_create(), on_tick,
                        "the timer of the evaluations");
    if (r == 0)
        daemon_arm_tick(d);
    uint64_t watchdog_us = sd_watchdog_us();
    if (r == 0 && watchdog_us >= 2)
        r = watch_start(d, &d->watchdog, timer_every_us(watchdog_us / 2), on_watchdog,
                        "the timer of the watchdog");
    return r;
}

int
daemon_start_collector(struct daemon *d)
{
    char *error = NULL;

    d->collector_config = shared_config_ref(d->config);
    d->collector = collector_create(d->config->config, &error);
    if (d->collector == NULL) {
        log_error("cannot start polling: %s", error);
        free(error);
        return -EIO;
    }
    d->collector_source = loop_add(d->loop, collector_fd(d->collector), on_messages, d);
    if (d->collector_source != NULL)
        return 0;
    int r = -errno;
    log_error("cannot wait for the collector: %s", strerror(-r));
    return r;
}

void
daemon_stop_collector(struct daemon *d)
{
    d->collector_source = loop_remove(d->loop, d->collector_source);
    d->collector = collector_destroy(d->collector);
    d->collector_config = shared_config_unref(d->collector_config);
}

/* ---- start and stop ---- */

static int
start(struct daemon *d)
{
    static int (*const steps[])(struct daemon * d) = {
        start_signals, start_monitor, start_reload_gate,
        start_http,    start_timers,  daemon_start_collector,
    };
    int r = 0;

    d->loop = loop_create();
    if (d->loop == NULL) {
        log_error("cannot make an event loop: %s", strerror(errno));
        return -errno;
    }
    for (size_t i = 0; r == 0 && i < sizeof steps / sizeof steps[0]; i++)
        r = steps[i](d);
    if (r == 0)
        (void)sd_notify_sendf("READY=1\nSTATUS=waiting for the servers' first answers");
    return r;
}

/* Also after a start that went half the way. */
static void
stop(struct daemon *d)
{
    (void)sd_notify_send("STOPPING=1");
    if (d->loop == NULL)
        return;
    daemon_stop_collector(d);
    watch_stop(d, &d->watchdog);
    watch_stop(d, &d->tick);
    watch_stop(d, &d->sweep);
    if (d->gate != NULL)
        reload_gate_close(d->gate); /* nobody may wait for us while we wait for them */
    d->http = http_server_destroy(d->http);
    d->gate_source = loop_remove(d->loop, d->gate_source);
    d->gate = reload_gate_destroy(d->gate);
    d->monitor = monitor_destroy(d->monitor);
    watch_stop(d, &d->signals);
    d->loop = loop_destroy(d->loop);
}

/* ---- configuration ---- */

static void
print_problems(const struct options *options, const struct config_problems *problems,
               FILE *to)
{
    for (size_t i = 0; i < problems->count; i++) {
        struct buf text;
        buf_init(&text, 0);
        options_print_problem(options, &problems->items[i], &text);
        fprintf(to, "%s\n", text.data);
        buf_finish(&text);
    }
}

static void
log_notes(const struct buf *notes)
{
    for (const char *s = notes->data; *s != '\0';) {
        size_t len = strcspn(s, "\n");
        log_info("%.*s", (int)len, s);
        s += len + (s[len] == '\n');
    }
}

/* What --check-config says of a configuration that can be used. */
static void
print_good(const struct options *options, const struct config *config)
{
    const char *name = options->config_file != NULL ? options->config_file : "hotspotd";
    const char *problem = problem_without_sources(config);

    if (problem != NULL)
        printf("%s: warning: %s\n", name, problem);
    printf("%s: ok\n", name);
}

/* Reads the configuration. 0 to go on; else *ret_status is how to exit. */
static int
configure(struct daemon *d, int *ret_status)
{
    struct config_problems problems;
    struct buf notes;
    int r = -EINVAL;

    buf_init(&notes, 0);
    struct config *config = options_load_config(&d->options, &problems, &notes);
    if (d->options.check_config) {
        print_problems(&d->options, &problems, stdout);
        if (config != NULL)
            print_good(&d->options, config);
        *ret_status = config != NULL ? 0 : 1;
        config_destroy(config);
    } else if (config == NULL) {
        print_problems(&d->options, &problems, stderr);
        *ret_status = EXIT_CONFIG;
    } else {
        log_setup((enum log_level)config->log.level,
                  (enum log_format)config->log.format);
        log_info("hotspotd %s, revision %s", HOTSPOTD_VERSION, HOTSPOTD_REVISION);
        log_notes(&notes);
        daemon_say_if_blind(config);
        daemon_take_warnings(&d->options, &problems, &d->warnings);
        d->config = shared_config_create(config);
        r = 0;
    }
    config_problems_finish(&problems);
    buf_finish(&notes);
    return r;
}

static int
run(struct daemon *d)
{
    int status = 0;

    if (configure(d, &status) < 0)
        return status;
    int r = start(d);
    if (r == 0)
        r = loop_run(d->loop, on_turned, d);
    if (r < 0)
        log_error("stopping after an error");
    stop(d);
    d->config = shared_config_unref(d->config);
    return r < 0 ? EXIT_FAILURE : 0;
}

int
main(int argc, char **argv)
{
    struct daemon d = {
        .signals.fd = -1,
        .tick.fd = -1,
        .sweep.fd = -1,
        .watchdog.fd = -1,
    };
    struct buf text;
    int status = 0;

    buf_init(&text, 0);
    switch (options_parse(argc, argv, &d.options, &text)) {
    case OPTIONS_RUN:
        status = run(&d);
        break;
    case OPTIONS_PRINT:
        fputs(text.data, stdout);
        break;
    case OPTIONS_WRONG:
        fputs(text.data, stderr);
        status = EXIT_USAGE;
        break;
    }
    buf_finish(&text);
    options_finish(&d.options);
    return status;
}
