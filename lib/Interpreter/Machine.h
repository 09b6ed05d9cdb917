// The state of a run: values of the frame, arrays with their shadows, the grid point, the report. A kernel is compiled
// once to steps (Compiler.h); the machine runs them, and every step reads and writes numbered slots of the frame.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_MACHINE_H
#define TESSERA_LIB_INTERPRETER_MACHINE_H

#include "Buffer.h"
#include "Shadow.h"
#include "Storage.h"
#include "TileValue.h"
#include "View.h"

#include "tessera/Interpreter/Interpreter.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

namespace tessera::interp {

class Adversary;
class Machine;
using StepFn = llvm::unique_function<void(Machine &) const>;

/// One op, ready to run, and the tile slots that nobody reads after it.
struct Step {
  StepFn run;
  mlir::Operation *op = nullptr;
  llvm::SmallVector<unsigned, 2> releases;
};

/// A block without its terminator: whoever runs the block moves the terminator's values and then calls `finish`.
struct Code {
  std::vector<Step> steps;
  llvm::SmallVector<unsigned, 2> releasesAtEnd;
};

struct SlotRef {
  enum Kind : uint8_t { tile, span, view } kind = tile;
  unsigned index = 0;
};

/// Values handed from one set of slots to another at once, as at the end of a loop's step.
struct Transfer {
  llvm::SmallVector<std::pair<SlotRef, SlotRef>, 4> moves; // from, to
  void operator()(Machine &machine) const;
};

/// What belongs to a flow of control: the values, and where it is.
struct Frame {
  std::vector<TileValue> tiles;
  std::vector<SpanValue> spans;
  std::vector<ViewValue> views;
  const Step *current = nullptr;
  uint32_t point = 1;
  unsigned parStep = 0;
};

/// An argument that is a view.
struct ArrayState {
  HostArray *array = nullptr;
  std::string name;
  bool writable = false;
  /// Element bytes in memory, and the conversions between memory and the number system.
  size_t elementBytes = 1;
  Kernel1 load = nullptr, store = nullptr;
  std::optional<Shadow> shadow;
  bool overlapsItself = false;
};

/// The launch domain while it runs.
struct GridAxis {
  std::string name;
  int64_t lo = 0, hi = 0, width = 0;
  uint64_t count = 0;
};

class Machine {
public:
  Machine(const SystemTable &system, const RunOptions &options, BufferPool &pool, RunReport &report)
      : system(system), options(options), pool(pool), report(report) {}

  const SystemTable &system;
  const RunOptions &options;
  BufferPool &pool;
  RunReport &report;
  std::vector<TileValue> tiles;
  std::vector<SpanValue> spans;
  std::vector<ViewValue> views;
  /// By kernel argument; those of scalars are empty.
  std::vector<ArrayState> arrays;
  std::vector<std::pair<std::string, std::string>> instance;
  /// Ops that touch memory, by Access::op - 1.
  std::vector<mlir::Operation *> memoryOps;
  std::vector<GridAxis> grid;
  mlir::Operation *kernel = nullptr;
  uint32_t point = 1;
  /// Memory that a schedule makes.
  Storage storage;
  /// Null in a sequential run.
  Adversary *adversary = nullptr;
  /// The kernel's body.
  const Code *body = nullptr;

  //===- running ----------------------------------------------------------===//
  void run(const Code &code);
  /// The steps before or after that of `op`, as a CTA runs them around its tasks.
  void runBefore(const Code &code, mlir::Operation *op);
  void runAfter(const Code &code, mlir::Operation *op);
  /// One step, its releases included.
  void runStep(const Step &step);
  /// Memory is made anew for a CTA; when it ends, nothing may be left in rings or under way.
  void beginCta();
  void endCta();
  bool hasCtas() const { return !storage.bufs.empty() || !storage.rings.empty() || adversary; }
  Frame copyFrame() const;
  void swapFrame(Frame &other);
  /// The value of a slot as another frame has it.
  void takeFrom(const Frame &other, SlotRef slot);
  void finish(const Code &code) {
    for (unsigned slot : code.releasesAtEnd) {
      tiles[slot].reset();
    }
  }
  /// Counts a step of a loop or an op; ends the run where it is past its limits.
  void count() {
    ++report.counters.steps;
    if ((options.maxSteps && report.counters.steps > options.maxSteps) ||
        (options.maxBytes && report.counters.bytes > options.maxBytes)) {
      failBudget();
    }
  }
  /// The grid point has ended with an error.
  bool stopped() const { return stop; }
  void clearStop() { stop = false; }
  /// What follows a grid with a failed point is not run.
  void stopAll() { stop = true; }
  /// No further point is to be run.
  bool finished() const {
    return exhausted || report.errors.size() >= std::max<size_t>(options.maxErrors, 1);
  }
  mlir::Operation *currentOp() const { return current ? current->op : nullptr; }

  //===- values -----------------------------------------------------------===//
  /// A new value without factors; the content is whatever the memory held.
  std::byte *make(unsigned slot, const TileType &type) {
    TileValue &value = tiles[slot];
    value.factors.clear();
    value.data = pool.allocate(type.bytes());
    report.counters.bytes += type.bytes();
    return value.data.data();
  }
  std::byte *makeZeroed(unsigned slot, const TileType &type) {
    std::byte *data = make(slot, type);
    std::memset(data, 0, type.bytes());
    return data;
  }
  const std::byte *data(unsigned slot) const { return tiles[slot].data.data(); }
  /// A scalar integer or truth value: held natively in every number system.
  template <class T> T scalar(unsigned slot) const { return *tiles[slot].data.as<T>(); }
  void setIndex(unsigned slot, int64_t value) {
    tiles[slot].factors.clear();
    tiles[slot].data = pool.allocate(sizeof(int64_t));
    *tiles[slot].data.as<int64_t>() = value;
  }
  /// Scratch memory that stays valid until the next call with the same number.
  std::byte *scratch(unsigned which, size_t bytes);

  /// Whether a scalar is present; if it is not, that is an error, as `what` must have a value.
  bool need(unsigned slot, llvm::StringRef what) {
    return tiles[slot].factors.empty() || failAbsent(what);
  }

  //===- errors -----------------------------------------------------------===//
  /// Ends the grid point. Null if this kind of error at this op is known already.
  template <typename... Args> RunError *fail(RunDiag id, Args &&...args) {
    stop = true;
    return add(id,
               llvm::formatv(false, runDiagFormat(id).data(), std::forward<Args>(args)...).str());
  }
  template <typename... Args> void warn(RunDiag id, Args &&...args) {
    add(id, llvm::formatv(false, runDiagFormat(id).data(), std::forward<Args>(args)...).str());
  }
  void failConflict(unsigned argument, const AccessConflict &conflict);
  /// `(m = 64..128, h = 3)`, or words for a place outside the grid.
  std::string describePoint(uint32_t which) const;
  std::vector<int64_t> coordinates(uint32_t which) const;

  Access access(uint32_t op) const { return {point, op}; }

private:
  friend class ScopedStep;
  RunError *add(RunDiag id, std::string message);
  bool failAbsent(llvm::StringRef what);
  void failBudget();

  const Step *current = nullptr;
  bool stop = false;
  bool exhausted = false;
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> seen;
  Ref scratchMemory[4];
  size_t scratchBytes[4] = {};
};

/// `1`, `(2, 3)`: an index tuple in messages.
std::string describeIndex(llvm::ArrayRef<int64_t> index);
/// An index tuple of the element at a cell of an array.
std::vector<int64_t> indexOfCell(const HostLayout &layout, int64_t cell);

/// An error outside of any step, logged like every other.
RunError makeRunError(RunDiag id, std::string message, mlir::Location where);

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_MACHINE_H
