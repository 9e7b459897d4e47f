# SPDX-License-Identifier: Apache-2.0
"""One bad server never costs another one's regions; a failover and a fallback are followed."""

from harness import run, wait_until
from test_end_to_end import EVEN, FAST, start

FAULTS = {
    "fails": "connect",
    "hangs": "timeout",
    "drips": "timeout",
    "garbage": "parse",
    "truncates": None,  # cut transfers end as connect or parse
    "unauthorized": "auth",
    "http 503": "http_status",
    "endless": "too_large",
}
CONFIG = FAST.replace("timeout: 2s", "timeout: 600ms, max_body: 1MiB")


def fresh_by_server(daemon):
    count = {}
    for region in daemon.regions():
        count.setdefault(region["server"], []).append(not region["stale"])
    return count


def check_fault(bench, fault, reason):
    sim, daemon = start(bench, config=CONFIG)
    bad = sim.ports["regionservers"][0]["server"]
    host, port, _ = bad.split(",")
    address = f"{host}:{port}"
    wait_until(lambda: all(all(f) for f in fresh_by_server(daemon).values()), 10, "all are fresh")
    if reason:
        metric = f'hotspotd_poll_failures_total{{reason="{reason}"}}'
        before = daemon.metrics()[metric]
    sim.command(f"server 1 {fault}")

    def only_its_own_are_stale():
        state = fresh_by_server(daemon)
        return not any(state[address]) and all(all(f) for a, f in state.items() if a != address)

    wait_until(only_its_own_are_stale, 15, f"{fault}: only the regions of {address} are stale")
    if reason:
        assert daemon.metrics()[metric] > before, (fault, reason)
    for _ in range(20):  # the others stay fresh all the while
        state = fresh_by_server(daemon)
        assert all(all(f) for a, f in state.items() if a != address), (fault, state)
    target = [t for t in daemon.get("/api/v1/targets")["targets"]
              if t["url"] == sim.ports["regionservers"][0]["url"]][0]
    assert target["state"] != "up" and target["lastError"], target
    up = f'hotspotd_server_up{{server="{address}"}}'
    assert daemon.metrics()[up] == 0, fault
    sim.command("server 1 ok")
    wait_until(lambda: all(fresh_by_server(daemon)[address]), 20, f"{fault}: recovered")
    assert daemon.metrics()[up] == 1


def fault_test(fault, reason):
    def test(bench):
        check_fault(bench, fault, reason)
    test.__name__ = "test_server_" + fault.replace(" ", "_")
    return test


def test_master_failover_is_followed(bench):
    sim = bench.sim(EVEN + "masters 2\n")
    backup = sim.ports["backup"]
    daemon = bench.daemon(FAST.format(master=sim.master).replace("]", f', "{backup}" ]', 1))
    daemon.ready()
    sim.command("failover")
    wait_until(lambda: [t for t in daemon.get("/api/v1/targets")["targets"]
                        if t["url"] == backup and t["state"] == "up"], 10, "the backup answers")
    wait_until(lambda: all(not r["stale"] for r in daemon.regions()), 10, "all stay fresh")


def test_old_versions_are_read(bench):
    for version in ("2.4.18", "1.7.2"):
        sim = bench.sim(EVEN.replace("2.6.4", version))
        urls = ", ".join(f'"{rs["url"]}"' for rs in sim.ports["regionservers"])
        daemon = bench.daemon(
            FAST.format(master=sim.master) + f"regionservers: {{ static: [ {urls} ] }}\n")
        daemon.ready()
        sim.command("rate orders#4 read 400 write 0")
        alert = wait_until(lambda: daemon.alerts(state="firing"), 15, f"{version}: an alert fires")[0]
        assert alert["labels"]["table"] == "orders"
        daemon.stop()
        sim.stop()


if __name__ == "__main__":
    run([fault_test(fault, reason) for fault, reason in FAULTS.items()]
        + [test_master_failover_is_followed, test_old_versions_are_read])
