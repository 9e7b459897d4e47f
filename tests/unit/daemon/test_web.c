/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard's files and entity tags. What the page does is tested in a browser
 * (tests/browser). */
#include <string.h>
#include <zlib.h>

#include "daemon/web_files.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/daemon/fixture.h"

static struct fixture f;
static struct view *view;

static void
begin(void)
{
    fixture_orders(&f);
    view = fixture_view(&f);
}

static void
end(void)
{
    view = view_unref(view);
    fixture_finish(&f);
}

static const struct web_file *
file(const char *name)
{
    for (const struct web_file *w = web_files; w->name != NULL; w++)
        if (strcmp(w->name, name) == 0)
            return w;
    ck_abort_msg("no file %s", name);
}

START_TEST(files_are_served_plain_and_compressed)
{
    static char plain[1 << 20];

    begin();
    for (const struct web_file *w = web_files; w->name != NULL; w++) {
        char path[128];
        snprintf(path, sizeof path, "/web/%s", w->name);
        struct fixture_answer a = fixture_get(view, "GET", path);
        ck_assert_uint_eq(a.status, 200);
        ck_assert_str_eq(a.type, w->type);
        ck_assert_str_eq(a.etag, w->etag);
        ck_assert_uint_eq(a.len, w->len);
        ck_assert(!a.gzip && memcmp(a.body, w->data, w->len) == 0);
        struct fixture_answer g =
            fixture_ask(view, "GET", path, (struct fixture_headers){"br, gzip", NULL});
        ck_assert(g.gzip && g.len == w->gzip_len);
        z_stream z = {.next_in = (Bytef *)g.body,
                      .avail_in = (uInt)g.len,
                      .next_out = (Bytef *)plain,
                      .avail_out = sizeof plain};
        ck_assert_int_eq(inflateInit2(&z, 15 + 16), Z_OK);
        ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
        ck_assert(z.total_out == w->len && memcmp(plain, w->data, w->len) == 0);
        inflateEnd(&z);
        fixture_answer_finish(&g);
        fixture_answer_finish(&a);
    }
    struct fixture_answer a = fixture_get(view, "GET", "/web/passwd");
    ck_assert_uint_eq(a.status, 404);
    ck_assert_str_eq(a.etag, "");
    fixture_answer_finish(&a);
    end();
}
END_TEST

START_TEST(the_page_is_small_and_has_no_inline_script)
{
    size_t sum = 0;

    for (const struct web_file *w = web_files; w->name != NULL; w++)
        if (strcmp(w->name, "openapi.json") != 0)
            sum += w->gzip_len;
    printf("the page: %zu bytes compressed\n", sum);
    ck_assert_uint_le(sum, 120 * 1024);
    const struct web_file *page = file("index.html");
    char *text = strndup(page->data, page->len);
    ck_assert_ptr_null(strstr(text, "style="));
    ck_assert_ptr_null(strstr(text, "<style"));
    ck_assert_ptr_null(strstr(text, " onclick"));
    ck_assert_ptr_null(strstr(text, "<script>"));
    ck_assert_ptr_null(strstr(text, "://"));
    free(text);
}
END_TEST

static unsigned
ask_held(const char *uri, const char *if_none_match, size_t *ret_len)
{
    struct fixture_answer a =
        fixture_ask(view, "GET", uri, (struct fixture_headers){NULL, if_none_match});
    unsigned status = a.status;

    *ret_len = a.len;
    fixture_answer_finish(&a);
    return status;
}

START_TEST(what_is_held_is_not_sent_again)
{
    static const char *const paths[] = {"/", "/web/style.css", "/api/v1/alerts?limit=3",
                                        "/api/v1/heatmap?table=orders",
                                        "/api/v1/openapi.json"};
    size_t len;

    begin();
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct fixture_answer a = fixture_get(view, "GET", paths[i]);
        char tags[256];
        ck_assert_uint_eq(a.status, 200);
        ck_assert_str_ne(a.etag, "");
        ck_assert_uint_eq(ask_held(paths[i], a.etag, &len), 304);
        ck_assert_uint_eq(len, 0);
        ck_assert_uint_eq(ask_held(paths[i], a.etag + 2, &len), 304); /* strong */
        snprintf(tags, sizeof tags, "\"x\", W/\"y\" ,%s", a.etag);
        ck_assert_uint_eq(ask_held(paths[i], tags, &len), 304);
        ck_assert_uint_eq(ask_held(paths[i], "*", &len), 304);
        ck_assert_uint_eq(ask_held(paths[i], "\"x\", W/\"y\"", &len), 200);
        ck_assert_uint_eq(ask_held(paths[i], "garbage", &len), 200);
        ck_assert_uint_eq(ask_held(paths[i], "\"open", &len), 200);
        ck_assert_uint_eq(ask_held(paths[i], "", &len), 200);
        fixture_answer_finish(&a);
    }
    end();
}
END_TEST

START_TEST(tags_change_with_the_view)
{
    begin();
    struct fixture_answer a = fixture_get(view, "GET", "/api/v1/status");
    f.s->number++;
    struct fixture_answer b = fixture_get(view, "GET", "/api/v1/status");
    view->status.made.mono_ms++;
    struct fixture_answer c = fixture_get(view, "GET", "/api/v1/status");
    ck_assert_str_ne(a.etag, b.etag);
    ck_assert_str_ne(b.etag, c.etag);
    fixture_answer_finish(&a);
    fixture_answer_finish(&b);
    fixture_answer_finish(&c);
    struct fixture_answer bad = fixture_ask(view, "GET", "/api/v1/status?x=1",
                                            (struct fixture_headers){NULL, "*"});
    ck_assert_uint_eq(bad.status, 400);
    ck_assert_str_eq(bad.etag, "");
    fixture_answer_finish(&bad);
    end();
}
END_TEST

TEST_MAIN("web", files_are_served_plain_and_compressed,
          the_page_is_small_and_has_no_inline_script, what_is_held_is_not_sent_again,
          tags_change_with_the_view)
