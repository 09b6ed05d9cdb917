#!/usr/bin/env python3
# Runs scalars on a GPU over special, random and, of 16 bits, all operands, and compares with the exact number system.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scalars.py DIR [--only TEXT] [--out FOLDER]

DIR is what tessera-scalars-probe wrote. A row is one op, cast or comparison on one type; it agrees if the hashes of all its
results do, any NaN being any other. The results of rows that differ go to FOLDER as NAME.got: `tessera-scalars-probe --compare
NAME FILE` says which elements are wrong. The last line is `N rows, M differ`; exit status 1 if any does. Needs numpy.
"""
import argparse
import ctypes
import sys
import time
from pathlib import Path

import numpy as np

CHUNK = 1024  # results to a hash
THREADS = 256
MOST_SAVED = 20
NAN = np.uint64(0x7FF8DEAD0000BEEF)
# Element type: bytes, mask of the bits without the sign, the least pattern beyond which they are NaN.
FLOATS = {"bf16": (0x7FFF, 0x7F80), "f16": (0x7FFF, 0x7C00), "f32": (0x7FFFFFFF, 0x7F800000),
          "f64": (0x7FFFFFFFFFFFFFFF, 0x7FF0000000000000), "f8E4M3FN": (0x7F, 0x7E), "f8E5M2": (0x7F, 0x7C)}


def width(dtype):
    """Bytes of an element: `i1` has one."""
    known = {"i1": 1, "f8E4M3FN": 1, "f8E5M2": 1, "bf16": 2}
    return known[dtype] if dtype in known else int(dtype.lstrip("uif")) // 8


def mix(x):
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def hashes(dtype, data):
    """One number for each chunk of results: as tessera-scalars-probe makes them."""
    patterns = np.frombuffer(data, dtype="<u%d" % width(dtype)).astype(np.uint64)
    if dtype in FLOATS:
        magnitude, infinity = FLOATS[dtype]
        patterns[(patterns & np.uint64(magnitude)) > np.uint64(infinity)] = NAN
    places = np.arange(1, len(patterns) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return np.add.reduceat(mix(patterns + places), np.arange(0, len(patterns), CHUNK))


class Row:
    def __init__(self, words):
        self.name, self.module, self.inputs = words[:3]
        self.arity, self.out, self.count = int(words[3]), words[4], int(words[5])
        self.expected = None


def rows(folder):
    """All rows, each with its hashes."""
    expected = np.frombuffer((folder / "expected.bin").read_bytes(), dtype="<u8")
    found, at = [], 0
    for line in (folder / "scalars.txt").read_text().splitlines():
        words = line.split()
        if words and words[0] == "row":
            row = Row(words[1:])
            chunks = -(-row.count // CHUNK)
            row.expected = expected[at:at + chunks]
            at += chunks
            found.append(row)
    if at != len(expected):
        raise SystemExit("expected.bin has %d hashes, scalars.txt asks for %d" % (len(expected), at))
    return found


class Runner:
    """Modules and operands of the last row are kept: rows of a module stand together."""

    def __init__(self, device, folder):
        self.device, self.folder = device, folder
        self.module = self.inputs = None
        self.columns, self.loaded = [], None
        self.result = device.memory(1 << 23)

    def run(self, row):
        if self.module != row.module:
            self.loaded = self.device.module((self.folder / (row.module + ".ptx")).read_bytes())
            self.module = row.module
        if self.inputs != row.inputs:
            for column in self.columns:
                self.device.free(column)
            self.columns = []
            for k in range(row.arity):
                data = (self.folder / ("%s.%d" % (row.inputs, k))).read_bytes()
                self.columns.append(self.device.memory(len(data)))
                self.device.put(self.columns[-1], data)
            self.inputs = row.inputs
        size = row.count * width(row.out)
        self.device.fill(self.result, 0xA5, size)
        arguments = (self.columns + [self.columns[0]] * 2)[:3] + [self.result, ctypes.c_int64(row.count)]
        function = self.device.function(self.loaded, row.name)
        self.device.launch(function, -(-row.count // THREADS), THREADS, 0, arguments)
        return self.device.get(self.result, size)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--only", default="")
    options.add_argument("--out", type=Path)
    args = options.parse_args()
    from launch import Device
    runner = Runner(Device(), args.folder)
    print(runner.device.name, flush=True)
    begin, total, differ, results = time.time(), 0, 0, 0
    for row in rows(args.folder):
        if args.only not in row.name:
            continue
        total += 1
        results += row.count
        try:
            got = runner.run(row)
        except RuntimeError as problem:
            print("%s: %s" % (row.name, problem))
            differ += 1
            continue
        wrong = np.flatnonzero(hashes(row.out, got) != row.expected)
        if len(wrong):
            differ += 1
            print("%s differs in %d of %d chunks, first in elements from %d on"
                  % (row.name, len(wrong), len(row.expected), wrong[0] * CHUNK), flush=True)
            if args.out and differ <= MOST_SAVED:
                args.out.mkdir(parents=True, exist_ok=True)
                (args.out / (row.name + ".got")).write_bytes(got)
    print("%d results in %.1f s" % (results, time.time() - begin))
    print("%d rows, %d differ" % (total, differ))
    return 1 if differ or not total else 0


if __name__ == "__main__":
    sys.exit(main())
