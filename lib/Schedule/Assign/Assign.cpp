// Layout assignment over a kernel's body: distributions are written, conversions put in, free ops made where they are needed.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Schedule/Assign.h"

#include "Remade.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include <map>

using namespace tessera;
using namespace tessera::schedule;
using llvm::SmallVector;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using mlir::Value;

static bool isTile(Value value) { return llvm::isa<mlir::RankedTensorType>(value.getType()); }

namespace {
class Assigner {
public:
  Assigner(tile::KernelOp kernel, int64_t warps) : prefer(kernel, warps), kernel(kernel) {}

  LogicalResult run();

private:
  LogicalResult walk(mlir::Block &block);
  LogicalResult visit(Operation *op);
  LogicalResult visitLoop(tile::ForOp loop);
  LogicalResult visitWhile(mlir::scf::WhileOp loop);
  LogicalResult visitApply(tile::ApplyOp apply);
  LogicalResult visitProduct(tile::ApplyOp apply);
  LogicalResult yields(mlir::Block &block, mlir::ValueRange like, unsigned skip = 0);
  LogicalResult demand(Operation *user, unsigned operand, const Dist &want);
  Value inDist(Value value, const Dist &want);
  Value cloneFree(Operation *op, Value value, const Dist &want);
  Value cloneApply(tile::ApplyOp apply, const Dist &want);
  Value converted(Value value, const Dist &want);
  LogicalResult indexTiles(Operation *op, const Dist &dist);
  LogicalResult operandsOf(Operation *op, const Dist &dist);
  void mark(Operation *op);
  void mark(Operation *op, const Dist &dist);
  void sweep(mlir::Block &block);

  Preferences prefer;
  tile::KernelOp kernel;
  std::map<std::pair<void *, Dist>, Value> made;
  llvm::DenseMap<Value, Dist> ofNew;
  llvm::DenseSet<Value> free;          ///< what was made of free ops
  llvm::SetVector<Operation *> remade; ///< what may have no user left
};
} // namespace

/// An attribute with a distribution for each result that is a tile.
void Assigner::mark(Operation *op) {
  SmallVector<mlir::Attribute> dists;
  mlir::MLIRContext *context = op->getContext();
  bool some = false;
  for (Value result : op->getResults()) {
    std::optional<Dist> dist = isTile(result) ? prefer.of(result) : std::nullopt;
    dists.push_back(dist ? mlir::Attribute(dist->attr(context)) : mlir::UnitAttr::get(context));
    some |= dist.has_value();
  }
  if (some) {
    op->setAttr(tile::distAttrName, mlir::ArrayAttr::get(context, dists));
  }
}

void Assigner::mark(Operation *op, const Dist &dist) {
  mlir::MLIRContext *context = op->getContext();
  SmallVector<mlir::Attribute> dists(std::max<size_t>(op->getNumResults(), 1), dist.attr(context));
  op->setAttr(tile::distAttrName, mlir::ArrayAttr::get(context, dists));
  for (Value result : op->getResults()) {
    ofNew[result] = dist;
  }
}

//===- what a user needs --------------------------------------------------===//

Value Assigner::converted(Value value, const Dist &want) {
  mlir::OpBuilder builder(kernel.getContext());
  builder.setInsertionPointAfterValue(value);
  auto convert = tile::ConvertOp::create(builder, value.getLoc(), value);
  mark(convert, want);
  if (value.getParentRegion()->getParentOfType<tile::ForOp>() ||
      llvm::isa<tile::ForOp>(value.getParentRegion()->getParentOp())) {
    mlir::emitRemark(value.getLoc())
        << "a tile moves between threads in each step of the loop: it is held as <"
        << prefer.of(value).value_or(Dist()).text() << "> and needed as <" << want.text() << ">";
  }
  return convert.getResult();
}

std::optional<Dist> schedule::operandFor(Operation *op, unsigned operand, const Dist &want) {
  if (isPointwise(op)) {
    auto keep = llvm::dyn_cast<tile::KeepIfOp>(op);
    if (!keep || operand == 0) {
      return want;
    }
    // A condition of extent 1 along other axes.
    SmallVector<int64_t> map;
    for (auto [axis, extent] : llvm::enumerate(
             llvm::cast<mlir::RankedTensorType>(keep.getCondition().getType()).getShape())) {
      map.push_back(extent == 1 ? -1 : int64_t(axis));
    }
    return want.mapAxes(map);
  }
  std::optional<SmallVector<int64_t>> axes = renamedAxes(op);
  if (!axes) {
    return std::nullopt;
  }
  SmallVector<int64_t> back(
      llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType()).getRank(), -1);
  for (auto [from, to] : llvm::enumerate(*axes)) {
    if (to >= 0) {
      back[to] = int64_t(from);
    }
  }
  return want.mapAxes(back);
}

/// A free op, and the free ops that it takes, made once more for a distribution, beside the original.
Value Assigner::cloneFree(Operation *op, Value value, const Dist &want) {
  mlir::OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  mlir::IRMapping mapping;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (!isTile(operand)) {
      continue;
    }
    std::optional<Dist> needed = operandFor(op, i, want);
    if (!needed) {
      op->emitError() << "`" << op->getName() << "` cannot be made in another distribution";
      return {};
    }
    Value given = inDist(operand, *needed);
    if (!given) {
      return {};
    }
    // What was made for it stands right after its own maker, so before this op.
    mapping.map(operand, given);
  }
  if (auto apply = llvm::dyn_cast<tile::ApplyOp>(op)) {
    return cloneApply(apply, want);
  }
  Operation *copy = builder.clone(*op, mapping);
  mark(copy, want);
  return copy->getResult(llvm::cast<mlir::OpResult>(value).getResultNumber());
}

/// A cast to a wider type that nothing pins: its operand is smaller to move.
static bool isSmallerBefore(Operation *maker) {
  auto cast = llvm::dyn_cast_or_null<tile::CastOp>(maker);
  if (!cast || cast->hasAttr(tile::iterAttrName)) {
    return false;
  }
  auto bits = [](Value value) { return mlir::getElementTypeOrSelf(value).getIntOrFloatBitWidth(); };
  return bits(cast.getX()) < bits(cast.getResult());
}

/// What an instruction reads from shared memory, once more for a distribution; without the instruction where its pieces do
/// not make that up.
Value Assigner::cloneApply(tile::ApplyOp apply, const Dist &want) {
  const Placement *placement = prefer.placement(apply);
  if (!placement) {
    return {}; // the error is told after the op
  }
  mlir::OpBuilder builder(apply);
  builder.setInsertionPointAfter(apply);
  if (std::optional<Dist> pieces = placement->piecesFor(placement->results.front(), want)) {
    Operation *copy = builder.clone(*apply);
    copy->setAttr(piecesAttrName, pieces->attr(copy->getContext()));
    mark(copy, want);
    return copy->getResult(0);
  }
  mlir::emitRemark(apply.getLoc())
      << "`" << apply.getInstr() << "` does not give <" << want.text()
      << ">, which is needed: shared memory is read element by element";
  mlir::IRMapping mapping;
  mlir::Block &body = apply.getBody().front();
  for (Operation &inner : body.without_terminator()) {
    builder.clone(inner, mapping)->removeAttr(tile::iterAttrName); // it speaks of pieces
  }
  return inDist(mapping.lookup(body.getTerminator()->getOperand(0)), want);
}

Value Assigner::inDist(Value value, const Dist &want) {
  auto isNew = ofNew.find(value);
  std::optional<Dist> has =
      isNew != ofNew.end() ? std::optional<Dist>(isNew->second) : prefer.of(value);
  if (has && *has == want) {
    return value;
  }
  auto [place, isFirst] = made.try_emplace({value.getAsOpaquePointer(), want}, Value());
  if (!isFirst) {
    return place->second;
  }
  Operation *maker = value.getDefiningOp();
  bool isRemade = has && isNew == ofNew.end() && isCheaperToMake(prefer, value, want);
  bool isFree = !has || free.contains(value);
  bool isMade = isFree || isSmallerBefore(maker) || isRemade;
  Value result = maker && isMade ? cloneFree(maker, value, want) : converted(value, want);
  if (isRemade) {
    remade.insert(maker);
  }
  if (isFree && result) {
    free.insert(result);
  }
  made[{value.getAsOpaquePointer(), want}] = result;
  return result;
}

LogicalResult Assigner::demand(Operation *user, unsigned operand, const Dist &want) {
  Value value = user->getOperand(operand);
  if (!isTile(value)) {
    return success();
  }
  Value given = inDist(value, want);
  if (!given) {
    return failure();
  }
  user->setOperand(operand, given);
  return success();
}

//===- ops ----------------------------------------------------------------===//

LogicalResult Assigner::yields(mlir::Block &block, mlir::ValueRange like, unsigned skip) {
  Operation *end = block.getTerminator();
  for (auto [i, value] : llvm::enumerate(like)) {
    if (!isTile(value)) {
      continue;
    }
    std::optional<Dist> want = prefer.of(value);
    if (!want) {
      want = prefer.fallback(value.getType());
    }
    if (failed(demand(end, i + skip, *want))) {
      return failure();
    }
  }
  return success();
}

LogicalResult Assigner::visitLoop(tile::ForOp loop) {
  constexpr unsigned firstInit = 2; // after lo and hi
  for (auto [i, argument] : llvm::enumerate(loop.getCarried())) {
    std::optional<Dist> dist = prefer.of(argument);
    if (dist && failed(demand(loop, firstInit + i, *dist))) {
      return failure();
    }
  }
  mark(loop);
  if (failed(walk(loop.getBody().front()))) {
    return failure();
  }
  return yields(loop.getBody().front(), loop.getResults());
}

LogicalResult Assigner::visitWhile(mlir::scf::WhileOp loop) {
  for (auto [i, argument] : llvm::enumerate(loop.getBefore().getArguments())) {
    std::optional<Dist> dist = prefer.of(argument);
    if (dist && failed(demand(loop, i, *dist))) {
      return failure();
    }
  }
  mark(loop);
  if (failed(walk(loop.getBefore().front())) ||
      failed(yields(loop.getBefore().front(), loop.getResults(), 1)) ||
      failed(walk(loop.getAfter().front()))) {
    return failure();
  }
  return yields(loop.getAfter().front(), loop.getBefore().getArguments());
}

LogicalResult Assigner::visitProduct(tile::ApplyOp apply) {
  auto mma = llvm::cast<tile::MmaOp>(pointsOf(apply));
  llvm::Expected<ProductDists> dists = productDists(apply, mma);
  if (!dists) {
    return apply.emitOpError() << llvm::toString(dists.takeError());
  }
  mark(apply);
  mark(mma, dists->c);
  const Dist *want[3] = {&dists->a, &dists->b, &dists->c};
  for (unsigned i = 0; i < 3; ++i) {
    if (failed(demand(mma, i, *want[i]))) {
      return failure();
    }
  }
  return success();
}

LogicalResult Assigner::visitApply(tile::ApplyOp apply) {
  if (isPlainProduct(apply)) {
    return visitProduct(apply);
  }
  const Placement *placement = prefer.placement(apply);
  if (!placement) {
    return success(); // the error is told after the op
  }
  if (placement->isFree()) {
    return success();
  }
  std::optional<Dist> pieces = prefer.pieces(apply);
  if (!pieces) {
    return success();
  }
  mark(apply);
  apply->setAttr(piecesAttrName, pieces->attr(apply->getContext()));
  llvm::DenseMap<Value, Dist> given;
  for (auto [index, operand] : llvm::enumerate(placement->operands)) {
    Dist held = placement->held(index, *pieces);
    if (operand.access) {
      mark(operand.access, held);
      if (failed(indexTiles(operand.access, held))) {
        return failure();
      }
    }
    if (!operand.fragment || !operand.value) {
      continue;
    }
    auto [known, isFirst] = given.try_emplace(operand.value, held);
    if (!isFirst && known->second != held) {
      return apply.emitOpError() << "takes one tile as two operands that lie in other registers, <"
                                 << known->second.text() << "> and <" << held.text()
                                 << ">: make it twice in the source";
    }
    Value value = isFirst ? inDist(operand.value, held) : Value();
    if (isFirst && !value) {
      return failure();
    }
    if (isFirst) {
      Value old = operand.value;
      old.replaceUsesWithIf(
          value, [&](mlir::OpOperand &use) { return apply->isAncestor(use.getOwner()); });
    }
  }
  return success();
}

/// Integer tiles among the indices of a box: as the axes are held that they bring.
LogicalResult Assigner::indexTiles(Operation *op, const Dist &dist) {
  auto demandAll = [&](auto access) {
    int64_t axis = 0, next = 0;
    if (access.getIndices().empty()) {
      return success();
    }
    unsigned first = access.getIndices().getBeginOperandIndex();
    for (bool isWhole : access.getWhole()) {
      Value index = isWhole ? Value() : access.getIndices()[next++];
      if (!index || !isTile(index)) {
        axis += !index || llvm::isa<tile::SpanType>(index.getType());
        continue;
      }
      int64_t rank = llvm::cast<mlir::RankedTensorType>(index.getType()).getRank();
      SmallVector<int64_t> map(64, -1);
      for (int64_t i = 0; i < rank; ++i) {
        map[axis++] = i;
      }
      if (failed(demand(op, first + next - 1, dist.mapAxes(map)))) {
        return failure();
      }
    }
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tile::LoadOp, tile::StoreOp, tile::AtomicOp>(demandAll)
      .Default([](Operation *) { return success(); });
}

/// What the operands of an op with the result's distribution must have.
LogicalResult Assigner::operandsOf(Operation *op, const Dist &dist) {
  if (llvm::isa<tile::LoadOp>(op)) {
    return indexTiles(op, dist);
  }
  if (llvm::isa<tile::ArgMaxOp, tile::ArgMinOp, tile::ReduceOp, tile::ReduceWithOp, tile::ScanOp,
                tile::ScanWithOp, tile::TopKOp>(op)) {
    return demand(op, 0, prefer.terms(op));
  }
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    if (!isTile(op->getOperand(i))) {
      continue;
    }
    std::optional<Dist> want = operandFor(op, i, dist);
    if (!want) {
      want = prefer.of(op->getOperand(i));
    }
    if (failed(demand(op, i, want ? *want : prefer.fallback(op->getOperand(i).getType())))) {
      return failure();
    }
  }
  return success();
}

LogicalResult Assigner::visit(Operation *op) {
  if (auto loop = llvm::dyn_cast<tile::ForOp>(op)) {
    return visitLoop(loop);
  }
  if (auto loop = llvm::dyn_cast<mlir::scf::WhileOp>(op)) {
    return visitWhile(loop);
  }
  if (auto apply = llvm::dyn_cast<tile::ApplyOp>(op)) {
    return visitApply(apply);
  }
  if (op->getNumRegions() > 0 && !llvm::isa<tile::ReduceWithOp, tile::ScanWithOp>(op)) {
    mark(op);
    for (mlir::Region &region : op->getRegions()) {
      for (mlir::Block &block : region) {
        bool fits = !op->getResults().empty();
        if (failed(walk(block)) || (fits && failed(yields(block, op->getResults())))) {
          return failure();
        }
      }
    }
    return success();
  }
  if (llvm::isa<tile::StoreOp, tile::WriteOp, tile::CopyOp, tile::CopyOutOp, tile::AtomicOp>(op)) {
    std::optional<Dist> dist = prefer.pin(op);
    if (!dist && op->getNumOperands() > 0 && isTile(op->getOperand(0))) {
      dist = prefer.of(op->getOperand(0));
      dist = dist ? dist : prefer.natural(op->getOperand(0));
    }
    if (!dist) {
      dist = prefer.access(op);
    }
    mark(op, *dist);
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      bool isElements =
          isTile(op->getOperand(i)) && (i == 0 || (llvm::isa<tile::AtomicOp>(op) && i == 1 &&
                                                   llvm::cast<tile::AtomicOp>(op).getCompare()));
      if (isElements && failed(demand(op, i, *dist))) {
        return failure();
      }
    }
    return indexTiles(op, *dist);
  }
  if (auto mma = llvm::dyn_cast<tile::MmaOp>(op)) {
    Dist dist = *prefer.of(mma.getResult());
    mark(op, dist);
    llvm::ArrayRef<int64_t> a = mma.getA().getType().getShape();
    auto withK = [&](Dist half, int64_t axis) {
      SmallVector<tile::DistMode> modes(half.modes());
      modes.push_back({tile::Place::reg, a[1], axis, 1});
      return Dist::get(modes);
    };
    const int64_t rows[] = {0, -1}, columns[] = {-1, 1};
    return failure(failed(demand(op, 0, withK(dist.mapAxes(rows), 1))) ||
                   failed(demand(op, 1, withK(dist.mapAxes(columns), 0))) ||
                   failed(demand(op, 2, dist)));
  }
  bool some = llvm::any_of(op->getResults(), [&](Value result) { return bool(prefer.of(result)); });
  if (!some) {
    if (op->getNumResults() > 0 && llvm::all_of(op->getResults(), isTile)) {
      return success(); // free
    }
    // A scalar of tiles, or an op without results (a print, a check).
    return operandsOf(op, Dist());
  }
  mark(op);
  return operandsOf(op, *prefer.of(op->getResult(0)));
}

LogicalResult Assigner::walk(mlir::Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator()) {
    ops.push_back(&op);
  }
  for (Operation *op : ops) {
    if (failed(visit(op))) {
      return failure();
    }
    if (prefer.error) {
      return prefer.error->first->emitError() << prefer.error->second;
    }
  }
  return success();
}

/// Free ops that no one took as they stood.
void Assigner::sweep(mlir::Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    for (mlir::Region &region : op.getRegions()) {
      for (mlir::Block &inner : region) {
        if (!llvm::isa<tile::ApplyOp, tile::ReduceWithOp, tile::ScanWithOp>(op)) {
          sweep(inner);
        }
      }
    }
    bool isFree = op.getNumResults() > 0 && llvm::all_of(op.getResults(), isTile) &&
                  !op.hasAttr(tile::distAttrName) &&
                  (op.getNumRegions() == 0 || llvm::isa<tile::ApplyOp>(op));
    if (isFree && op.use_empty()) {
      op.erase();
    }
  }
}

LogicalResult Assigner::run() {
  if (failed(walk(kernel.getBody().front()))) {
    return failure();
  }
  sweep(kernel.getBody().front());
  for (Operation *op : llvm::reverse(remade.getArrayRef())) { // users stand behind what they use
    if (op->use_empty()) {
      op->erase();
    }
  }
  return success();
}

/// Warps of a CTA where no schedule says: as many as give each thread some elements of the largest tile.
static int64_t warpsFor(tile::KernelOp kernel) {
  if (auto warps = kernel->getAttrOfType<mlir::IntegerAttr>(tile::warpsAttrName)) {
    return warps.getInt();
  }
  int64_t most = 1;
  kernel.getBody().walk([&](Operation *op) {
    for (Value result : op->getResults()) {
      if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(result.getType());
          type && type.hasStaticShape()) {
        most = std::max(most, type.getNumElements());
      }
    }
  });
  return std::clamp<int64_t>(llvm::bit_floor(uint64_t(most / (32 * 8) + 1)), 1, 8);
}

LogicalResult schedule::assignLayouts(tile::KernelOp kernel) {
  if (kernel.getBody().empty()) {
    return kernel.emitOpError() << "has no body to run on a device";
  }
  int64_t warps = warpsFor(kernel);
  kernel->setAttr(tile::warpsAttrName,
                  mlir::IntegerAttr::get(mlir::IntegerType::get(kernel.getContext(), 64), warps));
  return Assigner(kernel, warps).run();
}
