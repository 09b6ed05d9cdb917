// Compiling, running, comparing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Subject.h"

#include "tessera/Check/Random.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tessera;
using namespace tessera::schedulefuzz;

const schedule::PrimitiveRegistry &schedulefuzz::registry() {
  static const schedule::PrimitiveRegistry made = [] {
    schedule::PrimitiveRegistry registry;
    schedule::addAllPrimitives(registry);
    return registry;
  }();
  return made;
}

std::string schedulefuzz::textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

//===-- Compiling --------------------------------------------------------------------------------------------------===//

Subject::Subject(ScheduleKernel given)
    : kernel(std::move(given)), context(mlir::MLIRContext::Threading::DISABLED) {
  context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { return mlir::success(); });
  results.resize(kernel.sizes.size());
  program = Program::loadBuffer(kernel.text, kernel.name + ".tile", engine);
  if (program) {
    source = program->instantiate(kernel.name, {}, context);
  }
  if (!source) {
    llvm::raw_string_ostream os(unusable);
    engine.render(os, false);
    return;
  }
  declared = std::make_unique<Instructions>(*program);
  instructions = std::make_unique<schedule::FrontendInstructions>(*declared, engine);
  for (size_t size = 0; size < sizeCount() && unusable.empty(); ++size) {
    const KernelRun &run = expected(size);
    unusable = run.errors.empty() ? "" : run.errors.front();
  }
}

bool Subject::isSmall(size_t size) const {
  return llvm::all_of(kernel.sizes[size], [](const auto &extent) { return extent.second <= 8; });
}

std::unique_ptr<schedule::ScheduleHost> Subject::host(const ScheduleFuzzOptions &options) {
  schedule::ScheduleHost::Options made;
  made.target = *schedule::TargetRecord::named(options.target);
  made.registry = options.registry ? options.registry : &registry();
  made.instructions = instructions.get();
  made.sources = &sources;
  llvm::Expected<std::unique_ptr<schedule::ScheduleHost>> host =
      schedule::ScheduleHost::create(*source, kernel.name, std::move(made));
  if (!host) {
    unusable = llvm::toString(host.takeError());
    return nullptr;
  }
  return std::move(*host);
}

//===-- Running ----------------------------------------------------------------------------------------------------===//

/// Enough for every kernel here by far; what needs more does not end.
static constexpr uint64_t kMaxSteps = 4'000'000;

static uint64_t contentsSeed(size_t size) { return 0x5EED + size; }

const KernelRun &Subject::expected(size_t size) {
  if (!results[size]) {
    RunOptions options;
    options.maxSteps = kMaxSteps;
    auto op = source->lookupSymbol<tile::KernelOp>(kernel.name);
    std::optional<KernelRun> run =
        runKernel(op, kernel.sizes[size], contentsSeed(size), options, kernel.contents);
    results[size] = run ? *run : KernelRun();
    if (!run) {
      results[size]->errors.push_back("it cannot be launched");
    }
  }
  return *results[size];
}

/// A version is launched where its conditions hold; arrays begin at multiples of 256 bytes.
bool Subject::mayLaunch(schedule::ScheduleHost &host, tile::KernelOp scheduled,
                        const std::map<std::string, int64_t> &extents) {
  solver::Assignment values;
  for (const solver::Fact &fact : host.assumedFacts(scheduled.getSymName())) {
    llvm::SmallVector<solver::Expr> atoms;
    solver::collectAtoms({fact.condition}, atoms);
    for (solver::Expr atom : atoms) {
      auto extent = extents.find(atom.declaration().name);
      values.set(atom, extent == extents.end() ? 256 : extent->second);
    }
    std::optional<solver::Int> holds = solver::evaluate(fact.condition, values);
    if (!holds || *holds == 0) {
      return false;
    }
  }
  return true;
}

std::string Subject::difference(schedule::ScheduleHost &host, size_t size, ScheduleCounts &counts,
                                std::optional<uint64_t> adversary) {
  const std::map<std::string, int64_t> &extents = kernel.sizes[size];
  for (tile::KernelOp scheduled : host.kernels()) {
    if (!mayLaunch(host, scheduled, extents)) {
      continue;
    }
    RunOptions options;
    options.maxSteps = kMaxSteps;
    options.adversarial = adversary;
    ++(adversary ? counts.adversarialRuns : counts.runs);
    std::optional<KernelRun> run =
        runKernel(scheduled, extents, contentsSeed(size), options, kernel.contents);
    std::string wrong =
        run ? expected(size).difference(*run) : std::string("errors: it cannot be launched");
    if (wrong.empty()) {
      continue;
    }
    std::string text = wrong.rfind("errors: ", 0) == 0 ? wrong : "bits: " + wrong;
    text += " (`" + scheduled.getSymName().str() + "`,";
    for (const auto &[name, value] : extents) {
      text += " " + name + " = " + std::to_string(value);
    }
    return text + (adversary ? ", adversary " + std::to_string(*adversary) : "") + ")";
  }
  return "";
}
