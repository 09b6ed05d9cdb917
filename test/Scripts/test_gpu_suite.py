"""scripts/gpu-suite takes its commands from test/GPU, which leaves out no example and no kernel of the lowering tests."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import contextlib
import glob
import importlib.machinery
import importlib.util
import io
import os
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LOADER = importlib.machinery.SourceFileLoader("gpu_suite", os.path.join(ROOT, "scripts", "gpu-suite"))
suite = importlib.util.module_from_spec(importlib.util.spec_from_loader(LOADER.name, LOADER))
LOADER.exec_module(suite)

# Stands for tile-run: what it prints depends on the file that it is to run.
TOOL = """#!/bin/sh
case "$1" in
  *softmax*) echo "0 passed, 0 failed";;
  *transpose*) echo "3 passed, 1 failed"; exit 1;;
  *layernorm*) exit 0;;
  *) echo "things"; echo "7 passed, 0 failed";;
esac
"""


def commands(pattern):
    return [call for _, calls in suite.tests(pattern) for call in calls or []]


class Commands(unittest.TestCase):
    def test_every_file_is_there_and_compared_with_the_interpreter(self):
        for call in commands(None):
            self.assertTrue(os.path.isfile(os.path.join(ROOT, call[0])), call)
            self.assertIn("--device=cuda", call)
            self.assertIn("--against=interpreter", call)

    def test_every_example_for_both_targets(self):
        for target in ("sm_80", "sm_90a"):
            run = {call[0] for call in commands(target + "/") if "--target=" + target in call}
            for path in glob.glob(os.path.join(ROOT, "examples", "*.tile")):
                self.assertIn("examples/" + os.path.basename(path), run, target)

    def test_every_kernel_of_the_lowering_tests(self):
        run = {call[0] for call in commands("ops/")}
        for path in glob.glob(os.path.join(ROOT, "test", "Conversion", "TileToLLVM", "**", "*.tile"), recursive=True):
            name = os.path.relpath(path, ROOT)
            if "/Inputs/" not in name:
                self.assertIn(name, run)

    def test_what_needs_more_is_left_to_lit(self):
        self.assertIsNone(dict(suite.tests("ops/tasks"))["ops/tasks"])


class Runs(unittest.TestCase):
    def outcome(self, pattern, found=("a device", (9, 0), None)):
        with tempfile.TemporaryDirectory() as build, mock.patch.object(suite.gpu, "probe", return_value=found):
            os.mkdir(os.path.join(build, "bin"))
            tool = os.path.join(build, "bin", "tile-run")
            with open(tool, "w", encoding="utf-8") as file:
                file.write(TOOL)
            os.chmod(tool, 0o755)
            options = mock.Mock(build=build, filter=pattern, jobs=1)
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                status = suite.suite(options)
            return status, out.getvalue()

    def test_cases_that_pass(self):
        status, text = self.outcome("sm_80/vector_add")
        self.assertEqual(status, 0)
        self.assertRegex(text, r"2 commands, 14 cases, 0 failed, 0 skipped, \d+ s: holds\n$")

    def test_no_case_a_failed_case_and_no_sum_are_failures(self):
        for name in ("softmax", "transpose", "layernorm"):
            status, text = self.outcome("sm_80/" + name)
            self.assertEqual(status, 1, name)
            self.assertIn("DOES NOT HOLD", text)
            self.assertIn("FAIL", text)

    def test_code_for_another_device_is_skipped(self):
        status, text = self.outcome("vector_add", ("an older one", (8, 0), None))
        self.assertEqual(status, 0)
        self.assertIn("2 commands, 14 cases, 0 failed, 2 skipped", text)
        self.assertIn("code for sm_90a does not run here", text)

    def test_without_a_device(self):
        self.assertEqual(self.outcome(None, (None, None, "there is no device")),
                         (3, "gpu-suite: skipped: there is no device\n"))


if __name__ == "__main__":
    unittest.main()
