#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hotspotctl keys against HBase itself: split points, escapes, tables, and what really happens
when the keys of `keys try` are written.

Usage: test_hbase.py VERSION."""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
HBASE = HERE.parent / "hbase"
CTL = os.path.join(os.environ.get("BUILD_ROOT", "build"), "hotspotctl")
VERSION = sys.argv[1] if len(sys.argv) > 1 else "2.6.4-hadoop3"
ALGORITHMS = {"hex": "HexStringSplit", "uniform": "UniformSplit", "decimal": "DecimalStringSplit"}
ROWS = 100_000
TOLERANCE = 0.05


def cluster_module():
    loader = importlib.machinery.SourceFileLoader("cluster", str(HBASE / "cluster"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("cluster", loader))
    loader.exec_module(module)
    return module


CLUSTER = cluster_module()


def ctl(*args, keys=None):
    return subprocess.run([CTL, *args], input=keys, capture_output=True, check=True).stdout


def compile_lab(folder):
    cache = CLUSTER.cache_dir(VERSION)
    subprocess.run(["javac", "-d", folder / "lab", "-cp", f"{cache}/lib/*", "-proc:none",
                    HERE / "KeyLab.java"], check=True)


def lab(folder, *args):
    """What KeyLab prints, as lines."""
    root = folder / "hbase"
    if not root.exists():  # no cluster yet; its folder must be empty when it starts
        root = folder
        (root / "tmp").mkdir(exist_ok=True)
    argv = CLUSTER.java(root, VERSION, "load", "log4j-client.properties")
    argv[-1] = f"{folder / 'lab'}:{argv[-1]}"
    done = subprocess.run([*argv, "KeyLab", *map(str, args)], capture_output=True, text=True,
                          check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.splitlines()


def unescape(text):
    out, i = bytearray(), 0
    while i < len(text):
        if text[i:i + 2] == b"\\x":
            out.append(int(text[i + 2:i + 4], 16))
            i += 4
        else:
            out.append(text[i])
            i += 1
    return bytes(out)


def test_split_points(folder):
    for algo, name in ALGORITHMS.items():
        for line in lab(folder, "splits", name, 2, 512):
            regions, points = line.split(" ")
            ours = ctl("keys", "split", "--algo", algo, "--regions", regions, "--output", "file")
            assert [unescape(p).hex() for p in ours.split(b"\n")[:-1]] == \
                points.split(",")[:-1], (algo, regions)
        print(f"     {name}: 2 to 512 regions have HBase's points")


def test_escapes(folder):
    """Keys of any bytes: HBase reads our escape as these bytes, and prints the same."""
    seed = int(os.environ.get("TEST_SEED", time.time()))
    print(f"     TEST_SEED={seed}")
    rng = random.Random(seed)
    keys = [bytes([b]) for b in range(256)] + [b"\\x41", b"\\\\x4", b"a\\"]
    keys += [rng.randbytes(rng.randint(1, 20)) for _ in range(2000)]
    text = ctl("keys", "apply", "--keys-format", "hex",
               keys="".join(k.hex() + "\n" for k in keys).encode())
    (folder / "escaped").write_bytes(text)
    lines = lab(folder, "escapes", folder / "escaped")
    for key, ours, line in zip(keys, text.decode().splitlines(), lines, strict=True):
        assert line == f"{key.hex()} {ours}", (key, ours, line)


def shell_splits(command):
    """The split points of a create command, as Ruby and then the HBase shell read them: in single
    quotes Ruby leaves all but \\\\ and \\' as it is, and neither occurs."""
    assert "\\\\" not in command and "\\'" not in command
    head, _, rest = command.partition(", SPLITS => ")
    table, family = re.fullmatch(r"create '([^']+)', '([^']+)'", head).groups()
    assert re.fullmatch(r"\[('[^']*'(, )?)+\]\n", rest)
    return table, family, re.findall(r"'([^']*)'", rest)


def test_real_tables(folder):
    for algo, name in ALGORITHMS.items():
        for regions in (3, 16, 64):
            starts = sorted(lab(folder, "algo", f"{algo}{regions}", name, regions))
            splits = ctl("keys", "split", "--algo", algo, "--regions", str(regions), "--output",
                         "file")
            assert starts == ["", *(unescape(p).hex() for p in splits.split(b"\n")[:-1])]
    table, family, points = shell_splits(ctl(
        "keys", "split", "--algo", "uniform", "--regions", "16", "--output", "shell", "--table",
        "made", "--family", "cf").decode())
    (folder / "splits").write_text("".join(p + "\n" for p in points))
    starts = sorted(lab(folder, "create", table, family, folder / "splits"))
    assert len(starts) == 16 and starts[1] == "1000000000000000"
    print("     real tables of 3, 16 and 64 regions have our points")


def write_and_compare(folder, table, scheme, trial):
    """Writes the row keys of the scheme; the hottest region's share is the predicted one."""
    points = "".join(r["startKey"] + "\n" for r in trial["regions"][1:])
    (folder / "splits").write_text(points)
    lab(folder, "create", table, "f", folder / "splits")
    (folder / "rows").write_bytes(ctl("keys", "apply", "--scheme", scheme, "--pattern",
                                      PATTERN, "--count", str(ROWS)))
    lab(folder, "put", table, "f", folder / "rows")
    counts = [int(line.split(" ")[1]) for line in lab(folder, "writes", table, ROWS)]
    assert sum(counts) == ROWS, (sum(counts), counts)
    predicted = max(r["share"] for r in trial["regions"])
    real = max(counts) / ROWS
    print(f"     {scheme}: hottest region predicted {predicted:.2%}, written {real:.2%}")
    assert abs(real - predicted) <= TOLERANCE * predicted, (predicted, real)
    return real


PATTERN = "{zipf:60:2}|order{seq:8}"


def test_prediction(folder):
    best = json.loads(ctl("keys", "recommend", "--pattern", PATTERN, "--needs", "point",
                          "--output", "json"))["schemes"][0]["scheme"]
    assert best != "none"
    got = json.loads(ctl("keys", "try", "--scheme", best, "--pattern", PATTERN, "--output",
                         "json"))
    decimal = json.loads(ctl("keys", "try", "--algo", "decimal", "--regions", "16", "--pattern",
                             PATTERN, "--output", "json"))
    before = write_and_compare(folder, "before", "none", decimal)
    after = write_and_compare(folder, "after", best, got)
    assert after < before / 3


def main():
    if shutil.which("mvn") is None or shutil.which("java") is None:
        print("SKIPPED: Java and Maven are needed (./dev setup installs them)")
        sys.exit(77)
    subprocess.run([HBASE / "cluster", "prepare", VERSION], check=True, timeout=600)
    with tempfile.TemporaryDirectory(prefix="hotspotd-keys-") as name:
        folder = pathlib.Path(name)
        root = folder / "hbase"
        compile_lab(folder)
        test_split_points(folder)
        test_escapes(folder)
        try:
            subprocess.run([HBASE / "cluster", "start", VERSION, root], check=True, timeout=240,
                           stdout=subprocess.DEVNULL)
            test_real_tables(folder)
            test_prediction(folder)
        finally:
            subprocess.run([HBASE / "cluster", "stop", root], check=False, timeout=120)
    print("ok")


main()
