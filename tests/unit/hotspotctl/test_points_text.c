/* SPDX-License-Identifier: Apache-2.0 */
/* Split points: what is written is read back; names that HBase would refuse. */
#include "hotspotctl/points_text.h"

#include "keys/split.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/keys/support.h"
#include "tests/unit/temp_dir.h"

/* Ascending keys of any bytes. */
static void
some_points(struct generator *g, struct key_list *out)
{
    struct key_list raw = {0};
    uint8_t bytes[16];

    for (size_t i = next_below(g, 20); i > 0; i--) {
        size_t len = 1 + next_below(g, sizeof bytes);
        for (size_t b = 0; b < len; b++)
            bytes[b] = (uint8_t) " ,'\"\\x0A#{\n\xff\x00z"[next_below(g, 14)];
        key_list_add(&raw, (struct key){bytes, len});
    }
    uint32_t *order = key_list_order(&raw);
    for (size_t i = 0; i < raw.count; i++) {
        struct key key = key_list_get(&raw, order[i]);
        if (out->count == 0 || !key_equal(key_list_get(out, out->count - 1), key))
            key_list_add(out, key);
    }
    free(order);
    key_list_finish(&raw);
}

START_TEST(files_are_read_back)
{
    struct generator g = start_generator("files_are_read_back");

    temp_dir_create();
    for (int round = 0; round < 50; round++) {
        struct key_list points = {0};
        struct key_list back = {0};
        struct buf text, error;
        buf_init(&text, 0);
        buf_init(&error, 0);
        some_points(&g, &points);
        points_write_file(&points, &text);
        temp_file("points", text.data);
        int result = points_read_file(temp_path("points"), &back, &error);
        ck_assert_msg(result == 0, "%s", error.data);
        ck_assert_uint_eq(back.count, points.count);
        for (size_t i = 0; i < points.count; i++)
            ck_assert(key_equal(key_list_get(&points, i), key_list_get(&back, i)));
        buf_finish(&text);
        buf_finish(&error);
        key_list_finish(&points);
        key_list_finish(&back);
    }
    temp_dir_remove();
}
END_TEST

START_TEST(shell_command)
{
    struct key_list points = {0};
    struct buf out;

    buf_init(&out, 0);
    points_write_shell(&points, "t", "f", &out);
    ck_assert_str_eq(out.data, "create 't', 'f'\n");
    buf_reset(&out);
    key_list_add_text(&points, "a'\\");
    key_list_add_text(&points, "b\xff#{x}");
    points_write_shell(&points, "ns:t", "cf", &out);
    ck_assert_str_eq(out.data, "create 'ns:t', 'cf', SPLITS => "
                               "['a\\x27\\x5C', 'b\\xFF#{x}']\n");
    buf_finish(&out);
    key_list_finish(&points);
}
END_TEST

START_TEST(names)
{
    ck_assert(create_name_valid("t1"));
    ck_assert(create_name_valid("ns_1:a.b-c_D"));
    ck_assert(!create_name_valid(""));
    ck_assert(!create_name_valid(":t"));
    ck_assert(!create_name_valid("n-s:t"));
    ck_assert(!create_name_valid("a:b:c"));
    ck_assert(!create_name_valid("-t"));
    ck_assert(!create_name_valid(".t"));
    ck_assert(!create_name_valid("t'"));
    ck_assert(create_family_valid("cf-1"));
    ck_assert(!create_family_valid(""));
    ck_assert(!create_family_valid("a:b"));
    ck_assert(!create_family_valid("a b"));
    ck_assert(!create_family_valid("it's"));
}
END_TEST

TEST_MAIN("hotspotctl/points_text", files_are_read_back, shell_command, names)
