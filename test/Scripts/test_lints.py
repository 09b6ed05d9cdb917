"""Each lint finds what was planted and accepts the near miss."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts", "support"))
import lints
import rooms

SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
ROOMS = "Tools\nCheck > Reference   Frontend\nDialect\nNumeric\nSupport # the ground\n"


class Planted(unittest.TestCase):
    def found(self, name, files):
        """Findings of one lint over a tree of {path: text}."""
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return lints.run(lints.Tree(root), [name])

    def flags(self, name, files, *parts):
        found = self.found(name, files)[name]
        self.assertEqual(len(found), len(parts), found)
        for part, finding in zip(parts, found):
            self.assertIn(part, finding)

    def test_line_budget(self):
        self.flags("line-budget", {"lib/A/a.cpp": "\n" * 600, "dialects/T/t.td": "\n" * 500, "test/t.mlir": "\n" * 300})
        self.flags("line-budget", {"lib/A/a.cpp": "\n" * 601}, "601 lines, the budget is 600")
        self.flags("line-budget", {"dialects/T/t.td": "\n" * 501}, "budget is 500")
        self.flags("line-budget", {"test/A/t.mlir": "\n" * 301}, "budget is 300")

    def test_line_width(self):
        limit = lints.LINE_WIDTH
        self.flags("line-width", {"lib/A/a.cpp": "x" * limit + "\n"})
        self.flags("line-width", {"lib/A/a.cpp": "\n" + "x" * (limit + 1) + "\n"}, "a.cpp:2: %d columns" % (limit + 1))

    def test_whitespace(self):
        self.flags("whitespace", {"lib/a.h": "int a;\n"})
        self.flags("whitespace", {"lib/a.h": "int a; \n\tint b;\nint c;"}, "no line break", "a.h:1", "a.h:2")

    def test_kernel_names(self):
        name = "Soft" + "max"
        self.flags("kernel-names", {"lib/A/a.cpp": "// online %s\n" % name, "examples/k.tile": name + "\n"},
                   "a.cpp:1: `%s`" % name)

    def test_marks(self):
        mark = "TO" + "DO"
        self.flags("marks", {"lib/a.cpp": "// %s: later\n" % mark}, "a.cpp:1")
        self.flags("marks", {"lib/a.cpp": "// %s(waits for the sm_100 encodings): add\n" % mark})

    def test_machine_paths(self):
        self.flags("machine-paths", {"scripts/a": "cd /home" + "/me/x\n"}, "scripts/a:1")
        self.flags("machine-paths", {"scripts/a": "cd ${TMPDIR:-/tmp}/x; cd build/tmp/x\n"})

    def test_licence_line(self):
        self.flags("licence-line", {"lib/a.cpp": SPDX, "scripts/x.py": "import os\n", "include/b.h": "\n"},
                   "include/b.h", "scripts/x.py")

    def test_layering_of_includes(self):
        files = {"cmake/rooms.txt": ROOMS, "lib/Numeric/a.cpp": '#include "tessera/Support/X.h"\n'}
        self.flags("layering", files)
        files["lib/Numeric/b.cpp"] = '\n#include "tessera/Dialect/Tile/X.h"\n'
        self.flags("layering", files, "b.cpp:2: `Numeric` includes `tessera/Dialect/Tile/X.h`")
        self.flags("layering", {"cmake/rooms.txt": ROOMS, "lib/Cellar/a.cpp": ""}, "the room `Cellar` does not stand")

    def test_layering_of_links(self):
        files = {"cmake/rooms.txt": ROOMS, "lib/Check/CMakeLists.txt": "tessera_library(TesseraCheck SRCS a.cpp)\n",
                 "lib/Numeric/CMakeLists.txt": "tessera_library(TesseraNumeric SRCS a.cpp LINK TesseraCheck)\n"}
        self.flags("layering", files, "`TesseraNumeric` links `TesseraCheck` of the room `Check`")

    def test_rooms_table(self):
        allowed = rooms.parse(ROOMS)
        self.assertEqual(allowed["Check"], {"Check", "Reference", "Dialect", "Numeric", "Support"})
        self.assertEqual(allowed["Reference"], {"Reference", "Dialect", "Numeric", "Support"})
        self.assertEqual(allowed["Frontend"], {"Frontend", "Dialect", "Numeric", "Support"})
        self.assertEqual(allowed["Support"], {"Support"})

    def test_pass_tests(self):
        text = "#define GEN_PASS_DEF_FOO\n"
        self.flags("pass-tests", {"lib/T/LowerPTXViews.cpp": text}, "no test test/T/lower_ptx_views.mlir")
        self.flags("pass-tests", {"lib/T/LowerPTXViews.cpp": text, "test/T/lower_ptx_views.mlir": ""})

    def test_examples_index(self):
        files = {"examples/a/add.tile": "", "docs/x.md": "[add](../examples/a/add.tile)"}
        self.flags("examples-index", files)
        files["examples/a/d.tile"] = ""
        self.flags("examples-index", files, "examples/a/d.tile")

    def test_pages_index(self):
        files = {"docs/README.md": "[a](a.md) [b](r/b.md#x)\n", "docs/a.md": "", "docs/r/b.md": "[c](../c.md)\n", "docs/c.md": ""}
        self.flags("pages-index", files)
        files["docs/r/d.md"] = "[d](d.md)\n"
        self.flags("pages-index", files, "docs/r/d.md")

    def test_links(self):
        files = {"docs/a.md": "[b](b.md#x) [c](#y) [d](https://example.org)\n```\n[e](gone.md)\n```\n", "docs/b.md": ""}
        self.flags("links", files)
        files["docs/b.md"] = "\n[gone](../gone.md)\n"
        self.flags("links", files, "docs/b.md:2: the link `../gone.md`")

    def test_scripts_parse(self):
        self.flags("scripts-parse", {"test/a.py": "x = 1\n", "scripts/b.sh": "if true; then echo; fi\n"})
        self.flags("scripts-parse", {"test/a.py": "x = (\n", "scripts/b.sh": "if true\n", "scripts/c": "#!/bin/sh\n"},
                   "test/a.py:1", "scripts/b.sh", "scripts/c: a script that cannot be run")

    def test_test_checks(self):
        run = "// RUN: tile-opt %s | FileCheck %s"
        self.flags("test-checks", {"test/a.mlir": run + "\n// CHECK-LABEL: f\n"})
        self.flags("test-checks", {"test/a.mlir": run + "\n// CHECK-NOT: f\n"}, "looks for `CHECK`")
        self.flags("test-checks", {"test/a.mlir": run + " --check-prefixes=A,B\n// A: f\n"}, "looks for `B`")

    def test_formatting(self):
        style = "BasedOnStyle: LLVM\n"
        self.flags("formatting", {".clang-format": style, "lib/a.cpp": "int a;\n"})
        self.flags("formatting", {".clang-format": style, "lib/a.cpp": "int a;\nint  b;\n"}, "lib/a.cpp:2")

    def test_excuses(self):
        files = {"lib/a.cpp": "\n" * 700, lints.EXCUSES: "line-budget lib/a.cpp a table of one thing\n"}
        self.flags("line-budget", files)
        files[lints.EXCUSES] += "line-budget lib/b.cpp gone\nline-budget lib/a.cpp\n"
        wrong = self.found("line-budget", files)["excuses"]
        self.assertEqual(len(wrong), 2, wrong)
        self.assertIn("wanted `lint path reason`", wrong[0])
        self.assertIn("excuses nothing", wrong[1])


if __name__ == "__main__":
    unittest.main()
