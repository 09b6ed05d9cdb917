// From a `test` block to the specification that cases are planned from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_FRONTEND_SEMA_SEMATEST_H
#define TESSERA_LIB_FRONTEND_SEMA_SEMATEST_H

#include "Instance.h"

namespace tessera::sema {

/// Nothing with errors reported.
std::optional<TestSpec> buildTestSpec(ModuleSet &modules, const Module &module,
                                      const ast::Kernel &kernel, const ast::Test &test);

/// Value of an expression of the test block that depends on the case (`ints(0, R - 1)`); `values` are those of the
/// case as text of the language. Nothing with errors reported.
std::optional<TestValue> evaluateDeferred(ModuleSet &modules, const Module &module,
                                          const ast::Kernel &kernel, const ast::Test &test,
                                          const DeferredValue &deferred,
                                          const std::map<std::string, std::string> &values);

} // namespace tessera::sema

#endif // TESSERA_LIB_FRONTEND_SEMA_SEMATEST_H
