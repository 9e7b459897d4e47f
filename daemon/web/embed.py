#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a file as a C array: embed.py INPUT OUTPUT NAME."""
import sys

source, target, name = sys.argv[1:]
with open(source, 'rb') as f:
    data = f.read()
with open(target, 'w', encoding='ascii') as f:
    f.write('/* Generated; do not edit. */\n')
    f.write(f'static const char {name}[{len(data)}] = {{\n')
    for at in range(0, len(data), 16):
        f.write('    ' + ' '.join(f'{b if b < 128 else b - 256},' for b in data[at:at + 16]) + '\n')
    f.write('};\n')
