/* SPDX-License-Identifier: Apache-2.0 */
/* Requests in the text form of protocol buffers: every form, escapes, hostile ones. */
#include "collectors/proto_text.h"

#include <errno.h>

#include "parse_support.h"

/* "r:<region>" and "w:<row>" and "!" for each event, one after another. */
struct transcript {
    char text[4096];
    size_t len;
    int stop_at; /* events; 0: never */
};

static bool
note(void *user, enum proto_event event, const char *text, size_t len)
{
    static const char *const marks[] = {"r:", "w:", "!"};
    struct transcript *t = user;

    t->len += (size_t)snprintf(t->text + t->len, sizeof t->text - t->len, "%s%.*s ",
                               marks[event], (int)len, len > 0 ? text : "");
    ck_assert_uint_lt(t->len, sizeof t->text);
    return t->stop_at == 0 || --t->stop_at > 0;
}

static int
walk(const char *text, size_t len, struct transcript *t)
{
    char *copy = exact_copy(text, len);
    int r = proto_text_walk(copy, len, note, t);

    free(copy);
    return r;
}

START_TEST(requests)
{
    static const struct {
        const char *text;
        const char *events;
        int result;
    } cases[] = {
        {"", "", 0},
        {" \n", "", 0},
        {"region {\n  type: REGION_NAME\n  value: \"t,,1.x.\"\n}\nget {\n  row: \"a\"\n"
         "  column { family: \"row\" qualifier: \"row\" }\n}\n",
         "r:t,,1.x. w:a ", 0},
        /* The short form, on one line. */
        {"region { type: REGION_NAME value: \"t\" } mutation { row: \"b\" "
         "column_value { family: \"d\" qualifier_value { qualifier: \"row\" value: "
         "\"secret\" timestamp: 9223372036854775807 } } }",
         "r:t w:b ", 0},
        {"region{value:\"t\"}scan{start_row:\"s\" time_range{from: 0}}limit_of_rows: "
         "10",
         "r:t w:s ", 0},
        {"region{value:\"t\"}scan{attribute{name:\"x\" value:\"y\"}}", "r:t w: ", 0},
        {"scanner_id: 17\nnumber_of_rows: 100\nclose_scanner: false", "", 0},
        {"regionAction{region{value:\"t\"}atomic: true action{index: 0 mutation{row:"
         "\"1\"}}action{index: 1 get{row:\"2\"}}action{service_call{request:\"row: "
         "3\"}}}regionAction{region{value:\"u\"}action{mutation{row:\"4\"}}}",
         "r: r:t w:1 w:2 r: r:u w:4 ", 0},
        /* Not where a row stands. */
        {"condition{row:\"x\"}call{row:\"y\"}row:\"z\"", "", 0},
        {"5: 17 6 { 7: \"x\" } [ext.name]: 0x1F d: -1.5e+3", "", 0},
        /* Escapes. */
        {"get{row:\"\\001\\0\\12q\\x41\\n\\t\\\\\\\"\\'\\?\"}", NULL, 0},
        {"get{row:'single\"quote'}", "w:single\"quote ", 0},
        /* Malformed. */
        {"get{row:\"\\8\"}", "", -EINVAL},
        {"get{row:\"\\400\"}", "", -EINVAL},
        {"get{row:\"\\xg\"}", "", -EINVAL},
        {"get{row:\"\\", "", -EINVAL},
        {"get{row:\"a\nb\"}", "", -EINVAL},
        {"get{row:\"a}", "", -EINVAL},
        {"get{row:\"a\"", "w:a ", -EINVAL},
        {"get{row:}", "", -EINVAL},
        {"get{row}", "", -EINVAL},
        {"get", "", -EINVAL},
        {"}", "", -EINVAL},
        {"get{}}", "", -EINVAL},
        {"{", "", -EINVAL},
        {": 5", "", -EINVAL},
        {"a: \x01", "", -EINVAL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct transcript t = {.len = 0};
        int r = walk(cases[i].text, strlen(cases[i].text), &t);
        ck_assert_msg(r == cases[i].result, "%s: %d", cases[i].text, r);
        if (cases[i].events != NULL)
            ck_assert_str_eq(t.text, cases[i].events);
    }
}
END_TEST

static bool
check_escapes(void *user, enum proto_event event, const char *text, size_t len)
{
    static const char row[] = "\1\0\12qA\n\t\\\"'?";

    ck_assert_int_eq(event, PROTO_ROW);
    ck_assert_uint_eq(len, sizeof row - 1);
    ck_assert_mem_eq(text, row, len);
    ++*(int *)user;
    return true;
}

START_TEST(escapes)
{
    static const char text[] = "get{row:\"\\001\\0\\12q\\x41\\n\\t\\\\\\\"\\'\\?\"}";
    int rows = 0;

    ck_assert_int_eq(proto_text_walk(text, strlen(text), check_escapes, &rows), 0);
    ck_assert_int_eq(rows, 1);
}
END_TEST

static int
walk_row(size_t row_len, struct transcript *t)
{
    char *text = malloc(row_len + 20);
    size_t len = (size_t)sprintf(text, "get{row:\"");

    memset(text + len, 'k', row_len);
    len += row_len;
    len += (size_t)sprintf(text + len, "\"}");
    *t = (struct transcript){.len = 0};
    int r = walk(text, len, t);
    free(text);
    return r;
}

/* A key is never cut: it would be another. */
START_TEST(long_rows_are_left_out)
{
    struct transcript t;

    ck_assert_int_eq(walk_row(PROTO_ROW_MAX, &t), 0);
    ck_assert_uint_eq(t.len, 2 + PROTO_ROW_MAX + 1);
    ck_assert_int_eq(walk_row(PROTO_ROW_MAX + 1, &t), 0);
    ck_assert_str_eq(t.text, "! ");
    ck_assert_int_eq(walk_row(3000000, &t), 0);
    ck_assert_str_eq(t.text, "! ");
}
END_TEST

START_TEST(nesting_is_bounded)
{
    char text[400] = "";
    struct transcript t = {.len = 0};

    for (int i = 0; i < PROTO_DEPTH_MAX; i++)
        strncat(text, "a{", 3);
    ck_assert_int_eq(walk(text, strlen(text), &t), -EINVAL); /* never closed */
    strncat(text, "a{", 3);
    ck_assert_int_eq(walk(text, strlen(text), &t), -E2BIG);
    t.stop_at = 1;
    ck_assert_int_eq(walk("get{row:\"a\"}", 12, &t), -ECANCELED);
}
END_TEST

int
main(void)
{
    Suite *suite = suite_create("proto_text");
    TCase *tcase = tcase_create("proto_text");

    tcase_add_test(tcase, requests);
    tcase_add_test(tcase, escapes);
    tcase_add_test(tcase, long_rows_are_left_out);
    tcase_add_test(tcase, nesting_is_bounded);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
