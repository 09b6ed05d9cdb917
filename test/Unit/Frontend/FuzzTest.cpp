// The checker never aborts and never gives invalid IR: programs made by damaging good ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

#include "tessera/Check/Random.h"
#include "tessera/Frontend/Instructions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include <set>

namespace tessera::testing {
namespace {

/// Words, numbers, operators and blanks, so that damage keeps most of the text parsable.
std::vector<std::string> tokens(llvm::StringRef text) {
  std::vector<std::string> list;
  auto kind = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' ? 1 : c == ' ' ? 2 : c == '\n' ? 3 : 4;
  };
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    while (end < text.size() && kind(text[i]) < 3 && kind(text[end]) == kind(text[i])) {
      ++end;
    }
    list.push_back(text.substr(i, end - i).str());
    i = end;
  }
  return list;
}

std::string damage(std::vector<std::string> parts, Random &random) {
  static const char *const foreign[] = {"0",
                                        "1",
                                        "-1",
                                        "M",
                                        "f32",
                                        "i64",
                                        "bool",
                                        "absent",
                                        "x",
                                        "[0]",
                                        "_",
                                        "1.5",
                                        "1e400",
                                        "true",
                                        "missing",
                                        "bf16",
                                        "0..4",
                                        "!",
                                        "(1,2)",
                                        ".T",
                                        "sum",
                                        "self",
                                        "none",
                                        "zeros",
                                        "inf",
                                        "nan",
                                        "3",
                                        "as i8",
                                        "18446744073709551615",
                                        "tile",
                                        "-",
                                        "4611686018427387904"};
  size_t edits = 1 + random.below(3);
  for (size_t k = 0; k < edits; ++k) {
    size_t at = random.below(parts.size()), other = random.below(parts.size());
    switch (random.below(4)) {
    case 0:
      parts[at].clear();
      break;
    case 1:
      std::swap(parts[at], parts[other]);
      break;
    case 2:
      parts[at] = parts[other];
      break;
    default:
      parts[at] = foreign[random.below(std::size(foreign))];
    }
  }
  return llvm::join(parts, "");
}

/// Class of a token: what may stand in its place without the parser noticing.
int classOf(const std::string &token) {
  static const std::set<std::string> keywords{
      "kernel",   "fn",   "struct", "enum",   "const", "let",       "var",       "static",
      "tune",     "grid", "in",     "if",     "else",  "match",     "for",       "while",
      "where",    "test", "out",    "inout",  "view",  "reference", "tolerance", "tiles",
      "reversed", "as",   "math",   "import", "order", "cases",     "from",      "not"};
  if (keywords.count(token)) {
    return 0;
  }
  if (token == "and" || token == "or" || token == "xor" || token == "+" || token == "-" ||
      token == "*" || token == "/" || token == "%" || token == "<" || token == ">") {
    return 1;
  }
  if (llvm::isDigit(token[0])) {
    return 2;
  }
  return llvm::isAlpha(token[0]) ? 3 : 0;
}

/// Replaces tokens by others of their class, so that most of the text gets past the parser and the names.
std::string damageAlike(std::vector<std::string> parts, Random &random) {
  size_t edits = 1 + random.below(2);
  for (size_t tries = 0; edits > 0 && tries < 1000; ++tries) {
    size_t at = random.below(parts.size()), other = random.below(parts.size());
    int kind = classOf(parts[at]);
    if (kind != 0 && kind == classOf(parts[other]) && parts[at] != parts[other]) {
      parts[at] = parts[other];
      --edits;
    }
  }
  return llvm::join(parts, "");
}

const char *const kFeatures = R"(
const W = 8
enum Mode { fast_one, slow_one }
struct Pair<const R: i64> {
    a: tile<[R], f32> = 0.0, n: i64 = 1
    fn bump(inout self, by: tile<[R], f32>) -> f32 { self.a = self.a + by;  self.n = self.n + 1;  sum(self.a) }
}
fn twice<S: shape, F: number>(v: tile<S, F>) -> tile<S, F> { v + v }
fn both(inout c: i64, d: i64 = 2) -> i64 { c = c + d;  c * 2 }
fn plus(p: f32, q: f32) -> f32 { p + q }
kernel features<T in {f32, bf16} = f32, const MODE: Mode = fast_one, const Z: i64 in {8, 16} = 8>(
        x: in view<[M, 2 * N], T>, idx: in view<[M], i32>?, acc: inout view<[K], f32>, lim: f32?, y: out view<[M, Z], f32>)
    where M >= 0, N % 2 == 0, Z <= 16
    math fast
{
    static NC = round_up(max(N, 1), 8)
    tune BM in {1, 4}
    grid r in tiles(M, BM), h in 0..2
    let (xa, xb) = x.split(axis = 1, parts = 2)
    let c = whole(N, width = NC)
    var st = Pair(R = BM)
    var n: i64 = 0
    var t = zeros(f32, [BM, Z])
    for k in tiles(N, 8) reversed {
        let u = xa[r, k] as f32
        if k.start > 8 { t = t + twice(u)[:, 0..8] } else { n = both(n) }
        let (v, i) = argmax(u, axis = 1)
        let s = st.bump(select(v > 0.0, v, -v ?? 1.0))
        while n < 3 { n = n + 1 }
        t = match MODE { fast_one => t + broadcast(s, [BM, Z]), slow_one => t }
    }
    for q in static 0..2 { t = t + (q as f32) }
    if some(idx) { let p = idx[r].keep_if(idx[r] >= 0);  atomic_add(acc[p], st.a, order = any) }
    let w = cat(t, flip(t, axis = 1), axis = 0)[0..BM, :]
    let e = reduce_with(w, plus, 0.0, axis = 1)
    assert all(e == e), "no NaN"
    y[r, :] = w + e[:, _] + (lim ?? 0.5)
}
test features { M in {0, 3}; N in {8}; T in {f32, bf16}; idx from missing, ints(0, 3); lim in {missing, 1.0}; K = 4 }
)";

void feed(const std::string &text, unsigned &compiled) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer(text, "f.tile", engine);
  if (!program) {
    EXPECT_TRUE(engine.hasErrors());
    return;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (const std::string &kernel : program->kernels()) {
    (void)program->parameters(kernel);
    (void)program->signature(kernel, {}, context);
    mlir::OwningOpRef<mlir::ModuleOp> module = program->instantiate(kernel, {}, context);
    EXPECT_TRUE(module || engine.hasErrors()) << text;
    (void)program->testSpec(kernel, {});
    compiled += module ? 1 : 0;
  }
  std::string rendered;
  llvm::raw_string_ostream os(rendered);
  engine.render(os, false);
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    EXPECT_NE(diagnostic.code, "T0416") << text << "\n" << rendered;
    EXPECT_FALSE(diagnostic.help.empty()) << rendered;
  }
}

TEST(Fuzz, TheUndamagedProgramsCompile) {
  unsigned compiled = 0;
  feed(kFeatures, compiled);
  EXPECT_EQ(compiled, 1u) << compile(kFeatures).rendered;
}

TEST(Fuzz, DamagedPrograms) {
  std::vector<std::string> sources{kFeatures};
  for (const char *name : {"softmax", "gemm", "attention", "swiglu_cast", "topk_gate", "ngram_hash",
                           "cumsum_reverse"}) {
    auto buffer = llvm::MemoryBuffer::getFile(std::string(TESSERA_SOURCE_DIR) + "/examples/" +
                                              name + ".tile");
    ASSERT_TRUE(static_cast<bool>(buffer)) << name;
    sources.push_back((*buffer)->getBuffer().str());
  }
  size_t rounds = 60;
  if (const char *more = std::getenv("TESSERA_FUZZ_ROUNDS")) {
    rounds = std::strtoul(more, nullptr, 10);
  }
  Random random(std::getenv("TESSERA_FUZZ_SEED")
                    ? std::strtoul(std::getenv("TESSERA_FUZZ_SEED"), nullptr, 10)
                    : 1);
  unsigned compiled = 0;
  for (const std::string &source : sources) {
    std::vector<std::string> parts = tokens(source);
    for (size_t i = 0; i < rounds; ++i) {
      std::string text = i % 3 == 0 ? damage(parts, random) : damageAlike(parts, random);
      if (const char *trace = std::getenv("TESSERA_FUZZ_TRACE")) {
        std::error_code code;
        llvm::raw_fd_ostream(trace, code) << text;
      }
      feed(text, compiled);
      if (HasFailure()) {
        return;
      }
    }
  }
  EXPECT_GT(compiled, sources.size()) << "the damage should leave some programs whole";
}

/// What a load accepts is lowered without a word, into ops that verify.
void lowerAll(const std::string &text, unsigned &lowered) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program = Program::loadBuffer(text, "f.tile", engine);
  EXPECT_TRUE(program || engine.hasErrors()) << text;
  for (const Diagnostic &diagnostic : engine.diagnostics()) {
    EXPECT_FALSE(diagnostic.help.empty()) << diagnostic.message;
  }
  if (!program) {
    return;
  }
  Instructions instructions(*program);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
  for (const std::string &name : instructions.names()) {
    instr::Constants constants;
    std::optional<instr::Pattern> pattern = instructions.find(name);
    ASSERT_TRUE(pattern) << name;
    for (const std::string &constant : pattern->constants) {
      constants.emplace_back(constant, "64");
    }
    std::optional<instr::Instruction> made =
        instructions.lowerInstr(name, constants, *module, SourceRange());
    EXPECT_TRUE(made || engine.hasErrors()) << name;
    lowered += made ? 1 : 0;
  }
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    ADD_FAILURE() << diagnostic.str() << "\n" << text;
    return mlir::success();
  });
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
}

TEST(Fuzz, DamagedDeclarations) {
  auto buffer =
      llvm::MemoryBuffer::getFile(std::string(TESSERA_SOURCE_DIR) + "/lib/Std/instructions.tile");
  ASSERT_TRUE(static_cast<bool>(buffer));
  std::string source = (*buffer)->getBuffer().str();
  unsigned lowered = 0;
  lowerAll(source, lowered);
  EXPECT_GE(lowered, 25u);
  std::vector<std::string> parts = tokens(source);
  Random random(7);
  for (size_t i = 0; i < 150 && !HasFailure(); ++i) {
    lowerAll(i % 3 == 0 ? damage(parts, random) : damageAlike(parts, random), lowered);
  }
}

} // namespace
} // namespace tessera::testing
