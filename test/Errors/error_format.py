"""The lit format of error cases; a module of its own, because lit hands formats to its processes."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys

import lit.formats
import lit.Test

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts", "support"))
import error_cases


class ErrorFormat(lit.formats.FileBasedTest):
    """Runs the wrong program and the repaired one of a case."""

    def __init__(self, tools):
        self.tools = tools

    def execute(self, test, lit_config):
        env = dict(test.config.environment, PATH=error_cases.environment(ROOT, self.tools)["PATH"], LC_ALL="C.UTF-8")
        problem = error_cases.check(error_cases.Case(test.getSourcePath()), env)
        return (lit.Test.FAIL, problem) if problem else (lit.Test.PASS, "")
