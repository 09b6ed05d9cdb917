// A program with its instructions, and the ops that they are lowered to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_FRONTEND_INSTRTESTING_H
#define TESSERA_TEST_UNIT_FRONTEND_INSTRTESTING_H

#include "FrontendTesting.h"

#include "tessera/Frontend/Instructions.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

namespace tessera::testing {

struct Library {
  explicit Library(llvm::StringRef text = "")
      : engine(sources), program(load(text)), instructions(*program),
        context(mlir::MLIRContext::Threading::DISABLED),
        module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context))) {}

  /// Without a program no test can go on: the reason is printed.
  std::unique_ptr<Program> load(llvm::StringRef text) {
    std::unique_ptr<Program> loaded = Program::loadBuffer(text, "t.tile", engine);
    if (!loaded) {
      llvm::errs() << errors();
      std::exit(1);
    }
    return loaded;
  }
  std::optional<instr::Instruction> lower(llvm::StringRef name, const instr::Constants &constants) {
    std::optional<instr::Instruction> result =
        instructions.lowerInstr(name, constants, *module, SourceRange());
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
    return result;
  }
  /// The op as text.
  std::string ir(const instr::Instruction &instruction) {
    std::string text;
    llvm::raw_string_ostream os(text);
    instruction.op->print(os);
    return text;
  }
  std::string errors() {
    std::string text;
    llvm::raw_string_ostream os(text);
    engine.render(os, false);
    return text;
  }

  SourceManager sources;
  DiagnosticEngine engine;
  std::unique_ptr<Program> program;
  Instructions instructions;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Declarations before an empty kernel: the only diagnostic, and a part of its help.
struct Declaration {
  const char *name, *text, *expected, *help;
};
inline void expectDeclaration(const Declaration &test) {
  Outcome outcome = compile(std::string(test.text) + "\nkernel k() {}\n");
  EXPECT_EQ(only(outcome), test.expected) << outcome.rendered;
  EXPECT_THAT(help(outcome), HasSubstr(test.help));
}
inline std::string declarationName(const ::testing::TestParamInfo<Declaration> &info) {
  return info.param.name;
}

#define HEAD "on sm_80 scope warp ptx \"x\" "
#define THREAD "on sm_80 scope thread ptx \"x\" "

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_FRONTEND_INSTRTESTING_H
