// Elements that may be loaded a second time instead of being held: what rarely runs then costs no registers where it does not.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoadedAgain.h"

#include "tessera/Device/Markers.h"
#include "tessera/Device/ReadOnly.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/PatternMatch.h"

using namespace tessera;
using namespace tessera::convert;
using namespace llvm::PatternMatch;

namespace {
/// Where an element of two bytes lies.
struct Place {
  llvm::Value *pointer;
  int64_t bytes;
};
} // namespace

/// The load that a half is of, whole words of it first.
static std::optional<Place> placeOf(llvm::Value *half) {
  llvm::Value *word = half, *inner = nullptr;
  uint64_t bits = 0, index = 0;
  int64_t bytes = 0;
  if (match(half, m_Trunc(m_LShr(m_Value(inner), m_ConstantInt(bits))))) {
    word = inner;
    bytes = int64_t(bits / 8);
  } else if (match(half, m_Trunc(m_Value(inner)))) {
    word = inner;
  }
  if (match(word, m_ExtractElt(m_Value(inner), m_ConstantInt(index)))) {
    bytes += int64_t(index) * word->getType()->getScalarSizeInBits() / 8;
    word = inner;
  }
  auto *call = llvm::dyn_cast<llvm::CallInst>(word);
  std::optional<llvm::StringRef> name = call ? device::markerName(*call) : std::nullopt;
  if (!name || !name->starts_with("ld.global.")) {
    return std::nullopt;
  }
  auto *offset = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(1));
  bool isPlain = offset && match(call->getArgOperand(2), m_One()) &&
                 TESSERA_MUTANT(569, "what is written is loaded again",
                                device::isReadOnly(call->getArgOperand(0)), true);
  return isPlain ? std::optional<Place>({call->getArgOperand(0), offset->getSExtValue() + bytes})
                 : std::nullopt;
}

std::function<llvm::Value *(llvm::Value *)>
convert::loadedAgain(Lowering &l, llvm::ArrayRef<llvm::Value *> regs) {
  if (!llvm::isPowerOf2_64(regs.size()) || !regs.front()->getType()->isIntegerTy(16)) {
    return nullptr;
  }
  llvm::SmallVector<Place> places;
  for (llvm::Value *reg : regs) {
    std::optional<Place> place = placeOf(reg);
    if (!place || (!places.empty() && place->pointer != places.front().pointer)) {
      return nullptr;
    }
    places.push_back(*place);
  }
  Place first = places.front();
  llvm::SmallVector<int64_t> steps; // of each bit
  for (size_t bit = 1; bit < regs.size(); bit *= 2) {
    steps.push_back(places[bit].bytes - first.bytes);
  }
  for (auto [number, place] : llvm::enumerate(places)) {
    int64_t bytes = first.bytes;
    for (auto [bit, step] : llvm::enumerate(steps)) {
      bytes += (number >> bit & 1) != 0 ? step : 0;
    }
    if (bytes != place.bytes) {
      return nullptr;
    }
  }
  return [&l, first, steps](llvm::Value *number) {
    llvm::IRBuilderBase &b = l.b;
    llvm::Value *bytes = b.getInt32(uint32_t(first.bytes));
    for (auto [bit, step] : llvm::enumerate(steps)) {
      uint64_t place = TESSERA_MUTANT(570, "every other element is loaded again", bit, 0);
      llvm::Value *one = b.CreateAnd(b.CreateLShr(number, place), 1);
      bytes = b.CreateAdd(bytes, b.CreateMul(one, b.getInt32(uint32_t(step))));
    }
    llvm::Value *pointer =
        b.CreateGEP(b.getInt8Ty(), first.pointer, b.CreateSExt(bytes, b.getInt64Ty()));
    return l.marker("ld.global.i16", b.getInt16Ty(),
                    {pointer, l.i64(0), b.getTrue(), b.getInt16(0)});
  };
}
