/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of keys: whatever the bytes, formats give back what was written. */
#include "hotspotctl/key_source.h"

#include "common/row_key.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/temp_dir.h"

static void
write_bytes(const char *name, const struct buf *data)
{
    FILE *f = fopen(temp_path(name), "w");

    ck_assert_uint_eq(fwrite(data->data, 1, data->len, f), data->len);
    ck_assert_int_eq(fclose(f), 0);
}

static void
write_key(struct buf *out, enum key_format format, struct key key)
{
    switch (format) {
    case KEYS_HEX:
        for (size_t i = 0; i < key.len; i++)
            buf_addf(out, "%02x", key.data[i]);
        buf_addc(out, '\n');
        break;
    case KEYS_LENGTH:
        for (int shift = 24; shift >= 0; shift -= 8)
            buf_addc(out, (char)(key.len >> shift));
        buf_add(out, key.data, key.len);
        break;
    case KEYS_ESCAPED:
        row_key_escape(out, key.data, key.len);
        buf_addc(out, '\n');
        break;
    default:
        buf_add(out, key.data, key.len);
        buf_addc(out, '\n');
        break;
    }
}

/* Keys of 1 to `longest` bytes; lines hold no line ends. */
static void
random_keys(struct generator *g, size_t longest, bool lines, struct key_list *out)
{
    static uint8_t bytes[KEY_MAX];

    for (size_t i = 1 + next_below(g, 40); i > 0; i--) {
        size_t len = 1 + next_below(g, longest);
        for (size_t b = 0; b < len; b++) {
            bytes[b] = (uint8_t)next_u64(g);
            if (lines && bytes[b] == '\n')
                bytes[b] = ' ';
        }
        ck_assert_int_eq(key_list_add(out, (struct key){bytes, len}), 0);
    }
}

static void
assert_reads(struct key_source *s, const struct key_list *want)
{
    struct key key;

    for (size_t i = 0; i < want->count; i++) {
        ck_assert_msg(key_source_next(s, &key), "%s", key_source_error(s));
        ck_assert(key_equal(key, key_list_get(want, i)));
    }
    ck_assert(!key_source_next(s, &key));
    ck_assert_ptr_null(key_source_error(s));
}

START_TEST(formats_are_read_back)
{
    struct generator g = start_generator("formats_are_read_back");

    temp_dir_create();
    for (int round = 0; round < 80; round++) {
        enum key_format format = (enum key_format)(round % KEY_FORMAT_COUNT);
        struct key_list keys = {0};
        struct buf text, error;
        buf_init(&text, 0);
        buf_init(&error, 0);
        random_keys(&g, round % 3 == 0 ? KEY_MAX : 30, format == KEYS_LINE, &keys);
        for (size_t i = 0; i < keys.count; i++)
            write_key(&text, format, key_list_get(&keys, i));
        write_bytes("keys", &text);
        struct key_source *s = key_source_open(temp_path("keys"), format, &error);
        assert_reads(s, &keys);
        ck_assert(key_source_rewind(s));
        assert_reads(s, &keys);
        key_source_close(s);
        buf_finish(&text);
        buf_finish(&error);
        key_list_finish(&keys);
    }
    temp_dir_remove();
}
END_TEST

START_TEST(last_line_and_empty_lines)
{
    struct buf error;
    struct key key;

    temp_dir_create();
    buf_init(&error, 0);
    temp_file("keys", "a\n\n\nb");
    struct key_source *s = key_source_open(temp_path("keys"), KEYS_LINE, &error);
    ck_assert(key_source_next(s, &key) && key.len == 1 && key.data[0] == 'a');
    ck_assert(key_source_next(s, &key) && key.len == 1 && key.data[0] == 'b');
    ck_assert(!key_source_next(s, &key));
    ck_assert_uint_eq(key_source_skipped(s), 2);
    key_source_close(s);
    ck_assert_ptr_null(key_source_open(temp_path("none"), KEYS_LINE, &error));
    ck_assert_ptr_nonnull(strstr(error.data, "cannot read"));
    buf_finish(&error);
    temp_dir_remove();
}
END_TEST

TEST_MAIN("hotspotctl/key_source", formats_are_read_back, last_line_and_empty_lines)
