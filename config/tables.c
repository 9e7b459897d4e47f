/* SPDX-License-Identifier: Apache-2.0 */
/* The list detection.tables: each entry is the rule of `detection:` with what the entry
 * sets laid over it. The struct detection_config owns the array, each entry its glob
 * and its labels. Runs on the thread that loads a configuration. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "config/value_priv.h"

static void
init_entry(struct table_rule *entry, const struct rule *inherited)
{
    entry->match = NULL;
    entry->rule = *inherited;
    labels_copy(&entry->rule.labels, &inherited->labels);
}

static int
read_key(struct value_reader *r, const struct ynode *node, struct table_rule *entry)
{
    const struct schema_row *row = schema_find_entry(node->key);

    if (!row) {
        const char *keys[SCHEMA_KEYS_MAX];
        value_unknown_key(r, node, keys, schema_entry_keys(keys));
        return -EINVAL;
    }
    return value_apply(r, row, node, (char *)entry + schema_entry_offset(row));
}

static int
read_entry(struct value_reader *r, const struct ynode *node, struct table_rule *entry)
{
    int result = 0;

    if (node->kind != YNODE_MAP)
        return value_unexpected(r, node, "a mapping with the key 'match'", NULL);
    for (const struct ynode *child = node->first; child; child = child->next) {
        if (read_key(r, child, entry) < 0)
            result = -EINVAL;
    }
    for (size_t i = 0; i < schema_count; i++) {
        const char *key = schema_key(&schema[i]);
        if ((schema[i].flags & ROW_REQUIRED) && !ynode_find(node, key)) {
            value_problem(r, node, "the key '%s' is missing", key);
            result = -EINVAL;
        }
    }
    return result;
}

/* Entries with an error stay in the list, so that the others keep their numbers and the
 * checks that follow see them; the configuration as a whole is refused anyway. */
int
tables_read(struct value_reader *r, const struct schema_row *row,
            const struct ynode *node, void *field)
{
    struct detection_config *detection = field;
    int result = 0;

    if (node->kind != YNODE_LIST)
        return value_refuse(r, row, node, "a list: - match: \"ns:*\"");
    if (node->count > VALUE_TABLES_MAX) {
        value_problem(r, node, "more than %d entries", VALUE_TABLES_MAX);
        return -EINVAL;
    }
    tables_clear(field);
    detection->tables = xcalloc(node->count + 1, sizeof *detection->tables);
    for (const struct ynode *child = node->first; child; child = child->next) {
        struct table_rule *entry = &detection->tables[detection->table_count++];
        init_entry(entry, &detection->rule);
        if (read_entry(r, child, entry) < 0)
            result = -EINVAL;
    }
    return result;
}

void
tables_print(const struct schema_row *row, const void *field, struct buf *out)
{
    const struct detection_config *detection = field;

    (void)row;
    for (size_t i = 0; i < detection->table_count; i++) {
        buf_adds(out, "\n-");
        for (size_t j = 0; j < schema_count; j++) {
            if (!schema_in_entry(&schema[j]))
                continue;
            buf_addf(out, " %s: ", schema_key(&schema[j]));
            value_print(&schema[j],
                        (const char *)&detection->tables[i] +
                            schema_entry_offset(&schema[j]),
                        out);
        }
    }
}

void
tables_clear(void *field)
{
    struct detection_config *detection = field;

    for (size_t i = 0; i < detection->table_count; i++) {
        free(detection->tables[i].match);
        labels_clear(&detection->tables[i].rule.labels);
    }
    free(detection->tables);
    detection->tables = NULL;
    detection->table_count = 0;
}
