# SPDX-License-Identifier: Apache-2.0
"""hotspotctl top in a terminal (tmux): straight from HBase and from a daemon, keys, resizing,
narrow screens, locales, memory, and where there is no terminal."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

from harness import BUILD, SLOWDOWN, run, wait_until
from test_end_to_end import FAST, hot_key, start

CTL = BUILD / "hotspotctl"
SCENARIO = """
version 2.6.4
servers 3
cache 1s
table orders regions 10 read 40 write 20
table wide:events regions 4 read 10 write 0
"""


class Terminal:
    """A program in a terminal of its own."""

    def __init__(self, bench, argv, columns=130, lines=24, **environment):
        self.socket = str(bench.folder / "tmux")
        self.errors = bench.folder / "stderr"
        self.pid_file, self.status_file = bench.folder / "pid", bench.folder / "status"
        self.status_file.unlink(missing_ok=True)
        # tmux itself loses the status of what ends at once.
        inner = f"echo $$ >{self.pid_file}; exec {shlex.join(map(str, argv))} 2>{self.errors}"
        command = f"sh -c {shlex.quote(inner)}; echo $? >{self.status_file}"
        self.config = bench.folder / "tmux.conf"
        self.config.write_text("set -g remain-on-exit on\n")  # to be looked at when it has ended
        self.begun = time.monotonic()
        self.tmux("new-session", "-d", "-x", columns, "-y", lines,
                  *(word for name, value in environment.items() for word in ("-e", f"{name}={value}")),
                  command)

    def tmux(self, *args):
        return subprocess.run(["tmux", "-f", self.config, "-S", self.socket, *map(str, args)],
                              capture_output=True, text=True, check=True).stdout

    def screen(self):
        return self.tmux("capture-pane", "-p").rstrip("\n").split("\n")

    def shows(self, text, seconds=10):
        wait_until(lambda: re.search(text, "\n".join(self.screen())), seconds, f"{text!r} on the screen")

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def pid(self):
        return int(self.pid_file.read_text())

    def anonymous_kb(self):
        text = pathlib.Path(f"/proc/{self.pid()}/smaps_rollup").read_text()
        return int(re.search(r"^Anonymous: +(\d+) kB", text, re.MULTILINE).group(1))

    def ended(self):
        return int(wait_until(lambda: self.status_file.exists() and self.status_file.read_text(), 10,
                              "it ends"))

    def close(self):
        self.tmux("kill-server")


def row(terminal, name):
    """The cells of the first line that begins with the name: reads/s and writes/s."""
    for line in terminal.screen():
        found = re.match(rf"[ !?] {re.escape(name)} .* (\d+\.?\d*) +(\d+\.?\d*) +(?:\S*x|-) ", line + " ")
        if found:
            return tuple(map(float, found.groups()))
    return None


def agrees(terminal, name, reads, writes):
    cells = row(terminal, name)
    return cells and abs(cells[0] - reads) <= 0.05 * reads and abs(cells[1] - writes) <= 0.05 * writes


def test_straight_from_hbase(bench):
    sim = bench.sim(SCENARIO)
    terminal = Terminal(bench, [CTL, "top", sim.master])
    try:
        terminal.shows("hotspotctl top")
        started = time.monotonic() - terminal.begun
        wait_until(lambda: agrees(terminal, "orders", 400, 200), 40, "the rates are the load's")
        sim.command("rate orders#4 read 400 write 20")
        terminal.shows(r"! orders .*\d+(\.\d)?x", 60)
        hot = hot_key(sim, 4)
        terminal.keys("Enter")  # the hottest table is first
        terminal.shows(rf"! orders +{hot['region']}")
        wait_until(lambda: agrees(terminal, "orders", 400, 20), 40, "the region's rates")
        terminal.keys("Enter")
        terminal.shows(rf"region +{hot['region']}")
        terminal.shows(r"state +hot")
        terminal.shows(r"start key")
        memory = terminal.anonymous_kb()
        print(f"     on the screen after {started:.2f} s; {memory} kB anonymous")
        assert SLOWDOWN > 1 or (started < 1 and memory < 10 * 1024)
        terminal.keys("q")
        assert terminal.ended() == 0
        assert terminal.errors.read_text() == ""
    finally:
        terminal.close()


def test_keys_from_a_daemon(bench):
    sim, daemon = start(bench, SCENARIO, FAST)
    terminal = Terminal(bench, [CTL, "top", daemon.url, "--interval", "1"])
    try:
        wait_until(lambda: agrees(terminal, "orders", 400, 200), 20, "the rates of a daemon")
        terminal.shows(r"(?s)orders.*wide:events")
        terminal.keys("o", "o", "o", "o")
        terminal.shows("by name")
        terminal.keys("k", "j", "End", "Enter")
        terminal.shows(r"table wide:events")
        assert sum("wide:events" in line for line in terminal.screen()[3:]) == 4
        terminal.keys("BSpace")
        terminal.shows(r"(?s)orders.*wide:events")
        terminal.keys("r")
        wait_until(lambda: sum(" orders" in line for line in terminal.screen()) == 10, 5, "all regions")
        terminal.keys("/")
        terminal.keys("-l", "wide")
        wait_until(lambda: not any(" orders" in line for line in terminal.screen()), 5, "the filter")
        terminal.keys("Enter", "?")
        terminal.shows("sort by rate, reads")
        terminal.keys("?", "/", "Enter", "f")
        terminal.shows("only hot")
        wait_until(lambda: row(terminal, "orders") is None, 5, "nothing is hot")
        sim.command("rate orders#4 read 4000 write 0")
        terminal.shows("! orders", 20)
        daemon.stop()
        terminal.shows("no answer from", 20)  # what was known stays
        assert row(terminal, "orders")
        terminal.keys("q")
        assert terminal.ended() == 0
    finally:
        terminal.close()


def test_sizes_and_locales(bench):
    sim = bench.sim(SCENARIO)
    for locale in ("C", "POSIX", "C.UTF-8", "de_DE.ISO-8859-1", "nonsense"):
        terminal = Terminal(bench, [CTL, "top", sim.master], LC_ALL=locale)
        try:
            terminal.shows(r"(?s)orders.*wide:events")
            for columns, lines in ((40, 8), (20, 4), (10, 2), (1, 1), (200, 50)) if locale == "C" else ():
                terminal.tmux("resize-window", "-x", columns, "-y", lines)
                for key in ("r", "Down", "End", "PageUp", "Enter", "h", "t"):
                    terminal.keys(key)
                wait_until(lambda: all(len(line) <= columns for line in terminal.screen()), 5, "it fits")
                assert not terminal.status_file.exists()
            terminal.shows(r"(?s)orders.*wide:events")
            terminal.keys("q")
            assert terminal.ended() == 0
        finally:
            terminal.close()


def refused(argv, hint, **environment):
    done = subprocess.run([CTL, "top", *argv], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, **environment})
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done
    assert hint in done.stderr, done


def test_where_it_cannot_run(bench):
    refused(["http://127.0.0.1:1"], "needs a terminal")
    refused(["--interval", "0"], "--interval")
    refused(["a", "b"], "unexpected argument")
    sim = bench.sim(SCENARIO)
    for argv, environment, hint in (
            (["http://127.0.0.1:1"], {}, "no answer"), (["nonsense"], {}, "wrong address"),
            # What ncurses leaves behind when it cannot start is not ours.
            ([sim.master], {"TERM": "no-such-terminal", "ASAN_OPTIONS": "detect_leaks=0"}, "TERM")):
        terminal = Terminal(bench, ["env", *(f"{k}={v}" for k, v in environment.items()), CTL, "top",
                                    *argv])
        try:
            assert terminal.ended() == 2
            assert hint in terminal.errors.read_text(), terminal.errors.read_text()
        finally:
            terminal.close()


if __name__ == "__main__":
    if shutil.which("tmux") is None:
        print("SKIPPED: tmux is needed (./dev setup installs it)")
        sys.exit(77)
    run([test_straight_from_hbase, test_keys_from_a_daemon, test_sizes_and_locales,
         test_where_it_cannot_run])
