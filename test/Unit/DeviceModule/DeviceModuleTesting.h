// Kernels in the language to device code, for tests.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_DEVICEMODULE_DEVICEMODULETESTING_H
#define TESSERA_TEST_UNIT_DEVICEMODULE_DEVICEMODULETESTING_H

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Conversion/DeviceModule.h"
#include "tessera/Conversion/Scheduled.h"
#include "tessera/Frontend/Frontend.h"
#include "tessera/Runtime/Plan.h"

#include "mlir/IR/MLIRContext.h"

namespace tessera::testing {

/// The only kernel of a source text, with the library's schedule or with none.
class KernelCode {
public:
  KernelCode(const std::string &kernel, const std::string &text, bool isScheduled = false) {
    SourceManager sources;
    DiagnosticEngine engine(sources);
    std::unique_ptr<Program> program = Program::loadBuffer(text, "kernel.tile", engine);
    mlir::OwningOpRef<mlir::ModuleOp> module =
        program ? program->instantiate(kernel, {}, context) : nullptr;
    std::string problems;
    if (module && isScheduled) {
      module = convert::scheduleByDefault(*module, kernel, "sm_80", problems);
    }
    mlir::FailureOr<convert::DeviceModule> made = mlir::failure();
    if (module) {
      made = convert::buildDeviceModule(*module, kernel, "sm_80");
    }
    llvm::raw_string_ostream os(problems);
    engine.render(os);
    EXPECT_TRUE(mlir::succeeded(made)) << problems;
    if (mlir::succeeded(made)) {
      code = std::move(*made);
    } else {
      code.records.emplace_back(); // so that a test goes on to its next expectation
    }
  }

  const runtime::LaunchRecord &record() const { return code.records.front(); }

  /// The version that a launch takes and its grid; or why it takes none.
  std::string planned(const std::vector<runtime::Argument> &arguments) const {
    runtime::Result<runtime::LaunchPlan> plan = runtime::planLaunch(record(), arguments);
    return plan ? record().versions[plan->version].symbol + " " + std::to_string(plan->grid)
                : plan.error().message();
  }

  mlir::MLIRContext context;
  convert::DeviceModule code;
};

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_DEVICEMODULE_DEVICEMODULETESTING_H
