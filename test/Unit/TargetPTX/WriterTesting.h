// Modules of LLVM IR text through the writer of PTX alone: no passes in front of it, no other code generator behind it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_TARGETPTX_WRITERTESTING_H
#define TESSERA_TEST_UNIT_TARGETPTX_WRITERTESTING_H

#include "../../../lib/Target/PTX/Backend.h"
#include "../../../lib/Target/PTX/Writer.h"
#include "PTXTesting.h"

#include "llvm/Target/TargetMachine.h"

namespace tessera::ptx::testing {

/// The text, or `error: ` and the reason.
inline std::string writeText(const std::string &ir, Arch arch = Arch::sm_90a) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parseModule(context, ir);
  TargetOptions options;
  options.arch = arch;
  options.ptxVersion = lowestVersion(arch);
  auto machine = createMachine(options);
  if (!module || !machine) {
    llvm::consumeError(machine.takeError());
    return "error: no module";
  }
  module->setTargetTriple((*machine)->getTargetTriple());
  module->setDataLayout((*machine)->createDataLayout());
  llvm::Expected<std::string> text = writePTX(*module, options);
  return text ? *text : "error: " + llvm::toString(text.takeError());
}

/// A kernel `k` with arguments of every kind around `body`.
inline std::string plain(const std::string &body, const std::string &declarations = "") {
  return "define ptx_kernel void @k(ptr addrspace(1) %g, ptr addrspace(1) noalias readonly %c, i64 "
         "%n, i32 %i, i1 %p, "
         "float %f, float %f2, double %d, i16 %h, i8 %b, i1 %q, double %d2) "
         "\"nvvm.reqntid\"=\"32\" {\n" +
         body + "\nret void\n}\n" + declarations;
}

/// The text for `body`, which ends in a value `%v` of the type, stored; checked with ptxas on every target.
inline std::string written(const std::string &type, const std::string &body,
                           const std::string &declarations = "") {
  std::string end = type == "i1" ? "\n%end = zext i1 %v to i32\nstore i32 %end, ptr addrspace(1) %g"
                                 : "\nstore " + type + " %v, ptr addrspace(1) %g, align 16";
  std::string ir = plain(body + end, declarations);
  for (Arch arch : allArchs) {
    std::string text = writeText(ir, arch);
    EXPECT_EQ(text.find("error: "), std::string::npos) << text;
    EXPECT_TRUE(assembles(text, arch));
  }
  return writeText(ir);
}

/// A body that makes `%v`, and what stands in its text.
struct WriterCase {
  const char *type, *body;
  std::vector<std::string> text;
};

inline void checkWritten(const std::vector<WriterCase> &cases,
                         const std::string &declarations = "") {
  for (const WriterCase &each : cases) {
    EXPECT_TRUE(hasInOrder(written(each.type, each.body, declarations), each.text)) << each.body;
  }
}

} // namespace tessera::ptx::testing

#endif // TESSERA_TEST_UNIT_TARGETPTX_WRITERTESTING_H
