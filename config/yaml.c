/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the tree from libyaml's events, without recursion. A document owns its nodes
 * through one chain, so that whatever was built is freed wherever it stops. Sizes are
 * chosen by the input: bounded by the limits in yaml.h, checked when allocated. Runs on
 * the thread that loads a configuration. Syntax errors are worded in yaml_error.c. */
#include "config/yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "common/buf.h"
#include "common/log.h"
#include "config/yaml_error.h"

/* An open mapping or list. */
struct frame {
    struct ynode *node;
    char *key; /* read, its value not yet; NULL: a key is next */
    struct place key_where;
};

struct builder {
    struct ydoc *doc;
    struct config_problems *problems;
    unsigned documents;
    struct frame frames[YDOC_DEPTH_MAX];
    unsigned depth;
};

static struct place
place_of(const yaml_event_t *event)
{
    return (struct place){
        .line = (unsigned)event->start_mark.line + 1,
        .column = (unsigned)event->start_mark.column + 1,
    };
}

static int
fail(struct builder *b, const yaml_event_t *event, const char *text)
{
    problem_add(b->problems, false, place_of(event), "%s", text);
    return -EINVAL;
}

static char *
copy_text(const void *text, size_t len)
{
    char *copy = malloc(len + 1);
    if (copy) {
        memcpy(copy, text, len);
        copy[len] = '\0';
    }
    return copy;
}

static void
link_child(struct ynode *parent, struct ynode *node)
{
    node->index = parent->count++;
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
}

/* Gives the node the key read before; a duplicate stays outside of the tree. */
static int
attach_to_map(struct builder *b, struct frame *frame, struct ynode *node)
{
    char path[YNODE_PATH_SIZE];

    node->key = frame->key;
    node->key_where = frame->key_where;
    frame->key = NULL;
    if (strcmp(node->key, "<<") == 0) {
        problem_add(b->problems, false, node->key_where,
                    "%s: merge keys are not supported; write the keys out",
                    ynode_path(node, path));
        return 0;
    }
    const struct ynode *twin = ynode_find(frame->node, node->key);
    if (twin) {
        problem_add(b->problems, false, node->key_where,
                    "%s: set twice, first at line %u, column %u",
                    ynode_path(node, path), twin->key_where.line,
                    twin->key_where.column);
        return 0;
    }
    if (frame->node->count == YDOC_KEYS_MAX) {
        problem_add(b->problems, false, node->key_where,
                    "%s: more than %d keys in one mapping", ynode_path(node, path),
                    YDOC_KEYS_MAX);
        return -EINVAL;
    }
    link_child(frame->node, node);
    return 0;
}

static int
add_node(struct builder *b, const yaml_event_t *event, enum ynode_kind kind,
         struct ynode **ret_node)
{
    if (b->doc->count == YDOC_NODES_MAX)
        return fail(b, event, "more values than a configuration may hold (65536)");
    struct ynode *node = calloc(1, sizeof *node);
    if (!node)
        return fail(b, event, "out of memory");
    node->kind = kind;
    node->where = place_of(event);
    node->chain = b->doc->chain;
    b->doc->chain = node;
    b->doc->count++;
    *ret_node = node;
    if (b->depth == 0) {
        b->doc->root = node;
        return 0;
    }
    struct frame *frame = &b->frames[b->depth - 1];
    node->parent = frame->node;
    if (frame->node->kind == YNODE_MAP)
        return attach_to_map(b, frame, node);
    link_child(frame->node, node);
    return 0;
}

static void
refuse_decoration(struct builder *b, const yaml_event_t *event, const void *anchor,
                  const void *tag)
{
    char name[LOG_QUOTE_SIZE];

    if (anchor) {
        log_quote(anchor, strlen(anchor), name);
        problem_add(b->problems, false, place_of(event),
                    "anchor %s: anchors are not supported; write the value out (a text "
                    "that begins with '&' must be in quotes)",
                    name);
    }
    if (tag) {
        log_quote(tag, strlen(tag), name);
        problem_add(
            b->problems, false, place_of(event),
            "tag %s: tags are not supported (a text that begins with '!' must be "
            "in quotes)",
            name);
    }
}

static bool
expects_key(const struct builder *b)
{
    if (b->depth == 0)
        return false;
    const struct frame *frame = &b->frames[b->depth - 1];
    return frame->node->kind == YNODE_MAP && !frame->key;
}

static int
take_key(struct builder *b, const yaml_event_t *event)
{
    struct frame *frame = &b->frames[b->depth - 1];
    const char *text = (const char *)event->data.scalar.value;
    size_t len = event->data.scalar.length;

    if (memchr(text, '\0', len))
        return fail(b, event, "a key must not contain a NUL byte");
    frame->key = copy_text(text, len);
    if (!frame->key)
        return fail(b, event, "out of memory");
    frame->key_where = place_of(event);
    return 0;
}

static int
take_scalar(struct builder *b, const yaml_event_t *event)
{
    struct ynode *node;

    refuse_decoration(b, event, event->data.scalar.anchor, event->data.scalar.tag);
    if (expects_key(b))
        return take_key(b, event);
    int r = add_node(b, event, YNODE_SCALAR, &node);
    if (r < 0)
        return r;
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->len = event->data.scalar.length;
    node->text = copy_text(event->data.scalar.value, node->len);
    return node->text ? 0 : fail(b, event, "out of memory");
}

static int
take_alias(struct builder *b, const yaml_event_t *event)
{
    struct ynode *node;
    char name[LOG_QUOTE_SIZE];
    const char *anchor = (const char *)event->data.alias.anchor;

    problem_add(b->problems, false, place_of(event),
                "alias %s: aliases are not supported; write the value out (a text that "
                "begins with '*' must be in quotes)",
                log_quote(anchor, strlen(anchor), name));
    if (expects_key(b))
        return -EINVAL;
    return add_node(b, event, YNODE_REFUSED, &node);
}

static int
open_container(struct builder *b, const yaml_event_t *event, enum ynode_kind kind)
{
    struct ynode *node;

    if (kind == YNODE_MAP)
        refuse_decoration(b, event, event->data.mapping_start.anchor,
                          event->data.mapping_start.tag);
    else
        refuse_decoration(b, event, event->data.sequence_start.anchor,
                          event->data.sequence_start.tag);
    if (expects_key(b))
        return fail(b, event, "expected a key, found a list or a mapping");
    if (b->depth == YDOC_DEPTH_MAX)
        return fail(b, event, "nested deeper than 16 levels");
    int r = add_node(b, event, kind, &node);
    if (r == 0)
        b->frames[b->depth++] = (struct frame){.node = node};
    return r;
}

/* 0: go on, 1: the stream has ended, negative: an error was reported. */
static int
take_event(struct builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (b->documents++ > 0)
            return fail(b, event, "a second document begins here; one is expected");
        return 0;
    case YAML_SCALAR_EVENT:
        return take_scalar(b, event);
    case YAML_ALIAS_EVENT:
        return take_alias(b, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_container(b, event, YNODE_LIST);
    case YAML_MAPPING_START_EVENT:
        return open_container(b, event, YNODE_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        b->depth--;
        return 0;
    case YAML_STREAM_END_EVENT:
        return 1;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
    return 0;
}

static int
build(struct builder *b, const char *text, size_t len)
{
    yaml_parser_t parser;
    int r = 0;

    if (!yaml_parser_initialize(&parser)) {
        problem_add(b->problems, false, (struct place){0}, "out of memory");
        return -ENOMEM;
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
    while (r == 0) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            yaml_error_report(&parser, text, len, b->problems);
            r = -EINVAL;
            break;
        }
        r = take_event(b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return r < 0 ? r : 0;
}

struct ydoc *
ydoc_parse(const char *text, size_t len, struct config_problems *problems)
{
    struct builder b = {.problems = problems};

    if (len > YDOC_TEXT_MAX) {
        problem_add(problems, false, (struct place){0},
                    "the text is longer than 1 MiB");
        return NULL;
    }
    if (yaml_error_check_utf8(text, len, problems) < 0)
        return NULL;
    /* libyaml would count a byte order mark as a column of the first line. */
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        len -= 3;
    }
    b.doc = calloc(1, sizeof *b.doc);
    if (!b.doc) {
        problem_add(problems, false, (struct place){0}, "out of memory");
        return NULL;
    }
    int r = build(&b, text, len);
    for (unsigned i = 0; i < YDOC_DEPTH_MAX; i++)
        free(b.frames[i].key);
    if (r < 0)
        return ydoc_destroy(b.doc);
    if (b.doc->root && ynode_is_empty(b.doc->root))
        b.doc->root = NULL;
    return b.doc;
}

struct ydoc *
ydoc_destroy(struct ydoc *doc)
{
    if (!doc)
        return NULL;
    while (doc->chain) {
        struct ynode *node = doc->chain;
        doc->chain = node->chain;
        free(node->text);
        free(node->key);
        free(node);
    }
    free(doc);
    return NULL;
}

const struct ynode *
ynode_find(const struct ynode *map, const char *key)
{
    for (const struct ynode *child = map->first; child; child = child->next) {
        if (child->key && strcmp(child->key, key) == 0)
            return child;
    }
    return NULL;
}

bool
ynode_is_empty(const struct ynode *node)
{
    return node->kind == YNODE_SCALAR && node->plain && node->len == 0;
}

static void
add_key(struct buf *out, const char *key)
{
    static const char usual[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-";
    char quoted[LOG_QUOTE_SIZE];
    size_t len = strlen(key);

    if (len > 0 && len <= 64 && strspn(key, usual) == len)
        buf_adds(out, key);
    else
        buf_adds(out, log_quote(key, len, quoted));
}

const char *
ynode_path(const struct ynode *node, char out[static YNODE_PATH_SIZE])
{
    const struct ynode *up[YDOC_DEPTH_MAX + 1];
    struct buf path;
    size_t n = 0;

    for (; node && node->parent && n < YDOC_DEPTH_MAX + 1; node = node->parent)
        up[n++] = node;
    buf_init(&path, 0);
    while (n-- > 0) {
        if (!up[n]->key) {
            buf_addf(&path, "[%zu]", up[n]->index);
            continue;
        }
        if (path.len > 0)
            buf_addc(&path, '.');
        add_key(&path, up[n]->key);
    }
    if (path.len >= YNODE_PATH_SIZE)
        path.len = YNODE_PATH_SIZE - 1;
    memcpy(out, path.data, path.len);
    out[path.len] = '\0';
    buf_finish(&path);
    return out;
}
