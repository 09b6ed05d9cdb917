// Any declared instruction of a thread or a warp: operands as the declaration says, one call of its marker for each piece.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"
#include "PieceMemory.h"

#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::LogicalResult;
using mlir::success;
using schedule::Placement;
using tile::DistMode;
using tile::Place;

namespace {
/// What stands for one operand.
struct Operand {
  std::unique_ptr<PieceMemory> memory;
  std::optional<Fragment> fragment; ///< values by coordinates of the kernel's tile
  TileValue in;                     ///< of a fragment that comes in
  TileValue out;                    ///< of one that is written
  llvm::Type *element = nullptr;    ///< of its registers
  llvm::Value *scalar = nullptr;
};

class PieceWriter {
public:
  PieceWriter(Lowering &l, tile::ApplyOp apply, const Instr &instr, Placement placement,
              const Dist &pieces)
      : l(l), apply(apply), instr(instr), placement(std::move(placement)), pieces(pieces),
        absence(l), isAlone(instr.op.getScope() == tile::ExecScope::thread) {}

  LogicalResult run();

private:
  Lowering &l;
  tile::ApplyOp apply;
  const Instr &instr;
  Placement placement;
  Dist pieces;
  BodyAbsence absence;
  bool isAlone; ///< one thread executes a piece
  std::vector<Operand> operands;
  bool isOwned = false;        ///< something in memory is written
  llvm::Value *acts = nullptr; ///< this thread, or warp, writes for those that hold the same

  bool isWritten(unsigned index) const {
    return schedule::isWrittenOperand(placement.instr, index);
  }
  llvm::Error prepare();
  llvm::Error prepareFragment(unsigned index);
  llvm::Error findAbsent();
  void findOwner();
  llvm::MDNode *note();
  llvm::Type *resultType();
  llvm::Error piece(ArrayRef<int64_t> at);
  llvm::Expected<SmallVector<llvm::Value *>> arguments(ArrayRef<int64_t> at);
  llvm::Value *condition(ArrayRef<int64_t> at);
  llvm::Value *call(ArrayRef<llvm::Value *> arguments, llvm::Value *holds);
  llvm::Error takeResults(llvm::Value *result, ArrayRef<int64_t> at);
  Coords originOf(unsigned index, ArrayRef<int64_t> at) const;
};
} // namespace

//===- operands -----------------------------------------------------------===//

llvm::Error PieceWriter::prepareFragment(unsigned index) {
  const schedule::PlacedOperand &placed = placement.operands[index];
  Operand &operand = operands[index];
  llvm::Expected<Fragment> map = fragmentOf(l, instr.operands[index]);
  if (!map) {
    return map.takeError();
  }
  // Coordinates of the kernel's tile instead of the instruction's.
  for (Coords &value : map->values) {
    Coords moved(placed.dims.size(), 0);
    for (auto [axis, at] : llvm::zip(placed.axes, value)) {
      moved[axis] = at;
    }
    value = std::move(moved);
  }
  operand.fragment = std::move(*map);
  operand.element = l.registerOf(instr.operands[index].type);
  Dist held = placement.held(index, pieces);
  if (placed.value) {
    operand.in = l.tile(placed.value);
    if (operand.in.dist != held) {
      return llvm::createStringError("operand `" + instr.operands[index].name.str() +
                                     "` is held as <" + operand.in.dist.text() + "> instead of <" +
                                     held.text() + ">: run layout assignment before this");
    }
  }
  if (!isWritten(index)) {
    return llvm::Error::success();
  }
  operand.out.dist = held;
  if (placed.value) {
    operand.out.regs = operand.in.regs;
  } else {
    operand.out.regs.assign(held.regs(), llvm::PoisonValue::get(operand.element));
  }
  mlir::Value result = placement.written[index];
  llvm::append_range(operand.out.shape, tile::shapeOf(result.getType()));
  return llvm::Error::success();
}

llvm::Error PieceWriter::prepare() {
  operands.resize(instr.operands.size());
  for (auto [index, declared] : llvm::enumerate(instr.operands)) {
    const schedule::PlacedOperand &placed = placement.operands[index];
    if (declared.kind == "frag") {
      if (llvm::Error error = prepareFragment(index)) {
        return error;
      }
    } else if (placed.access) {
      operands[index].memory = std::make_unique<PieceMemory>(l, instr, placement, index, pieces);
      if (llvm::Error error = operands[index].memory->prepare()) {
        return error;
      }
      if (auto load = llvm::dyn_cast<tile::LoadOp>(placed.access)) {
        absence.set(load.getResult(), operands[index].memory->factors());
      }
    } else {
      operands[index].scalar = l.scalar(placed.value);
    }
  }
  return findAbsent();
}

/// Factors of results and of what is stored. Where elements are absent one by one they must be those of the same registers.
llvm::Error PieceWriter::findAbsent() {
  if (llvm::Error error = absence.run(apply.getBody().front())) {
    return error;
  }
  bool combines = llvm::any_of(apply.getBody().front(), [](mlir::Operation &op) {
    return llvm::isa<tile::MmaOp, tile::ReduceOp>(op);
  });
  for (auto [index, operand] : llvm::enumerate(operands)) {
    if (operand.fragment && combines && !isWritten(index) && !operand.in.factors.empty()) {
      for (int64_t reg = 0; reg < operand.in.dist.regs(); ++reg) {
        operand.in.regs[reg] = orZero(l, operand.in, reg);
      }
    }
    if (operand.fragment && isWritten(index)) {
      operand.out.factors = absence.of(placement.written[index]).factors;
      for (const Factor &factor : operand.out.factors) {
        bool isElsewhere =
            !factor.count &&
            factor.dist != operand.out.dist.along(factor.axes, operand.out.shape.size());
        if (isElsewhere) {
          return llvm::createStringError(
              "elements are absent one by one, and what `" + instr.op.getSymName().str() +
              "` gives lies in other registers than what it takes: fill them before it");
        }
      }
    }
    auto store = operand.memory && isWritten(index)
                     ? llvm::dyn_cast<tile::StoreOp>(placement.operands[index].access)
                     : tile::StoreOp();
    if (store) {
      if (llvm::Error error =
              operand.memory->addStored(store.getValue(), absence.of(store.getValue()).factors)) {
        return error;
      }
    }
  }
  return llvm::Error::success();
}

/// Threads that hold the same: one writes. Of a warp all lanes do, or none.
void PieceWriter::findOwner() {
  for (auto [index, operand] : llvm::enumerate(operands)) {
    if (!operand.memory || !isWritten(index)) {
      continue;
    }
    isOwned = true;
    SmallVector<DistMode> modes;
    if (!isAlone) {
      modes.push_back({Place::lane, 32, 0, 1});
    }
    llvm::append_range(modes, placement.held(index, pieces).modes());
    acts = l.both(acts, l.owner(Dist::get(modes)));
  }
}

/// What a marker's operands in memory touch, in their order.
llvm::MDNode *PieceWriter::note() {
  unsigned rank = schedule::dimsOf(placement.root).size();
  llvm::MDNode *all = nullptr;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    if (!operand.memory) {
      continue;
    }
    SmallVector<Coords> origins;
    for (int64_t reg = 0; reg < pieces.regs(); ++reg) {
      origins.push_back(originOf(index, pieces.regCoords(reg, rank)));
    }
    llvm::MDNode *one = operand.memory->note(origins, isWritten(index), isOwned);
    all = all ? together(l, all, one) : one;
  }
  return all;
}

//===- pieces -------------------------------------------------------------===//

Coords PieceWriter::originOf(unsigned index, ArrayRef<int64_t> at) const {
  const schedule::PlacedOperand &placed = placement.operands[index];
  Coords origin;
  for (auto [dim, extent] : llvm::zip(placed.dims, placed.piece)) {
    origin.push_back(dim >= 0 ? at[dim] * extent : 0);
  }
  return origin;
}

llvm::Expected<SmallVector<llvm::Value *>> PieceWriter::arguments(ArrayRef<int64_t> at) {
  SmallVector<llvm::Value *> given;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    if (operand.fragment) {
      if (placement.operands[index].value) {
        // What earlier pieces of a sum gave goes on.
        const TileValue &from = isWritten(index) ? operand.out : operand.in;
        llvm::Expected<llvm::Value *> words =
            gatherFragment(l, from, *operand.fragment, originOf(index, at));
        if (!words) {
          return words.takeError();
        }
        given.push_back(*words);
      }
      continue;
    }
    if (operand.memory) {
      Coords origin = originOf(index, at);
      given.push_back(operand.memory->addressOf(origin));
      if (operand.memory->isView()) {
        given.push_back(operand.memory->presentBytes(origin));
      }
      continue;
    }
    given.push_back(operand.scalar);
  }
  return given;
}

/// Whether the piece is done at all; null where it always is.
llvm::Value *PieceWriter::condition(ArrayRef<int64_t> at) {
  llvm::Value *all = acts;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    if (operand.memory) {
      all = l.both(all, operand.memory->isThere(originOf(index, at)));
    }
  }
  return all;
}

llvm::Type *PieceWriter::resultType() {
  SmallVector<llvm::Type *> types;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    if (operand.fragment && isWritten(index)) {
      types.push_back(wordsType(l, *operand.fragment));
    }
  }
  if (types.empty()) {
    return l.b.getVoidTy();
  }
  return types.size() == 1 ? types.front() : llvm::StructType::get(l.module.getContext(), types);
}

/// A thread is told whether it takes part; a warp goes past it as a whole.
llvm::Value *PieceWriter::call(ArrayRef<llvm::Value *> given, llvm::Value *holds) {
  SmallVector<llvm::Value *> all(given);
  llvm::Type *type = resultType();
  if (isAlone || !holds) {
    all.push_back(l.bit(holds));
    return callInstr(l, instr, type, all);
  }
  all.push_back(l.b.getTrue());
  llvm::LLVMContext &context = l.module.getContext();
  llvm::BasicBlock *before = l.b.GetInsertBlock();
  auto *does = llvm::BasicBlock::Create(context, "piece", l.function);
  auto *after = llvm::BasicBlock::Create(context, "pieces", l.function);
  l.b.CreateCondBr(holds, does, after);
  l.b.SetInsertPoint(does);
  llvm::Value *made = callInstr(l, instr, type, all);
  l.b.CreateBr(after);
  l.b.SetInsertPoint(after);
  if (type->isVoidTy()) {
    return made;
  }
  llvm::PHINode *result = l.b.CreatePHI(type, 2);
  result->addIncoming(made, does);
  result->addIncoming(llvm::Constant::getNullValue(type), before);
  return result;
}

llvm::Error PieceWriter::takeResults(llvm::Value *result, ArrayRef<int64_t> at) {
  unsigned number = 0;
  for (auto [index, operand] : llvm::enumerate(operands)) {
    if (!operand.fragment || !isWritten(index)) {
      continue;
    }
    llvm::Value *own =
        result->getType()->isStructTy() ? l.b.CreateExtractValue(result, number) : result;
    ++number;
    if (llvm::Error error = scatterFragment(l, own, operand.out, *operand.fragment,
                                            originOf(index, at), operand.element)) {
      return error;
    }
  }
  return llvm::Error::success();
}

llvm::Error PieceWriter::piece(ArrayRef<int64_t> at) {
  llvm::Expected<SmallVector<llvm::Value *>> given = arguments(at);
  if (!given) {
    return given.takeError();
  }
  return takeResults(call(*given, condition(at)), at);
}

LogicalResult PieceWriter::run() {
  if (llvm::Error error = prepare()) {
    return l.error(apply, llvm::toString(std::move(error)));
  }
  findOwner();
  l.access = note();
  unsigned rank = schedule::dimsOf(placement.root).size();
  for (int64_t reg = 0; reg < pieces.regs(); ++reg) {
    if (llvm::Error error = piece(pieces.regCoords(reg, rank))) {
      return l.error(apply, llvm::toString(std::move(error)));
    }
  }
  for (auto [number, index] : llvm::enumerate(placement.results)) {
    l.set(apply.getResult(number), std::move(operands[index].out));
  }
  return success();
}

LogicalResult convert::applyPieces(Lowering &l, tile::ApplyOp apply, const Instr &instr) {
  std::string name = "`" + instr.op.getSymName().str() + "`";
  tile::ExecScope scope = instr.op.getScope();
  if (scope != tile::ExecScope::thread && scope != tile::ExecScope::warp) {
    return l.error(apply, name + " is executed by a " + tile::stringifyExecScope(scope) +
                              " together, for which there is no code yet: instructions of a "
                              "thread and a warp have some");
  }
  tile::Proxy via = instr.op.getVia();
  if (via != tile::Proxy::generic && via != tile::Proxy::cp_async) {
    return l.error(apply, name + " goes to memory by `" + tile::stringifyProxy(via) +
                              "`, for which there is no code yet: `generic` and `cp_async` have "
                              "some");
  }
  auto dist = apply->getAttrOfType<tile::DistAttr>(schedule::piecesAttrName);
  if (!dist) {
    return l.error(apply, "nothing says which thread does which piece of " + name +
                              ": run layout assignment before this");
  }
  llvm::Expected<Placement> placement = schedule::placementOf(apply);
  if (!placement) {
    return l.error(apply, llvm::toString(placement.takeError()));
  }
  return PieceWriter(l, apply, instr, std::move(*placement), Dist::of(dist)).run();
}
