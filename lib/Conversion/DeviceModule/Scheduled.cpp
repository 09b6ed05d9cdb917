// The library's schedules for kernels that have none.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Conversion/Scheduled.h"

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Frontend/Frontend.h"
#include "tessera/Schedule/Apply.h"
#include "tessera/Schedule/FrontendInstructions.h"
#include "tessera/Schedule/LaunchFacts.h"

#include "llvm/Support/MemoryBuffer.h"
#include "mlir/IR/Diagnostics.h"

#include <set>

using namespace tessera;

bool convert::isScheduled(mlir::ModuleOp module) {
  bool found = false;
  module.walk([&](mlir::Operation *op) {
    found |= op->hasAttr(tile::iterAttrName) || op->hasAttr(tile::warpsAttrName) ||
             op->hasAttr(schedule::versionOfAttr) ||
             llvm::isa<tile::AllocOp, tile::ApplyOp, tile::ParOp, tile::TasksOp>(op);
  });
  return found;
}

/// `sm_90a`: 90, and whether it has letters.
static std::pair<unsigned, bool> versionOf(llvm::StringRef arch) {
  unsigned version = 0;
  arch.consume_front("sm_");
  arch.consumeInteger(10, version);
  return {version, !arch.empty()};
}

/// Code for a target runs on later ones too, unless its name has a letter.
static const script::Schedule *latestFor(const script::Program &scripts, llvm::StringRef kernel,
                                         llvm::StringRef target) {
  const script::Schedule *best = nullptr;
  for (const script::Schedule *each : scripts.schedules()) {
    auto [version, isOfOne] = versionOf(each->target.text);
    bool serves = each->target.text == target || (!isOfOne && version <= versionOf(target).first);
    bool isBetter = !best || versionOf(best->target.text) < versionOf(each->target.text);
    best = each->name.text == kernel && serves && isBetter ? each : best;
  }
  return best;
}

/// Where neither word stands there is no schedule, in this file or in one that it imports. To read the file once more, and the
/// library's declarations with it, takes as long as all steps of a small kernel's schedule.
static bool maySchedule(llvm::StringRef file) {
  auto text = llvm::MemoryBuffer::getFile(file);
  return !text || (*text)->getBuffer().contains("schedule") ||
         (*text)->getBuffer().contains("import");
}

mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
convert::scheduleByFile(mlir::ModuleOp module, llvm::StringRef kernel, llvm::StringRef target,
                        llvm::StringRef file, std::string &problems) {
  llvm::raw_string_ostream os(problems);
  std::optional<schedule::TargetRecord> record = schedule::TargetRecord::named(target);
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = file.ends_with(".tile") && record && maySchedule(file)
                                         ? Program::load(file, engine)
                                         : nullptr;
  script::Program scripts(engine);
  bool isRead = program && (program->scripts().empty() || scripts.loadBlocks(program->scripts()));
  if (program && !isRead) {
    engine.render(os);
    return mlir::failure();
  }
  llvm::StringRef base = kernel.take_until([](char c) { return c == '<'; });
  const script::Schedule *own = isRead ? latestFor(scripts, base, target) : nullptr;
  if (!own) {
    return mlir::OwningOpRef<mlir::ModuleOp>();
  }
  Instructions declared(*program);
  schedule::FrontendInstructions table(declared, engine);
  schedule::ApplyOptions options;
  std::string said;
  llvm::raw_string_ostream printed(said);
  options.run.out = &printed;
  options.instructions = &table;
  options.verdicts = schedule::shippedVerdicts();
  schedule::Ledger ledger;
  mlir::OwningOpRef<mlir::ModuleOp> result =
      schedule::applySchedule(module, kernel, scripts, *own, *record, options, ledger);
  if (!result) {
    engine.render(os);
    return mlir::failure();
  }
  return result;
}

mlir::OwningOpRef<mlir::ModuleOp>
convert::scheduleByDefault(mlir::ModuleOp module, llvm::StringRef kernel, llvm::StringRef target,
                           std::string &problems, llvm::StringRef cache) {
  llvm::raw_string_ostream os(problems);
  std::optional<schedule::TargetRecord> record = schedule::TargetRecord::named(target);
  if (!record) {
    os << "`" << target << "` is no target that is known; there are "
       << schedule::TargetRecord::known();
    return nullptr;
  }
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer("", "library", engine);
  if (!program) {
    engine.render(os);
    return nullptr;
  }
  Instructions declared(*program);
  schedule::FrontendInstructions table(declared, engine);
  schedule::ApplyOptions options;
  std::string said;
  llvm::raw_string_ostream printed(said);
  options.run.out = &printed;
  // The rules of the library are tested step by step; verifying after each takes a fifth of their time.
  options.verifyEach = false;
  options.instructions = &table;
  options.verdicts = schedule::shippedVerdicts();
  options.cacheFile = cache.str();
  schedule::Ledger ledger;
  mlir::OwningOpRef<mlir::ModuleOp> result =
      schedule::applyDefault(module, kernel, engine, *record, options, ledger);
  for (const std::string &problem :
       std::set<std::string>(ledger.problems.begin(), ledger.problems.end())) {
    mlir::emitWarning(module.getLoc()) << problem;
  }
  if (!result) {
    engine.render(os);
  }
  return result;
}
