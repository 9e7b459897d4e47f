/* SPDX-License-Identifier: Apache-2.0 */
/* The collector thread. It owns everything in struct collector but the outbox's taken
 * messages and the wishes, which stand under a mutex and are announced on an eventfd.
 * It waits in one place, for sockets, that eventfd and a command's pipes, at most a
 * second. */
#include "collectors/collector.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <curl/curl.h>

#include "collectors/context.h"
#include "collectors/credentials.h"
#include "collectors/details.h"
#include "collectors/discovery.h"
#include "collectors/error_text.h"
#include "collectors/http_sd.h"
#include "collectors/listings.h"
#include "collectors/outbox.h"
#include "collectors/poller.h"
#include "collectors/server_list.h"
#include "collectors/string_array.h"
#include "common/alloc.h"

enum {
    WAIT_MS = 1000,
    LOOK_MS = 1000,
    TABLES_MAX = 64,
    RESERVED_CONNECTIONS = 8, /* for masters and listings, beside poll.max_in_flight */
};

/* What the creating thread wants; under the mutex. */
struct wishes {
    bool stop;
    enum listing_wish listing;
    char **tables; /* NULL-terminated, or NULL */
    bool focus_set;
    struct focus *focus;
};

struct collector {
    const struct config *config;
    struct context context;
    struct credentials *credentials;
    struct fetcher *fetcher;
    struct outbox *outbox;
    struct server_list *servers;
    struct poller *poller;
    struct details *details;
    struct discovery *discovery; /* NULL: no masters */
    struct http_sd *http_sd;     /* NULL: not configured */
    struct listings *listings;
    bool curl_ready;

    bool holding;          /* the masters' servers wait for their info ports */
    int64_t hold_until_ms; /* monotonic; INT64_MAX: nobody was found yet */
    int64_t look_ms;       /* of the next look at regionservers.file */
    bool first_turn;

    pthread_t thread;
    bool started;
    pthread_mutex_t mutex;
    struct wishes wishes;
    int wish_fd;
};

/* ---- what the parts report ---- */

static void
on_counted(void *user, uint64_t bytes)
{
    struct collector *c = user;

    poller_count_request(c->poller, bytes);
}

static bool
on_take_place(void *user)
{
    struct collector *c = user;

    return poller_take_place(c->poller);
}

static void
on_give_place(void *user)
{
    struct collector *c = user;

    poller_give_place(c->poller);
}

static void
on_cluster(void *user, struct message *message)
{
    struct collector *c = user;
    struct moment now = clock_now();

    if (message == NULL) {
        listings_set_master(c->listings, NULL, now);
        return;
    }
    const struct cluster_state *cluster = &message->cluster;
    bool https = strncasecmp(cluster->url, "https:", 6) == 0;
    server_list_set_live(c->servers, cluster->live, cluster->live_count, https);
    listings_set_master(c->listings, cluster, now);
    if (c->hold_until_ms == INT64_MAX)
        c->hold_until_ms = now.mono_ms + c->config->poll.timeout_ms;
    outbox_put(c->outbox, message);
}

static void
on_servers(void *user, const struct live_server *servers, size_t count)
{
    struct collector *c = user;

    server_list_set_ports(c->servers, servers, count);
}

static void
on_http_sd(void *user, struct url_list *urls)
{
    struct collector *c = user;

    server_list_set_http_sd(c->servers, urls);
}

static void
on_http_sd_missed(void *user)
{
    struct collector *c = user;

    server_list_miss_http_sd(c->servers);
}

/* ---- one turn of the loop ---- */

static bool
take_wishes(struct collector *c)
{
    uint64_t count;

    if (read(c->wish_fd, &count, sizeof count) < 0)
        return true; /* none */
    pthread_mutex_lock(&c->mutex);
    struct wishes w = c->wishes;
    c->wishes = (struct wishes){.stop = w.stop};
    pthread_mutex_unlock(&c->mutex);
    if (w.listing != WISH_NONE)
        listings_wish(c->listings, w.listing, w.tables);
    string_array_free(w.tables);
    if (w.focus_set)
        details_set_focus(c->details, w.focus, clock_now());
    focus_destroy(w.focus);
    return !w.stop;
}

static void
look_at_file(struct collector *c, struct moment now)
{
    int64_t interval = c->config->poll.interval_ms;
    char *error;

    if (c->config->regionservers.file == NULL || now.mono_ms < c->look_ms)
        return;
    c->look_ms = now.mono_ms + (interval < LOOK_MS ? interval : LOOK_MS);
    if (server_list_look(c->servers, now, &error) < 0)
        outbox_failure(c->outbox, c->config->regionservers.file, POLL_PARSE, error);
}

static void
update_hold(struct collector *c, struct moment now)
{
    if (c->holding &&
        (now.mono_ms >= c->hold_until_ms || !listings_api_pending(c->listings))) {
        c->holding = false;
        server_list_hold(c->servers, false);
    }
}

static void
apply_targets(struct collector *c, struct moment now)
{
    char **urls;
    size_t count;

    if (!c->config->poll.jmx)
        return;
    if (server_list_changed(c->servers, &urls, &count)) {
        struct message *m = message_create(MESSAGE_TARGETS);
        m->targets.count = count;
        m->targets.urls = xcalloc(count, sizeof m->targets.urls[0]);
        for (size_t i = 0; i < count; i++)
            m->targets.urls[i] = xstrdup(urls[i]);
        outbox_put(c->outbox, m);
        poller_set_targets(c->poller, urls, count, now);
    }
    if (server_list_lacks_ports(c->servers))
        listings_wish_ports(c->listings);
}

static void
refresh_credentials(struct collector *c)
{
    char *error;

    if (credentials_refresh(c->credentials, &error) < 0)
        outbox_failure(c->outbox, c->config->hbase_auth.password_file, POLL_AUTH,
                       error);
}

/* What is asked once a tick, besides the RegionServers. */
static void
on_tick(struct collector *c)
{
    if (!c->first_turn)
        refresh_credentials(c);
    c->first_turn = false;
    if (c->discovery != NULL)
        discovery_start(c->discovery);
    if (c->http_sd != NULL)
        http_sd_start(c->http_sd);
}

static bool
expects_targets(const struct collector *c)
{
    return (c->first_turn && (c->discovery != NULL || c->http_sd != NULL)) ||
           (c->discovery != NULL && discovery_searching(c->discovery)) ||
           (c->http_sd != NULL && http_sd_busy(c->http_sd)) ||
           (c->holding && c->hold_until_ms != INT64_MAX);
}

static void
wait_for_work(struct collector *c, struct moment now)
{
    int fds[1 + COMMAND_FDS] = {c->wish_fd};
    unsigned count = 1 + listings_fds(c->listings, fds + 1);
    int64_t next = poller_next_ms(c->poller);
    int64_t listing = listings_next_ms(c->listings);
    int64_t detail = details_next_ms(c->details);

    if (listing < next)
        next = listing;
    if (detail < next)
        next = detail;
    if (c->config->regionservers.file != NULL && c->look_ms < next)
        next = c->look_ms;
    if (c->holding && c->hold_until_ms < next)
        next = c->hold_until_ms;
    int64_t wait = next <= now.mono_ms ? 0 : WAIT_MS;
    if (wait > 0 && next - now.mono_ms < WAIT_MS)
        wait = next - now.mono_ms;
    fetcher_wait(c->fetcher, fds, count, (int)wait);
}

static void *
run(void *user)
{
    struct collector *c = user;

    refresh_credentials(c);
    while (take_wishes(c)) {
        struct moment now = clock_now();
        look_at_file(c, now);
        listings_step(c->listings, now);
        update_hold(c, now);
        apply_targets(c, now);
        poller_expect_targets(c->poller, expects_targets(c));
        if (poller_step(c->poller, now))
            on_tick(c);
        details_step(c->details, now);
        wait_for_work(c, now);
        fetcher_perform(c->fetcher);
    }
    return NULL;
}

/* ---- creating and destroying, by another thread ---- */

static void
create_parts(struct collector *c)
{
    const struct config *config = c->config;
    struct listings_events listings = {on_servers, on_counted, c};
    struct details_events details = {on_take_place, on_give_place, on_counted, c};
    struct http_sd_events http_sd = {on_http_sd, on_http_sd_missed, on_counted, c};
    char *error;

    c->servers = server_list_create(&config->regionservers, &error);
    if (error != NULL)
        outbox_failure(c->outbox, "regionservers.static", POLL_BAD_RESPONSE, error);
    c->poller = poller_create(&c->context);
    c->details = details_create(&c->context, &details);
    c->listings = listings_create(&c->context, &listings);
    if (config->masters.count > 0)
        c->discovery = discovery_create(&c->context, on_cluster, on_counted, c);
    if (config->regionservers.http_sd != NULL)
        c->http_sd = http_sd_create(&c->context, &http_sd);
    c->holding = listings_api_pending(c->listings);
    server_list_hold(c->servers, c->holding);
    c->hold_until_ms = INT64_MAX;
    c->look_ms = INT64_MIN;
    c->first_turn = true;
}

/* All signals blocked from its first instruction on: they are the main thread's. */
static int
start_thread(struct collector *c)
{
    sigset_t all, old;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int r = pthread_create(&c->thread, NULL, run, c);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (r == 0)
        pthread_setname_np(c->thread, "collector");
    c->started = r == 0;
    return -r;
}

static bool
create_resources(struct collector *c, const char **ret_what)
{
    const struct config *config = c->config;
    unsigned connections = config->poll.max_in_flight + RESERVED_CONNECTIONS +
                           (unsigned)config->masters.count;

    *ret_what = "libcurl";
    c->curl_ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    if (!c->curl_ready)
        return false;
    credentials_environment(&config->hbase_auth);
    c->credentials = credentials_create(&config->hbase_auth);
    c->fetcher = fetcher_create(connections, config->poll.gzip, c->credentials);
    if (c->fetcher == NULL)
        return false;
    *ret_what = "an eventfd";
    c->wish_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    c->outbox = outbox_create();
    return c->wish_fd >= 0 && c->outbox != NULL;
}

struct collector *
collector_create(const struct config *config, char **ret_error)
{
    struct collector *c = xcalloc(1, sizeof *c);
    const char *what;

    c->config = config;
    c->wish_fd = -1;
    pthread_mutex_init(&c->mutex, NULL);
    bool good = create_resources(c, &what);
    if (good) {
        c->context = (struct context){config, c->fetcher, c->outbox};
        create_parts(c);
        what = "a thread";
        errno = -start_thread(c);
        good = c->started;
    }
    if (!good) {
        *ret_error = error_text("collector: cannot get %s: %s", what, strerror(errno));
        return collector_destroy(c);
    }
    return c;
}

static void
announce(struct collector *c)
{
    (void)!write(c->wish_fd, &(uint64_t){1}, sizeof(uint64_t));
}

static void
stop_thread(struct collector *c)
{
    if (!c->started)
        return;
    pthread_mutex_lock(&c->mutex);
    c->wishes.stop = true;
    pthread_mutex_unlock(&c->mutex);
    announce(c);
    pthread_join(c->thread, NULL);
}

struct collector *
collector_destroy(struct collector *c)
{
    if (c == NULL)
        return NULL;
    stop_thread(c);
    http_sd_destroy(c->http_sd);
    discovery_destroy(c->discovery);
    listings_destroy(c->listings);
    details_destroy(c->details);
    poller_destroy(c->poller);
    server_list_destroy(c->servers);
    fetcher_destroy(c->fetcher);
    credentials_destroy(c->credentials);
    outbox_destroy(c->outbox);
    if (c->wish_fd >= 0)
        close(c->wish_fd);
    if (c->curl_ready)
        curl_global_cleanup();
    string_array_free(c->wishes.tables);
    focus_destroy(c->wishes.focus);
    pthread_mutex_destroy(&c->mutex);
    free(c);
    return NULL;
}

int
collector_fd(const struct collector *c)
{
    return outbox_fd(c->outbox);
}

struct message *
collector_take(struct collector *c)
{
    return outbox_take(c->outbox);
}

void
collector_want_listing(struct collector *c, bool urgent, const char *const *tables)
{
    enum listing_wish wish = urgent ? WISH_URGENT : WISH_LISTING;
    char **copy = string_array_copy(tables, TABLES_MAX);

    pthread_mutex_lock(&c->mutex);
    if (wish > c->wishes.listing)
        c->wishes.listing = wish;
    if (copy != NULL) {
        string_array_free(c->wishes.tables);
        c->wishes.tables = copy;
    }
    pthread_mutex_unlock(&c->mutex);
    announce(c);
}

void
collector_set_focus(struct collector *c, struct focus *focus)
{
    pthread_mutex_lock(&c->mutex);
    struct focus *before = c->wishes.focus;
    c->wishes.focus = focus;
    c->wishes.focus_set = true;
    pthread_mutex_unlock(&c->mutex);
    focus_destroy(before);
    announce(c);
}
