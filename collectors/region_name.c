/* SPDX-License-Identifier: Apache-2.0 */
/* Region names, cut from both ends: the key between first and last comma may hold
 * anything. Holds no state; any thread may call it. */
#include "collectors/region_name.h"

#include <errno.h>
#include <string.h>

#include "common/md5.h"
#include "common/parse.h"

enum { HEX_LEN = 32, TAIL_LEN = HEX_LEN + 2, DECIMAL_MAX = 10, REPLICA_LEN = 4 };

/* Old-style names that HBase still has, with their encoded form (a Jenkins hash). */
static const struct {
    const char *name;
    uint64_t encoded;
} old_names[] = {
    {"hbase:meta,,1", 1588230740},
    {"hbase:meta,,1_0001", 534574363},
    {"hbase:meta,,1_0002", 1657623790},
};

/* Does the MD5 of the prefix give the id? */
static bool
digest_matches(const char *prefix, size_t len, struct region_id id)
{
    uint8_t digest[16];
    uint64_t half[2] = {0, 0};

    md5_bytes(prefix, len, digest);
    for (size_t i = 0; i < sizeof(digest); i++)
        half[i / 8] = half[i / 8] << 8 | digest[i];
    return id.hi == half[0] && id.lo == half[1];
}

/* The encoded name of an old-style prefix, 0 if it is not known. */
static uint64_t
old_encoded(const char *prefix, size_t len)
{
    for (size_t i = 0; i < sizeof(old_names) / sizeof(old_names[0]); i++) {
        if (strlen(old_names[i].name) == len &&
            memcmp(old_names[i].name, prefix, len) == 0)
            return old_names[i].encoded;
    }
    return 0;
}

/* "t,key,id.<32 hex>.": the prefix's length, or 0. */
static size_t
split_new_style(const char *name, size_t len, struct region_name *r)
{
    if (len <= TAIL_LEN || name[len - 1] != '.' || name[len - TAIL_LEN] != '.')
        return 0;
    if (!region_id_parse(name + len - TAIL_LEN + 1, HEX_LEN, &r->id))
        return 0;
    r->exact = digest_matches(name, len - TAIL_LEN, r->id);
    return len - TAIL_LEN;
}

/* "t,key,id" or "t,key,id.<digits>": the prefix's length, or 0. */
static size_t
split_old_style(const char *name, size_t len, struct region_name *r)
{
    const char *comma = memrchr(name, ',', len);
    if (comma == NULL)
        return 0;
    const char *dot = memchr(comma, '.', (size_t)(name + len - comma));
    size_t prefix = dot == NULL ? len : (size_t)(dot - name);
    uint64_t known = old_encoded(name, prefix);
    if (dot == NULL) {
        r->id = (struct region_id){0, known};
    } else {
        size_t digits = len - prefix - 1;
        if (digits > DECIMAL_MAX || !region_id_parse(dot + 1, digits, &r->id))
            return 0;
    }
    r->exact = known != 0 && r->id.lo == known;
    return dot == NULL && known == 0 ? 0 : prefix;
}

static bool
parse_replica(const char *s, uint16_t *ret)
{
    uint16_t v = 0;

    for (size_t i = 0; i < REPLICA_LEN; i++) {
        bool digit = s[i] >= '0' && s[i] <= '9';
        if (!digit && !(s[i] >= 'A' && s[i] <= 'F'))
            return false;
        v = (uint16_t)(v << 4 | (digit ? s[i] - '0' : s[i] - 'A' + 10));
    }
    *ret = v;
    return true;
}

/* ID [ "_" REPLICA ]; what is not of that form leaves "unknown" behind. */
static void
parse_created(const char *s, size_t len, struct region_name *r)
{
    uint16_t replica = 0;
    uint64_t created;

    r->created_ms = -1;
    r->replica = 0;
    if (len > REPLICA_LEN + 1 && s[len - REPLICA_LEN - 1] == '_') {
        if (!parse_replica(s + len - REPLICA_LEN, &replica))
            return;
        len -= REPLICA_LEN + 1;
    }
    if (parse_u64(s, len, &created) < 0 || created > INT64_MAX)
        return;
    r->created_ms = (int64_t)created;
    r->replica = replica;
}

int
region_name_parse(const char *name, size_t len, struct region_name *ret)
{
    struct region_name r = {.table = name};

    size_t prefix = split_new_style(name, len, &r);
    if (prefix == 0)
        prefix = split_old_style(name, len, &r);
    if (prefix == 0)
        return -EINVAL;
    const char *first = memchr(name, ',', prefix);
    const char *last = memrchr(name, ',', prefix);
    if (first == NULL || first == last || first == name)
        return -EINVAL;
    r.table_len = (size_t)(first - name);
    r.start = first + 1;
    r.start_len = (size_t)(last - first - 1);
    parse_created(last + 1, (size_t)(name + prefix - last - 1), &r);
    *ret = r;
    return 0;
}
