// What a declared instruction means, as a function: its body on whole operands in memory. The simulator runs it; PTX does without.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instructions.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::Operation;

namespace {
/// Every element of a value, row by row.
using Elements = llvm::SmallVector<llvm::Value *>;

/// Emits the body for one thread that has all elements. Bodies of instructions have no absence but in what they fill.
class BodyWriter {
public:
  BodyWriter(Lowering &l, const Instr &instr, llvm::Function *function)
      : l(l), instr(instr), function(function) {}
  bool write();

private:
  bool op(Operation &each);
  bool product(tile::MmaOp mma);
  bool renamed(Operation &each);
  int64_t bytesOf(mlir::Type type) { return l.elementBytes(mlir::getElementTypeOrSelf(type)); }
  static int64_t countOf(mlir::Type type) {
    auto tile = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tile ? tile.getNumElements() : 1;
  }
  Elements load(mlir::Type type, unsigned argument);
  void store(const Elements &elements, unsigned argument);

  Lowering &l;
  const Instr &instr;
  llvm::Function *function;
  llvm::DenseMap<mlir::Value, Elements> known;
};
} // namespace

Elements BodyWriter::load(mlir::Type type, unsigned argument) {
  Elements elements;
  llvm::Type *held = l.registerOf(type);
  llvm::Type *stored = held->isIntegerTy(1) ? l.b.getInt8Ty() : held;
  for (int64_t i = 0, count = countOf(type); i < count; ++i) {
    llvm::Value *at =
        l.b.CreateConstGEP1_64(l.b.getInt8Ty(), function->getArg(argument), i * bytesOf(type));
    llvm::Value *value = l.b.CreateAlignedLoad(stored, at, llvm::Align(1));
    elements.push_back(held == stored ? value : l.b.CreateTrunc(value, held));
  }
  return elements;
}

void BodyWriter::store(const Elements &elements, unsigned argument) {
  for (auto [i, value] : llvm::enumerate(elements)) {
    llvm::Value *stored =
        value->getType()->isIntegerTy(1) ? l.b.CreateZExt(value, l.b.getInt8Ty()) : value;
    int64_t bytes = stored->getType()->getPrimitiveSizeInBits() / 8;
    llvm::Value *at =
        l.b.CreateConstGEP1_64(l.b.getInt8Ty(), function->getArg(argument), int64_t(i) * bytes);
    l.b.CreateAlignedStore(stored, at, llvm::Align(1));
  }
}

/// f32 fused sums with k ascending, as the interpreter has them; integers wrap.
bool BodyWriter::product(tile::MmaOp mma) {
  llvm::ArrayRef<int64_t> a = mma.getA().getType().getShape(), b = mma.getB().getType().getShape();
  DType from = dtypeOf(mma.getA().getType().getElementType());
  DType to = dtypeOf(mma.getAcc().getType().getElementType());
  auto wide = [&](llvm::Value *x) {
    return from == to ? x : l.scalars.cast(l.b, x, from, to, Round::rne, Overflow::inf);
  };
  Elements left, right, sums = known[mma.getAcc()];
  for (llvm::Value *x : known[mma.getA()]) {
    left.push_back(wide(x));
  }
  for (llvm::Value *x : known[mma.getB()]) {
    right.push_back(wide(x));
  }
  for (int64_t m = 0; m < a[0]; ++m) {
    for (int64_t n = 0; n < b[1]; ++n) {
      llvm::Value *&sum = sums[m * b[1] + n];
      for (int64_t k = 0; k < a[1]; ++k) {
        llvm::Value *x = left[m * a[1] + k], *y = right[k * b[1] + n];
        sum = sum->getType()->isFloatingPointTy()
                  ? l.b.CreateIntrinsic(llvm::Intrinsic::fma, {sum->getType()}, {x, y, sum})
                  : l.b.CreateAdd(sum, l.b.CreateMul(x, y));
      }
    }
  }
  known[mma.getResult()] = std::move(sums);
  return true;
}

/// Ops that put elements elsewhere.
bool BodyWriter::renamed(Operation &each) {
  mlir::Value x = each.getNumOperands() > 0 ? each.getOperand(0) : mlir::Value();
  if (auto permute = llvm::dyn_cast<tile::PermuteOp>(each)) {
    auto from = llvm::cast<mlir::RankedTensorType>(x.getType()).getShape();
    auto to = permute.getResult().getType().getShape();
    Elements made;
    for (int64_t i = 0, count = countOf(x.getType()); i < count; ++i) {
      SmallVector<int64_t> coords(to.size()), source(to.size());
      int64_t rest = i;
      for (size_t axis = to.size(); axis-- > 0;) {
        coords[axis] = rest % to[axis];
        rest /= to[axis];
      }
      int64_t position = 0;
      for (auto [axis, given] : llvm::enumerate(permute.getPermutation())) {
        source[given] = coords[axis];
      }
      for (auto [axis, extent] : llvm::enumerate(from)) {
        position = position * extent + source[axis];
      }
      made.push_back(known[x][position]);
    }
    known[permute.getResult()] = std::move(made);
    return true;
  }
  if (llvm::isa<tile::ExpandOp, tile::SqueezeOp, tile::ReshapeOp, tile::ConvertOp>(each)) {
    known[each.getResult(0)] = known[x];
    return true;
  }
  if (llvm::isa<tile::SplatOp>(each) ||
      (llvm::isa<tile::BroadcastOp>(each) && known[x].size() == 1)) {
    known[each.getResult(0)] = Elements(countOf(each.getResult(0).getType()), known[x].front());
    return true;
  }
  return false;
}

bool BodyWriter::op(Operation &each) {
  if (auto mma = llvm::dyn_cast<tile::MmaOp>(each)) {
    return product(mma);
  }
  if (auto fill = llvm::dyn_cast<tile::FillAbsentOp>(each)) {
    known[fill.getResult()] = known[fill.getX()]; // the simulator gives absent elements as zeros
    return true;
  }
  if (auto constant = llvm::dyn_cast<tile::ConstantOp>(each)) {
    mlir::Type type = constant.getResult().getType();
    known[constant.getResult()] = Elements(
        countOf(type), l.scalars.constant(constant.getValue(), mlir::getElementTypeOrSelf(type)));
    return true;
  }
  if (renamed(each)) {
    return true;
  }
  if (each.getNumResults() != 1 || each.getNumRegions() > 0) {
    return false;
  }
  Elements made;
  for (int64_t i = 0, count = countOf(each.getResult(0).getType()); i < count; ++i) {
    SmallVector<llvm::Value *> operands;
    for (mlir::Value operand : each.getOperands()) {
      const Elements &given = known[operand];
      if (given.empty()) {
        return false;
      }
      operands.push_back(given[given.size() == 1 ? 0 : i]);
    }
    llvm::Expected<ScalarLowering::Values> value = l.scalars.lower(l.b, &each, operands);
    if (!value) {
      llvm::consumeError(value.takeError());
      return false;
    }
    made.push_back(value->front());
  }
  known[each.getResult(0)] = std::move(made);
  return true;
}

bool BodyWriter::write() {
  mlir::Block &body = instr.op.getBody().front();
  for (mlir::BlockArgument argument : body.getArguments()) {
    known[argument] = load(argument.getType(), argument.getArgNumber());
  }
  for (Operation &each : body.without_terminator()) {
    if (!op(each)) {
      return false;
    }
  }
  unsigned result = 0;
  for (auto [number, operand] : llvm::enumerate(instr.operands)) {
    if (operand.info.get("out") || operand.info.get("inout")) {
      store(known[body.getTerminator()->getOperand(result++)], number);
    }
  }
  return true;
}

std::string convert::bodyOf(Lowering &l, const Instr &instr) {
  std::string name = ("tessera.body." + instr.op.getSymName()).str();
  if (l.module.getFunction(name)) {
    return name;
  }
  llvm::IRBuilder<>::InsertPointGuard guard(l.b);
  llvm::DebugLoc where = l.b.getCurrentDebugLocation();
  llvm::SmallVector<llvm::Type *> types(instr.operands.size(),
                                        llvm::PointerType::get(l.module.getContext(), 0));
  auto *function = llvm::Function::Create(llvm::FunctionType::get(l.b.getVoidTy(), types, false),
                                          llvm::GlobalValue::ExternalLinkage, name, l.module);
  l.b.SetInsertPoint(llvm::BasicBlock::Create(l.module.getContext(), "entry", function));
  l.b.SetCurrentDebugLocation(llvm::DebugLoc());
  bool isWritten = BodyWriter(l, instr, function).write();
  l.b.CreateRetVoid();
  l.b.SetCurrentDebugLocation(where);
  if (!isWritten) {
    function->deleteBody(); // the simulator says that it cannot run the instruction
  }
  return name;
}
