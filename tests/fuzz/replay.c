/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target over files, and over each file with its end cut off at a number of
 * places. Usage: fuzz-TARGET FILE-OR-FOLDER... */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "common/file.h"
#include "tests/fuzz/fuzz.h"

enum { CUTS = 64 };

static size_t inputs;

/* A copy of just that size, so that a sanitizer sees a read beyond it. */
static void
run(const char *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    MUST(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    inputs++;
}

static void
replay_file(const char *path)
{
    struct buf text;

    buf_init(&text, 0);
    int r = file_read_whole(path, &text, NULL);
    if (r < 0) {
        fprintf(stderr, "%s: %s\n", path, file_error_text(r));
        exit(EXIT_FAILURE);
    }
    run(text.data, text.len);
    for (size_t i = 0; i < CUTS && text.len > CUTS; i++)
        run(text.data, text.len * i / CUTS);
    buf_finish(&text);
}

static int
visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void
replay(const char *path)
{
    struct dirent **entries;
    struct stat st;

    if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
        replay_file(path);
        return;
    }
    int n = scandir(path, &entries, visible, alphasort);
    if (n < 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < n; i++) {
        char *inner = NULL;
        MUST(asprintf(&inner, "%s/%s", path, entries[i]->d_name) > 0);
        replay(inner);
        free(inner);
        free(entries[i]);
    }
    free(entries);
}

int
main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%zu inputs\n", inputs);
    return inputs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
