// tile-instr: pictures of the fragments of declared instructions, and probes that show on a device whether their maps are right.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fragments.h"

#include "tessera/Dialect/Tile/TileDialect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/MLIRContext.h"

using namespace tessera;
using namespace tessera::fragments;

static const char usage[] =
    "usage: tile-instr [FILE.tile] --draw=DIR | --probe=DIR [option…]\n"
    "  --draw=DIR         an SVG for each fragment and README.md, which shows them\n"
    "  --probe=DIR        PTX, operands and expected results, for benchmarks/device/fragments.py\n"
    "  --target=sm_90a    of the probes; sm_80 if left out\n"
    "  --only=NAME,…      these instructions alone\n"
    "Instructions are those of the file, its imports and the library; constants without a value "
    "are 8.\n"
    "Exit: 0 all was written, 1 a declaration or a folder is wrong, 2 usage.\n";

namespace {
struct Options {
  std::string file, draw, probe, target = "sm_80";
  std::vector<std::string> only;
};
} // namespace

static int refuse(const llvm::Twine &text, int code) {
  llvm::errs() << "tile-instr: error: " << text << "\n";
  return code;
}

/// Nothing where a word is wrong: the reason is printed.
static std::optional<Options> parse(llvm::ArrayRef<llvm::StringRef> words) {
  Options options;
  for (llvm::StringRef word : words) {
    if (word.consume_front("--draw=")) {
      options.draw = word.str();
    } else if (word.consume_front("--probe=")) {
      options.probe = word.str();
    } else if (word.consume_front("--target=")) {
      options.target = word.str();
    } else if (word.consume_front("--only=")) {
      for (llvm::StringRef name : llvm::split(word, ',')) {
        options.only.push_back(name.trim().str());
      }
    } else if (word.starts_with("-") || !options.file.empty()) {
      refuse("`" + word +
                 "` is no option and no second file is taken; `tile-instr --help` lists "
                 "the options",
             2);
      return std::nullopt;
    } else {
      options.file = word.str();
    }
  }
  if (options.draw.empty() == options.probe.empty()) {
    refuse("give one of `--draw=DIR` and `--probe=DIR`", 2);
    return std::nullopt;
  }
  return options;
}

static int run(const Options &options) {
  SourceManager sources;
  DiagnosticEngine engine(sources);
  std::unique_ptr<Program> program =
      options.file.empty() ? Program::loadBuffer("kernel nothing() {}\n", "library.tile", engine)
                           : Program::load(options.file, engine);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  std::optional<std::vector<Declared>> list;
  if (program) {
    list = collect(*program, *module, options.only);
  }
  engine.render(llvm::errs());
  if (!list) {
    return 1;
  }
  if (list->empty()) {
    return refuse("no instruction that was named has a fragment of several lanes", 1);
  }
  llvm::Error error = options.draw.empty() ? probeAll(*list, options.target, options.probe)
                                           : drawAll(*list, options.draw);
  return error ? refuse(llvm::toString(std::move(error)), 1) : 0;
}

int main(int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef> words(argv + 1, argv + argc);
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    llvm::outs() << usage;
    return 0;
  }
  std::optional<Options> options = parse(words);
  return options ? run(*options) : 2;
}
