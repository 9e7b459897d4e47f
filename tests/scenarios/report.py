#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The score of the scenarios in docs/detection.md, between markers.

usage: report.py update PROGRAM           plays the scenarios, writes score and cases
       report.py update-study PROGRAM     tries other settings (minutes), writes the study
       report.py check PROGRAM            the test: the limits hold, the figures over all
                                          are those in the page, and each field case names
                                          scenarios and unit tests that exist"""

import os
import re
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PAGE = os.path.join(ROOT, "docs", "detection.md")
PARTS = ("score", "kinds", "cases")


def between(text, part, new=None):
    """What stands between the part's markers, or the text with `new` there."""
    pattern = re.compile(rf"(<!-- {part}: begin[^>]*-->\n)(.*?)(<!-- {part}: end -->)", re.DOTALL)
    match = pattern.search(text)
    if match is None:
        sys.exit(f"{PAGE} has no markers for '{part}'")
    if new is None:
        return match.group(2)
    return text[:match.end(1)] + new + text[match.start(3):]


def read_page():
    with open(PAGE, encoding="utf-8") as f:
        return f.read()


def write_parts(parts):
    text = read_page()
    for part, new in parts.items():
        text = between(text, part, "\n" + new.strip("\n") + "\n\n")
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)


def play(program):
    """(status, {part: Markdown})"""
    ran = subprocess.run([program, "--report"], stdout=subprocess.PIPE, text=True, check=False)
    return ran.returncode, dict(zip(PARTS, split(ran.stdout)))


def split(report):
    return re.split(r"^---\n", report, flags=re.MULTILINE)


def known_names(program):
    listed = subprocess.run([program, "--list"], stdout=subprocess.PIPE, text=True, check=True)
    names = set(listed.stdout.split())
    return names | unit_tests()


def unit_tests():
    names = set()
    for folder, _, files in os.walk(os.path.join(ROOT, "tests", "unit")):
        for name in files:
            if not name.endswith(".c"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                names.update(re.findall(r"^START_TEST\((\w+)\)", f.read(), re.MULTILINE))
    return names


def bad_input(page):
    """The tests named in the last column of the table "Bad input"."""
    section = page.split("\n## Bad input\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [set(re.findall(r"`([^`]+)`", row.rsplit("|", 2)[1])) for row in rows]


def check(program):
    status, parts = play(program)
    problems = [] if status == 0 else ["a figure misses its limit"]
    named = set(re.findall(r"`([^`]+)`", parts["cases"]))
    problems += [f"a field case names '{n}', which is neither a scenario nor a unit test"
                 for n in sorted(named - known_names(program))]
    tests = unit_tests()
    for named in bad_input(read_page()):
        problems += [f"the table of bad input names '{n}', which is no unit test"
                     for n in sorted(named - tests)]
        problems += [] if named else ["a row of the table of bad input names no test"]
    # Another seed has other figures.
    if "TEST_SEED" not in os.environ and \
            between(read_page(), "score").strip() != parts["score"].strip():
        problems.append("docs/detection.md has other figures: ./dev scenarios writes them anew")
        print(parts["score"])
    for problem in problems:
        print(problem)
    sys.exit(len(problems) > 0)


def main():
    verb, program = sys.argv[1:]
    if verb == "check":
        check(program)
    elif verb == "update":
        status, parts = play(program)
        write_parts(parts)
        sys.exit(status)
    elif verb == "update-study":
        ran = subprocess.run([program, "--study"], stdout=subprocess.PIPE, text=True, check=True)
        write_parts({"study": ran.stdout})
    else:
        sys.exit(__doc__)


main()
