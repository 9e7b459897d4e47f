/* SPDX-License-Identifier: Apache-2.0 */
/* The list of commands: name, usage, how it is read, how it is run. */
#include "tests/sim/command.h"

#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "tests/sim/command_priv.h"

static const struct verb verbs[] = {
    {"rate", "REGION [read R] [write W]", "sets rates, requests a second", read_rate,
     run_rate},
    {"ramp", "REGION read|write A to B over D", "lets a rate climb or fall", read_ramp,
     run_ramp},
    {"hot", "REGION xF", "multiplies both rates", read_hot, run_hot},
    {"calm", "REGION", "back to the rates of before", read_region, run_calm},
    {"counters", "REGION [read N] [write N]", "sets the counters themselves",
     read_counters, run_counters},
    {"scan", "REGION N", "reads come as scans of N rows a call (0: gets)", read_scan,
     run_scan},
    {"size", "REGION SIZE", "store file size, as 12GiB", read_size, run_size},
    {"rows", "REGION [KEY ...]", "rows that its running calls show in /rs-status",
     read_rows, run_rows},
    {"calls", "REGION PATTERN [x N] ...", "its running calls there, see below",
     read_calls, run_calls},
    {"move", "REGION to N", "closes it and opens it on server N", read_move, run_move},
    {"split", "REGION [at KEY] [lower P%]",
     "two daughters; the lower one gets P% of the load (50%)", read_split, run_split},
    {"merge", "REGION REGION", "of two neighbours", read_merge, run_merge},
    {"compact", "REGION", "a major compaction", read_region, run_compact},
    {"frozen", "REGION on N", "server N shows a copy that never changes", read_frozen,
     run_frozen},
    {"thaw", "server N", "drops such copies", read_server_number, run_thaw},
    {"drop", "table NAME", "", read_drop, run_drop},
    {"table", "NAME ...", "creates a table, as above", read_table, run_table},
    {"restart", "server N [down D]", "new start code, counters 0; D is 3s",
     read_restart, run_restart},
    {"kill", "server N", "its regions open on the others", read_server_number,
     run_kill},
    {"start", "server N", "starts it again", read_server_number, run_start},
    {"server", "N FAULT", "misbehaviour of its web server, see below",
     read_server_fault, run_server_fault},
    {"master", "N FAULT", "the same for a master", read_master_fault, run_master_fault},
    {"failover", "[down D]",
     "another master takes over; the old one is back after D (3s)", read_failover,
     run_failover},
    {"start-master", "N", "starts a master that is down", read_master_number,
     run_start_master},
    {"set", "server N ATTRIBUTE VALUE", "fixes a number in its beans", read_set,
     run_set},
    {"grow", "server N ATTRIBUTE R", "a count goes up by R more a second", read_grow,
     run_grow},
    {"unset", "server N ATTRIBUTE", "", read_unset, run_set},
    {"noise", "P%", "each rate varies by so much, second by second", read_noise,
     run_noise},
};

struct command *
command_read(const char *const *words, size_t count, struct problem *p)
{
    struct words w = {.word = words, .count = count, .at = 1, .problem = p};
    struct command *command;
    const struct verb *verb = NULL;

    for (size_t i = 0; count > 0 && i < sizeof(verbs) / sizeof(*verbs); i++)
        if (strcmp(verbs[i].name, words[0]) == 0)
            verb = &verbs[i];
    if (!verb) {
        (void)problem_set(p, "there is no command '%.100s'", count > 0 ? words[0] : "");
        return NULL;
    }
    command = xcalloc(1, sizeof(*command));
    command->verb = verb;
    verb->read(&w, command);
    if (!w.failed && w.at == w.count)
        return command;
    if (!w.failed)
        (void)problem_set(p, "'%.60s' is too much; usage: %s %s", words[w.at],
                          verb->name, verb->usage);
    return command_destroy(command);
}

static void
ref_finish(struct region_ref *ref)
{
    free(ref->table);
    free(ref->key.key);
}

static void
keys_free(struct split_key *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(keys[i].key);
    free(keys);
}

struct command *
command_destroy(struct command *command)
{
    if (!command)
        return NULL;
    ref_finish(&command->region);
    ref_finish(&command->other);
    free(command->key.key);
    free(command->name);
    free(command->value);
    keys_free(command->rows, command->row_count);
    draw_finish(&command->draw);
    free(command->table.name);
    keys_free(command->table.keys, command->table.key_count);
    free(command->table.on);
    free(command);
    return NULL;
}

int
command_run(const struct command *command, struct cluster *c, struct timeline *later,
            int64_t t, struct problem *p)
{
    return command->verb->run(command, c, later, t, p);
}

void
command_help(FILE *out)
{
    char left[80];

    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
        snprintf(left, sizeof(left), "%s %s", verbs[i].name, verbs[i].usage);
        fprintf(out, "  %-38s %s\n", left, verbs[i].help);
    }
}
