# The suite of the examples: each kernel runs its own tests, so no example can fall behind the compiler.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

sys.path.insert(0, os.path.join(config.tessera_source_dir, "test"))
import tessera_lit

tessera_lit.configure(config, lit_config, "examples", os.path.dirname(os.path.abspath(__file__)))
config.test_format = tessera_lit.KernelFormat(config.tessera_tools_dir, "tile-run" in config.tessera_tools)
