# SPDX-License-Identifier: Apache-2.0
"""The daemon as a service: start, reload, notify, stop, and what it says about bad input."""

import signal
import socket
import subprocess

from harness import BUILD, request, run, wait_until
from test_end_to_end import EVEN, FAST, start

BAD = """
poll: { interval: fast }
detection:
  threshold: 0.5
  treshold: 4
"""


def test_check_config_tells_all_problems(bench):
    path = bench.folder / "bad.yaml"
    path.write_text(BAD)
    done = subprocess.run([BUILD / "hotspotd", "--check-config", f"--config.file={path}"],
                          capture_output=True, text=True, timeout=20, check=False)
    text = done.stdout + done.stderr
    assert done.returncode == 1, (done.returncode, text)
    for place in (f"{path}:2:", f"{path}:4:", f"{path}:5:"):
        assert place in text, (place, text)
    good = bench.folder / "good.yaml"
    good.write_text('masters: [ "http://127.0.0.1:1" ]\n')
    done = subprocess.run([BUILD / "hotspotd", "--check-config", f"--config.file={good}"],
                          capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 0, done


def test_bad_configuration_exits_78(bench):
    path = bench.folder / "bad.yaml"
    path.write_text(BAD)
    done = subprocess.run([BUILD / "hotspotd", f"--config.file={path}"],
                          capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 78, done
    assert f"{path}:2:" in done.stderr, done.stderr


def test_without_servers_it_runs_and_says_why(bench):
    daemon = bench.daemon('http: { listen: [ "127.0.0.1:0" ] }\n')
    status, _, body = request(daemon.url, "/-/ready")
    assert status == 503 and body, (status, body)
    assert request(daemon.url, "/-/healthy")[0] == 200
    problems = daemon.get("/api/v1/status")["problems"]
    assert any("master" in problem for problem in map(str, problems)), problems
    assert daemon.stop() == 0


def test_reload_keeps_the_old_configuration_on_errors(bench):
    sim, daemon = start(bench)
    hash_before = daemon.get("/api/v1/status")["configHash"]
    good = daemon.config_file.read_text()
    success = "hotspotd_config_last_reload_successful"
    assert daemon.metrics()[success] == 1
    daemon.config_file.write_text(BAD)
    daemon.child.send_signal(signal.SIGHUP)
    wait_until(lambda: daemon.metrics()[success] == 0, 10, "the failed reload is told")
    status = daemon.get("/api/v1/status")
    assert status["configHash"] == hash_before
    assert any("interval" in str(problem) for problem in status["problems"]), status["problems"]
    wait_until(lambda: not any(r["stale"] for r in daemon.regions()), 5, "it goes on")
    daemon.config_file.write_text(good.replace("min_rate: 100", "min_rate: 50"))
    daemon.child.send_signal(signal.SIGHUP)
    wait_until(lambda: daemon.metrics()[success] == 1, 10, "the good reload is told")
    assert daemon.get("/api/v1/status")["configHash"] != hash_before


def test_an_alert_survives_a_reload(bench):
    sim, daemon = start(bench)
    sim.command("rate orders#4 read 400 write 0")
    alert = wait_until(lambda: daemon.alerts(state="firing"), 10, "an alert fires")[0]
    text = daemon.config_file.read_text()
    daemon.config_file.write_text(text.replace("window: 1s", "window: 2s"))
    before = daemon.get("/api/v1/status")["configHash"]
    daemon.child.send_signal(signal.SIGHUP)
    wait_until(lambda: daemon.get("/api/v1/status")["configHash"] != before, 10, "reloaded")
    again = daemon.alerts(state="firing")[0]
    assert again["activeAt"] == alert["activeAt"] and again["labels"] == alert["labels"]


def test_systemd_is_told(bench):
    path = bench.folder / "notify"
    server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    server.bind(str(path))
    server.settimeout(20)
    heard = []

    def until(word):
        while not any(word in message for message in heard):
            heard.append(server.recv(4096).decode())
        return [message for message in heard if word in message][0]

    sim = bench.sim(EVEN)
    daemon = bench.daemon(FAST.format(master=sim.master),
                          env={"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "2000000"})
    until("READY=1")
    until("WATCHDOG=1")
    assert "server" in until("STATUS="), heard
    heard.clear()
    daemon.child.send_signal(signal.SIGHUP)
    until("RELOADING=1")
    assert "MONOTONIC_USEC=" in until("MONOTONIC_USEC="), heard
    until("READY=1")
    heard.clear()
    daemon.config_file.write_text(BAD)
    daemon.child.send_signal(signal.SIGHUP)
    until("RELOADING=1")
    until("READY=1")
    heard.clear()
    daemon.child.terminate()
    until("STOPPING=1")
    assert daemon.stop() == 0
    server.close()


def test_stops_while_servers_hang(bench):
    sim, daemon = start(bench)
    for server in (1, 2, 3):
        sim.command(f"server {server} hangs")
    failures = 'hotspotd_poll_failures_total{reason="timeout"}'
    wait_until(lambda: daemon.metrics()[failures] > 0, 20, "polls hang")
    assert daemon.stop(seconds=5) == 0


if __name__ == "__main__":
    run([test_check_config_tells_all_problems, test_bad_configuration_exits_78,
         test_without_servers_it_runs_and_says_why,
         test_reload_keeps_the_old_configuration_on_errors, test_an_alert_survives_a_reload,
         test_systemd_is_told, test_stops_while_servers_hang])
