# SPDX-License-Identifier: Apache-2.0
"""The whole path on the simulated cluster: a hot region is named, follows a move and a split, cools."""

import http.server
import json
import threading
import time

from harness import SOURCE, run, wait_until

EVEN = """
version 2.6.4
servers 3
cache 100ms
table orders regions 10 read 40 write 0
"""

FAST = """
cluster: test
masters: [ "{master}" ]
poll: {{ interval: 200ms, timeout: 2s }}
topology: {{ interval: 2s }}
detection: {{ window: 1s, for: 1s, clear_for: 1s, min_rate: 100 }}
http: {{ listen: [ "127.0.0.1:0" ] }}
"""


def hot_key(sim, number):
    """The n-th region of orders in key order, as the simulator has it now."""
    regions = [r for r in sim.state()["regions"] if r["table"] == "orders"]
    return sorted(regions, key=lambda r: r["startKey"])[number]


def firing(daemon):
    return daemon.alerts(state="firing")


def start(bench, scenario=EVEN, config=FAST):
    sim = bench.sim(scenario)
    daemon = bench.daemon(config.format(master=sim.master))
    daemon.ready()
    return sim, daemon


def test_hot_region_is_named_moved_split_and_cools(bench):
    sim, daemon = start(bench)
    hot = hot_key(sim, 4)
    sim.command("rate orders#4 read 400 write 0")
    alert = wait_until(lambda: firing(daemon), 10, "an alert fires")[0]
    evidence = alert["evidence"]
    assert alert["labels"]["alertname"] == "HBaseRegionHot", alert
    assert alert["labels"]["table"] == "orders", alert
    assert alert["labels"]["region"] == hot["region"], (alert, hot)
    assert alert["labels"]["cluster"] == "test", alert
    assert evidence["access"] == "read", evidence
    wait_until(lambda: abs(firing(daemon)[0]["evidence"]["rate"] - 400) < 20, 5, "the rate is right")
    wait_until(lambda: abs(firing(daemon)[0]["evidence"]["ratio"] - 10) < 1, 5, "the ratio is right")

    sim.command(f"move orders#4 to {hot['serverNumber'] % 3 + 1}")
    moved_to = wait_until(lambda: hot_key(sim, 4)["server"] != hot["server"] and hot_key(sim, 4)["server"],
                          5, "the region moved")
    after_move = wait_until(
        lambda: [a for a in firing(daemon) if a["evidence"]["lineage"]], 10, "the move is told")[0]
    assert after_move["activeAt"] == alert["activeAt"], (alert, after_move)
    assert after_move["labels"] == alert["labels"], (alert, after_move)
    host, port, _ = moved_to.split(",")
    assert after_move["evidence"]["server"] == f"{host}:{port}", (after_move, moved_to)

    sim.command("split orders#4 at 45")
    after_split = wait_until(
        lambda: [a for a in firing(daemon)
                 if any(step["event"] == "split" for step in a["evidence"]["lineage"])
                 and not a["evidence"]["stale"]], 10, "the split is told")[0]
    assert after_split["activeAt"] == alert["activeAt"]
    assert after_split["labels"] == alert["labels"]
    assert len(daemon.alerts()) == 1, daemon.alerts()

    sim.command("rate orders#4 read 40 write 0")
    sim.command("rate orders#5 read 40 write 0")
    wait_until(lambda: not daemon.alerts(), 15, "the alert resolves")
    kinds = [event["kind"] for event in daemon.events()]
    assert kinds.count("fired") == 1 and kinds.count("resolved") == 1, daemon.events()


def test_even_load_is_quiet(bench):
    sim, daemon = start(bench)
    begun = daemon.get("/api/v1/status")["lastRound"]["startedAt"]
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        assert not daemon.alerts(), daemon.alerts()
        time.sleep(0.1)
    assert daemon.get("/api/v1/status")["lastRound"]["startedAt"] > begun
    assert not daemon.events()


def test_counters_are_exact_64_bit(bench):
    exact = 9007199254740993
    sim, daemon = start(bench, EVEN.replace("read 40", "read 0"))
    sim.command(f"counters orders#3 read {exact}")
    region = hot_key(sim, 3)["region"]
    wait_until(lambda: daemon.get(f"/api/v1/regions/{region}")["readRequestCount"] == exact, 10,
               "the counter arrives as itself")


def test_cached_answers_are_no_samples(bench):
    """Polls inside the metrics cache neither give a rate of zero nor an alert."""
    sim, daemon = start(bench, EVEN.replace("cache 100ms", "cache 2s"))
    wait_until(lambda: all(r["rate"] is not None and r["rate"] > 20 for r in
                           daemon.regions(table="orders")), 15, "rates are known")
    metric = "hotspotd_repeated_polls_total"
    seen = daemon.metrics()[metric]
    deadline = time.monotonic() + 30
    while daemon.metrics()[metric] < seen + 30:
        assert time.monotonic() < deadline, "no repeated answers"
        for region in daemon.regions(table="orders"):
            assert region["rate"] is None or 20 < region["rate"] < 60, region
        assert not daemon.alerts()


def test_empty_beans_hold_the_alert(bench):
    sim, daemon = start(bench)
    sim.command("rate orders#4 read 400 write 0")
    before = wait_until(lambda: firing(daemon), 10, "an alert fires")[0]
    for server in (1, 2, 3):
        sim.command(f"server {server} empty")
    no_data = 'hotspotd_poll_failures_total{reason="no_data"}'
    seen = daemon.metrics()[no_data]
    wait_until(lambda: daemon.metrics()[no_data] > seen + 40, 20, "many empty answers")
    held = firing(daemon)[0]
    assert held["activeAt"] == before["activeAt"] and held["labels"] == before["labels"]
    for server in (1, 2, 3):
        sim.command(f"server {server} ok")
    wait_until(lambda: not firing(daemon)[0]["evidence"]["stale"], 10, "news again")
    assert [event["kind"] for event in daemon.events() if event["kind"] != "held"] == ["fired"]


def test_series_show_the_load(bench):
    sim, daemon = start(bench)
    region = hot_key(sim, 2)["region"]
    sim.command("rate orders#2 read 40 write 300")
    def points():
        found = daemon.get(f"/api/v1/regions/{region}/series")["points"]
        return [p for p in found if p[2] is not None and p[2] > 200]
    wait_until(lambda: len(points()) > 10, 15, "the history shows the writes")
    for time_ms, read, write in points()[5:]:
        assert abs(write - 300) < 90, (time_ms, read, write)


class Discovery(http.server.BaseHTTPRequestHandler):
    """Prometheus' HTTP service discovery; answers with the server's `body`."""

    def do_GET(self):
        body = self.server.body.encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def targets_of(daemon, kind):
    return [t for t in daemon.get("/api/v1/targets")["targets"] if t["kind"] == kind]


def test_servers_come_by_http_discovery(bench):
    """No master: the list is followed as it changes, and kept while there is no good one."""
    sim = bench.sim(EVEN)
    hosts = [server["url"].removeprefix("http://") for server in sim.ports["regionservers"]]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Discovery) as discovery:
        def show(*targets):
            discovery.body = json.dumps([{"targets": targets, "labels": {}}])
        show(*hosts[:2])
        threading.Thread(target=discovery.serve_forever, daemon=True).start()
        sd = f"http://127.0.0.1:{discovery.server_port}/targets"
        daemon = bench.daemon(FAST.format(master="").replace('masters: [ "" ]', f'regionservers: {{ http_sd: "{sd}" }}'))
        daemon.ready()
        polled = lambda: sorted(t["url"] for t in targets_of(daemon, "regionserver") if t["state"] == "up")
        wait_until(lambda: polled() == sorted(f"http://{h}" for h in hosts[:2]), 10, "two servers are polled")
        problems = daemon.get("/api/v1/status")["problems"]
        assert not any("http_sd" in p or "no effect" in p for p in problems), problems
        show(*hosts)
        wait_until(lambda: len(polled()) == 3, 10, "the third server is polled")
        discovery.body = "<html>"
        wait_until(lambda: targets_of(daemon, "http_sd")[0]["state"] != "up", 10, "the bad list is told")
        assert any("http_sd" in p for p in daemon.get("/api/v1/status")["problems"])
        assert len(polled()) == 3, polled()
        show(hosts[0])
        wait_until(lambda: len(polled()) == 1, 10, "servers that are not listed go")
        assert targets_of(daemon, "http_sd")[0]["state"] == "up"
        discovery.shutdown()


def keys_of(value):
    """Every key in a JSON value; labels and annotations are named as a whole."""
    if isinstance(value, list):
        for item in value:
            yield from keys_of(item)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key != "labels":
                yield from keys_of(inner)


def test_each_field_is_documented(bench):
    sim, daemon = start(bench)
    sim.command("rate orders#4 read 400 write 0")
    wait_until(lambda: firing(daemon), 10, "an alert fires")
    region = hot_key(sim, 4)["region"]
    doc = (SOURCE / "docs" / "api.md").read_text()
    for path in ("status", "alerts", "alerts/history", "regions", f"regions/{region}", f"regions/{region}/series",
                 "tables", "servers", "targets", "heatmap?table=orders"):
        fields = set(keys_of(daemon.get("/api/v1/" + path)))
        assert fields, path
        missing = sorted(f for f in fields if not any(f"`{f}{suffix}`" in doc for suffix in ("", "[]", "[][]")))
        assert not missing, f"docs/api.md does not name these fields of {path}: {missing}"


if __name__ == "__main__":
    run([test_hot_region_is_named_moved_split_and_cools, test_even_load_is_quiet,
         test_counters_are_exact_64_bit, test_cached_answers_are_no_samples,
         test_empty_beans_hold_the_alert, test_series_show_the_load,
         test_servers_come_by_http_discovery, test_each_field_is_documented])
