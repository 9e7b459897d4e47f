#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The contract of `hotspotctl keys`: outputs, exit statuses, bad input, size of input.

Scripts rely on it. What is wrong gives one line on standard error, exit status 2 and nothing on
standard output."""

import csv
import hashlib
import io
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

BUILD = os.environ.get("BUILD_ROOT", "build")
CTL = os.path.join(BUILD, "hotspotctl")
PLAIN = os.environ.get("TEST_SLOWDOWN", "1") == "1"  # no sanitizer


def ctl(*args, keys=b"", status=0):
    if isinstance(keys, str):
        keys = keys.encode()
    done = subprocess.run([CTL, *args], input=keys, capture_output=True, check=False)
    assert done.returncode == status, (args, done.returncode, done.stderr)
    return done.stdout.decode()


def refuse(*args, keys=b"", hint=""):
    done = subprocess.run([CTL, *args], input=keys, capture_output=True, check=False)
    what = (args, done.returncode, done.stdout[:200], done.stderr)
    assert done.returncode == 2, what
    assert done.stdout == b"", what
    assert done.stderr.startswith(b"hotspotctl: ") and done.stderr.count(b"\n") == 1, what
    assert hint.encode() in done.stderr, what


def java_bucket(text, n):
    h = 0
    for unit in text:  # ASCII here
        h = (31 * h + ord(unit)) & 0xffffffff
    h -= (h & 0x80000000) << 1
    return abs(h) % n  # abs(h % n) for all but the smallest int


USERS = [f"user{i:05d}" for i in range(20000)]


def test_try_json():
    got = json.loads(ctl("keys", "try", "--scheme", "salt:16", "--algo", "salt", "--regions", "16",
                         "--output", "json", keys="\n".join(USERS)))
    assert {"scheme", "keys", "regions", "maxOverMean", "effectiveRegions", "pointReads",
            "rangeReads"} <= set(got)
    want = [0] * 16
    for user in USERS:
        want[java_bucket(user, 16)] += 1
    assert [r["count"] for r in got["regions"]] == want
    assert [r["startKey"] for r in got["regions"]] == [""] + [f"{i:02d}" for i in range(1, 16)]
    assert [r["endKey"] for r in got["regions"]] == [f"{i:02d}" for i in range(1, 16)] + [""]
    assert got["scheme"] == "salt:16" and got["keys"] == len(USERS)
    assert abs(got["maxOverMean"] - max(want) * 16 / len(USERS)) < 1e-9
    effective = len(USERS) ** 2 / sum(c * c for c in want)
    assert abs(got["effectiveRegions"] - effective) < 1e-9
    assert abs(sum(r["share"] for r in got["regions"]) - 1) < 1e-9
    assert (got["pointReads"], got["rangeReads"]) == (1, 16)
    assert got["before"]["scheme"] == "none"
    assert got["before"]["arrival"]["hottestShare"] > 0.7  # sequential: one region at a time
    assert got["arrival"]["hottestShare"] < 0.1


def test_try_points():
    keys = "apple\nbanana\ncherry\n"
    for option, value in (("--splits", "b,c"), ("--splits-file", None)):
        with tempfile.NamedTemporaryFile("w", suffix=".splits") as splits:
            splits.write("b\nc\n")
            splits.flush()
            got = json.loads(ctl("keys", "try", option, value or splits.name, "--output", "json",
                                 keys=keys))
        assert [(r["startKey"], r["count"]) for r in got["regions"]] == \
            [("", 1), ("b", 1), ("c", 1)]
    rows = list(csv.DictReader(io.StringIO(
        ctl("keys", "try", "--splits", "b\\x2C,c", "--output", "csv", keys="b,\nb\n"))))
    assert [(r["startKey"], r["count"]) for r in rows] == [("", "1"), ("b,", "1"), ("c", "0")]
    table = ctl("keys", "try", "--algo", "hex", "--regions", "4", keys="00\n40\nff\n")
    assert table.count("#") == 60 and "40000000" in table


def test_key_formats():
    keys = [b"a\nb", b"\x00\xff", b"plain", b"c|d, \"e\" \\ "]
    hexed = b"".join(k.hex().encode() + b"\n" for k in keys)
    lengths = b"".join(len(k).to_bytes(4, "big") + k for k in keys)
    want = ctl("keys", "apply", "--keys-format", "hex", keys=hexed)
    assert want.splitlines() == ["a\\x0Ab", "\\x00\\xFF", "plain", "c|d, \"e\" \\x5C "]
    assert ctl("keys", "apply", "--keys-format", "length", keys=lengths) == want
    # What is printed can be given back.
    assert ctl("keys", "apply", "--keys-format", "escaped", keys=want) == want


def test_split_outputs():
    base = ("keys", "split", "--algo", "hex", "--regions", "4")
    points = ["40000000", "80000000", "c0000000"]
    assert json.loads(ctl(*base, "--output", "json"))["splits"] == points
    assert ctl(*base, "--output", "file").splitlines() == points
    assert ctl(*base, "--output", "shell", "--table", "ns:t", "--family", "cf") == \
        "create 'ns:t', 'cf', SPLITS => ['40000000', '80000000', 'c0000000']\n"
    rows = list(csv.DictReader(io.StringIO(ctl(*base, "--output", "csv"))))
    assert [r["startKey"] for r in rows] == ["", *points]
    assert len(ctl(*base).splitlines()) == 5
    odd = b"27\n277e\n5c5c\n20\n"  # ' '~ \\ blank
    shell = ctl("keys", "split", "--algo", "samples", "--regions", "4", "--keys-format", "hex",
                "--output", "shell", keys=odd)
    assert "\\x27" in shell and "\\x5C" in shell and "\\'" not in shell
    assert ctl("keys", "split", "--algo", "salt", "--regions", "3", "--output", "file") == \
        "01\n02\n"
    assert ctl("keys", "split", "--algo", "salt", "--scheme", "phoenix:4", "--regions", "4",
               "--output", "file") == "\\x01\n\\x02\n\\x03\n"


def test_guide():
    def regions(*args):
        return json.loads(ctl("keys", "split", "--algo", "hex", "--output", "json", *args))["regions"]
    assert regions("--servers", "5") == 50
    assert regions("--servers", "5", "--table-size", "800GB") == 80
    assert regions("--servers", "5", "--table-size", "8TB", "--region-size", "20GB") == 150


def test_recommend():
    got = json.loads(ctl("keys", "recommend", "--output", "json", "--needs", "range",
                         keys="\n".join(USERS)))
    assert got["schemes"][0]["scheme"] == "salt:16"
    assert [f["kind"] for f in got["findings"]] == ["monotonic-prefix"]
    scores = [s["score"] for s in got["schemes"]]
    assert scores[0] > 0.5 and all(s["reason"] for s in got["schemes"])
    text = ctl("keys", "recommend", "--pattern", "dev{rand:500:3}|{time}", "--needs", "latest")
    command = re.search(r"^Split points: hotspotctl (.*)$", text, re.MULTILINE).group(1)
    done = subprocess.run(f"{CTL} {command}", shell=True, capture_output=True, check=False)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 17, done  # runs as printed


def listing():
    second = hashlib.md5(b"t1,m,1700000000000").hexdigest()
    first = hashlib.md5(b"t1,,1700000000000").hexdigest()
    rows = [("rs1,16020,1", f"t1,,1700000000000.{first}.", "", "m"),
            ("rs1,16020,1", f"t1,m,1700000000000.{second}.", "m", "")]
    head = ("SERVER_NAME", "REGION_NAME", "START_KEY", "END_KEY")
    widths = [max(12, *(len(r[i]) for r in rows)) for i in range(4)]
    lines = ["".join(f" {t:>{w}} |" for t, w in zip(head, widths)),
             "".join(f" {'-' * w} |" for w in widths)]
    lines += ["".join(f" {t:>{w}} |" for t, w in zip(r, widths)) for r in rows]
    return "\n".join(lines + [" 2 rows", ""])


def test_verify():
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(listing())
        file.flush()
        base = ("keys", "verify", "--listing", file.name, "--output", "json")
        even = "".join(f"{c}{i}\n" for i in range(500) for c in "bx")
        got = json.loads(ctl(*base, keys=even))
        assert [(r["startKey"], r["count"]) for r in got["regions"]] == [("", 500), ("m", 500)]
        assert got["problems"] == []
        ctl(*base, "--threshold", "1.9", keys="".join(f"x{i}\n" for i in range(100)), status=1)
        refuse(*base, "--table", "other", keys=b"a\n", hint="other")
    refuse("keys", "verify", keys=b"a\n", hint="--listing")
    refuse("keys", "verify", "--listing", "-", hint="both")
    refuse("keys", "verify", "--listing", "-", "--pattern", "k{seq}", keys=b"nonsense\n")


def test_bad_input():
    long = b"x" * 40000
    for args, keys, hint in [
            (("try",), b"", "no keys"),
            (("try",), b"\n\n", "no keys"),
            (("try",), b"a\n" + long + b"\n", "line 2"),
            (("try",), b"y" * 1000000, "line 1"),
            (("try", "--keys-format", "hex"), b"00\nzz\n", "line 2"),
            (("try", "--keys-format", "hex"), b"000\n", "hex"),
            (("try", "--keys-format", "length"), b"\0\0\0\5abc", "ends inside a key"),
            (("try", "--keys-format", "length"), b"\0\0", "ends inside a length"),
            (("try", "--keys-format", "length"), b"\xff\xff\xff\xff", "length"),
            (("try", "--keys-format", "wide"), b"a\n", "--keys-format"),
            (("try", "--scheme", "sand:16"), b"a\n", "unknown scheme"),
            (("try", "--scheme", "salt:0"), b"a\n", "salt:N"),
            (("try", "--scheme", "salt:1000000000"), b"a\n", "salt:N"),
            (("try", "--scheme", "reverse-time:0:13"), b"1700000000000\nhello\n", "'hello'"),
            (("try", "--regions", "0"), b"a\n", "--regions"),
            (("try", "--regions", "1000000000"), b"a\n", "--regions"),
            (("try", "--splits", "b,a"), b"a\n", "'a'"),
            (("try", "--splits", ""), b"a\n", "empty"),
            (("try", "--splits-file", "/nonexistent"), b"a\n", "/nonexistent"),
            (("try", "--algo", "magic"), b"a\n", "--algo"),
            (("try", "--algo", "salt", "--scheme", "salt:4", "--regions", "8"), b"a\n", "buckets"),
            (("try", "--keys-file", "/"), b"", "directory"),
            (("try", "--keys-file", "a", "--pattern", "b"), b"", "exclude"),
            (("try", "--pattern", "{nope}"), b"", "pattern"),
            (("try", "--pattern", "{seq}", "--count", "0"), b"", "--count"),
            (("try", "--output", "shell"), b"a\n", "--output"),
            (("apply", "--scheme", "composite:2,2"), b"a|b\nlonger|x\n", "wider"),
            (("split", "--algo", "hex", "--regions", "0"), b"", "--regions"),
            (("split", "--algo", "hex"), b"", "--regions"),
            (("split", "--regions", "4"), b"", "--algo"),
            (("split", "--algo", "hex", "--regions", "2", "--output", "shell", "--table", "a'b"),
             b"", "--table"),
            (("split", "--algo", "hex", "--regions", "2", "--output", "shell", "--family", "a:b"),
             b"", "--family"),
            (("recommend", "--needs", "speed"), b"a\n", "--needs"),
            (("nonsense",), b"", "unknown command"), ((), b"", "unknown command"),
            (("try", "--nonsense"), b"", "unknown option"), (("try", "extra"), b"", "extra"),
            (("try", "--scheme"), b"", "needs a value"),
            (("try", "--scheme", "none", "--scheme", "none"), b"", "twice"),
    ]:
        refuse("keys", *args, keys=keys, hint=hint)
    refuse("--nonsense")
    refuse(hint="no command")


def test_help():
    assert "keys split" in ctl("--help") and "keys split" in ctl("help")
    assert "--algo" in ctl("keys", "split", "--help") == ctl("help", "keys", "split")
    assert ctl("--version").startswith("hotspotctl ")


def test_noise():
    """Random bytes are keys or one line of complaint; nothing else."""
    rng = random.Random(int(os.environ.get("TEST_SEED", "9")))
    for _ in range(60):
        noise = rng.randbytes(rng.randint(0, 3000))
        for form in ("line", "hex", "escaped", "length"):
            done = subprocess.run([CTL, "keys", "try", "--keys-format", form, "--output", "json"],
                                  input=noise, capture_output=True, check=False)
            assert done.returncode in (0, 2), (done, noise)
            if done.returncode == 0:
                json.loads(done.stdout)
            else:
                assert done.stdout == b"" and done.stderr.count(b"\n") == 1, done


def test_ten_million_keys():
    count = 10_000_000 if PLAIN else 1_000_000
    with tempfile.NamedTemporaryFile("w", suffix=".keys") as file:
        for start in range(0, count, 100_000):
            file.write("".join(f"user{i * 7919 % count:09d}|x\n"
                               for i in range(start, start + 100_000)))
        file.flush()
        for scheme in ("salt:16", "hash:md5:4"):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            got = json.loads(ctl("keys", "try", "--scheme", scheme, "--keys-file", file.name,
                                 "--output", "json"))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f"     {count} keys, {scheme}: {seconds:.2f} s of one core, "
                  f"{after.ru_maxrss / 1024:.0f} MB")
            assert got["keys"] == count == sum(r["count"] for r in got["regions"])
            assert sum(r["count"] for r in got["before"]["regions"]) == count
            assert not PLAIN or (seconds < 5 and after.ru_maxrss < 100 * 1024)
    piped = subprocess.run(f"seq 1000000 | {CTL} keys try --output json", shell=True,
                           capture_output=True, check=True)
    assert b"sample" in piped.stderr and json.loads(piped.stdout)["keys"] == 1000000


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_") and (len(sys.argv) < 2 or sys.argv[1] == name):
            test()
            print(f"ok   {name}", flush=True)


main()
