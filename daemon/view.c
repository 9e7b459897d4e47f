/* SPDX-License-Identifier: Apache-2.0 */
/* Views and their publication. A view's parts are freed by whichever thread drops the
 * last reference. */
#include "daemon/view.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "common/alloc.h"
#include "daemon/gzip.h"

struct view *
view_create(void)
{
    struct view *view = xcalloc(1, sizeof *view);

    atomic_init(&view->refs, 1);
    targets_init(&view->targets);
    pthread_mutex_init(&view->gzip_lock, NULL);
    return view;
}

struct view *
view_ref(struct view *view)
{
    atomic_fetch_add(&view->refs, 1);
    return view;
}

static void
status_finish(struct status *status)
{
    free(status->cluster);
    free(status->cluster_id);
    for (size_t i = 0; i < status->problems.count; i++)
        free(status->problems.items[i]);
    free(status->problems.items);
}

struct view *
view_unref(struct view *view)
{
    if (view == NULL || atomic_fetch_sub(&view->refs, 1) != 1)
        return NULL;
    shared_config_unref(view->config);
    snapshot_unref(view->snapshot);
    event_list_unref(view->events);
    targets_finish(&view->targets);
    status_finish(&view->status);
    free(view->metrics);
    free(view->gzip);
    pthread_mutex_destroy(&view->gzip_lock);
    free(view);
    return NULL;
}

int
view_metrics_gzip(struct view *view, const char **ret_data, size_t *ret_len)
{
    int r = 0;

    pthread_mutex_lock(&view->gzip_lock);
    if (view->gzip == NULL)
        view->gzip =
            gzip_compress(view->metrics, view->metrics_len, 6, &view->gzip_len);
    if (view->gzip != NULL) {
        *ret_data = view->gzip;
        *ret_len = view->gzip_len;
    } else {
        r = -ENOMEM;
    }
    pthread_mutex_unlock(&view->gzip_lock);
    return r;
}

void
publisher_init(struct publisher *p)
{
    p->current = NULL;
    pthread_mutex_init(&p->lock, NULL);
}

void
publisher_finish(struct publisher *p)
{
    p->current = view_unref(p->current);
    pthread_mutex_destroy(&p->lock);
}

void
publisher_set(struct publisher *p, struct view *view)
{
    pthread_mutex_lock(&p->lock);
    struct view *old = p->current;
    p->current = view;
    pthread_mutex_unlock(&p->lock);
    view_unref(old);
}

struct view *
publisher_get(struct publisher *p)
{
    pthread_mutex_lock(&p->lock);
    struct view *view = p->current != NULL ? view_ref(p->current) : NULL;
    pthread_mutex_unlock(&p->lock);
    return view;
}
