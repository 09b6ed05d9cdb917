// Programs: the specification that a kernel's test block gives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SemaTest.h"

#include "tessera/Frontend/Frontend.h"

namespace tessera {

static const ast::Test *testOf(const sema::Module &module, llvm::StringRef kernel) {
  auto it = module.tests.find(kernel);
  return it == module.tests.end() ? nullptr : it->second;
}

std::optional<TestSpec> Program::testSpec(llvm::StringRef name, const Settings &) {
  const ast::Kernel *kernel = find(name);
  const ast::Test *test = testOf(*modules->getRoot(), name);
  if (!kernel || !test) {
    return std::nullopt;
  }
  return sema::buildTestSpec(*modules, *modules->getRoot(), *kernel, *test);
}

std::optional<TestValue>
Program::evaluateDeferred(llvm::StringRef name, const DeferredValue &deferred,
                          const std::map<std::string, std::string> &values) {
  const ast::Kernel *kernel = find(name);
  const ast::Test *test = testOf(*modules->getRoot(), name);
  if (!kernel || !test) {
    return std::nullopt;
  }
  return sema::evaluateDeferred(*modules, *modules->getRoot(), *kernel, *test, deferred, values);
}

} // namespace tessera
