"""Runs a command and checks its exit status: status.py STATUS COMMAND…; what it writes goes through."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import subprocess
import sys

found = subprocess.call(sys.argv[2:])
if found != int(sys.argv[1]):
    sys.exit("expected status %s, found %d: %s" % (sys.argv[1], found, " ".join(sys.argv[2:])))
