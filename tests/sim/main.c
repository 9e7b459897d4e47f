/* SPDX-License-Identifier: Apache-2.0 */
/* hbase-sim: a simulated HBase cluster that answers like a real one. Options, signals,
 * standard input, and the loop that holds timeline and web servers together. One
 * thread; main() frees everything. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/buf.h"
#include "common/clock.h"
#include "common/json_write.h"
#include "common/parse.h"
#include "tests/sim/http.h"
#include "tests/sim/scenario.h"
#include "tests/sim/timeline.h"

enum { EXIT_USAGE = 2, INPUT_LINE_MAX = 65536 };

struct options {
    const char *scenario;
    const char *ports_file;
    uint64_t speed; /* thousandths */
    uint64_t seed;
    uint16_t port;
    int64_t run_ms; /* -1: until a signal */
    bool input, check;
};

struct sim {
    struct options options;
    struct cluster cluster;
    struct scenario scenario;
    struct http *http;
    int64_t start_mono;
    struct buf input; /* a line of commands that is not complete */
    bool input_open;
};

static const char usage[] =
    "Usage: hbase-sim [options] SCENARIO\n"
    "\n"
    "Simulates an HBase cluster on loopback: RegionServers and masters that answer "
    "/jmx,\n"
    "the master's live_servers API and a few pages more, as HBase itself does, while "
    "the\n"
    "scenario says what happens. Prints \"master http://127.0.0.1:PORT\" once it "
    "listens.\n"
    "\n"
    "  --port P         masters listen on P, P+1 ..., servers from P+10 on (0: any)\n"
    "  --ports-file F   writes all addresses to F, as JSON\n"
    "  --speed X        scenario time runs X times as fast; so do the counters, while "
    "the\n"
    "                   times that the answers show stay real\n"
    "  --seed N         other noise and other random choices (1)\n"
    "  --for D          ends by itself after D of real time\n"
    "  --stdin          reads commands from standard input, as after 'at TIME', and\n"
    "                   answers each with a line \"ok\" or \"error REASON\"; ends with "
    "it\n"
    "  --check          reads the scenario and rehearses it without a network\n"
    "  --help           this\n"
    "\n"
    "GET /sim/state on a master gives the exact counters of this moment, as JSON. It "
    "is\n"
    "not HBase's; misbehaviour leaves it alone.\n"
    "\n";

static int
usage_error(const char *what, const char *value)
{
    fprintf(stderr, "hbase-sim: %s '%s'; see --help\n", what, value);
    return -EINVAL;
}

static int
parse_number_option(const char *name, const char *value, uint64_t max, uint64_t *ret)
{
    uint64_t v;

    if (parse_u64(value, strlen(value), &v) < 0 || v > max)
        return usage_error(name, value);
    *ret = v;
    return 0;
}

static int
parse_speed(const char *value, uint64_t *ret)
{
    double v;

    if (parse_double(value, strlen(value), &v) < 0 || v < 0.001 || v > 1000)
        return usage_error("--speed takes 0.001 to 1000, not", value);
    *ret = (uint64_t)(v * 1000 + 0.5);
    return 0;
}

static int
take_option(struct options *o, int option, const char *value)
{
    uint64_t port = 0;
    int r = 0;

    switch (option) {
    case 'p':
        r = parse_number_option("--port takes a port, not", value, 60000, &port);
        o->port = (uint16_t)port;
        return r;
    case 'f':
        o->ports_file = value;
        return 0;
    case 's':
        return parse_speed(value, &o->speed);
    case 'n':
        return parse_number_option("--seed takes a number, not", value, UINT64_MAX,
                                   &o->seed);
    case 't':
        if (parse_duration_ms(value, strlen(value), &o->run_ms) < 0)
            return usage_error("--for takes a duration, not", value);
        return 0;
    case 'i':
        o->input = true;
        return 0;
    case 'c':
        o->check = true;
        return 0;
    case 'h':
        fputs(usage, stdout);
        scenario_help(stdout);
        exit(EXIT_SUCCESS);
    default:
        return -EINVAL; /* getopt has said why */
    }
}

static int
parse_options(int argc, char **argv, struct options *ret)
{
    static const struct option list[] = {
        {"port", required_argument, NULL, 'p'},
        {"ports-file", required_argument, NULL, 'f'},
        {"speed", required_argument, NULL, 's'},
        {"seed", required_argument, NULL, 'n'},
        {"for", required_argument, NULL, 't'},
        {"stdin", no_argument, NULL, 'i'},
        {"check", no_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;

    *ret = (struct options){.speed = 1000, .seed = 1, .run_ms = -1};
    while ((option = getopt_long(argc, argv, "h", list, NULL)) != -1)
        if (take_option(ret, option, optarg) < 0)
            return -EINVAL;
    if (optind != argc - 1)
        return usage_error("one scenario file is needed, besides the options;",
                           optind < argc ? argv[optind + 1] : "none given");
    ret->scenario = argv[optind];
    return 0;
}

static void
print_endpoint(struct json_writer *w, const char *key, const struct endpoint *endpoint)
{
    char url[64];

    snprintf(url, sizeof(url), "http://%s:%u", endpoint->address, endpoint->port);
    json_member_string(w, key, url);
}

static void
print_ports(struct buf *out, const struct cluster *c)
{
    char name[SERVER_NAME_SIZE];
    struct json_writer w;

    json_init(&w, out);
    json_object_begin(&w);
    print_endpoint(&w, "master", &c->masters[0].endpoint);
    if (c->master_count > 1)
        print_endpoint(&w, "backup", &c->masters[1].endpoint);
    json_key(&w, "regionservers");
    json_array_begin(&w);
    for (unsigned i = 0; i < c->server_count; i++) {
        json_object_begin(&w);
        print_endpoint(&w, "url", &c->servers[i].endpoint);
        json_member_string(&w, "server", server_name(&c->servers[i], name));
        json_object_end(&w);
    }
    json_array_end(&w);
    if (c->by_host)
        json_member_u64(&w, "info_port", c->servers[0].endpoint.port);
    json_object_end(&w);
    buf_addc(out, '\n');
}

/* Written beside and renamed, so that a reader never sees half of it. */
static int
write_ports_file(const char *path, const struct cluster *c)
{
    struct buf text, beside;
    FILE *file;
    bool ok = false;

    buf_init(&text, 0);
    buf_init(&beside, 0);
    print_ports(&text, c);
    buf_addf(&beside, "%s.%ld", path, (long)getpid());
    file = fopen(beside.data, "we");
    if (file) {
        ok = fwrite(text.data, 1, text.len, file) == text.len;
        ok = fclose(file) == 0 && ok;
        ok = ok && rename(beside.data, path) == 0;
    }
    if (!ok)
        fprintf(stderr, "hbase-sim: cannot write %s: %s\n", path, strerror(errno));
    buf_finish(&text);
    buf_finish(&beside);
    return ok ? 0 : -EIO;
}

static int64_t
scenario_time(const struct sim *sim, int64_t mono_ms)
{
    return (mono_ms - sim->start_mono) * (int64_t)sim->options.speed / 1000;
}

/* The first monotonic ms at which the scenario has reached t. */
static int64_t
real_time(const struct sim *sim, int64_t t)
{
    int64_t speed = (int64_t)sim->options.speed;

    if (t >= INT64_MAX / 2000)
        return INT64_MAX;
    return sim->start_mono + (t * 1000 + speed - 1) / speed;
}

static void
report(void *user, unsigned line, int64_t t, const struct problem *p)
{
    const struct sim *sim = user;
    char time[DURATION_TEXT_SIZE];

    fprintf(stderr, "hbase-sim: %s:%u: at %s: %s\n", sim->options.scenario, line,
            duration_text(t, time), p->text);
}

static void
catch_up(struct sim *sim, int64_t t)
{
    if (timeline_run(&sim->scenario.timeline, &sim->cluster, t, report, sim) > 0)
        http_sync(sim->http);
}

static void
run_input_line(struct sim *sim, int64_t t, const char *line)
{
    struct problem p = {""};
    struct command *command = scenario_command(line, &p);
    int r = -EINVAL;

    if (command)
        r = command_run(command, &sim->cluster, &sim->scenario.timeline, t, &p);
    command_destroy(command);
    http_sync(sim->http);
    if (r < 0)
        printf("error %s\n", p.text);
    else
        puts("ok");
    fflush(stdout);
}

static void
read_input(struct sim *sim, int64_t t)
{
    char piece[4096];
    ssize_t n = read(STDIN_FILENO, piece, sizeof(piece));
    char *line = sim->input.data;
    char *end;

    if (n <= 0 || sim->input.len > INPUT_LINE_MAX) {
        sim->input_open = false;
        return;
    }
    buf_add(&sim->input, piece, (size_t)n);
    line = sim->input.data;
    while (
        (end = memchr(line, '\n', sim->input.len - (size_t)(line - sim->input.data)))) {
        *end = '\0';
        run_input_line(sim, t, line);
        line = end + 1;
    }
    sim->input.len -= (size_t)(line - sim->input.data);
    memmove(sim->input.data, line, sim->input.len + 1);
}

static int
watch_for(int epoll, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

/* ms until something has to be done, for epoll_wait(). */
static int
time_left(const struct sim *sim, int64_t now)
{
    int64_t next = http_deadline(sim->http);
    int64_t event = real_time(sim, sim->scenario.timeline.next);
    int64_t end =
        sim->options.run_ms < 0 ? INT64_MAX : sim->start_mono + sim->options.run_ms;

    next = event < next ? event : next;
    next = end < next ? end : next;
    if (next <= now)
        return 0;
    return next - now > 60000 ? 60000 : (int)(next - now);
}

static void
loop(struct sim *sim, int epoll, int signals)
{
    for (;;) {
        struct epoll_event events[4];
        int n = epoll_wait(epoll, events, 4, time_left(sim, clock_now().mono_ms));
        int64_t now = clock_now().mono_ms;
        int64_t t = scenario_time(sim, now);

        catch_up(sim, t);
        for (int i = 0; i < n; i++) {
            if (events[i].data.fd == signals)
                return;
            if (events[i].data.fd == STDIN_FILENO)
                read_input(sim, t);
        }
        if (sim->options.input && !sim->input_open)
            return;
        http_turn(sim->http, t, now);
        if (sim->options.run_ms >= 0 && now >= sim->start_mono + sim->options.run_ms)
            return;
    }
}

/* A file on standard input cannot be waited for: it is read at once. */
static void
open_input(struct sim *sim, int epoll)
{
    sim->input_open = true;
    if (watch_for(epoll, STDIN_FILENO) == -EPERM)
        while (sim->input_open)
            read_input(sim, 0);
}

static int
block_signals(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &set, SFD_CLOEXEC);
}

static int
serve(struct sim *sim)
{
    const struct endpoint *master;
    struct problem p = {""};
    int signals = block_signals();
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    int r = -EIO;

    sim->http =
        http_create(&sim->cluster, sim->options.port,
                    sim->scenario.idle * 1000 / (int64_t)sim->options.speed, &p);
    if (!sim->http || signals < 0 || epoll < 0) {
        fprintf(stderr, "hbase-sim: %s\n", sim->http ? strerror(errno) : p.text);
        goto out;
    }
    http_sync(sim->http);
    if (sim->options.ports_file &&
        write_ports_file(sim->options.ports_file, &sim->cluster) < 0)
        goto out;
    master = &sim->cluster.masters[0].endpoint;
    printf("master http://%s:%u\n", master->address, master->port);
    fflush(stdout);
    (void)watch_for(epoll, signals);
    (void)watch_for(epoll, http_fd(sim->http));
    if (sim->options.input)
        open_input(sim, epoll);
    loop(sim, epoll, signals);
    r = 0;
out:
    sim->http = http_destroy(sim->http);
    if (signals >= 0)
        close(signals);
    if (epoll >= 0)
        close(epoll);
    return r;
}

static int
check(struct sim *sim)
{
    size_t tables = sim->cluster.table_count;
    size_t events = sim->scenario.timeline.count;

    if (scenario_rehearse(sim->options.scenario, &sim->cluster, &sim->scenario,
                          stderr) > 0)
        return -EINVAL;
    printf("%s: %u servers, %zu tables, %zu events\n", sim->options.scenario,
           sim->cluster.server_count, tables, events);
    return 0;
}

int
main(int argc, char **argv)
{
    struct sim sim = {0};
    struct moment start = clock_now();
    struct problem p = {""};
    int r;

    if (parse_options(argc, argv, &sim.options) < 0)
        return EXIT_USAGE;
    buf_init(&sim.input, 0);
    cluster_init(&sim.cluster);
    sim.cluster.speed = sim.options.speed;
    sim.cluster.random = sim.options.seed * 2 + 1; /* never 0 */
    sim.cluster.start_wall = start.wall_ms;
    sim.start_mono = start.mono_ms;
    r = scenario_load(sim.options.scenario, &sim.cluster, &sim.scenario, &p);
    if (r < 0)
        fprintf(stderr, "hbase-sim: %s\n", p.text);
    else
        r = sim.options.check ? check(&sim) : serve(&sim);
    timeline_finish(&sim.scenario.timeline);
    cluster_finish(&sim.cluster);
    buf_finish(&sim.input);
    return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
