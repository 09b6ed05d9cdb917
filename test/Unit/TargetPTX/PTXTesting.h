// Modules of LLVM IR text to PTX, for tests.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_TARGETPTX_PTXTESTING_H
#define TESSERA_TEST_UNIT_TARGETPTX_PTXTESTING_H

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Target/PTX/Ptxas.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <regex>

namespace tessera::ptx::testing {

inline std::unique_ptr<llvm::Module> parseModule(llvm::LLVMContext &context,
                                                 const std::string &text) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  if (!module) {
    ADD_FAILURE() << error.getMessage().str() << " in line " << error.getLineNo() << " of\n"
                  << text;
  }
  return module;
}

/// The PTX, or `error: ` and the text of the error.
inline std::string emitText(const std::string &ir, Arch arch = Arch::sm_90a,
                            EmitTimes *times = nullptr, bool byLLVM = false) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parseModule(context, ir);
  TargetOptions options;
  options.arch = arch;
  options.byLLVM = byLLVM;
  llvm::Expected<std::string> text =
      module ? emitPTX(*module, options, times) : llvm::Expected<std::string>("no module");
  return text ? *text : "error: " + llvm::toString(text.takeError());
}

/// The PTX of LLVM's code generator.
inline std::string emitByLLVM(const std::string &ir) {
  return emitText(ir, Arch::sm_90a, nullptr, /*byLLVM=*/true);
}

/// A kernel `k` with arguments of every kind around `body`.
inline std::string kernel(const std::string &body, const std::string &declarations = "") {
  return "@tessera.smem = external addrspace(3) global [0 x i8], align 1024\n"
         "define void @k(ptr addrspace(1) %g, ptr addrspace(1) noalias readonly %c, i64 %n, i32 "
         "%i, "
         "i1 %p, float %f, float %f2, double %d, i16 %h, i8 %b) "
         "\"tessera.threads\"=\"128\" \"tessera.shared_bytes\"=\"4096\" {\n" +
         body + "\nret void\n}\n" + declarations;
}

/// Texts that must follow one another in this order; each is a regular expression of one line, spaces stand for any blank,
/// `<1>` for what the first group of an earlier one found last.
inline ::testing::AssertionResult hasInOrder(const std::string &text,
                                             const std::vector<std::string> &patterns) {
  auto at = text.cbegin();
  std::string group;
  for (std::string pattern : patterns) {
    pattern = std::regex_replace(pattern, std::regex(" +"), "[ \\t]+");
    pattern = std::regex_replace(pattern, std::regex("<1>"), group);
    std::smatch match;
    if (!std::regex_search(at, text.cend(), match, std::regex(pattern))) {
      return ::testing::AssertionFailure() << "no `" << pattern << "` in\n"
                                           << std::string(at, text.cend()) << "of\n"
                                           << text;
    }
    at = match[0].second;
    group = match.size() > 1 ? match[1].str() : group;
  }
  return ::testing::AssertionSuccess();
}

/// Whether ptxas takes it; a true answer, noted, where there is no ptxas.
inline ::testing::AssertionResult assembles(const std::string &ptx, Arch arch) {
  llvm::Expected<std::string> program = findPtxas();
  if (!program) {
    ::testing::Test::RecordProperty("ptxas", llvm::toString(program.takeError()));
    return ::testing::AssertionSuccess();
  }
  PtxasOptions options;
  options.arch = arch;
  llvm::Expected<Assembled> result = assemble(ptx, options);
  if (result) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << llvm::toString(result.takeError()) << "\n" << ptx;
}

} // namespace tessera::ptx::testing

#endif // TESSERA_TEST_UNIT_TARGETPTX_PTXTESTING_H
