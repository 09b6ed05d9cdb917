// From a `test` block to a TestSpec: names are checked against the kernel, sets become values, generators and orders
// become what the case planner knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SemaTest.h"

#include "Emitter.h"

#include "tessera/Host/HostError.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "mlir/IR/MLIRContext.h"

namespace tessera::sema {

namespace {

/// More values of one axis than this are a slip of the pen, not a test.
constexpr size_t kMaxSetSize = 4096;
constexpr uint64_t kMaxCases = 100'000;

class TestReader {
public:
  TestReader(ModuleSet &modules, const Module &module, const ast::Kernel &kernel)
      : engine(modules.getEngine()), module(module), kernel(kernel),
        instance{modules, module, kernel, settings, context, engine, {}, {}, {}, {}, {}, {}},
        emitter(instance, &scratch) {
    context.allowUnregisteredDialects();
    collectNames();
  }
  ~TestReader() {
    scratch.dropAllReferences();
    scratch.dropAllDefinedValueUses();
  }

  std::optional<TestSpec> read(const ast::Test &test);
  std::optional<TestValue> evaluate(const ast::Expr &expr,
                                    const std::map<std::string, std::string> &values);

private:
  void collectNames();
  void collectExtents(const ast::Node &node);
  void axis(const ast::TestAxis &entry);
  void bind(const ast::TestBind &entry);
  void input(const ast::TestInput &entry);
  void order(const ast::TestOrder &entry);
  void cases(const ast::TestCases &entry);

  bool claim(const ast::Ident &name);
  const ast::KernelParam *findView(const ast::Ident &name);
  std::optional<std::vector<const ast::Expr *>> elements(const ast::Expr &set);
  std::optional<std::vector<TestValue>> values(const ast::Expr &set);
  std::vector<TestValue> tuneValues(const ast::Ident &name);
  std::vector<TestValue> edges(const ast::Ident &of);
  std::optional<TestValue> value(const ast::Expr &expr);
  std::optional<TestValue> fromValue(const Value &value) const;
  std::optional<Generator> generator(const ast::Expr &expr);

  DiagnosticEngine &engine;
  const Module &module;
  const ast::Kernel &kernel;
  Settings settings;
  mlir::MLIRContext context;
  mlir::Block scratch;
  Instance instance;
  Emitter emitter;

  llvm::StringSet<> names;                  ///< what a test may give values to
  llvm::StringMap<const ast::Expr *> tunes; ///< set of each tune and of each `const … in set`
  llvm::StringMap<SourceRange> claimed;
  TestSpec spec;
};

} // namespace

//===-- what there is ----------------------------------------------------------------------------------------------===//

void TestReader::collectExtents(const ast::Node &node) {
  if (const auto *name = llvm::dyn_cast<ast::Name>(&node)) {
    const Module *owner = nullptr;
    if (!module.find(name->name, owner)) {
      names.insert(name->name);
    }
  }
  ast::forEachChild(node, [&](const ast::Node &child) { collectExtents(child); });
}

static void collectTunes(const ast::Block &block, llvm::StringMap<const ast::Expr *> &tunes) {
  for (const ast::StmtPtr &stmt : block.stmts) {
    if (const auto *tune = llvm::dyn_cast<ast::Tune>(stmt.get())) {
      for (const ast::Choice &choice : tune->choices) {
        tunes[choice.name.name] = choice.set.get();
      }
    }
  }
}

void TestReader::collectNames() {
  for (const ast::GenericParam &generic : kernel.generics) {
    names.insert(generic.name.name);
    if (generic.set) {
      tunes[generic.name.name] = generic.set.get();
    }
  }
  for (const ast::KernelParam &param : kernel.params) {
    if (const auto *view = llvm::dyn_cast_or_null<ast::ViewType>(param.type.get())) {
      if (view->shape) {
        collectExtents(*view->shape);
      }
      if (!param.isOptional) {
        continue;
      }
    }
    names.insert(param.name.name);
  }
  if (kernel.body) {
    collectTunes(*kernel.body, tunes);
    for (const ast::StmtPtr &stmt : kernel.body->stmts) {
      if (const auto *fixed = llvm::dyn_cast<ast::Static>(stmt.get())) {
        names.insert(fixed->name.name);
      }
    }
  }
  for (const auto &tune : tunes) {
    names.insert(tune.getKey());
  }
}

bool TestReader::claim(const ast::Ident &name) {
  if (!names.contains(name.name)) {
    llvm::SmallVector<llvm::StringRef> known;
    for (const auto &entry : names) {
      known.push_back(entry.getKey());
    }
    llvm::sort(known);
    std::string near = nearestName(name.name, known);
    engine.report(diag::test_name, name.range, name.name, kernel.name.name)
        .help(near.empty() ? "they are `" + llvm::join(known, "`, `") + "`"
                           : "did you mean `" + near + "`?");
    return false;
  }
  auto [it, isNew] = claimed.try_emplace(name.name, name.range);
  if (!isNew) {
    engine.report(diag::test_name_twice, name.range, name.name)
        .help("keep one of them")
        .note(it->second, "here before");
  }
  return isNew;
}

//===-- values -----------------------------------------------------------------------------------------------------===//

std::optional<TestValue> TestReader::fromValue(const Value &value) const {
  switch (value.kind) {
  case Value::Kind::Missing:
    return TestValue(MissingValue());
  case Value::Kind::DType:
    return TestValue(SymbolValue{name(value.element()).str()});
  case Value::Kind::EnumCase:
    return TestValue(SymbolValue{value.type.enumeration->cases[value.index].name});
  case Value::Kind::Int:
  case Value::Kind::Const:
    if (std::optional<bool> truth = value.asBool()) {
      return TestValue(*truth);
    }
    if (std::optional<int64_t> number = value.asI64()) {
      return TestValue(*number);
    }
    if (value.kind == Value::Kind::Int || !isFloat(value.element())) {
      return std::nullopt;
    }
    return TestValue(value.asDouble());
  case Value::Kind::Float:
    return TestValue(value.asDouble());
  default:
    return std::nullopt;
  }
}

std::optional<TestValue> TestReader::value(const ast::Expr &expr) {
  size_t mark = engine.beginTrial();
  Value known = emitter.emitExpr(expr);
  bool clean = !engine.trialFailed(mark);
  engine.endTrial(mark);
  if (std::optional<TestValue> value = clean ? fromValue(known) : std::nullopt) {
    return value;
  }
  // An expression in the case's own values, such as `R - 1`: its names must at least exist.
  bool resolvable = true;
  std::function<void(const ast::Node &)> visit = [&](const ast::Node &node) {
    if (const auto *found = llvm::dyn_cast<ast::Name>(&node)) {
      const Module *owner = nullptr;
      resolvable &= names.contains(found->name) || module.find(found->name, owner) != nullptr;
    }
    ast::forEachChild(node, visit);
  };
  visit(expr);
  if (resolvable && !clean) {
    return TestValue(DeferredValue{engine.getSources().text(expr.range).str(), expr.range.begin});
  }
  engine.report(diag::test_value, expr.range)
      .help("write a number, a name of a type or enum case, `true`, `false`, `missing`, or an "
            "expression of such");
  return std::nullopt;
}

std::vector<TestValue> TestReader::tuneValues(const ast::Ident &name) {
  auto it = tunes.find(name.name);
  if (it == tunes.end()) {
    std::vector<std::string> known;
    for (const auto &tune : tunes) {
      known.push_back(tune.getKey().str());
    }
    llvm::sort(known);
    engine.report(diag::test_no_tune, name.range, name.name, kernel.name.name)
        .help(known.empty() ? "the kernel has no `tune`; write a set"
                            : "tuned are `" + llvm::join(known, "`, `") + "`");
    return {};
  }
  std::optional<std::vector<TestValue>> found = values(*it->second);
  return found ? *found : std::vector<TestValue>();
}

/// Sizes at which tiles of the width go wrong first: none, one, and one less and more than each candidate.
std::vector<TestValue> TestReader::edges(const ast::Ident &of) {
  std::vector<int64_t> sizes{0, 1};
  for (const TestValue &width : tuneValues(of)) {
    if (const int64_t *number = width.getInt()) {
      sizes.insert(sizes.end(), {*number - 1, *number, *number + 1});
    }
  }
  llvm::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<TestValue> result;
  for (int64_t size : sizes) {
    if (size >= 0) {
      result.push_back(TestValue(size));
    }
  }
  return result;
}

std::optional<std::vector<TestValue>> TestReader::values(const ast::Expr &set) {
  std::vector<TestValue> result;
  if (const auto *edge = llvm::dyn_cast<ast::Edges>(&set)) {
    return edges(edge->of);
  }
  if (const auto *range = llvm::dyn_cast<ast::Range>(&set)) {
    std::optional<int64_t> lo =
        range->lo ? emitter.constI64(*range->lo, "the start of a range") : 0;
    std::optional<int64_t> hi = emitter.constI64(*range->hi, "the end of a range");
    if (!lo || !hi) {
      return std::nullopt;
    }
    // The difference as unsigned: it may exceed the signed range.
    uint64_t count = *hi > *lo ? static_cast<uint64_t>(*hi) - static_cast<uint64_t>(*lo) : 0;
    if (count > kMaxSetSize) {
      engine.report(diag::test_set_size, set.range, count, kMaxSetSize)
          .help("list the values that matter");
      return std::nullopt;
    }
    for (uint64_t i = 0; i < count; ++i) {
      result.push_back(TestValue(static_cast<int64_t>(*lo + static_cast<int64_t>(i))));
    }
    return result;
  }
  const auto *list = llvm::dyn_cast<ast::Set>(&set);
  for (size_t i = 0; list && i < list->elements.size(); ++i) {
    std::optional<TestValue> element = value(*list->elements[i]);
    if (!element) {
      return std::nullopt;
    }
    result.push_back(std::move(*element));
  }
  return result;
}

//===-- entries ----------------------------------------------------------------------------------------------------===//

void TestReader::axis(const ast::TestAxis &entry) {
  TestAxis axis;
  bool ok = true;
  for (const ast::Ident &name : entry.pattern.names) {
    ok &= claim(name);
    axis.names.push_back(name.name);
  }
  if (!ok) {
    return;
  }
  if (!entry.pattern.isTuple) {
    std::vector<TestValue> found;
    axis.isTune = !entry.set;
    if (axis.isTune) {
      found = tuneValues(entry.pattern.names.front());
    } else if (std::optional<std::vector<TestValue>> set = values(*entry.set)) {
      found = std::move(*set);
    }
    for (TestValue &value : found) {
      axis.values.push_back({std::move(value)});
    }
  } else if (const auto *set = llvm::dyn_cast_or_null<ast::Set>(entry.set.get())) {
    for (const ast::ExprPtr &element : set->elements) {
      const auto *tuple = llvm::dyn_cast<ast::Tuple>(element.get());
      size_t count = tuple ? tuple->elements.size() : 1;
      if (count != axis.names.size()) {
        engine.report(diag::test_tuple_size, element->range, axis.names.size(), count)
            .help("write a value for each name: `(1, 2)`");
        return;
      }
      std::vector<TestValue> parts;
      for (const ast::ExprPtr &part : tuple->elements) {
        std::optional<TestValue> found = value(*part);
        if (!found) {
          return;
        }
        parts.push_back(std::move(*found));
      }
      axis.values.push_back(std::move(parts));
    }
  } else if (entry.set) {
    engine.report(diag::test_tuple_size, entry.set->range, axis.names.size(), 1)
        .help("write a set of tuples: `{(1, 2), (3, 4)}`");
    return;
  }
  if (!axis.values.empty()) {
    spec.axes.push_back(std::move(axis));
  }
}

void TestReader::bind(const ast::TestBind &entry) {
  if (!claim(entry.name)) {
    return;
  }
  if (std::optional<TestValue> found = value(*entry.value)) {
    spec.fixed.emplace_back(entry.name.name, std::move(*found));
  }
}

const ast::KernelParam *TestReader::findView(const ast::Ident &name) {
  std::vector<std::string> known;
  for (const ast::KernelParam &param : kernel.params) {
    if (!llvm::isa_and_nonnull<ast::ViewType>(param.type.get())) {
      continue;
    }
    if (param.name.name == name.name) {
      return &param;
    }
    known.push_back(param.name.name);
  }
  engine.report(diag::test_argument, name.range, name.name, kernel.name.name)
      .help("its views are `" + llvm::join(known, "`, `") + "`");
  return nullptr;
}

std::optional<Generator> TestReader::generator(const ast::Expr &expr) {
  llvm::StringRef name;
  std::vector<TestValue> args;
  if (const auto *plain = llvm::dyn_cast<ast::Name>(&expr)) {
    name = plain->name;
  } else if (const auto *call = llvm::dyn_cast<ast::Call>(&expr)) {
    if (const auto *callee = llvm::dyn_cast<ast::Name>(call->callee.get())) {
      name = callee->name;
    }
    for (const ast::Arg &arg : call->args) {
      std::optional<TestValue> found = value(*arg.value);
      if (!found) {
        return std::nullopt;
      }
      args.push_back(std::move(*found));
    }
  }
  llvm::Expected<Generator> result = Generator::get(name, args);
  if (!result) {
    // One code for each message: that of the generator stays inside.
    std::string text;
    llvm::handleAllErrors(
        result.takeError(), [&](const HostError &error) { text = error.getText().str(); },
        [&](const llvm::ErrorInfoBase &error) { text = error.message(); });
    engine.report(diag::test_generator, expr.range, text)
        .help("generators are normal, zeros, denormal, huge, all(v), one(v), ints(lo, hi), full, "
              "cancel(m), missing");
    return std::nullopt;
  }
  return std::move(*result);
}

void TestReader::input(const ast::TestInput &entry) {
  const ast::KernelParam *param = findView(entry.name);
  if (!param) {
    return;
  }
  auto [it, isNew] = claimed.try_emplace(entry.name.name, entry.name.range);
  if (!isNew) {
    engine.report(diag::test_name_twice, entry.name.range, entry.name.name)
        .help("list all its generators in one line")
        .note(it->second, "here before");
    return;
  }
  TestContents contents;
  contents.argument = entry.name.name;
  for (const ast::ExprPtr &expr : entry.generators) {
    std::optional<Generator> found = generator(*expr);
    if (!found) {
      return;
    }
    if (found->isMissing() && !param->isOptional) {
      engine.report(diag::test_missing_not_optional, expr->range, entry.name.name)
          .help("write `" + entry.name.name + ": …?` in the kernel, or leave `missing` out")
          .note(param->range, "declared here");
      return;
    }
    contents.generators.push_back(std::move(*found));
  }
  spec.contents.push_back(std::move(contents));
}

void TestReader::order(const ast::TestOrder &entry) {
  if (!findView(entry.name)) {
    return;
  }
  TestOrder order;
  order.argument = entry.name.name;
  const auto *set = llvm::dyn_cast_or_null<ast::Set>(entry.set.get());
  for (size_t i = 0; set && i < set->elements.size(); ++i) {
    const ast::Expr &element = *set->elements[i];
    const auto *name = llvm::dyn_cast<ast::Name>(&element);
    std::optional<ArrayOrder> found;
    if (name) {
      if (llvm::Expected<ArrayOrder> known = parseArrayOrder(name->name)) {
        found = *known;
      } else {
        llvm::consumeError(known.takeError());
      }
    }
    if (!found) {
      engine.report(diag::test_order, element.range, engine.getSources().text(element.range))
          .help("orders are row, col, padded, offset and huge");
      return;
    }
    order.orders.push_back(*found);
  }
  if (order.orders.empty()) {
    engine.report(diag::test_order, entry.range, engine.getSources().text(entry.set->range))
        .help("write a set of row, col, padded, offset and huge");
    return;
  }
  spec.orders.push_back(std::move(order));
}

void TestReader::cases(const ast::TestCases &entry) {
  if (entry.count->value < 1 || entry.count->value > kMaxCases) {
    engine.report(diag::test_cases, entry.range, kMaxCases, entry.count->value)
        .help("write `cases 150`");
    return;
  }
  spec.cases = static_cast<int64_t>(entry.count->value);
}

std::optional<TestSpec> TestReader::read(const ast::Test &test) {
  unsigned before = engine.errorCount();
  spec.kernel = kernel.name.name;
  for (const std::unique_ptr<ast::TestEntry> &entry : test.entries) {
    if (const auto *asAxis = llvm::dyn_cast<ast::TestAxis>(entry.get())) {
      axis(*asAxis);
    } else if (const auto *asBind = llvm::dyn_cast<ast::TestBind>(entry.get())) {
      bind(*asBind);
    } else if (const auto *asInput = llvm::dyn_cast<ast::TestInput>(entry.get())) {
      input(*asInput);
    } else if (const auto *asOrder = llvm::dyn_cast<ast::TestOrder>(entry.get())) {
      order(*asOrder);
    } else if (const auto *asCases = llvm::dyn_cast<ast::TestCases>(entry.get())) {
      cases(*asCases);
    }
  }
  if (engine.errorCount() != before) {
    return std::nullopt;
  }
  return std::move(spec);
}

//===-- expressions of a case --------------------------------------------------------------------------------------===//

std::optional<TestValue> TestReader::evaluate(const ast::Expr &expr,
                                              const std::map<std::string, std::string> &values) {
  for (const auto &[name, text] : values) {
    if (std::optional<Value> known = emitter.valueFromText(text, nullptr)) {
      emitter.declare(name, SourceRange(), std::move(*known));
    }
  }
  size_t mark = engine.beginTrial();
  Value known = emitter.emitExpr(expr);
  bool clean = !engine.trialFailed(mark);
  engine.endTrial(mark);
  std::optional<TestValue> value = clean ? fromValue(known) : std::nullopt;
  if (!value) {
    engine.report(diag::test_deferred, expr.range, engine.getSources().text(expr.range))
        .help("give each of its names a value in the test block");
  }
  return value;
}

static const ast::Expr *findExpr(const ast::Node &node, uint32_t begin, llvm::StringRef text,
                                 const SourceManager &sources) {
  const auto *expr = llvm::dyn_cast<ast::Expr>(&node);
  if (expr && expr->range.begin == begin && sources.text(expr->range) == text) {
    return expr;
  }
  const ast::Expr *found = nullptr;
  ast::forEachChild(node, [&](const ast::Node &child) {
    found = found ? found : findExpr(child, begin, text, sources);
  });
  return found;
}

std::optional<TestSpec> buildTestSpec(ModuleSet &modules, const Module &module,
                                      const ast::Kernel &kernel, const ast::Test &test) {
  return TestReader(modules, module, kernel).read(test);
}

std::optional<TestValue> evaluateDeferred(ModuleSet &modules, const Module &module,
                                          const ast::Kernel &kernel, const ast::Test &test,
                                          const DeferredValue &deferred,
                                          const std::map<std::string, std::string> &values) {
  const ast::Expr *expr =
      findExpr(test, deferred.id, deferred.text, modules.getEngine().getSources());
  if (!expr) {
    modules.getEngine()
        .report(diag::test_deferred, test.range, deferred.text)
        .help("take it from this test block");
    return std::nullopt;
  }
  return TestReader(modules, module, kernel).evaluate(*expr, values);
}

} // namespace tessera::sema
