"""The project's lints. Each is one function that yields findings `path[:line]: what is wrong and what to do`.

usage: scripts/lint [-f] [LINT…]
  -f   let clang-format rewrite what it finds
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import ast
import os
import re
import shutil
import subprocess
import sys

import rooms

SKIPPED_FOLDERS = re.compile(r"^(\.git|\.venv|\.cache|build.*|__pycache__|node_modules|Output)$")
EXCUSES = "scripts/support/lint-excuses.txt"
LINE_BUDGETS = [(r"^test/.*\.(mlir|tile|test|cpp|py)$", 300), (r"\.td$", 500), (r"\.(cpp|h|py)$", 600)]
LINE_WIDTH = 130  # clang-format keeps code within 100; comments, tables and TableGen may be wider

# Names of kernels: the compiler knows tiles, never which kernel it compiles.
KERNEL_NAMES = re.compile("|".join(["soft" + "max", "ge" + "mm", "atten" + "tion", "swi" + "glu", "topk" + "_gate",
                                    "ngram" + "_hash", "cumsum" + "_reverse"]), re.I)
MARKS = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b(?!\([^)]{8,}\))")
MACHINE_PATHS = re.compile(r"(?<![\w.$}])/(work|home|root|farm|Users|tmp)/\w")

LINTS = {}


def lint(function):
    LINTS[function.__name__.replace("_", "-")] = function
    return function


class Tree:
    """The files of a checkout, read once."""

    def __init__(self, root):
        self.root = root
        self.paths = []
        self._text = {}
        for folder, below, names in os.walk(root):
            below[:] = sorted(name for name in below if not SKIPPED_FOLDERS.match(name))
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), root)
                if not os.path.islink(os.path.join(root, path)):
                    self.paths.append(path)

    def text(self, path):
        if path not in self._text:
            with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as file:
                self._text[path] = file.read()
        return self._text[path]

    def lines(self, path):
        return enumerate(self.text(path).splitlines(), 1)

    def match(self, pattern):
        return [path for path in self.paths if re.search(pattern, path)]

    def python_files(self):
        scripts = [path for path in self.match(r"^(scripts|tools|\.ci)/") if "." not in os.path.basename(path)
                   and self.text(path).startswith("#!") and "python" in self.text(path).split("\n")[0]]
        return self.match(r"\.py$") + scripts

    def shell_files(self):
        return [path for path in self.match(r"^(scripts|\.ci)/") if self.text(path).startswith("#!/bin/bash")
                or path.endswith(".sh")]


@lint
def line_budget(tree):
    """Long files are split by chapter before they become a habit."""
    for path in tree.paths:
        budget = next((limit for pattern, limit in LINE_BUDGETS if re.search(pattern, path)), None)
        count = len(tree.text(path).splitlines()) if budget else 0
        if budget and count > budget:
            yield "%s: %d lines, the budget is %d: split it by topic" % (path, count, budget)


@lint
def line_width(tree):
    for path in tree.match(r"\.(cpp|h|td|def|py|cmake)$|CMakeLists\.txt$|^scripts/"):
        for number, line in tree.lines(path):
            if len(line) > LINE_WIDTH:
                yield "%s:%d: %d columns, the limit is %d" % (path, number, len(line), LINE_WIDTH)


@lint
def whitespace(tree):
    for path in tree.match(r"\.(cpp|h|td|def|py|cmake|md|tile|sched|mlir|test|json|txt)$|^scripts/"):
        text = tree.text(path)
        if text and not text.endswith("\n"):
            yield "%s: no line break at the end of the file" % path
        for number, line in tree.lines(path):
            if line != line.rstrip() or ("\t" in line and not path.endswith(".md")):
                yield "%s:%d: a tab, or spaces at the end of the line" % (path, number)


@lint
def kernel_names(tree):
    """lib/ and dialects/ are general: a kernel's name there is a special case in disguise."""
    for path in tree.match(r"^(lib|dialects|include)/"):
        for number, line in [(0, path)] + list(tree.lines(path)):
            found = KERNEL_NAMES.search(line)
            if found:
                yield "%s:%d: `%s` is the name of a kernel; say what the code does in general" % (
                    path, number, found[0])


@lint
def marks(tree):
    """Unfinished work is an error with a reason, or it is finished."""
    for path in tree.match(r"^(lib|dialects|include|tools|test|examples|python-bindings|cmake|scripts)/"):
        for number, line in tree.lines(path):
            found = MARKS.search(line)
            if found:
                yield "%s:%d: `%s` without a reason; finish it, or write %s(why it waits): what" % (
                    path, number, found[0], found[0])


@lint
def machine_paths(tree):
    for path in tree.paths:
        if path.endswith((".npy", ".npz", ".bin", ".png")):
            continue
        for number, line in tree.lines(path):
            found = MACHINE_PATHS.search(line)
            if found:
                yield "%s:%d: `%s…` is a path of one machine" % (path, number, found[0])


@lint
def licence_line(tree):
    wanted = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
    sources = tree.match(r"\.(cpp|c|h|td|def)$") + tree.python_files() + tree.shell_files()
    for path in sorted(set(sources) - set(tree.match(r"^\.ci/|/Inputs/"))):
        if wanted not in "\n".join(tree.text(path).splitlines()[:40]):
            yield "%s: no line `%s` near the top" % (path, wanted)


@lint
def layering(tree):
    """Libraries depend downwards only; the order stands in cmake/rooms.txt."""
    yield from rooms.check(tree)


def snake(name):
    """FooBarPTX -> foo_bar_ptx: tests carry the words of the file they test."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


@lint
def pass_tests(tree):
    """One pass, one file, one test of the same words in the mirrored folder."""
    have = set(tree.paths)
    for path in tree.match(r"^lib/.*\.cpp$"):
        if not re.search(r"^#define GEN_PASS_DEF_\w+", tree.text(path), re.M):
            continue
        folder, name = os.path.split(path[len("lib/"):-len(".cpp")])
        wanted = [os.path.join("test", folder, snake(name) + suffix) for suffix in (".mlir", ".tile", ".test")]
        if not have & set(wanted):
            yield "%s: this pass has no test %s" % (path, wanted[0])


@lint
def examples_index(tree):
    """An example that no page names is found by nobody."""
    pages = "\n".join(tree.text(path) for path in tree.match(r"^docs/.*\.md$|^examples/README\.md$"))
    for path in tree.match(r"^examples/.*\.tile$"):
        if not re.search(r"(?<![\w-])" + re.escape(os.path.basename(path)), pages):
            yield "%s: named neither in examples/README.md nor in docs/" % path


@lint
def pages_index(tree):
    """Every page of docs/ is linked from another page."""
    for path in tree.match(r"^docs/.*\.md$"):
        if os.path.basename(path) == "README.md":
            continue
        linked = any(os.path.normpath(os.path.join(os.path.dirname(page), target.split("#")[0])) == path
                     for page in tree.match(r"\.md$") if page != path
                     for target in re.findall(r"\]\(([^)\s]+)\)", tree.text(page)))
        if not linked:
            yield "%s: no page links it; docs/README.md is the index" % path


@lint
def links(tree):
    """Links between pages lead somewhere."""
    for path in tree.match(r"\.md$"):
        fenced = False
        for number, line in tree.lines(path):
            fenced ^= line.lstrip().startswith("```")
            for target in [] if fenced else re.findall(r"\]\(([^)\s]+)\)", line):
                target = target.split("#")[0]
                if not target or re.match(r"\w+:", target):
                    continue
                if not os.path.exists(os.path.join(tree.root, os.path.dirname(path), target)):
                    yield "%s:%d: the link `%s` leads nowhere" % (path, number, target)


@lint
def scripts_parse(tree):
    for path in tree.python_files():
        try:
            ast.parse(tree.text(path), path)
        except SyntaxError as error:
            yield "%s:%s: %s" % (path, error.lineno, error.msg)
    for path in tree.shell_files():
        done = subprocess.run(["bash", "-n", os.path.join(tree.root, path)], capture_output=True, text=True, check=False)
        if done.returncode:
            yield "%s: %s" % (path, done.stderr.strip())
    for path in tree.match(r"^(scripts|\.ci)/[^/.]+$"):
        if tree.text(path).startswith("#!") and not os.access(os.path.join(tree.root, path), os.X_OK):
            yield "%s: a script that cannot be run; chmod +x" % path


@lint
def test_checks(tree):
    """A test that pipes into FileCheck and checks nothing always passes."""
    for path in tree.match(r"^test/.*\.(mlir|tile|test)$"):
        text = tree.text(path)
        for number, line in tree.lines(path):
            if "RUN:" not in line or not re.search(r"\bFileCheck\b", line):
                continue
            prefixes = re.findall(r"--?check-prefix(?:es)?[= ]([\w,-]+)", line)
            names = ",".join(prefixes).split(",") if prefixes else ["CHECK"]
            foreign = re.search(r"FileCheck\s+(?!%s)[\w%/.{}]+", line)
            for name in [] if foreign else names:
                if not re.search(r"\b%s(-NEXT|-SAME|-DAG|-LABEL|-EMPTY|-COUNT-\d+)?(\{LITERAL\})?:" % name, text):
                    yield "%s:%d: FileCheck looks for `%s`, and no line demands anything" % (path, number, name)


@lint
def formatting(tree):
    """clang-format 22, the style of .clang-format; scripts/lint -f applies it."""
    tool = shutil.which("clang-format-22")
    if not tool:
        yield "clang-format-22 is missing: scripts/setup installs it"
        return
    files = [path for path in tree.match(r"\.(cpp|h|c)$") if "/Inputs/" not in path]
    if not files:
        return
    done = subprocess.run([tool, "--style=file", "--dry-run"] + files, cwd=tree.root, capture_output=True, text=True,
                          check=False)
    reported = set()
    for path, line in re.findall(r"^(\S+?):(\d+):\d+: warning: code should be clang-formatted", done.stderr, re.M):
        if path not in reported:
            reported.add(path)
            yield "%s:%s: not as clang-format writes it; scripts/lint -f" % (path, line)
    if done.returncode:
        yield ".clang-format: " + done.stderr.strip()


def format_files(tree):
    files = [path for path in tree.match(r"\.(cpp|h|c)$") if "/Inputs/" not in path]
    if files:
        subprocess.run(["clang-format-22", "-i", "--style=file"] + files, cwd=tree.root, check=True)
    return len(files)


def excuses(tree):
    """{(lint, path): reason}; a line without a reason is refused."""
    found, wrong = {}, []
    if EXCUSES in tree.paths:
        for number, line in tree.lines(EXCUSES):
            if not line.strip() or line.startswith("#"):
                continue
            words = line.split(None, 2)
            if len(words) < 3 or words[0] not in LINTS:
                wrong.append("%s:%d: wanted `lint path reason`" % (EXCUSES, number))
            else:
                found[words[0], words[1]] = words[2]
    return found, wrong


def run(tree, names):
    """Runs the lints; gives {lint: findings} less those excused. An excuse that nothing needs is a finding."""
    excused, wrong = excuses(tree)
    needed, results = set(), {}
    for name in names:
        results[name] = []
        for finding in LINTS[name](tree):
            path = finding.split(":")[0]
            if (name, path) in excused:
                needed.add((name, path))
            else:
                results[name].append(finding)
    wrong += ["%s: `%s %s` excuses nothing; delete the line" % (EXCUSES, name, path)
              for name, path in excused if name in names and (name, path) not in needed]
    results["excuses"] = wrong
    return results


def main(argv):
    parser = argparse.ArgumentParser(prog="scripts/lint", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-f", "--fix", action="store_true")
    parser.add_argument("--counted", action="store_true", help="close with the sum, for scripts/check")
    parser.add_argument("lints", nargs="*", metavar="LINT", help=", ".join(LINTS))
    options = parser.parse_args(argv)
    unknown = [name for name in options.lints if name not in LINTS]
    if unknown:
        parser.error("unknown lint '%s'; there are: %s" % (unknown[0], ", ".join(LINTS)))
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if options.fix:
        print("clang-format wrote %d files" % format_files(Tree(root)))
    results = run(Tree(root), options.lints or list(LINTS))
    for name, findings in results.items():
        for finding in findings:
            print("%s [%s]" % (finding, name))
    failed = sum(bool(findings) for findings in results.values())
    if options.counted:
        print("%d passed, %d failed" % (len(results) - failed, failed))
    elif failed:
        print("%d findings" % sum(map(len, results.values())), file=sys.stderr)
    return 1 if failed else 0
