#!/usr/bin/env python3
# Executes declared instructions on a GPU and compares the raw registers with what the declared fragment maps say.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fragments.py DIR

DIR is what `tile-instr --probe=DIR --target=sm_90a` wrote: for each instruction a kernel, operands whose elements say where they
belong, expected results, and fragments.txt. A pass is one execution; it shows the map of one operand. Prints the first wrong
element of each map that differs; the last line is `N maps, M differ`. Exit status 1 if any does.
"""
import sys
from pathlib import Path


def probes(text):
    """(name, threads, bytes in, bytes out, bytes of shared memory, labels) of each line that is none of reasons."""
    for line in text.splitlines():
        words = line.split()
        if words and words[0] == "probe":
            yield (words[1], *map(int, words[2:6]), words[6:])


def differences(labels, size, got, expected):
    """For each label: nothing, or the pass and the byte of its first difference."""
    found = dict.fromkeys(labels)
    for number, label in enumerate(labels):
        have, want = got[number * size:(number + 1) * size], expected[number * size:(number + 1) * size]
        if found[label] is None and have != want:
            found[label] = (number, next(i for i in range(size) if have[i:i + 1] != want[i:i + 1]))
    return found


def execute(device, folder, probe):
    name, threads, size_in, size_out, shared, labels = probe
    data = (folder / (name + ".in")).read_bytes()
    if len(data) != size_in * len(labels):
        raise RuntimeError("%s.in has %d bytes, wanted %d" % (name, len(data), size_in * len(labels)))
    function = device.function(device.module((folder / (name + ".ptx")).read_bytes()), name)
    source, target = device.memory(len(data)), device.memory(size_out * len(labels))
    device.put(source, data)
    device.fill(target, 0xFF, size_out * len(labels))
    device.launch(function, len(labels), threads, shared, [source, target])
    got = device.get(target, size_out * len(labels))
    device.free(source)
    device.free(target)
    return got


def main(folder):
    from launch import Device
    device = Device()
    print(device.name)
    maps = differ = 0
    for probe in probes((folder / "fragments.txt").read_text()):
        name, _, _, size, _, labels = probe
        maps += len(set(labels))
        try:
            got = execute(device, folder, probe)
        except RuntimeError as problem:
            print("%s: %s" % (name, problem))
            differ += len(set(labels))
            continue
        expected = (folder / (name + ".expected")).read_bytes()
        for label, place in differences(labels, size, got, expected).items():
            if place:
                at = place[0] * size + place[1] // 4 * 4
                print("%s: the map of `%s` differs: pass %d, byte %d: word %s, expected %s"
                      % (name, label, place[0], place[1], got[at:at + 4].hex(), expected[at:at + 4].hex()))
                differ += 1
    print("%d maps, %d differ" % (maps, differ))
    return 1 if differ or not maps else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) if len(sys.argv) == 2 else __doc__)
