// The tool tile-sched.
//
//   .tile ──frontend──► module, schedule blocks ─┐
//   .mlir ──parser────► module                   ├─► applySchedule ─► IR, report
//   --script=X.sched ─► schedules ───────────────┤
//   --default ────────► rules of the library ────┘
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/SchedTool.h"

#include "tessera/Frontend/Frontend.h"
#include "tessera/Schedule/Apply.h"
#include "tessera/Schedule/FrontendInstructions.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <set>

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;

namespace {

constexpr StringRef usage =
    R"(usage: tile-sched FILE [options]
  FILE                 a .tile file, or .mlir with kernels
  --script=FILE        schedules of a .sched file; default: the schedule blocks of the .tile file
  --default            the schedule that the library's rules choose for the kernel; --target is sm_80 if not given
  --schedule=NAME      the schedule, and the kernel of this name; default: the only one
  --kernel=NAME        the kernel, where it has another name than the schedule
  --target=ARCH        sm_80, sm_90a, …; default: what the schedule says
  --param NAME=VALUE   a parameter of the schedule
  --set NAME=VALUE     a value of the kernel's instance (.tile)
  --emit=WHAT          scheduled (default) or none
  --explain            the report of steps and conditions, after the IR, with sums and times
  --explain=cost       the same, with what each condition took
  --explain=json       the same as JSON
  --locations          the IR with its locations
  --no-trust           `trust` blocks are refused
  --queries=FOLDER     writes every query as a file
  --cache=FILE         verdicts kept between runs, over those that are shipped
  --recheck            proves again what verdicts are kept of; one that is not confirmed is an error
  --primitives         prints the documentation of all primitives and ends
)";

struct Arguments {
  std::string file, script, schedule, kernel, target, emit = "scheduled", explain, queries, cache;
  std::map<std::string, std::string> params;
  Settings settings;
  bool locations = false, noTrust = false, recheck = false, primitives = false, help = false,
       isDefault = false;
};

/// One run of the tool.
class Tool {
public:
  Tool(llvm::raw_ostream &out, llvm::raw_ostream &err, Replayer replayer)
      : out(out), err(err), engine(sources), context(mlir::MLIRContext::Threading::DISABLED),
        replayer(std::move(replayer)) {}

  int run(llvm::ArrayRef<StringRef> words);

private:
  bool parse(llvm::ArrayRef<StringRef> words);
  bool parseFlag(StringRef word);
  bool setPair(StringRef option, StringRef pair, std::map<std::string, std::string> &to);
  bool wrong(const llvm::Twine &text);
  bool loadModule();
  bool loadScripts();
  bool chooseKernel();
  const script::Schedule *chooseSchedule();
  int schedule();
  int failed();
  bool reportProblems(const Ledger &ledger);

  llvm::raw_ostream &out, &err;
  SourceManager sources;
  DiagnosticEngine engine;
  mlir::MLIRContext context;
  Replayer replayer;
  Arguments args;
  std::unique_ptr<Program> program; ///< of a .tile file
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<script::Program> scripts;
};

} // namespace

//===-- Command line -----------------------------------------------------------------------------------------------===//

bool Tool::wrong(const llvm::Twine &text) {
  err << "error: " << text << "\n  help: `tile-sched --help` lists the options\n";
  return false;
}

bool Tool::setPair(StringRef option, StringRef pair, std::map<std::string, std::string> &to) {
  auto [name, value] = pair.split('=');
  if (name.trim().empty() || value.trim().empty()) {
    return wrong("`" + option + " " + pair + "` is no setting: write `" + option + " NAME=VALUE`");
  }
  if (!to.emplace(name.trim().str(), value.trim().str()).second) {
    return wrong("`" + option + "` gives `" + name.trim() + "` twice");
  }
  return true;
}

/// One option of the form `--name` or `--name=value`.
bool Tool::parseFlag(StringRef word) {
  auto [name, value] = word.split('=');
  bool hasValue = name.size() != word.size();
  const std::pair<StringRef, std::string *> texts[] = {
      {"--script", &args.script}, {"--schedule", &args.schedule}, {"--kernel", &args.kernel},
      {"--target", &args.target}, {"--emit", &args.emit},         {"--queries", &args.queries},
      {"--cache", &args.cache}};
  for (const auto &[option, text] : texts) {
    if (name == option) {
      *text = value.str();
      return !value.empty() || wrong("`" + name + "` needs a value");
    }
  }
  if (name == "--explain") {
    args.explain = hasValue ? value.str() : "text";
    bool isKnown = llvm::is_contained({"text", "cost", "json"}, args.explain);
    return isKnown || wrong("`" + word +
                            "` is unknown; there are `--explain`, `--explain=cost` and "
                            "`--explain=json`");
  }
  const std::pair<StringRef, bool *> truths[] = {
      {"--locations", &args.locations}, {"--no-trust", &args.noTrust},
      {"--recheck", &args.recheck},     {"--primitives", &args.primitives},
      {"--default", &args.isDefault},   {"--help", &args.help}};
  for (const auto &[option, truth] : truths) {
    if (word == option) {
      return *truth = true;
    }
  }
  return wrong("unknown option `" + word + "`");
}

bool Tool::parse(llvm::ArrayRef<StringRef> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    bool isParam = word == "--param" || word.starts_with("--param=");
    bool isSet = word == "--set" || word.starts_with("--set=");
    if (isParam || isSet) {
      StringRef option = isParam ? "--param" : "--set";
      StringRef pair = word.drop_front(option.size());
      if (!pair.consume_front("=")) {
        if (++i == words.size()) {
          return wrong("`" + option + "` needs NAME=VALUE");
        }
        pair = words[i];
      }
      if (!setPair(option, pair, isParam ? args.params : args.settings.values)) {
        return false;
      }
    } else if (word.starts_with("--")) {
      if (!parseFlag(word)) {
        return false;
      }
    } else if (args.file.empty()) {
      args.file = word.str();
    } else {
      return wrong("two files are given: `" + args.file + "` and `" + word + "`");
    }
  }
  if (args.help || args.primitives) {
    return true;
  }
  if (args.file.empty()) {
    return wrong("no file is given");
  }
  if (args.isDefault && !(args.script.empty() && args.schedule.empty())) {
    return wrong("`--default` stands for a script and its schedule: give one of them");
  }
  if (args.emit != "scheduled" && args.emit != "none") {
    return wrong("`--emit=" + args.emit + "` is unknown; there are `scheduled` and `none`");
  }
  return true;
}

//===-- Input ------------------------------------------------------------------------------------------------------===//

bool Tool::loadModule() {
  if (StringRef(args.file).ends_with(".tile")) {
    program = Program::load(args.file, engine);
    return program != nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getFile(args.file);
  if (!buffer) {
    err << "error: cannot read `" << args.file << "`: " << buffer.getError().message()
        << "\n  help: check the path\n";
    return false;
  }
  mlir::ParserConfig config(&context);
  module = mlir::parseSourceString<mlir::ModuleOp>((*buffer)->getBuffer(), config, args.file);
  return static_cast<bool>(module);
}

bool Tool::loadScripts() {
  scripts = std::make_unique<script::Program>(engine);
  if (args.isDefault) {
    return scripts->loadLibrary(kDefaultsFile);
  }
  if (!args.script.empty()) {
    return scripts->load(args.script);
  }
  if (!program) {
    return wrong("a .mlir file has no schedules of its own: give `--script=FILE`");
  }
  return scripts->loadBlocks(program->scripts());
}

/// The kernel that is meant where no schedule names one: the only one.
bool Tool::chooseKernel() {
  std::vector<std::string> names;
  if (program) {
    names = program->kernels();
  } else {
    for (auto kernel : module->getOps<tile::KernelOp>()) {
      names.push_back(kernel.getSymName().str());
    }
  }
  if (names.size() != 1) {
    return wrong(names.empty() ? "there is no kernel in the file"
                               : "the file has several kernels: say which with `--kernel=NAME`");
  }
  args.kernel = names.front();
  return true;
}

const script::Schedule *Tool::chooseSchedule() {
  if (args.isDefault) {
    args.schedule = kDefaultSchedule.str();
    args.target = args.target.empty() ? "sm_80" : args.target;
    if (args.kernel.empty() && !chooseKernel()) {
      return nullptr;
    }
  }
  std::vector<const script::Schedule *> all = scripts->schedules();
  if (args.schedule.empty()) {
    if (all.size() == 1) {
      args.schedule = all.front()->name.text;
    } else {
      wrong(all.empty() ? "there is no schedule in the file"
                        : "the file has several schedules: say which with `--schedule=NAME`");
      return nullptr;
    }
  }
  if (!args.target.empty()) {
    return scripts->select(args.schedule, args.target);
  }
  const script::Schedule *found = nullptr;
  for (const script::Schedule *schedule : all) {
    if (schedule->name.text == args.schedule) {
      if (found) {
        wrong("`" + args.schedule +
              "` has schedules for several targets: say which with `--target=ARCH`");
        return nullptr;
      }
      found = schedule;
    }
  }
  if (!found) {
    wrong("there is no schedule `" + args.schedule + "`");
  }
  return found;
}

//===-- Run --------------------------------------------------------------------------------------------------------===//

/// What went wrong is shown once, whoever found it.
int Tool::failed() {
  engine.render(err);
  return 1;
}

/// Answers of a cache that did not hold, files that could not be written (said once, not for each answer). False where a
/// recheck found another answer.
bool Tool::reportProblems(const Ledger &ledger) {
  bool isConfirmed = !ledger.spending || ledger.spending->queries.disagreements == 0;
  std::set<std::string> said;
  for (const std::string &problem : ledger.problems) {
    if (!said.insert(problem).second) {
      continue;
    }
    err << (isConfirmed ? "warning: " : "error: ") << problem << "\n";
  }
  if (!isConfirmed) {
    err << "  help: remove the file of `--cache`; if it is the shipped one, run "
           "scripts/verdict-cache\n";
  }
  return isConfirmed;
}

int Tool::schedule() {
  const script::Schedule *chosen = chooseSchedule();
  if (!chosen) {
    engine.render(err);
    return engine.hasErrors() ? 1 : 2;
  }
  std::string kernel = args.kernel.empty() ? chosen->name.text : args.kernel;
  if (program) {
    module = program->instantiate(kernel, args.settings, context);
    if (!module) {
      return failed();
    }
  }
  std::string arch = args.target.empty() ? chosen->target.text : args.target;
  std::optional<TargetRecord> target = TargetRecord::named(arch);
  if (!target) {
    wrong("`" + arch + "` is no target that is known; there are " + TargetRecord::known());
    return 2;
  }
  // IR without a program has the instructions of the library.
  if (!program && !(program = Program::loadBuffer("", "library", engine))) {
    return failed();
  }
  Instructions declared(*program);
  FrontendInstructions table(declared, engine);
  ApplyOptions options;
  options.run.settings = args.params;
  options.run.out = &err; // what comes out is the IR and the report alone
  options.instructions = &table;
  options.allowTrust = !args.noTrust;
  options.replayer = replayer;
  options.queryLog = args.queries;
  options.cacheFile = args.cache;
  options.verdicts = shippedVerdicts();
  options.solver.recheck = args.recheck;
  Ledger ledger;
  mlir::OwningOpRef<mlir::ModuleOp> result =
      applySchedule(*module, kernel, *scripts, *chosen, *target, options, ledger);
  bool isConfirmed = reportProblems(ledger);
  if (!result || !isConfirmed) {
    return failed();
  }
  if (args.emit == "scheduled") {
    mlir::OpPrintingFlags flags;
    if (args.locations) {
      flags.enableDebugInfo(true, /*prettyForm=*/false);
    }
    result->print(out, flags);
    out << "\n";
  }
  if (args.explain == "json") {
    ledger.printJson(out, &sources);
  } else if (!args.explain.empty()) {
    ledger.print(out, &sources, args.explain == "cost" ? Detail::Costs : Detail::Totals);
  }
  engine.render(err); // warnings
  return 0;
}

int Tool::run(llvm::ArrayRef<StringRef> words) {
  if (!parse(words)) {
    return 2;
  }
  if (args.help) {
    out << usage;
    return 0;
  }
  if (args.primitives) {
    PrimitiveRegistry registry;
    addAllPrimitives(registry);
    std::vector<script::Signature> signatures;
    for (const Primitive &primitive : registry.primitives()) {
      signatures.push_back(primitive.signature);
    }
    script::printPrimitives(out, signatures);
    return 0;
  }
  context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    err << diagnostic.getLocation() << ": " << diagnostic << "\n";
    return mlir::success();
  });
  if (!loadModule() || !loadScripts()) {
    return failed();
  }
  return schedule();
}

int tessera::runTileSched(llvm::ArrayRef<StringRef> words, llvm::raw_ostream &out,
                          llvm::raw_ostream &err, Replayer replayer) {
  return Tool(out, err, std::move(replayer)).run(words);
}
