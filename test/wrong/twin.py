#!/usr/bin/env python3
"""Makes a wrong twin of an example: one planted mistake.

usage: twin.py EXAMPLE.tile OUT.tile OLD NEW

OLD must occur exactly once; it is replaced by NEW. The tests here run the twin's own `test` block and must see it fail.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys


def main(argv):
    if len(argv) != 5:
        sys.exit("usage: twin.py EXAMPLE.tile OUT.tile OLD NEW")
    with open(argv[1], encoding="utf-8") as file:
        text = file.read()
    if text.count(argv[3]) != 1:
        sys.exit("twin.py: `%s` occurs %d times in %s, not once" % (argv[3], text.count(argv[3]), argv[1]))
    with open(argv[2], "w", encoding="utf-8") as file:
        file.write(text.replace(argv[3], argv[4]))


main(sys.argv)
