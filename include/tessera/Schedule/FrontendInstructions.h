// The instructions that a program declares, as primitives see them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_FRONTENDINSTRUCTIONS_H
#define TESSERA_SCHEDULE_FRONTENDINSTRUCTIONS_H

#include "tessera/Frontend/Instructions.h"
#include "tessera/Schedule/InstructionTable.h"

#include "llvm/ADT/StringSet.h"

namespace tessera::schedule {

class FrontendInstructions : public InstructionTable {
public:
  /// Both outlive it.
  FrontendInstructions(Instructions &source, DiagnosticEngine &engine)
      : source(source), engine(engine) {}

  std::vector<std::string> names() const override { return source.names(); }
  bool knows(llvm::StringRef name) const override;
  bool mayKnow(llvm::StringRef name) const override { return source.mayFind(name); }
  std::string arch(llvm::StringRef name) const override;
  std::vector<std::string> parameters(llvm::StringRef name) const override;
  llvm::Expected<tile::InstrOp> declare(llvm::StringRef name,
                                        const std::map<std::string, int64_t> &constants,
                                        mlir::ModuleOp module) const override;
  std::vector<std::string> types(llvm::StringRef name) const override;
  llvm::Expected<tile::InstrOp> declareAs(llvm::StringRef name,
                                          const std::map<std::string, std::string> &constants,
                                          mlir::ModuleOp module) const override;

private:
  Instructions &source;
  DiagnosticEngine &engine;
  mutable llvm::StringSet<> known; ///< all names, once one was asked for
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_FRONTENDINSTRUCTIONS_H
