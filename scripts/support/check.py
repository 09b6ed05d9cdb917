#!/usr/bin/env python3
"""Builds everything, runs every test and closes with the sum alone on the last line: `N passed, N failed`.

usage: check.py [--quick] [--filter REGEX] [--no-build] [--only PART,…] [--preset NAME]

Parts, in their order, each found in the tree and not listed by hand:
  build      configure and build the preset (release)
  lint       scripts/lint
  scripts    Python tests: test_*.py under test/ and python-bindings/, and the programs scripts/check-*
  unit       GoogleTest binaries of test/Unit
  lit        the suite of test/
  examples   every kernel of examples/ runs its own tests
  roundtrip  the lit suite again, tile-opt printing and parsing each module once more
  fuzz       each target of tools/fuzz over its corpus test/Fuzz/NAME; where build-fuzz holds it, libFuzzer goes on from
             there, one minute in all
  times      scripts/compile-time: how long kernels take to PTX; fails where one is far above what was measured
  coverage   every diagnostic was seen, every rule has a test, every condition of a schedule is shown by a run (the first only
             when all suites ran whole)

--quick leaves out roundtrip, fuzz, times and coverage. --filter runs the unit, lit and example tests whose name matches.
A part that exists and finds no test is a failure.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
JOBS = int(os.environ.get("TESSERA_JOBS", "2"))
FOLDERS = {"release": "build", "dev": "build-dev", "asan": "build-asan", "fuzz": "build-fuzz"}
TEST_SUFFIXES = (".mlir", ".tile", ".test")
UNIT_LIMIT_S = 1200
LIT_TEST_LIMIT_S = 600
FUZZ_TOTAL_S = 60


class Count:
    """What a part found; a failure carries the text that is shown."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def fail(self, title, text=""):
        self.failed += 1
        print("FAILED: %s" % title)
        if text.strip():
            print("\n".join("    " + line for line in text.rstrip().splitlines()[-60:]), flush=True)

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def __str__(self):
        text = "%d passed, %d failed" % (self.passed, self.failed)
        return text + (", %d skipped" % self.skipped if self.skipped else "")


def command(args, env=None, limit=None, cwd=ROOT):
    """Runs `args`; gives the exit status and stdout with stderr. A run past its limit has status 124."""
    try:
        done = subprocess.run(args, cwd=cwd, env=env, timeout=limit, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        text = late.stdout or ""
        text = text.decode(errors="replace") if isinstance(text, bytes) else text
        return 124, text + "\nstopped after %d s" % limit
    except OSError as error:
        return 127, str(error)


def files_under(*folders, suffixes="", prefix=""):
    for folder in folders:
        for path, folders_below, names in os.walk(os.path.join(ROOT, folder)):
            folders_below[:] = sorted(f for f in folders_below if f not in ("Inputs", "__pycache__", "Output"))
            for name in sorted(names):
                if name.endswith(suffixes) and name.startswith(prefix):
                    yield os.path.join(path, name)


def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class Check:
    def __init__(self, options):
        self.options = options
        self.build_dir = os.path.join(ROOT, FOLDERS[options.preset])
        self.temp = tempfile.mkdtemp(prefix="tessera-check-")
        self.diagnostics = os.path.join(self.temp, "diagnostics.log")
        self.env = dict(os.environ, TESSERA_DIAG_LOG=self.diagnostics, TESSERA_BUILD_DIR=self.build_dir)
        self.whole = {}

    def build(self, count):
        os.makedirs(self.build_dir, exist_ok=True)
        if not os.path.exists(os.path.join(self.build_dir, "build.ninja")):
            status, text = command(["cmake", "--preset", self.options.preset])
            if status != 0:
                return count.fail("cmake --preset %s" % self.options.preset, text)
        # Straight to the terminal: a first build takes minutes and should be seen to move.
        status = subprocess.run(["ninja", "-C", self.build_dir, "-j", str(JOBS), "-k", "20"], check=False).returncode
        if status != 0:
            count.fail("the build (ninja ended with status %d)" % status)
        else:
            count.passed += 1

    def lint(self, count):
        status, text = command([os.path.join(ROOT, "scripts", "lint"), "--counted"])
        found = re.search(r"^(\d+) passed, (\d+) failed$", text, re.M)
        if not found:
            return count.fail("scripts/lint gave no sum (status %d)" % status, text)
        count.passed += int(found[1])
        if int(found[2]):
            count.fail("scripts/lint", text)
            count.failed += int(found[2]) - 1

    def scripts(self, count):
        for path in files_under("test", "python-bindings", suffixes=(".py",), prefix="test_"):
            status, text = command([sys.executable, "-B", "-m", "unittest", "discover", "-s", os.path.dirname(path),
                                    "-p", os.path.basename(path)], env=self.env, limit=UNIT_LIMIT_S)
            name = os.path.relpath(path, ROOT)
            ran = re.search(r"^Ran (\d+) tests?", text, re.M)
            if not ran or ran[1] == "0":
                count.fail(name + " holds no test that ran", text)
                continue
            closing = text[ran.end():]
            numbers = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", closing)}
            failed = numbers.get("failures", 0) + numbers.get("errors", 0)
            skipped = numbers.get("skipped", 0)
            if status != 0:
                count.fail(name, text)
                failed = max(failed, 1)
                count.failed += failed - 1
            count.skipped += skipped
            count.passed += max(int(ran[1]) - failed - skipped, 0)
        for path in files_under("scripts", prefix="check-"):
            status, text = command([sys.executable, "-B", path, "--build", self.build_dir], env=self.env,
                                   limit=UNIT_LIMIT_S)
            if status == 0:
                count.passed += 1
            else:
                count.fail("%s (status %d)" % (os.path.relpath(path, ROOT), status), text)

    def unit_filter(self, name, binary):
        """Arguments that choose the tests of one binary, or None when none of them is meant."""
        pattern = self.options.filter
        if not pattern or re.search(pattern, name):
            return []
        chosen, suite = [], ""
        for line in command([binary, "--gtest_list_tests"], env=self.env, limit=60)[1].splitlines():
            text = line.split("#")[0].rstrip()
            if text and not line.startswith(" "):
                suite = text
            elif text and re.search(pattern, "%s.%s%s" % (name, suite, text.strip())):
                chosen.append(suite + text.strip())
        return ["--gtest_filter=" + ":".join(chosen)] if chosen else None

    def unit_binary(self, name):
        binary = os.path.join(self.build_dir, "bin", name)
        if not os.path.exists(binary):
            return name, None, "%s was not built" % binary
        arguments = self.unit_filter(name, binary)
        if arguments is None:
            return name, {"tests": 0, "failures": 0, "disabled": 0, "left_out": True}, ""
        report = os.path.join(self.temp, name + ".json")
        status, text = command([binary, "--gtest_brief=1", "--gtest_output=json:" + report] + arguments,
                               env=self.env, limit=UNIT_LIMIT_S, cwd=self.build_dir)
        try:
            with open(report, encoding="utf-8") as file:
                numbers = json.load(file)
        except (OSError, ValueError):
            return name, None, text + "\nended with status %d and no report" % status
        # GoogleTest counts a skipped test as passed, so skips are counted in the report.
        numbers["skips"] = sum(test.get("result") == "SKIPPED" for suite in numbers["testsuites"]
                               for test in suite["testsuite"])
        if status != 0 and not numbers["failures"]:
            return name, None, text + "\nended with status %d" % status
        return name, numbers, text

    def unit(self, count):
        names = text_of(os.path.join(self.build_dir, "unit-tests.txt")).split()
        rooms = [path for path in files_under("test/Unit", suffixes=("CMakeLists.txt",))
                 if "tessera_unittest(" in text_of(path)]
        if len(names) < len(rooms):
            count.fail("%d folders under test/Unit declare a unit test, the build has %d" % (len(rooms), len(names)))
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            for name, numbers, text in pool.map(self.unit_binary, names):
                if numbers is None:
                    count.fail(name, text)
                elif numbers.get("left_out"):
                    continue
                elif numbers["tests"] == 0:
                    count.fail(name + " holds no test")
                else:
                    if numbers["failures"]:
                        count.fail(name, text)
                        count.failed += numbers["failures"] - 1
                    left_out = numbers["skips"] + numbers["disabled"]
                    count.skipped += left_out
                    count.passed += numbers["tests"] - numbers["failures"] - left_out

    def run_lit(self, count, suite, paths=None, **environment):
        """Runs the suite configured in `suite` of the build folder, or the given files of it."""
        report = os.path.join(self.temp, "lit.json")
        lit = os.path.join(command(["llvm-config-22", "--bindir"])[1].strip(), "lit")
        args = [sys.executable, "-B", lit, "-q", "-j", str(JOBS), "-o", report, "--allow-empty-runs"]
        if os.path.exists(report):
            os.remove(report)
        try:
            import psutil  # noqa: F401  lit needs it to stop a test that hangs
            args += ["--timeout", str(LIT_TEST_LIMIT_S)]
        except ImportError:
            pass
        if self.options.filter:
            args += ["--filter", self.options.filter]
        status, text = command(args + (paths or [os.path.join(self.build_dir, suite)]),
                               env=dict(self.env, **environment))
        try:
            tests = []
            # With nothing to run lit ends well and writes no report.
            if status != 0 or os.path.exists(report):
                with open(report, encoding="utf-8") as file:
                    tests = json.load(file)["tests"]
        except (OSError, ValueError, KeyError):
            return count.fail("lit ended with status %d and no report" % status, text)
        for test in tests:
            code = test["code"]
            if code in ("PASS", "FLAKYPASS", "XFAIL"):
                count.passed += 1
            elif code in ("UNSUPPORTED", "SKIPPED"):
                count.skipped += 1
            elif code != "EXCLUDED":
                count.fail("%s (%s)" % (test["name"], code), test.get("output", ""))
        if not self.options.filter and count.passed + count.failed + count.skipped == 0:
            count.fail("lit found no test in %s" % suite, text)

    def lit_files(self):
        unit = os.path.join(ROOT, "test", "Unit") + os.sep
        return [path for path in files_under("test", suffixes=TEST_SUFFIXES) if not path.startswith(unit)
                and "/Scripts/" not in path and "/Fuzz/" not in path]

    def lit(self, count):
        if self.lit_files():
            self.run_lit(count, "test")

    def examples(self, count):
        if any(files_under("examples", suffixes=(".tile",))):
            self.run_lit(count, "examples")

    def roundtrip(self, count):
        chosen = []
        for path in self.lit_files():
            if "tile-opt" in text_of(path):
                chosen.append(os.path.join(self.build_dir, os.path.relpath(path, ROOT)))
        if chosen:
            self.run_lit(count, "test", chosen, TESSERA_OPT_ROUNDTRIP="1")

    def fuzz(self, count):
        """Each target replays its corpus in the ordinary build; libFuzzer runs where build-fuzz holds the targets."""
        sources = [path for path in files_under("tools/fuzz", suffixes=(".cpp",))
                   if "int LLVMFuzzerTestOneInput" in text_of(path) and not path.endswith("ReplayMain.cpp")]
        if not sources:
            return
        replayed, searched = self.fuzzers(self.build_dir), self.fuzzers(os.path.join(ROOT, FOLDERS["fuzz"]))
        if len(replayed) < len(sources):
            count.fail("tools/fuzz holds %d targets, the build %d" % (len(sources), len(replayed)))
        # Without libFuzzer the replay goes on with mutants of its own for as long.
        seconds = 0 if searched else FUZZ_TOTAL_S // max(1, len(replayed))
        for path in replayed:
            corpus = self.corpus(path)
            status, text = command([path, "--seconds=%d" % seconds, corpus], env=self.env, limit=UNIT_LIMIT_S)
            if status == 0:
                count.passed += 1
            else:
                count.fail("%s %s (status %d)" % (path, corpus, status), text)
        if not searched:
            print("libFuzzer's targets are not built; cmake --preset fuzz && cmake --build --preset fuzz builds them")
        for path in searched:
            status, text = self.fuzz_one(path, FUZZ_TOTAL_S // len(searched))
            if status == 0:
                count.passed += 1
            else:
                count.fail("%s (status %d)" % (path, status), text)

    def fuzzers(self, build_dir):
        folder = os.path.join(build_dir, "bin")
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        return [os.path.join(folder, name) for name in names if name.startswith("tessera-fuzz-")]

    def corpus(self, binary):
        return os.path.join(ROOT, "test", "Fuzz", os.path.basename(binary)[len("tessera-fuzz-"):])

    def fuzz_one(self, binary, seconds):
        """Runs one target over its corpus; what it finds goes to a folder of its own, never into the corpus."""
        found = tempfile.mkdtemp(prefix="tessera-fuzz-")
        env = dict(self.env, ASAN_OPTIONS="allow_user_poisoning=0:detect_leaks=0")
        args = [binary, "-max_total_time=%d" % seconds, "-timeout=20", "-rss_limit_mb=4096", "-print_final_stats=1",
                "-artifact_prefix=%s/" % found, found, self.corpus(binary)]
        result = command(args, env=env, limit=seconds * 4 + 120)
        if result[0] == 0:
            shutil.rmtree(found, ignore_errors=True)
        return result

    def times(self, count):
        """The table is part of the report; its bounds are wide, for the machine may do other things, too."""
        script = os.path.join(ROOT, "scripts", "compile-time")
        if not os.path.exists(script):
            return
        status, text = command([sys.executable, "-B", script, "--build", self.build_dir, "--rounds", "3", "--check"],
                               limit=UNIT_LIMIT_S)
        if status == 0:
            count.passed += 1
            print("    " + text.strip().replace("\n", "\n    "))
        else:
            count.fail("scripts/compile-time", text)

    def coverage(self, count):
        for name, arguments, whole in (("diagnostic-coverage", [self.diagnostics], True), ("rule-coverage", [], False),
                                       ("condition-coverage", [], False)):
            if whole and not all(self.whole.get(part) for part in ("unit", "lit", "examples")):
                count.skipped += 1
                continue
            status, text = command([os.path.join(ROOT, "scripts", name)] + arguments)
            if status == 0:
                count.passed += 1
                print("    " + text.strip().replace("\n", "\n    "))
            else:
                count.fail("scripts/" + name, text)


PARTS = ["build", "lint", "scripts", "unit", "lit", "examples", "roundtrip", "fuzz", "times", "coverage"]
SLOW = {"roundtrip", "fuzz", "times", "coverage"}
FILTERED = ["unit", "lit", "examples"]


def chosen_parts(options):
    if options.only:
        parts = options.only.split(",")
        unknown = [part for part in parts if part not in PARTS]
        if unknown:
            sys.exit("check: error: unknown part '%s'; the parts are %s" % (unknown[0], ", ".join(PARTS)))
    elif options.filter:
        parts = ["build"] + FILTERED
    else:
        parts = [part for part in PARTS if not (options.quick and part in SLOW)]
    return [part for part in PARTS if part in parts and not (part == "build" and options.no_build)]


def main():
    parser = argparse.ArgumentParser(prog="scripts/check", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--filter", metavar="REGEX")
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--only", metavar="PART,…")
    parser.add_argument("--preset", default="release", choices=sorted(FOLDERS))
    options = parser.parse_args()
    check, total, begin = Check(options), Count(), time.monotonic()
    try:
        for part in chosen_parts(options):
            print("== %s" % part, flush=True)
            count, start = Count(), time.monotonic()
            getattr(check, part)(count)
            check.whole[part] = not options.filter
            total.add(count)
            print("-- %s: %s (%.1f s)" % (part, count, time.monotonic() - start), flush=True)
            if part == "build" and count.failed:
                print("the build failed, so no test of it is run", flush=True)
                break
        if total.passed + total.failed == 0:
            total.fail("no test ran" + (": nothing matches '%s'" % options.filter if options.filter else ""))
    finally:
        shutil.rmtree(check.temp, ignore_errors=True)
    print("all: %.1f s" % (time.monotonic() - begin))
    print(total, flush=True)
    return 1 if total.failed else 0


sys.exit(main())
