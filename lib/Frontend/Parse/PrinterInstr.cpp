// Printing of layouts, instructions and syncs: clauses in one order, each on its own line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PrinterImpl.h"

using namespace tessera;
using namespace tessera::ast;

Doc *Printer::layoutItem(const LayoutDecl &item) {
  Parts params;
  for (const LayoutParam &param : item.params) {
    params.push_back(param.value ? docs.concat({name(param.name), text(" = "), expr(*param.value)})
                                 : name(param.name));
  }
  Doc *list_ = params.empty() ? text("") : list("(", std::move(params), ")");
  return docs.concat({text("layout "), name(item.name), list_, text(" = "), expr(*item.value)});
}

Doc *Printer::family(const LayoutFamily &family) {
  return docs.concat(
      {name(family.major), family.all ? text("(..)") : names("(", family.layouts, ")")});
}

Doc *Printer::operand(const InstrOperand &operand) {
  static const char *const modes[] = {"", "in ", "out ", "inout "};
  Parts parts{name(operand.name), text(": "), text(modes[static_cast<unsigned>(operand.mode)])};
  if (operand.kind == OperandKind::Predicate) {
    parts.push_back(text("predicate"));
  } else if (operand.kind == OperandKind::Scalar) {
    parts.push_back(type(*operand.element));
  } else {
    Parts args{expr(*operand.shape), type(*operand.element)};
    if (operand.layout) {
      args.push_back(angleExpr(*operand.layout));
    }
    parts.push_back(text(spelling(operand.kind)));
    parts.push_back(list("<", std::move(args), ">"));
  }
  if (operand.contiguous) {
    parts.push_back(text(" contiguous"));
  }
  if (operand.align) {
    parts.insert(parts.end(), {text(" align "), expr(*operand.align, 12)});
  }
  if (operand.rows) {
    parts.insert(parts.end(), {text(" rows("), expr(*operand.rows), text(")")});
  }
  for (const LayoutFamily &entry : operand.families) {
    parts.push_back(text(&entry == &operand.families.front() ? " in " : " or "));
    parts.push_back(family(entry));
  }
  return docs.concat(std::move(parts));
}

Doc *Printer::effects(const Instr &item) {
  Parts entries;
  for (const InstrEffect &effect : item.effects) {
    Parts parts;
    for (const Ident &operand : effect.operands) {
      parts.push_back(text(&operand == &effect.operands.front() ? " " : ", "));
      parts.push_back(name(operand));
    }
    parts.insert(parts.begin(), text(spelling(effect.effect)));
    parts.push_back(text(effect.whole ? " whole" : ""));
    if (effect.via) {
      parts.insert(parts.end(), {text(" via "), name(effect.via)});
    }
    entries.push_back(docs.concat(std::move(parts)));
  }
  if (item.completes) {
    Doc *of =
        item.completesOf ? docs.concat({text("("), name(item.completesOf), text(")")}) : text("");
    entries.push_back(docs.concat({text("completes "), name(item.completes), of}));
  }
  if (entries.empty()) {
    return text("effects {}");
  }
  Parts parts;
  for (Doc *entry : entries) {
    parts.push_back(parts.empty() ? text("effects { ") : text("; "));
    parts.push_back(entry);
  }
  parts.push_back(text(" }"));
  return docs.concat(std::move(parts));
}

Doc *Printer::stringLit(const StringLit &literal) { return expr(literal); }

Doc *Printer::instrItem(const Instr &item) {
  Parts params;
  for (const InstrOperand &entry : item.operands) {
    params.push_back(operand(entry));
  }
  Parts lines;
  auto add = [&](Parts parts) {
    lines.push_back(docs.hardLine());
    lines.push_back(docs.concat(std::move(parts)));
  };
  Doc *converged = text(item.converged ? " converged" : "");
  add({text("on "), name(item.arch), text(" scope "), name(item.scope), converged});
  if (!item.where.empty()) {
    Parts conds;
    for (const ExprPtr &cond : item.where) {
      conds.push_back(expr(*cond));
    }
    add({commaList("where", std::move(conds))});
  }
  if (item.hasEffects) {
    add({effects(item)});
  }
  if (item.order) {
    add({text("order "), name(item.order)});
  }
  for (const InstrAddress &address : item.addresses) {
    Parts coords;
    for (const ExprPtr &coord : address.coords) {
      coords.push_back(expr(*coord));
    }
    add({text("address "), name(address.operand), text(" at "),
         coords.size() == 1 ? coords.front() : list("(", std::move(coords), ")")});
  }
  if (item.hook) {
    add({text("lower hook "), stringLit(*item.hook)});
  }
  if (item.ptx) {
    add({text("ptx "), stringLit(*item.ptx)});
  }
  return docs.concat({text("instr "), name(item.name), generics(item.generics),
                      list("(", std::move(params), ")"),
                      docs.nest(options.indent, docs.concat(std::move(lines))), docs.hardLine(),
                      blockBraces(*item.body, /*alwaysBreak=*/true)});
}

Doc *Printer::syncStep(const SyncStep &step) {
  static const char *const words[] = {"barrier",          "commit group ",  "wait group(",
                                      "publishes ",       "mbarrier init(", "mbarrier arrive(",
                                      "mbarrier expect(", "mbarrier wait(", "fence",
                                      "setreg inc ",      "setreg dec "};
  Parts parts{text(words[static_cast<unsigned>(step.step)])};
  if (step.object) {
    parts.push_back(name(step.object));
    parts.push_back(text(step.amount ? ", " : ""));
  }
  if (step.amount) {
    parts.push_back(expr(*step.amount));
  }
  if (step.object || step.step == SyncKind::Wait) {
    parts.push_back(text(step.step == SyncKind::Wait ? ") of " : ")"));
  }
  if (step.of) {
    parts.push_back(name(step.of));
  }
  if (step.to) {
    parts.insert(parts.end(), {text(" -> "), name(step.to)});
  }
  return docs.concat(std::move(parts));
}

Doc *Printer::syncItem(const Sync &item) {
  Parts params;
  for (const SyncParam &param : item.params) {
    Doc *kind = param.kind == SyncParamKind::ConstInt   ? text("const int")
                : param.kind == SyncParamKind::Mbarrier ? text("mbarrier")
                                                        : type(*param.type);
    params.push_back(docs.concat({name(param.name), text(": "), kind}));
  }
  Parts parts{text("sync "), name(item.name)};
  if (!params.empty()) {
    parts.push_back(list("(", std::move(params), ")"));
  }
  if (item.arch) {
    parts.insert(parts.end(), {text(" on "), name(item.arch)});
  }
  if (item.scope) {
    parts.insert(parts.end(), {text(" scope "), name(item.scope)});
  }
  Lines lines(*this);
  for (const SyncStep &step : item.steps) {
    lines.add(step.range, [&] { return syncStep(step); });
  }
  if (options.sources && item.range.isValid()) {
    lines.finish(item.range.end);
  }
  bool breaks = item.steps.size() > 1 || lines.hasComments();
  Doc *separator = breaks ? docs.hardLine() : docs.line();
  Doc *body = docs.nest(options.indent, docs.concat({separator, lines.take(docs.hardLine())}));
  parts.push_back(text(" "));
  parts.push_back(docs.group(docs.concat({text("{"), body, separator, text("}")})));
  return docs.concat(std::move(parts));
}
