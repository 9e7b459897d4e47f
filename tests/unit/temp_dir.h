/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of a test's own, gone at the end; files in it. */
#ifndef TESTS_UNIT_COLLECTORS_TEMP_DIR_H
#define TESTS_UNIT_COLLECTORS_TEMP_DIR_H

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char temp_dir[256];

static inline void
temp_dir_create(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(temp_dir, sizeof temp_dir, "%s/hotspotd-unit-XXXXXX",
             base != NULL ? base : "/tmp");
    if (mkdtemp(temp_dir) == NULL) {
        perror(temp_dir);
        exit(EXIT_FAILURE);
    }
}

/* Removes what is in it. */
static inline void
temp_dir_clear(void)
{
    DIR *dir = opendir(temp_dir);
    struct dirent *entry;

    while (dir != NULL && (entry = readdir(dir)) != NULL)
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir != NULL)
        closedir(dir);
}

static inline void
temp_dir_remove(void)
{
    temp_dir_clear();
    rmdir(temp_dir);
}

/* The path of a file in it; valid for the next 60 calls. */
static inline const char *
temp_path(const char *name)
{
    static char paths[64][512];
    static unsigned turn;
    char *path = paths[turn++ % 64];

    snprintf(path, sizeof paths[0], "%s/%s", temp_dir, name);
    return path;
}

/* Writes beside it and renames, as one does with files that others read. */
static inline void
temp_file(const char *name, const char *text)
{
    const char *beside = temp_path("beside");
    FILE *f = fopen(beside, "w");

    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_int_eq(rename(beside, temp_path(name)), 0);
}

#endif
