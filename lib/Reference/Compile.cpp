// From the ops of a region to steps.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Formula.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tessera;
using namespace tessera::reference;

std::string reference::nameOf(mlir::Location location, llvm::StringRef otherwise) {
  if (auto named = location->findInstanceOf<mlir::NameLoc>()) {
    return named.getName().str();
  }
  return otherwise.str();
}

//===----------------------------------------------------------------------===//
// Slots and lists
//===----------------------------------------------------------------------===//

llvm::SmallVector<Slot *> Formula::slotsOf(mlir::ValueRange values) const {
  llvm::SmallVector<Slot *> result;
  for (mlir::Value value : values) {
    result.push_back(slotOf(value));
  }
  return result;
}

Slot *Formula::define(mlir::Value value, bool isVector) {
  Slot *slot = machine.arena.make(dtypeOf(value.getType()), isVector, depth());
  slots[value] = slot;
  return slot;
}

void Formula::hoist(std::unique_ptr<Step> step, llvm::ArrayRef<Slot *> inputs,
                    llvm::ArrayRef<Slot *> outs) {
  unsigned target = floor;
  for (const Slot *input : inputs) {
    target = std::max(target, input->depth);
  }
  for (Slot *out : outs) {
    out->depth = target;
  }
  open[target]->list.push_back(std::move(step));
}

static bool anyVector(llvm::ArrayRef<Slot *> inputs) {
  return llvm::any_of(inputs, [](const Slot *slot) { return slot->isVector; });
}

bool Formula::unsupported(mlir::Operation &op) {
  return machine.fail(checkedError(ReferenceDiag::ref_unsupported, op.getLoc(), {},
                                   "write it with index notation, folds and elementwise functions",
                                   op.getName().getStringRef()));
}

//===----------------------------------------------------------------------===//
// Ops on elements
//===----------------------------------------------------------------------===//

void Formula::compileConstant(tile::ConstantOp op) {
  Slot *slot = define(op.getResult(), false);
  // Known before any step runs, so as far out as can be.
  slot->depth = 0;
  std::byte element[8] = {};
  elementOf(op.getValueAttr(), element);
  machine.numbers.load(slot->type)(element, slot->data, 1);
  auto exact = op->getAttrOfType<mlir::FloatAttr>("tile.exact");
  if (exact && slot->bytes != byteSize(slot->type)) {
    // All floats are f64, so the literal stands as it was before it was rounded to the constant's type.
    *slot->as<double>() = exact.getValueAsDouble();
  }
}

/// The ops of the elementwise table.
bool Formula::compileRows(mlir::Operation &op) {
  std::optional<ScalarOp> row = scalarOpByMnemonic(op.getName().stripDialect());
  llvm::SmallVector<Slot *> inputs = slotsOf(op.getOperands());
  const DType type = inputs.front()->type;
  Accuracy accuracy = Accuracy::strict;
  if (auto attr = llvm::dyn_cast_or_null<tile::AccuracyAttr>(
          op.getInherentAttr("accuracy").value_or(nullptr))) {
    accuracy = static_cast<Accuracy>(attr.getValue());
  }
  ElementwiseStep::Function function = Kernel1(nullptr);
  bool known = false;
  if (inputs.size() == 1) {
    Kernel1 kernel = machine.numbers.unary(*row, type, accuracy);
    known = kernel != nullptr;
    function = kernel;
  } else if (inputs.size() == 2) {
    Kernel2 kernel = machine.numbers.binary(*row, type, accuracy);
    known = kernel != nullptr;
    function = kernel;
  } else {
    Kernel3 kernel = machine.numbers.ternary(*row, type, accuracy);
    known = kernel != nullptr;
    function = kernel;
  }
  if (!known) {
    return unsupported(op);
  }
  auto progression = ElementwiseStep::Progression::none;
  if (type == DType::i64) {
    progression = *row == ScalarOp::Add   ? ElementwiseStep::Progression::add
                  : *row == ScalarOp::Sub ? ElementwiseStep::Progression::sub
                  : *row == ScalarOp::Mul ? ElementwiseStep::Progression::mul
                                          : ElementwiseStep::Progression::none;
  }
  Slot *out = define(op.getResult(0), anyVector(inputs));
  hoist(std::make_unique<ElementwiseStep>(function, inputs, out, progression), inputs, out);
  return true;
}

static CastKernel castKernel(const NumberTable &numbers, tile::CastOp op, DType from, DType to) {
  const Round round = op.getRound() ? static_cast<Round>(*op.getRound()) : Round::rne;
  const Overflow overflow = op.getOverflow() ? static_cast<Overflow>(*op.getOverflow())
                                             : defaultOverflow(from, to).value_or(Overflow::sat);
  return numbers.cast(from, to, round, overflow);
}

/// The elementwise ops that are no rows of the table.
bool Formula::compileElementwise(mlir::Operation &op) {
  llvm::SmallVector<Slot *> inputs = slotsOf(op.getOperands());
  Slot *out = define(op.getResult(0), anyVector(inputs));
  const DType type = inputs.front()->type;
  std::optional<ElementwiseStep::Function> function;
  auto take = [&](auto kernel) {
    if (kernel) {
      function = kernel;
    }
  };
  llvm::TypeSwitch<mlir::Operation *>(&op)
      .Case([&](tile::CmpOp cmp) {
        take(machine.numbers.compare(static_cast<CmpPredicate>(cmp.getPredicate()), type));
      })
      .Case([&](tile::SelectOp) { take(machine.numbers.select(out->type)); })
      .Case([&](tile::CastOp cast) { take(castKernel(machine.numbers, cast, type, out->type)); })
      .Case([&](tile::BitsOp) { take(machine.numbers.bits(type)); })
      .Case([&](tile::FromBitsOp) { take(machine.numbers.fromBits(out->type)); });
  if (!function) {
    return unsupported(op);
  }
  hoist(
      std::make_unique<ElementwiseStep>(*function, inputs, out, ElementwiseStep::Progression::none),
      inputs, out);
  return true;
}

void Formula::compilePhilox(tile::PhiloxOp op) {
  llvm::SmallVector<Slot *> inputs = slotsOf(op->getOperands());
  llvm::SmallVector<Slot *> words;
  for (mlir::Value result : op->getResults()) {
    words.push_back(define(result, anyVector(inputs)));
  }
  hoist(std::make_unique<PhiloxStep>(slotOf(op.getSeed()), slotOf(op.getOffset()),
                                     slotOf(op.getIndex()), words),
        inputs, words);
}

void Formula::compileAt(tile::AtOp op) {
  llvm::SmallVector<Slot *> indices = slotsOf(op.getIndices());
  Slot *out = define(op.getResult(), anyVector(indices));
  append(
      std::make_unique<LoadStep>(arrays.lookup(op.getArray()), indices, out, op.getLoc(), scope));
}

bool Formula::compileScalarOp(mlir::Operation &op) {
  if (op.hasTrait<tile::ElementwiseRow>()) {
    return compileRows(op);
  }
  llvm::SmallVector<Slot *> inputs = slotsOf(op.getOperands());
  const bool vector = anyVector(inputs);
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case<tile::CmpOp, tile::SelectOp, tile::CastOp, tile::BitsOp, tile::FromBitsOp>(
          [&](auto) { return compileElementwise(op); })
      .Case([&](tile::AbsentOp absent) {
        Slot *slot = define(absent.getResult(), false);
        slot->presence = Presence::none;
        slot->depth = 0;
        return true;
      })
      .Case([&](tile::PresentOp present) {
        Slot *out = define(present.getResult(), vector);
        hoist(std::make_unique<PresentStep>(inputs[0], out), inputs, out);
        return true;
      })
      .Case([&](tile::FillAbsentOp fill) {
        Slot *out = define(fill.getResult(), vector);
        hoist(std::make_unique<FillAbsentStep>(inputs[0], inputs[1], out), inputs, out);
        return true;
      })
      .Case([&](tile::KeepIfOp keep) {
        Slot *out = define(keep.getResult(), vector);
        hoist(std::make_unique<KeepIfStep>(inputs[0], inputs[1], out), inputs, out);
        return true;
      })
      .Case<tile::AssertOp, tile::AssumeOp>([&](auto check) {
        append(std::make_unique<AssertStep>(inputs[0], check.getText().str(), op.getLoc(), scope));
        return true;
      })
      .Case([&](tile::RequireOp require) {
        append(std::make_unique<RequireStep>(inputs[0], require.getText().str(), op.getLoc()));
        return true;
      })
      .Default([&](mlir::Operation *) { return unsupported(op); });
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

bool Formula::compileFold(tile::FoldOp op) {
  Slot *lo = slotOf(op.getLo()), *hi = slotOf(op.getHi());
  mlir::Block &body = op.getBody().front();
  Slot *index = machine.arena.make(DType::i64, false, depth() + 1);
  slots[body.getArgument(0)] = index;
  auto step = std::make_unique<FoldStep>(static_cast<FoldOf>(op.getKind()), lo, hi, index);
  open.push_back(&step->body);
  scope.emplace_back(nameOf(body.getArgument(0).getLoc(), "fold index"), index);
  const bool ok = compileBlock(body);
  scope.pop_back();
  open.pop_back();
  if (!ok) {
    return false;
  }
  Slot *term = slotOf(body.getTerminator()->getOperand(0));
  step->finish(machine.numbers, term, define(op.getResult(), anyVector({lo, hi, term})));
  append(std::move(step));
  return true;
}

bool Formula::compileIf(mlir::scf::IfOp op) {
  Slot *condition = slotOf(op.getCondition());
  auto step = std::make_unique<IfStep>(condition);
  Steps *outer = open.back();
  for (auto [region, branch] :
       {std::pair(&op.getThenRegion(), &step->then), {&op.getElseRegion(), &step->otherwise}}) {
    if (region->empty()) {
      continue;
    }
    open.back() = &branch->steps;
    const bool ok = compileBlock(region->front());
    open.back() = outer;
    if (!ok) {
      return false;
    }
    llvm::append_range(branch->yields, slotsOf(region->front().getTerminator()->getOperands()));
  }
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    step->results.push_back(
        define(result, anyVector({condition, step->then.yields[i], step->otherwise.yields[i]})));
  }
  append(std::move(step));
  return true;
}

bool Formula::compileFor(tile::ForOp op) {
  if (op.getWidth() != 0) {
    return unsupported(*op);
  }
  mlir::Block &body = op.getBody().front();
  Slot *index = machine.arena.make(DType::i64, false, depth() + 1);
  slots[body.getArgument(0)] = index;
  auto step =
      std::make_unique<ForStep>(slotOf(op.getLo()), slotOf(op.getHi()), op.getReversed(), index);
  llvm::append_range(step->inits, slotsOf(op.getInits()));
  for (mlir::Value result : op.getResults()) {
    step->carried.push_back(define(result, hasLanes));
  }
  open.push_back(&step->body);
  for (auto [argument, slot] : llvm::zip(body.getArguments().drop_front(), step->carried)) {
    // Inside, a carried value changes with each round; outside, it is what the last round left.
    slots[argument] = slot;
    slot->depth = depth();
  }
  scope.emplace_back(nameOf(body.getArgument(0).getLoc(), "loop index"), index);
  const bool ok = compileBlock(body);
  scope.pop_back();
  open.pop_back();
  if (!ok) {
    return false;
  }
  llvm::append_range(step->yields, slotsOf(body.getTerminator()->getOperands()));
  for (Slot *slot : step->carried) {
    slot->depth = depth();
  }
  append(std::move(step));
  return true;
}

bool Formula::compileWhile(mlir::scf::WhileOp op) {
  auto step = std::make_unique<WhileStep>();
  mlir::Block &before = op.getBefore().front(), &after = op.getAfter().front();
  llvm::append_range(step->inits, slotsOf(op.getInits()));
  for (mlir::Value result : op.getResults()) {
    step->results.push_back(define(result, hasLanes));
  }
  open.push_back(&step->before);
  llvm::scope_exit close([&] { open.pop_back(); });
  for (mlir::Value argument : before.getArguments()) {
    step->carried.push_back(define(argument, hasLanes));
  }
  if (!compileBlock(before)) {
    return false;
  }
  auto condition = llvm::cast<mlir::scf::ConditionOp>(before.getTerminator());
  step->condition = slotOf(condition.getCondition());
  llvm::append_range(step->passed, slotsOf(condition.getArgs()));
  for (auto [argument, slot] : llvm::zip(after.getArguments(), step->passed)) {
    slots[argument] = slot;
  }
  open.back() = &step->after;
  if (!compileBlock(after)) {
    return false;
  }
  llvm::append_range(step->yields, slotsOf(after.getTerminator()->getOperands()));
  close.release();
  open.pop_back();
  append(std::move(step));
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Every operand has a slot or is an array, and every result is an element.
bool Formula::operandsAreKnown(mlir::Operation &op) const {
  const bool isDim = llvm::isa<tile::DimOp>(op);
  return llvm::all_of(op.getOperands(),
                      [&](mlir::Value operand) {
                        return isDim || slots.contains(operand) || arrays.contains(operand);
                      }) &&
         llvm::all_of(op.getResultTypes(), [](mlir::Type type) { return type.isIntOrFloat(); });
}

/// The extent of an argument's axis, whether or not there is an array for it yet.
bool Formula::compileDim(tile::DimOp op) {
  auto view = llvm::dyn_cast<mlir::BlockArgument>(op.getView());
  if (!view || view.getOwner() != &block || view.getArgNumber() < kernel.getExtents()) {
    return unsupported(*op);
  }
  llvm::SmallVector<mlir::Attribute> extents;
  mlir::Builder builder(op.getContext());
  for (unsigned i = 0; i < kernel.getExtents(); ++i) {
    extents.push_back(builder.getIndexAttr(slotOf(block.getArgument(i))->asIndex()));
  }
  llvm::SmallVector<mlir::Attribute> shape;
  mlir::AffineMap map = kernel.getShapeMap(view.getArgNumber());
  if (!map || mlir::failed(map.constantFold(extents, shape))) {
    return unsupported(*op);
  }
  Slot *slot = define(op.getResult(), false);
  slot->depth = 0;
  slot->setScalar(llvm::cast<mlir::IntegerAttr>(shape[op.getAxis()]).getInt());
  return true;
}

bool Formula::compileOp(mlir::Operation &op) {
  if (op.hasTrait<mlir::OpTrait::IsTerminator>()) {
    return true;
  }
  if (auto map = llvm::dyn_cast<tile::MapOp>(op)) {
    return compileMap(map);
  }
  if (!operandsAreKnown(op)) {
    return unsupported(op);
  }
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case([&](tile::ConstantOp constant) {
        if (llvm::isa<mlir::ShapedType>(constant.getType())) {
          return unsupported(op);
        }
        compileConstant(constant);
        return true;
      })
      .Case([&](tile::DimOp dim) { return compileDim(dim); })
      .Case([&](tile::AtOp at) {
        compileAt(at);
        return true;
      })
      .Case([&](tile::PhiloxOp philox) {
        compilePhilox(philox);
        return true;
      })
      .Case([&](tile::FoldOp fold) { return compileFold(fold); })
      .Case([&](mlir::scf::IfOp branch) { return compileIf(branch); })
      .Case([&](tile::ForOp loop) { return compileFor(loop); })
      .Case([&](mlir::scf::WhileOp loop) { return compileWhile(loop); })
      .Default([&](mlir::Operation *) { return compileScalarOp(op); });
}

bool Formula::compileBlock(mlir::Block &ops) {
  return llvm::all_of(ops, [&](mlir::Operation &op) { return compileOp(op); });
}
