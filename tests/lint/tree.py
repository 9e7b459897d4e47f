# SPDX-License-Identifier: Apache-2.0
"""What the lint tests share: the list of the project's files and C text without comments.

As a command, `tree.py [ENDING...]`, it prints the list."""

import os
import re
import subprocess
import sys

# LINT_ROOT: another tree, which the self-test plants faults in.
ROOT = os.environ.get("LINT_ROOT") or os.path.abspath(
    os.path.join(os.path.dirname(__file__), "..", ".."))
PROGRAM_FOLDERS = ("common", "config", "collectors", "analysis", "keys", "daemon", "hotspotctl")
SKIPPED = 77  # Meson's status of a test that was skipped


def _from_git():
    """Tracked files and new ones that .gitignore does not exclude; None without git."""
    command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        out = subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return [name for name in out.decode().split("\0") if name]


def _from_disk():
    names = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [f for f in folders if f not in (".git", "__pycache__", "target")
                      and not f.startswith("build")]
        names += [os.path.relpath(os.path.join(folder, f), ROOT) for f in files]
    return names


def files(*endings, data=False):
    """Paths relative to the root, sorted; only with one of the endings if any is given.
    What was recorded from elsewhere (tests/data, tests/fuzz/corpus) is left out unless data is set."""
    names = _from_git()
    if names is None:
        names = _from_disk()
    return sorted(n for n in names
                  if (not endings or n.endswith(endings))
                  and (data or not n.startswith(("tests/data/", "tests/fuzz/corpus/")))
                  and os.path.isfile(os.path.join(ROOT, n)))


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8", errors="replace") as f:
        return f.read()


_NOT_CODE = re.compile(r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
                       re.VERBOSE | re.DOTALL)


def c_code(name):
    """The file with comments and the insides of literals blanked, lines kept."""
    def blank(match):
        text = match.group(0)
        if text[0] == "/":
            return " " + "\n" * text.count("\n")
        return text[0] + text[-1]
    return _NOT_CODE.sub(blank, read(name))


def finish(problems, fine):
    """Prints the problems or the word that all is well, and ends with the status."""
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} problem(s)")
        sys.exit(1)
    print(fine)
    sys.exit(0)


if __name__ == "__main__":
    print("\n".join(files(*sys.argv[1:])))
