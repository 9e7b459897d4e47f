# SPDX-License-Identifier: Apache-2.0
"""Why a region is hot, and whether the advice helps, on a real HBase cluster.

Usage: test_classes.py VERSION. Five tables with five access patterns: each alert names the right
class; the split key lies within the hot range; the suggested commands, run as they are printed,
spread the heat.
"""

import json
import math
import re

from real import Cluster, run_or_skip, version, wait_until

VERSION = version()
SPLITS = "1,2,3,4,5,6,7,8,9"
SCAN_ROWS = 2000
TIME_TO_EXPLAIN = 180  # `for`, window, two intervals, and a session of row sampling

CONFIG = """
cluster: real
masters: [ "{master}" ]
poll: {{ interval: 10s, timeout: 5s }}
topology: {{ interval: 1m }}
detection:
  window: 20s
  for: 20s
  clear_for: 20s
  min_rate: 50
  min_server_share: 0.1
  single_region_min_rate: 200
  row_sampling: on
http: {{ listen: [ "127.0.0.1:0" ] }}
"""

# table: (pattern, class)
PATTERNS = {
    "seq": ("sequential --from 9 --rate 400", "sequential"),
    "pop": ("popular --from 4popular --to 5 --rate 1200 --threads 4", "popular-key"),
    "rng": ("write --from 42 --to 46 --rate 1200 --threads 4", "popular-range"),
    "scn": ("scan --from 4 --to 5 --rate 1 --threads 1", "scan"),
    "uns": ("range --from 1 --to 9 --rate 400", "unsplit-table"),
}


def even(rate):
    return ",".join([str(rate)] * 10)


def fill_region(cluster, table):
    """SCAN_ROWS rows in the region of the keys 4..5."""
    rates = ",".join("2000" if i == 4 else "0" for i in range(10))
    cluster.ask(f"load {table} --puts {rates} --keys {SCAN_ROWS}")
    wait_until(lambda: cluster.ask(f"counts {table}")["load"]["regions"][4]["puts"] >= SCAN_ROWS,
               60, "the rows are there")
    cluster.ask(f"stop {table}")


def set_up(cluster):
    cluster.ask("balancer off")
    for table in PATTERNS:
        cluster.ask(f"create {table} f" + ("" if table == "uns" else f" --splits {SPLITS}"))
    fill_region(cluster, "scn")
    for table in PATTERNS:
        if table != "uns":
            cluster.ask(f"load {table} --gets {even(2)}")


def alert_of(daemon, table):
    """The table's firing alert, if there is just one."""
    alerts = [a for a in daemon.alerts(state="firing") if a["labels"].get("table") == table]
    assert len(alerts) <= 1, alerts
    return alerts[0] if alerts else None


def explained(daemon, table, seen):
    alert = alert_of(daemon, table)
    wanted = PATTERNS[table][1]
    seen[table] = alert
    return alert if alert and alert["evidence"]["class"] == wanted else None


def commands(alert, verb):
    return [c["command"] for c in alert["evidence"]["commands"] if c["command"].startswith(verb)]


def ruby_string(text):
    """What a double-quoted string of the HBase shell is, in HBase's binary escape."""
    return re.sub(r'\\(["#\\])', r"\1", re.fullmatch(r'"(.*)"', text, re.S).group(1))


def classes_are_right(daemon):
    alerts, seen = {}, {}
    for table in PATTERNS:
        try:
            alerts[table] = wait_until(lambda table=table: explained(daemon, table, seen),
                                       TIME_TO_EXPLAIN, f"{table} is {PATTERNS[table][1]}")
        except AssertionError as error:
            raise AssertionError(f"{error}: {json.dumps(seen[table], indent=1)}")
        print(f"     {table}: {alerts[table]['evidence']['class']}: "
              f"{alerts[table]['evidence']['classEvidence']}")
    return alerts


def share_of_hottest_server(daemon, table):
    """Of the table's rate; infinite while a rate is not known, as after a move."""
    rates = {}
    for row in daemon.regions(table=table):
        if row["rate"] is None or row["stale"]:
            return math.inf
        rates[row["server"]] = rates.get(row["server"], 0) + row["rate"]
    return max(rates.values()) / sum(rates.values())


def test_classes(bench):
    cluster = Cluster(bench.folder, VERSION)
    try:
        check(bench, cluster)
    finally:
        cluster.close()


def check(bench, cluster):
    set_up(cluster)
    daemon = bench.daemon(CONFIG.format(master=cluster.about["master"]))
    daemon.ready(30)
    for table, (pattern, _) in PATTERNS.items():
        kind, _, options = pattern.partition(" ")
        cluster.ask(f"pattern {table} {table} {kind} {options}")
    alerts = classes_are_right(daemon)

    popular = alerts["pop"]["evidence"]["sampledRows"][0]
    assert popular["row"] == "4popular", popular
    assert popular["share"] >= 0.5, popular
    assert alerts["rng"]["evidence"]["topClients"], alerts["rng"]
    assert not commands(alerts["seq"], "split"), alerts["seq"]

    before = share_of_hottest_server(daemon, "rng")
    found = re.fullmatch(r"split '([^']+)', (\".*\")", commands(alerts["rng"], "split")[0])
    key = ruby_string(found.group(2))
    print(f"     split key {key}")
    assert "43" <= key <= "45", key
    daughters = cluster.ask(f"split rng {key}")["daughters"]
    halves = wait_until(lambda: shares_of(daemon, daughters), 120, "the daughters share the load")
    print(f"     after the split {halves}")

    moved = wait_until(lambda: suggested_move(daemon, "rng", daughters), 120, "a move is suggested")
    region, server = moved
    start = next(r["startKey"] for r in cluster.ask("regions rng")["regions"]
                 if r["encoded"] == region)
    cluster.ask(f"move rng {start} {server}")
    wait_until(lambda: share_of_hottest_server(daemon, "rng") < 0.75 * before, 120,
               "the heat is on two servers")
    print(f"     the hottest server's share of the table: {before:.2f} -> "
          f"{share_of_hottest_server(daemon, 'rng'):.2f}")
    for table in PATTERNS:
        counts = cluster.ask(f"pattern-stop {table}")["pattern"]
        assert counts["failed"] == 0, (table, counts)
    wait_until(lambda: not daemon.alerts(), 180, "all resolve")
    assert not any("4popular" in line for line in daemon.lines), "a row key in the log"
    assert daemon.stop() == 0


def shares_of(daemon, daughters):
    """Each daughter's share of the two, once both have a quarter or more of the load."""
    rates = [r["rate"] for r in daemon.regions(table="rng") if r["region"] in daughters]
    if len(rates) < 2 or None in rates or sum(rates) < 200:
        return None
    shares = [rate / sum(rates) for rate in rates]
    return shares if min(shares) >= 0.25 else None


def suggested_move(daemon, table, daughters):
    alert = alert_of(daemon, table)
    for command in commands(alert, "move") if alert else []:
        found = re.fullmatch(r"move '([0-9a-f]{32})', '([^']+)'", command)
        if found and found.group(1) in daughters:
            return found.groups()
    return None


if __name__ == "__main__":
    run_or_skip([test_classes])
