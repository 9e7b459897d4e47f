#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hotspotctl top straight from a real cluster: the rates on the screen are those of the load.

Usage: test_top.py VERSION."""

import shutil
import sys
import time

from real import Cluster, run_or_skip, version, wait_until
from test_top_screen import CTL, Terminal, agrees

VERSION = version()
PUTS, GETS, HOT, TIMES = 20, 5, 4, 10
MEMORY_KB = 10 * 1024


def rates():
    def one(rate):
        return ",".join(str(rate * TIMES if i == HOT else rate) for i in range(10))
    return f"--puts {one(PUTS)} --gets {one(GETS)}"


def test_top(bench):
    cluster = Cluster(bench.folder, VERSION)
    try:
        cluster.ask("create orders f --splits 1,2,3,4,5,6,7,8,9")
        cluster.ask("balancer off")
        report = bench.folder / "report.jsonl"
        cluster.ask(f"load orders {rates()} --report {report}")
        puts, gets = PUTS * (9 + TIMES), GETS * (9 + TIMES)
        terminal = Terminal(bench, [CTL, "top", cluster.about["master"]])
        try:
            terminal.shows("hotspotctl top")
            started = time.monotonic() - terminal.begun
            wait_until(lambda: agrees(terminal, "orders", gets, puts), 90, "the table's rates")
            terminal.shows(r"! orders", 60)
            terminal.keys("/")
            terminal.keys("-l", "orders")
            terminal.keys("Enter", "Home", "Enter")
            hot = cluster.ask("regions orders")["regions"][HOT]["encoded"]
            terminal.shows(rf"! orders +{hot}")
            wait_until(lambda: agrees(terminal, "orders", GETS * TIMES, PUTS * TIMES), 60,
                       "the hot region's rates")
            memory = terminal.anonymous_kb()
            print(f"     on the screen after {started:.2f} s; {memory} kB anonymous")
            assert started < 1 and memory < MEMORY_KB
            terminal.keys("q")
            assert terminal.ended() == 0
        finally:
            terminal.close()
    finally:
        cluster.close()


if __name__ == "__main__":
    if shutil.which("tmux") is None:
        print("SKIPPED: tmux is needed (./dev setup installs it)")
        sys.exit(77)
    run_or_skip([test_top])
