# SPDX-License-Identifier: Apache-2.0
"""Starts hbase-sim for its own tests and stops it on every exit path."""

import http.client
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse

REGIONS = "Hadoop:service=HBase,name=RegionServer,sub=Regions"
METRICS = "_metric_*(readRequestCount%7CwriteRequestCount%7ClastMajorCompactionAge)$"
FILTERED = f"/jmx?get={REGIONS}::{METRICS}"
FULL = f"/jmx?qry={REGIONS}"
SERVER = "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Server"
MASTER = "/jmx?qry=Hadoop:service=HBase,name=Master,sub=Server"
EMPTY_LIST = b'{\n  "beans": []\n}'

BASE = """
servers 3
cache 0
heartbeat 0
empty 0
table orders regions 10 read 3000 write 2000
"""

BINARY = pathlib.Path(os.environ.get("BUILD_ROOT", "build")).resolve() / "hbase-sim"
SLOWDOWN = float(os.environ.get("TEST_SLOWDOWN", "1"))  # sanitizers


def wait_until(condition, what, seconds=10):
    """Returns the first true value of condition(); fails after `seconds`."""
    deadline = time.monotonic() + seconds * SLOWDOWN
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.005)


def request(base, path, headers=None, timeout=10):
    """(status, headers, body) of one GET on a connection of its own."""
    address = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(address.hostname, address.port,
                                            timeout=timeout * SLOWDOWN)
    try:
        connection.request("GET", path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def ask(base, path):
    """The body of an answer with status 200."""
    status, _, body = request(base, path)
    assert status == 200, (path, status, body)
    return body


class Simulator:
    """with Simulator(text) as sim: ..."""

    def __init__(self, scenario, *options):
        self.scenario, self.options = scenario, options

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="hbase-sim-test-")
        folder = pathlib.Path(self.folder.name)
        (folder / "scenario.sim").write_text(self.scenario)
        self.errors_file = folder / "errors"
        self.buffered = b""
        with open(self.errors_file, "wb") as errors:
            self.child = subprocess.Popen(
                [BINARY, "--stdin", "--ports-file", folder / "ports.json", *self.options,
                 folder / "scenario.sim"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        try:
            word, self.master = self.line().split()
            assert word == "master", word
            self.ports = json.loads((folder / "ports.json").read_text())
        except BaseException as error:
            self.__exit__(error)
            raise
        self.servers = [server["url"] for server in self.ports["regionservers"]]
        return self

    def __exit__(self, error=None, *_):
        try:
            status = self.stop()
            assert error or status == 0, f"exit status {status}: {self.errors()}"
        finally:
            if self.child.poll() is None:
                self.child.kill()
                self.child.wait()
            self.child.stdin.close()
            self.child.stdout.close()
            self.folder.cleanup()

    def line(self):
        """The next line of its standard output."""
        deadline = time.monotonic() + 10 * SLOWDOWN
        while b"\n" not in self.buffered:
            ready, _, _ = select.select([self.child.stdout], [], [], deadline - time.monotonic())
            piece = os.read(self.child.stdout.fileno(), 65536) if ready else b""
            assert piece, f"no line from hbase-sim: {self.errors()}"
            self.buffered += piece
        line, _, self.buffered = self.buffered.partition(b"\n")
        return line.decode()

    def errors(self):
        return self.errors_file.read_text()

    def answer(self, command):
        self.child.stdin.write(command.encode() + b"\n")
        self.child.stdin.flush()
        return self.line()

    def command(self, command):
        answer = self.answer(command)
        assert answer == "ok", f"{command!r}: {answer}"

    def stop(self, sig=signal.SIGTERM):
        """Ends it in good order, if it runs; its exit status."""
        if self.child.poll() is None:
            self.child.send_signal(sig)
        return self.child.wait(10 * SLOWDOWN)

    def state(self):
        return json.loads(ask(self.master, "/sim/state"))

    def regions(self, table):
        """The table's regions in key order, first replicas only."""
        return [r for r in self.state()["regions"] if r["table"] == table and r["replica"] == 0]


def rows(body):
    """Encoded name -> {metric: value} of a Regions answer."""
    found = {}
    for bean in json.loads(body)["beans"]:
        for name, value in bean.items():
            match = re.fullmatch(r"Namespace_.*_table_.*_region_([0-9a-f]+)_metric_(\w+)", name)
            if match:
                found.setdefault(match.group(1), {})[match.group(2)] = value
    return found


def seen(sim, server, path=FILTERED):
    return rows(ask(sim.servers[server - 1], path))


def beans(base, path):
    [bean] = json.loads(ask(base, path))["beans"]
    return bean


def refused(url):
    try:
        request(url, "/jmx")
    except ConnectionRefusedError:
        return True
    except (OSError, http.client.HTTPException):
        return False  # cut off in between
    return False


def run(tests):
    """Runs the test functions, or those named on the command line; exits with the verdict."""
    failed = 0
    for test in tests:
        if sys.argv[1:] and test.__name__ not in sys.argv[1:]:
            continue
        begun = time.monotonic()
        try:
            test()
            print(f"ok   {test.__name__} ({time.monotonic() - begun:.2f} s)", flush=True)
        except Exception:  # the others are run, too
            failed += 1
            print(f"FAIL {test.__name__}", flush=True)
            traceback.print_exc(file=sys.stdout)
    sys.exit(1 if failed else 0)
