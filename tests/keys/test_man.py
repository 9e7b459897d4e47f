#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hotspotctl(1) names every command and option of the program, and no other option."""

import os
import pathlib
import re
import subprocess

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "man" / "hotspotctl.1"
CTL = os.path.join(os.environ.get("BUILD_ROOT", "build"), "hotspotctl")


def help_of(*command):
    return subprocess.run([CTL, *command, "--help"], capture_output=True, text=True,
                          check=True).stdout


def main():
    page = re.sub(r"\\f[A-Z]", "", PAGE.read_text()).replace("\\-", "-")
    commands = re.findall(r"^  ((?:keys )?[a-z]+) ", help_of(), re.MULTILINE)
    assert len(commands) >= 14, commands
    options = {"version"}
    for command in commands:
        assert re.search(rf"\b{command.split()[-1]}\b", page), command
        options |= set(re.findall(r"^  --([a-z-]+)", help_of(*command.split()), re.MULTILINE))
    told = set(re.findall(r"--([a-z][a-z-]*)", page))
    assert options == told, (options - told, told - options)


main()
