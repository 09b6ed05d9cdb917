// Running ptxas: the search, errors at source lines, a program that misbehaves. Real runs are skipped where there is none.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PTXTesting.h"

#include <cstdlib>
#include <fstream>
#include <sys/stat.h>

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
/// An environment variable for the time of a test.
class Variable {
public:
  Variable(const char *name, const std::string &value) : name(name) {
    if (const char *old = std::getenv(name)) {
      before = old;
    }
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before ? setenv(name, before->c_str(), 1) : unsetenv(name); }

private:
  const char *name;
  std::optional<std::string> before;
};

std::string script(const std::string &text) {
  std::string path = ::testing::TempDir() + "tessera-fake-ptxas-" + std::to_string(getpid());
  std::ofstream(path) << "#!/bin/sh\n" << text;
  chmod(path.c_str(), 0755);
  return path;
}

const char *good =
    ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n";

TEST(Ptxas, TheVariableComesFirst) {
  std::string fake = script("exit 0\n");
  Variable variable("TESSERA_PTXAS", fake);
  llvm::Expected<std::string> found = findPtxas();
  ASSERT_TRUE(bool(found));
  EXPECT_EQ(*found, fake);
}

TEST(Ptxas, AVariableThatNamesNothingIsAnError) {
  Variable variable("TESSERA_PTXAS", "/nowhere/ptxas");
  EXPECT_THAT(llvm::toString(findPtxas().takeError()),
              ::testing::HasSubstr("TESSERA_PTXAS is `/nowhere/ptxas`, which is no program"));
}

TEST(Ptxas, WhereItIsNotTheErrorNamesTheSearch) {
  Variable path("PATH", "/nowhere"), home("CUDA_HOME", "/nowhere/cuda");
  llvm::Expected<std::string> found = findPtxas();
  if (found) {
    EXPECT_EQ(*found, "/usr/local/cuda/bin/ptxas");
    return;
  }
  std::string text = llvm::toString(found.takeError());
  EXPECT_THAT(text, ::testing::HasSubstr("`/nowhere/cuda/bin`"));
  EXPECT_THAT(text, ::testing::HasSubstr("install a CUDA toolkit"));
}

std::string assembleText(const std::string &ptx, PtxasOptions options = {}) {
  llvm::Expected<Assembled> result = assemble(ptx, options);
  return result ? "" : llvm::toString(result.takeError());
}

TEST(Ptxas, ProgramsThatMisbehave) {
  PtxasOptions options;
  options.program = script("exit 0\n");
  EXPECT_THAT(assembleText(good, options), ::testing::HasSubstr("wrote no machine code"));
  options.program = script("echo strange; exit 3\n");
  EXPECT_THAT(assembleText(good, options),
              ::testing::HasSubstr("ends with code 3 and says:\nstrange"));
  options.program = "/nowhere/ptxas";
  EXPECT_THAT(assembleText(good, options), ::testing::HasSubstr("`/nowhere/ptxas` does not run"));
}

/// A note that breaks a promise is an error, though the program ends with 0; unless it is asked to be lenient.
TEST(Ptxas, BrokenPromisesAreErrors) {
  PtxasOptions options;
  options.program =
      script("echo \"ptxas info    : (C7510) Potential Performance Loss: serialized\" >&2\n"
             "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo elf > $2; shift; done\n");
  EXPECT_THAT(assembleText(good, options), ::testing::HasSubstr("C7510: Potential"));
  options.strict = false;
  EXPECT_EQ(assembleText(good, options), "");
}

class RealPtxas : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::Expected<std::string> found = findPtxas();
    if (!found) {
      GTEST_SKIP() << llvm::toString(found.takeError());
    }
  }
};

TEST_F(RealPtxas, Assembles) {
  llvm::Expected<Assembled> result = assemble(good, {});
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->cubin.substr(1, 3), "ELF");
  const KernelResources *k = result->log.kernel("k");
  ASSERT_TRUE(k);
  EXPECT_GT(k->registers, 0u);
  EXPECT_FALSE(k->spills());
  EXPECT_GT(result->milliseconds, 0);
}

TEST_F(RealPtxas, ErrorsHaveSourceLines) {
  std::string text = good;
  text.replace(text.find("ret;"), 4, ".loc 1 7 3\nmov.b64 %x, 1;\nret;");
  text += ".file 1 \"k.tile\"\n";
  std::string error = assembleText(text);
  EXPECT_THAT(error, ::testing::HasSubstr("k.tile:7:3: ptxas, line 7 of the PTX: "));
}

TEST_F(RealPtxas, RequestsForRegistersThatAreIgnored) {
  std::string text = std::regex_replace(std::string(good), std::regex("ret;"),
                                        "setmaxnreg.inc.sync.aligned.u32 232;\nret;");
  text = std::regex_replace(text, std::regex("sm_80"), "sm_90a");
  text = std::regex_replace(text, std::regex("7\\.0"), "8.0");
  PtxasOptions options;
  options.arch = Arch::sm_90a;
  EXPECT_THAT(assembleText(text, options), ::testing::HasSubstr("C7508"));
}

TEST_F(RealPtxas, Spills) {
  // 60 values of 8 bytes that live across a barrier do not fit into 24 registers.
  std::string text =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n"
      ".maxnreg 24\n{\n.reg .b64 %a<64>;\nld.param.u64 %a0, [p];\n";
  for (int i = 1; i <= 60; ++i) {
    text += "ld.volatile.global.u64 %a" + std::to_string(i) + ", [%a0+" + std::to_string(8 * i) +
            "];\n";
  }
  text += "bar.sync 0;\n";
  for (int i = 1; i <= 60; ++i) {
    text += "st.volatile.global.u64 [%a0+" + std::to_string(8 * i) + "], %a" + std::to_string(i) +
            ";\n";
  }
  llvm::Expected<Assembled> result = assemble(text + "ret;\n}\n", {});
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  ASSERT_TRUE(result->log.kernel("k"));
  EXPECT_TRUE(result->log.kernel("k")->spills());
  EXPECT_EQ(result->log.kernel("k")->barriers, 1u);
}
} // namespace
