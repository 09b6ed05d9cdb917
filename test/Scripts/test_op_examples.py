"""check-op-examples wraps each form of example as the program that it means."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import importlib.machinery
import importlib.util
import os
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LOADER = importlib.machinery.SourceFileLoader("check_op_examples", os.path.join(ROOT, "scripts", "check-op-examples"))
examples = importlib.util.module_from_spec(importlib.util.spec_from_loader(LOADER.name, LOADER))
LOADER.exec_module(examples)


class Program(unittest.TestCase):
    def test_ops_stand_in_a_function(self):
        self.assertEqual(examples.program("  tile.fence\n", {}), "func.func @example() {\ntile.fence\nreturn\n}\n")
        self.assertEqual(examples.program("  // given %r: !tile.ring<3>\n  tile.commit %r\n", {}),
                         "func.func @example(%r: !tile.ring<3>) {\ntile.commit %r\nreturn\n}\n")
        self.assertEqual(examples.program("  // given %r: f32\n  // given %s: f32, %t: f32\n  op\n  // given\n", {}),
                         "func.func @example(%r: f32, %s: f32, %t: f32) {\nop\n// given\nreturn\n}\n")

    def test_kernels_and_instructions_stand_alone(self):
        for text in ("tile.kernel @k() {\n}\n", "%x\ntile.kernel @k()\n", "tile.instr @i on \"a\" {\n}\n"):
            self.assertEqual(examples.program(text, {}), text)

    def test_types_and_attributes(self):
        self.assertEqual(examples.program("    !tile.slot\n", {}), "func.func private @example(!tile.slot)\n")
        self.assertEqual(examples.program("    #tile.iter<>\n", {}),
                         "func.func private @example() attributes {example = #tile.iter<>}\n")

    def test_applied_instructions_are_declared(self):
        declared = {"i": "tile.instr @i\n", "j": "tile.instr @j\n"}
        self.assertEqual(examples.program("tile.apply @i {\n}\ntile.apply @i {\n}\n", declared).count("tile.instr"), 1)
        self.assertTrue(examples.program("tile.apply @j {\n}\n", declared).startswith("tile.instr @j\nfunc.func"))
        # One that nobody declares is left to tile-opt.
        self.assertTrue(examples.program("tile.apply @k {\n}\n", declared).startswith("func.func"))


if __name__ == "__main__":
    unittest.main()
