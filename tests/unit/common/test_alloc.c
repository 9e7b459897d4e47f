/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation: sizes of nothing, copies, growth, and the way out of memory. */
#include "common/alloc.h"

#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/common/harness.h"

START_TEST(nothing_is_a_block)
{
    void *blocks[] = {xmalloc(0), xcalloc(0, 8), xcalloc(8, 0),
                      xreallocarray(NULL, 0, 4)};

    for (size_t i = 0; i < 4; i++) {
        ck_assert_ptr_nonnull(blocks[i]);
        free(blocks[i]);
    }
}
END_TEST

START_TEST(calloc_is_zeroed)
{
    unsigned char *p = xcalloc(100, 10);

    for (size_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(p[i], 0);
    free(p);
}
END_TEST

START_TEST(copies_end_in_nul)
{
    char *s = xstrdup("rows");
    char *m = xmemdup0("a\0bc", 3);
    char *e = xmemdup0(NULL, 0);

    ck_assert_str_eq(s, "rows");
    ck_assert_mem_eq(m, "a\0b\0", 4);
    ck_assert_str_eq(e, "");
    free(s);
    free(m);
    free(e);
}
END_TEST

START_TEST(growth_keeps_the_content)
{
    uint32_t *array = NULL;
    size_t cap = 0;
    size_t moves = 0;

    for (uint32_t i = 0; i < 10000; i++) {
        size_t before = cap;
        xgrow(&array, &cap, i + 1, sizeof array[0]);
        ck_assert_uint_ge(cap, i + 1);
        moves += cap != before;
        array[i] = i * 7;
    }
    for (uint32_t i = 0; i < 10000; i++)
        ck_assert_uint_eq(array[i], i * 7);
    ck_assert_uint_lt(moves, 20);
    free(array);
}
END_TEST

/* A sanitizer's allocator ends the program itself on sizes that cannot be. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#ifdef SANITIZED
#define OUT_OF_MEMORY
#else
#define OUT_OF_MEMORY , out_of_memory_ends_the_program

enum how { REALLOC_OVERFLOW, CALLOC_OVERFLOW, GROW_OVERFLOW, TOO_LARGE, N_HOW };

/* Volatile, so that the compiler does not see the size that cannot be. */
static volatile size_t huge = SIZE_MAX / 2;

static void
ask_too_much(enum how how)
{
    void *array = NULL;
    size_t cap = 0;

    switch (how) {
    case REALLOC_OVERFLOW:
        array = xreallocarray(NULL, huge, 4);
        break;
    case CALLOC_OVERFLOW:
        array = xcalloc(huge, 4);
        break;
    case GROW_OVERFLOW:
        xgrow(&array, &cap, huge + huge / 2, 1);
        break;
    default:
        array = xmalloc(huge);
    }
    free(array);
}

/* In a process of its own: one line on stderr, status 70. */
START_TEST(out_of_memory_ends_the_program)
{
    for (enum how how = 0; how < N_HOW; how++) {
        int fds[2];
        char line[200];
        int status;

        ck_assert_int_eq(pipe(fds), 0);
        pid_t pid = fork();
        if (pid == 0) {
            dup2(fds[1], STDERR_FILENO);
            ask_too_much(how);
            _exit(0);
        }
        close(fds[1]);
        ssize_t len = read(fds[0], line, sizeof line - 1);
        ck_assert_int_gt(len, 0);
        line[len] = '\0';
        close(fds[0]);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert(WIFEXITED(status));
        ck_assert_int_eq(WEXITSTATUS(status), 70);
        ck_assert_ptr_nonnull(strstr(line, "out of memory"));
    }
}
END_TEST
#endif

TEST_MAIN("alloc", nothing_is_a_block, calloc_is_zeroed, copies_end_in_nul,
          growth_keeps_the_content OUT_OF_MEMORY)
