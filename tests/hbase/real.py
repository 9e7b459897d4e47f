# SPDX-License-Identifier: Apache-2.0
"""A real HBase cluster for one test: start, client, stop."""

import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "system"))
from harness import Process, run, wait_until  # noqa: E402


def version():
    """The version named on the command line, which is taken off it."""
    return sys.argv.pop(1) if len(sys.argv) > 1 else "2.6.4-hadoop3"


class Cluster:
    """A started cluster and its client in server mode; close() ends both."""

    def __init__(self, folder, version):
        self.folder = folder / "hbase"
        subprocess.run([HERE / "cluster", "prepare", version], check=True, timeout=600)
        subprocess.run([HERE / "cluster", "start", version, self.folder], check=True, timeout=240,
                       stdout=subprocess.DEVNULL)
        self.about = json.loads((self.folder / "cluster.json").read_text())
        self.client = Process([HERE / "cluster", "load", self.folder, "server"],
                              stdin=subprocess.PIPE)

    def ask(self, command, seconds=120):
        before = len(self.client.lines)
        self.client.child.stdin.write(command + "\n")
        self.client.child.stdin.flush()

        def answer():
            found = [line for line in self.client.lines[before:] if line.startswith("{")]
            return json.loads(found[0]) if found else None

        result = wait_until(answer, seconds, f"answer to {command!r}")
        assert result["ok"], (command, result)
        return result

    def close(self):
        if self.client.child.poll() is None:
            self.client.child.kill()
            self.client.child.wait()
        subprocess.run([HERE / "cluster", "stop", self.folder], check=False, timeout=120)


def run_or_skip(tests):
    if shutil.which("mvn") is None or shutil.which("java") is None:
        print("SKIPPED: Java and Maven are needed (./dev setup installs them)")
        sys.exit(77)
    run(tests)
