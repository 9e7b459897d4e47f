/* SPDX-License-Identifier: Apache-2.0 */
/* The server over real sockets: what it answers and what it refuses. */
#include "daemon/http_server.h"

#include <curl/curl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/clock.h"
#include "daemon/http_routes.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/bench.h"

START_TEST(every_route_answers)
{
    begin();
    for (int i = 0; i < ROUTE_COUNT; i++) {
        const char *path = http_routes[i].path;
        long expected = i == ROUTE_RELOAD ? 405 : 200;
        if (i == ROUTE_METRICS)
            path = "/metrics";
        else if (i == ROUTE_REGION)
            path = "/api/v1/regions/858a2c1f000000041122334455667788";
        else if (i == ROUTE_SERIES)
            path = "/api/v1/regions/858a2c1f000000041122334455667788/series";
        else if (i == ROUTE_WEB)
            path = "/web/app.js";
        else if (i == ROUTE_HEATMAP)
            path = "/api/v1/heatmap?table=orders";
        struct reply r = ask((struct ask){.path = path});
        ck_assert_msg(r.status == expected, "%s: %ld", path, r.status);
        ck_assert(has_header(&r, "X-Content-Type-Options: nosniff"));
        ck_assert(has_header(&r, "Cache-Control: no-cache"));
        ck_assert(has_header(&r, "Content-Type: "));
        ck_assert(!has_header(&r, "Access-Control-"));
        struct reply head = ask((struct ask){.path = path, .method = "HEAD"});
        ck_assert_int_eq(head.status, r.status);
        ck_assert_uint_eq(head.body.len, 0);
        char length[64];
        snprintf(length, sizeof length, "Content-Length: %zu\r\n", r.body.len);
        ck_assert_msg(has_header(&head, length), "%s: %s", path, head.head.data);
        reply_finish(&head);
        reply_finish(&r);
    }
    end();
}
END_TEST

START_TEST(wrong_requests_are_refused)
{
    static const struct {
        struct ask ask;
        long status;
        const char *header; /* NULL: any */
    } cases[] = {
        {{.path = "/nowhere"}, 404, "text/plain"},
        {{.path = "/api/v1/nowhere"}, 404, "application/json"},
        {{.path = "/metrics%00x"}, 404, NULL},
        {{.path = "/../metrics"}, 404, NULL},
        {{.path = "/api/v1/status", .method = "PUT"}, 405, "Allow: GET, HEAD"},
        {{.path = "/-/reload"}, 405, "Allow: POST, PUT"},
        {{.path = "/metrics", .method = "OPTIONS"}, 405, "Allow: GET, HEAD"},
        {{.path = "/-/reload", .method = "POST"}, 403, NULL},
        {{.path = "/api/v1/regions?limit=0"}, 400, NULL},
        {{.path = "/api/v1/regions?limit=%31%30001"}, 400, NULL},
        {{.path = "/api/v1/regions?table=%zz"}, 400, NULL},
        {{.path = "/api/v1/regions?nope=1"}, 400, NULL},
        {{.path = "/-/reload", .body = "x"}, 413, NULL},
        {{.path = "/", .body = "x=1"}, 413, NULL},
        {{.path = "/-/reload", .body = "", .header = "Expect: 100-continue"},
         403,
         NULL},
    };

    begin();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct reply r = ask(cases[i].ask);
        ck_assert_msg(r.status == cases[i].status, "%s: %ld", cases[i].ask.path,
                      r.status);
        if (cases[i].header != NULL)
            ck_assert_msg(has_header(&r, cases[i].header), "%s: %s", cases[i].ask.path,
                          r.head.data);
        reply_finish(&r);
    }
    end();
}
END_TEST

/* What curl would not send. */
START_TEST(rude_requests_are_refused)
{
    static const struct {
        const char *text;
        const char *answer;
    } cases[] = {
        {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400"}, /* no Host */
        {"POST /-/reload HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000000\r\n"
         "Expect: 100-continue\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 413"},
        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
         "Connection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
         "HTTP/1.1 413"},
        {"GET http://x/metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
         "HTTP/1.1 404"},
    };

    begin();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buf answer;
        int fd = dial();
        buf_init(&answer, 0);
        say(fd, cases[i].text);
        if (i == 0)
            shutdown(fd, SHUT_WR);
        ck_assert_msg(read_to_end(fd, &answer, false), "%zu stays open", i);
        ck_assert_msg(strncmp(answer.data, cases[i].answer, strlen(cases[i].answer)) ==
                          0,
                      "%zu: %s", i, answer.data);
        buf_finish(&answer);
        close(fd);
    }
    /* A head beyond the memory pool. */
    struct buf answer;
    char line[1024];
    int fd = dial();
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    say(fd, "GET / HTTP/1.1\r\nHost: x\r\nX: ");
    for (int i = 0; i < 64; i++)
        if (send(fd, line, sizeof line - 1, MSG_NOSIGNAL) < 0)
            break;
    buf_init(&answer, 0);
    ck_assert(read_to_end(fd, &answer, false));
    ck_assert_ptr_nonnull(strstr(answer.data, " 431 "));
    buf_finish(&answer);
    close(fd);
    end();
}
END_TEST

START_TEST(metrics_are_compressed_on_demand)
{
    begin();
    struct reply plain = ask((struct ask){.path = "/metrics"});
    struct reply zipped = ask((struct ask){.path = "/metrics", .gzip = true});
    ck_assert(!has_header(&plain, "Content-Encoding"));
    ck_assert(has_header(&zipped, "Content-Encoding: gzip"));
    ck_assert(has_header(&zipped, "Vary: Accept, Accept-Encoding"));
    ck_assert(has_header(&zipped, "text/plain; version=0.0.4; charset=utf-8"));
    ck_assert_str_eq(plain.body.data, zipped.body.data);
    reply_finish(&plain);
    reply_finish(&zipped);
    static const char *const refusals[] = {
        "Accept-Encoding: gzip;q=0", "Accept-Encoding: identity", "Accept-Encoding: br",
        "Accept-Encoding: gzip; q=0.000"};
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        plain = ask((struct ask){.path = "/metrics", .header = refusals[i]});
        ck_assert_msg(!has_header(&plain, "Content-Encoding"), "%s", refusals[i]);
        reply_finish(&plain);
    }
    static const char *const wishes[] = {"Accept-Encoding: br, GZIP",
                                         "Accept-Encoding: deflate;q=0, gzip;q=0.5"};
    for (size_t i = 0; i < sizeof wishes / sizeof wishes[0]; i++) {
        zipped = ask((struct ask){.path = "/metrics", .header = wishes[i]});
        ck_assert_msg(has_header(&zipped, "Content-Encoding: gzip"), "%s", wishes[i]);
        reply_finish(&zipped);
    }
    end();
}
END_TEST

START_TEST(the_page_is_under_a_strict_policy)
{
    begin();
    struct reply r = ask((struct ask){.path = "/"});
    ck_assert(has_header(&r, "Content-Security-Policy: default-src 'none'; script-src "
                             "'self'; style-src 'self'; img-src 'self'; connect-src "
                             "'self'; base-uri 'none'"));
    reply_finish(&r);
    end();
}
END_TEST

START_TEST(requests_are_counted)
{
    begin();
    status_of((struct ask){.path = "/metrics"});
    status_of((struct ask){.path = "/nowhere"});
    status_of((struct ask){.path = "/api/v1/regions?limit=0"});
    for (int64_t until = clock_now().mono_ms + 5000; clock_now().mono_ms < until;)
        if (http_server_connections(server) == 0)
            break;
    ck_assert_uint_eq(atomic_load(&stats->handlers[ROUTE_METRICS].codes[0]), 1);
    ck_assert_uint_eq(atomic_load(&stats->handlers[ROUTE_COUNT].codes[4]), 1);
    ck_assert_uint_eq(atomic_load(&stats->handlers[ROUTE_REGIONS].codes[2]), 1);
    ck_assert_uint_eq(histogram_read(&stats->handlers[ROUTE_METRICS].duration)
                          .cumulative[HISTOGRAM_BUCKETS],
                      1);
    end();
}
END_TEST

START_TEST(several_addresses)
{
    char *addresses[] = {(char *)"127.0.0.1:0", (char *)"localhost:0"};
    struct string_list listen = {addresses, 2};
    struct http_server_options options = test_options(&listen);

    begin_with(&options, NULL);
    for (size_t i = 0; i < 2; i++) {
        url = http_server_url(server, i);
        ck_assert_ptr_nonnull(url);
        ck_assert_ptr_null(strstr(url, ":0"));
        ck_assert_int_eq(status_of((struct ask){.path = "/-/healthy"}), 200);
    }
    ck_assert_ptr_null(http_server_url(server, 2));
    end();
}
END_TEST

START_TEST(addresses_that_cannot_be_had)
{
    static char *const bad[] = {(char *)"nonsense", (char *)"127.0.0.1:99999",
                                (char *)"::1:80", (char *)"192.0.2.1:0"};
    struct buf error;

    begin();
    buf_init(&error, 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct string_list listen = {(char **)&bad[i], 1};
        struct http_server_options options = test_options(&listen);
        buf_reset(&error);
        ck_assert_ptr_null(http_server_create(&options, &context, stats, &error));
        ck_assert_msg(strstr(error.data, bad[i]) != NULL, "%s", error.data);
    }
    char taken[64];
    snprintf(taken, sizeof taken, "%s", url + strlen("http://"));
    char *list[] = {taken};
    struct string_list listen = {list, 1};
    struct http_server_options options = test_options(&listen);
    buf_reset(&error);
    ck_assert_ptr_null(http_server_create(&options, &context, stats, &error));
    ck_assert_ptr_nonnull(strstr(error.data, "in use"));
    buf_finish(&error);
    end();
}
END_TEST

/* ---- all at once ---- */

static void *
ask_around(void *data)
{
    static const char *const paths[] = {"/", "/metrics", "/api/v1/regions?limit=5",
                                        "/api/v1/alerts", "/api/v1/status"};

    (void)data;
    for (int i = 0; i < 60; i++)
        ck_assert_int_eq(status_of((struct ask){.path = paths[i % 5], .gzip = i % 2}),
                         200);
    return NULL;
}

/* Views are replaced while they are read; each is freed in the end. */
START_TEST(views_change_under_load)
{
    pthread_t threads[3];

    begin();
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, ask_around, NULL);
    for (int i = 0; i < 100; i++) {
        publisher_set(&views, fixture_view(&f));
        http_server_sweep(server, clock_now().mono_ms);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    end();
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {every_route_answers,
                                  wrong_requests_are_refused,
                                  rude_requests_are_refused,
                                  metrics_are_compressed_on_demand,
                                  the_page_is_under_a_strict_policy,
                                  requests_are_counted,
                                  several_addresses,
                                  addresses_that_cannot_be_had,
                                  views_change_under_load};

    curl_global_init(CURL_GLOBAL_DEFAULT);
    int status = run_tests("http_server", tests, sizeof tests / sizeof tests[0]);
    curl_global_cleanup();
    return status;
}
