// Reductions over warps: all bits of a run in one exchange through shared memory, two barriers.
//
// Every warp writes its partial results; each reads what the warps of its run have of a partial result and combines
// them in the order of the bits. A thread that holds several partial results keeps a part of them for itself
// (they are shared out over the warps as lanes do it), and the bits that were shared out are combined over warps
// in their turn.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Accesses.h"
#include "Reducer.h"

#include "tessera/Support/Mutants.h"

#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Value;
using tile::Place;

//===- states in scratch memory -------------------------------------------===//

// State by state, value by value, thread by thread.
WarpExchange::WarpExchange(Lowering &l, const State &like, size_t count) : l(l) {
  for (Value *value : like) {
    int64_t bytes = std::max<int64_t>(value->getType()->getPrimitiveSizeInBits() / 8, 1);
    types.push_back(value->getType());
    sizes.push_back(bytes);
    offsets.push_back(stateBytes);
    stateBytes += bytes * 32 * l.warps; // keeps every alignment
  }
  if (TESSERA_MUTANT(468, "sums of warps overwrite those before", true, false)) {
    l.barrier();
  }
  base = l.scratch(stateBytes * int64_t(count));
}

Value *WarpExchange::at(size_t value, Value *warp, Value *more) {
  Value *thread = l.b.CreateAdd(l.b.CreateMul(warp, l.i32(32)), l.lane());
  Value *bytes = l.b.CreateMul(thread, l.i32(sizes[value]));
  if (more) {
    bytes = l.b.CreateAdd(bytes, l.b.CreateMul(more, l.i32(stateBytes)));
  }
  return l.b.CreateGEP(l.b.getInt8Ty(), base, l.b.CreateZExt(bytes, l.b.getInt64Ty()));
}

void WarpExchange::write(size_t index, const State &state) {
  for (auto [i, value] : llvm::enumerate(state)) {
    Value *packed = l.pack({value});
    l.access = noteThreads(l, "write to", sizes[i], /*isWrite=*/true);
    l.marker("st.shared." + device::accessName(packed->getType()), l.b.getVoidTy(),
             {at(i, l.warp(), nullptr), l.i64(int64_t(index) * stateBytes + offsets[i]), packed,
              l.b.getTrue()});
  }
}

void WarpExchange::ready() {
  if (TESSERA_MUTANT(469, "sums of warps are read before they are there", true, false)) {
    l.barrier();
  }
}

State WarpExchange::read(Value *warp, size_t index, Value *more) {
  State state;
  for (size_t i = 0; i < types.size(); ++i) {
    llvm::Type *type = device::accessType(l.module, unsigned(sizes[i]));
    l.access = noteThreads(l, "read of", sizes[i], /*isWrite=*/false);
    Value *read = l.marker("ld.shared." + device::accessName(type), type,
                           {at(i, warp, more), l.i64(int64_t(index) * stateBytes + offsets[i]),
                            l.b.getTrue(), llvm::Constant::getNullValue(type)});
    state.push_back(l.unpack(read, types[i], 1).front());
  }
  return state;
}

//===- bits of the warp's number ------------------------------------------===//

size_t Reducer::runOfWarps(size_t first, llvm::SmallVectorImpl<int64_t> &masks) const {
  bool isOwn = bits[first].place == Place::warp;
  size_t i = first;
  for (; i < bits.size(); ++i) {
    auto got = sharedOutWarps.find(bits[i].value);
    if (isOwn ? bits[i].place != Place::warp
              : bits[i].place != Place::reg || got == sharedOutWarps.end()) {
      break;
    }
    masks.push_back(isOwn ? bits[i].mask : got->second);
  }
  return i - first;
}

llvm::Error Reducer::overWarps(Partials &partials, ArrayRef<int64_t> masks, bool sharesOut) {
  // Warps beyond those that the distribution counts hold copies: each takes what the warp takes that it is a copy of.
  Value *number = l.warp();
  if (int64_t counted = x.dist.size(Place::warp); counted < l.warps) {
    number = l.b.CreateURem(number, l.i32(counted));
  }
  WarpExchange exchange(l, partials.begin()->second, partials.size());
  for (auto [index, partial] : llvm::enumerate(partials)) {
    exchange.write(index, partial.second);
  }
  exchange.ready();

  // What this warp keeps: of the first bits of the run each takes one of the highest bits of the partial results, which come
  // in the order of their positions.
  size_t kept = partials.size();
  Value *more = l.i32(0);
  for (size_t i = 0; sharesOut && i < masks.size() && kept > 1; ++i) {
    int64_t top = topBit(partials);
    if (top == 0) {
      break;
    }
    kept /= 2;
    Value *isHigh = l.b.CreateICmpNE(l.b.CreateAnd(number, l.i32(masks[i])), l.i32(0));
    more = l.b.CreateAdd(more, l.b.CreateSelect(isHigh, l.i32(int64_t(kept)), l.i32(0)));
    for (auto it = partials.begin(); it != partials.end();) {
      it = it->first & top ? partials.erase(it) : std::next(it);
    }
    sharedOutWarps[top] = masks[i];
  }

  int64_t all = 0;
  for (int64_t mask : masks) {
    all |= mask;
  }
  Value *first = l.b.CreateAnd(number, l.i32(~all));
  for (auto [index, partial] : llvm::enumerate(partials)) {
    // By the bits of the run, the first of them the highest of the place in the list.
    std::vector<State> states;
    for (size_t k = 0; k < size_t(1) << masks.size(); ++k) {
      int64_t warp = 0;
      for (auto [i, mask] : llvm::enumerate(masks)) {
        warp |= k >> (masks.size() - 1 - i) & 1 ? mask : 0;
      }
      states.push_back(exchange.read(l.b.CreateOr(first, l.i32(warp)), index, more));
    }
    for (size_t half = states.size() / 2; half > 0; half /= 2) {
      for (size_t k = 0; k < half; ++k) {
        llvm::Expected<State> sum = combine(states[k], states[k + half]);
        if (!sum) {
          return sum.takeError();
        }
        states[k] = std::move(*sum);
      }
    }
    partial.second = std::move(states.front());
  }
  return llvm::Error::success();
}
