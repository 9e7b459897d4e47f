/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "tests/unit/common/harness.h"
#include "tests/unit/temp_dir.h"

static void
write_file(size_t len)
{
    FILE *f = fopen(temp_path("f"), "we");

    ck_assert_ptr_nonnull(f);
    for (size_t i = 0; i < len; i++)
        ck_assert_int_ne(fputc('a' + (int)(i % 26), f), EOF);
    ck_assert_int_eq(fclose(f), 0);
}

static int
read_up_to(const char *name, size_t limit, size_t *ret_len)
{
    struct buf out;

    buf_init(&out, limit);
    int r = file_read_whole(name, &out, NULL);
    *ret_len = out.len;
    buf_finish(&out);
    return r;
}

START_TEST(a_file_is_read_to_its_last_byte)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300000};

    temp_dir_create();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct stat st;
        struct buf out;
        write_file(sizes[i]);
        buf_init(&out, 0);
        ck_assert_int_eq(file_read_whole(temp_path("f"), &out, &st), 0);
        ck_assert_uint_eq(out.len, sizes[i]);
        ck_assert_int_eq(st.st_size, (off_t)sizes[i]);
        for (size_t k = 0; k < out.len; k++)
            ck_assert_int_eq(out.data[k], 'a' + (int)(k % 26));
        buf_finish(&out);
    }
    temp_dir_remove();
}
END_TEST

START_TEST(a_file_above_the_limit_is_told_apart)
{
    size_t len;

    temp_dir_create();
    write_file(1000);
    ck_assert_int_eq(read_up_to(temp_path("f"), 1000, &len), 0);
    ck_assert_uint_eq(len, 1000);
    ck_assert_int_eq(read_up_to(temp_path("f"), 999, &len), -EFBIG);
    ck_assert_str_eq(file_error_text(-EFBIG), "too large");
    temp_dir_remove();
}
END_TEST

/* A pipe without a writer would block the reader, one with a writer would never end. */
START_TEST(only_regular_files_are_read)
{
    size_t len;

    temp_dir_create();
    ck_assert_int_eq(mkfifo(temp_path("f"), 0600), 0);
    ck_assert_int_eq(read_up_to(temp_path("f"), 10, &len), -EINVAL);
    int writer = open(temp_path("f"), O_RDWR | O_CLOEXEC);
    ck_assert_int_ge(writer, 0);
    ck_assert_int_eq(read_up_to(temp_path("f"), 10, &len), -EINVAL);
    close(writer);
    ck_assert_int_eq(read_up_to("/dev/zero", 10, &len), -EINVAL);
    ck_assert_int_eq(read_up_to(temp_dir, 10, &len), -EINVAL);
    ck_assert_str_eq(file_error_text(-EINVAL), "not a regular file");
    temp_dir_remove();
}
END_TEST

START_TEST(a_missing_file_gives_its_errno)
{
    size_t len;

    temp_dir_create();
    ck_assert_int_eq(read_up_to(temp_path("f"), 10, &len), -ENOENT);
    ck_assert_str_eq(file_error_text(-ENOENT), strerror(ENOENT));
    temp_dir_remove();
}
END_TEST

TEST_MAIN("file", a_file_is_read_to_its_last_byte, a_file_above_the_limit_is_told_apart,
          only_regular_files_are_read, a_missing_file_gives_its_errno)
