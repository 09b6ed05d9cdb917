// What an instruction's own text must be, whatever its constants: operands, effects, the holes of its text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Declarations.h"

#include "llvm/ADT/StringExtras.h"

namespace tessera::sema {

using instr::OperandMode;

/// Every name in an expression or type, those of types and casts included.
static void forNames(const ast::Node *node,
                     llvm::function_ref<void(llvm::StringRef, SourceRange)> visit) {
  if (!node) {
    return;
  }
  if (const auto *name = llvm::dyn_cast<ast::Name>(node)) {
    visit(name->name, name->range);
  } else if (const auto *type = llvm::dyn_cast<ast::NamedType>(node)) {
    visit(type->name, type->range);
  } else if (const auto *cast = llvm::dyn_cast<ast::Cast>(node)) {
    visit(cast->type.name, cast->type.range);
  }
  ast::forEachChild(*node, [&](const ast::Node &child) { forNames(&child, visit); });
}

static const ast::InstrOperand *findOperand(const ast::Instr &decl, llvm::StringRef name) {
  for (const ast::InstrOperand &operand : decl.operands) {
    if (operand.name.name == name) {
      return &operand;
    }
  }
  return nullptr;
}

static std::string operandNames(const ast::Instr &decl) {
  std::vector<std::string> names;
  for (const ast::InstrOperand &operand : decl.operands) {
    names.push_back(operand.name.name);
  }
  return "the operands are " + orList(names);
}

//===-- uses of operands -------------------------------------------------------------------------------------------===//

/// The operand that a statement assigns; null for `let`.
static const ast::Name *targetOf(const ast::Stmt &stmt) {
  const auto *assign = llvm::dyn_cast<ast::Assign>(&stmt);
  return assign ? llvm::dyn_cast<ast::Name>(assign->place.get()) : nullptr;
}

static void forReads(const ast::Stmt &stmt,
                     llvm::function_ref<void(llvm::StringRef, SourceRange)> visit) {
  if (const auto *assign = llvm::dyn_cast<ast::Assign>(&stmt)) {
    forNames(assign->value.get(), visit);
    forNames(assign->fill.get(), visit);
  } else {
    forNames(&stmt, visit);
  }
}

std::vector<OperandUse> operandUses(const ast::Instr &decl) {
  std::vector<OperandUse> uses(decl.operands.size());
  for (size_t i = 0; i < uses.size(); ++i) {
    const ast::InstrOperand &operand = decl.operands[i];
    for (const ast::StmtPtr &stmt : decl.body->stmts) {
      forReads(*stmt, [&](llvm::StringRef name, SourceRange) {
        uses[i].read |= name == operand.name.name;
      });
      const ast::Name *target = targetOf(*stmt);
      if (target && target->name == operand.name.name && !uses[i].assigned.isValid()) {
        uses[i].assigned = target->range;
      }
    }
    bool register_ =
        operand.kind == ast::OperandKind::Scalar || operand.kind == ast::OperandKind::Predicate;
    bool out =
        operand.mode == ast::OperandMode::Out ||
        (operand.mode == ast::OperandMode::Unspecified && !register_ && uses[i].assigned.isValid());
    uses[i].mode = operand.mode == ast::OperandMode::InOut ? OperandMode::InOut
                   : out                                   ? OperandMode::Out
                                                           : OperandMode::In;
  }
  return uses;
}

//===-- holes ------------------------------------------------------------------------------------------------------===//

std::vector<PtxHole> ptxHoles(llvm::StringRef ptx) {
  std::vector<PtxHole> holes;
  for (size_t at = 0; at < ptx.size();) {
    char c = ptx[at];
    if (c != '{' && c != '}') {
      ++at;
      continue;
    }
    if (at + 1 < ptx.size() && ptx[at + 1] == c) {
      at += 2;
      continue;
    }
    PtxHole hole;
    size_t end = c == '{' ? ptx.find('}', at) : llvm::StringRef::npos;
    if (end == llvm::StringRef::npos) {
      hole.text = std::string(1, c);
      hole.problem = c == '{' ? "is not closed" : "closes nothing";
      holes.push_back(std::move(hole));
      return holes;
    }
    hole.text = ptx.slice(at, end + 1).str();
    llvm::StringRef inner = ptx.slice(at + 1, end).trim();
    if (inner.consume_front("present_bytes(") && inner.consume_back(")")) {
      hole.present = true;
      inner = inner.trim();
    }
    hole.name = inner.str();
    holes.push_back(std::move(hole));
    at = end + 1;
  }
  return holes;
}

namespace {
class InstrChecker {
public:
  InstrChecker(const ast::Instr &decl, DiagnosticEngine &engine)
      : decl(decl), engine(engine), uses(operandUses(decl)) {}

  bool run() {
    unsigned before = engine.errorCount();
    parameters();
    if (engine.errorCount() == before) {
      assignments();
    }
    if (engine.errorCount() == before) {
      operandsUsed();
      effects();
      addresses();
      holes();
      constantsUsed();
    }
    return engine.errorCount() == before;
  }

private:
  void parameters();
  void assignments();
  void assignment(const ast::Name &target, llvm::StringMap<SourceRange> &done);
  void operandsUsed();
  void effects();
  void effect(const ast::InstrEffect &effect, llvm::StringMap<SourceRange> &named);
  void ways();
  void addresses();
  void holes();
  void constantsUsed();
  SourceRange holeRange(llvm::StringRef text) const;
  const OperandUse *useOf(llvm::StringRef name) const {
    for (size_t i = 0; i < uses.size(); ++i) {
      if (decl.operands[i].name.name == name) {
        return &uses[i];
      }
    }
    return nullptr;
  }

  const ast::Instr &decl;
  DiagnosticEngine &engine;
  std::vector<OperandUse> uses;
};
} // namespace

/// Constants are `int`, types are what a generic parameter may be; shapes are those of the operands.
void InstrChecker::parameters() {
  for (const ast::GenericParam &param : decl.generics) {
    bool shape = param.kind == ast::GenericKind::Shape;
    const auto *type = llvm::dyn_cast_or_null<ast::NamedType>(param.type.get());
    bool wrongType =
        param.kind == ast::GenericKind::Const && (!type || type->name != "int" || param.value);
    if (!shape && !wrongType) {
      continue;
    }
    std::string found = shape ? std::string("`shape`")
                        : param.value
                            ? std::string("a default")
                            : "`" + engine.getSources().text(param.type->range).str() + "`";
    engine.report(diag::instr_parameter, param.range, param.name.name, found)
        .help("write `const " + param.name.name + ": int`, or `" + param.name.name +
              " in {bf16, f16}` for a type");
  }
}

void InstrChecker::assignment(const ast::Name &target, llvm::StringMap<SourceRange> &done) {
  const ast::InstrOperand *operand = findOperand(decl, target.name);
  if (!operand) {
    engine.report(diag::operand_assigned, target.range, target.name, "no operand")
        .help(operandNames(decl) + "; name parts with `let`");
    return;
  }
  bool register_ =
      operand->kind == ast::OperandKind::Scalar || operand->kind == ast::OperandKind::Predicate;
  if (register_ || operand->mode == ast::OperandMode::In) {
    engine
        .report(diag::operand_assigned, target.range, target.name,
                register_ ? "a scalar" : "an input")
        .help(register_ ? "give the result a fragment: `frag<[1], …>`"
                        : "declare it `out`, or `inout` if its old value is read")
        .note(operand->range, "declared here");
    return;
  }
  auto [it, fresh] = done.try_emplace(target.name, target.range);
  if (!fresh) {
    engine.report(diag::operand_assigned_twice, target.range, target.name)
        .help("name the first value with `let`")
        .note(it->second, "the first one");
  }
}

void InstrChecker::assignments() {
  llvm::StringMap<SourceRange> done;
  llvm::StringSet<> told;
  for (const ast::StmtPtr &stmt : decl.body->stmts) {
    forReads(*stmt, [&](llvm::StringRef name, SourceRange range) {
      const OperandUse *use = useOf(name);
      if (use && use->mode == OperandMode::Out && !done.count(name) && told.insert(name).second) {
        engine.report(diag::operand_read_first, range, name)
            .help("declare it `inout`")
            .note(findOperand(decl, name)->range, "declared here");
      }
    });
    if (const ast::Name *target = targetOf(*stmt)) {
      assignment(*target, done);
    }
  }
}

void InstrChecker::operandsUsed() {
  bool any = false;
  for (size_t i = 0; i < uses.size(); ++i) {
    const ast::InstrOperand &operand = decl.operands[i];
    llvm::StringRef name = operand.name.name;
    bool written = uses[i].mode != OperandMode::In;
    any |= written;
    if (written && !uses[i].assigned.isValid()) {
      engine
          .report(diag::operand_not_assigned, operand.range, name,
                  uses[i].mode == OperandMode::Out ? "out" : "inout")
          .help("assign it in the body, or leave the word out");
    }
    // Scalars and predicates may matter to the text alone: a cache policy, a guard.
    bool memory =
        operand.kind != ast::OperandKind::Scalar && operand.kind != ast::OperandKind::Predicate;
    if (!written && memory && !uses[i].read) {
      engine.report(diag::operand_unused, operand.range, name)
          .help("use it, or leave the operand out");
    }
  }
  if (!any) {
    engine.report(diag::body_without_result, decl.body->range, decl.name.name)
        .help("say what becomes of an operand: `dst = src`");
  }
}

//===-- effects ----------------------------------------------------------------------------------------------------===//

void InstrChecker::effect(const ast::InstrEffect &effect, llvm::StringMap<SourceRange> &named) {
  static constexpr llvm::StringLiteral does[] = {"reads", "writes", "updates"};
  static constexpr llvm::StringLiteral words[] = {"read", "write", "update"};
  for (const ast::Ident &ident : effect.operands) {
    const OperandUse *use = useOf(ident.name);
    if (!use) {
      engine.report(diag::unknown_name, ident.range, ident.name).help(operandNames(decl));
      continue;
    }
    auto [it, fresh] = named.try_emplace(ident.name, ident.range);
    if (!fresh) {
      engine.report(diag::effect_twice, ident.range, ident.name)
          .help("keep one of them; `update` reads and writes")
          .note(it->second, "the first one");
    }
    unsigned actual = static_cast<unsigned>(use->mode);
    if (actual != static_cast<unsigned>(effect.effect)) {
      engine
          .report(diag::effect_mismatch, ident.range, ast::spelling(effect.effect), ident.name,
                  does[actual])
          .help("write `" + words[actual] + " " + ident.name + "`");
    }
  }
}

/// One way to memory, and the completion that belongs to it.
void InstrChecker::ways() {
  struct Way {
    llvm::StringLiteral via, completions;
  };
  static constexpr Way table[] = {{"generic", "now"},
                                  {"cp_async", "group(thread) ring"},
                                  {"tma", "ring"},
                                  {"bulk", "bulk_group"},
                                  {"wgmma", "wgmma_group"}};
  const ast::Ident *way = nullptr;
  for (const ast::InstrEffect &effect : decl.effects) {
    if (!effect.via || effect.via.name == "generic") {
      continue;
    }
    if (way && way->name != effect.via.name) {
      engine.report(diag::effect_two_ways, effect.via.range, way->name, effect.via.name)
          .help("declare two instructions, or give both the same way")
          .note(way->range, "the first one");
      return;
    }
    way = &effect.via;
  }
  std::string found = decl.completes.name;
  if (decl.completesOf) {
    found += "(" + decl.completesOf.name + ")";
  }
  for (const Way &row : table) {
    if (row.via != (way ? llvm::StringRef(way->name) : "generic")) {
      continue;
    }
    llvm::SmallVector<llvm::StringRef> wanted;
    row.completions.split(wanted, ' ');
    if (llvm::is_contained(wanted, found) || (!way && found.empty())) {
      return;
    }
    std::vector<std::string> names(wanted.begin(), wanted.end());
    engine
        .report(diag::completion_mismatch, decl.completes ? decl.completes.range : way->range,
                row.via, orList(names), found.empty() ? "nothing" : "`" + found + "`")
        .help("write `completes " + names.front() + "` in the effects");
  }
}

void InstrChecker::effects() {
  if (!decl.hasEffects) {
    return;
  }
  unsigned before = engine.errorCount();
  llvm::StringMap<SourceRange> named;
  for (const ast::InstrEffect &effect : decl.effects) {
    this->effect(effect, named);
  }
  for (size_t i = 0; i < uses.size(); ++i) {
    const ast::InstrOperand &operand = decl.operands[i];
    bool memory = operand.kind == ast::OperandKind::Smem || operand.kind == ast::OperandKind::View;
    if (memory && !named.count(operand.name.name)) {
      std::string word = ast::spelling(static_cast<ast::EffectKind>(uses[i].mode));
      engine.report(diag::effect_missing, operand.range, operand.name.name)
          .help("add `" + word + " " + operand.name.name + "`, or leave the clause out");
    }
  }
  if (engine.errorCount() == before) {
    ways();
  }
}

//===-- addresses, text, constants ---------------------------------------------------------------------------------===//

void InstrChecker::addresses() {
  for (const ast::InstrAddress &address : decl.addresses) {
    const ast::InstrOperand *operand = findOperand(decl, address.operand.name);
    if (!operand) {
      engine.report(diag::unknown_name, address.operand.range, address.operand.name)
          .help(operandNames(decl));
      continue;
    }
    bool memory =
        operand->kind == ast::OperandKind::Smem || operand->kind == ast::OperandKind::View;
    if (!memory) {
      engine
          .report(diag::address_invalid, address.operand.range, operand->name.name,
                  "does not exist: it is no memory")
          .help("only `smem` and `view` operands have addresses");
    } else if (!operand->rows) {
      engine
          .report(diag::address_invalid, address.operand.range, operand->name.name,
                  "is that of a row of unknown length")
          .help("say how many elements an address is for: `rows(8)`")
          .note(operand->range, "declared here");
    }
  }
}

/// Where a hole stands in the source; the whole string where escapes hide it.
SourceRange InstrChecker::holeRange(llvm::StringRef text) const {
  llvm::StringRef source = engine.getSources().text(decl.ptx->range);
  size_t at = source.find(text);
  if (at == llvm::StringRef::npos) {
    return decl.ptx->range;
  }
  uint32_t begin = decl.ptx->range.begin + static_cast<uint32_t>(at);
  return {decl.ptx->range.file, begin, begin + static_cast<uint32_t>(text.size())};
}

void InstrChecker::holes() {
  if (!decl.ptx) {
    return;
  }
  for (const PtxHole &hole : ptxHoles(decl.ptx->value)) {
    const ast::InstrOperand *operand = findOperand(decl, hole.name);
    bool constant = llvm::any_of(decl.generics, [&](const ast::GenericParam &param) {
      return param.name.name == hole.name && param.kind == ast::GenericKind::Const;
    });
    std::string problem = hole.problem;
    std::string help = operandNames(decl) + "; a brace of the text itself is written twice";
    if (problem.empty() && !operand && (hole.present || !constant)) {
      problem = "is neither an operand nor a constant";
    } else if (problem.empty() && hole.present && operand->kind != ast::OperandKind::View) {
      problem = "is for views: only they end before a tile does";
      help = "name a `view` operand in `present_bytes`";
    }
    if (!problem.empty()) {
      engine.report(diag::ptx_hole, holeRange(hole.text), hole.text, problem).help(help);
    }
  }
}

void InstrChecker::constantsUsed() {
  llvm::StringSet<> used;
  auto note = [&](llvm::StringRef name, SourceRange) { used.insert(name); };
  for (const ast::InstrOperand &operand : decl.operands) {
    for (const ast::Node *node : {static_cast<const ast::Node *>(operand.shape.get()),
                                  static_cast<const ast::Node *>(operand.element.get()),
                                  static_cast<const ast::Node *>(operand.layout.get()),
                                  static_cast<const ast::Node *>(operand.align.get()),
                                  static_cast<const ast::Node *>(operand.rows.get())}) {
      forNames(node, note);
    }
  }
  for (const ast::InstrAddress &address : decl.addresses) {
    for (const ast::ExprPtr &coord : address.coords) {
      forNames(coord.get(), note);
    }
  }
  forNames(decl.body.get(), note);
  for (const PtxHole &hole : decl.ptx ? ptxHoles(decl.ptx->value) : std::vector<PtxHole>()) {
    used.insert(hole.name);
  }
  for (const ast::GenericParam &param : decl.generics) {
    if (!used.count(param.name.name)) {
      engine.report(diag::constant_unused, param.range, param.name.name, decl.name.name)
          .help("use it in an operand, the text or the body, or leave it out");
    }
  }
}

bool checkInstrText(const ast::Instr &decl, DiagnosticEngine &engine) {
  return InstrChecker(decl, engine).run();
}

//===-- syncs ------------------------------------------------------------------------------------------------------===//

bool checkSyncText(const ast::Sync &decl, DiagnosticEngine &engine) {
  unsigned before = engine.errorCount();
  llvm::StringSet<> used;
  for (const ast::SyncStep &step : decl.steps) {
    forNames(step.amount.get(), [&](llvm::StringRef name, SourceRange) { used.insert(name); });
    if (const auto *name = llvm::dyn_cast_or_null<ast::Name>(step.amount.get())) {
      bool barrier = llvm::any_of(decl.params, [&](const ast::SyncParam &param) {
        return param.name.name == name->name && param.kind == ast::SyncParamKind::Mbarrier;
      });
      if (barrier) {
        engine.report(diag::wrong_domain, name->range, "a step", "a number there", name->name)
            .help("name a `const int` or scalar parameter, or write a number");
      }
    }
    if (!step.object) {
      continue;
    }
    used.insert(step.object.name);
    bool known = llvm::any_of(decl.params, [&](const ast::SyncParam &param) {
      return param.name.name == step.object.name && param.kind == ast::SyncParamKind::Mbarrier;
    });
    if (!known) {
      engine
          .report(diag::wrong_domain, step.object.range, "mbarrier", "a parameter of that type",
                  step.object.name)
          .help("declare it: `" + decl.name.name + "(" + step.object.name + ": mbarrier)`");
    }
  }
  for (const ast::SyncParam &param : decl.params) {
    if (!used.count(param.name.name)) {
      engine.report(diag::constant_unused, param.range, param.name.name, decl.name.name)
          .help("use it in a step, or leave it out");
    }
  }
  return engine.errorCount() == before;
}

} // namespace tessera::sema
