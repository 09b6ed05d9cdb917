// Instances: where their values come from, signatures, launch checks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

#include "mlir/IR/MLIRContext.h"

namespace tessera::testing {
namespace {

const char *const kText = R"(
enum Act { none, relu }
kernel k<T in {bf16, f32} = f32, const D: i64, const A: Act = none>(
        x: in view<[TOK, 2 * H], T>, w: in view<[R, D], f32>?, lim: f32?, n: i64, y: out view<[TOK, H // 2], f32>)
    where D <= 64, H % 2 == 0
{
    static NC = bucket(H, 16)
    tune BM in {2, 4}
    grid t in tiles(TOK, BM)
    y[t, whole(H // 2, width = NC)] = 0.0
}
test k { D in {8, 16}; H in {48}; w from missing, normal; lim in {missing, 1.0}; BM in tune }
)";

std::string instanceOf(const Outcome &o) {
  size_t at = o.ir.find("instance = {");
  return at == std::string::npos ? o.rendered : o.ir.substr(at, o.ir.find('}', at) + 1 - at);
}

TEST(Instance, DefaultsThenFirstTuneThenFirstCase) {
  EXPECT_EQ(instanceOf(compile(kText)), "instance = {A = \"none\", BM = \"2\", D = \"8\", NC = "
                                        "\"48\", T = \"f32\", lim = \"missing\", w = \"missing\"}");
}

TEST(Instance, SettingsGoFirst) {
  Settings settings;
  settings.values = {{"T", "bf16"},    {"D", "32"},    {"A", "relu"}, {"BM", "4"},
                     {"w", "present"}, {"lim", "1.0"}, {"NC", "64"}};
  EXPECT_EQ(instanceOf(compile(kText, settings)),
            "instance = {A = \"relu\", BM = \"4\", D = \"32\", NC = \"64\", T = \"bf16\", lim = "
            "\"present\", w = \"present\"}");
}

TEST(Instance, StaticsComeFromTheLaunch) {
  Settings settings;
  settings.launchExtents = {{"H", 100}, {"TOK", 3}};
  Outcome o = compile(kText, settings);
  EXPECT_THAT(instanceOf(o), HasSubstr("NC = \"112\""));
  EXPECT_THAT(o.ir, HasSubstr("\"NC = bucket(H, 16)\""));
  // The extent itself stays an argument.
  EXPECT_THAT(o.ir, HasSubstr("%H \"H\""));
  settings.launchExtents = {{"TOK", 3}};
  EXPECT_THAT(only(compile(kText, settings)), HasSubstr("T0403"));
}

TEST(Instance, ExtentsThatAreSetAreConstants) {
  Settings settings;
  settings.values = {{"H", "32"}};
  Outcome o = compile(kText, settings);
  ASSERT_TRUE(o.ok()) << o.rendered;
  EXPECT_THAT(o.ir, HasSubstr("!tile.view<?x64xf32, in>"));
  EXPECT_THAT(o.ir, HasSubstr("!tile.view<?x16xf32, out>"));
  EXPECT_THAT(o.ir, Not(HasSubstr("\"H\"")));
  EXPECT_THAT(o.ir, HasSubstr("NC = \"32\""));
  // Nothing is left to check at launch.
  EXPECT_THAT(o.ir, Not(HasSubstr("tile.require")));
}

TEST(Instance, WhereIsCheckedNowOrAtLaunch) {
  Outcome o = compile(kText);
  EXPECT_THAT(o.ir, HasSubstr("\"H % 2 == 0\""));
  EXPECT_THAT(o.ir, Not(HasSubstr("D <= 64")));
}

TEST(Instance, Signature) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer(kText, "t.tile", engine);
  ASSERT_NE(program, nullptr);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Settings settings;
  settings.values = {{"w", "present"}};
  std::optional<Signature> signature = program->signature("k", settings, context);
  ASSERT_TRUE(signature);
  EXPECT_EQ(signature->extents, (std::vector<std::string>{"TOK", "H", "R"}));
  ASSERT_EQ(signature->args.size(), 5u);
  EXPECT_EQ(signature->args[0].mode, ArgMode::In);
  EXPECT_EQ(signature->args[0].dtype, DType::f32);
  std::string map;
  llvm::raw_string_ostream(map) << signature->args[0].shape;
  EXPECT_EQ(map, "()[s0, s1, s2] -> (s0, s1 * 2)");
  EXPECT_TRUE(signature->args[1].isOptional);
  EXPECT_FALSE(signature->args[1].isMissing);
  EXPECT_TRUE(signature->args[2].isMissing);
  EXPECT_EQ(signature->args[3].mode, ArgMode::Scalar);
  EXPECT_EQ(signature->args[3].dtype, DType::i64);
  EXPECT_EQ(signature->args[4].mode, ArgMode::Out);
  map.clear();
  llvm::raw_string_ostream(map) << signature->args[4].shape;
  EXPECT_EQ(map, "()[s0, s1, s2] -> (s0, s1 floordiv 2)");
  EXPECT_FALSE(engine.hasErrors());
}

TEST(Instance, SignatureNeedsNoStatics) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program =
      Program::loadBuffer("kernel k(y: out view<[M], f32>) {\n    static NC = bucket(M, 16)\n    "
                          "y[whole(M, width = NC)] = 0.0\n}",
                          "t.tile", engine);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  EXPECT_TRUE(program->signature("k", {}, context).has_value());
  EXPECT_FALSE(engine.hasErrors());
}

TEST(Instance, Parameters) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer(kText, "t.tile", engine);
  std::string text;
  for (const Parameter &p : program->parameters("k")) {
    text += p.name + ":" + std::to_string(static_cast<int>(p.kind)) + ":" + p.type + ":" +
            llvm::join(p.candidates, ",") + ":" + p.fallback.value_or("-") + "\n";
  }
  EXPECT_EQ(text, "T:0::bf16,f32:f32\nD:1:i64::-\nA:1:Act:none,relu:none\nw:4::missing,present:-"
                  "\nlim:4::missing,present:-\n"
                  "NC:3:i64::-\nBM:2:i64:2,4:-\n");
  EXPECT_TRUE(program->hasTest("k"));
  EXPECT_FALSE(program->hasTest("j"));
}

TEST(Instance, AnErrorOfAConstantIsReportedForEveryInstance) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer(
      "kernel k(y: out view<[M], f32>) {\n    y[0] = A1\n}\nconst A1: i8 = 300", "t.tile", engine);
  ASSERT_NE(program, nullptr);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  EXPECT_FALSE(program->instantiate("k", {}, context));
  EXPECT_EQ(engine.errorCount(), 1u);
  EXPECT_FALSE(program->instantiate("k", {}, context));
  EXPECT_EQ(engine.errorCount(), 2u);
}

TEST(Instance, AWarningStandsOnce) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer(
      "kernel k(y: out view<[M], f32>) {\n    tune BM in {1, 2}\n    grid r in tiles(M, BM)\n}",
      "t.tile", engine);
  ASSERT_NE(program, nullptr);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  EXPECT_TRUE(program->instantiate("k", {}, context));
  EXPECT_TRUE(program->instantiate("k", {}, context));
  EXPECT_EQ(engine.diagnostics().size(), 1u);
}

TEST(Instance, AnExtentOfAMissingViewMayBeSet) {
  Settings settings;
  settings.values = {{"R", "7"}};
  EXPECT_TRUE(compile(kText, settings).ok());
}

TEST(Instance, MathModes) {
  const char *text = "kernel k(y: out view<[M], f32>) math contract { y[0] = 1.0 }";
  EXPECT_THAT(compile(text).ir, HasSubstr("math contract"));
}

TEST(Instance, ParametersInForceAreShown) {
  Settings settings;
  settings.values = {{"D", "16"}};
  Outcome o = compile("kernel k<const D: i64>(x: in view<[M, D], f32>, y: out view<[M], f32>) {\n  "
                      "  tune BM in {4, 8}\n"
                      "    grid r in tiles(M, BM)\n    y[r] = x[r, :]\n}",
                      settings);
  EXPECT_THAT(o.rendered, HasSubstr("with: D = 16, BM = 4"));
}

} // namespace
} // namespace tessera::testing
