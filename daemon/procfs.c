/* SPDX-License-Identifier: Apache-2.0 */
/* Reads getrusage(2), getrlimit(2) and /proc/self; no state. */
#include "daemon/procfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/parse.h"

static double
limit_of(int resource)
{
    struct rlimit limit;

    if (getrlimit(resource, &limit) < 0)
        return NAN;
    return limit.rlim_cur == RLIM_INFINITY ? INFINITY : (double)limit.rlim_cur;
}

/* /proc/self/statm: "size resident ..." in pages. */
static void
read_memory(struct process_stats *stats)
{
    char text[128];
    double page = (double)sysconf(_SC_PAGESIZE);
    uint64_t size, resident;

    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t len = read(fd, text, sizeof text - 1);
    (void)close(fd);
    if (len <= 0)
        return;
    text[len] = '\0';
    char *rest = strchr(text, ' ');
    if (rest == NULL || parse_u64(text, (size_t)(rest - text), &size) < 0)
        return;
    rest++;
    if (parse_u64(rest, strcspn(rest, " "), &resident) < 0)
        return;
    stats->virtual_bytes = (double)size * page;
    stats->resident_bytes = (double)resident * page;
}

static double
count_fds(void)
{
    double count = 0;

    DIR *dir = opendir("/proc/self/fd");
    if (dir == NULL)
        return NAN;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.')
            count++;
    (void)closedir(dir);
    return count - 1; /* the directory itself */
}

struct process_stats
process_stats_read(void)
{
    struct process_stats stats = {
        .cpu_seconds = NAN,
        .resident_bytes = NAN,
        .virtual_bytes = NAN,
        .virtual_max_bytes = limit_of(RLIMIT_AS),
        .open_fds = count_fds(),
        .max_fds = limit_of(RLIMIT_NOFILE),
    };
    struct rusage usage;

    if (getrusage(RUSAGE_SELF, &usage) == 0)
        stats.cpu_seconds =
            (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
            (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    read_memory(&stats);
    return stats;
}
