// The machine that runs formulas. A formula is compiled to a list of steps; each value lives in a slot. A slot is a
// scalar, or has one element per lane: lanes are neighbouring elements of the array being computed. The kernels of
// tessera/Numeric then work on whole slots, and a value that does not depend on the lane is computed once.
//
// A lane is *active* if its value is asked for. What a slot holds in an inactive lane, presence included, has no
// meaning; steps that can fail (reads of arrays, assertions) look at active lanes only.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_REFERENCE_SLOTS_H
#define TESSERA_LIB_REFERENCE_SLOTS_H

#include "tessera/Host/HostArray.h"
#include "tessera/Numeric/NumberSystem.h"
#include "tessera/Reference/CheckedError.h"
#include "tessera/Reference/Reference.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::reference {

inline constexpr size_t maxLanes = 512;

/// A number system (tessera/Numeric/NumberSystem.h) as a table, so that nothing here is compiled twice. An element takes
/// at most eight bytes, and integers and `bool` are held natively.
struct NumberTable {
  size_t (*elementSize)(DType);
  Kernel1 (*unary)(ScalarOp, DType, Accuracy);
  Kernel2 (*binary)(ScalarOp, DType, Accuracy);
  Kernel3 (*ternary)(ScalarOp, DType, Accuracy);
  Kernel2 (*compare)(CmpPredicate, DType);
  SelectKernel (*select)(DType);
  CastKernel (*cast)(DType, DType, Round, Overflow);
  Kernel1 (*bits)(DType);
  Kernel1 (*fromBits)(DType);
  Kernel1 (*load)(DType);
  bool (*identity)(ReduceKind, DType, void *);
  Kernel2 (*combine)(ReduceKind, DType);

  template <class System> static const NumberTable &of() {
    static const NumberTable table = {System::elementSize, System::unary,    System::binary,
                                      System::ternary,     System::compare,  System::select,
                                      System::cast,        System::bits,     System::fromBits,
                                      System::load,        System::identity, System::combine};
    return table;
  }
};

enum class Presence : uint8_t { all, none, mixed };

struct Slot {
  DType type = DType::i64;
  /// Bytes of an element in the number system.
  unsigned bytes = 8;
  bool isVector = false;
  /// How many folds and loops the value is inside of.
  unsigned depth = 0;
  /// Of a scalar: all or none.
  Presence presence = Presence::all;
  /// Of an i64 vector: lane l holds start + l * step. A hint for reads; the elements are there as well.
  bool linear = false;
  int64_t start = 0, step = 0;

  std::byte *data = nullptr;
  /// 0 or 1 per lane; valid where `presence` is mixed.
  uint8_t *mask = nullptr;
  /// Of a scalar: copies of the element for steps with lanes.
  std::byte *copies = nullptr;
  size_t numCopies = 0;

  template <typename T> T *as() const { return reinterpret_cast<T *>(data); }
  int64_t asIndex() const { return *as<int64_t>(); }

  /// Must be called after each change of a scalar's element.
  void changed() {
    numCopies = 0;
    linear = false;
  }
  void setScalar(int64_t value) {
    *as<int64_t>() = value;
    presence = Presence::all;
    changed();
  }
  /// Whether the value is present in a lane.
  bool isPresent(size_t lane) const {
    return presence == Presence::all || (presence == Presence::mixed && mask[isVector ? lane : 0]);
  }
  /// Start and step over the lanes, if they are known.
  bool progression(int64_t &first, int64_t &stride) const {
    if (!isVector) {
      first = asIndex();
      stride = 0;
      return true;
    }
    first = start;
    stride = step;
    return linear;
  }
};

/// Owns slots and their memory.
class Arena {
public:
  explicit Arena(const NumberTable &numbers) : numbers(numbers) {}

  Slot *make(DType type, bool isVector, unsigned depth);
  /// `count` elements of a slot as contiguous data: its own, or copies of the scalar.
  const std::byte *lanes(Slot &slot, size_t count);
  uint8_t *bytes(size_t count) {
    return static_cast<uint8_t *>(allocator.Allocate(count, llvm::Align(64)));
  }

private:
  const NumberTable &numbers;
  llvm::BumpPtrAllocator allocator;
};

/// The lanes a step works on.
struct Lanes {
  size_t count = 1;
  /// 0 or 1 per lane; null where all are active.
  const uint8_t *active = nullptr;
};

/// Indices around a step, for messages.
using IndexScope = std::vector<std::pair<std::string, const Slot *>>;

/// An array that formulas read: an argument, or one that a formula gave.
struct Array {
  std::string name;
  HostArray host;
  std::vector<uint8_t> presence;
  /// Elements in memory are those of the language, not yet of the number system; null if there is no difference.
  Kernel1 load = nullptr;
  /// While a recurrence runs: elements before `current` along `axis` (after, if descending) are computed.
  bool isRecurrence = false;
  unsigned axis = 0;
  bool descending = false;
  int64_t current = 0;

  /// Makes room for absent elements.
  void makePresence() {
    if (presence.empty()) {
      presence.assign(host.numElements(), 1);
    }
  }
};

/// What a run of steps works with.
struct Machine {
  const NumberTable &numbers;
  Arena arena;
  std::vector<Violation> violations;

  explicit Machine(const NumberTable &numbers) : numbers(numbers), arena(numbers) {}
  ~Machine() { consumeError(takeError()); }
  /// Records the first error; returns false, what a failed step returns.
  bool fail(llvm::Error failure) {
    if (error) {
      consumeError(std::move(failure));
    } else {
      error.emplace(std::move(failure));
    }
    return false;
  }
  llvm::Error takeError() {
    if (!error) {
      return llvm::Error::success();
    }
    llvm::Error result = std::move(*error);
    error.reset();
    return result;
  }

private:
  std::optional<llvm::Error> error;
};

class Step {
public:
  virtual ~Step() = default;
  /// False after an error, which is then in the machine.
  virtual bool run(Machine &machine, const Lanes &lanes) = 0;
};

struct Steps {
  std::vector<std::unique_ptr<Step>> list;

  bool run(Machine &machine, const Lanes &lanes) const {
    for (const std::unique_ptr<Step> &step : list) {
      if (!step->run(machine, lanes)) {
        return false;
      }
    }
    return true;
  }
};

/// Sets `out`'s presence to that of a strict operation on `inputs`.
void intersectPresence(llvm::ArrayRef<Slot *> inputs, Slot &out, size_t count);

/// Makes `out` hold what `from` holds in the lanes where `where` is 1 (everywhere, if null); elsewhere `out` keeps what
/// it has.
void assign(Machine &machine, Slot &out, Slot &from, size_t count, const uint8_t *where);

/// The indices in force in a lane.
ValuesInForce valuesInForce(const IndexScope &scope, size_t lane);

} // namespace tessera::reference

#endif // TESSERA_LIB_REFERENCE_SLOTS_H
