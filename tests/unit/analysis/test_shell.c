/* SPDX-License-Identifier: Apache-2.0 */
/* Commands for the HBase shell, read back by a small decoder of Ruby's literals that
 * shares no code with what wrote them. */
#include "analysis/shell.h"

#include <string.h>

#include "tests/unit/common/harness.h"

/* ---- Ruby ---- */

static int
hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads a literal at s into out; returns what follows it. Stops the test at anything
 * that Ruby would not take for plain bytes. */
static const char *
read_literal(const char *s, unsigned char *out, size_t *ret_len)
{
    char quote = *s++;
    size_t n = 0;

    ck_assert(quote == '\'' || quote == '"');
    for (; *s != quote; s++) {
        ck_assert_msg((unsigned char)*s >= 0x20 && *s != 0x7f, "control character");
        if (*s == '#' && quote == '"')
            ck_assert_msg(s[1] != '{' && s[1] != '$' && s[1] != '@', "interpolation");
        if (*s != '\\') {
            out[n++] = (unsigned char)*s;
            continue;
        }
        s++;
        if (quote == '"' && *s == 'x') {
            ck_assert(hex(s[1]) >= 0 && hex(s[2]) >= 0);
            out[n++] = (unsigned char)(hex(s[1]) * 16 + hex(s[2]));
            s += 2;
        } else {
            ck_assert_msg(*s == quote || *s == '\\', "unknown escape \\%c", *s);
            out[n++] = (unsigned char)*s;
        }
    }
    *ret_len = n;
    return s + 1;
}

static const char *
expect(const char *s, const char *word)
{
    ck_assert_msg(strncmp(s, word, strlen(word)) == 0, "'%s' is not at '%s'", word, s);
    return s + strlen(word);
}

static void
expect_bytes(const char **s, const void *bytes, size_t len)
{
    static unsigned char out[4096];
    size_t n;

    *s = read_literal(*s, out, &n);
    ck_assert_uint_eq(n, len);
    ck_assert(len == 0 || memcmp(out, bytes, len) == 0);
}

/* Bytes that are likely to hurt come more often. */
static size_t
random_key(struct generator *g, unsigned char *key)
{
    static const char nasty[] = "\"'\\#{$@}x0\n\t\r\0`~";
    size_t len = next_below(g, 40);

    for (size_t i = 0; i < len; i++)
        key[i] = next_below(g, 2) == 0
                     ? (unsigned char)nasty[next_below(g, sizeof nasty)]
                     : (unsigned char)next_below(g, 256);
    return len;
}

START_TEST(keys_come_back)
{
    struct generator g = start_generator("keys_come_back");
    unsigned char key[256];

    for (int i = 0; i < 20000; i++) {
        size_t len = random_key(&g, key);
        char *command = shell_split("iot:events", key, len);
        const char *s = expect(command, "split ");
        expect_bytes(&s, "iot:events", 10);
        s = expect(s, ", ");
        ck_assert_int_eq(*s, '"');
        expect_bytes(&s, key, len);
        ck_assert_str_eq(s, "");
        free(command);
    }
    for (int i = 0; i < 256; i++)
        key[i] = (unsigned char)i;
    char *command = shell_split("t", key, 256);
    const char *s = expect(command, "split 't', ");
    expect_bytes(&s, key, 256);
    free(command);
}
END_TEST

START_TEST(hostile_names)
{
    static const char *const unsafe[] = {"",     "a\nb",      "a\x1b[2J", "a\x7f",
                                         "\xff", "a\xc2\x9b", "\x01"};
    static const char *const odd[] = {"it's", "a\\", "a\\'", "#{exit}", "a\"b", "ä:ö"};

    for (size_t i = 0; i < sizeof unsafe / sizeof unsafe[0]; i++) {
        ck_assert_ptr_null(shell_split(unsafe[i], "k", 1));
        ck_assert_ptr_null(shell_move(REGION_ID_META, unsafe[i]));
        ck_assert_ptr_null(shell_max_file_size(unsafe[i], 1));
    }
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        char *command = shell_split(odd[i], "k", 1);
        const char *s = expect(command, "split ");
        expect_bytes(&s, odd[i], strlen(odd[i]));
        ck_assert_str_eq(s, ", \"k\"");
        free(command);
    }
}
END_TEST

START_TEST(other_commands)
{
    struct region_id a = {0xd41d8cd98f00b204, 0xe9800998ecf8427e};
    char *command = shell_move(a, "rs1,16020,1700000000001");

    ck_assert_str_eq(command, "move 'd41d8cd98f00b204e9800998ecf8427e', "
                              "'rs1,16020,1700000000001'");
    free(command);
    command = shell_merge(a, REGION_ID_META);
    ck_assert_str_eq(command,
                     "merge_region 'd41d8cd98f00b204e9800998ecf8427e', '1588230740'");
    free(command);
    command = shell_split_region(a);
    ck_assert_str_eq(command, "split 'd41d8cd98f00b204e9800998ecf8427e'");
    free(command);
    command = shell_max_file_size("t", 1LL << 30);
    ck_assert_str_eq(command, "alter 't', MAX_FILESIZE => '1073741824'");
    free(command);
    command = shell_create_salted("t", 4);
    ck_assert_str_eq(command,
                     "create 't_salted', 'cf', SPLITS => [\"40\", \"80\", \"c0\"]");
    free(command);
    command = shell_balancer();
    ck_assert_str_eq(command, "balancer");
    free(command);
}
END_TEST

TEST_MAIN("shell", keys_come_back, hostile_names, other_commands)
