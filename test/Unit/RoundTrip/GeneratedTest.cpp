// Generated kernels and the examples around all corners: text, IR, simplified IR, text again.
// TESSERA_FULL=1 runs 2,000 seeds instead of 200; TESSERA_SEED=N one, with its text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RoundTripTesting.h"

#include "tessera/Testing/KernelGenerator.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace tessera;
using namespace tessera::roundtriptest;

namespace {

bool isFull() {
  const char *full = std::getenv("TESSERA_FULL");
  return full && std::string(full) != "0" && *full;
}

void checkSeed(uint64_t seed) {
  GeneratedKernel generated = generateKernel(seed);
  std::string wrong =
      checkRoundTrip(generated.text, generated.name, {}, generated.extents, seed, true);
  EXPECT_EQ(wrong, "") << "seed " << seed << "\n" << generated.text;
}

std::string readExample(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// The first instance, and one for every other value of every parameter.
std::vector<Settings> instancesOf(llvm::StringRef text, llvm::StringRef &name,
                                  std::string &kernel) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer(text, name, engine);
  if (!program || program->kernels().empty()) {
    return {};
  }
  kernel = program->kernels().front();
  std::vector<Settings> list(1);
  Settings present;
  for (const Parameter &parameter : program->parameters(kernel)) {
    for (const std::string &value : parameter.candidates) {
      Settings settings;
      settings.values[parameter.name] = value;
      if (parameter.kind != ParameterKind::Optional) {
        list.push_back(settings);
      }
    }
    if (parameter.kind == ParameterKind::Optional) {
      present.values[parameter.name] = "present";
    }
  }
  if (!present.values.empty()) {
    list.push_back(present);
  }
  return list;
}

} // namespace

TEST(GeneratedTest, AllSeedsGoAround) {
  if (const char *one = std::getenv("TESSERA_SEED")) {
    std::printf("%s", generateKernel(std::strtoull(one, nullptr, 10)).text.c_str());
    return checkSeed(std::strtoull(one, nullptr, 10));
  }
  uint64_t count = isFull() ? 2000 : 200;
  for (uint64_t seed = 0; seed < count; ++seed) {
    checkSeed(seed);
    if (testing::Test::HasFailure()) {
      break; // one text is enough to read
    }
  }
}

TEST(GeneratedTest, ASeedIsAText) {
  EXPECT_EQ(generateKernel(7).text, generateKernel(7).text);
  EXPECT_NE(generateKernel(7).text, generateKernel(8).text);
}

TEST(GeneratedTest, RunsAreTellingApart) {
  // The comparison sees other contents and other programs: else the round trips above would prove nothing.
  std::string problems;
  auto run = [&](const char *op, uint64_t seed) {
    std::string text = std::string("kernel k(x: in view<[N], i32>, y: out view<[N], i32>) { grid r "
                                   "in tiles(N, 4)\n y[r] = ") +
                       "x[r] " + op + " 2 }";
    Module module = compile(text, "k", {}, problems);
    EXPECT_TRUE(module) << problems;
    return *runKernel(kernelOf(module), {{"N", 10}}, seed);
  };
  EXPECT_EQ(run("+", 1).difference(run("+", 1)), "");
  EXPECT_NE(run("+", 1).difference(run("+", 2)), "");
  EXPECT_NE(run("+", 1).difference(run("-", 1)), "");
}

TEST(GeneratedTest, ExamplesGoAround) {
  std::error_code error;
  unsigned checked = 0;
  std::string folder = std::string(TESSERA_SOURCE_DIR) + "/examples";
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    llvm::StringRef path = it->path();
    if (!path.ends_with(".tile")) {
      continue;
    }
    std::string text = readExample(path), kernel;
    llvm::StringRef name = llvm::sys::path::filename(path);
    for (const Settings &settings : instancesOf(text, name, kernel)) {
      std::string shown;
      for (const auto &[parameter, value] : settings.values) {
        shown += " " + parameter + "=" + value;
      }
      // An instance that its own conditions exclude is not compiled.
      std::string problems;
      if (!compile(text, kernel, settings, problems)) {
        EXPECT_NE(problems.find("where"), std::string::npos) << name.str() << shown << "\n"
                                                             << problems;
        continue;
      }
      // Contents are not always what the kernel takes (indices out of range): one of a few seeds must be.
      bool ran = false;
      for (uint64_t seed = 1; seed <= 24 && !ran; ++seed) {
        EXPECT_EQ(checkRoundTrip(text, kernel, settings, {}, seed, false, &ran), "")
            << name.str() << shown;
      }
      EXPECT_TRUE(ran) << name.str() << shown;
      ++checked;
    }
  }
  EXPECT_GE(checked, 20u);
}
