/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by jmx.c (life of a poll), jmx_event.c (events of the document into values)
 * and jmx_names.c (names of beans and attributes), and by nobody else. */
#ifndef COLLECTORS_JMX_PRIV_H
#define COLLECTORS_JMX_PRIV_H

#include "collectors/id_map.h"
#include "collectors/jmx.h"
#include "collectors/json_stream.h"
#include "collectors/server_name.h"
#include "common/intern.h"

enum bean { BEAN_SERVER, BEAN_REGIONS, BEAN_IPC, BEAN_JVM, BEAN_COUNT };
enum { BEAN_OTHER = BEAN_COUNT, BEAN_UNNAMED };

/* The names in full, by enum bean. */
extern const char *const jmx_bean_names[BEAN_COUNT];

/* Attributes of a server that become signals. Several of one bean with the same signal
 * are added up. */
struct signal_attribute {
    enum bean bean;
    const char *name;
    enum signal signal;
    double max; /* larger values are invalid */
    double scale;
};

enum { SIGNAL_ATTRIBUTES = 18 };
extern const struct signal_attribute jmx_signal_attributes[SIGNAL_ATTRIBUTES];
/* Its index or -1. */
int jmx_signal_attribute_find(const char *name, size_t len);

/* Attributes of a region. The OLD_ ones count for reads and writes where the counters
 * proper do not exist (HBase 1.0 and 1.1). */
enum metric {
    METRIC_READ,
    METRIC_WRITE,
    METRIC_AGE,
    METRIC_REPLICA,
    METRIC_OLD_MUTATE,
    METRIC_OLD_GET,
    METRIC_OLD_SCAN,
    METRIC_COUNT
};

enum { OLD_COUNTS = METRIC_COUNT - METRIC_OLD_MUTATE };

/* METRIC_COUNT when the name is none of them. */
enum metric jmx_metric_find(const char *name, size_t len);
const char *jmx_metric_name(enum metric metric);

/* An attribute's name taken apart, from the right. */
struct attribute_parts {
    const char *metric;
    size_t metric_len;
    struct region_id id;
    const char *table; /* "NS_table_QUALIFIER", unchecked */
    size_t table_len;
};

/* Sets the metric; false when there is none. */
bool jmx_attribute_metric(const char *name, size_t len, struct attribute_parts *ret);
/* Sets the rest, after jmx_attribute_metric(); false when it is not a region's. */
bool jmx_attribute_region(const char *name, struct attribute_parts *parts);
/* "NS:Q", or "Q" in the default namespace, and its NUL; 0 if that is not possible. */
size_t jmx_table_name(const struct attribute_parts *parts, char *ret, size_t size);

/* What the value that comes next is for. */
enum target {
    TARGET_NONE,
    TARGET_RESULT,
    TARGET_MESSAGE,
    TARGET_BEAN_NAME,
    TARGET_SERVER_NAME,
    TARGET_SIGNAL, /* reader.attribute */
    TARGET_METRIC, /* reader.metric of reader.row */
};

/* A signal's attribute as read from the bean at hand, until its name is certain. */
struct held_value {
    enum { HELD_NOTHING, HELD_VALUE, HELD_ABSENT, HELD_INVALID } state;
    double value;
};

/* The counters of HBase 1.0 to 1.3 for one region, beside poll->regions. */
struct old_counts {
    uint64_t value[OLD_COUNTS];
    bool known[OLD_COUNTS];
};

enum { PREFIX_MAX = 1536, MESSAGE_MAX = 200 };
#define NO_TABLE UINT32_MAX

/* The current answer; zeroed between two. */
struct jmx_answer {
    char first_byte;
    bool begun;
    bool root_object;
    bool has_beans; /* there was an array "beans" */
    bool in_beans;
    bool error_result; /* "result": "ERROR" somewhere */
    char message[MESSAGE_MAX];
    size_t message_len;
    size_t beans;
    bool too_many;          /* more regions than allowed */
    bool regions_elsewhere; /* region attributes in a bean that is not sub=Regions */
    bool beans_key;         /* the root member at hand is "beans" */
    enum target target;
    enum target outer; /* of the attribute whose value is an object, being read */
    int bean;          /* enum bean, BEAN_OTHER or BEAN_UNNAMED */
    bool bean_regions; /* the bean at hand had attributes of regions */
    struct held_value held[SIGNAL_ATTRIBUTES];
    char server[SERVER_NAME_MAX + 1]; /* of the bean at hand; "" none */
    int attribute;
    enum metric metric;
    size_t row;
};

struct jmx_reader {
    struct server_poll *poll; /* the caller's */
    size_t max_regions;
    struct json_stream *json;
    struct jmx_answer answer;
    /* of the whole poll */
    struct id_map *rows;
    struct intern *tables;  /* "NS_table_QUALIFIER" as it came */
    uint32_t *table_number; /* by that: index into poll->tables, or NO_TABLE */
    size_t table_number_cap;
    size_t region_cap;
    size_t table_cap;
    struct old_counts *old; /* parallel to poll->regions up to old_count */
    size_t old_count;
    size_t old_cap;
    bool bean_seen[BEAN_COUNT];
    size_t beans_seen; /* all, also other ones */
    bool foreign_seen; /* one that no RegionServer has among its metrics */
    /* What the last region attribute's name begins with, up to its metric. */
    char prefix[PREFIX_MAX];
    size_t prefix_len;
    size_t prefix_row;
};

/* May this be the server's wall clock? Within a day of poll->received, once that is
 * known. */
bool jmx_time_plausible(const struct server_poll *poll, int64_t ms);

/* The json_event_fn of the reader's json. */
bool jmx_event(void *user, enum json_event event, const char *text, size_t len,
               unsigned depth);

#endif
