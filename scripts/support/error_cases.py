"""Error cases: the files of test/Errors, each a wrong program, what is printed about it, and the program repaired.

A file test/Errors/T0310.tile (or T0310-variant.tile, .mlir for IR, .test where there is no program) reads

    ## What the error means, in Markdown: the text of the page in the error index.
    ##: run = tile-opt FILE
    ##: repair = tile-opt FILE
    ##: setup = python -c "…"
    ##: exit = 1
    the wrong program
    # ----- printed
    FILE:1:2: error[T0310]: the whole output
    # ----- repaired
    the repaired program

`run = none` marks a code that no command of a user reaches, with the reason in its text; unit tests provoke it.
FILE is the name of the program's file. All lines `##:` may be left out: a program is compiled by tile-opt, the repaired one
in the same way, the status is 1. `setup` prepares files for both. The repaired program must end with status 0. In what is
printed `…` stands for any text.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import shutil
import subprocess
import tempfile

LIMIT_S = 60
ROW = re.compile(r'TESSERA_DIAG\(\s*(\w+)\s*,\s*"(T\d{4})"\s*,\s*(\w+)\s*,\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', re.S)


class Row:
    """A row of a table of diagnostics."""

    def __init__(self, ident, code, severity, message):
        self.ident, self.code, self.severity, self.message = ident, code, severity.lower(), message


def rows(root):
    """The rows of all tables, by code."""
    found = {}
    for folder, _, names in os.walk(os.path.join(root, "include", "tessera")):
        for name in names:
            if name.endswith(".def"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                for ident, code, severity, message in ROW.findall(text):
                    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', message)
                    plain = "".join(parts).replace('\\"', '"').replace("\\\\", "\\")
                    found[code] = Row(ident, code, severity, plain.replace("{{", "{").replace("}}", "}"))
    return found


class Case:
    def __init__(self, path):
        self.path = path
        stem, extension = os.path.splitext(os.path.basename(path))
        self.code, _, self.variant = stem.partition("-")
        with open(path, encoding="utf-8") as file:
            head, *sections = re.split(r"^# ----- (\w+)\n", file.read(), flags=re.M)
        self.sections = dict(zip(sections[::2], sections[1::2]))
        meaning, options, program = [], {}, head.splitlines(keepends=True)
        while program and program[0].startswith("##"):
            line = program.pop(0)
            option = re.match(r"##: (\w+) = (.*)", line)
            if option and option[1] == "setup" and "setup" in options:
                options["setup"] += "\n" + option[2]
            elif option:
                options[option[1]] = option[2]
            else:
                meaning.append(line[2:].strip())
        self.meaning = "\n".join(meaning).strip()
        self.wrong, self.repaired = "".join(program), self.sections.get("repaired", "")
        self.printed = self.sections.get("printed", "")
        self.file = self.code + (extension if extension == ".mlir" else ".tile")
        self.run = options.get("run", "tile-opt FILE").replace("FILE", self.file)
        self.repair = options.get("repair", options.get("run", "tile-opt FILE")).replace("FILE", self.file)
        self.setup = options.get("setup", "").replace("FILE", self.file)
        self.status = int(options.get("exit", "1"))


def cases(root):
    folder = os.path.join(root, "test", "Errors")
    return [Case(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
            if re.match(r"T\d{4}.*\.(tile|mlir|test)$", name)]


def environment(root, tools):
    python = os.path.join(root, ".venv", "bin")
    path = [tools] + ([python] if os.path.isdir(python) else []) + [os.environ.get("PATH", "")]
    return dict(os.environ, PATH=os.pathsep.join(path), LC_ALL="C.UTF-8")


def execute(case, command, program, env):
    """(status, output) of `command` in a folder with the program."""
    folder = tempfile.mkdtemp(prefix="tessera-error-")
    try:
        with open(os.path.join(folder, case.file), "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(program)
        out = ""
        for step in [case.setup] * bool(case.setup) + [command]:
            done = subprocess.run(step, cwd=folder, env=env, shell=True, executable="/bin/bash", text=True, check=False,
                                  errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=LIMIT_S)
            out = done.stdout
        return done.returncode, out
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wrong_output(case, env):
    """What the wrong program prints, without the IR and the sums of tests that are beside the point."""
    return execute(case, case.run, case.wrong, env)


def matches(expected, printed):
    pattern = ".*".join(re.escape(part) for part in expected.strip().split("…"))
    return re.fullmatch(pattern, printed.strip(), re.S) is not None


def check(case, env):
    """None, or what is wrong with the case."""
    if case.run == "none":
        return None if case.meaning else "no meaning"
    status, out = wrong_output(case, env)
    if status != case.status:
        return "%s ended with status %d, wanted %d:\n%s" % (case.run, status, case.status, out)
    if not matches(case.printed, out):
        return "%s printed\n%s\nwanted\n%s" % (case.run, out, case.printed)
    if not re.search(r"\[%s\]: " % case.code, out):
        return "%s did not print %s:\n%s" % (case.run, case.code, out)
    status, out = execute(case, case.repair, case.repaired, env)
    if status != 0:
        return "repaired: %s ended with status %d:\n%s" % (case.repair, status, out)
    return None
