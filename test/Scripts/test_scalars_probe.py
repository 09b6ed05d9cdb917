"""The folder of tessera-scalars-probe against numpy: results that numpy has exactly have the expected hashes, results with one
bit changed, or two in each other's place, have not; any NaN is any other."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TESSERA_BUILD_DIR", os.path.join(ROOT, "build"))
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "device"))
import scalars  # noqa: E402


class Probe(unittest.TestCase):
    def probe(self, only):
        """The row of this name, its operands as bytes, the folder's files."""
        with tempfile.TemporaryDirectory() as temp:
            subprocess.run([os.path.join(BUILD, "bin", "tessera-scalars-probe"), temp, "--only=" + only], check=True)
            folder = Path(temp)
            row = next(row for row in scalars.rows(folder) if row.name == only)
            columns = [(folder / ("%s.%d" % (row.inputs, k))).read_bytes() for k in range(row.arity)]
            code = (folder / (row.module + ".ptx")).read_text(encoding="utf-8")
        self.assertIn(".visible .entry %s(" % only, code)
        return row, columns

    def agrees(self, row, results):
        return bool(np.all(scalars.hashes(row.out, results.tobytes()) == row.expected))

    def test_integers(self):
        row, (a, b) = self.probe("mul_ui16")
        results = np.frombuffer(a, "<u2") * np.frombuffer(b, "<u2")
        self.assertTrue(self.agrees(row, results))
        last = len(results) - 1
        for place in (0, 1023, 1024, last):
            changed = results.copy()
            changed[place] ^= 0x8000
            self.assertFalse(self.agrees(row, changed))
        first = next(i for i in range(last) if results[i] != results[i + 1])
        swapped = results.copy()
        swapped[[first, first + 1]] = swapped[[first + 1, first]]
        self.assertFalse(self.agrees(row, swapped))

    def test_floats_and_nan(self):
        row, (a, b) = self.probe("add_f32")
        with np.errstate(all="ignore"):
            results = np.frombuffer(a, "<f4") + np.frombuffer(b, "<f4")
        nans = np.isnan(results)
        self.assertTrue(nans.any())
        self.assertTrue(self.agrees(row, results))
        words = results.view("<u4").copy()
        words[nans] = 0xFFC12345
        self.assertTrue(self.agrees(row, words))
        words[nans] = 0x7F800000
        self.assertFalse(self.agrees(row, words))

    def test_all_patterns_of_16_bits(self):
        row, (a,) = self.probe("bf16_f32_rne_inf")
        self.assertEqual(len(set(np.frombuffer(a, "<u2"))), 65536)
        self.assertTrue(self.agrees(row, np.frombuffer(a, "<u2").astype("<u4") << 16))

    def test_options_are_no_folders(self):
        for word, status in (("--help", 0), ("--unknown", 2)):
            with tempfile.TemporaryDirectory() as temp:
                done = subprocess.run([os.path.join(BUILD, "bin", "tessera-scalars-probe"), word], cwd=temp,
                                      capture_output=True, check=False)
                self.assertEqual(done.returncode, status)
                self.assertEqual(os.listdir(temp), [])

    def test_comparisons_give_bytes(self):
        row, (a, b) = self.probe("lt_f64")
        with np.errstate(all="ignore"):
            results = np.frombuffer(a, "<f8") < np.frombuffer(b, "<f8")
        self.assertTrue(self.agrees(row, results.astype(np.uint8)))


if __name__ == "__main__":
    unittest.main()
