/* SPDX-License-Identifier: Apache-2.0 */
/* The names in a RegionServer's JMX: beans, attributes, queries, and the grammar of the
 * region attributes. Holds no state; any thread may call it.
 * Sources: HBase MetricsRegionSourceImpl.java, MetricsRegionServerSource.java,
 * MetricsHBaseServerSource.java, TableName.java; Hadoop JvmMetrics.java. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "collectors/jmx_priv.h"

#define HBASE "Hadoop:service=HBase,"
#define N_ELEMENTS(array) (sizeof(array) / sizeof(array)[0])

const char *const jmx_bean_names[BEAN_COUNT] = {
    [BEAN_SERVER] = HBASE "name=RegionServer,sub=Server",
    [BEAN_REGIONS] = HBASE "name=RegionServer,sub=Regions",
    [BEAN_IPC] = HBASE "name=RegionServer,sub=IPC",
    [BEAN_JVM] = HBASE "name=JvmMetrics",
};

/* The general queue's length is that of all queues of the default executor, the read,
 * write and scan queues included (HBase SimpleRpcScheduler.getGeneralQueueLength), so
 * those are not added; the others belong to executors of their own. */
const struct signal_attribute jmx_signal_attributes[SIGNAL_ATTRIBUTES] = {
    {BEAN_IPC, "numActiveHandler", SIGNAL_ACTIVE_HANDLERS, INFINITY, 1},
    {BEAN_IPC, "numCallsInGeneralQueue", SIGNAL_QUEUED_CALLS, INFINITY, 1},
    {BEAN_IPC, "numCallsInPriorityQueue", SIGNAL_QUEUED_CALLS, INFINITY, 1},
    {BEAN_IPC, "numCallsInReplicationQueue", SIGNAL_QUEUED_CALLS, INFINITY, 1},
    {BEAN_IPC, "numCallsInMetaPriorityQueue", SIGNAL_QUEUED_CALLS, INFINITY, 1},
    {BEAN_IPC, "numCallsInBulkLoadQueue", SIGNAL_QUEUED_CALLS, INFINITY, 1},
    {BEAN_IPC, "queueSize", SIGNAL_QUEUE_BYTES, INFINITY, 1},
    {BEAN_SERVER, "blockCacheHitCount", SIGNAL_CACHE_HITS, INFINITY, 1},
    {BEAN_SERVER, "blockCacheMissCount", SIGNAL_CACHE_MISSES, INFINITY, 1},
    {BEAN_SERVER, "blockCacheEvictionCount", SIGNAL_CACHE_EVICTIONS, INFINITY, 1},
    {BEAN_SERVER, "memStoreSize", SIGNAL_MEMSTORE_BYTES, INFINITY, 1},
    {BEAN_SERVER, "updatesBlockedTime", SIGNAL_UPDATES_BLOCKED_MS, INFINITY, 1},
    {BEAN_SERVER, "blockedRequestCount", SIGNAL_BLOCKED_REQUESTS, INFINITY, 1},
    {BEAN_SERVER, "compactionQueueLength", SIGNAL_COMPACTION_QUEUE, INFINITY, 1},
    {BEAN_SERVER, "flushQueueLength", SIGNAL_FLUSH_QUEUE, INFINITY, 1},
    {BEAN_SERVER, "regionCount", SIGNAL_REGION_COUNT, INFINITY, 1},
    {BEAN_SERVER, "percentFilesLocal", SIGNAL_LOCALITY, 100, 0.01},
    {BEAN_JVM, "GcTimeMillis", SIGNAL_GC_MS, INFINITY, 1},
};

struct name {
    const char *text;
    size_t len;
};

#define NAME(s)                                                                        \
    {                                                                                  \
        (s), sizeof(s) - 1                                                             \
    }
static const struct name metric_names[] = {
    [METRIC_READ] = NAME("readRequestCount"),
    [METRIC_WRITE] = NAME("writeRequestCount"),
    [METRIC_AGE] = NAME("lastMajorCompactionAge"),
    [METRIC_REPLICA] = NAME("replicaid"),
    [METRIC_OLD_MUTATE] = NAME("mutateCount"),
    [METRIC_OLD_GET] = NAME("get_num_ops"),
    [METRIC_OLD_SCAN] = NAME("scanNext_num_ops"),
};
static_assert(N_ELEMENTS(metric_names) == METRIC_COUNT, "a name for each metric");

/* '|' and '^' stand encoded; of the rest, all may stand in a query as they are. No
 * comma inside an expression: HBase splits there. "_metric_*" and not ".*_metric_",
 * which costs the RegionServer 45 times the CPU. */
static const char *const combined[] = {
    "/jmx?get=" HBASE "*::"
    "_metric_*(readRequestCount%7CwriteRequestCount%7ClastMajorCompactionAge%"
    "7Creplicaid)$,"
    "%5Etag.serverName$,"
    "%5E(numActiveHandler%7CnumCallsInGeneralQueue%7CnumCallsInPriorityQueue"
    "%7CnumCallsInReplicationQueue%7CnumCallsInMetaPriorityQueue"
    "%7CnumCallsInBulkLoadQueue%7CqueueSize%7CblockCacheHitCount%7CblockCacheMissCount"
    "%7CblockCacheEvictionCount%7CmemStoreSize%7CupdatesBlockedTime"
    "%7CblockedRequestCount%7CcompactionQueueLength%7CflushQueueLength%7CregionCount"
    "%7CpercentFilesLocal%7CGcTimeMillis)$",
};

/* The server first: what is no RegionServer shows in the smallest answer. */
static const char *const per_bean[] = {
    "/jmx?qry=" HBASE "name=RegionServer,sub=Server",
    "/jmx?qry=" HBASE "name=RegionServer,sub=Regions",
    "/jmx?qry=" HBASE "name=RegionServer,sub=IPC",
    "/jmx?qry=" HBASE "name=JvmMetrics",
};

const char *
jmx_query(enum jmx_mode mode, unsigned i)
{
    if (mode == JMX_COMBINED)
        return i < N_ELEMENTS(combined) ? combined[i] : NULL;
    return i < N_ELEMENTS(per_bean) ? per_bean[i] : NULL;
}

int
jmx_signal_attribute_find(const char *name, size_t len)
{
    for (int i = 0; i < SIGNAL_ATTRIBUTES; i++) {
        if (json_text_is(name, len, jmx_signal_attributes[i].name))
            return i;
    }
    return -1;
}

enum metric
jmx_metric_find(const char *name, size_t len)
{
    unsigned i = 0;

    while (i < METRIC_COUNT &&
           (metric_names[i].len != len || memcmp(metric_names[i].text, name, len) != 0))
        i++;
    return (enum metric)i;
}

const char *
jmx_metric_name(enum metric metric)
{
    return metric_names[metric].text;
}

static const char namespace_word[] = "Namespace_";
static const char table_word[] = "_table_";
static const char region_word[] = "_region_";
static const char metric_word[] = "_metric_";

enum {
    NAMESPACE_LEN = sizeof(namespace_word) - 1,
    TABLE_LEN = sizeof(table_word) - 1,
    REGION_LEN = sizeof(region_word) - 1,
    METRIC_LEN = sizeof(metric_word) - 1,
    HEX_LEN = 32,
};

/* The last "_metric_" in s, or NULL. */
static const char *
find_metric_word(const char *s, size_t len)
{
    while (len >= METRIC_LEN) {
        const char *p = memrchr(s, '_', len - METRIC_LEN + 1);
        if (p == NULL)
            return NULL;
        if (memcmp(p, metric_word, METRIC_LEN) == 0)
            return p;
        len = (size_t)(p - s) + METRIC_LEN - 1;
    }
    return NULL;
}

/* "..._region_ENC": the length of what stands before, or 0. ENC is 32 hex digits or up
 * to 10 decimal ones; anything else belongs to a store ("ENC_store_CF") or is foreign.
 */
static size_t
cut_region(const char *s, size_t len, struct region_id *ret)
{
    size_t encoded = 0;

    if (len >= HEX_LEN + REGION_LEN &&
        memcmp(s + len - HEX_LEN - REGION_LEN, region_word, REGION_LEN) == 0)
        encoded = HEX_LEN;
    else
        while (encoded < len && s[len - encoded - 1] >= '0' &&
               s[len - encoded - 1] <= '9')
            encoded++;
    if (encoded == 0 || len < encoded + REGION_LEN ||
        memcmp(s + len - encoded - REGION_LEN, region_word, REGION_LEN) != 0 ||
        !region_id_parse(s + len - encoded, encoded, ret))
        return 0;
    return len - encoded - REGION_LEN;
}

bool
jmx_attribute_metric(const char *name, size_t len, struct attribute_parts *ret)
{
    if (len < NAMESPACE_LEN || memcmp(name, namespace_word, NAMESPACE_LEN) != 0)
        return false;
    const char *word = find_metric_word(name, len);
    if (word == NULL)
        return false;
    ret->metric = word + METRIC_LEN;
    ret->metric_len = (size_t)(name + len - ret->metric);
    return true;
}

bool
jmx_attribute_region(const char *name, struct attribute_parts *parts)
{
    size_t before = (size_t)(parts->metric - name) - METRIC_LEN;

    size_t rest = cut_region(name, before, &parts->id);
    if (rest <= NAMESPACE_LEN)
        return false;
    parts->table = name + NAMESPACE_LEN;
    parts->table_len = rest - NAMESPACE_LEN;
    return true;
}

size_t
jmx_table_name(const struct attribute_parts *parts, char *ret, size_t size)
{
    const char *word = memmem(parts->table, parts->table_len, table_word, TABLE_LEN);
    if (word == NULL || word == parts->table)
        return 0;
    size_t space_len = (size_t)(word - parts->table);
    size_t prefix =
        json_text_is(parts->table, space_len, "default") ? 0 : space_len + 1;
    size_t name_len = parts->table_len - space_len - TABLE_LEN;
    size_t len = prefix + name_len;

    if (name_len == 0 || len >= size)
        return 0;
    if (prefix > 0) {
        memcpy(ret, parts->table, space_len);
        ret[space_len] = ':';
    }
    memcpy(ret + prefix, word + TABLE_LEN, name_len);
    ret[len] = '\0';
    return len;
}

bool
jmx_attribute_split(const char *name, size_t len, struct region_id *ret_id,
                    char *ret_table, size_t table_size, const char **ret_metric,
                    size_t *ret_metric_len)
{
    struct attribute_parts parts;

    if (!jmx_attribute_metric(name, len, &parts) ||
        !jmx_attribute_region(name, &parts) ||
        jmx_table_name(&parts, ret_table, table_size) == 0)
        return false;
    *ret_id = parts.id;
    *ret_metric = parts.metric;
    *ret_metric_len = parts.metric_len;
    return true;
}
