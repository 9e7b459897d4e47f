/* SPDX-License-Identifier: Apache-2.0 */
/* The fetcher against servers that misbehave: each request ends in bounded time with
 * its own outcome while a good server beside it is asked without a pause. */
#include "tests/unit/common/harness.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <zlib.h>

#include "collectors/credentials.h"
#include "collectors/fetch.h"
#include "common/alloc.h"
#include "common/clock.h"
#include "tests/unit/collectors/http_stub.h"
#include "tests/unit/temp_dir.h"

enum { TIMEOUT_MS = 300, GOOD_MS = 150, MAX_BODY = 1024 * 1024 };

#define OK_HEAD "HTTP/1.1 200 OK\r\nConnection: close\r\n"

static struct buf bomb; /* gzip of 64 MiB of zeros */

/* ---- servers ---- */

static void
say(struct stub_reply *reply, enum stub_way way, const char *text)
{
    buf_adds(&reply->bytes, text);
    reply->way = way;
}

static void
serve(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    const char *how = user;

    (void)path;
    (void)head;
    if (strcmp(how, "good") == 0)
        stub_answer(reply, 200, "", "{\"beans\":[]}");
    else if (strcmp(how, "silent") == 0)
        say(reply, STUB_HANG, "");
    else if (strcmp(how, "half") == 0)
        say(reply, STUB_HANG, OK_HEAD "Content-Length: 100\r\n\r\n{\"beans\":");
    else if (strcmp(how, "drip") == 0)
        say(reply, STUB_DRIP, OK_HEAD "Content-Length: 100\r\n\r\n{\"beans\":");
    else if (strcmp(how, "garbage") == 0)
        say(reply, STUB_CLOSE, "\x01\x02SSH-2.0-OpenSSH\r\n\r\n");
    else if (strcmp(how, "401") == 0)
        stub_answer(reply, 401, "WWW-Authenticate: Negotiate\r\n", "<html>no</html>");
    else if (strcmp(how, "403") == 0)
        stub_answer(reply, 403, "", "no");
    else if (strcmp(how, "404") == 0)
        stub_answer(reply, 404, "", "<html>none</html>");
    else if (strcmp(how, "302") == 0)
        stub_answer(reply, 302, "Location: file:///etc/pass\x1bwd\r\n", "");
    else if (strcmp(how, "endless-404") == 0) {
        say(reply, STUB_REPEAT, "HTTP/1.1 404 X\r\n\r\n");
        reply->again = "<html>";
    } else if (strcmp(how, "cut") == 0)
        say(reply, STUB_CLOSE, OK_HEAD "Content-Length: 100\r\n\r\n{\"beans\":[]}");
    else if (strcmp(how, "chunked") == 0)
        say(reply, STUB_CLOSE,
            OK_HEAD "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"bea\r\n7\r\nns\":[]}\r\n"
                    "0\r\n\r\n");
    else if (strcmp(how, "chunked-cut") == 0)
        say(reply, STUB_CLOSE,
            OK_HEAD "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"bea\r\n7\r\nns\"");
    else if (strcmp(how, "bad-chunk") == 0)
        say(reply, STUB_CLOSE, OK_HEAD "Transfer-Encoding: chunked\r\n\r\nzz\r\n{\r\n");
    else if (strcmp(how, "bomb") == 0) {
        say(reply, STUB_CLOSE, OK_HEAD "Content-Encoding: gzip\r\n\r\n");
        buf_add(&reply->bytes, bomb.data, bomb.len);
    } else if (strcmp(how, "bad-gzip") == 0)
        say(reply, STUB_CLOSE, OK_HEAD "Content-Encoding: gzip\r\n\r\nno gzip at all");
    else if (strcmp(how, "endless") == 0) {
        say(reply, STUB_REPEAT, OK_HEAD "\r\n{\"beans\":[");
        reply->again = "0,";
    } else if (strcmp(how, "headers") == 0) {
        say(reply, STUB_REPEAT, OK_HEAD);
        reply->again = "X-Filler: 0123456789\r\n";
    } else if (strcmp(how, "few-large-headers") == 0) {
        static char filler[40000];
        memset(filler, 'x', sizeof filler - 1);
        say(reply, STUB_CLOSE, OK_HEAD);
        for (int i = 0; i < 2; i++)
            buf_addf(&reply->bytes, "X-%d: %s\r\n", i, filler);
        buf_adds(&reply->bytes, "\r\n{}");
    } else if (strcmp(how, "many-headers") == 0) {
        say(reply, STUB_CLOSE, OK_HEAD);
        for (int i = 0; i < 300; i++)
            buf_addf(&reply->bytes, "X-%d: %d\r\n", i, i);
        buf_adds(&reply->bytes, "\r\n{}");
    } else if (strcmp(how, "one-header") == 0) {
        say(reply, STUB_REPEAT, OK_HEAD "X-Filler: ");
        reply->again = "0123456789";
    } else if (strcmp(how, "continue") == 0) {
        say(reply, STUB_REPEAT, "");
        reply->again = "HTTP/1.1 100 Continue\r\n\r\n";
        buf_adds(&reply->bytes, reply->again);
    } else if (strcmp(how, "close") == 0)
        say(reply, STUB_CLOSE, "");
    else
        ck_abort_msg("no such server: %s", how);
}

/* ---- requests ---- */

struct shot {
    bool done;
    enum poll_outcome outcome;
    bool stopped;
    long status;
    uint64_t bytes;
    int64_t took_ms;
    char *error;
    struct buf body;
    size_t want; /* the body function refuses what is beyond; 0: takes all */
    int64_t begun_ms;
};

static struct stub *stub;
static struct credentials *credentials;
static struct auth_config auth;

static bool
on_body(void *user, const char *data, size_t len)
{
    struct shot *s = user;

    buf_add(&s->body, data, len);
    return s->want == 0 || s->body.len <= s->want;
}

static void
on_done(void *user, const struct fetch_result *result)
{
    struct shot *s = user;

    s->done = true;
    s->outcome = result->outcome;
    s->stopped = result->stopped;
    s->status = result->http_status;
    s->bytes = result->bytes;
    s->took_ms = result->ended.mono_ms - s->begun_ms;
    s->error = result->error != NULL ? xstrdup(result->error) : NULL;
}

static struct fetch *
shoot(struct fetcher *f, struct shot *s, const char *base, const char *path)
{
    *s = (struct shot){.begun_ms = clock_now().mono_ms, .want = s->want};
    buf_init(&s->body, 0);
    return fetch_start(f, &(struct fetch_request){
                              .base = base,
                              .path = path,
                              .timeout_ms = TIMEOUT_MS,
                              .max_body = MAX_BODY,
                              .body = on_body,
                              .done = on_done,
                              .user = s,
                          });
}

static void
shot_finish(struct shot *s)
{
    free(s->error);
    buf_finish(&s->body);
}

static void
turn(struct fetcher *f)
{
    fetcher_wait(f, NULL, 0, 1000);
    fetcher_perform(f);
}

static void
setup(void)
{
    stub = stub_create();
    credentials = credentials_create(&auth);
}

static void
teardown(void)
{
    stub = stub_destroy(stub);
    credentials = credentials_destroy(credentials);
}

struct expected {
    const char *how;
    enum poll_outcome outcome;
    long status; /* -1: any */
    const char *error;
};

static const struct expected misbehaviours[] = {
    {"good", POLL_OK, 200, NULL},
    {"silent", POLL_TIMEOUT, 0, "no answer (Operation timed out after"},
    {"half", POLL_TIMEOUT, 200, "the answer did not end"},
    {"drip", POLL_TIMEOUT, -1, "expected a complete answer within 300ms"},
    {"garbage", POLL_BAD_RESPONSE, -1, "that is not HTTP"},
    {"401", POLL_AUTH, 401, "HTTP status 401, the server wants 'Negotiate'"},
    {"403", POLL_AUTH, 403, "HTTP status 403"},
    {"404", POLL_HTTP_STATUS, 404, "HTTP status 404, expected 200"},
    {"302", POLL_HTTP_STATUS, 302, "302 to 'file:///etc/pass\\x1Bwd'"},
    {"endless-404", POLL_HTTP_STATUS, 404, "404"},
    {"cut", POLL_PARSE, 200, "cut short"},
    {"chunked", POLL_OK, 200, NULL},
    {"chunked-cut", POLL_PARSE, 200, "cut short"},
    {"bad-chunk", POLL_CONNECT, 200, "the connection broke"},
    {"bomb", POLL_TOO_LARGE, 200, "longer than 1048576 bytes"},
    {"bad-gzip", POLL_PARSE, 200, "compressed answer"},
    {"endless", POLL_TOO_LARGE, 200, "longer than 1048576 bytes"},
    {"headers", POLL_TOO_LARGE, -1, "headers do not end"},
    {"few-large-headers", POLL_TOO_LARGE, -1, "headers do not end"},
    {"many-headers", POLL_TOO_LARGE, -1, "headers do not end"},
    {"one-header", POLL_TOO_LARGE, -1, "header is too large"},
    {"continue", POLL_TOO_LARGE, -1, "headers do not end"},
    {"close", POLL_CONNECT, 0, "closed without an answer"},
};
enum { MISBEHAVIOURS = sizeof misbehaviours / sizeof misbehaviours[0] };

static void
check_shot(const struct expected *e, const struct shot *s)
{
    ck_assert_msg(s->outcome == e->outcome, "%s: %s: %s", e->how,
                  poll_outcome_name(s->outcome), s->error);
    if (e->status >= 0)
        ck_assert_msg(s->status == e->status, "%s: status %ld", e->how, s->status);
    ck_assert_msg((e->error == NULL) == (s->error == NULL), "%s", e->how);
    if (e->error != NULL)
        ck_assert_msg(strstr(s->error, e->error) != NULL, "%s: %s", e->how, s->error);
    if (e->error != NULL)
        ck_assert_msg(strstr(s->error, "/jmx'") != NULL &&
                          strchr(s->error, '?') == NULL,
                      "%s: %s", e->how, s->error);
    ck_assert_msg(s->took_ms < TIMEOUT_MS + 300, "%s: %d ms", e->how, (int)s->took_ms);
    if (e->outcome == POLL_OK)
        ck_assert_str_eq(s->body.data, "{\"beans\":[]}");
    ck_assert_uint_eq(s->bytes, s->body.len);
    ck_assert_uint_le(s->bytes, MAX_BODY);
}

START_TEST(each_misbehaviour_has_its_outcome)
{
    char bases[MISBEHAVIOURS][64];
    struct shot shots[MISBEHAVIOURS] = {0};
    struct shot good = {0};
    unsigned turns = 0;
    size_t open = MISBEHAVIOURS;

    for (size_t i = 0; i < MISBEHAVIOURS; i++)
        snprintf(bases[i], sizeof bases[i], "http://127.0.0.1:%u",
                 stub_listen(stub, serve, (void *)misbehaviours[i].how));
    stub_start(stub);
    struct fetcher *f = fetcher_create(64, true, credentials);
    for (size_t i = 0; i < MISBEHAVIOURS; i++)
        shoot(f, &shots[i], bases[i], "/jmx?get=long");
    /* The good one is asked again and again meanwhile. */
    shoot(f, &good, bases[0], "/jmx");
    while (open > 0) {
        turn(f);
        open = 0;
        for (size_t i = 0; i < MISBEHAVIOURS; i++)
            open += !shots[i].done;
        if (good.done) {
            ck_assert_int_eq(good.outcome, POLL_OK);
            ck_assert_int_lt(good.took_ms, GOOD_MS);
            shot_finish(&good);
            shoot(f, &good, bases[0], "/jmx");
            turns++;
        }
    }
    ck_assert_uint_ge(turns, TIMEOUT_MS / GOOD_MS);
    for (size_t i = 0; i < MISBEHAVIOURS; i++) {
        check_shot(&misbehaviours[i], &shots[i]);
        shot_finish(&shots[i]);
    }
    fetcher_destroy(f); /* one is still under way */
    shot_finish(&good);
}
END_TEST

START_TEST(nobody_there)
{
    struct shot refused = {0}, unknown = {0}, scheme = {0}, user = {0};
    char base[64];
    unsigned port = stub_listen(stub, serve, (void *)"good");

    stub_start(stub);
    stub_refuse(stub, port);
    snprintf(base, sizeof base, "http://127.0.0.1:%u", port);
    struct fetcher *f = fetcher_create(4, false, credentials);
    shoot(f, &refused, base, "/jmx");
    shoot(f, &unknown, "http://no-such-host.invalid:1", "/jmx");
    shoot(f, &scheme, "file:///etc/passwd", "");
    shoot(f, &user, "http://u:p@127.0.0.1:1", "/jmx");
    while (!refused.done || !unknown.done || !scheme.done || !user.done)
        turn(f);
    /* The stub may have taken one connection before it heard. */
    ck_assert(refused.outcome == POLL_CONNECT || refused.outcome == POLL_OK);
    ck_assert(unknown.outcome == POLL_DNS || unknown.outcome == POLL_TIMEOUT);
    ck_assert_int_eq(scheme.outcome, POLL_BAD_RESPONSE);
    ck_assert_int_ne(user.outcome, POLL_OK);
    ck_assert_uint_eq(scheme.bytes, 0);
    shot_finish(&refused);
    shot_finish(&unknown);
    shot_finish(&scheme);
    shot_finish(&user);
    fetcher_destroy(f);
}
END_TEST

START_TEST(the_reader_may_stop_it)
{
    struct shot s = {.want = 1000};
    char base[64];

    snprintf(base, sizeof base, "http://127.0.0.1:%u",
             stub_listen(stub, serve, (void *)"endless"));
    stub_start(stub);
    struct fetcher *f = fetcher_create(4, false, credentials);
    shoot(f, &s, base, "/jmx");
    while (!s.done)
        turn(f);
    ck_assert_int_eq(s.outcome, POLL_OK);
    ck_assert(s.stopped);
    ck_assert_ptr_null(s.error);
    shot_finish(&s);
    fetcher_destroy(f);
}
END_TEST

static void
keep_head(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)path;
    buf_reset(user);
    buf_adds(user, head);
    stub_answer(reply, 200, "", "{\"beans\":[]}");
}

START_TEST(requests_say_who_asks)
{
    struct shot s = {0};
    struct buf head;
    char base[64];

    buf_init(&head, 0);
    snprintf(base, sizeof base, "http://127.0.0.1:%u",
             stub_listen(stub, keep_head, &head));
    stub_start(stub);
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    struct fetcher *f = fetcher_create(4, false, credentials);
    shoot(f, &s, base, "/jmx?get=a%7Cb");
    while (!s.done)
        turn(f);
    unsetenv("http_proxy");
    ck_assert_int_eq(s.outcome, POLL_OK);
    shot_finish(&s);
    fetcher_destroy(f);
    stub_destroy(stub);
    ck_assert_int_eq(strncmp(head.data, "GET /jmx?get=a%7Cb HTTP/1.1\r\n", 29), 0);
    ck_assert_ptr_nonnull(strstr(head.data, "User-Agent: hotspotd/"));
    ck_assert_ptr_nonnull(strstr(head.data, "Accept: application/json\r\n"));
    ck_assert_ptr_null(strstr(head.data, "Accept-Encoding"));
    ck_assert_ptr_null(strstr(head.data, "Authorization"));
    buf_finish(&head);
    stub = stub_create();
}
END_TEST

static void
serve_cookie(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    atomic_uint *with_cookie = user;

    (void)path;
    if (strstr(head, "Cookie: hadoop.auth=ticket\r\n") != NULL)
        atomic_fetch_add(with_cookie, 1);
    stub_answer(reply, 200, "Set-Cookie: hadoop.auth=ticket; HttpOnly\r\n", "{}");
}

START_TEST(cookies_are_kept_with_negotiate_only)
{
    atomic_uint with_cookie = 0;
    char base[64];

    snprintf(base, sizeof base, "http://127.0.0.1:%u",
             stub_listen(stub, serve_cookie, &with_cookie));
    stub_start(stub);
    for (int negotiate = 0; negotiate < 2; negotiate++) {
        auth.type = negotiate ? AUTH_NEGOTIATE : AUTH_NONE;
        struct fetcher *f = fetcher_create(4, false, credentials);
        for (int i = 0; i < 3; i++) {
            struct shot s = {0};
            shoot(f, &s, base, "/jmx");
            while (!s.done)
                turn(f);
            ck_assert_int_eq(s.outcome, POLL_OK);
            shot_finish(&s);
        }
        fetcher_destroy(f);
        ck_assert_uint_eq(atomic_load(&with_cookie), negotiate ? 2 : 0);
    }
    auth.type = AUTH_NONE;
}
END_TEST

static void
serve_password(void *user, const char *path, const char *head, struct stub_reply *reply)
{
    (void)user;
    (void)path;
    /* base64("me:se:cret") */
    if (strstr(head, "Authorization: Basic bWU6c2U6Y3JldA==\r\n") != NULL)
        stub_answer(reply, 200, "", "{}");
    else
        stub_answer(reply, 401, "", "");
}

START_TEST(passwords_come_from_a_file)
{
    struct shot s = {0};
    char base[64];
    char *error = NULL;

    snprintf(base, sizeof base, "http://127.0.0.1:%u",
             stub_listen(stub, serve_password, NULL));
    stub_start(stub);
    temp_file("password", "se:cret\n");
    auth = (struct auth_config){.type = AUTH_BASIC,
                                .username = "me",
                                .password_file = (char *)temp_path("nosuch")};
    ck_assert_int_eq(credentials_refresh(credentials, &error), -ENOENT);
    ck_assert_ptr_nonnull(strstr(error, "nosuch'"));
    free(error);
    auth.password_file = (char *)temp_path("password");
    ck_assert_int_eq(credentials_refresh(credentials, &error), 0);
    struct fetcher *f = fetcher_create(4, false, credentials);
    shoot(f, &s, base, "/jmx");
    while (!s.done)
        turn(f);
    ck_assert_int_eq(s.outcome, POLL_OK);
    shot_finish(&s);
    fetcher_destroy(f);
    auth = (struct auth_config){0};
}
END_TEST

START_TEST(cancelled_requests_are_silent)
{
    struct shot slow = {0}, good = {0};
    char bases[2][64];

    snprintf(bases[0], sizeof bases[0], "http://127.0.0.1:%u",
             stub_listen(stub, serve, (void *)"silent"));
    snprintf(bases[1], sizeof bases[1], "http://127.0.0.1:%u",
             stub_listen(stub, serve, (void *)"good"));
    stub_start(stub);
    struct fetcher *f = fetcher_create(4, false, credentials);
    struct fetch *fetch = shoot(f, &slow, bases[0], "/jmx");
    shoot(f, &good, bases[1], "/jmx");
    while (!good.done)
        turn(f);
    fetch_cancel(fetch);
    fetch_cancel(NULL);
    fetcher_wait(f, NULL, 0, 20);
    fetcher_perform(f);
    ck_assert(!slow.done);
    shot_finish(&slow);
    shot_finish(&good);
    fetcher_destroy(f);
}
END_TEST

static void
make_bomb(void)
{
    static char zeros[65536];
    z_stream z = {0};

    buf_init(&bomb, 0);
    deflateInit2(&z, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
    for (int i = 0; i <= 1024; i++) {
        char out[65536];
        z.next_in = (Bytef *)zeros;
        z.avail_in = i < 1024 ? sizeof zeros : 0;
        do {
            z.next_out = (Bytef *)out;
            z.avail_out = sizeof out;
            deflate(&z, i < 1024 ? Z_NO_FLUSH : Z_FINISH);
            buf_add(&bomb, out, sizeof out - z.avail_out);
        } while (z.avail_out == 0);
    }
    deflateEnd(&z);
}

int
main(void)
{
    const TTest *const tests[] = {
        each_misbehaviour_has_its_outcome,
        nobody_there,
        the_reader_may_stop_it,
        requests_say_who_asks,
        cancelled_requests_are_silent,
        cookies_are_kept_with_negotiate_only,
        passwords_come_from_a_file,
    };
    Suite *suite = suite_create("fetch");
    TCase *tcase = tcase_create("fetch");

    temp_dir_create();
    make_bomb();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    tcase_add_checked_fixture(tcase, setup, teardown);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    buf_finish(&bomb);
    temp_dir_remove();
    curl_global_cleanup();
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
