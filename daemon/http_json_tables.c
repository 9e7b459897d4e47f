/* SPDX-License-Identifier: Apache-2.0 */
/* /api/v1/tables: how the load of each table is spread, and the rule that judges it, so
 * that "nothing is hot" can be checked. HTTP threads; all is read from the view. */
#include "daemon/http_answer.h"

#include "analysis/table_findings.h"
#include "daemon/json_util.h"
#include "daemon/json_why.h"
#include "daemon/names.h"

/* A number, or an object when the accesses differ. */
static void
member_by_access(struct json_writer *w, const char *key, const double *value)
{
    if (value[ACCESS_READ] == value[ACCESS_TOTAL] &&
        value[ACCESS_WRITE] == value[ACCESS_TOTAL]) {
        json_member_double(w, key, value[ACCESS_TOTAL]);
        return;
    }
    json_key(w, key);
    json_object_begin(w);
    for (int i = 0; i < ACCESS_COUNT; i++)
        json_member_double(w, access_name((enum access)i), value[i]);
    json_object_end(w);
}

static void
member_rule(struct json_writer *w, const struct rule *rule, int64_t window_ms)
{
    json_key(w, "rule");
    json_object_begin(w);
    member_by_access(w, "threshold", rule->threshold);
    member_by_access(w, "minRate", rule->min_rate);
    json_member_string(w, "baseline", baseline_kind_name(rule->baseline));
    json_member_double(w, "minServerShare", rule->min_server_share);
    json_member_double(w, "windowSeconds", (double)window_ms / 1000);
    json_member_double(w, "forSeconds", (double)rule->for_ms / 1000);
    json_object_end(w);
}

static void
member_findings(struct json_writer *w, const struct table_findings *f)
{
    json_key(w, "findings");
    json_array_begin(w);
    for (size_t i = 0; f != NULL && i < f->count; i++) {
        const struct table_finding *item = &f->items[i];
        json_object_begin(w);
        json_member_string(w, "kind", table_finding_name(item->kind));
        json_member_string(w, "text", item->text);
        json_key(w, "commands");
        json_commands(w, item->commands, item->command_count);
        json_object_end(w);
    }
    json_array_end(w);
}

static void
write_table(struct json_writer *w, const struct view *view, uint32_t i)
{
    const struct snapshot *s = view->snapshot;
    const struct config *config = view->config->config;
    const struct table_row *t = &s->tables[i];
    const struct region_row *hottest =
        t->hottest == NO_INDEX ? NULL : &s->regions[t->hottest];

    json_object_begin(w);
    json_member_string(w, "table", t->facts->name);
    json_member_u64(w, "regions", t->regions);
    json_member_u64(w, "fresh", t->fresh);
    json_member_rates_d(w, t->rate);
    json_member_figure(w, "effectiveRegions", t->effective_regions);
    json_member_figure(w, "skew", t->skew);
    json_member_region(w, "hottest", hottest != NULL ? hottest->facts : NULL);
    json_key(w, "hottestRegion");
    if (hottest == NULL) {
        json_null(w);
    } else {
        json_object_begin(w);
        json_member_region(w, "region", hottest->facts);
        json_member_server(w, "server", snapshot_server(s, hottest->server));
        json_member_rates(w, hottest->rate);
        json_member_figure(w, "ratio", (double)hottest->ratio);
        json_object_end(w);
    }
    json_member_string(w, "state", heat_name(t->heat));
    json_member_bool(w, "ignored", t->ignored);
    member_findings(w, t->findings);
    member_rule(w, config_rule_for(config, t->facts->name),
                config->detection.window_ms);
    json_object_end(w);
}

void
answer_tables(const struct http_request *request, struct answer *a)
{
    const struct snapshot *s = request->view->snapshot;
    struct json_writer w;

    answer_data_begin(a, &w);
    json_key(&w, "tables");
    json_array_begin(&w);
    for (uint32_t i = 0; i < s->table_count; i++)
        write_table(&w, request->view, i);
    json_array_end(&w);
    answer_data_end(a, &w);
}
