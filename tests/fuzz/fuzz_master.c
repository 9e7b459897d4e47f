/* SPDX-License-Identifier: Apache-2.0 */
/* The master's /jmx. */
#include "collectors/master.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct message *m = message_create(MESSAGE_CLUSTER);
    bool active = false;
    char *error = NULL;
    enum poll_outcome outcome =
        master_read((const char *)data, size, &m->cluster, &active, &error);

    MUST_SAY_WHY(outcome != POLL_OK, error);
    for (size_t i = 0; i < m->cluster.live_count; i++)
        MUST(m->cluster.live[i] != NULL);
    message_destroy(m);
    return 0;
}
