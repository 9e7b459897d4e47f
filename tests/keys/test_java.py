#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Row keys of hotspotctl are those of Java, byte for byte: random keys, text of all planes of
Unicode, bytes that are no text, strings whose hash is the smallest int."""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
CTL = os.path.join(os.environ.get("BUILD_ROOT", "build"), "hotspotctl")
SKIPPED = 77


def unescape(text):
    """What Bytes.toBytesBinary makes of HBase's escape."""
    out, i = bytearray(), 0
    while i < len(text):
        if text[i:i + 2] == b"\\x":
            out.append(int(text[i + 2:i + 4], 16))
            i += 4
        else:
            out.append(text[i])
            i += 1
    return bytes(out)


def ours(scheme, keys):
    text = "".join(key.hex() + "\n" for key in keys)
    done = subprocess.run([CTL, "keys", "apply", "--scheme", scheme, "--keys-format", "hex"],
                          input=text.encode(), capture_output=True, check=True)
    return [unescape(line) for line in done.stdout.split(b"\n")[:-1]]


def javas(classes, scheme, keys):
    text = "".join(key.hex() + "\n" for key in keys)
    done = subprocess.run(["java", "-XX:+UseSerialGC", "-cp", classes, "Rows", scheme],
                          input=text, capture_output=True, check=True, text=True)
    return [bytes.fromhex(line) for line in done.stdout.split("\n")[:-1]]


def some_text(rng):
    planes = [(0x20, 0x7e), (0x80, 0x7ff), (0x800, 0xd7ff), (0xe000, 0xffff), (0x10000, 0x10ffff)]
    return "".join(chr(rng.randint(*rng.choice(planes)))
                   for _ in range(rng.randint(1, 12))).encode()


def sample(rng):
    keys = [b"polygenelubricants", b"user42", b"user1", "caf\u00e9".encode(), b"AaAa", b"BBBB"]
    keys += [some_text(rng) for _ in range(2000)]
    keys += [rng.randbytes(rng.randint(1, 12)) for _ in range(4000)]
    for _ in range(2000):  # broken text: cut, or with a byte replaced
        text = bytearray(some_text(rng) + some_text(rng))
        text[rng.randrange(len(text))] = rng.randrange(256)
        keys.append(bytes(text[:rng.randint(1, len(text))]))
    return keys


def main():
    if shutil.which("javac") is None:
        print("skipped: no JDK (Debian: openjdk-17-jdk-headless)")
        sys.exit(SKIPPED)
    seed = int(os.environ.get("TEST_SEED", time.time()))
    print(f"TEST_SEED={seed}")
    rng = random.Random(seed)
    keys = sample(rng)
    longs = [rng.randbytes(3) + rng.getrandbits(rng.randint(1, 64)).to_bytes(8, "big") + b"x"
             for _ in range(500)]
    digits = [b"k|%013d|x" % rng.randrange(10 ** 13) for _ in range(500)]
    cases = [("salt:16", keys), ("salt:7", keys), ("salt:1000", keys), ("hash:md5:4", keys),
             ("hash:md5:32", keys), ("phoenix:256", keys), ("phoenix:10", keys),
             ("prefix-byte:5", keys), ("reverse-time:3:8", longs), ("reverse-time:2:13", digits)]
    build = pathlib.Path(os.environ.get("BUILD_ROOT", "build")) / "tests" / "keys-java"
    subprocess.run(["javac", "-d", build, HERE / "Rows.java"], check=True)
    for scheme, given in cases:
        for key, we, java in zip(given, ours(scheme, given), javas(build, scheme, given),
                                 strict=True):
            assert we == java, f"{scheme}: {key.hex()}: {we.hex()}, Java says {java.hex()}"
        print(f"{scheme}: {len(given)} row keys are Java's")


main()
