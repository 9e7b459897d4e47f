/* SPDX-License-Identifier: Apache-2.0 */
/* Running a whole collector against stub servers: a configuration for hurried tests,
 * HBase's answers, and waiting for messages. Included by one program each. */
#ifndef TESTS_UNIT_COLLECTORS_COLLECTOR_SUPPORT_H
#define TESTS_UNIT_COLLECTORS_COLLECTOR_SUPPORT_H

#include <check.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/collector.h"
#include "common/alloc.h"
#include "common/clock.h"
#include "tests/unit/collectors/http_stub.h"

#define UNUSED __attribute__((unused))

enum {
    INTERVAL_MS = 200,
    QUICK_MS = 50,
    TIMEOUT_MS = 300,
    PATIENCE_MS = 3000,
    ITEMS = 32
};

/* ---- configuration ---- */

static struct config config;
static char texts[ITEMS * 2][128]; /* strings of the configuration */
static size_t text_count;
static char *masters[ITEMS], *targets[ITEMS];

/* "<host>:<port>", living as long as the test. */
static UNUSED char *
address_text(const char *host, unsigned port)
{
    char *text = texts[text_count++];

    ck_assert_uint_le(text_count, ITEMS * 2);
    snprintf(text, sizeof texts[0], "%s:%u", host, port);
    return text;
}

static UNUSED void
config_reset(void)
{
    text_count = 0;
    config = (struct config){
        .poll = {.jmx = true,
                 .interval_ms = INTERVAL_MS,
                 .timeout_ms = TIMEOUT_MS,
                 .max_in_flight = 64,
                 .max_body = 64 * 1024},
        .topology = {.source = TOPOLOGY_NONE,
                     .api_max_regions = 1000,
                     .interval_ms = 600000,
                     .timeout_ms = 1000},
        .regionservers = {.info_port = 1},
    };
    config.masters.items = masters;
    config.regionservers.static_targets.items = targets;
}

static UNUSED void
add_master(unsigned port)
{
    masters[config.masters.count++] = address_text("http://127.0.0.1", port);
}

static UNUSED void
add_target(unsigned port)
{
    targets[config.regionservers.static_targets.count++] =
        address_text("127.0.0.1", port);
}

/* ---- answers ---- */

#define REGION "8fdfb7ba2f0016f124b59812a3ca60a3"
#define ATTRIBUTE "Namespace_default_table_t_region_" REGION "_metric_"

/* A RegionServer's beans. */
static UNUSED void
answer_beans(struct stub_reply *reply, const char *server, unsigned reads)
{
    char body[2048];

    snprintf(
        body, sizeof body,
        "{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=Regions\","
        "\"modelerType\":\"RegionServer,sub=Regions\","
        "\"" ATTRIBUTE "readRequestCount\":%u,\"" ATTRIBUTE "writeRequestCount\":7},"
        "{\"name\":\"Hadoop:service=HBase,name=RegionServer,sub=Server\","
        "\"modelerType\":\"RegionServer,sub=Server\","
        "\"tag.serverName\":\"%s\",\"regionCount\":1}]}",
        reads, server);
    stub_answer(reply, 200, "", body);
}

static UNUSED void
answer_no_beans(struct stub_reply *reply)
{
    stub_answer(reply, 200, "", "{\n  \"beans\": []\n}");
}

static UNUSED void
answer_master(struct stub_reply *reply, const char *path, const char *name, bool active,
              const char *live, double load)
{
    char body[2048];

    if (strstr(path, "sub=Server") == NULL)
        snprintf(body, sizeof body,
                 "{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=Master,"
                 "sub=AssignmentManager\",\"ritCount\":2}]}");
    else
        snprintf(
            body, sizeof body,
            "{\"beans\":[{\"name\":\"Hadoop:service=HBase,name=Master,sub=Server\","
            "\"tag.liveRegionServers\":\"%s\",\"tag.deadRegionServers\":\"\","
            "\"tag.serverName\":\"%s\",\"tag.clusterId\":\"c\","
            "\"tag.isActiveMaster\":\"%s\",\"averageLoad\":%g,"
            "\"numRegionServers\":%d}]}",
            active ? live : "", name, active ? "true" : "false", load, active ? 1 : 0);
    stub_answer(reply, 200, "", body);
}

/* live_servers with one region on one server. */
static UNUSED void
answer_live_servers(struct stub_reply *reply, const char *server, unsigned info_port)
{
    char body[2048];

    snprintf(body, sizeof body,
             "{\"data\":[{\"server_name\":{\"server_name\":\"%s\",\"start_code\":1},"
             "\"info_server_port\":%u,\"region_status\":{"
             "\"t,,1700000000000." REGION ".\":{\"name\":\"t,,1700000000000." REGION
             ".\","
             "\"store_file_size\":1048576.0,\"write_request_count\":7,"
             "\"read_request_count\":15,\"data_locality\":1.0}},"
             "\"report_timestamp\":1700000100000}]}",
             server, info_port);
    stub_answer(reply, 200, "", body);
}

static UNUSED bool
asks_combined(const char *path)
{
    return strncmp(path, "/jmx?get=", 9) == 0;
}

/* ---- messages ---- */

static struct collector *collector;
static struct message *messages[4096]; /* in the order of arrival; ours */
static size_t message_count;

static UNUSED void
start_collector(void)
{
    char *error = NULL;

    collector = collector_create(&config, &error);
    ck_assert_msg(collector != NULL, "%s", error);
}

static UNUSED void
forget_messages(void)
{
    for (size_t i = 0; i < message_count; i++)
        message_destroy(messages[i]);
    message_count = 0;
}

static UNUSED void
stop_collector(void)
{
    collector = collector_destroy(collector);
    forget_messages();
}

/* Waits up to wait_ms for messages and takes them. */
static UNUSED void
take_messages(int64_t wait_ms)
{
    struct pollfd fd = {.fd = collector_fd(collector), .events = POLLIN};

    poll(&fd, 1, wait_ms < 0 ? 0 : (int)wait_ms);
    for (struct message *m = collector_take(collector), *next; m != NULL; m = next) {
        next = m->next;
        ck_assert_uint_lt(message_count, sizeof messages / sizeof messages[0]);
        messages[message_count++] = m;
    }
}

/* True if the message is one that is meant. */
typedef bool match_fn(const struct message *m, const void *argument);

static UNUSED size_t
count_messages(match_fn *match, const void *argument)
{
    size_t n = 0;

    for (size_t i = 0; i < message_count; i++)
        n += match(messages[i], argument);
    return n;
}

static UNUSED const struct message *
last_message(match_fn *match, const void *argument)
{
    for (size_t i = message_count; i > 0; i--) {
        if (match(messages[i - 1], argument))
            return messages[i - 1];
    }
    return NULL;
}

/* Waits until so many have come; returns the newest. */
static UNUSED const struct message *
await(size_t count, match_fn *match, const void *argument, const char *what)
{
    int64_t end = clock_now().mono_ms + PATIENCE_MS;

    while (count_messages(match, argument) < count) {
        int64_t left = end - clock_now().mono_ms;
        ck_assert_msg(left > 0, "%s: %zu of %zu came", what,
                      count_messages(match, argument), count);
        take_messages(left);
    }
    return last_message(match, argument);
}

static UNUSED void
collect_for(int64_t ms)
{
    int64_t end = clock_now().mono_ms + ms;

    for (int64_t left = ms; left > 0; left = end - clock_now().mono_ms)
        take_messages(left);
}

static UNUSED bool
is_poll_of(const struct message *m, const void *port)
{
    char part[32];

    snprintf(part, sizeof part, ":%u", *(const unsigned *)port);
    return m->kind == MESSAGE_POLL && strstr(m->poll.url, part) != NULL;
}

static UNUSED bool
is_good_poll_of(const struct message *m, const void *port)
{
    return is_poll_of(m, port) && m->poll.outcome == POLL_OK;
}

static UNUSED bool
is_kind(const struct message *m, const void *kind)
{
    return m->kind == *(const enum message_kind *)kind;
}

static UNUSED bool
is_failure_with(const struct message *m, const void *part)
{
    return m->kind == MESSAGE_SOURCE && m->report.outcome != POLL_OK &&
           strstr(m->report.error, part) != NULL;
}

static UNUSED const struct message *
await_kind(size_t count, enum message_kind kind)
{
    return await(count, is_kind, &kind, "messages of a kind");
}

static UNUSED size_t
count_kind(enum message_kind kind)
{
    return count_messages(is_kind, &kind);
}

static UNUSED const struct message *
last_kind(enum message_kind kind)
{
    return last_message(is_kind, &kind);
}

#endif
