/* SPDX-License-Identifier: Apache-2.0 */
/* The process's own figures for the process_* metrics. */
#ifndef DAEMON_PROCFS_H
#define DAEMON_PROCFS_H

#include <stdint.h>

/* NaN where the kernel does not say. */
struct process_stats {
    double cpu_seconds;
    double resident_bytes;
    double virtual_bytes;
    double virtual_max_bytes; /* INFINITY: no limit */
    double open_fds;
    double max_fds;
};

struct process_stats process_stats_read(void);

#endif
