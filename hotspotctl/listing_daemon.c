/* SPDX-License-Identifier: Apache-2.0 */
/* A table's regions, page by page, from a hotspotd's API. */
#include "hotspotctl/listing_daemon.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/sample.h"
#include "common/alloc.h"
#include "common/row_key.h"
#include "hotspotctl/api_client.h"
#include "keys/split.h"

enum { PAGE = 10000 };

struct pages {
    struct listing *listing;
    size_t capacity;
    struct buf keys;
};

/* The key of a member in HBase's escape; false if it is null. */
static bool
take_key(struct pages *p, const struct cJSON *row, const char *name,
         uint32_t *ret_offset, uint32_t *ret_len)
{
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(row, name);

    if (!cJSON_IsString(text))
        return false;
    size_t len = strlen(text->valuestring);
    len = row_key_unescape(text->valuestring, len, (uint8_t *)text->valuestring);
    *ret_offset = (uint32_t)p->keys.len;
    *ret_len = (uint32_t)len;
    buf_add(&p->keys, text->valuestring, len);
    return true;
}

static int
take_region(struct pages *p, const struct cJSON *row)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(row, "region");
    const cJSON *replica = cJSON_GetObjectItemCaseSensitive(row, "replica");
    struct listing *l = p->listing;
    struct listing_row r = {.server = UINT32_MAX, .created_ms = -1, .size_bytes = -1};

    if (!cJSON_IsString(id) ||
        !region_id_parse(id->valuestring, strlen(id->valuestring), &r.id))
        return -EINVAL;
    r.replica = cJSON_IsNumber(replica) ? (uint16_t)replica->valueint : 0;
    r.start_known = take_key(p, row, "startKey", &r.start_key, &r.start_len);
    r.end_known = take_key(p, row, "endKey", &r.end_key, &r.end_len);
    xgrow(&l->rows, &p->capacity, l->row_count + 1, sizeof *l->rows);
    l->rows[l->row_count++] = r;
    return p->keys.failed ? -ENOMEM : 0;
}

/* One page; the number of its rows. */
static int
take_page(struct api_client *client, const char *table, struct pages *p,
          struct buf *error)
{
    struct api_answer answer;
    struct buf path;
    const cJSON *row;
    int count = 0;

    buf_init(&path, 0);
    buf_addf(&path, "/api/v1/regions?sort=name&limit=%d&offset=%zu", PAGE,
             p->listing->row_count);
    api_add_parameter(&path, "table", table);
    int result = api_get(client, path.data, &answer, error);
    buf_finish(&path);
    const struct cJSON *rows = result == 0 ? api_member(answer.data, "regions") : NULL;
    cJSON_ArrayForEach(row, rows)
    {
        result = result == 0 ? take_region(p, row) : result;
        count++;
    }
    api_answer_finish(&answer);
    if (result < 0 && error->len == 0)
        buf_adds(error, "the answer has rows that are no regions");
    return result < 0 ? result : count;
}

struct message *
listing_from_daemon(const char *url, const char *table, struct buf *error)
{
    struct api_client *client = api_client_create(url, error);
    struct message *message;
    int count;

    if (client == NULL)
        return NULL;
    message = message_create(MESSAGE_LISTING);
    struct pages p = {.listing = &message->listing};
    buf_init(&p.keys, UINT32_MAX);
    do
        count = take_page(client, table, &p, error);
    while (count == PAGE && p.listing->row_count < REGIONS_MAX);
    api_client_destroy(client);
    p.listing->tables = xcalloc(1, sizeof *p.listing->tables);
    p.listing->tables[0] = xstrdup(table);
    p.listing->table_count = 1;
    p.listing->arena_len = p.keys.len;
    p.listing->arena = xmemdup0(p.keys.data, p.keys.len);
    buf_finish(&p.keys);
    return count < 0 ? message_destroy(message) : message;
}
