/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of top and the texts they point to. One owner. */
#include "hotspotctl/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"

void
live_view_init(struct live_view *v)
{
    *v = (struct live_view){.coverage = NAN};
}

void
live_view_finish(struct live_view *v)
{
    for (size_t i = 0; i < v->text_count; i++)
        free(v->texts[i]);
    free(v->texts);
    free(v->regions);
    live_view_init(v);
}

struct live_region *
live_view_add(struct live_view *v)
{
    xgrow(&v->regions, &v->capacity, v->count + 1, sizeof *v->regions);
    struct live_region *r = &v->regions[v->count++];
    *r = (struct live_region){.table = "",
                              .server = "",
                              .heat_class = "",
                              .why = "",
                              .read = NAN,
                              .write = NAN,
                              .ratio = NAN,
                              .size = NAN};
    return r;
}

const char *
live_view_text(struct live_view *v, const char *text)
{
    xgrow(&v->texts, &v->text_capacity, v->text_count + 1, sizeof *v->texts);
    char *copy = xstrdup(text);
    v->texts[v->text_count++] = copy;
    for (char *p = copy; *p != '\0'; p++)
        if ((*p < 0x20 && *p != '\n') || *p == 0x7F || (unsigned char)*p >= 0x80)
            *p = '?';
    return copy;
}
