// Addresses in shared memory.
//
// Layouts without XOR add up: the thread's part is computed once, a register's part is an immediate. Layouts with XOR over
// powers of two are linear over single bits: the thread's part is one word made of bits of its number, a register's part is
// XORed in where the two may meet and is an immediate where they cannot. Everything else is evaluated digit by digit.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bufs.h"

#include "tessera/Schedule/Assign.h"
#include "tessera/Support/Mutants.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::SmallVector;
using tile::DistMode;
using tile::Place;

int64_t convert::offsetIn(const BufValue &buf, ArrayRef<int64_t> coords) {
  if (buf.layout) {
    return buf.layout->evaluate(coords)[0];
  }
  int64_t offset = 0;
  for (auto [at, extent] : llvm::zip(coords, buf.type.getShape())) {
    offset = offset * extent + at;
  }
  return offset;
}

static bool hasXor(const BufValue &buf) {
  if (!buf.layout) {
    return false;
  }
  for (const InDim &in : buf.layout->ins()) {
    for (const Mode &mode : in.modes) {
      if (mode.strides.front().isXor) {
        return true;
      }
    }
  }
  return false;
}

/// A mode that takes each bit of its digit to bits of its own; one bit that is XORed in may be any number.
static bool isBitwise(const Mode &mode) {
  uint64_t stride = uint64_t(mode.strides.front().value);
  bool isOneBit = mode.extent == 2 && mode.strides.front().isXor;
  return llvm::isPowerOf2_64(mode.extent) && (isOneBit || llvm::isPowerOf2_64(stride));
}

/// Offsets are linear over the bits of coordinates: all extents and strides are powers of two.
static bool isBitwise(const BufValue &buf) {
  return llvm::all_of(buf.type.getShape(), [](int64_t n) { return llvm::isPowerOf2_64(n); }) &&
         llvm::all_of(buf.layout->ins(), [](const InDim &in) {
           return llvm::all_of(in.modes, [](const Mode &mode) { return isBitwise(mode); });
         });
}

/// The element begins at a multiple of `step`, and the `run - 1` behind it along the axis follow it.
static bool isRun(const BufValue &buf, Coords coords, unsigned along, int64_t run, int64_t step) {
  int64_t first = offsetIn(buf, coords);
  bool isKept = first % step == 0;
  for (int64_t i = 1; i < run && isKept; ++i) {
    ++coords[along];
    isKept = offsetIn(buf, coords) == first + i;
  }
  return isKept;
}

bool convert::keepsRuns(const BufValue &buf, unsigned along, int64_t run, int64_t step) {
  ArrayRef<int64_t> shape = buf.type.getShape();
  // Where bits go to bits, coordinates of one bit stand for all: what they have zero below a run, their sums have.
  bool isLinear =
      buf.layout && isBitwise(buf) && llvm::isPowerOf2_64(run) && llvm::isPowerOf2_64(step);
  int64_t all = 1;
  for (int64_t extent : shape) {
    all *= extent;
  }
  for (int64_t number = 0; number < all;
       number = isLinear && number > 0 ? 2 * number : number + 1) {
    Coords coords(shape.size(), 0);
    int64_t rest = number;
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) {
      coords[axis] = rest % shape[axis];
    }
    bool isStart = coords[along] % run == 0 && coords[along] + run <= shape[along];
    if (isStart && !isRun(buf, coords, along, run, step)) {
      return false;
    }
  }
  return true;
}

int64_t convert::vectorIn(const BufValue &buf) {
  int64_t bytes = std::max<int64_t>(buf.type.getElementType().getIntOrFloatBitWidth() / 8, 1);
  ArrayRef<int64_t> shape = buf.type.getShape();
  int64_t last = shape.back(), width = std::min<int64_t>(16 / bytes, last & -last);
  if (!buf.layout) {
    return width;
  }
  // Every vector of every row; where bits go to bits, those at powers of two stand for all.
  bool isLinear = isBitwise(buf);
  auto next = [&](int64_t at, int64_t step) { return isLinear && at > 0 ? 2 * at : at + step; };
  for (; width > 1; width /= 2) {
    bool fits = true;
    Coords coords(shape.size(), 0);
    auto row = [&] {
      for (int64_t at = 0; at < last && fits; at = next(at, width)) {
        coords.back() = at;
        fits = isRun(buf, coords, coords.size() - 1, width, width);
      }
    };
    row();
    for (size_t axis = 0; axis + 1 < shape.size(); ++axis) {
      for (int64_t at = 1; at < shape[axis] && fits; at = next(at, 1)) {
        coords[axis] = at;
        row();
      }
      coords[axis] = 0;
    }
    if (fits) {
      return width;
    }
  }
  return 1;
}

bool convert::isFilledBuf(mlir::Value buf) {
  return llvm::none_of(buf.getUsers(), [](mlir::Operation *user) {
    auto copy = llvm::dyn_cast<tile::CopyOp>(user);
    return llvm::isa<tile::WriteOp>(user) || (copy && copy.getFill() != tile::Fill::zero);
  });
}

bool convert::isReadWhole(mlir::Value buf) {
  return llvm::any_of(buf.getUsers(), [](mlir::Operation *user) {
    auto apply = user->getParentOfType<tile::ApplyOp>();
    return llvm::isa<tile::ReadOp>(user) && apply &&
           schedule::instrOf(apply).getScope() != tile::ExecScope::thread;
  });
}

bool convert::isWrittenWhole(mlir::Value buf) {
  auto writers = llvm::make_filter_range(buf.getUsers(), [](mlir::Operation *user) {
    return llvm::isa<tile::WriteOp, tile::CopyOp>(user);
  });
  return llvm::hasSingleElement(writers) && llvm::isa<tile::WriteOp>(*writers.begin()) &&
         isReadWhole(buf);
}

SmallVector<llvm::Value *, 4> convert::threadOf(Lowering &l, const Dist &dist, unsigned rank) {
  SmallVector<llvm::Value *, 4> coords;
  for (unsigned axis = 0; axis < rank; ++axis) {
    coords.push_back(l.threadCoord(dist, axis));
  }
  return coords;
}

/// Offsets are bitwise, and no two modes of registers and threads meet in a bit of a coordinate.
static bool isBitwise(const BufValue &buf, const Dist &dist) {
  SmallVector<uint64_t> taken(buf.type.getRank(), 0);
  for (const DistMode &mode : dist.modes()) {
    if (!llvm::isPowerOf2_64(mode.extent) ||
        (mode.axis >= 0 && !llvm::isPowerOf2_64(mode.stride))) {
      return false;
    }
    if (mode.axis >= 0) {
      uint64_t bits = uint64_t(mode.extent - 1) * uint64_t(mode.stride);
      if (taken[mode.axis] & bits) {
        return false;
      }
      taken[mode.axis] |= bits;
    }
  }
  return isBitwise(buf) && !dist.exceeds(buf.type.getShape());
}

/// The thread's part as bits of its lane and warp, moved to where they go.
llvm::Value *BufAddress::mixed() {
  int64_t bytes = l.elementBytes(buf.type.getElementType());
  std::map<std::pair<int, int>, uint64_t> moves; // (number, distance) -> bits of the number
  auto addModes = [&](int number, ArrayRef<DistMode> modes) {
    int64_t bit = 0;
    for (const DistMode &mode : modes) {
      for (int64_t step = 1; step < mode.extent; step *= 2, ++bit) {
        if (mode.axis < 0) {
          continue;
        }
        Coords coords(buf.type.getRank(), 0);
        coords[mode.axis] = mode.stride * step;
        uint64_t image = uint64_t(offsetIn(buf, coords) * bytes);
        foldedBits |= image;
        for (int to = 0; to < 63; ++to) {
          if (image >> to & 1) {
            moves[{number, to - int(bit)}] |= uint64_t(1) << bit;
          }
        }
      }
    }
  };
  llvm::Value *const numbers[] = {l.lane(), l.warp(), l.step ? l.step->number : nullptr};
  addModes(0, dist.modes(Place::lane));
  addModes(1, dist.modes(Place::warp));
  if (l.step) {
    addModes(2, l.step->mode);
  }
  llvm::Value *sum = l.i32(0);
  for (auto &[key, mask] : moves) {
    llvm::Value *number = numbers[key.first];
    llvm::Value *bits = l.b.CreateAnd(number, l.i32(int64_t(mask)));
    bits = key.second >= 0 ? l.b.CreateShl(bits, key.second) : l.b.CreateLShr(bits, -key.second);
    sum = l.b.CreateXor(sum, bits);
  }
  return sum;
}

BufAddress::BufAddress(Lowering &l, mlir::Value value, mlir::Value slot,
                       ArrayRef<llvm::Value *> thread, const Dist &dist)
    : l(l), buf(l.bufs.at(value)), thread(thread.begin(), thread.end()), dist(dist) {
  int64_t bytes = l.elementBytes(buf.type.getElementType());
  llvm::Value *begin = l.i32(buf.offset);
  if (slot) {
    begin = l.b.CreateAdd(begin, l.b.CreateMul(l.slots.at(slot), l.i32(buf.slotBytes)));
  }
  if (buf.type.getPer() == tile::ExecScope::warp || buf.type.getPer() == tile::ExecScope::wg) {
    llvm::Value *number =
        buf.type.getPer() == tile::ExecScope::warp ? l.warp() : l.b.CreateLShr(l.warp(), l.i32(2));
    begin = l.b.CreateAdd(
        begin, l.b.CreateMul(number, l.i32(buf.slotBytes * int64_t(buf.type.getSlots()))));
  }
  base = begin;
  if (!hasXor(buf)) {
    linear = l.i32(0);
    bool isPlain = true;
    for (int64_t axis = 0; axis < buf.type.getRank(); ++axis) {
      isPlain &= !buf.layout || buf.layout->ins()[axis].modes.size() <= 1;
    }
    if (!isPlain) {
      linear = nullptr;
      return;
    }
    for (int64_t axis = 0; axis < buf.type.getRank(); ++axis) {
      Coords unit(buf.type.getRank(), 0);
      unit[axis] = buf.type.getShape()[axis] > 1 ? 1 : 0;
      linear = l.b.CreateAdd(linear,
                             l.b.CreateMul(this->thread[axis], l.i32(offsetIn(buf, unit) * bytes)));
    }
    return;
  }
  if (isBitwise(buf, dist)) {
    folded = mixed();
  }
}

/// Digit by digit, at run time.
llvm::Value *BufAddress::general(ArrayRef<int64_t> coords) {
  llvm::Value *added = l.i32(0), *xored = l.i32(0);
  for (auto [axis, in] : llvm::enumerate(buf.layout->ins())) {
    llvm::Value *rest = l.b.CreateAdd(thread[axis], l.i32(coords[axis]));
    for (auto [number, mode] : llvm::enumerate(in.modes)) {
      bool isLast = number + 1 == in.modes.size();
      llvm::Value *digit = isLast ? rest : l.b.CreateURem(rest, l.i32(mode.extent));
      rest = isLast ? rest : l.b.CreateUDiv(rest, l.i32(mode.extent));
      llvm::Value *part = l.b.CreateMul(digit, l.i32(mode.strides.front().value));
      if (mode.strides.front().isXor) {
        xored = l.b.CreateXor(xored, part);
      } else {
        added = l.b.CreateAdd(added, part);
      }
    }
  }
  // Sums do not carry into bits that are XORed (the layout's own rule): the order of the two does not matter.
  llvm::Value *offset = l.b.CreateXor(added, xored);
  return l.b.CreateMul(offset, l.i32(l.elementBytes(buf.type.getElementType())));
}

llvm::Value *BufAddress::at(ArrayRef<int64_t> coords, int64_t &constant) {
  int64_t bytes = l.elementBytes(buf.type.getElementType());
  constant = 0;
  if (linear) {
    constant = offsetIn(buf, coords) * bytes;
    return l.sharedAt(l.b.CreateAdd(base, linear));
  }
  if (folded) {
    uint64_t own = uint64_t(offsetIn(buf, coords) * bytes);
    constant = int64_t(own & ~foldedBits);
    llvm::Value *part = l.i32(int64_t(own & foldedBits));
    llvm::Value *mine = folded;
    if (own & foldedBits) {
      mine = TESSERA_MUTANT(497, "swizzles are added", l.b.CreateXor(folded, part),
                            l.b.CreateAdd(folded, part));
    }
    // The thread's part first: it is the same in all steps of a loop, the slot is not.
    return l.b.CreateGEP(l.b.getInt8Ty(), l.sharedAt(mine),
                         l.b.CreateZExtOrTrunc(base, l.b.getInt64Ty()));
  }
  return l.sharedAt(l.b.CreateAdd(base, general(coords)));
}
