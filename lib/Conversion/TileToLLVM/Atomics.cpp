// Atomics: one instruction for each element where the device has one, else a loop of compare-and-swap.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Support/Mutants.h"

#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

namespace {
class Atomic {
public:
  Atomic(Lowering &l, tile::AtomicOp op)
      : l(l), op(op), value(l.tile(op.getValue())),
        type(dtypeOf(mlir::getElementTypeOrSelf(op.getValue().getType()))),
        element(l.registerOf(op.getValue().getType())) {
    word = l.b.getIntNTy(std::max<unsigned>(element->getPrimitiveSizeInBits(), 8));
  }

  LogicalResult run();

private:
  bool isNative();
  llvm::StringRef typeName() const;
  llvm::Value *call(llvm::StringRef kind, llvm::StringRef order,
                    llvm::ArrayRef<llvm::Value *> operands);
  llvm::Expected<llvm::Value *> one(llvm::Value *address, llvm::Value *operand,
                                    llvm::Value *expected, llvm::Value *acts);
  llvm::Expected<llvm::Value *> loop(llvm::Value *address, llvm::Value *operand, llvm::Value *acts);
  llvm::Expected<llvm::Value *> next(llvm::Value *held, llvm::Value *operand);
  void addFactorsTo(TileValue &target);

  Lowering &l;
  tile::AtomicOp op;
  const TileValue value;
  DType type;
  llvm::Type *element, *word;
};
} // namespace

/// What the element is called in a marker. Sixteen bits are told apart by sums only.
llvm::StringRef Atomic::typeName() const {
  switch (type) {
  case DType::i32:
    return "s32";
  case DType::ui32:
    return "u32";
  case DType::i64:
    return "s64";
  case DType::ui64:
    return "u64";
  case DType::f32:
    return "f32";
  case DType::f64:
    return "f64";
  default:
    return byteSize(type) == 2 ? "f16" : "";
  }
}

/// Integers of 32 and 64 bits have all operations, floats have sums. Sums of bf16 are there on new devices only.
bool Atomic::isNative() {
  tile::AtomicKind kind = op.getKind();
  bool isWide = byteSize(type) >= 4;
  if (kind == tile::AtomicKind::cas) {
    return true;
  }
  if (kind == tile::AtomicKind::xchg || !isFloat(type)) {
    return isWide;
  }
  return kind == tile::AtomicKind::add && (isWide || type == DType::f16);
}

static std::optional<ScalarOp> rowOf(tile::AtomicKind kind) {
  switch (kind) {
  case tile::AtomicKind::add:
    return ScalarOp::Add;
  case tile::AtomicKind::max:
    return ScalarOp::Max;
  case tile::AtomicKind::min:
    return ScalarOp::Min;
  case tile::AtomicKind::and_:
    return ScalarOp::And;
  case tile::AtomicKind::or_:
    return ScalarOp::Or;
  case tile::AtomicKind::xor_:
    return ScalarOp::Xor;
  default:
    return std::nullopt;
  }
}

llvm::Value *Atomic::call(llvm::StringRef kind, llvm::StringRef order,
                          llvm::ArrayRef<llvm::Value *> operands) {
  // A wider scope is as good, and clusters are no word of older devices.
  llvm::StringRef scope =
      op.getScope() == tile::Scope::cluster ? "gpu" : tile::stringifyScope(op.getScope());
  std::string name = ("atom." + kind + "." + typeName() + "." + order + "." + scope).str();
  return l.marker(name, word, operands);
}

llvm::Expected<llvm::Value *> Atomic::next(llvm::Value *held, llvm::Value *operand) {
  std::optional<ScalarOp> row = rowOf(op.getKind());
  if (!row) { // an exchange
    return operand;
  }
  llvm::Expected<llvm::Value *> sum = l.scalars.row(
      l.b, *row, type, {l.b.CreateBitCast(held, element), l.b.CreateBitCast(operand, element)});
  if (!sum) {
    return sum;
  }
  return l.b.CreateBitCast(*sum, word);
}

llvm::Expected<llvm::Value *> Atomic::loop(llvm::Value *address, llvm::Value *operand,
                                           llvm::Value *acts) {
  auto &b = l.b;
  auto *head = llvm::BasicBlock::Create(l.module.getContext(), "swap", l.function);
  auto *end = llvm::BasicBlock::Create(l.module.getContext(), "swapped", l.function);
  llvm::Value *zero = llvm::Constant::getNullValue(word);
  llvm::AllocaInst *held = l.variable(word, "held");
  // Zero in the place of zero changes nothing, and reads.
  b.CreateStore(call("cas", "relaxed", {address, zero, zero, acts}), held);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::Value *before = b.CreateLoad(word, held);
  llvm::Expected<llvm::Value *> after = next(before, operand);
  if (!after) {
    return after;
  }
  llvm::Value *seen =
      call("cas", tile::stringifyMemoryOrder(op.getOrder()), {address, before, *after, acts});
  b.CreateStore(seen, held);
  llvm::Value *isSwapped = b.CreateOr(b.CreateNot(acts), b.CreateICmpEQ(seen, before));
  llvm::Value *isDone = TESSERA_MUTANT(511, "a lost swap is not tried again", isSwapped,
                                       static_cast<llvm::Value *>(b.getTrue()));
  b.CreateCondBr(isDone, end, head);
  b.SetInsertPoint(end);
  return before;
}

llvm::Expected<llvm::Value *> Atomic::one(llvm::Value *address, llvm::Value *operand,
                                          llvm::Value *expected, llvm::Value *acts) {
  llvm::StringRef order = tile::stringifyMemoryOrder(op.getOrder());
  if (op.getKind() == tile::AtomicKind::cas) {
    return call("cas", order, {address, expected, operand, acts});
  }
  if (!isNative()) {
    return loop(address, operand, acts);
  }
  llvm::StringRef kind = tile::stringifyAtomicKind(op.getKind());
  return call(kind, order, {address, operand, acts});
}

void Atomic::addFactorsTo(TileValue &target) {
  addFactors(target.factors, value.factors);
  if (op.getCompare()) {
    addFactors(target.factors, l.tile(op.getCompare()).factors);
  }
}

LogicalResult Atomic::run() {
  if (typeName().empty()) {
    return l.error(op, "atomics of 8-bit elements have no code: use a type of 16 bits or more");
  }
  std::optional<TileValue> compare;
  if (op.getCompare()) {
    compare = l.tile(op.getCompare());
  }
  Box box(l, op.getView(), op.getIndices(), op.getWhole(), value.dist, value.shape);
  TileValue target = value;
  target.factors = box.factors;
  addFactorsTo(target);
  tile::MemoryOrder order = op.getOrder();
  // What the CTA's other threads wrote goes with a release, what they read comes after an acquire.
  bool releases = order == tile::MemoryOrder::release || order == tile::MemoryOrder::acq_rel;
  if (TESSERA_MUTANT(512, "a release is that of one thread", releases, false)) {
    l.barrier();
  }
  llvm::Value *owner = l.owner(value.dist);
  std::vector<Piece> pieces = piecesOf(value.dist, value.shape.size(), 1);
  Touch touch{"atomic of", value.dist, value.shape, pieces, box.bytes, true, /*isOwned=*/true};
  l.access = isNative() ? noteView(l, touch, op.getView(), op.getIndices(), op.getWhole())
                        : noteOpenView(l, touch, op.getView(),
                                       "depends on how often other threads come between");
  Registers old;
  for (int64_t reg = 0; reg < value.dist.regs(); ++reg) {
    int64_t offset = 0;
    llvm::Value *row = box.rowOf(value.dist.regCoords(reg, value.shape.size()), offset);
    llvm::Value *address = l.b.CreateConstGEP1_64(l.b.getInt8Ty(), row, offset);
    llvm::Value *acts = l.bit(l.both(TESSERA_MUTANT(509, "copies of an element act, too", owner,
                                                    static_cast<llvm::Value *>(nullptr)),
                                     l.both(l.present(target, reg), l.inside(target, reg))));
    llvm::Value *expected = compare ? l.b.CreateBitCast(compare->regs[reg], word) : nullptr;
    llvm::Expected<llvm::Value *> before =
        one(address, l.b.CreateBitCast(value.regs[reg], word), expected, acts);
    if (!before) {
      return l.error(op, llvm::toString(before.takeError()));
    }
    old.push_back(l.b.CreateBitCast(*before, element));
  }
  if (order == tile::MemoryOrder::acquire || order == tile::MemoryOrder::acq_rel) {
    l.barrier();
  }
  if (op.getOld()) {
    target.regs = std::move(old);
    // The others hold copies.
    if (TESSERA_MUTANT(510, "only the thread that acts learns the old value", bool(owner), false)) {
      Placing rows = Placing::rows(target.shape);
      Exchange exchange(l, elementsOf(target.shape), element);
      exchange.write(target, rows);
      exchange.ready();
      exchange.read(target, rows);
    }
    l.set(op.getOld(), std::move(target));
  }
  return success();
}

static LogicalResult lowerAtomic(Lowering &l, Operation *op) {
  return Atomic(l, llvm::cast<tile::AtomicOp>(op)).run();
}

LowerOp convert::atomicOp(Operation *op) {
  return llvm::isa<tile::AtomicOp>(op) ? lowerAtomic : nullptr;
}
