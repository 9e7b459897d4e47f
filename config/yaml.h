/* SPDX-License-Identifier: Apache-2.0 */
/* A YAML text as a tree of nodes that know their places. Only what a configuration
 * needs: one document of mappings with text keys, lists and scalars. Anchors, aliases,
 * tags, merge keys, duplicate keys and further documents are reported as errors.
 * Everything is text here; what a text means is for config/value.c to say. */
#ifndef CONFIG_YAML_H
#define CONFIG_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "config/problems.h"

enum {
    YDOC_TEXT_MAX = 1024 * 1024, /* bytes of a file */
    YDOC_DEPTH_MAX = 16,         /* nested mappings and lists */
    YDOC_KEYS_MAX = 256,         /* keys of one mapping */
    YDOC_NODES_MAX = 65536,
};

enum ynode_kind {
    YNODE_SCALAR,
    YNODE_LIST,
    YNODE_MAP,
    YNODE_REFUSED, /* an alias; reported already */
};

struct ynode {
    enum ynode_kind kind;
    bool plain;         /* a scalar without quotes */
    struct place where; /* of the value */
    char *text;         /* of a scalar, NUL-terminated; may hold NULs itself */
    size_t len;
    char *key; /* in a mapping, without NULs inside */
    struct place key_where;
    size_t index; /* among the siblings */
    size_t count; /* children */
    struct ynode *parent;
    struct ynode *first;
    struct ynode *last;
    struct ynode *next;
    struct ynode *chain; /* all nodes of the document, for yaml.c alone */
};

struct ydoc {
    struct ynode *root; /* NULL: the text is empty */
    struct ynode *chain;
    size_t count;
};

/* Reads len bytes. Errors that leave a usable tree (a duplicate key, an anchor) are
 * reported and left out of it; after any other error NULL is returned. The caller frees
 * with ydoc_destroy(). */
struct ydoc *ydoc_parse(const char *text, size_t len, struct config_problems *problems);
/* Accepts NULL; returns NULL. */
struct ydoc *ydoc_destroy(struct ydoc *doc);

/* The child of a mapping with that key or NULL. */
const struct ynode *ynode_find(const struct ynode *map, const char *key);

/* An unquoted scalar without text, as in "key:". */
bool ynode_is_empty(const struct ynode *node);

/* "detection.tables[1].match"; unusual keys in quotes. Returns out. */
enum { YNODE_PATH_SIZE = 512 };
const char *ynode_path(const struct ynode *node, char out[static YNODE_PATH_SIZE]);

#endif
