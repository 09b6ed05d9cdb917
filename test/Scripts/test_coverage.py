"""diagnostic-coverage, rule-coverage and condition-coverage find what no test has seen, and what only they know of."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

DIALECT = """
include "mlir/IR/OpBase.td"
def D : Dialect { let name = "box"; let cppNamespace = "box"; }
class Family<string m> : Op<D, m> { let description = [{ Words.

    C1. the operands
    have one type.
  }]; }
def A : Family<"a">;
def B : Family<"b">;
def C : Op<D, "c"> { let hasVerifier = 1; let description = [{
    C1. the operands have one type.
    C2. the axis is in range.
  }]; }
"""


class Coverage(unittest.TestCase):
    def run_in(self, files, script, *arguments):
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            done = subprocess.run([os.path.join(ROOT, "scripts", script), "--root", root] +
                                  [os.path.join(root, name) for name in arguments],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout.splitlines()

    def rule_lines(self, test, excuse=""):
        return self.run_in({"dialects/Box/Ops.td": DIALECT, "test/a.mlir": test, "test/rule-excuses.txt": excuse},
                           "rule-coverage")

    def test_all_rules_named(self):
        self.assertEqual(self.rule_lines("// RULE: box.a C1, box.c C1 C2\n"),
                         (0, ["all 4 rules are named by a test or excused"]))

    def test_missing_rules(self):
        # A rule of one wording is shared by declared constraints, never by a verifier of its own.
        self.assertEqual(self.rule_lines("// RULE: box.b C1\n"), (1, [
            "box.c C1: no test names it: the operands have one type.",
            "box.c C2: no test names it: the axis is in range."]))

    def test_unknown_and_unreadable_rules(self):
        self.assertEqual(self.rule_lines("// RULE: box.a C1, box.c C1 C2 C3\n// RULE: all of them\n"), (1, [
            "test/a.mlir:2: cannot read `all of them`; wanted `RULE: op C1 C2, op C3`",
            "test/a.mlir:1: there is no rule box.c C3"]))

    def test_rule_excuses(self):
        named = "// RULE: box.a C1, box.c C1\n"
        self.assertEqual(self.rule_lines(named, "box.c C2 no program reaches it\n")[0], 0)
        status, lines = self.rule_lines(named, "box.c C2\n")
        self.assertEqual((status, len(lines)), (1, 1))
        self.assertIn("rule-excuses.txt:1: wanted 2 words and a reason", lines[0])
        self.assertEqual(self.rule_lines(named + "// RULE: box.c C2\n", "box.c C2 no program reaches it\nbox.z C1 x y\n"),
                         (1, ["box.c C2: named by a test, so its excuse can go",
                              "test/rule-excuses.txt: there is no rule box.z C1"]))

    def test_a_type_with_the_name_of_an_op(self):
        dialect = DIALECT.replace('OpBase.td"', 'OpBase.td"\ninclude "mlir/IR/AttrTypeBase.td"') + """
def T : TypeDef<D, "T"> { let mnemonic = "c"; let description = [{
    C1. there is a slot.
  }]; }
def U : TypeDef<D, "U"> { let mnemonic = "u"; let description = [{
    C1. there is a door.
  }]; }
"""
        def lines(test):
            return self.run_in({"dialects/Box/Ops.td": dialect, "test/a.mlir": test, "test/rule-excuses.txt": ""},
                               "rule-coverage")
        self.assertEqual(lines("// RULE: box.a C1, box.c C1 C2, !box.c C1, box.u C1\n")[0], 0)
        # The op's rule is not the type's.
        self.assertEqual(lines("// RULE: box.a C1, box.c C1 C2, box.u C1\n"),
                         (1, ["!box.c C1: no test names it: there is a slot."]))

    def diagnostic_lines(self, log, excuse="", rows='TESSERA_DIAG(a, "T0001", error, "x")\n'
                                                  'TESSERA_DIAG(b, "T0002", error,\n  "y")\n'):
        return self.run_in({"include/tessera/A/D.def": rows, "log": log, "test/diagnostic-excuses.txt": excuse},
                           "diagnostic-coverage", "log")

    def test_all_diagnostics_seen(self):
        self.assertEqual(self.diagnostic_lines("T0001\nT0002\nT0001\n"),
                         (0, ["all 2 diagnostics are provoked or excused"]))
        self.assertEqual(self.diagnostic_lines("T0001\n", "T0002 only when memory runs out\n")[0], 0)

    def test_unseen_and_unknown_diagnostics(self):
        self.assertEqual(self.diagnostic_lines("T0001\nT0009\n"), (1, [
            "T0002 b: no test provokes it (include/tessera/A/D.def)", "T0009: no table has this code"]))

    def test_stale_excuse(self):
        self.assertEqual(self.diagnostic_lines("T0001\nT0002\n", "T0002 only when memory runs out\n"),
                         (1, ["T0002 b: provoked, so its excuse can go"]))

    def test_double_and_malformed_codes(self):
        rows = 'TESSERA_DIAG(a, "T0001", error, "x")\nTESSERA_DIAG(b, "T0001", error, "y")\n'
        self.assertEqual(self.diagnostic_lines("T0001\n", rows=rows), (1, ["the code T0001 stands in several rows"]))
        self.assertEqual(self.diagnostic_lines("E1\n", rows='TESSERA_DIAG(a, "E1", error, "x")\n'),
                         (1, ["include/tessera/A/D.def: a has the code `E1`, wanted T and four digits"]))

    def condition_lines(self, test, notRun="", source="""
static llvm::Error run(PrimitiveContext &context) {
  if (parameter("word", {"cp_async", "cta_sync"})) {
    return context.refuse("a_kind",
                          "no such op", "help");
  }
  // Refusal none{"a_comment", "words"};
  Refusal refusal{"a_cells", "both touch \\"x\\", and", "help", {{op, "here"}}};
  signature.name = "a_name";
  return checkSwap(context, op, "a_order", "help");
}
"""):
        return self.run_in({"lib/Schedule/Primitives/A.cpp": source, "test/Unit/Schedule/ATest.cpp": test,
                            "test/Unit/Schedule/not-run.txt": notRun}, "condition-coverage")

    def test_all_conditions_shown(self):
        named = 'expectRefused(k, "", "a()", "a_kind", "");\n'
        both = named + 'expectUnsafe(k, "f(x)", "a()", "a_cells", "");\nexpectUnsafe(k, "", "a()", "a_order", "");\n'
        self.assertEqual(self.condition_lines(both), (0, [
            "all 3 refusals are tested: 2 shown by a run, 0 that no run can show, 1 of what cannot be done"]))
        some = named + 'expectUnsafe(k, "", "a()", "a_cells", "");\nexpectRefused(k, "", "a()", "a_order", "");\n'
        self.assertEqual(self.condition_lines(some, "a_order nothing runs\n"), (0, [
            "all 3 refusals are tested: 1 shown by a run, 1 that no run can show, 1 of what cannot be done"]))

    def test_conditions_that_no_run_shows(self):
        test = 'expectRefused(k, "", "a()", "a_cells", "");\nexpectUnsafe(k, "", "a()", "a_order", ""); // a_kind\n'
        self.assertEqual(self.condition_lines(test, "a_order nothing runs\na_word nothing runs\n"), (1, [
            "a_cells: no test shows by `expectUnsafe` what it prevents (A.cpp)",
            "a_kind: no test names it (A.cpp)",
            "a_order: shown by a run, so it can go from test/Unit/Schedule/not-run.txt",
            "a_word: stands in test/Unit/Schedule/not-run.txt, and no primitive refuses with it"]))
        self.assertEqual(self.condition_lines("", "a_order\n")[0], 1)


if __name__ == "__main__":
    unittest.main()
