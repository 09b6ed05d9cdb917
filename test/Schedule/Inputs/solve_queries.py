"""Runs the stand-alone solver on every query of a folder; fails where it gives another answer than the file says.

usage: solve_queries.py FOLDER LEAST      LEAST: so many queries there must be
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import concurrent.futures
import glob
import os
import re
import subprocess
import sys


def answer(path):
    """What the file says, what the solver says."""
    with open(path, encoding="utf-8") as file:
        status = re.search(r"^\(set-info :status (\w+)\)$", file.read(), re.M)
    done = subprocess.run(["z3", path], capture_output=True, text=True, check=False, timeout=120)
    return status[1] if status else "no status", (done.stdout + done.stderr).strip()


def main(folder, least):
    paths = sorted(glob.glob(os.path.join(folder, "*.smt2")))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(answer, paths))
    wrong = ["%s: says %s, solved to %s" % (os.path.basename(path), said, found)
             for path, (said, found) in zip(paths, answers) if said != found]
    proved = sum(said == "unsat" for said, _ in answers)
    print("\n".join(wrong + ["%d queries, %d proved, %d with another answer" % (len(paths), proved, len(wrong))]))
    return 1 if wrong or len(paths) < int(least) else 0


sys.exit(main(*sys.argv[1:]))
