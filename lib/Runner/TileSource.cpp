// Kernels from a file of the language. Instances are made once for each combination of settings.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelSource.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {
class TileSource : public KernelSource {
public:
  TileSource(mlir::MLIRContext &context, Reporter &reporter)
      : context(context), reporter(reporter), engine(sources) {}

  bool load(llvm::StringRef path) {
    program = Program::load(path, engine);
    flush();
    return program != nullptr;
  }

  std::vector<std::string> kernels() override { return program->kernels(); }
  std::vector<Parameter> parameters(llvm::StringRef kernel) override {
    std::vector<Parameter> result = program->parameters(kernel);
    flush();
    return result;
  }
  std::optional<Signature> signature(llvm::StringRef kernel, const Settings &settings,
                                     bool *excluded) override {
    std::optional<Signature> result = program->signature(kernel, settings, context);
    settle(result.has_value(), excluded);
    return result;
  }
  tile::KernelOp instantiate(llvm::StringRef kernel, const Settings &settings,
                             bool *excluded) override;
  bool hasTest(llvm::StringRef kernel) override { return program->hasTest(kernel); }
  std::optional<TestSpec> testSpec(llvm::StringRef kernel, const Settings &settings) override {
    std::optional<TestSpec> result = program->testSpec(kernel, settings);
    flush();
    return result;
  }
  std::optional<TestValue> resolve(llvm::StringRef kernel, const DeferredValue &deferred,
                                   const std::map<std::string, std::string> &values) override {
    std::optional<TestValue> result = program->evaluateDeferred(kernel, deferred, values);
    flush();
    return result;
  }
  void clearInstances() override { instances.clear(); }

private:
  void flush();
  void settle(bool ok, bool *excluded);

  mlir::MLIRContext &context;
  Reporter &reporter;
  SourceManager sources;
  DiagnosticEngine engine;
  std::unique_ptr<Program> program;
  llvm::StringSet<> shown;
  llvm::StringMap<mlir::OwningOpRef<mlir::ModuleOp>> instances;
};

/// A text that two requests share iff they mean the same instance.
std::string keyOf(llvm::StringRef kernel, const Settings &settings) {
  std::string key = kernel.str();
  for (const auto &[name, value] : settings.values) {
    key += "\n" + name + "=" + value;
  }
  for (const auto &[name, value] : settings.launchExtents) {
    key += "\n" + name + ":" + std::to_string(value);
  }
  return key;
}
} // namespace

/// Shows what the front end has to say. What is wrong with every instance is said once.
void TileSource::flush() {
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    if (shown.insert(diagnostic.code + engine.describePlace(diagnostic.range) + diagnostic.message)
            .second) {
      engine.renderOne(reporter.stream(), diagnostic, false);
    }
  }
  engine.clear();
}

/// Whether the settings were refused because `where` does not admit them, and for no other reason.
void TileSource::settle(bool ok, bool *excluded) {
  auto isWhere = [](const Diagnostic &diagnostic) {
    return diagnostic.severity != Severity::Error || diagnostic.id == diag::where_violated;
  };
  if (excluded && !ok && engine.hasErrors() && llvm::all_of(engine.diagnostics(), isWhere)) {
    *excluded = true;
    engine.clear();
    return;
  }
  flush();
}

tile::KernelOp TileSource::instantiate(llvm::StringRef kernel, const Settings &settings,
                                       bool *excluded) {
  auto [entry, isNew] = instances.try_emplace(keyOf(kernel, settings));
  if (isNew) {
    entry->second = program->instantiate(kernel, settings, context);
    settle(bool(entry->second), excluded);
  }
  if (!entry->second) {
    // The next request is told the reason again.
    instances.erase(entry);
    return nullptr;
  }
  auto kernels = entry->second->getOps<tile::KernelOp>();
  return kernels.empty() ? nullptr : *kernels.begin();
}

std::unique_ptr<KernelSource>
tessera::openTileSource(llvm::StringRef path, mlir::MLIRContext &context, Reporter &reporter) {
  auto source = std::make_unique<TileSource>(context, reporter);
  if (!source->load(path)) {
    return nullptr;
  }
  return source;
}
