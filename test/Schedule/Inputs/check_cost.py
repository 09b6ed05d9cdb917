"""Fails where a report of tile-sched (standard input, --explain=json) took more than the bounds.

usage: check_cost.py WHOLE_MS MEDIAN_MS       the whole schedule; the median of its queries
The median of those few that the solver answers may be ten times that: they are single runs of some milliseconds, and a
machine that does other things besides stretches them.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import sys


def main(whole, median):
    spending = json.load(sys.stdin)["spending"]
    bounds = {"ms": whole, "median_ms": median, "solver_median_ms": 10 * float(median)}
    wrong = ["%s is %.3f, at most %s" % (key, spending[key], most) for key, most in bounds.items()
             if not 0 <= spending[key] <= float(most)]
    parts = sum(spending[key] for key in ("form", "rules", "cache", "solver"))
    if parts != spending["queries"]:
        wrong.append("%d queries, %d decided" % (spending["queries"], parts))
    print("\n".join(wrong + ["%(queries)d queries, %(solver)d by the solver, %(cache)d from the cache" % spending]))
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
