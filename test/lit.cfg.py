# The suite of the compiler: files with RUN lines, in folders that mirror lib/.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.tessera_source_dir, "test"))
import tessera_lit

tessera_lit.configure(config, lit_config, "tessera", os.path.dirname(os.path.abspath(__file__)))
# lit's own shell: no process for it, and the same behaviour wherever it runs.
config.test_format = lit.formats.ShTest(execute_external=False)
