// Reads the command line. A word that is not understood is an error: nothing is passed over.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runner/Options.h"

#include "tessera/Runner/RunnerError.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace tessera;

llvm::StringRef tessera::runnerUsage() {
  return "usage: tile-run FILE.tile|FILE.mlir [--kernel=NAME] --in NAME=FILE.npy|LITERAL … --out "
         "NAME=FILE.npy … [options]\n"
         "       tile-run FILE.tile --test [options]\n"
         "\n"
         "  --kernel=NAME          which kernel of the file; needed where it has several\n"
         "  --in NAME=VALUE        an array from a .npy file, or a scalar as a literal; "
         "repeatable\n"
         "  --out NAME=FILE        where an output goes; repeatable\n"
         "  --set A=1,B=bf16       parameters of the instance and extents that no input gives\n"
         "  --check                compare the outputs with the kernel's reference\n"
         "  --test                 run the file's tests; the last line is `N passed, N failed`\n"
         "  --filter=KERNEL[:CASE] run only these tests\n"
         "  --fail-fast            end each test at its first failed case\n"
         "  --grid-order=ORDER     row-major, reverse or shuffle:SEED\n"
         "  --adversarial=SEED     run a scheduled kernel as the worst of machines might\n"
         "  --device=DEVICE        auto or cpu (the interpreter), sim or cuda (the code of a "
         "device)\n"
         "  --target=ARCH          sm_80, sm_90a or sm_100a: whose code\n"
         "  --schedule=WHICH       default or none: of kernels whose file has none for them\n"
         "  --against=interpreter  also compare what a device writes with what the interpreter "
         "does: bit for bit,\n"
         "                         or within the bound where the kernel leaves an order or a "
         "rounding open\n"
         "  --costs                with --device=sim: what accesses to memory cost, as predicted "
         "and as "
         "counted\n"
         "  --json=FILE            write a report as JSON\n"
         "  --help                 this text\n"
         "\n"
         "exit status: 0 everything held, 1 a check or the program failed, 2 the command line is "
         "wrong\n";
}

namespace {
class OptionParser {
public:
  explicit OptionParser(llvm::ArrayRef<llvm::StringRef> words) : words(words) {}

  llvm::Expected<RunnerOptions> run();

private:
  llvm::Error word();
  llvm::Error option(llvm::StringRef name, std::optional<llvm::StringRef> attached);
  llvm::Error flag(llvm::StringRef name, std::optional<llvm::StringRef> attached, bool &flag);
  llvm::Error valued(llvm::StringRef name, llvm::StringRef value);
  llvm::Error pair(llvm::StringRef name, llvm::StringRef value, llvm::StringRef what,
                   std::vector<std::pair<std::string, std::string>> &into);
  llvm::Error settings(llvm::StringRef value);
  llvm::Error once(llvm::StringRef name, llvm::StringRef value, std::string &into);
  llvm::Error gridOrder(llvm::StringRef value);
  llvm::Error device(llvm::StringRef value);
  llvm::Error combinations() const;

  llvm::ArrayRef<llvm::StringRef> words;
  RunnerOptions options;
};

constexpr llvm::StringRef valuedOptions[] = {
    "--kernel", "--in",       "--out",        "--set",    "--filter",      "--json",
    "--target", "--schedule", "--grid-order", "--device", "--adversarial", "--against"};
} // namespace

static llvm::Error badValue(llvm::StringRef name, llvm::StringRef expected, llvm::StringRef found) {
  return runnerError(RunnerDiag::usage_bad_value, "see `tile-run --help`", name, expected, found);
}

llvm::Error OptionParser::flag(llvm::StringRef name, std::optional<llvm::StringRef> attached,
                               bool &flag) {
  if (attached) {
    return badValue(name, "no value", *attached);
  }
  flag = true;
  return llvm::Error::success();
}

llvm::Error OptionParser::pair(llvm::StringRef name, llvm::StringRef value, llvm::StringRef what,
                               std::vector<std::pair<std::string, std::string>> &into) {
  auto [argument, rest] = value.split('=');
  if (argument.empty() || rest.empty()) {
    return badValue(name, what, value);
  }
  for (const auto &[other, ignored] : into) {
    if (other == argument) {
      return runnerError(RunnerDiag::usage_repeated, "keep one of the two", name, argument);
    }
  }
  into.emplace_back(argument.str(), rest.str());
  return llvm::Error::success();
}

llvm::Error OptionParser::settings(llvm::StringRef value) {
  llvm::SmallVector<llvm::StringRef> parts;
  value.split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [name, setting] = part.split('=');
    if (name.trim().empty() || setting.trim().empty()) {
      return badValue("--set", "NAME=VALUE,…", value);
    }
    if (!options.settings.try_emplace(name.trim().str(), setting.trim().str()).second) {
      return runnerError(RunnerDiag::usage_repeated, "keep one of the two", "--set", name.trim());
    }
  }
  return llvm::Error::success();
}

llvm::Error OptionParser::once(llvm::StringRef name, llvm::StringRef value, std::string &into) {
  if (value.empty()) {
    return runnerError(RunnerDiag::usage_missing_value, "see `tile-run --help`", name);
  }
  if (!into.empty()) {
    return runnerError(RunnerDiag::usage_repeated, "keep one of the two", name, into);
  }
  into = value.str();
  return llvm::Error::success();
}

llvm::Error OptionParser::gridOrder(llvm::StringRef value) {
  llvm::StringRef seed = value;
  OrderOption order;
  if (value == "row-major") {
    options.gridOrder.reset();
    return llvm::Error::success();
  }
  if (value == "reverse") {
    order.reverse = true;
  } else if (!seed.consume_front("shuffle:") || seed.getAsInteger(0, order.seed)) {
    return badValue("--grid-order", "row-major, reverse or shuffle:SEED", value);
  }
  options.gridOrder = order;
  return llvm::Error::success();
}

llvm::Error OptionParser::device(llvm::StringRef value) {
  if (value == "auto" || value == "cpu") {
    return llvm::Error::success();
  }
  if (value == "sim") {
    options.device = Device::sim;
    return llvm::Error::success();
  }
  if (value == "cuda") {
    options.device = Device::cuda;
    return llvm::Error::success();
  }
  return badValue("--device", "auto, cpu, sim or cuda", value);
}

llvm::Error OptionParser::valued(llvm::StringRef name, llvm::StringRef value) {
  if (name == "--kernel") {
    return once(name, value, options.kernel);
  }
  if (name == "--target") {
    options.target = value.str();
    if (llvm::is_contained({"sm_80", "sm_90a", "sm_100a"}, value)) {
      return llvm::Error::success();
    }
    return runnerError(RunnerDiag::usage_not_in_build, "use sm_80, sm_90a or sm_100a",
                       "--target=" + value);
  }
  if (name == "--schedule") {
    options.schedule = value.str();
    if (value == "default" || value == "none") {
      return llvm::Error::success();
    }
    return badValue("--schedule", "default or none", value);
  }
  if (name == "--filter") {
    return once(name, value, options.filter);
  }
  if (name == "--json") {
    return once(name, value, options.json);
  }
  if (name == "--in") {
    return pair(name, value, "NAME=FILE or NAME=LITERAL", options.inputs);
  }
  if (name == "--out") {
    return pair(name, value, "NAME=FILE", options.outputs);
  }
  if (name == "--set") {
    return settings(value);
  }
  if (name == "--grid-order") {
    return gridOrder(value);
  }
  if (name == "--device") {
    return device(value);
  }
  if (name == "--against") {
    options.againstInterpreter = true;
    return value == "interpreter" ? llvm::Error::success() : badValue(name, "interpreter", value);
  }
  uint64_t seed = 0;
  if (value.getAsInteger(0, seed)) {
    return badValue(name, "a seed, 0 or more", value);
  }
  options.adversarial = seed;
  return llvm::Error::success();
}

llvm::Error OptionParser::option(llvm::StringRef name, std::optional<llvm::StringRef> attached) {
  if (name == "--check") {
    return flag(name, attached, options.check);
  }
  if (name == "--test") {
    return flag(name, attached, options.test);
  }
  if (name == "--fail-fast") {
    return flag(name, attached, options.failFast);
  }
  if (name == "--costs") {
    return flag(name, attached, options.costs);
  }
  if (name == "--help" || name == "-h") {
    return flag(name, attached, options.help);
  }
  if (!llvm::is_contained(valuedOptions, name)) {
    return runnerError(RunnerDiag::usage_unknown_option, "see `tile-run --help`", name);
  }
  if (!attached) {
    if (words.empty() || words.front().starts_with("--")) {
      return runnerError(RunnerDiag::usage_missing_value, "see `tile-run --help`", name);
    }
    attached = words.front();
    words = words.drop_front();
  }
  return valued(name, *attached);
}

llvm::Error OptionParser::word() {
  llvm::StringRef word = words.front();
  words = words.drop_front();
  if (!word.starts_with("-") || word == "-") {
    if (!options.file.empty()) {
      return runnerError(RunnerDiag::usage_two_files, "run tile-run once for each", options.file,
                         word);
    }
    options.file = word.str();
    return llvm::Error::success();
  }
  const size_t equals = word.find('=');
  if (equals == llvm::StringRef::npos) {
    return option(word, std::nullopt);
  }
  return option(word.take_front(equals), word.drop_front(equals + 1));
}

llvm::Error OptionParser::combinations() const {
  auto exclude = [](llvm::StringRef a, llvm::StringRef b) {
    return runnerError(RunnerDiag::usage_combination, "leave one of them out", a, b);
  };
  if (options.file.empty()) {
    return runnerError(RunnerDiag::usage_no_file, "see `tile-run --help`");
  }
  if (options.test && options.check) {
    return exclude("--test", "--check");
  }
  if (options.test && !options.inputs.empty()) {
    return exclude("--test", "--in");
  }
  if (options.test && !options.outputs.empty()) {
    return exclude("--test", "--out");
  }
  if (!options.test && !options.filter.empty()) {
    return runnerError(RunnerDiag::usage_bad_value, "add `--test`", "--filter",
                       "`--test` beside it", options.filter);
  }
  if (options.againstInterpreter && options.device == Device::cpu) {
    return runnerError(RunnerDiag::usage_bad_value, "add `--device=sim` or `--device=cuda`",
                       "--against", "a device beside it", "the interpreter itself");
  }
  if (!options.test && options.failFast) {
    return runnerError(RunnerDiag::usage_bad_value, "add `--test`", "--fail-fast",
                       "`--test` beside it", "a run");
  }
  if (options.costs && options.device != Device::sim) {
    return runnerError(RunnerDiag::usage_bad_value, "add `--device=sim`", "--costs",
                       "`--device=sim` beside it", "another device");
  }
  return llvm::Error::success();
}

llvm::Expected<RunnerOptions> OptionParser::run() {
  while (!words.empty()) {
    if (llvm::Error error = word()) {
      return error;
    }
  }
  if (options.help) {
    return options;
  }
  if (llvm::Error error = combinations()) {
    return error;
  }
  return options;
}

llvm::Expected<RunnerOptions> tessera::parseRunnerOptions(llvm::ArrayRef<llvm::StringRef> words) {
  return OptionParser(words).run();
}
