"""scripts/compile-time tells a warm compilation from a cold one and fails past a bound."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# A stand-in for tile-opt: writes as many lines as --set names N's, and works long where the cache is new.
FAKE = """#!/usr/bin/env python3
import os, sys, time
values = {a.split("=", 1)[0]: a.split("=", 1)[1] for a in sys.argv if a.startswith("--")}
out, cache = sys.argv[sys.argv.index("-o") + 1], values["--cache"]
seconds = %s if os.path.exists(cache) else %s
while time.process_time() < seconds:
    pass
open(cache, "w").close()
open(out, "w").write("line\\n" * 7)
sys.exit(%d)
"""


class CompileTime(unittest.TestCase):
    def run_with(self, warm, cold, *words, status=0):
        with tempfile.TemporaryDirectory() as build:
            os.makedirs(os.path.join(build, "bin"))
            path = os.path.join(build, "bin", "tile-opt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(FAKE % (warm, cold, status))
            os.chmod(path, 0o755)
            # No assembler: its text is none.
            script = os.path.join(ROOT, "scripts", "compile-time")
            code = ("import runpy, sys, shutil; sys.argv = %r; shutil.which = lambda name: '/nowhere'; "
                    "runpy.run_path(%r, run_name='__main__')")
            arguments = [script, "--build", build, "--rounds", "1", *words]
            done = subprocess.run([sys.executable, "-B", "-c", code % (arguments, script)], capture_output=True, text=True,
                                  check=False)
            return done.returncode, done.stdout + done.stderr

    def test_row(self):
        status, text = self.run_with(0.0, 0.5, "transpose")
        self.assertEqual(status, 0, text)
        cells = [cell.strip() for cell in text.splitlines()[-1].strip("|").split("|")]
        self.assertEqual((cells[0], cells[4:]), ("transpose", ["-", "7", "60"]), text)
        self.assertGreater(int(cells[1]), 400)
        self.assertLess(int(cells[2]), 400)

    def test_bound(self):
        status, text = self.run_with(0.5, 0.0, "transpose", "--check")
        self.assertEqual(status, 1, text)
        self.assertIn("transpose takes", text)
        self.assertEqual(self.run_with(0.5, 0.0, "transpose")[0], 0)

    def test_failure_of_the_compiler(self):
        status, text = self.run_with(0.0, 0.0, "transpose", status=3)
        self.assertNotEqual(status, 0)
        self.assertIn("status 3", text)

    def test_unknown_kernel(self):
        status, text = self.run_with(0.0, 0.0, "nothing")
        self.assertNotEqual(status, 0)
        self.assertIn("no kernel `nothing`", text)


if __name__ == "__main__":
    unittest.main()
