/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs read whole, and the shell's listings in them. */
#include "hotspotctl/listing_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/listing_text.h"
#include "collectors/sample.h"
#include "common/log.h"

static int
read_fd(int fd, struct buf *out)
{
    static char piece[1 << 16];

    while (true) {
        ssize_t n = read(fd, piece, sizeof piece);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? -errno : 0;
        buf_add(out, piece, (size_t)n);
        if (out->failed)
            return -EFBIG;
    }
}

int
input_read(const char *path, struct buf *out, struct buf *error)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    char quoted[LOG_QUOTE_SIZE];
    int result = fd < 0 ? -errno : 0;

    if (result == 0)
        result = read_fd(fd, out);
    if (!standard && fd >= 0)
        close(fd);
    if (result < 0)
        buf_addf(error, "cannot read %s: %s", log_quote(path, strlen(path), quoted),
                 result == -EFBIG ? "longer than 1 GiB" : strerror(-result));
    return result;
}

struct message *
listing_input_parse(const char *name, const struct buf *text, struct buf *error)
{
    struct message *message = message_create(MESSAGE_LISTING);
    char quoted[LOG_QUOTE_SIZE];
    char *what = NULL;
    enum poll_outcome outcome = listing_text_parse(
        text->data, text->len, LISTING_ROWS_MAX, &message->listing, &what);

    if (outcome == POLL_OK)
        return message;
    buf_addf(error, "%s: %s", log_quote(name, strlen(name), quoted),
             what != NULL ? what : poll_outcome_name(outcome));
    free(what);
    return message_destroy(message);
}
