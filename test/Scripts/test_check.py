"""scripts/check counts rightly: crashes, empty parts and skips show in the closing sum."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# A stand-in for a GoogleTest binary: writes the report it is told to, ends with the status it is told to.
FAKE_UNIT = """#!/usr/bin/env python3
import json, sys
results, status = %r, %d
if "--gtest_list_tests" in sys.argv:
    print("Suite.")
    for number, _ in enumerate(results):
        print("  t%%d" %% number)
    sys.exit(0)
chosen = next((a.split("=", 1)[1].split(":") for a in sys.argv if a.startswith("--gtest_filter=")), None)
kept = [r for n, r in enumerate(results) if chosen is None or "Suite.t%%d" %% n in chosen]
report = next(a.split("json:")[1] for a in sys.argv if a.startswith("--gtest_output="))
if results is not None:
    tests = [{"name": "t", "result": "SKIPPED" if r == "skip" else "COMPLETED"} for r in kept]
    with open(report, "w") as file:
        json.dump({"tests": len(kept), "failures": kept.count("fail"), "disabled": 0,
                   "testsuites": [{"testsuite": tests}] if tests else []}, file)
sys.exit(status)
"""
CRASH = "#!/bin/bash\necho lost >&2\nkill -SEGV $$\n"
LIT_SITE = """
import lit.formats
config.name = "planted"
config.test_source_root = %r
config.test_exec_root = %r
config.suffixes = [".mlir"]
config.excludes = []
config.test_format = lit.formats.ShTest(execute_external=False)
"""


class Check(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="tessera-test-")
        self.addCleanup(shutil.rmtree, self.root)
        os.makedirs(os.path.join(self.root, "scripts/support"))
        shutil.copy(os.path.join(ROOT, "scripts/support/check.py"), os.path.join(self.root, "scripts/support"))
        self.units = []
        self.write("build/unit-tests.txt", "\n")

    def write(self, path, text, mode=0o644):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def unit(self, name, text):
        self.units.append(name)
        self.write("build/bin/" + name, text, 0o755)
        self.write("build/unit-tests.txt", "\n".join(self.units) + "\n")

    def check(self, *arguments):
        """Exit status, last line and whole output."""
        done = subprocess.run([sys.executable, "-B", os.path.join(self.root, "scripts/support/check.py"), *arguments],
                              env=dict(os.environ, TMPDIR=self.root), capture_output=True, text=True, check=False)
        return done.returncode, (done.stdout.splitlines() or [""])[-1], done.stdout + done.stderr

    def sums(self, expected_status, expected_line, *arguments):
        status, line, text = self.check(*arguments)
        self.assertEqual((status, line), (expected_status, expected_line), text)
        return text

    def test_unit_counts(self):
        self.unit("a", FAKE_UNIT % (["ok", "ok", "skip"], 0))
        self.unit("b", FAKE_UNIT % (["ok"], 0))
        self.sums(0, "3 passed, 0 failed, 1 skipped", "--only", "unit")

    def test_unit_failures_and_crashes(self):
        self.unit("a", FAKE_UNIT % (["ok", "fail", "fail"], 1))
        self.unit("b", CRASH)
        text = self.sums(1, "1 passed, 3 failed", "--only", "unit")
        self.assertIn("FAILED: b", text)
        self.assertIn("no report", text)

    def test_unit_ends_badly_after_its_report(self):
        self.unit("a", FAKE_UNIT % (["ok"], 3))
        self.sums(1, "0 passed, 1 failed", "--only", "unit")

    def test_unit_without_a_test(self):
        self.unit("a", FAKE_UNIT % ([], 0))
        self.assertIn("a holds no test", self.sums(1, "0 passed, 1 failed", "--only", "unit"))

    def test_unit_that_was_not_built(self):
        self.units.append("gone")
        self.write("build/unit-tests.txt", "gone\n")
        self.sums(1, "0 passed, 1 failed", "--only", "unit")

    def test_unit_folder_that_the_build_forgot(self):
        self.unit("a", FAKE_UNIT % (["ok"], 0))
        for room in ("A", "B"):
            self.write("test/Unit/%s/CMakeLists.txt" % room, "tessera_unittest(x SRCS y.cpp)\n")
        self.sums(1, "1 passed, 1 failed", "--only", "unit")

    def test_filter(self):
        self.unit("a", FAKE_UNIT % (["ok", "ok", "ok"], 0))
        self.sums(0, "1 passed, 0 failed", "--only", "unit", "--filter", r"a\.Suite\.t1")
        self.assertIn("nothing matches", self.sums(1, "0 passed, 1 failed", "--only", "unit", "--filter", "zebra"))

    def lit_suite(self, **files):
        for name, text in files.items():
            self.write("test/%s.mlir" % name, text)
        self.write("build/test/lit.site.cfg.py",
                   LIT_SITE % (os.path.join(self.root, "test"), os.path.join(self.root, "build/test")))

    def test_lit_counts(self):
        self.lit_suite(a="// RUN: true\n", b="// RUN: false\n", c="// RUN: true\n// REQUIRES: gpu\n", d="no command\n")
        text = self.sums(1, "1 passed, 2 failed, 1 skipped", "--only", "lit")
        self.assertIn("planted :: b.mlir (FAIL)", text)
        self.assertIn("planted :: d.mlir (UNRESOLVED)", text)

    def test_lit_filter(self):
        self.lit_suite(a="// RUN: true\n", b="// RUN: false\n")
        self.sums(0, "1 passed, 0 failed", "--only", "lit", "--filter", "a.mlir")
        self.sums(1, "0 passed, 1 failed", "--only", "lit", "--filter", "zebra")

    def test_lit_finds_nothing(self):
        self.lit_suite()
        self.write("test/a.tile", "a file that the suite does not know\n")
        self.assertIn("did not discover any tests", self.sums(1, "0 passed, 1 failed", "--only", "lit"))

    def test_round_trip_takes_the_files_with_tile_opt(self):
        self.lit_suite(a="// RUN: %{python} -c \"import os; assert os.environ['TESSERA_OPT_ROUNDTRIP'] == '1'\"\n"
                         "// tile-opt\n", b="// RUN: false\n")
        with open(os.path.join(self.root, "build/test/lit.site.cfg.py"), "a", encoding="utf-8") as file:
            file.write("import os\nconfig.environment['TESSERA_OPT_ROUNDTRIP'] = os.environ['TESSERA_OPT_ROUNDTRIP']\n"
                       "config.substitutions.append(('%%{python}', %r))\n" % sys.executable)
        self.sums(0, "1 passed, 0 failed", "--only", "roundtrip")

    def test_python_tests(self):
        case = "import unittest\nclass T(unittest.TestCase):\n"
        self.write("test/Scripts/test_a.py", case + "    def test_a(self): pass\n    def test_b(self): self.fail()\n"
                   "    def test_c(self): self.skipTest('why')\n")
        self.write("test/Scripts/test_b.py", case + "    pass\n")
        self.sums(1, "1 passed, 2 failed, 1 skipped", "--only", "scripts")

    def test_times_are_part_of_the_report(self):
        self.write("scripts/compile-time", "import sys\nprint('a table')\nsys.exit('--check' not in sys.argv)\n")
        self.assertIn("    a table\n", self.sums(0, "1 passed, 0 failed", "--only", "times"))
        self.write("scripts/compile-time", "print('softmax takes too long')\nraise SystemExit(1)\n")
        self.assertIn("softmax takes too long", self.sums(1, "0 passed, 1 failed", "--only", "times"))

    def test_check_programs(self):
        self.write("scripts/check-a", "import sys\nsys.exit(sys.argv[1] != '--build')\n")
        self.write("scripts/check-b", "import sys\nsys.exit('why')\n")
        text = self.sums(1, "1 passed, 1 failed", "--only", "scripts")
        self.assertIn("FAILED: scripts/check-b (status 1)\n    why", text)

    def test_fuzz(self):
        self.write("tools/fuzz/Parse.cpp", "int LLVMFuzzerTestOneInput();\n")
        self.sums(1, "0 passed, 1 failed", "--only", "fuzz")                    # neither built
        self.write("test/Fuzz/parse/a.tile", "kernel")
        self.write("build/bin/tessera-fuzz-parse",
                   "#!/bin/bash\n[ $1 != --seconds=0 ] && [ -d $2 ] && grep -q kernel $2/a.tile\n", 0o755)
        self.sums(0, "1 passed, 0 failed", "--only", "fuzz")    # replayed, with mutants: no libFuzzer
        self.write("build/bin/tessera-fuzz-parse", "#!/bin/bash\n[ $1 = --seconds=0 ]\n", 0o755)
        self.write("build-fuzz/bin/tessera-fuzz-parse", CRASH, 0o755)
        self.sums(1, "1 passed, 1 failed", "--only", "fuzz")    # replayed only: libFuzzer searches

    def test_usage(self):
        status, _, text = self.check("--only", "units")
        self.assertEqual(status, 1)
        self.assertIn("unknown part 'units'", text)


class Examples(unittest.TestCase):
    def run_example(self, tile_run):
        """lit's verdict on one example, with `tile_run` as the text of the tool."""
        with tempfile.TemporaryDirectory() as root:
            for folder in ("examples", "test", "build/bin", "build/examples"):
                os.makedirs(os.path.join(root, folder))
            shutil.copy(os.path.join(ROOT, "examples/lit.cfg.py"), os.path.join(root, "examples"))
            shutil.copy(os.path.join(ROOT, "test/tessera_lit.py"), os.path.join(root, "test"))
            shutil.copytree(os.path.join(ROOT, "scripts/support"), os.path.join(root, "scripts/support"))
            open(os.path.join(root, "examples/k.tile"), "w").close()
            tool = os.path.join(root, "build/bin/tile-run")
            with open(tool, "w", encoding="utf-8") as file:
                file.write("#!/bin/bash\n" + tile_run)
            os.chmod(tool, 0o755)
            tools = subprocess.run(["llvm-config-22", "--bindir"], capture_output=True, text=True, check=True).stdout
            with open(os.path.join(ROOT, "test/lit.site.cfg.py.in"), encoding="utf-8") as file:
                site = file.read()
            for name, value in {"CMAKE_SOURCE_DIR": root, "CMAKE_BINARY_DIR": root + "/build", "tools": "tile-run",
                                "CMAKE_RUNTIME_OUTPUT_DIRECTORY": root + "/build/bin", "TESSERA_SUITE": "examples",
                                "LLVM_TOOLS_BINARY_DIR": tools.strip(), "TESSERA_SANITIZE": "OFF"}.items():
                site = site.replace("@%s@" % name, value)
            with open(os.path.join(root, "build/examples/lit.site.cfg.py"), "w", encoding="utf-8") as file:
                file.write(site)
            done = subprocess.run([sys.executable, "-B", os.path.join(tools.strip(), "lit"), "-v",
                                   os.path.join(root, "build/examples")], capture_output=True, text=True, check=False)
            return done.stdout

    def test_verdicts(self):
        self.assertIn("PASS: examples :: k.tile", self.run_example('[ "$2" = --test ] && echo "3 passed, 0 failed"\n'))
        self.assertIn("FAIL: examples :: k.tile", self.run_example('echo "3 passed, 0 failed"; exit 1\n'))
        self.assertIn("FAIL: examples :: k.tile", self.run_example('echo "3 passed, 1 failed"\n'))
        self.assertIn("FAIL: examples :: k.tile", self.run_example('echo "3 passed, 0 failed"; echo more\n'))
        empty = self.run_example('echo "0 passed, 0 failed"\n')
        self.assertIn("FAIL: examples :: k.tile", empty)
        self.assertIn("the file has no test", empty)


if __name__ == "__main__":
    unittest.main()
