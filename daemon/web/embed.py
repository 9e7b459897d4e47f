#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the dashboard's files as C, plain and compressed: embed.py OUTPUT INPUT...

What is written depends on the files alone: the compressed form has no time in it."""
import gzip
import hashlib
import os
import sys

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}


def array(name, data):
    yield f"static const char {name}[] = {{"
    for at in range(0, len(data), 16):
        yield "    " + " ".join(f"{b if b < 128 else b - 256}," for b in data[at:at + 16])
    yield "};"


def main():
    target, *sources = sys.argv[1:]
    lines = ["/* Generated; do not edit. */", '#include "daemon/web_files.h"', ""]
    table = ["const struct web_file web_files[] = {"]
    for number, source in enumerate(sources):
        with open(source, "rb") as f:
            data = f.read()
        packed = gzip.compress(data, 9, mtime=0)
        name = os.path.basename(source)
        etag = hashlib.sha256(data).hexdigest()[:16]
        lines += array(f"data_{number}", data)
        lines += array(f"gzip_{number}", packed)
        table.append(
            f'    {{"{name}", "{TYPES[os.path.splitext(name)[1]]}", "W/\\"{etag}\\"", data_{number}, '
            f"sizeof data_{number}, gzip_{number}, sizeof gzip_{number}}},")
    table += ["    {0},", "};", ""]
    with open(target, "w", encoding="ascii") as f:
        f.write("\n".join(lines + table))


main()
