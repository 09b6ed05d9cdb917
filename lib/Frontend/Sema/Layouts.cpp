// Declared layouts: their numbers are worked out, then the layout library reads the notation and does the algebra.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Declarations.h"

#include "tessera/Layout/Notation.h"

namespace tessera::sema {

/// Layouts are small; a chain of uses that doubles at each step is not.
static constexpr size_t kMaxText = size_t(1) << 16;
static constexpr size_t kMaxDepth = 32;

namespace {
struct Operation {
  llvm::StringLiteral name;
  unsigned least, most; ///< arguments
  bool layoutFirst;     ///< the first argument is a layout, so is the second of a pair
  llvm::StringLiteral takes;
};
} // namespace

static constexpr Operation kOperations[] = {
    {"compose", 2, 2, true, "two layouts"},
    {"complement", 1, 2, true, "a layout and, if wanted, a size"},
    {"divide", 2, 2, true, "two layouts"},
    {"product", 2, 2, true, "two layouts"},
    {"inverse", 1, 1, true, "a layout"},
    {"left_inverse", 1, 1, true, "a layout"},
    {"right_inverse", 1, 1, true, "a layout"},
    {"coalesce", 1, 1, true, "a layout"},
    {"swizzle", 3, 3, false, "three numbers: bits, base, shift"},
};

static const Operation *findOperation(llvm::StringRef name) {
  for (const Operation &operation : kOperations) {
    if (operation.name == name) {
      return &operation;
    }
  }
  return nullptr;
}

bool LayoutEvaluator::isOperation(llvm::StringRef name) { return findOperation(name) != nullptr; }

std::string orList(llvm::ArrayRef<std::string> names) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    list += i == 0 ? "`" : i + 1 == names.size() ? " or `" : ", `";
    list += names[i] + "`";
  }
  return list;
}

DeclarationScope::DeclarationScope(ModuleSet &modules, const Module &owner,
                                   mlir::MLIRContext &context)
    : instance{modules, owner, kernel, settings, context, modules.getEngine(),
               {},      {},    {},     {},       {},      {}},
      emitter(instance, &scratch) {}

const ast::Item *findDeclared(ModuleSet &modules, const Module &from, llvm::StringRef name,
                              const Module *&owner) {
  if (const ast::Item *item = from.find(name, owner)) {
    return item;
  }
  Module *library = modules.loadStd();
  return library ? library->find(name, owner) : nullptr;
}

//===-- text -------------------------------------------------------------------------------------------------------===//

void LayoutEvaluator::append(llvm::StringRef piece, SourceRange range) {
  // What a use of a declared layout brings is the use's fault as far as the reader can see.
  places.emplace_back(text.size(), range);
  text += piece;
}

bool LayoutEvaluator::number(const ast::Expr &expr, llvm::StringRef what) {
  bool layout = llvm::isa<ast::LayoutLit, ast::Tuple>(expr);
  if (const auto *name = llvm::dyn_cast<ast::Name>(&expr); name && !e.lookup(name->name)) {
    const Module *owner = nullptr;
    layout = llvm::isa_and_nonnull<ast::LayoutDecl>(e.module().find(name->name, owner));
  }
  if (layout) {
    e.error(diag::layout_argument_kind, expr.range, "write a number there", what,
            llvm::isa<ast::Tuple>(expr) ? "a tuple" : "a layout");
    return false;
  }
  std::optional<int64_t> value = e.constI64(expr, what);
  if (value) {
    append(std::to_string(*value), expr.range);
  }
  return value.has_value();
}

bool LayoutEvaluator::expandTree(const ast::Expr &expr) {
  const auto *tuple = llvm::dyn_cast<ast::Tuple>(&expr);
  if (!tuple) {
    return number(expr, "a number of a layout");
  }
  append("(", expr.range);
  for (const ast::ExprPtr &element : tuple->elements) {
    if (&element != &tuple->elements.front()) {
      append(", ", element->range);
    }
    if (!expandTree(*element)) {
      return false;
    }
  }
  append(")", expr.range);
  return true;
}

bool LayoutEvaluator::expandOperation(llvm::StringRef name, const ast::Call &call) {
  const Operation &operation = *findOperation(name);
  bool named = llvm::any_of(call.args, [](const ast::Arg &arg) { return bool(arg.name); });
  if (named || call.args.size() < operation.least || call.args.size() > operation.most) {
    e.error(diag::layout_arguments, call.range, "its arguments stand in order, without names", name,
            operation.takes,
            named ? std::string("a named argument") : counted(call.args.size(), "argument"));
    return false;
  }
  append((name + "(").str(), call.range);
  for (size_t i = 0; i < call.args.size(); ++i) {
    const ast::Expr &arg = *call.args[i].value;
    if (i) {
      append(", ", arg.range);
    }
    bool isNumber = !operation.layoutFirst || (i == 1 && name == "complement");
    if (isNumber ? !number(arg, "a number of `" + name.str() + "`") : !expand(arg)) {
      return false;
    }
  }
  append(")", call.range);
  return true;
}

const ast::Item *LayoutEvaluator::find(const ast::Expr &callee, const Module *&owner) {
  if (const auto *name = llvm::dyn_cast<ast::Name>(&callee)) {
    return findDeclared(e.instance.modules, e.module(), name->name, owner);
  }
  const auto *member = llvm::dyn_cast<ast::Member>(&callee);
  const Module *space = member ? e.namespaceOf(*member->base) : nullptr;
  return space ? space->find(member->member.name, owner) : nullptr;
}

/// A declared layout, with arguments or without.
bool LayoutEvaluator::expandUse(const ast::Expr &callee, const ast::Call *call) {
  const Module *owner = nullptr;
  const ast::Item *item = find(callee, owner);
  const auto *decl = llvm::dyn_cast_or_null<ast::LayoutDecl>(item);
  std::string spelled = e.instance.engine.getSources().text(callee.range).str();
  if (!decl) {
    std::vector<llvm::StringRef> known;
    for (const Operation &operation : kOperations) {
      known.push_back(operation.name);
    }
    for (const auto &module : e.instance.modules.getModules()) {
      for (const auto &entry : module->items) {
        if (llvm::isa<ast::LayoutDecl>(entry.second)) {
          known.push_back(entry.getKey());
        }
      }
    }
    llvm::sort(known);
    std::string near = nearestName(spelled, known);
    DiagnosticBuilder d = e.error(diag::layout_unknown, callee.range,
                                  near.empty() ? "declare it: `layout " + spelled + " = …`"
                                               : "did you mean `" + near + "`?",
                                  spelled);
    if (item) {
      d.note(itemName(*item)->range, "this is " + itemKind(*item));
    }
    return false;
  }
  llvm::SmallVector<Argument> arguments;
  for (size_t i = 0; call && i < call->args.size(); ++i) {
    const ast::Arg &arg = call->args[i];
    size_t from = text.size(), mark = places.size();
    if (!number(*arg.value, "an argument of `" + spelled + "`")) {
      return false;
    }
    int64_t value = 0;
    llvm::StringRef(text).drop_front(from).getAsInteger(10, value);
    text.resize(from);
    places.resize(mark);
    arguments.push_back({arg.name.name, value, arg.value->range});
  }
  return expandDecl(*owner, *decl, arguments, call ? call->range : callee.range);
}

bool LayoutEvaluator::bind(const ast::LayoutDecl &decl, llvm::ArrayRef<Argument> arguments,
                           SourceRange use) {
  size_t given = llvm::count_if(arguments, [](const Argument &arg) { return arg.name.empty(); });
  if (given > decl.params.size()) {
    e.error(diag::layout_arguments, use, "leave some of them out", decl.name.name,
            counted(decl.params.size(), "number"), counted(given, "argument"))
        .note(decl.name.range, "declared here");
    return false;
  }
  for (const Argument &arg : arguments) {
    bool known = arg.name.empty() || llvm::any_of(decl.params, [&](const ast::LayoutParam &param) {
                   return param.name.name == arg.name;
                 });
    if (!known) {
      e.error(diag::unknown_argument, arg.range, "give its parameters in order, or by name",
              decl.name.name, arg.name)
          .note(decl.name.range, "declared here");
      return false;
    }
  }
  for (size_t i = 0; i < decl.params.size(); ++i) {
    const ast::LayoutParam &param = decl.params[i];
    std::optional<int64_t> value;
    for (size_t at = 0; at < arguments.size(); ++at) {
      bool fits = arguments[at].name.empty() ? at == i : arguments[at].name == param.name.name;
      if (fits && value) {
        e.error(diag::argument_twice, arguments[at].range, "leave one of them out",
                param.name.name);
        return false;
      }
      value = fits ? std::optional<int64_t>(arguments[at].value) : value;
    }
    value = !value && param.name.name == "rows"    ? place.rows
            : !value && param.name.name == "cols"  ? place.cols
            : !value && param.name.name == "bytes" ? place.bytes
                                                   : value;
    if (!value && param.value) {
      value = e.constI64(*param.value, "a parameter's default");
      if (!value) {
        return false;
      }
    }
    if (!value) {
      e.error(diag::layout_parameter_unset, use,
              "give it: `" + decl.name.name + "(" + param.name.name + " = …)`", param.name.name,
              decl.name.name)
          .note(param.range, "the parameter");
      return false;
    }
    e.declare(param.name.name, param.name.range, Value::i64(*value));
  }
  return true;
}

bool LayoutEvaluator::expandDecl(const Module &owner, const ast::LayoutDecl &decl,
                                 llvm::ArrayRef<Argument> arguments, SourceRange use) {
  if (llvm::is_contained(open, &decl) || open.size() >= kMaxDepth) {
    e.error(diag::layout_recursion, use, "write its shape and strides", decl.name.name)
        .note(decl.name.range, "declared here");
    return false;
  }
  e.enterModule(owner);
  open.push_back(&decl);
  bool ok = bind(decl, arguments, use) && expand(*decl.value);
  open.pop_back();
  e.leaveModule();
  return ok;
}

bool LayoutEvaluator::expand(const ast::Expr &expr) {
  if (text.size() > kMaxText) {
    e.error(diag::layout_invalid, expr.range, "write it in fewer steps",
            "its text is longer than " + std::to_string(kMaxText) + " characters");
    return false;
  }
  if (const auto *literal = llvm::dyn_cast<ast::LayoutLit>(&expr)) {
    if (!expandTree(*literal->shape)) {
      return false;
    }
    append(" : ", literal->stride->range);
    return expandTree(*literal->stride);
  }
  if (const auto *call = llvm::dyn_cast<ast::Call>(&expr)) {
    const auto *name = llvm::dyn_cast<ast::Name>(call->callee.get());
    if (name && isOperation(name->name)) {
      return expandOperation(name->name, *call);
    }
    return expandUse(*call->callee, call);
  }
  const auto *name = llvm::dyn_cast<ast::Name>(&expr);
  if ((name && !e.lookup(name->name)) || llvm::isa<ast::Member>(expr)) {
    return expandUse(expr, nullptr);
  }
  e.error(diag::layout_argument_kind, expr.range,
          "write `shape : stride`, the name of a layout, or an operation such as `compose(a, b)`",
          "a layout", name ? "the number `" + name->name + "`" : std::string("a number"));
  return false;
}

//===-- reading ----------------------------------------------------------------------------------------------------===//

std::optional<Layout> LayoutEvaluator::parse(SourceRange whole) {
  llvm::Expected<Layout> layout = parseLayout(text);
  if (layout) {
    return *layout;
  }
  llvm::handleAllErrors(layout.takeError(), [&](const LayoutError &error) {
    llvm::StringRef message = error.getText();
    if (message.starts_with("column ")) {
      message = message.split(": ").second;
    }
    SourceRange at = whole;
    size_t offset = error.offset().value_or(0);
    for (const auto &[begin, range] : places) {
      at = begin <= offset ? range : at;
    }
    bool inside = whole.contains(at);
    auto [cause, wayOut] = message.split("; ");
    DiagnosticBuilder d = e.error(
        diag::layout_invalid, inside ? at : whole,
        wayOut.empty() ? llvm::StringRef("correct the shape and the strides") : wayOut, cause);
    if (!inside) {
      d.note(at, "in this layout");
    }
    d.note("with its numbers worked out: `" + llvm::StringRef(text).take_front(200) + "`");
  });
  return std::nullopt;
}

std::optional<Layout> LayoutEvaluator::evaluate(const ast::Expr &expr) {
  text.clear();
  places.clear();
  return expand(expr) ? parse(expr.range) : std::nullopt;
}

std::optional<Layout> LayoutEvaluator::evaluate(const Module &owner, const ast::LayoutDecl &decl,
                                                llvm::ArrayRef<int64_t> numbers, SourceRange use) {
  text.clear();
  places.clear();
  llvm::SmallVector<Argument> arguments;
  for (int64_t number : numbers) {
    arguments.push_back({"", number, use});
  }
  return expandDecl(owner, decl, arguments, use) ? parse(use) : std::nullopt;
}

} // namespace tessera::sema
