// What a declared instruction means, as a function: its body on whole operands in memory, a loop for each op. The simulator
// runs it; PTX does without.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instructions.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::SmallVector;
using mlir::Operation;

namespace {
/// A value of the body: its elements row by row in memory.
struct Memory {
  llvm::Value *base = nullptr;
  llvm::Type *element = nullptr; ///< as registers hold it
  int64_t count = 1;
};

/// Emits the body for one thread that has all elements. Absent elements come in as zeros.
class BodyWriter {
public:
  BodyWriter(Lowering &l, const Instr &instr, llvm::Function *function)
      : l(l), instr(instr), function(function) {}
  bool write();

private:
  bool op(Operation &each);
  bool product(tile::MmaOp mma);
  bool renamed(Operation &each, llvm::ArrayRef<int64_t> newAxisOf);
  bool reduced(tile::ReduceOp reduce);
  bool elementwise(Operation &each);
  void loop(int64_t count, llvm::function_ref<void(llvm::Value *)> body);
  Memory make(mlir::Type type);
  llvm::Value *temporary(llvm::Type *type, int64_t count);
  llvm::Type *stored(llvm::Type *held) {
    return held->isIntegerTy(1) ? static_cast<llvm::Type *>(l.b.getInt8Ty()) : held;
  }
  llvm::Value *place(const Memory &memory, llvm::Value *index) {
    return l.b.CreateGEP(stored(memory.element), memory.base, index);
  }
  llvm::Value *load(const Memory &memory, llvm::Value *index);
  void store(const Memory &memory, llvm::Value *index, llvm::Value *value);
  void copy(const Memory &from, const Memory &to);
  static int64_t countOf(mlir::Type type) {
    auto tile = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tile ? tile.getNumElements() : 1;
  }

  Lowering &l;
  const Instr &instr;
  llvm::Function *function;
  llvm::DenseMap<mlir::Value, Memory> known;
  bool isGood = true;
};
} // namespace

void BodyWriter::loop(int64_t count, llvm::function_ref<void(llvm::Value *)> body) {
  llvm::LLVMContext &context = l.module.getContext();
  llvm::BasicBlock *before = l.b.GetInsertBlock();
  auto *inside = llvm::BasicBlock::Create(context, "each", function);
  auto *after = llvm::BasicBlock::Create(context, "done", function);
  l.b.CreateBr(inside);
  l.b.SetInsertPoint(inside);
  llvm::PHINode *index = l.b.CreatePHI(l.b.getInt64Ty(), 2);
  index->addIncoming(l.i64(0), before);
  body(index);
  llvm::Value *next = l.b.CreateAdd(index, l.i64(1));
  index->addIncoming(next, l.b.GetInsertBlock());
  l.b.CreateCondBr(l.b.CreateICmpULT(next, l.i64(count)), inside, after);
  l.b.SetInsertPoint(after);
}

Memory BodyWriter::make(mlir::Type type) {
  Memory memory;
  memory.element = l.registerOf(type);
  memory.count = countOf(type);
  memory.base = temporary(stored(memory.element), memory.count);
  return memory;
}

llvm::Value *BodyWriter::temporary(llvm::Type *type, int64_t count) {
  llvm::BasicBlock &entry = function->getEntryBlock();
  llvm::IRBuilder<> first(&entry, entry.begin());
  return first.CreateAlloca(llvm::ArrayType::get(type, uint64_t(count)));
}

llvm::Value *BodyWriter::load(const Memory &memory, llvm::Value *index) {
  llvm::Type *type = stored(memory.element);
  llvm::Value *value = l.b.CreateAlignedLoad(type, place(memory, index), llvm::Align(1));
  return type == memory.element ? value : l.b.CreateTrunc(value, memory.element);
}

void BodyWriter::store(const Memory &memory, llvm::Value *index, llvm::Value *value) {
  llvm::Type *type = stored(memory.element);
  l.b.CreateAlignedStore(type == memory.element ? value : l.b.CreateZExt(value, type),
                         place(memory, index), llvm::Align(1));
}

void BodyWriter::copy(const Memory &from, const Memory &to) {
  loop(to.count, [&](llvm::Value *i) { store(to, i, load(from, from.count == 1 ? l.i64(0) : i)); });
}

/// Fused sums with k ascending, as the interpreter has them; integers wrap.
bool BodyWriter::product(tile::MmaOp mma) {
  int64_t rows = mma.getA().getType().getShape()[0], depth = mma.getA().getType().getShape()[1];
  int64_t columns = mma.getB().getType().getShape()[1];
  DType from = dtypeOf(mma.getA().getType().getElementType());
  DType to = dtypeOf(mma.getAcc().getType().getElementType());
  const Memory a = known[mma.getA()], b = known[mma.getB()], c = known[mma.getAcc()];
  Memory sums = make(mma.getResult().getType());
  copy(c, sums);
  auto wide = [&](llvm::Value *x) {
    return from == to ? x : l.scalars.cast(l.b, x, from, to, Round::rne, Overflow::inf);
  };
  loop(rows, [&](llvm::Value *m) {
    loop(columns, [&](llvm::Value *n) {
      llvm::Value *at = l.b.CreateAdd(l.b.CreateMul(m, l.i64(columns)), n);
      loop(depth, [&](llvm::Value *k) {
        llvm::Value *x = wide(load(a, l.b.CreateAdd(l.b.CreateMul(m, l.i64(depth)), k)));
        llvm::Value *y = wide(load(b, l.b.CreateAdd(l.b.CreateMul(k, l.i64(columns)), n)));
        llvm::Value *sum = load(sums, at);
        store(sums, at,
              sum->getType()->isFloatingPointTy()
                  ? l.b.CreateIntrinsic(llvm::Intrinsic::fma, {sum->getType()}, {x, y, sum})
                  : l.b.CreateAdd(sum, l.b.CreateMul(x, y)));
      });
    });
  });
  known[mma.getResult()] = sums;
  return true;
}

static SmallVector<int64_t> stridesOf(llvm::ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * shape[axis];
  }
  return strides;
}

/// Axes under other numbers, or repeated.
bool BodyWriter::renamed(Operation &each, llvm::ArrayRef<int64_t> newAxisOf) {
  const Memory from = known[each.getOperand(0)];
  Memory made = make(each.getResult(0).getType());
  llvm::ArrayRef<int64_t> shape = tile::shapeOf(each.getResult(0).getType());
  SmallVector<int64_t> strides = stridesOf(tile::shapeOf(each.getOperand(0).getType()));
  loop(made.count, [&](llvm::Value *i) {
    llvm::Value *rest = i, *source = l.i64(0);
    for (size_t axis = shape.size(); axis-- > 0;) {
      llvm::Value *at = l.b.CreateURem(rest, l.i64(shape[axis]));
      rest = l.b.CreateUDiv(rest, l.i64(shape[axis]));
      for (auto [given, to] : llvm::enumerate(newAxisOf)) {
        if (to == int64_t(axis)) {
          source = l.b.CreateAdd(source, l.b.CreateMul(at, l.i64(strides[given])));
        }
      }
    }
    store(made, i, load(from, source));
  });
  known[each.getResult(0)] = made;
  return true;
}

/// Halves are combined, from the greatest power of two down: the tree, which is one of the orders of all others.
bool BodyWriter::reduced(tile::ReduceOp reduce) {
  auto kind = static_cast<ReduceKind>(reduce.getKind());
  DType from = dtypeOf(mlir::getElementTypeOrSelf(reduce.getX().getType()));
  DType to = dtypeOf(mlir::getElementTypeOrSelf(reduce.getResult().getType()));
  llvm::Expected<llvm::Constant *> identity = l.scalars.identity(kind, to);
  if (!identity) {
    llvm::consumeError(identity.takeError());
    return false;
  }
  llvm::ArrayRef<int64_t> shape = reduce.getX().getType().getShape();
  int64_t extent = shape[reduce.getAxis()], inner = stridesOf(shape)[reduce.getAxis()];
  const Memory x = known[reduce.getX()];
  Memory made = make(reduce.getResult().getType()), terms = made;
  int64_t whole = int64_t(llvm::PowerOf2Ceil(uint64_t(extent)));
  terms.base = temporary(stored(made.element), whole);
  loop(made.count, [&](llvm::Value *at) {
    llvm::Value *outer = l.b.CreateUDiv(at, l.i64(inner));
    llvm::Value *first = l.b.CreateAdd(l.b.CreateMul(outer, l.i64(extent * inner)),
                                       l.b.CreateURem(at, l.i64(inner)));
    loop(whole, [&](llvm::Value *i) { store(terms, i, *identity); });
    loop(extent, [&](llvm::Value *i) {
      llvm::Value *term = load(x, l.b.CreateAdd(first, l.b.CreateMul(i, l.i64(inner))));
      term = from == to ? term : l.scalars.cast(l.b, term, from, to, Round::rne, Overflow::inf);
      store(terms, i, l.scalars.prepare(l.b, kind, to, term));
    });
    for (int64_t half = whole / 2; half >= 1; half /= 2) {
      loop(half, [&](llvm::Value *i) {
        llvm::Expected<llvm::Value *> both = l.scalars.combine(
            l.b, kind, to, load(terms, i), load(terms, l.b.CreateAdd(i, l.i64(half))));
        isGood &= bool(both);
        if (both) {
          store(terms, i, *both);
        } else {
          llvm::consumeError(both.takeError());
        }
      });
    }
    store(made, at, l.scalars.finish(l.b, kind, to, load(terms, l.i64(0))));
  });
  known[reduce.getResult()] = made;
  return isGood;
}

bool BodyWriter::elementwise(Operation &each) {
  if (each.getNumResults() != 1 || each.getNumRegions() > 0) {
    return false;
  }
  Memory made = make(each.getResult(0).getType());
  loop(made.count, [&](llvm::Value *i) {
    SmallVector<llvm::Value *> operands;
    for (mlir::Value operand : each.getOperands()) {
      const Memory &given = known[operand];
      operands.push_back(load(given, given.count == 1 ? l.i64(0) : i));
    }
    llvm::Expected<ScalarLowering::Values> value = l.scalars.lower(l.b, &each, operands);
    if (!value) {
      llvm::consumeError(value.takeError());
      isGood = false;
      return;
    }
    store(made, i, value->front());
  });
  known[each.getResult(0)] = made;
  return isGood;
}

bool BodyWriter::op(Operation &each) {
  for (mlir::Value operand : each.getOperands()) {
    if (!known.count(operand)) {
      return false;
    }
  }
  if (auto mma = llvm::dyn_cast<tile::MmaOp>(each)) {
    return product(mma);
  }
  if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(each)) {
    return reduced(reduce);
  }
  if (auto constant = llvm::dyn_cast<tile::ConstantOp>(each)) {
    mlir::Type type = constant.getResult().getType();
    Memory made = make(type);
    llvm::Value *value = l.scalars.constant(constant.getValue(), mlir::getElementTypeOrSelf(type));
    loop(made.count, [&](llvm::Value *i) { store(made, i, value); });
    known[constant.getResult()] = made;
    return value != nullptr;
  }
  if (llvm::isa<tile::FillAbsentOp, tile::ExpandOp, tile::SqueezeOp, tile::ReshapeOp,
                tile::ConvertOp>(each)) {
    known[each.getResult(0)] = known[each.getOperand(0)];
    return true;
  }
  bool isOne = each.getNumOperands() == 1 && known[each.getOperand(0)].count == 1;
  if (llvm::isa<tile::SplatOp>(each) || (llvm::isa<tile::BroadcastOp>(each) && isOne)) {
    Memory made = make(each.getResult(0).getType());
    copy(known[each.getOperand(0)], made);
    known[each.getResult(0)] = made;
    return true;
  }
  if (auto axes = schedule::renamedAxes(&each)) {
    return renamed(each, *axes);
  }
  return elementwise(each);
}

bool BodyWriter::write() {
  mlir::Block &body = instr.op.getBody().front();
  for (mlir::BlockArgument argument : body.getArguments()) {
    known[argument] = {function->getArg(argument.getArgNumber()), l.registerOf(argument.getType()),
                       countOf(argument.getType())};
  }
  for (Operation &each : body.without_terminator()) {
    if (!op(each)) {
      return false;
    }
  }
  unsigned result = 0;
  for (auto [number, operand] : llvm::enumerate(instr.operands)) {
    if (operand.info.get("out") || operand.info.get("inout")) {
      copy(known[body.getTerminator()->getOperand(result++)],
           known[body.getArgument(unsigned(number))]);
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
  llvm::SmallVector<llvm::Type *> types(instr.operands.size(),
                                        llvm::PointerType::get(l.module.getContext(), 0));
  auto *function = llvm::Function::Create(llvm::FunctionType::get(l.b.getVoidTy(), types, false),
                                          llvm::GlobalValue::ExternalLinkage, name, l.module);
  function->addFnAttr(llvm::Attribute::NoInline);
  l.b.SetInsertPoint(llvm::BasicBlock::Create(l.module.getContext(), "entry", function));
  llvm::DebugLoc where = l.b.getCurrentDebugLocation();
  l.b.SetCurrentDebugLocation(llvm::DebugLoc());
  bool isWritten = BodyWriter(l, instr, function).write();
  l.b.CreateRetVoid();
  l.b.SetCurrentDebugLocation(where);
  if (!isWritten) {
    function->deleteBody(); // the simulator says that it cannot run the instruction
  }
  return name;
}
