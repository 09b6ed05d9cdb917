"""Prints a file of kernels with another test in the place of its own: full.py FILE "NAME { … }".

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import sys


def main():
    """Everything up to the file's test, then the test that is given."""
    path, test = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    kernels, found, _ = text.partition("\ntest ")
    if not found:
        sys.exit(path + " has no test")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    print(kernels + "\ntest " + test)


main()
