// Builtins over an axis: reductions, scans, selection, the matrix product, random numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Builtins.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileDialect.h"

namespace tessera::sema {

static Shape without(Shape shape, int64_t axis) {
  shape.erase(shape.begin() + axis);
  return shape;
}

/// `keep = true`: the axis stays as `_`.
static Value keepAxis(Emitter &e, const Value &value, int64_t axis, SourceRange range) {
  Shape shape = value.shape();
  shape.insert(shape.begin() + axis, Axis{1, true});
  return e.opValue("expand", value.ssa, value.element(), shape, range,
                   e.attr("axes", llvm::ArrayRef<int64_t>(axis)));
}

static bool kindAccepts(ReduceKind kind, DType type) {
  switch (kind) {
  case ReduceKind::any:
  case ReduceKind::all:
  case ReduceKind::count:
    return isBool(type);
  case ReduceKind::and_:
  case ReduceKind::or_:
  case ReduceKind::xor_:
    return isBool(type) || isInteger(type);
  case ReduceKind::max_num:
  case ReduceKind::min_num:
    return isFloat(type) && !isFp8(type);
  default:
    return isInteger(type) || (isFloat(type) && !isFp8(type));
  }
}

static DType reducedType(Emitter &e, ReduceKind kind, DType type) {
  return tessera::dtypeOf(tile::reductionType(static_cast<tile::ReduceKind>(kind), e.irType(type)));
}

static bool checkKind(BuiltinCall &c, ReduceKind kind, const Value &x) {
  if (kindAccepts(kind, x.element())) {
    return true;
  }
  bool truth = kind == ReduceKind::any || kind == ReduceKind::all || kind == ReduceKind::count;
  c.failed = true;
  c.e.error(diag::wrong_domain, c.rangeOf("x"),
            truth ? "compare first, for example `x != 0`"
                  : "convert first: `… as f32` or `… as i32`",
            c.builtin.name,
            truth                                                        ? "`bool`"
            : kind == ReduceKind::max_num || kind == ReduceKind::min_num ? "floats"
                                                                         : "numbers",
            name(x.element()));
  return false;
}

static Value reduce(BuiltinCall &c, ReduceKind kind) {
  Value x = c.tile("x");
  if (x.isError()) {
    return x;
  }
  std::optional<int64_t> axis = c.axis("axis", x.shape().size());
  std::optional<bool> keep = c.flag("keep", false);
  if (!axis || !keep || !checkKind(c, kind, x)) {
    return Value::error();
  }
  mlir::MLIRContext *context = &c.e.instance.context;
  llvm::SmallVector<mlir::NamedAttribute, 3> attributes{
      c.e.attr("kind", tile::ReduceKindAttr::get(context, static_cast<tile::ReduceKind>(kind))),
      c.e.attr("axis", *axis)};
  if (c.word("order", "tree") == "any") {
    attributes.push_back(
        c.e.attr("order", tile::ReduceOrderAttr::get(context, tile::ReduceOrder::any)));
  }
  Value result = c.e.opValue("reduce", x.ssa, reducedType(c.e, kind, x.element()),
                             without(x.shape(), *axis), c.range, attributes);
  return *keep ? keepAxis(c.e, result, *axis, c.range) : result;
}

template <ReduceKind kind> static Value emitReduce(BuiltinCall &c) { return reduce(c, kind); }

/// `max(a, b, …)` elementwise, `max(x, axis = 1)` a reduction.
template <ReduceKind kind> static Value emitExtremum(BuiltinCall &c) {
  std::vector<Value> others = c.rest("others");
  if (c.has("axis") || others.empty()) {
    if (!others.empty()) {
      c.failed = true;
      c.e.error(diag::extremum_both, c.range, "leave out `axis` for elementwise, or give one tile",
                c.builtin.name);
      return Value::error();
    }
    return reduce(c, kind);
  }
  ScalarOp op = *scalarOpByMnemonic(name(kind));
  Value result = c.number("x");
  for (Value &other : others) {
    result = c.e.elementwise(op, {result, std::move(other)}, c.range);
  }
  return result;
}

template <bool isMax> static Value emitArg(BuiltinCall &c) {
  Value x = c.tile("x");
  std::optional<int64_t> axis = x.isError() ? std::nullopt : c.axis("axis", x.shape().size());
  if (!axis || !checkKind(c, ReduceKind::max, x)) {
    return Value::error();
  }
  Shape shape = without(x.shape(), *axis);
  mlir::OperationState state(c.e.loc(c.range), isMax ? "tile.argmax" : "tile.argmin");
  state.addOperands(x.ssa);
  state.addTypes({c.e.irType(x.element(), shape), c.e.irType(DType::i64, shape)});
  state.addAttributes(c.e.attr("axis", *axis));
  mlir::Operation *op = c.e.builder.create(state);
  return Value::tuple({Value::runtime(op->getResult(0), x.element(), shape),
                       Value::runtime(op->getResult(1), DType::i64, shape)});
}

static Value emitTopK(BuiltinCall &c) {
  Value x = c.tile("x");
  std::optional<int64_t> k = c.integer("k");
  std::optional<int64_t> axis = x.isError() ? std::nullopt : c.axis("axis", x.shape().size());
  if (!axis || !k || !checkKind(c, ReduceKind::max, x)) {
    return Value::error();
  }
  Shape shape = x.shape();
  if (*k < 1 || *k > shape[*axis].extent) {
    c.failed = true;
    c.e.error(diag::topk_range, c.rangeOf("k"), "take at most the axis", *k, shape[*axis].extent);
    return Value::error();
  }
  shape[*axis] = {*k, false};
  mlir::OperationState state(c.e.loc(c.range), "tile.topk");
  state.addOperands(x.ssa);
  state.addTypes({c.e.irType(x.element(), shape), c.e.irType(DType::i64, shape)});
  state.addAttributes({c.e.attr("k", *k), c.e.attr("axis", *axis)});
  mlir::Operation *op = c.e.builder.create(state);
  return Value::tuple({Value::runtime(op->getResult(0), x.element(), shape),
                       Value::runtime(op->getResult(1), DType::i64, shape)});
}

static Value scan(BuiltinCall &c, ReduceKind kind) {
  Value x = c.tile("x");
  std::optional<int64_t> axis = x.isError() ? std::nullopt : c.axis("axis", x.shape().size());
  std::optional<bool> reverse = c.flag("reverse", false), exclusive = c.flag("exclusive", false);
  if (!axis || !reverse || !exclusive || !checkKind(c, kind, x)) {
    return Value::error();
  }
  llvm::SmallVector<mlir::NamedAttribute, 4> attributes{
      c.e.attr("kind", tile::ReduceKindAttr::get(&c.e.instance.context,
                                                 static_cast<tile::ReduceKind>(kind))),
      c.e.attr("axis", *axis)};
  if (*reverse) {
    attributes.push_back(c.e.unitAttr("reverse"));
  }
  if (*exclusive) {
    attributes.push_back(c.e.unitAttr("exclusive"));
  }
  return c.e.opValue("scan", x.ssa, reducedType(c.e, kind, x.element()), x.shape(), c.range,
                     attributes);
}

template <ReduceKind kind> static Value emitScan(BuiltinCall &c) { return scan(c, kind); }

static Value emitAnyScan(BuiltinCall &c) {
  return scan(c, *parseReduceKind(c.word("kind", "sum")));
}

/// reduce_with and scan_with: the function becomes the op's region.
template <bool isScan> static Value emitWith(BuiltinCall &c) {
  const BuiltinCall::Arg *fnArg = c.find("fn");
  const auto *fnName = llvm::dyn_cast<ast::Name>(fnArg->expr);
  const Module *owner = nullptr;
  const auto *fn =
      fnName ? llvm::dyn_cast_or_null<ast::Fn>(c.e.module().find(fnName->name, owner)) : nullptr;
  if (!fn) {
    c.e.error(diag::function_expected, fnArg->range, "name a `fn` of two scalars", c.builtin.name);
    return Value::error();
  }
  for (BuiltinCall::Arg &arg : c.args) {
    if (arg.expr && arg.name != "fn" && !arg.value) {
      arg.value = c.e.emitExpr(*arg.expr);
      if (arg.value->isError()) {
        return Value::error();
      }
    }
  }
  Value x = c.tile("x");
  std::optional<int64_t> axis = x.isError() ? std::nullopt : c.axis("axis", x.shape().size());
  std::optional<bool> reverse = c.flag("reverse", false), exclusive = c.flag("exclusive", false);
  if (!axis || !reverse || !exclusive) {
    return Value::error();
  }
  Value identity = c.e.coerce(c.get("identity"), Type::scalar(x.element()), c.rangeOf("identity"),
                              "the identity");
  mlir::Value start = identity.isError() ? mlir::Value() : c.e.materialize(identity, c.range);
  if (!start) {
    return Value::error();
  }
  mlir::OperationState state(c.e.loc(c.range), isScan ? "tile.scan_with" : "tile.reduce_with");
  Shape shape = isScan ? x.shape() : without(x.shape(), *axis);
  state.addOperands({x.ssa, start});
  state.addTypes(c.e.irType(x.element(), shape));
  state.addAttributes(c.e.attr("axis", *axis));
  if (*reverse) {
    state.addAttributes(c.e.unitAttr("reverse"));
  }
  if (*exclusive) {
    state.addAttributes(c.e.unitAttr("exclusive"));
  }
  mlir::Type element = c.e.irType(x.element());
  auto *block = new mlir::Block();
  state.addRegion()->push_back(block);
  block->addArguments({element, element}, {state.location, state.location});
  {
    mlir::OpBuilder::InsertionGuard guard(c.e.builder);
    c.e.builder.setInsertionPointToEnd(block);
    Value combined = c.e.inlineValues(*owner, *fn,
                                      {Value::runtime(block->getArgument(0), x.element()),
                                       Value::runtime(block->getArgument(1), x.element())},
                                      c.call);
    combined = c.e.coerce(std::move(combined), Type::scalar(x.element()), fnArg->range,
                          "the function's value");
    mlir::Value yielded = combined.isError() ? mlir::Value() : c.e.materialize(combined, c.range);
    if (!yielded) {
      return Value::error();
    }
    mlir::OperationState yield(state.location, "tile.yield");
    yield.addOperands(yielded);
    c.e.builder.create(yield);
  }
  return Value::runtime(c.e.builder.create(state)->getResult(0), x.element(), shape);
}

static Value emitHistogram(BuiltinCall &c) {
  Value x = c.tile("x");
  std::optional<int64_t> bins = c.integer("bins");
  if (x.isError() || !bins) {
    return Value::error();
  }
  Shape shape{{*bins, false}};
  if (!isInteger(x.element())) {
    c.e.error(diag::wrong_domain, c.rangeOf("x"), "convert with `as i32(rz)`", "histogram",
              "integers", name(x.element()));
    return Value::error();
  }
  return c.e.checkShape(shape, c.rangeOf("bins"))
             ? c.e.opValue("histogram", x.ssa, DType::i64, shape, c.range)
             : Value::error();
}

//===-- matrix product ---------------------------------------------------------------------------------------------===//

static std::optional<DType> accumulatorOf(DType type) {
  switch (type) {
  case DType::f64:
    return DType::f64;
  case DType::i8:
  case DType::ui8:
    return DType::i32;
  case DType::bf16:
  case DType::f16:
  case DType::f32:
  case DType::f8E4M3FN:
  case DType::f8E5M2:
    return DType::f32;
  default:
    return std::nullopt;
  }
}

static bool sameAxis(const Axis &a, const Axis &b) { return a.extent == b.extent; }

static Value emitMma(BuiltinCall &c) {
  Value a = c.tile("a"), b = c.tile("b");
  if (a.isError() || b.isError()) {
    return Value::error();
  }
  c.failed = true; // until every check has passed
  if (a.shape().size() != 2 || b.shape().size() != 2 || !sameAxis(a.shape()[1], b.shape()[0])) {
    c.e.error(diag::mma_shapes, c.range,
              "the operands are [M, K] and [K, N]; transpose one with `.T`", str(a.shape()),
              str(b.shape()));
    return Value::error();
  }
  if (a.element() != b.element()) {
    c.e.error(diag::mixed_types, c.range, "convert one of them with `as`", name(a.element()),
              name(b.element()));
    return Value::error();
  }
  std::optional<DType> element = accumulatorOf(a.element());
  if (!element) {
    c.e.error(diag::wrong_domain, c.range, "convert the operands with `as`", "mma",
              "`bf16`, `f16`, `f32`, `f64`, 8-bit floats, `i8` and `ui8`", name(a.element()));
    return Value::error();
  }
  Shape shape{a.shape()[0], b.shape()[1]};
  Value acc = Value::constant(*element, 0);
  if (c.has("acc")) {
    acc =
        c.e.coerce(c.get("acc"), Type::tile(*element, shape), c.rangeOf("acc"), "the accumulator");
    if (acc.isError()) {
      return acc;
    }
  }
  llvm::StringRef precision = c.word("precision", "ieee");
  if (precision != "ieee" && a.element() != DType::f32) {
    c.e.error(diag::mma_precision, c.rangeOf("precision"), "leave it out", precision,
              name(a.element()));
    return Value::error();
  }
  llvm::SmallVector<mlir::NamedAttribute, 1> attributes;
  if (precision != "ieee") {
    attributes.push_back(
        c.e.attr("precision", tile::MmaPrecisionAttr::get(
                                  &c.e.instance.context,
                                  static_cast<tile::MmaPrecision>(*parseMmaPrecision(precision)))));
  }
  c.failed = false;
  return c.e.opValue("mma", {a.ssa, b.ssa, c.e.materialize(acc, shape, c.range)}, *element, shape,
                     c.range, attributes);
}

//===-- random numbers ---------------------------------------------------------------------------------------------===//

static std::optional<std::vector<Value>> philox(BuiltinCall &c) {
  Value seed = c.e.coerce(c.get("seed"), Type::scalar(DType::ui64), c.rangeOf("seed"), "the seed");
  Value offset =
      c.e.coerce(c.get("offset"), Type::scalar(DType::ui64), c.rangeOf("offset"), "the offset");
  Value index = c.number("index");
  index = index.isUntyped() ? c.e.toDType(index, DType::i64, c.range) : index;
  if (seed.isError() || offset.isError() || index.isError()) {
    return std::nullopt;
  }
  if (index.element() != DType::i64) {
    c.e.error(diag::type_mismatch, c.rangeOf("index"), "convert it: `… as i64`", "the index", "i64",
              index.describe());
    return std::nullopt;
  }
  mlir::OperationState state(c.e.loc(c.range), "tile.philox");
  state.addOperands({c.e.materialize(seed, c.range), c.e.materialize(offset, c.range),
                     c.e.materialize(index, c.range)});
  mlir::Type word = c.e.irType(DType::ui32, index.shape());
  state.addTypes({word, word, word, word});
  mlir::Operation *op = c.e.builder.create(state);
  std::vector<Value> words;
  for (mlir::Value result : op->getResults()) {
    words.push_back(Value::runtime(result, DType::ui32, index.shape()));
  }
  return words;
}

static Value emitPhilox(BuiltinCall &c) {
  std::optional<std::vector<Value>> words = philox(c);
  return words ? Value::tuple(std::move(*words)) : Value::error();
}

/// (word 0 >> 8) * 2^-24: in [0, 1), multiples of 2^-24.
static Value emitUniform(BuiltinCall &c) {
  std::optional<std::vector<Value>> words = philox(c);
  if (!words) {
    return Value::error();
  }
  Value high =
      c.e.elementwise(*scalarOpByMnemonic("shr"), {words->front(), Value::untyped(8)}, c.range);
  Value number = c.e.cast(std::move(high), DType::f32, std::nullopt, std::nullopt, c.range);
  return c.e.elementwise(*scalarOpByMnemonic("mul"),
                         {std::move(number), Value::untypedFloat("0x1p-24")}, c.range);
}

llvm::ArrayRef<Builtin> reduceBuiltins() {
  static const Builtin rows[] = {
      {"sum", "x axis? keep? order:tree|any", emitReduce<ReduceKind::sum>, true},
      {"prod", "x axis? keep? order:tree|any", emitReduce<ReduceKind::prod>, true},
      {"max", "x others* axis? keep?", emitExtremum<ReduceKind::max>, true},
      {"min", "x others* axis? keep?", emitExtremum<ReduceKind::min>, true},
      {"max_num", "x others* axis? keep?", emitExtremum<ReduceKind::max_num>, true},
      {"min_num", "x others* axis? keep?", emitExtremum<ReduceKind::min_num>, true},
      {"absmax", "x axis? keep?", emitReduce<ReduceKind::absmax>, true},
      {"any", "x axis? keep?", emitReduce<ReduceKind::any>, true},
      {"all", "x axis? keep?", emitReduce<ReduceKind::all>, true},
      {"count", "x axis? keep?", emitReduce<ReduceKind::count>, true},
      {"bit_and", "x axis? keep?", emitReduce<ReduceKind::and_>, true},
      {"bit_or", "x axis? keep?", emitReduce<ReduceKind::or_>, true},
      {"bit_xor", "x axis? keep?", emitReduce<ReduceKind::xor_>, true},
      {"argmax", "x axis?", emitArg<true>, true},
      {"argmin", "x axis?", emitArg<false>, true},
      {"topk", "x k axis?", emitTopK, true},
      {"cumsum", "x axis? reverse? exclusive?", emitScan<ReduceKind::sum>, true},
      {"cumprod", "x axis? reverse? exclusive?", emitScan<ReduceKind::prod>, true},
      {"cummax", "x axis? reverse? exclusive?", emitScan<ReduceKind::max>, true},
      {"cummin", "x axis? reverse? exclusive?", emitScan<ReduceKind::min>, true},
      {"scan", "x kind:sum|prod|max|min axis? reverse? exclusive?", emitAnyScan, true},
      {"reduce_with", "x fn identity axis?", emitWith<false>, false, true, true},
      {"scan_with", "x fn identity axis? reverse? exclusive?", emitWith<true>, false, true, true},
      {"histogram", "x bins", emitHistogram, true},
      {"mma", "a b acc? precision:ieee|tf32|tf32x3|bf16x3|bf16x6", emitMma},
      {"philox", "seed offset index", emitPhilox},
      {"uniform", "seed offset index", emitUniform},
  };
  return rows;
}

} // namespace tessera::sema
