/* SPDX-License-Identifier: Apache-2.0 */
/* The master's beans, a few kilobytes read as a cJSON tree. The tree lives during one
 * call; the names in struct cluster_state are copies and belong to the caller. Any one
 * thread may call it. */
#include "collectors/master.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/number.h"
#include "collectors/outcome.h"
#include "collectors/server_name.h"
#include "common/alloc.h"
#include "common/log.h"
#include "common/parse.h"

#define MASTER_BEAN "Hadoop:service=HBase,name=Master,"

enum { SERVERS_MAX = 65536, CLUSTER_ID_MAX = 256 };

/* HBase 1.x spells the second one AssignmentManger. */
static const char *const queries[] = {
    "/jmx?qry=" MASTER_BEAN "sub=Server",
    "/jmx?qry=" MASTER_BEAN "sub=AssignmentMan*",
};

const char *
master_query(unsigned i)
{
    return i < sizeof(queries) / sizeof(queries[0]) ? queries[i] : NULL;
}

/* cJSON refuses a document with a bare NaN, which old versions print: makes it an empty
 * string and blanks, in place. */
static void
hide_not_a_number(char *text, size_t len)
{
    static const char *const words[] = {"-Infinity", "Infinity", "NaN"};
    bool quoted = false;

    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\\' && quoted)
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        if (quoted)
            continue;
        for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
            size_t n = strlen(words[w]);
            if (len - i < n || memcmp(text + i, words[w], n) != 0)
                continue;
            memset(text + i, ' ', n);
            text[i] = text[i + 1] = '"';
            i += n - 1;
            break;
        }
    }
}

/* The tree of the text; NULL when it is no JSON (then *ret_at is where) or memory is
 * short. */
static cJSON *
parse_text(const char *text, size_t len, size_t *ret_at)
{
    const char *end = NULL;
    char *copy = len < SIZE_MAX ? malloc(len + 1) : NULL;

    *ret_at = 0;
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, len);
    copy[len] = '\0';
    hide_not_a_number(copy, len);
    cJSON *root = cJSON_ParseWithLengthOpts(copy, len + 1, &end, true);
    if (root == NULL && end != NULL)
        *ret_at = (size_t)(end - copy);
    free(copy);
    return root;
}

/* The member of that name, the last one of several; of {"description", "value"} the
 * value. */
static const cJSON *
find_member(const cJSON *object, const char *name)
{
    const cJSON *found = NULL;

    if (!cJSON_IsObject(object))
        return NULL;
    for (const cJSON *child = object->child; child != NULL; child = child->next) {
        if (strcmp(child->string, name) == 0)
            found = child;
    }
    if (cJSON_IsObject(found) && object->string == NULL)
        found = cJSON_GetObjectItemCaseSensitive(found, "value");
    return found;
}

static const char *
find_text(const cJSON *object, const char *name)
{
    const cJSON *value = find_member(object, name);

    return cJSON_IsString(value) ? value->valuestring : NULL;
}

/* A number, perhaps in quotes (HBase 1.5 and 1.6); NaN when there is none. */
static double
find_number(const cJSON *object, const char *name)
{
    const cJSON *value = find_member(object, name);
    double d = NAN;

    if (cJSON_IsNumber(value))
        d = value->valuedouble;
    else if (cJSON_IsString(value) &&
             parse_double(value->valuestring, strlen(value->valuestring), &d) != 0)
        return NAN;
    return isfinite(d) && d >= 0 ? d : NAN;
}

static void
free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

/* "host,port,startcode" joined by ';' replaces *ret_names. POLL_OK, or what is wrong.
 */
static enum poll_outcome
split_servers(const char *tag, const char *text, char ***ret_names, size_t *ret_count,
              char **ret_error)
{
    char **names = NULL;
    size_t count = 0, cap = 0;
    char quoted[LOG_QUOTE_SIZE];

    for (const char *p = text; *p != '\0';) {
        size_t len = strcspn(p, ";");
        if (count >= SERVERS_MAX || !server_name_valid(p, len)) {
            free_names(names, count);
            return outcome_error(
                POLL_BAD_RESPONSE, ret_error,
                "%s: expected at most %d times host,port,startcode: %s", tag,
                SERVERS_MAX, log_quote(p, len, quoted));
        }
        xgrow(&names, &cap, count + 1, sizeof(names[0]));
        names[count++] = xmemdup0(p, len);
        p += len;
        p += *p == ';';
    }
    free_names(*ret_names, *ret_count);
    *ret_names = names;
    *ret_count = count;
    return POLL_OK;
}

static void
replace_text(char **ret, const char *text)
{
    free(*ret);
    *ret = text == NULL ? NULL : xstrdup(text);
}

static enum poll_outcome
read_server_bean(const cJSON *bean, struct cluster_state *state, bool *ret_active,
                 char **ret_error)
{
    const char *active = find_text(bean, "tag.isActiveMaster");
    const char *live = find_text(bean, "tag.liveRegionServers");
    const char *dead = find_text(bean, "tag.deadRegionServers");
    const char *name = find_text(bean, "tag.serverName");
    const char *id = find_text(bean, "tag.clusterId");

    if (active == NULL)
        return outcome_error(POLL_BAD_RESPONSE, ret_error,
                             "the master's bean has no tag.isActiveMaster");
    bool is_active = strcmp(active, "true") == 0;
    if (is_active && live == NULL)
        return outcome_error(POLL_BAD_RESPONSE, ret_error,
                             "the active master's bean has no tag.liveRegionServers");
    if (is_active) {
        enum poll_outcome outcome = split_servers(
            "tag.liveRegionServers", live, &state->live, &state->live_count, ret_error);
        if (outcome == POLL_OK)
            outcome = split_servers("tag.deadRegionServers", dead == NULL ? "" : dead,
                                    &state->dead, &state->dead_count, ret_error);
        if (outcome != POLL_OK)
            return outcome;
        replace_text(&state->master,
                     name != NULL && server_name_valid(name, strlen(name)) ? name
                                                                           : NULL);
        state->region_count =
            find_number(bean, "averageLoad") * find_number(bean, "numRegionServers");
    }
    if (id != NULL && strlen(id) <= CLUSTER_ID_MAX && table_name_valid(id, strlen(id)))
        replace_text(&state->cluster_id, id);
    *ret_active = is_active;
    return POLL_OK;
}

static bool
name_is(const char *name, const char *sub)
{
    size_t len = strlen(MASTER_BEAN);

    return strncmp(name, MASTER_BEAN, len) == 0 && strcmp(name + len, sub) == 0;
}

static enum poll_outcome
read_beans(const cJSON *beans, struct cluster_state *state, bool *ret_active,
           char **ret_error)
{
    bool known = false;

    for (const cJSON *bean = beans->child; bean != NULL; bean = bean->next) {
        const char *name = find_text(bean, "name");
        const char *result = find_text(bean, "result");
        if (name == NULL || (result != NULL && strcmp(result, "ERROR") == 0))
            continue;
        if (name_is(name, "sub=AssignmentManager") ||
            name_is(name, "sub=AssignmentManger")) {
            known = true;
            state->regions_in_transition = find_number(bean, "ritCount");
        } else if (name_is(name, "sub=Server")) {
            known = true;
            enum poll_outcome outcome =
                read_server_bean(bean, state, ret_active, ret_error);
            if (outcome != POLL_OK)
                return outcome;
        }
    }
    if (known)
        return POLL_OK;
    return outcome_error(
        POLL_BAD_RESPONSE, ret_error,
        "no bean '%ssub=Server' or '...AssignmentManager': expected a master",
        MASTER_BEAN);
}

enum poll_outcome
master_read(const char *text, size_t len, struct cluster_state *state, bool *ret_active,
            char **ret_error)
{
    size_t at;
    enum poll_outcome outcome;

    cJSON *root = parse_text(text, len, &at);
    if (root == NULL)
        return outcome_error(POLL_PARSE, ret_error, "byte %zu: expected JSON%s", at,
                             len > 0 && text[0] == '<' ? " (the answer is an HTML page)"
                                                       : "");
    const cJSON *beans = find_member(root, "beans");
    if (!cJSON_IsArray(beans))
        outcome = outcome_error(POLL_BAD_RESPONSE, ret_error,
                                "expected an object with an array \"beans\"");
    else if (beans->child == NULL)
        outcome = outcome_error(POLL_NO_DATA, ret_error,
                                "no beans: HBase restarts its metrics system");
    else
        outcome = read_beans(beans, state, ret_active, ret_error);
    cJSON_Delete(root);
    return outcome;
}
