// Imports: files beside the importing one, namespaces, cycles, what cannot be read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FrontendTesting.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "mlir/IR/MLIRContext.h"

namespace tessera::testing {
namespace {

class Import : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tessera-import", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string write(llvm::StringRef name, llvm::StringRef text) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << text;
    EXPECT_FALSE(code);
    return path.str().str();
  }

  /// IR, or the diagnostics without the folder's name.
  std::string load(const std::string &path) {
    SourceManager sources;
    DiagnosticEngine engine(sources);
    std::unique_ptr<Program> program = Program::load(path, engine);
    std::string text;
    llvm::raw_string_ostream os(text);
    if (program) {
      mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
      if (mlir::OwningOpRef<mlir::ModuleOp> module = program->instantiate("k", {}, context)) {
        module->print(os);
      }
    }
    engine.render(os, false);
    std::string plain;
    for (size_t i = 0; i < text.size();) {
      if (llvm::StringRef(text).substr(i).starts_with(folder)) {
        i += folder.size();
        plain += "D";
      } else {
        plain += text[i++];
      }
    }
    return plain;
  }

  llvm::SmallString<128> folder;
};

const char *const kKernel =
    "kernel k(x: in view<[M], f32>, y: out view<[M], f32>) {\n    grid r in M\n    y[r] = ";

TEST_F(Import, OpenAndNamed) {
  write("lib/a.tile", "import \"b.tile\" as deep\nconst W = 2.0\nenum Act { none, relu }\nfn f(v: "
                      "f32) -> f32 { deep.g(v) * W }");
  write("lib/b.tile", "fn g(v: f32) -> f32 { exp(v) }");
  std::string path = write(
      "main.tile", std::string("import \"lib/a.tile\"\nimport \"lib/b.tile\" as b\n") + kKernel +
                       "f(x[r]) + b.g(x[r]) + W + (if relu == Act.relu { 1.0 } else { 0.0 })\n}");
  std::string text = load(path);
  EXPECT_THAT(text, HasSubstr("tile.exp"));
  EXPECT_THAT(text, HasSubstr("tile.constant 2.000000e+00 : f32"));
  EXPECT_THAT(text, Not(HasSubstr("error")));
}

TEST_F(Import, Cycle) {
  write("a.tile", "import \"b.tile\"");
  write("b.tile", "import \"a.tile\"");
  std::string path = write("main.tile", std::string("import \"a.tile\"\n") + kKernel + "1.0\n}");
  std::string text = load(path);
  EXPECT_THAT(
      text,
      HasSubstr("D/b.tile:1:8: error[T0217]: `a.tile` imports itself, directly or through others"));
  EXPECT_THAT(text, HasSubstr("note: `D/main.tile` → `D/a.tile` → `D/b.tile` → `D/a.tile`"));
  EXPECT_THAT(text, HasSubstr("help: move what both need into a third file"));
}

TEST_F(Import, NotThere) {
  std::string path = write("main.tile", std::string("import \"no.tile\"\n") + kKernel + "1.0\n}");
  std::string text = load(path);
  EXPECT_THAT(text, HasSubstr("D/main.tile:1:8: error[T0216]: `no.tile` cannot be imported: No "
                              "such file or directory"));
  EXPECT_THAT(
      text,
      HasSubstr("help: paths are relative to the importing file: `D/no.tile` was looked for"));
}

TEST_F(Import, ErrorsNameTheFile) {
  write("a.tile", "fn f(v: f32) -> f32 { v + 1 as f64 }");
  std::string path =
      write("main.tile", std::string("import \"a.tile\"\n") + kKernel + "f(x[r])\n}");
  std::string text = load(path);
  EXPECT_THAT(text, HasSubstr("D/a.tile:1:23: error[T0301]"));
  EXPECT_THAT(text, HasSubstr("D/main.tile:4:12: note: in this call of `f`"));
}

TEST_F(Import, NamesOfANamedImportAreNotOpen) {
  write("a.tile", "fn f(v: f32) -> f32 { v }");
  std::string path =
      write("main.tile", std::string("import \"a.tile\" as a\n") + kKernel + "f(x[r])\n}");
  EXPECT_THAT(load(path), HasSubstr("error[T0201]: `f` is not declared"));
}

TEST_F(Import, AliasTwice) {
  write("a.tile", "fn f(v: f32) -> f32 { v }");
  std::string path =
      write("main.tile", std::string("import \"a.tile\" as a\nimport \"a.tile\" as a\n") + kKernel +
                             "a.f(x[r])\n}");
  EXPECT_THAT(load(path), HasSubstr("D/main.tile:2:20: error[T0205]: `a` is declared twice"));
}

TEST_F(Import, TheProgramItselfIsNotThere) {
  std::string text = load((folder + "/none.tile").str());
  EXPECT_THAT(text,
              HasSubstr("error[T0221]: `D/none.tile` cannot be read: No such file or directory"));
}

TEST_F(Import, TheLibraryIsThere) {
  std::string path = write("main.tile", std::string(kKernel) + "std.silu(x[r])\n}");
  std::string text = load(path);
  EXPECT_THAT(text, HasSubstr("tile.exp"));
  EXPECT_THAT(text, Not(HasSubstr("error")));
}

} // namespace
} // namespace tessera::testing
