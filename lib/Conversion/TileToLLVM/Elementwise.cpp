// Elementwise ops, register by register; absence is the union of the operands' factors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Boxes.h"
#include "Chains.h"

#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::convert;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

void convert::addFactors(llvm::SmallVectorImpl<Factor> &factors, llvm::ArrayRef<Factor> more) {
  for (const Factor &factor : more) {
    bool isKnown = llvm::any_of(factors, [&](const Factor &other) {
      return other.axes == factor.axes && other.count == factor.count &&
             other.bits == factor.bits && other.dist == factor.dist;
    });
    if (!isKnown) {
      factors.push_back(factor);
    }
  }
}

LogicalResult convert::lowerElementwise(Lowering &l, Operation *op) {
  if (auto done = lowerChain(l, op)) {
    return *done;
  }
  std::vector<TileValue> results;
  for (mlir::Value result : op->getResults()) {
    results.push_back(l.emptyFor(result));
  }
  for (mlir::Value operand : op->getOperands()) {
    const TileValue &given = l.tile(operand);
    if (!given.shape.empty() && given.dist != results.front().dist) {
      return l.error(op, "an operand is held as <" + given.dist.text() + ">, the result as <" +
                             results.front().dist.text() + ">: run layout assignment before this");
    }
    for (TileValue &result : results) {
      addFactors(result.factors, given.factors);
    }
  }
  int64_t regs = results.front().dist.regs();
  std::vector<ScalarLowering::Values> operands(regs);
  for (int64_t reg = 0; reg < regs; ++reg) {
    for (mlir::Value operand : op->getOperands()) {
      const TileValue &given = l.tile(operand);
      operands[reg].push_back(given.regs[given.shape.empty() ? 0 : reg]);
    }
  }
  auto made = l.scalars.lowerAll(l.b, op, operands);
  if (!made) {
    return l.error(op, llvm::toString(made.takeError()));
  }
  for (const ScalarLowering::Values &values : *made) {
    for (auto [result, value] : llvm::zip(results, values)) {
      result.regs.push_back(value);
    }
  }
  for (auto [value, result] : llvm::zip(op->getResults(), results)) {
    l.set(value, std::move(result));
  }
  return success();
}

//===- elements of registers side by side ---------------------------------===//

int64_t Lowering::elementBytes(mlir::Type type) const {
  return std::max<int64_t>(type.getIntOrFloatBitWidth() / 8, 1);
}

/// Two conversions to 16 or 8 bits that stand side by side are one instruction.
static llvm::Value *packedConversion(Lowering &l, llvm::Value *low, llvm::Value *high) {
  auto *a = llvm::dyn_cast<llvm::CallInst>(low), *c = llvm::dyn_cast<llvm::CallInst>(high);
  if (!a || !c || a->getCalledFunction() != c->getCalledFunction()) {
    return nullptr;
  }
  std::optional<llvm::StringRef> name = device::markerName(*a);
  if (!name) {
    return nullptr;
  }
  auto make = [&](llvm::StringRef pack, unsigned bits) {
    return l.marker(pack, l.b.getIntNTy(bits), {a->getArgOperand(0), c->getArgOperand(0)});
  };
  if (*name == "cvt.rn.bf16.f32") {
    return make("pack.rn.bf16x2", 32);
  }
  if (*name == "cvt.rn.f16.f32") {
    return make("pack.rn.f16x2", 32);
  }
  if (*name == "cvt.rn.e4m3.f32.sat") {
    return make("pack.rn.e4m3x2", 16);
  }
  if (*name == "cvt.rn.e5m2.f32.sat") {
    return make("pack.rn.e5m2x2", 16);
  }
  return nullptr;
}

/// The value of the same bits that a cast was made from.
static llvm::Value *beforeCast(llvm::Value *value) {
  auto *cast = llvm::dyn_cast<llvm::BitCastInst>(value);
  return cast ? cast->getOperand(0) : value;
}

/// The word that `unpack` took all these elements from, in this order. Most fragments are what an instruction gave: finding
/// that here is cheaper than leaving thousands of shifts to the optimiser.
static llvm::Value *wordBefore(llvm::ArrayRef<llvm::Value *> elements) {
  llvm::Value *whole = nullptr;
  uint64_t bits = elements.front()->getType()->getPrimitiveSizeInBits(), place = 0;
  if (bits < 8) {
    return nullptr; // single bits lie in bytes
  }
  for (llvm::Value *element : elements) {
    auto *cut = llvm::dyn_cast<llvm::TruncInst>(beforeCast(element));
    llvm::Value *from = cut ? cut->getOperand(0) : nullptr;
    auto *moved = llvm::dyn_cast_or_null<llvm::BinaryOperator>(from);
    uint64_t distance = 0;
    if (place != 0 && moved && moved->getOpcode() == llvm::Instruction::LShr) {
      auto *by = llvm::dyn_cast<llvm::ConstantInt>(moved->getOperand(1));
      distance = by ? by->getZExtValue() : 0;
      from = moved->getOperand(0);
    }
    if (!from || distance != place || (whole && whole != from)) {
      return nullptr;
    }
    whole = from;
    place += bits;
  }
  return whole->getType()->getPrimitiveSizeInBits() == place ? whole : nullptr;
}

/// The vector that these are all words of, in order.
static llvm::Value *vectorBefore(llvm::ArrayRef<llvm::Value *> words, llvm::Type *type) {
  llvm::Value *whole = nullptr;
  for (auto [i, word] : llvm::enumerate(words)) {
    auto *taken = llvm::dyn_cast<llvm::ExtractElementInst>(word);
    auto *index = taken ? llvm::dyn_cast<llvm::ConstantInt>(taken->getIndexOperand()) : nullptr;
    llvm::Value *from = index && index->getZExtValue() == i ? taken->getVectorOperand() : nullptr;
    if (!from || (whole && whole != from)) {
      return nullptr;
    }
    whole = from;
  }
  return whole && whole->getType() == type ? whole : nullptr;
}

llvm::Value *Lowering::vectorOf(llvm::ArrayRef<llvm::Value *> words) {
  llvm::Type *type = llvm::FixedVectorType::get(b.getInt32Ty(), words.size());
  if (llvm::Value *whole = vectorBefore(words, type)) {
    return whole;
  }
  llvm::Value *all = llvm::PoisonValue::get(type);
  for (auto [i, word] : llvm::enumerate(words)) {
    all = b.CreateInsertElement(all, word, i);
  }
  return all;
}

/// An integer with the elements from the low end; a power of two of them, at most 8 bytes.
static llvm::Value *joined(Lowering &l, llvm::ArrayRef<llvm::Value *> elements) {
  if (elements.size() == 1) {
    llvm::Value *one = beforeCast(elements.front());
    if (one->getType()->isIntegerTy() && !one->getType()->isIntegerTy(1)) {
      return one;
    }
    one = elements.front();
    if (one->getType()->isIntegerTy(1)) {
      return l.b.CreateZExt(one, l.b.getInt8Ty());
    }
    unsigned bits = one->getType()->getPrimitiveSizeInBits();
    return l.b.CreateBitCast(one, l.b.getIntNTy(bits));
  }
  if (llvm::Value *whole = wordBefore(elements)) {
    return whole;
  }
  if (elements.size() == 2) {
    if (llvm::Value *packed = packedConversion(l, elements[0], elements[1])) {
      return packed;
    }
  }
  size_t half = elements.size() / 2;
  llvm::Value *low = joined(l, elements.take_front(half));
  llvm::Value *high = joined(l, elements.drop_front(half));
  unsigned bits = low->getType()->getIntegerBitWidth();
  llvm::Type *wide = l.b.getIntNTy(2 * bits);
  high = l.b.CreateShl(l.b.CreateZExt(high, wide), bits);
  return l.b.CreateOr(l.b.CreateZExt(low, wide), high);
}

llvm::Value *Lowering::pack(llvm::ArrayRef<llvm::Value *> elements) {
  int64_t bits = std::max<int64_t>(elements.front()->getType()->getPrimitiveSizeInBits(), 8);
  int64_t bytes = bits / 8 * int64_t(elements.size());
  if (bytes <= 4) {
    return joined(*this, elements);
  }
  // Words of 32 bits; elements of 64 bits are two.
  if (bits == 64) {
    llvm::Value *packed = llvm::PoisonValue::get(device::accessType(module, bytes));
    for (auto [i, element] : llvm::enumerate(elements)) {
      llvm::Value *word = b.CreateBitCast(element, b.getInt64Ty());
      packed = b.CreateInsertElement(packed, b.CreateTrunc(word, b.getInt32Ty()), 2 * i);
      packed = b.CreateInsertElement(packed, b.CreateTrunc(b.CreateLShr(word, 32), b.getInt32Ty()),
                                     2 * i + 1);
    }
    return packed;
  }
  size_t perWord = 32 / bits;
  llvm::SmallVector<llvm::Value *, 4> words;
  for (size_t first = 0; first < elements.size(); first += perWord) {
    words.push_back(joined(*this, elements.slice(first, perWord)));
  }
  return vectorOf(words);
}

Registers Lowering::unpack(llvm::Value *packed, llvm::Type *element, unsigned count) {
  Registers elements;
  int64_t bits = std::max<int64_t>(element->getPrimitiveSizeInBits(), 8);
  auto finish = [&](llvm::Value *raw) {
    return element->isIntegerTy(1) ? b.CreateTrunc(raw, element) : b.CreateBitCast(raw, element);
  };
  // Each word is taken once: elements of one are known by it when they are packed again.
  llvm::SmallVector<llvm::Value *, 4> words;
  auto word = [&](unsigned index) {
    if (!packed->getType()->isVectorTy()) {
      return packed;
    }
    words.resize(std::max<size_t>(words.size(), index + 1), nullptr);
    if (!words[index]) {
      words[index] = b.CreateExtractElement(packed, index);
    }
    return words[index];
  };
  llvm::Value *from = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    if (bits == 64) {
      llvm::Value *low = b.CreateZExt(word(2 * i), b.getInt64Ty());
      llvm::Value *high = b.CreateZExt(word(2 * i + 1), b.getInt64Ty());
      elements.push_back(finish(b.CreateOr(low, b.CreateShl(high, 32))));
      continue;
    }
    unsigned perWord = packed->getType()->isVectorTy() ? 32 / bits : count;
    from = i % perWord == 0 ? word(i / perWord) : from;
    unsigned shift = i % perWord * bits;
    llvm::Value *moved = shift == 0 ? from : b.CreateLShr(from, shift);
    elements.push_back(finish(b.CreateTrunc(moved, b.getIntNTy(bits))));
  }
  return elements;
}
