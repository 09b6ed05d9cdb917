// The example kernels: every value of every static parameter gives a valid instance.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

namespace tessera::testing {
namespace {

/// All combinations of the candidates of a kernel's parameters, at most `limit`.
std::vector<Settings> allSettings(const std::vector<Parameter> &parameters, size_t limit) {
  std::vector<Settings> list(1);
  for (const Parameter &parameter : parameters) {
    if (parameter.candidates.empty()) {
      continue;
    }
    std::vector<Settings> next;
    for (const Settings &settings : list) {
      for (const std::string &value : parameter.candidates) {
        next.push_back(settings);
        next.back().values[parameter.name] = value;
      }
    }
    list = std::move(next);
    EXPECT_LE(list.size(), limit);
  }
  return list;
}

class Example : public ::testing::TestWithParam<const char *> {};

TEST_P(Example, EveryInstanceIsValid) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::string path = std::string(TESSERA_SOURCE_DIR) + "/examples/" + GetParam() + ".tile";
  std::unique_ptr<Program> program = Program::load(path, engine);
  std::string text;
  llvm::raw_string_ostream os(text);
  engine.render(os, false);
  ASSERT_NE(program, nullptr) << text;
  ASSERT_EQ(program->kernels(), std::vector<std::string>{GetParam()});
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  size_t valid = 0;
  for (Settings &settings : allSettings(program->parameters(GetParam()), 400)) {
    // Optional arguments that come together or not at all.
    if (settings.values.count("slot") && settings.values["slot"] != settings.values["w"]) {
      continue;
    }
    mlir::OwningOpRef<mlir::ModuleOp> module = program->instantiate(GetParam(), settings, context);
    if (!module) {
      engine.render(os, false);
      FAIL() << text;
    }
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
    ++valid;
  }
  EXPECT_GE(valid, 2u);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Example,
                         ::testing::Values("softmax", "gemm", "attention", "swiglu_cast",
                                           "topk_gate", "ngram_hash", "cumsum_reverse"),
                         [](const auto &info) { return std::string(info.param); });

TEST(Kernels, RowsOfATile) {
  Outcome o = compileBody(
      "    static NC = bucket(N, 256)\n    tune BM in {1, 2}\n    grid r in tiles(M, BM)\n"
      "    let c = whole(N, width = NC)\n    let t = x[r, c]\n"
      "    let e = exp(t - max(t, axis = 1, keep = true))\n"
      "    y[r, c] = e / sum(e, axis = 1, keep = true)",
      "test k { M in {1}; N in {300}; }");
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("!tile.span<512>"));
  EXPECT_THAT(o.ir, HasSubstr("tile.require"));
  EXPECT_THAT(o.ir, HasSubstr("tile.reduce sum"));
  EXPECT_THAT(o.ir, HasSubstr("tile.broadcast"));
  EXPECT_THAT(o.ir, HasSubstr("tile.store"));
}

} // namespace
} // namespace tessera::testing
