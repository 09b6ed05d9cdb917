# What the lit suites share: tools, environment, features, and the format that runs a kernel's own tests.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import shutil
import sys

import lit.formats
import lit.Test
import lit.util
from lit.llvm import initialize
from lit.llvm.subst import ToolSubst

# Handed on to every test where set: sanitizer options, where emitted diagnostics are counted, the cache of answers.
PASSED_ON = re.compile(r"(ASAN|UBSAN|LSAN)_\w+|TESSERA_\w+|CUDA_VISIBLE_DEVICES")


def sum_line(text):
    """The numbers of the closing line `N passed, N failed`, or None when the last line is something else."""
    lines = text.strip().splitlines()
    found = re.fullmatch(r"(\d+) passed, (\d+) failed(?:, \d+ skipped)?", lines[-1].strip()) if lines else None
    return (int(found[1]), int(found[2])) if found else None


class KernelFormat(lit.formats.ShTest):
    """`.tile` files are run by `tile-run FILE --test`; every other file is an ordinary test with RUN lines."""

    def __init__(self, tools_dir, has_tool):
        super().__init__(execute_external=False)
        self.tile_run = os.path.join(tools_dir, "tile-run")
        self.has_tool = has_tool

    def execute(self, test, lit_config):
        path = test.getSourcePath()
        if not path.endswith(".tile"):
            return super().execute(test, lit_config)
        if not self.has_tool:
            return lit.Test.UNSUPPORTED, "this build has no tile-run"
        command = [self.tile_run, path, "--test"]
        try:
            out, err, code = lit.util.executeCommand(
                command, cwd=os.path.dirname(path), env=test.config.environment,
                timeout=lit_config.maxIndividualTestTime)
        except lit.util.ExecuteCommandTimeoutException:
            return lit.Test.TIMEOUT, "no answer in %d s: %s" % (lit_config.maxIndividualTestTime, " ".join(command))
        report = "command: %s\nexit: %d\n%s%s" % (" ".join(command), code, out, err)
        counts = sum_line(out)
        if code != 0 or counts is None or counts[1] != 0:
            return lit.Test.FAIL, report
        if counts[0] == 0:
            return lit.Test.FAIL, report + "the file has no test: a kernel without one proves nothing\n"
        return lit.Test.PASS, ""


def add_gpu(config):
    """Features `gpu`, and `gpu-sm_90a` where code for it runs; else the reason why not."""
    sys.path.insert(0, os.path.join(config.tessera_source_dir, "scripts", "support"))
    import gpu

    capability, config.tessera_no_gpu = None, "TESSERA_NO_GPU is set"
    if os.environ.get("TESSERA_NO_GPU", "") in ("", "0"):
        _, capability, config.tessera_no_gpu = gpu.probe()
    if capability:
        config.available_features.add("gpu")
        if gpu.runs("sm_90a", capability):
            config.available_features.add("gpu-sm_90a")


def configure(config, lit_config, name, root):
    """Fills `config` for the suite `name` whose sources lie in `root`."""
    initialize(lit_config, config)
    from lit.llvm import llvm_config

    config.name = name
    config.test_source_root = root
    config.test_exec_root = os.path.join(config.tessera_build_dir, os.path.basename(root))
    config.suffixes = [".mlir", ".tile", ".test"]
    config.excludes = ["Unit", "Inputs", "Fuzz", "Scripts", "CMakeLists.txt", "README.md"]

    for variable, value in os.environ.items():
        if PASSED_ON.fullmatch(variable):
            config.environment[variable] = value
    llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
    llvm_config.with_environment("PATH", config.tessera_tools_dir, append_path=True)
    if config.tessera_link == "static":
        # LLVM's own libraries open others, libz3 among them, before a tool begins.
        config.available_features.add("static-llvm")
    if config.tessera_sanitize:
        config.environment.setdefault("ASAN_OPTIONS", "allow_user_poisoning=0:detect_leaks=1")
        config.environment.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
        config.environment["ASAN_SYMBOLIZER_PATH"] = os.path.join(config.llvm_tools_dir, "llvm-symbolizer")
        config.available_features.add("asan")

    round_trip = os.environ.get("TESSERA_OPT_ROUNDTRIP", "") not in ("", "0")
    if round_trip:
        config.available_features.add("roundtrip")
    add_gpu(config)

    if shutil.which("z3"):
        config.available_features.add("z3")

    llvm_config.use_default_substitutions()
    # A tool that is not built is left to the tests that call it: they fail, the others run. scripts/mutants takes its own.
    tools = []
    for tool in filter(None, config.tessera_tools):
        extra = ["--verify-roundtrip"] if tool == "tile-opt" and round_trip else []
        planted = os.path.join(config.tessera_tools_dir, tool + "-mutants")
        command = planted if "TESSERA_MUTANT" in os.environ and os.path.exists(planted) else None
        tools.append(ToolSubst(tool, command=command, extra_args=extra, unresolved="ignore"))
        config.available_features.add(tool)
        # By its path, for programs that start it themselves.
        config.substitutions.append(("%" + tool.replace("-", "_"), os.path.join(config.tessera_tools_dir, tool)))
    llvm_config.add_tool_substitutions(tools + ["split-file"], [config.tessera_tools_dir, config.llvm_tools_dir])

    # The project's virtual environment holds the Python packages that tests import.
    python = os.path.join(config.tessera_source_dir, ".venv", "bin", "python")
    # First: lit has a default of the same name.
    config.substitutions.insert(0, ("%python", python if os.path.exists(python) else sys.executable))
    config.substitutions.append(("%{examples}", os.path.join(config.tessera_source_dir, "examples")))
    config.substitutions.append(("%{source}", config.tessera_source_dir))
    config.substitutions.append(("%{build}", config.tessera_build_dir))
    config.substitutions.append(("%{tools}", config.tessera_tools_dir))
    return llvm_config
