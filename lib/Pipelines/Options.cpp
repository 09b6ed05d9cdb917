//===- Options.cpp - command line of tile-opt -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

namespace tessera::opt {

int usageError(const llvm::Twine &text, const llvm::Twine &help) {
  llvm::errs() << "error: " << text << "\n  help: " << help << "\n";
  return 2;
}

std::vector<std::string> translateArguments(int argc, char **argv) {
  std::vector<std::string> arguments;
  for (int i = 0; i < argc; ++i) {
    llvm::StringRef argument = argv[i], name = argument;
    if (name.consume_front("--") || name.consume_front("-")) {
      if (name == "time") {
        arguments.push_back("--mlir-timing");
        continue;
      }
      if (name == "dump-after=all" || name == "dump-after=step") {
        arguments.push_back("--mlir-print-ir-after-all");
        continue;
      }
      if (name.consume_front("dump-after=")) {
        arguments.push_back("--mlir-print-ir-after=" + name.str());
        continue;
      }
      if (name.consume_front("dump-dir=")) {
        arguments.push_back("--mlir-print-ir-tree-dir=" + name.str());
        continue;
      }
    }
    arguments.push_back(argument.str());
  }
  return arguments;
}

namespace {
/// Made when the command line is read, so that a program that only links this library has no such options.
struct Flags {
  cl::OptionCategory category{"tile-opt options", "what `.tile` files need"};
  cl::opt<std::string> input{cl::Positional, cl::desc("<input file>"), cl::init("-"),
                             cl::cat(category)};
  cl::opt<std::string> output{"o", cl::desc("where the result goes"), cl::value_desc("file"),
                              cl::init("-"), cl::cat(category)};
  cl::opt<std::string> emit{"emit",
                            cl::desc("what is written: tile (IR), source (.tile text), scheduled, "
                                     "layout (IR after each), llvm, ptx, cubin, "
                                     "launch (what a launch checks and computes)"),
                            cl::init("tile"), cl::cat(category)};
  cl::opt<std::string> kernel{"kernel", cl::desc("the one kernel of a .tile file that is meant"),
                              cl::cat(category)};
  cl::list<std::string> set{"set", cl::desc("values of the instance: BM=128,N=4096"),
                            cl::value_desc("name=value,…"), cl::cat(category)};
  cl::opt<std::string> target{
      "target", cl::desc("whose code is written: sm_80 (if left out), sm_90a or sm_100a"),
      cl::cat(category)};
  cl::opt<std::string> schedule{
      "schedule",
      cl::desc("of kernels whose file has none for them: default (if left out) or none"),
      cl::cat(category)};
  cl::opt<std::string> cache{
      "cache",
      cl::desc("file of the solver's answers, kept from run to run over those that are shipped"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<bool> verifyCode{"verify-code", cl::desc("check the LLVM IR that is compiled"),
                           cl::cat(category)};
  cl::opt<unsigned> threads{
      "threads", cl::desc("how many compile a kernel's versions; 0: as many as the machine has"),
      cl::init(0), cl::cat(category)};
  cl::opt<std::string> codegen{
      "codegen",
      cl::desc(
          "who writes PTX: own (if left out; LLVM where it has no text, with a remark) or llvm"),
      cl::init("own"), cl::cat(category)};
  cl::opt<bool> explain{"explain", cl::desc("not in this build"), cl::cat(category)};
  cl::opt<bool> report{
      "report", cl::desc("write what the code costs instead: registers, memory, each access"),
      cl::cat(category)};
};
} // namespace

/// Splits at commas that stand outside of brackets.
static std::vector<std::string> splitList(llvm::StringRef text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth <= 0) {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

static bool readSettings(const cl::list<std::string> &given, Settings &settings) {
  for (const std::string &list : given) {
    for (const std::string &item : splitList(list)) {
      auto [name, value] = llvm::StringRef(item).split('=');
      if (name.trim().empty() || value.trim().empty()) {
        usageError("`--set " + list + "` holds `" + item + "`, which is no setting",
                   "write `--set NAME=VALUE,NAME=VALUE`");
        return false;
      }
      if (!settings.values.emplace(name.trim().str(), value.trim().str()).second) {
        usageError("`--set` gives `" + name.trim() + "` twice", "keep one of them");
        return false;
      }
    }
  }
  return true;
}

/// What later levels will take. Each is refused by its own name.
static bool isInBuild(const Flags &flags) {
  if (!llvm::is_contained(
          {"tile", "source", "scheduled", "layout", "llvm", "ptx", "cubin", "launch"},
          flags.emit.getValue())) {
    bool later = flags.emit == "wg";
    usageError("`--emit=" + flags.emit + "` is " + (later ? "not in this build" : "unknown"),
               "this build has tile, source, scheduled, layout, llvm, ptx, cubin and launch");
    return false;
  }
  if (!flags.schedule.empty() && flags.schedule != "default" && flags.schedule != "none") {
    usageError("`--schedule=" + flags.schedule + "` is unknown",
               "give `default` or `none`, or what tile-sched makes of a script as the input");
    return false;
  }
  if (flags.explain) {
    usageError("`--explain` is not in this build", "leave it out; tile-sched explains schedules");
    return false;
  }
  if (flags.report && flags.emit != "tile") {
    usageError("`--report` and `--emit=" + flags.emit + "` are given, and one result is written",
               "leave one of them out");
    return false;
  }
  return true;
}

std::optional<Options> parseOptions(const std::vector<std::string> &arguments,
                                    llvm::StringRef helpHeader) {
  static Flags flags;
  std::vector<const char *> argv;
  for (const std::string &argument : arguments) {
    argv.push_back(argument.c_str());
  }
  // With a stream for errors the parser returns instead of ending the process with status 1.
  std::string problems;
  llvm::raw_string_ostream os(problems);
  if (!cl::ParseCommandLineOptions(static_cast<int>(argv.size()), argv.data(), helpHeader, &os)) {
    usageError(llvm::StringRef(problems).trim(), "`tile-opt --help` lists the options");
    return std::nullopt;
  }
  Options options;
  options.input = flags.input;
  options.output = flags.output;
  options.emit = flags.report ? std::string("report") : flags.emit.getValue();
  options.target = flags.target.empty() ? options.target : flags.target;
  options.schedule = flags.schedule.empty() ? options.schedule : flags.schedule;
  options.kernel = flags.kernel;
  options.cache = flags.cache;
  options.verifyCode = flags.verifyCode;
  options.threads = flags.threads;
  options.byLLVM = flags.codegen == "llvm";
  if (!options.byLLVM && flags.codegen != "own") {
    usageError("`--codegen` is `" + flags.codegen + "`, which nobody is called",
               "give `own` or `llvm`, or leave it out");
    return std::nullopt;
  }
  if (!isInBuild(flags) || !readSettings(flags.set, options.settings)) {
    return std::nullopt;
  }
  if (!options.isTile() && (!options.kernel.empty() || !options.settings.values.empty())) {
    usageError("`--kernel` and `--set` are for `.tile` files, `" + options.input + "` is none",
               "give a file whose name ends in `.tile`, or leave them out");
    return std::nullopt;
  }
  return options;
}

} // namespace tessera::opt
