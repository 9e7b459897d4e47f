#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The worked examples of docs/keys.md give what the page shows.

In a block that begins with ```console a line "$ COMMAND" is run by the shell (further lines of a
command begin with "> "), in one folder for the whole page; what follows is its output, standard
error included. A line "…" stands for any number of lines, "# exit status N" for a status that is
not 0. With --write the page's outputs are made anew: outputs with "…" keep their first and last
lines' number."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "keys.md"
BUILD = pathlib.Path(os.environ.get("BUILD_ROOT", "build")).resolve()
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
STATUS = re.compile(r"# exit status (\d+)")


def examples(block):
    """(lines of the command as written, expected lines) of a block."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(([line], []))
        elif line.startswith("> ") and not found[-1][1]:
            found[-1][0].append(line)
        else:
            found[-1][1].append(line)
    return found


def output(command, folder):
    text = "\n".join(line[2:] for line in command)
    done = subprocess.run(["sh", "-c", text], cwd=folder, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}", "LC_ALL": "C"})
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    return lines + ([f"# exit status {done.returncode}"] if done.returncode else [])


def same(expected, real):
    """Equal, where "…" stands for any lines."""
    if "…" not in expected:
        return expected == real
    cut = expected.index("…")
    tail = expected[cut + 1:]
    return len(real) >= cut + len(tail) and real[:cut] == expected[:cut] \
        and (not tail or real[-len(tail):] == tail)


def shortened(expected, real):
    """The real lines, cut as the expected ones were."""
    if "…" not in expected:
        return real
    cut = expected.index("…")
    tail = len(expected) - cut - 1
    return real[:cut] + ["…"] + (real[-tail:] if tail else [])


def main():
    text = PAGE.read_text()
    count, wrong = 0, 0
    with tempfile.TemporaryDirectory(prefix="hotspotctl-docs-") as folder:
        def run_block(match):
            nonlocal count, wrong
            lines = []
            for command, expected in examples(match.group(1)):
                real = output(command, folder)
                count += 1
                if not same(expected, real):
                    wrong += 1
                    print("\n".join(["--- " + " ".join(command), "expected:", *expected, "got:", *real]))
                lines += [*command, *shortened(expected, real)]
            return "```console\n" + "\n".join(line.rstrip() for line in lines) + "\n```"
        fresh = BLOCK.sub(run_block, text)
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(fresh)
        return
    print(f"{count} examples, {wrong} differ")
    assert count >= 15 and wrong == 0


main()
