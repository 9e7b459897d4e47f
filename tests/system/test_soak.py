# SPDX-License-Identifier: Apache-2.0
"""A thousand rounds on a cluster that moves, splits and restarts: memory and descriptors stay flat."""

import os

from harness import SLOWDOWN, SOURCE, run, wait_until
from test_end_to_end import FAST

ROUNDS = 1000
WARM = 250
# Short tiers are full when the measuring begins; full ones would still fill for a week.
CONFIG = FAST + "history: {{ raw: 30s, five_minutes: 5m, hours: 1h }}\n"


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def rounds(daemon):
    return daemon.metrics()["hotspotd_rounds_total"]


def test_a_thousand_rounds_leave_no_trace(bench):
    scenario = (SOURCE / "tests/sim/scenarios/soak.sim").read_text()
    sim = bench.sim(scenario)
    daemon = bench.daemon(CONFIG.format(master=sim.master))
    daemon.ready()
    pid = daemon.child.pid
    wait_until(lambda: rounds(daemon) >= WARM, WARM * 0.2 * 3, "warm")
    memory, files = resident_kib(pid), descriptors(pid)
    wait_until(lambda: rounds(daemon) >= ROUNDS, ROUNDS * 0.2 * 3, "a thousand rounds")
    memory_after, files_after = resident_kib(pid), descriptors(pid)
    print(f"     memory {memory} -> {memory_after} KiB, descriptors {files} -> {files_after}")
    if SLOWDOWN == 1:  # a sanitizer keeps freed memory for a while, on purpose
        assert memory_after - memory <= max(1024, memory * 0.1), (memory, memory_after)
    assert files_after <= files + 4
    assert not any(line for line in daemon.lines if "ERROR" in line), daemon.output()


if __name__ == "__main__":
    run([test_a_thousand_rounds_leave_no_trace])
