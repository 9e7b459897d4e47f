# SPDX-License-Identifier: Apache-2.0
"""Starts the simulated cluster and the daemon for a test, and stops both on every exit path.

A test is a function that takes a Bench; run(tests) runs each in a fresh temporary folder.
Nothing sleeps for a fixed time: wait_until() polls a condition against a deadline.
"""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.parse

BUILD = pathlib.Path(os.environ.get("BUILD_ROOT", "build")).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
SLOWDOWN = float(os.environ.get("TEST_SLOWDOWN", "1"))  # sanitizers


def wait_until(condition, seconds, what):
    """Returns the first true value of condition(); fails after `seconds`."""
    deadline = time.monotonic() + seconds * SLOWDOWN
    last = None
    while time.monotonic() < deadline:
        try:
            value = condition()
            if value:
                return value
            last = value
        except (OSError, http.client.HTTPException, ValueError) as error:
            last = error
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s: {what} (last: {last!r})")


class Process:
    """A child whose output is kept, line by line."""

    def __init__(self, argv, **options):
        self.lines = []
        self.child = subprocess.Popen(
            argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            **options)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.append(line.rstrip("\n"))

    def stop(self, sig=signal.SIGTERM, seconds=20):
        if self.child.poll() is None:
            self.child.send_signal(sig)
            try:
                self.child.wait(seconds * SLOWDOWN)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
                raise AssertionError("did not stop in time")
        self.reader.join(5)
        if self.child.stdin:
            self.child.stdin.close()
        return self.child.returncode

    def output(self):
        return "\n".join(self.lines)


class Sim(Process):
    """hbase-sim with commands on its standard input."""

    def __init__(self, folder, scenario, *options):
        path = folder / "scenario.sim"
        path.write_text(scenario)
        self.ports_file = folder / "ports.json"
        self.ports_file.unlink(missing_ok=True)
        super().__init__([BUILD / "hbase-sim", "--stdin", "--ports-file", self.ports_file, *options,
                          path], stdin=subprocess.PIPE)
        self.ports = wait_until(
            lambda: json.loads(self.ports_file.read_text()) if self.ports_file.exists() else None,
            10, "the simulator listens")
        wait_until(lambda: any(line.startswith("master ") for line in self.lines), 10,
                   "the simulator says its address")

    @property
    def master(self):
        return self.ports["master"]

    def command(self, text):
        before = len(self.lines)
        self.child.stdin.write(text + "\n")
        self.child.stdin.flush()
        answer = wait_until(lambda: self.lines[before:] or None, 10, f"answer to {text!r}")[0]
        assert answer == "ok", f"{text!r}: {answer}"

    def state(self):
        return get_json(self.master, "/sim/state")


class Daemon(Process):
    """hotspotd on a free port with a configuration made by the test."""

    def __init__(self, folder, config, *options, env=None):
        self.config_file = folder / "hotspotd.yaml"
        self.config_file.write_text(config)
        super().__init__(
            [BUILD / "hotspotd", f"--config.file={self.config_file}", *options],
            env={**os.environ, **(env or {})})
        self.url = wait_until(self._address, 10, "hotspotd listens")

    def _address(self):
        if self.child.poll() is not None:
            raise AssertionError(f"hotspotd ended with {self.child.returncode}: {self.output()}")
        for line in list(self.lines):
            found = re.search(r"listening on (http://\S+)", line)
            if found:
                return found.group(1)
        return None

    def get(self, path):
        return get_json(self.url, path)["data"]

    def ready(self, seconds=20):
        wait_until(lambda: request(self.url, "/-/ready")[0] == 200, seconds, "ready")

    def alerts(self, **query):
        return self.get("/api/v1/alerts?" + urllib.parse.urlencode(query))["alerts"]

    def events(self):
        return self.get("/api/v1/alerts/history?limit=1000")["events"]

    def regions(self, **query):
        return self.get("/api/v1/regions?" + urllib.parse.urlencode({"limit": 10000, **query}))["regions"]

    def metrics(self):
        """Sample name with labels -> value."""
        status, _, body = request(self.url, "/metrics")
        assert status == 200, status
        samples = {}
        for line in body.decode().splitlines():
            if line and not line.startswith("#"):
                name, value = line.rsplit(" ", 1)
                assert name not in samples, f"twice: {name}"
                samples[name] = float(value)
        return samples


def request(base, path, method="GET", headers=None, body=None, timeout=10):
    """(status, headers, body) of one request."""
    address = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(address.hostname, address.port,
                                            timeout=timeout * SLOWDOWN)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def get_json(base, path):
    status, _, body = request(base, path)
    if status != 200:
        raise ValueError(f"{path}: status {status}: {body[:200]!r}")
    return json.loads(body)


class Bench:
    """What one test uses; close() stops everything it started."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hotspotd-test-"))
        self.processes = []

    def sim(self, scenario, *options):
        sim = Sim(self.folder, scenario, *options)
        self.processes.append(sim)
        return sim

    def daemon(self, config, *options, env=None):
        daemon = Daemon(self.folder, config, *options, env=env)
        self.processes.append(daemon)
        return daemon

    def close(self):
        for process in reversed(self.processes):
            if process.child.poll() is None:
                process.child.kill()
                process.child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def run(tests):
    """Runs the test functions (or those named on the command line); exits with the verdict."""
    names = sys.argv[1:]
    failed = 0
    for test in tests:
        if names and test.__name__ not in names:
            continue
        bench = Bench()
        begun = time.monotonic()
        try:
            test(bench)
            print(f"ok   {test.__name__} ({time.monotonic() - begun:.1f} s)", flush=True)
        except BaseException:  # the processes are shown and stopped first
            failed += 1
            print(f"FAIL {test.__name__}", flush=True)
            traceback.print_exc(file=sys.stdout)
            for process in bench.processes:
                print("\n".join(["--- output", *process.lines[-40:]]), flush=True)
        finally:
            bench.close()
    sys.exit(1 if failed else 0)
