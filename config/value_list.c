/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of texts and mappings of label names to texts. A field owns its array and the
 * texts in it. Runs on the thread that loads a configuration. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/json_write.h"
#include "config/value_priv.h"

/* -EINVAL (reported) if the node is of another kind or has too many children. */
static int
check_container(struct value_reader *r, const struct schema_row *row,
                const struct ynode *node, enum ynode_kind kind, size_t max)
{
    if (node->kind == kind && node->count <= max)
        return 0;
    if (node->kind == kind) {
        value_problem(r, node, "more than %zu entries", max);
        return -EINVAL;
    }
    return value_refuse(r, row, node,
                        kind == YNODE_LIST
                            ? "a list: [ \"a\", \"b\" ]; an empty one: []"
                            : "a mapping: { name: text }");
}

int
list_read(struct value_reader *r, const struct schema_row *row,
          const struct ynode *node, void *field)
{
    struct string_list list = {0};
    int result = check_container(r, row, node, YNODE_LIST, VALUE_ITEMS_MAX);

    if (result < 0)
        return result;
    size_t mark = places_mark(r->places);
    list.items = xcalloc(node->count + 1, sizeof *list.items);
    for (const struct ynode *child = node->first; child; child = child->next) {
        char *text;
        if (value_read_text(r, child, &text) < 0) {
            result = -EINVAL;
            continue;
        }
        places_add(r->places, text, child->where, false);
        list.items[list.count++] = text;
    }
    if (result == 0) {
        list_clear(field);
        *(struct string_list *)field = list;
    } else {
        places_forget(r->places, mark);
        list_clear(&list);
    }
    return result;
}

void
list_print(const struct schema_row *row, const void *field, struct buf *out)
{
    const struct string_list *list = field;
    struct json_writer w;

    (void)row;
    json_init(&w, out);
    json_array_begin(&w);
    for (size_t i = 0; i < list->count; i++)
        json_string(&w, list->items[i]);
    json_array_end(&w);
}

void
list_clear(void *field)
{
    struct string_list *list = field;

    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    *list = (struct string_list){0};
}

int
labels_read(struct value_reader *r, const struct schema_row *row,
            const struct ynode *node, void *field)
{
    struct label_list labels = {0};
    int result = check_container(r, row, node, YNODE_MAP, VALUE_LABELS_MAX);

    if (result < 0)
        return result;
    size_t mark = places_mark(r->places);
    labels.items = xcalloc(node->count + 1, sizeof *labels.items);
    for (const struct ynode *child = node->first; child; child = child->next) {
        char *text;
        if (value_read_text(r, child, &text) < 0) {
            result = -EINVAL;
            continue;
        }
        struct label *label = &labels.items[labels.count++];
        *label = (struct label){.name = xstrdup(child->key), .value = text};
        places_add(r->places, label->name, child->key_where, false);
        places_add(r->places, label->value, child->where, false);
    }
    if (result == 0) {
        labels_clear(field);
        *(struct label_list *)field = labels;
    } else {
        places_forget(r->places, mark);
        labels_clear(&labels);
    }
    return result;
}

void
labels_print(const struct schema_row *row, const void *field, struct buf *out)
{
    const struct label_list *labels = field;
    struct json_writer w;

    (void)row;
    json_init(&w, out);
    json_object_begin(&w);
    for (size_t i = 0; i < labels->count; i++)
        json_member_string(&w, labels->items[i].name, labels->items[i].value);
    json_object_end(&w);
}

void
labels_clear(void *field)
{
    struct label_list *labels = field;

    for (size_t i = 0; i < labels->count; i++) {
        free(labels->items[i].name);
        free(labels->items[i].value);
    }
    free(labels->items);
    *labels = (struct label_list){0};
}

void
labels_copy(struct label_list *to, const struct label_list *from)
{
    *to = (struct label_list){0};
    if (from->count == 0)
        return;
    to->items = xcalloc(from->count, sizeof *to->items);
    for (size_t i = 0; i < from->count; i++) {
        to->items[i].name = xstrdup(from->items[i].name);
        to->items[i].value = xstrdup(from->items[i].value);
    }
    to->count = from->count;
}
