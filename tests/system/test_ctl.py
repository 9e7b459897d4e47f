# SPDX-License-Identifier: Apache-2.0
"""hotspotctl against a daemon: what it shows, how it ends, and what it says when nobody answers."""

import csv
import http.server
import io
import json
import os
import pty
import subprocess
import threading

from harness import BUILD, SLOWDOWN, run, wait_until
from test_end_to_end import firing, start

CTL = BUILD / "hotspotctl"
COMMANDS = ("alerts", "tables", "servers", "regions", "history", "status")


def ctl(url, *args, env=None):
    return subprocess.run([CTL, *args, "--url", url], capture_output=True, text=True, check=False,
                          env={**os.environ, **(env or {})}, timeout=30 * SLOWDOWN)


def good(url, *args, status=0):
    done = ctl(url, *args)
    assert (done.returncode, done.stderr) == (status, ""), (args, done)
    return done.stdout


def refused(done, hint):
    assert done.returncode == 2 and done.stdout == "", done
    assert done.stderr.startswith("hotspotctl: ") and done.stderr.count("\n") == 1, done
    assert hint in done.stderr, done


def heat(sim, daemon):
    sim.command("rate orders#4 read 400 write 0")
    wait_until(lambda: firing(daemon), 10, "an alert fires")
    return firing(daemon)[0]


def test_tables_csv_and_json(bench):
    sim, daemon = start(bench)
    for command in COMMANDS:
        json.loads(good(daemon.url, command, "--output", "json"))
        assert good(daemon.url, command)
        assert "\033" not in good(daemon.url, command)  # no colour in a pipe
    alert = heat(sim, daemon)
    region = alert["labels"]["region"]
    listed = json.loads(good(daemon.url, "alerts", "--output", "json", status=1))
    assert listed["alerts"][0]["labels"] == alert["labels"]
    rows = list(csv.DictReader(io.StringIO(good(daemon.url, "alerts", "--output", "csv", status=1))))
    assert [r["region"] for r in rows] == [region] and abs(float(rows[0]["rate"]) - 400) < 100
    text = good(daemon.url, "alerts", status=1)
    assert region in text and alert["annotations"]["summary"][:8] in text
    for command in alert["evidence"]["commands"]:
        assert command["command"] in text.splitlines(), text  # a line that can be pasted
    rows = list(csv.DictReader(io.StringIO(good(
        daemon.url, "regions", "--table", "orders", "--limit", "3", "--output", "csv", status=1))))
    assert len(rows) == 3 and rows[0]["region"] == region and rows[0]["state"] == "firing"
    text = good(daemon.url, "region", region, status=1)
    assert "firing" in text and "orders" in text
    assert "firing" in good(daemon.url, "tables", status=1)
    assert "firing" in good(daemon.url, "servers", status=1)
    assert "fired" in good(daemon.url, "history")
    assert good(daemon.url, "status", status=1)
    assert "\033[31m" in good(daemon.url, "alerts", "--color", "always", status=1)


def test_address_from_the_environment(bench):
    _, daemon = start(bench)
    done = subprocess.run([CTL, "status"], capture_output=True, text=True, check=False,
                          env={**os.environ, "HOTSPOTD_URL": daemon.url + "/"})
    assert done.returncode == 0 and "cluster" in done.stdout, done


def test_verify_asks_the_daemon(bench):
    _, daemon = start(bench)
    wait_until(lambda: all(r["startKey"] is not None for r in daemon.regions(table="orders")), 10,
               "the keys are known")
    verify = ("keys", "verify", "--table", "orders", "--output", "json", "--pattern")
    got = json.loads(good(daemon.url, *verify, "{rand:100:2}"))
    assert len(got["regions"]) == 10 and got["problems"] == [], got
    assert [r["startKey"] for r in got["regions"]] == ["", *(f"{i}0" for i in range(1, 10))]
    got = json.loads(good(daemon.url, *verify, "4{rand:10}", status=1))
    assert got["regions"][4]["share"] == 1
    refused(ctl(daemon.url, "keys", "verify", "--table", "nosuch", "--pattern", "x{seq}"), "nosuch")
    refused(ctl(daemon.url, "keys", "verify", "--pattern", "x{seq}"), "--listing")


def test_wrong_questions(bench):
    _, daemon = start(bench)
    refused(ctl(daemon.url, "alerts", "--state", "cold"), "state")
    refused(ctl(daemon.url, "regions", "--table", "no\nsuch"), "table")
    refused(ctl(daemon.url, "regions", "--limit", "0"), "limit")
    refused(ctl(daemon.url, "region"), "no region")
    refused(ctl(daemon.url, "region", "../status"), "encoded name")
    refused(ctl(daemon.url, "region", "0" * 32), "not known")
    refused(ctl(daemon.url, "tables", "--color", "red"), "--color")
    refused(ctl(daemon.url, "tables", "--table", "x"), "--table")


ANSWERS = {
    b"": "does not answer as",
    b"<html>": "does not answer as",
    b"{\"status\":\"success\",\"data\":": "does not answer as",
    b"[1,2]": "does not answer as",
    b"{\"status\":\"success\",\"data\":[]}": "does not answer as",
    b"{\"status\":\"success\",\"data\":{}}": "another version",
    b"{\"status\":\"success\",\"data\":{\"alerts\":7}}": "another version",
}


class Answer(http.server.BaseHTTPRequestHandler):
    body = b""
    status = 200

    def do_GET(self):
        self.send_response(Answer.status)
        self.send_header("Content-Length", str(len(Answer.body)))
        self.end_headers()
        self.wfile.write(Answer.body)

    def log_message(self, *_):
        pass


def test_answers_of_strangers(bench):
    del bench
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    url = f"http://127.0.0.1:{server.server_address[1]}"
    refused(ctl(url + "/x y", "alerts"), "wrong address")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        for Answer.body, hint in ANSWERS.items():
            refused(ctl(url, "alerts"), hint)
        Answer.status, Answer.body = 503, b"{\"status\":\"error\",\"error\":\"too\x1b much\"}"
        refused(ctl(url, "alerts"), "too")
        Answer.status, Answer.body = 302, b""
        refused(ctl(url, "alerts"), "302")
        # Rows that lack members, or have others, are shown as far as they go.
        Answer.status = 200
        Answer.body = b"{\"status\":\"success\",\"data\":{\"alerts\":[{},{\"state\":7},null,3]}}"
        assert ctl(url, "alerts").returncode == 0
    finally:
        server.shutdown()
        server.server_close()
    refused(ctl(url, "alerts"), "no answer")
    refused(ctl("ftp://localhost", "alerts"), "wrong address")


def test_terminal(bench):
    """On a terminal: colour, and only what fits; --watch until it is told to stop."""
    sim, daemon = start(bench)
    heat(sim, daemon)
    master, slave = pty.openpty()
    child = subprocess.Popen([CTL, "alerts", "--watch", "--interval", "1", "--url", daemon.url],
                             stdout=slave, env={**os.environ, "TERM": "xterm"})
    os.close(slave)
    text = bytearray()

    def twice():
        text.extend(os.read(master, 65536))
        return text.count(b"\033[2J") >= 2

    wait_until(twice, 20, "two rounds on the terminal")
    child.terminate()
    assert child.wait(10) == 1  # something is hot
    os.close(master)
    assert b"\033[31m" in text and b"ALERT" not in text  # 80 columns: the optional ones are out


if __name__ == "__main__":
    run([test_tables_csv_and_json, test_address_from_the_environment,
         test_verify_asks_the_daemon, test_wrong_questions,
         test_answers_of_strangers, test_terminal])
