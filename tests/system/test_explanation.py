# SPDX-License-Identifier: Apache-2.0
"""Why a region is hot, over the whole path: what the simulated servers are asked, and what an alert says of it."""

from harness import run, wait_until

SCENARIO = """
version {version}
addresses ports
servers 3
cache 100ms
{settings}
table orders regions 10 read 40 write 0 size 1GiB
"""

CONFIG = """
cluster: test
masters: [ "{master}" ]
regionservers: {{ static: [ {servers} ] }}
poll: {{ interval: 200ms, timeout: 2s }}
topology: {{ interval: 2s }}
detection:
  window: 1s
  for: 1s
  clear_for: 1s
  min_rate: 100
  meta_max_rate: 300
  row_sampling: {sampling}
http: {{ listen: [ "127.0.0.1:0" ] }}
"""


def start(bench, *commands, sampling="on", version="2.6.4", settings=""):
    """A cluster whose regions do what the commands say, and a ready daemon."""
    sim = bench.sim(SCENARIO.format(version=version, settings=settings))
    for command in commands:
        sim.command(command)
    servers = ", ".join(f'"{s["url"]}"' for s in sim.ports["regionservers"])
    daemon = bench.daemon(CONFIG.format(master=sim.master, servers=servers, sampling=sampling))
    daemon.ready()
    return sim, daemon


def server_of(sim, table, number):
    regions = [r for r in sim.state()["regions"] if r["table"] == table]
    return sorted(regions, key=lambda r: r["startKey"])[number]["serverNumber"]


def asked(sim, what):
    """Requests for a page by server number."""
    return {s["number"]: s[what] for s in sim.state()["servers"]}


def explained(daemon, wanted, table="orders", seconds=20):
    """The evidence of the table's firing alert, once it has the class and its samples, if any."""
    def found():
        for alert in daemon.alerts(state="firing"):
            if alert["labels"].get("table") == table and alert["evidence"]["class"] == wanted:
                return alert["evidence"]
        return None
    return wait_until(found, seconds, f"a firing alert of class {wanted}")


def commands_of(evidence):
    return [c["command"] for c in evidence["commands"]]


def test_a_popular_row(bench):
    sim, daemon = start(bench, "rate orders#4 read 400",
                        "calls orders#4 popular 42000001 80% x 8 clients 3")
    evidence = explained(daemon, "popular-key")
    assert evidence["sampledRows"][0]["row"] == "42000001", evidence["sampledRows"]
    assert 0.6 < evidence["sampledRows"][0]["share"] < 0.97, evidence["sampledRows"]
    assert evidence["topClients"][0]["address"] == "10.0.0.1", evidence["topClients"]
    hot = server_of(sim, "orders", 4)
    assert all((count > 0) == (number == hot) for number, count in asked(sim, "statusRequests").items())


def test_a_popular_range(bench):
    _, daemon = start(bench, "rate orders#4 read 400", "calls orders#4 spread x 8")
    evidence = explained(daemon, "popular-range")
    [split] = [c for c in commands_of(evidence) if c.startswith("split ")]
    key = split.rsplit('"', 2)[1]
    assert "425" <= key <= "475", split
    assert split.startswith("split 'orders', "), split


def test_rising_rows(bench):
    _, daemon = start(bench, "rate orders#9 write 400", "calls orders#9 rising x 8")
    explained(daemon, "sequential")


def test_batches(bench):
    """A Multi shows all its rows, each of its own region."""
    _, daemon = start(bench, "rate orders#4 read 1 write 400",
                      "calls orders#4 popular 42000001 80% batch 20 x 2")
    evidence = explained(daemon, "popular-key")
    assert evidence["sampledRows"][0]["row"] == "42000001", evidence["sampledRows"]


def test_scans(bench):
    _, daemon = start(bench, "rate orders#4 read 4000", "scan orders#4 500", sampling="off")
    explained(daemon, "scan")


def test_scans_of_servers_without_filtered_queries(bench):
    _, daemon = start(bench, "rate orders#4 read 4000", "scan orders#4 500", sampling="off", version="1.7.2")
    explained(daemon, "scan")


def test_a_big_region(bench):
    _, daemon = start(bench, "rate orders#4 read 480", "size orders#4 12GiB", sampling="off")
    explained(daemon, "big-region")


def test_an_unsplit_table(bench):
    _, daemon = start(bench, "table single regions 1 read 2000", sampling="off")
    explained(daemon, "unsplit-table", "single")


def test_meta(bench):
    _, daemon = start(bench, "rate hbase:meta#0 read 2000", sampling="off")
    explained(daemon, "meta", "hbase:meta")


def test_the_jsp_page(bench):
    """Versions in which /rs-status is a redirect: it is asked once, then the other page."""
    sim, daemon = start(bench, "rate orders#4 read 400", "calls orders#4 popular 42000001 80% x 8",
                        settings="status-page jsp")
    explained(daemon, "popular-key")
    hot = server_of(sim, "orders", 4)
    pages = asked(sim, "statusRequests")[hot], asked(sim, "jspRequests")[hot]
    assert pages[0] - pages[1] == 1, pages


def test_without_row_sampling_no_row_is_asked_for(bench):
    sim, daemon = start(bench, "rate orders#4 read 400", "calls orders#4 popular 42000001 80% x 8", sampling="off")
    evidence = explained(daemon, "unknown")
    assert not evidence["sampledRows"] and not evidence["topClients"], evidence
    rounds = daemon.metrics()["hotspotd_rounds_total"]
    wait_until(lambda: daemon.metrics()["hotspotd_rounds_total"] > rounds + 10, 20, "ten more rounds")
    assert set(asked(sim, "statusRequests").values()) == {0}, sim.state()["servers"]
    hot = server_of(sim, "orders", 4)
    assert asked(sim, "confRequests") == {n: int(n == hot) for n in (1, 2, 3)}


def test_a_quiet_cluster_is_asked_nothing_more(bench):
    sim, daemon = start(bench)
    rounds = daemon.metrics()["hotspotd_rounds_total"]
    wait_until(lambda: daemon.metrics()["hotspotd_rounds_total"] > rounds + 10, 20, "ten rounds")
    assert set(asked(sim, "statusRequests").values()) == {0}
    assert set(asked(sim, "confRequests").values()) == {0}


def test_a_server_that_is_hot_as_a_whole(bench):
    """One region on server 1 is hot, and the others there do more than those of their tables elsewhere."""
    keys = "2,4,6,8,A,C,E,G,I,K,M"
    tables = [f"table {name} keys {keys} read 40 on 1,2,3,2,3,2,3,2,3,2,3,2" for name in "abcdef"]
    _, daemon = start(bench, *tables, "rate a#0 read 500", *(f"rate {name}#0 read 95" for name in "bcdef"), sampling="off")
    explained(daemon, "server-wide", "a")


def test_what_the_server_suffers_from(bench):
    """Counters that move and numbers that stand, with the scan that sweeps the cache."""
    cases = {
        "handlers-busy": ["set server {} numActiveHandler 30", "set server {} numCallsInGeneralQueue 1204"],
        "cache-swept-by-scan": ["scan orders#4 500", "grow server {} blockCacheMissCount 5000"],
        "memstore-blocked": ["grow server {} updatesBlockedTime 500"],
        "compaction-behind": ["set server {} compactionQueueLength 400"],
        "garbage-collection": ["grow server {} GcTimeMillis 400"],
    }
    sim, daemon = start(bench, "rate orders#4 read 4000", sampling="off")
    hot = server_of(sim, "orders", 4)
    seen = set()
    for name, commands in cases.items():
        for command in commands:
            sim.command(command.format(hot))
        seen.add(name)

        def suffers():
            found = [a["evidence"]["serverSignals"] for a in daemon.alerts(state="firing")]
            return found and set(found[0]["diagnosis"]) >= seen and found[0]["diagnosisText"]
        wait_until(suffers, 20, f"the server suffers from {name}")


def test_signals_of_the_server(bench):
    sim, daemon = start(bench, "rate orders#4 read 400", sampling="off", settings="handlers 40")
    hot = server_of(sim, "orders", 4)
    for command in ("set server {} numActiveHandler 40", "set server {} numCallsInGeneralQueue 1204",
                    "grow server {} blockCacheMissCount 5000", "grow server {} blockCacheEvictionCount 5000"):
        sim.command(command.format(hot))
    explained(daemon, "unknown")

    def signals():
        found = explained(daemon, "unknown")["serverSignals"]
        return found if found.get("handlers") == 40 and found["queuedCalls"] == 1204 else None
    found = wait_until(signals, 20, "the signals of the hot server")
    assert found["activeHandlers"] == 40, found


if __name__ == "__main__":
    run([value for name, value in list(globals().items()) if name.startswith("test_")])
