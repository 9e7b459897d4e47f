/* SPDX-License-Identifier: Apache-2.0 */
/* From a text or file to a struct config: walks the tree along the schema, goes on
 * after each error, ends with the checks over several keys. Whoever loads owns the
 * result and the list of findings. Runs on the thread that calls it. */
#include "config/load.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/buf.h"
#include "common/file.h"
#include "common/hash.h"
#include "common/log.h"
#include "config/check.h"
#include "config/places.h"
#include "config/problems.h"
#include "config/value.h"
#include "config/yaml.h"

static void *
field_of(struct config *config, const struct schema_row *row)
{
    return (char *)config + row->offset;
}

struct config *
config_create_default(void)
{
    struct config *config = xcalloc(1, sizeof *config);

    for (size_t i = 0; i < schema_count; i++) {
        if (schema_in_config(&schema[i]))
            value_set_default(&schema[i], field_of(config, &schema[i]));
    }
    return config;
}

struct config *
config_destroy(struct config *config)
{
    if (!config)
        return NULL;
    for (size_t i = 0; i < schema_count; i++) {
        if (schema_in_config(&schema[i]))
            value_clear(&schema[i], field_of(config, &schema[i]));
    }
    free(config);
    return NULL;
}

/* Reads the keys of a section other than tables, or tables alone: its entries begin
 * with what the other keys say, wherever they stand. */
static void
read_keys(struct value_reader *r, const char *section, const struct ynode *map,
          bool tables, struct config *config)
{
    for (const struct ynode *node = map->first; node; node = node->next) {
        const struct schema_row *row = schema_find(section, node->key);
        if (row && row->type == TYPE_SECTION)
            continue;
        if (row && (row->type == TYPE_TABLES) == tables) {
            value_apply(r, row, node, field_of(config, row));
        } else if (!row && !tables) {
            const char *keys[SCHEMA_KEYS_MAX];
            value_unknown_key(r, node, keys, schema_keys(section, keys));
        }
    }
}

static bool
is_mapping(struct value_reader *r, const struct ynode *node)
{
    if (node->kind == YNODE_MAP)
        return true;
    if (!ynode_is_empty(node))
        value_unexpected(r, node, "a mapping of keys", NULL);
    return false;
}

static void
read_root(struct value_reader *r, const struct ynode *root, struct config *config)
{
    if (!is_mapping(r, root))
        return;
    read_keys(r, NULL, root, false, config);
    for (const struct ynode *node = root->first; node; node = node->next) {
        const struct schema_row *row = schema_find(NULL, node->key);
        if (!row || row->type != TYPE_SECTION || !is_mapping(r, node))
            continue;
        read_keys(r, row->path, node, false, config);
        read_keys(r, row->path, node, true, config);
    }
}

struct config *
config_load_text(const char *text, size_t len, struct config_problems *ret_problems)
{
    struct places places = {0};
    struct value_reader r = {.problems = ret_problems, .places = &places};

    *ret_problems = (struct config_problems){0};
    struct ydoc *doc = ydoc_parse(text, len, ret_problems);
    if (!doc)
        return NULL;
    struct config *config = config_create_default();
    if (doc->root)
        read_root(&r, doc->root, config);
    ydoc_destroy(doc);
    check_all(config, &places, ret_problems);
    places_finish(&places);
    problems_sort(ret_problems);
    return ret_problems->errors > 0 ? config_destroy(config) : config;
}

struct config *
config_load_file(const char *path, struct config_problems *ret_problems)
{
    char quoted[LOG_QUOTE_SIZE];
    struct config *config = NULL;
    struct buf text;

    *ret_problems = (struct config_problems){0};
    buf_init(&text, YDOC_TEXT_MAX);
    int r = file_read_whole(path, &text, NULL);
    if (r < 0 && r != -EFBIG)
        problem_add(ret_problems, false, (struct place){0}, "cannot read %s: %s",
                    log_quote(path, strlen(path), quoted), file_error_text(r));
    else if (r < 0)
        problem_add(ret_problems, false, (struct place){0},
                    "%s is too large: expected at most %d bytes",
                    log_quote(path, strlen(path), quoted), YDOC_TEXT_MAX);
    else
        config = config_load_text(text.data, text.len, ret_problems);
    buf_finish(&text);
    return config;
}

void
config_hash(const struct config *config, char ret_text[static 17])
{
    struct buf values;

    buf_init(&values, 0);
    for (size_t i = 0; i < schema_count; i++) {
        if (!schema_in_config(&schema[i]))
            continue;
        buf_addf(&values, "%s: ", schema[i].path);
        value_print(&schema[i], (const char *)config + schema[i].offset, &values);
        buf_addc(&values, '\n');
    }
    snprintf(ret_text, 17, "%016" PRIx64, hash_bytes(values.data, values.len));
    buf_finish(&values);
}
