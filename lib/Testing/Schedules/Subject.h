// A compiled kernel with the results of its source, and the comparisons that judge a schedule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_TESTING_SCHEDULES_SUBJECT_H
#define TESSERA_LIB_TESTING_SCHEDULES_SUBJECT_H

#include "tessera/Frontend/Frontend.h"
#include "tessera/Frontend/Instructions.h"
#include "tessera/Schedule/FrontendInstructions.h"
#include "tessera/Schedule/ScheduleHost.h"
#include "tessera/Testing/ScheduleFuzz.h"

#include "mlir/IR/MLIRContext.h"

namespace tessera::schedulefuzz {

class Subject {
public:
  explicit Subject(ScheduleKernel kernel);

  /// Why it cannot be used; empty if it can.
  std::string unusable;

  mlir::ModuleOp module() { return *source; }
  const ScheduleKernel &info() const { return kernel; }
  size_t sizeCount() const { return kernel.sizes.size(); }
  bool isSmall(size_t size) const;
  /// A host on a fresh copy of the kernel.
  std::unique_ptr<schedule::ScheduleHost> host(const ScheduleFuzzOptions &options);

  /// The first difference from the source between runs of every kernel that a launch of this size may take, or nothing.
  /// `adversary`: a seed; then a run under the adversary.
  std::string difference(schedule::ScheduleHost &host, size_t size, ScheduleCounts &counts,
                         std::optional<uint64_t> adversary = std::nullopt);

private:
  bool mayLaunch(schedule::ScheduleHost &host, tile::KernelOp scheduled,
                 const std::map<std::string, int64_t> &extents);
  const KernelRun &expected(size_t size);

  ScheduleKernel kernel;
  mlir::MLIRContext context;
  SourceManager sources;
  DiagnosticEngine engine{sources};
  std::unique_ptr<Program> program;
  std::unique_ptr<Instructions> declared;
  std::unique_ptr<schedule::FrontendInstructions> instructions;
  mlir::OwningOpRef<mlir::ModuleOp> source;
  std::vector<std::optional<KernelRun>> results;
};

/// All primitives, made once.
const schedule::PrimitiveRegistry &registry();

std::string textOf(mlir::ModuleOp module);

} // namespace tessera::schedulefuzz

#endif // TESSERA_LIB_TESTING_SCHEDULES_SUBJECT_H
