# SPDX-License-Identifier: Apache-2.0
"""hbase-sim as web servers that misbehave, and as a program."""

import contextlib
import http.client
import json
import pathlib
import signal
import socket
import subprocess
import tempfile
import urllib.parse

from simulator import (BASE, BINARY, EMPTY_LIST, FILTERED, FULL, MASTER, SERVER, SLOWDOWN,
                       Simulator, ask, beans, refused, request, rows, run, wait_until)


# Misbehaviour

def others_answer(sim):
    for url in sim.servers[1:]:
        assert len(rows(ask(url, FILTERED))) > 0


@contextlib.contextmanager
def faulty(fault, extra=""):
    with Simulator(BASE + extra) as sim:
        healthy = list(beans(sim.servers[0], SERVER))
        sim.command(f"server 1 {fault}")
        yield sim, sim.servers[0]
        others_answer(sim)
        sim.command("server 1 ok")
        assert list(beans(sim.servers[0], SERVER)) == healthy
        others_answer(sim)


def test_fails():
    with faulty("fails") as (_, url):
        assert refused(url)


def times_out(url):
    try:
        request(url, FULL, timeout=0.2)
    except TimeoutError:
        return True
    return False


def test_hangs():
    with faulty("hangs") as (sim, url):
        assert times_out(url)
        assert sim.state()["servers"][0]["fault"] == "hangs"


def test_slow():
    with faulty("slow 400ms") as (sim, url):
        begun = sim.state()["t"]
        assert request(url, FILTERED)[0] == 200
        assert sim.state()["t"] - begun >= 400


def raw(url, path, limit=1 << 20):
    """The bytes of an answer up to the connection's end or the limit, in pieces."""
    address = urllib.parse.urlsplit(url)
    pieces = []
    with socket.create_connection((address.hostname, address.port), 10 * SLOWDOWN) as s:
        s.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        while sum(map(len, pieces)) < limit and (piece := s.recv(65536)):
            pieces.append(piece)
    return pieces


def test_drips():
    with faulty("drips") as (_, url):
        pieces = raw(url, FILTERED, limit=60)
        assert all(0 < len(p) <= 64 for p in pieces), pieces
        assert b"".join(pieces).startswith(b"HTTP/1.1 200 OK\r\n")


def test_garbage():
    with faulty("garbage") as (_, url):
        status, _, body = request(url, FILTERED)
        assert status == 200
        try:
            json.loads(body)
        except ValueError:
            return
        raise AssertionError("garbage was JSON")


def test_truncates():
    for path, chunked in ((FILTERED, False), (FULL, True)):
        with faulty("truncates", "table wide regions 60\n") as (_, url):
            try:
                request(url, path)
            except http.client.IncompleteRead:
                pass
            else:
                raise AssertionError("the answer was complete")
            answer = b"".join(raw(url, path))
            assert (b"Transfer-Encoding: chunked" in answer) == chunked
            assert answer.index(b'"beans"') > 0


def test_empty():
    with faulty("empty") as (_, url):
        assert ask(url, FILTERED) == ask(url, FULL) == EMPTY_LIST


def test_unauthorized():
    with faulty("unauthorized") as (_, url):
        status, headers, _ = request(url, FILTERED)
        assert status == 401 and headers["WWW-Authenticate"] == "Negotiate"
        assert headers["Set-Cookie"] == "hadoop.auth=; HttpOnly"


def test_http_status():
    for status in (503, 302, 404):
        with faulty(f"http {status}") as (_, url):
            have, headers, body = request(url, FILTERED)
            assert have == status and b"<html>" in body
            assert (status == 302) == ("Location" in headers)


def test_endless():
    with faulty("endless") as (_, url):
        answer = b"".join(raw(url, FILTERED, limit=3 << 20))
        assert len(answer) >= 3 << 20 and b"Transfer-Encoding: chunked" in answer


def test_closes():
    with faulty("closes") as (_, url):
        assert raw(url, FILTERED) == []


def test_masters_misbehave_too():
    with Simulator(BASE) as sim:
        sim.command("master 1 http 503")
        assert request(sim.master, MASTER)[0] == 503
        sim.state()  # the simulator's own page is left alone
        sim.command("master 1 ok")
        assert request(sim.master, MASTER)[0] == 200


# HTTP

def test_connections_are_kept_and_closed_when_idle():
    with Simulator(BASE + "idle 100ms\n") as sim:
        address = urllib.parse.urlsplit(sim.servers[0])
        get = f"GET {SERVER} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        with socket.create_connection((address.hostname, address.port), 10 * SLOWDOWN) as s:
            s.sendall(get + get[:20])  # a request and a part of the next
            received = s.recv(65536)
            s.sendall(get[20:] + get)
            while received.count(b"HTTP/1.1 200 OK") < 3 or not received.endswith(b"}"):
                received += s.recv(65536)
            begun = sim.state()["t"]
            assert s.recv(1) == b""  # closed by the server
            assert sim.state()["t"] - begun >= 50


def test_bad_requests():
    with Simulator(BASE) as sim:
        address = urllib.parse.urlsplit(sim.servers[0])
        for text, status in ((b"POST /jmx HTTP/1.1\r\n\r\n", b"405"), (b"x\r\n\r\n", b"400"),
                             (b"GET /nosuch HTTP/1.0\r\n\r\n", b"404"),
                             (b"GET /jmx HTTP/1.1\r\nX: " + b"y" * 20000, b"431")):
            with socket.create_connection((address.hostname, address.port), 10 * SLOWDOWN) as s:
                s.sendall(text)
                assert s.recv(65536).startswith(b"HTTP/1.1 " + status), (text[:40], status)


# The program

def test_it_ends_in_good_order():
    for sig in (signal.SIGTERM, signal.SIGINT):
        with Simulator(BASE) as sim:
            assert sim.stop(sig) == 0
    with Simulator(BASE) as sim:
        sim.child.stdin.close()
        assert sim.child.wait(10 * SLOWDOWN) == 0
    with Simulator(BASE, "--for", "50ms") as sim:
        assert sim.child.wait(10 * SLOWDOWN) == 0


def tool(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True,
                          timeout=60 * SLOWDOWN)


def test_help_and_wrong_use():
    done = tool("--help")
    assert done.returncode == 0 and "move REGION to N" in done.stdout
    for arguments in ([], ["a", "b"], ["--nosuch", "a"], ["--port", "70000", "a"],
                      ["--speed", "0", "a"]):
        done = tool(*arguments)
        assert done.returncode == 2 and done.stderr, arguments


ERRORS = {
    "version 9\n": "1: versions are",
    "servers 0\n": "1: '0' is no number",
    "\ncache 5\n": "2: '5' is no duration",
    "at 5s\n": "1: usage: at",
    "at 5s jump orders#1\n": "1: there is no command 'jump'",
    "at 5s move orders#1 2\n": "1: 'to' is missing",
    "at 5s move orders to 2\n": "1: 'orders' is no region",
    "at 5s server 1 sleeps\n": "1: 'sleeps' is nothing",
    "table a keys b,b\n": "1: split key 2",
    "table a b\n": "1: 'b' is too much",
    "table a/b\n": "1: 'a/b' is no table name",
    "rate nosuch#0 read 1\n": "1: there is no table 'nosuch'",
    "# x\nevery 0s split a#0\n": "2: 'every' takes more than 0",
    "table a\nat 3s move a#1 to 9\n": "2: at 3s: table a has 1 regions",
    "table a\nat 3s move a#0 to 9\n": "2: at 3s: there are 3 servers",
}


def test_errors_name_the_line():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.sim"
        for text, expected in ERRORS.items():
            path.write_text(text)
            done = tool("--check", path)
            assert done.returncode == 1 and f"{path}:{expected}" in done.stderr, (text, done.stderr)
        done = tool("--check", path.with_name("nosuch"))
        assert done.returncode == 1 and "No such file" in done.stderr


def test_the_scenarios_are_good():
    for path in sorted((pathlib.Path(__file__).parent / "scenarios").glob("*.sim")):
        done = tool("--check", path)
        assert done.returncode == 0, (path, done.stderr)


def test_the_same_scenario_gives_the_same_names():
    names = []
    for _ in range(2):
        with Simulator(BASE + "at 10ms move orders#? to ?\nat 20ms split orders#?\n") as sim:
            wait_until(lambda: len(sim.regions("orders")) == 11, "the split")
            names.append([(r["name"], r["serverNumber"]) for r in sim.state()["regions"]])
    assert names[0] == names[1]


if __name__ == "__main__":
    run([value for name, value in list(globals().items()) if name.startswith("test_")])
