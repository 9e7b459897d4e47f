/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that ask a hotspotd: each returns an exit status. */
#ifndef HOTSPOTCTL_API_COMMANDS_H
#define HOTSPOTCTL_API_COMMANDS_H

struct invocation;

int api_alerts(struct invocation *in);
int api_history(struct invocation *in);
int api_region(struct invocation *in);
int api_regions(struct invocation *in);
int api_servers(struct invocation *in);
int api_status(struct invocation *in);
int api_tables(struct invocation *in);

/* Where hotspotd is: --url, HOTSPOTD_URL, or this machine. */
const char *daemon_url(const struct invocation *in);

#endif
