/* SPDX-License-Identifier: Apache-2.0 */
/* The server over real sockets: deadlines, limits, and reloads that wait. */
#include "daemon/http_server.h"

#include <curl/curl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/clock.h"
#include "daemon/reload_gate.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/bench.h"

START_TEST(slow_heads_are_cut)
{
    struct http_server_options options = test_options(&one_address);
    struct buf answer;

    options.deadlines =
        (struct http_deadlines){.idle_ms = 60000, .head_ms = 200, .request_ms = 60000};
    begin_with(&options, NULL);
    int silent = dial(), half = dial();
    int64_t started = clock_now().mono_ms;
    say(half, "GET /metrics HTTP/1.1\r\nHost: x\r\nX: ");
    buf_init(&answer, 0);
    ck_assert(read_to_end(half, &answer, true));
    ck_assert(read_to_end(silent, &answer, true));
    ck_assert_uint_eq(answer.len, 0);
    int64_t took = clock_now().mono_ms - started;
    ck_assert_msg(took >= 190 && took < 5000, "%d ms", (int)took);
    ck_assert_uint_eq(atomic_load(&stats->cut), 2);
    /* Others are served meanwhile and afterwards. */
    ck_assert_int_eq(status_of((struct ask){.path = "/-/healthy"}), 200);
    buf_finish(&answer);
    close(silent);
    close(half);
    end();
}
END_TEST

START_TEST(kept_connections_live_by_the_idle_time)
{
    struct http_server_options options = test_options(&one_address);
    struct buf answer;

    options.deadlines =
        (struct http_deadlines){.idle_ms = 100, .head_ms = 50, .request_ms = 60000};
    begin_with(&options, NULL);
    int fd = dial();
    int64_t started = clock_now().mono_ms;
    say(fd, "GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n");
    buf_init(&answer, 0);
    ck_assert(read_to_end(fd, &answer, true));
    ck_assert_ptr_nonnull(strstr(answer.data, "200 OK"));
    ck_assert_int_ge(clock_now().mono_ms - started, 140);
    buf_finish(&answer);
    close(fd);
    end();
}
END_TEST

/* A reader that takes nothing: the answer is given up at the deadline and its view
 * freed. */
START_TEST(slow_readers_are_cut)
{
    struct http_server_options options = test_options(&one_address);
    int small = 4096;

    options.deadlines =
        (struct http_deadlines){.idle_ms = 60000, .head_ms = 60000, .request_ms = 200};
    begin_with(&options, NULL);
    struct view *view = publisher_get(&views);
    /* More than the sockets' buffers hold. */
    free(view->metrics);
    view->metrics_len = 32 << 20;
    view->metrics = xmalloc(view->metrics_len);
    memset(view->metrics, '#', view->metrics_len);
    int fd = dial();
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    say(fd, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    int64_t until = clock_now().mono_ms + 10000;
    while (atomic_load(&view->refs) < 3 && clock_now().mono_ms < until)
        usleep(1000);
    while (atomic_load(&view->refs) > 2 && clock_now().mono_ms < until) {
        http_server_sweep(server, clock_now().mono_ms);
        usleep(1000);
    }
    ck_assert_uint_eq(atomic_load(&view->refs), 2); /* published, and ours */
    ck_assert_uint_eq(atomic_load(&stats->cut), 1);
    view_unref(view);
    close(fd);
    end();
}
END_TEST

START_TEST(scrapes_and_large_answers_are_limited)
{
    struct http_server_options options = test_options(&one_address);

    options.max_scrapes = 0;
    options.max_answer_bytes = 100;
    begin_with(&options, NULL);
    ck_assert_int_eq(status_of((struct ask){.path = "/metrics"}), 503);
    ck_assert_int_eq(status_of((struct ask){.path = "/api/v1/regions"}), 503);
    ck_assert_int_eq(status_of((struct ask){.path = "/-/healthy"}), 200);
    ck_assert_int_eq(status_of((struct ask){.path = "/api/v1/targets"}), 200);
    end();
}
END_TEST

START_TEST(one_client_has_a_quarter_of_the_connections)
{
    struct http_server_options options = test_options(&one_address);
    int fds[8];
    struct buf answer;

    options.max_connections = 16; /* 4 for one address */
    begin_with(&options, NULL);
    buf_init(&answer, 0);
    for (int i = 0; i < 4; i++) {
        char chunk[1024];
        fds[i] = dial();
        say(fds[i], "GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n");
        ck_assert_int_gt(recv(fds[i], chunk, sizeof chunk, 0), 0);
    }
    fds[4] = dial();
    ck_assert(read_to_end(fds[4], &answer, false));
    ck_assert_uint_eq(answer.len, 0);
    for (int i = 0; i < 5; i++)
        close(fds[i]);
    buf_finish(&answer);
    end();
}
END_TEST

/* ---- reload ---- */

struct reloader {
    struct reload_gate *gate;
    const char *error;
    bool late; /* the report on an earlier request comes first */
};

/* The main thread's part. */
static void *
reload_once(void *data)
{
    struct reloader *r = data;
    struct pollfd p = {reload_gate_fd(r->gate), POLLIN, 0};

    ck_assert_int_eq(poll(&p, 1, 10000), 1);
    if (r->late) {
        reload_gate_report(r->gate, "of the one before");
        poll(NULL, 0, 20); /* time in which nothing may happen */
    }
    reload_gate_accept(r->gate);
    reload_gate_report(r->gate, r->error);
    return NULL;
}

static struct reply
reload(struct reload_gate *gate, const char *error, bool late, struct ask a)
{
    struct reloader r = {gate, error, late};
    pthread_t thread;

    pthread_create(&thread, NULL, reload_once, &r);
    struct reply reply = ask(a);
    pthread_join(thread, NULL);
    return reply;
}

START_TEST(reload_waits_for_the_main_thread)
{
    struct http_server_options options = test_options(&one_address);
    struct reload_gate *gate = reload_gate_create(300);

    begin_with(&options, gate);
    struct ask post = {.path = "/-/reload", .method = "POST"};
    struct reply r = reload(gate, NULL, false, post);
    ck_assert_int_eq(r.status, 200);
    reply_finish(&r);
    r = reload(gate, "f.yaml:3:4: bad", false,
               (struct ask){.path = "/-/reload", .method = "PUT"});
    ck_assert_int_eq(r.status, 500);
    ck_assert_ptr_nonnull(strstr(r.body.data, "f.yaml:3:4: bad"));
    reply_finish(&r);
    /* Nobody reports: the answer comes in bounded time. */
    ck_assert_int_eq(status_of(post), 500);
    /* The late report is not the next one's. */
    reload_gate_accept(gate);
    r = reload(gate, NULL, true, post);
    ck_assert_int_eq(r.status, 200);
    reply_finish(&r);
    /* Other origins may not; the own one may. */
    post.header = "Origin: http://evil.example";
    ck_assert_int_eq(status_of(post), 403);
    post.header = "Origin: null";
    ck_assert_int_eq(status_of(post), 403);
    char own[128];
    snprintf(own, sizeof own, "Origin: %s", url);
    post.header = own;
    r = reload(gate, NULL, false, post);
    ck_assert_int_eq(r.status, 200);
    reply_finish(&r);
    ck_assert_int_eq(status_of((struct ask){.path = "/-/reload"}), 405);
    reload_gate_close(gate);
    post.header = NULL;
    ck_assert_int_eq(status_of(post), 503);
    end();
    reload_gate_destroy(gate);
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {slow_heads_are_cut,
                                  kept_connections_live_by_the_idle_time,
                                  slow_readers_are_cut,
                                  scrapes_and_large_answers_are_limited,
                                  one_client_has_a_quarter_of_the_connections,
                                  reload_waits_for_the_main_thread};

    curl_global_init(CURL_GLOBAL_DEFAULT);
    int status = run_tests("http_limits", tests, sizeof tests / sizeof tests[0]);
    curl_global_cleanup();
    return status;
}
