/* SPDX-License-Identifier: Apache-2.0 */
/* The tree: shape, places, what is refused, limits. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/buf.h"
#include "config/yaml.h"
#include "tests/unit/config/helpers.h"

static struct ydoc *
parse(const char *text)
{
    struct config_problems problems = {0};
    struct ydoc *doc = ydoc_parse(text, strlen(text), &problems);

    ck_assert_ptr_nonnull(doc);
    ck_assert_uint_eq(problems.count, 0);
    config_problems_finish(&problems);
    return doc;
}

static void
assert_place(struct place where, unsigned line, unsigned column)
{
    ck_assert_uint_eq(where.line, line);
    ck_assert_uint_eq(where.column, column);
}

/* Parses a text with errors; whatever tree is left is dropped. */
static char *
errors_of(const char *text, size_t len, bool *ret_has_tree)
{
    struct config_problems problems = {0};
    struct ydoc *doc = ydoc_parse(text, len, &problems);
    char *found = problems_text(&problems);

    ck_assert_uint_gt(problems.errors, 0);
    *ret_has_tree = doc != NULL;
    ydoc_destroy(doc);
    config_problems_finish(&problems);
    return found;
}

START_TEST(nodes_know_their_kind_text_and_place)
{
    struct ydoc *doc = parse("a: 1\nbb:\n  - 'x'\n  - { c: \"y\", d: }\n");
    const struct ynode *a = ynode_find(doc->root, "a");
    const struct ynode *bb = ynode_find(doc->root, "bb");

    ck_assert_int_eq(doc->root->kind, YNODE_MAP);
    ck_assert_uint_eq(doc->root->count, 2);
    ck_assert_int_eq(a->kind, YNODE_SCALAR);
    ck_assert_str_eq(a->text, "1");
    ck_assert(a->plain);
    assert_place(a->key_where, 1, 1);
    assert_place(a->where, 1, 4);
    ck_assert_int_eq(bb->kind, YNODE_LIST);
    ck_assert_uint_eq(bb->count, 2);
    ck_assert(!bb->first->plain);
    assert_place(bb->first->where, 3, 5);
    ck_assert_str_eq(ynode_find(bb->last, "c")->text, "y");
    ck_assert(!ynode_find(bb->last, "c")->plain);
    ck_assert(ynode_is_empty(ynode_find(bb->last, "d")));
    ck_assert_ptr_null(ynode_find(doc->root, "b"));
    ydoc_destroy(doc);
}
END_TEST

START_TEST(paths_name_keys_and_indexes)
{
    char path[YNODE_PATH_SIZE];
    struct ydoc *doc = parse("a:\n  - x\n  - 'b c': { d: [ y ] }\n");
    const struct ynode *y =
        ynode_find(ynode_find(ynode_find(doc->root, "a")->last, "b c"), "d")->first;

    ck_assert_str_eq(ynode_path(y, path), "a[1].'b c'.d[0]");
    ck_assert_str_eq(ynode_path(doc->root, path), "");
    ydoc_destroy(doc);
}
END_TEST

START_TEST(empty_texts_have_no_root)
{
    static const char *const texts[] = {"",           "# comment\n",  "---\n",
                                        "---\n...\n", "\xef\xbb\xbf", "\n\n"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ydoc *doc = parse(texts[i]);
        ck_assert_ptr_null(doc->root);
        ydoc_destroy(doc);
    }
}
END_TEST

START_TEST(a_byte_order_mark_and_crlf_are_fine)
{
    struct ydoc *doc = parse("\xef\xbb\xbf"
                             "a: 1\r\nb: 2\r\n");

    ck_assert_str_eq(ynode_find(doc->root, "b")->text, "2");
    assert_place(ynode_find(doc->root, "b")->where, 2, 4);
    ydoc_destroy(doc);
}
END_TEST

START_TEST(duplicates_leave_the_first_value)
{
    struct config_problems problems = {0};
    const char *text = "a: 1\nb: 2\na: { c: 3 }\n";
    struct ydoc *doc = ydoc_parse(text, strlen(text), &problems);
    char *found = problems_text(&problems);

    ck_assert_str_eq(found, "3:1: error: a: set twice, first at line 1, column 1\n");
    ck_assert_uint_eq(doc->root->count, 2);
    ck_assert_str_eq(ynode_find(doc->root, "a")->text, "1");
    free(found);
    ydoc_destroy(doc);
    config_problems_finish(&problems);
}
END_TEST

START_TEST(an_alias_leaves_a_refused_node)
{
    struct config_problems problems = {0};
    const char *text = "a: &x [ *x ]\n";
    struct ydoc *doc = ydoc_parse(text, strlen(text), &problems);

    ck_assert_uint_eq(problems.errors, 2);
    ck_assert_int_eq(doc->root->first->first->kind, YNODE_REFUSED);
    ydoc_destroy(doc);
    config_problems_finish(&problems);
}
END_TEST

static char *
repeated(const char *before, const char *part, size_t n)
{
    struct buf text;

    buf_init(&text, 0);
    buf_adds(&text, before);
    while (n-- > 0)
        buf_adds(&text, part);
    return buf_steal(&text, NULL);
}

static void
assert_fatal(const char *text, const char *want)
{
    bool has_tree;
    char *found = errors_of(text, strlen(text), &has_tree);

    ck_assert_msg(strstr(found, want) != NULL, "wanted '%s', found '%s'", want, found);
    ck_assert(!has_tree);
    free(found);
}

START_TEST(depth_has_a_limit_and_is_cheap)
{
    struct timespec begin, end;
    char *many = repeated("", "[", 100000);
    char *sixteen = repeated("", "[", 16);
    char *closed = repeated(sixteen, "]", 16);

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    assert_fatal(many, "nested deeper than 16 levels");
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    ck_assert_int_le(end.tv_sec - begin.tv_sec, 2);
    ydoc_destroy(parse(closed));
    free(many);
    free(sixteen);
    free(closed);
}
END_TEST

START_TEST(length_has_a_limit)
{
    char *most = repeated("#", "x", YDOC_TEXT_MAX - 1);
    char *more = repeated("#", "x", YDOC_TEXT_MAX);

    ydoc_destroy(parse(most));
    assert_fatal(more, "0:0: error: the text is longer than 1 MiB\n");
    free(most);
    free(more);
}
END_TEST

START_TEST(the_number_of_values_has_a_limit)
{
    char *most = repeated("", "- x\n", YDOC_NODES_MAX - 1);
    char *more = repeated("", "- x\n", YDOC_NODES_MAX);

    ydoc_destroy(parse(most));
    assert_fatal(more, "65536:3: error: more values than");
    free(most);
    free(more);
}
END_TEST

START_TEST(nul_bytes_are_reported_with_their_place)
{
    bool has_tree;
    char *found = errors_of("a: b\nc\0: d\n", 11, &has_tree);

    ck_assert_str_eq(found,
                     "2:2: error: syntax error: control characters are not allowed "
                     "(0x00)\n");
    free(found);
}
END_TEST

START_TEST(every_cut_of_a_text_ends_well)
{
    size_t len;
    char *path = data_path("good/complete.yaml");
    char *text = read_file(path, &len);

    for (size_t i = 0; i <= len; i++) {
        struct config_problems problems = {0};
        char *exact = malloc(i > 0 ? i : 1);
        memcpy(exact, text, i);
        struct ydoc *doc = ydoc_parse(exact, i, &problems);
        ck_assert((doc == NULL) == (problems.errors > 0));
        ydoc_destroy(doc);
        config_problems_finish(&problems);
        free(exact);
    }
    free(text);
    free(path);
}
END_TEST

int
main(void)
{
    const TTest *const tests[] = {
        nodes_know_their_kind_text_and_place,
        paths_name_keys_and_indexes,
        empty_texts_have_no_root,
        a_byte_order_mark_and_crlf_are_fine,
        duplicates_leave_the_first_value,
        an_alias_leaves_a_refused_node,
        depth_has_a_limit_and_is_cheap,
        length_has_a_limit,
        the_number_of_values_has_a_limit,
        nul_bytes_are_reported_with_their_place,
        every_cut_of_a_text_ends_well,
    };
    return run_tests("yaml", tests, sizeof tests / sizeof *tests);
}
