// The steps of formulas. Slots and arrays belong to the machine and the evaluation; steps only point at them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_REFERENCE_STEPS_H
#define TESSERA_LIB_REFERENCE_STEPS_H

#include "Slots.h"

#include <functional>
#include <variant>

namespace tessera::reference {

/// An elementwise operation with one to three operands.
class ElementwiseStep : public Step {
public:
  using Function = std::variant<Kernel1, Kernel2, Kernel3, SelectKernel, CastKernel>;
  /// How an i64 operation carries a progression over the lanes to its result.
  enum class Progression : uint8_t { none, add, sub, mul };

  ElementwiseStep(Function function, llvm::ArrayRef<Slot *> inputs, Slot *out,
                  Progression progression)
      : function(std::move(function)), inputs(inputs.begin(), inputs.end()), out(out),
        progression(progression) {}
  bool run(Machine &machine, const Lanes &lanes) override;

private:
  void carryProgression();

  Function function;
  llvm::SmallVector<Slot *, 3> inputs;
  Slot *out;
  Progression progression;
};

/// `x ?? fill`.
class FillAbsentStep : public Step {
public:
  FillAbsentStep(Slot *x, Slot *fill, Slot *out) : x(x), fill(fill), out(out) {}
  bool run(Machine &machine, const Lanes &lanes) override;

private:
  Slot *x, *fill, *out;
};

/// Whether a value is present.
class PresentStep : public Step {
public:
  PresentStep(Slot *x, Slot *out) : x(x), out(out) {}
  bool run(Machine &machine, const Lanes &lanes) override;

private:
  Slot *x, *out;
};

/// A value made absent where a condition is not true.
class KeepIfStep : public Step {
public:
  KeepIfStep(Slot *x, Slot *condition, Slot *out) : x(x), condition(condition), out(out) {}
  bool run(Machine &machine, const Lanes &lanes) override;

private:
  Slot *x, *condition, *out;
};

/// Four random words.
class PhiloxStep : public Step {
public:
  PhiloxStep(Slot *seed, Slot *offset, Slot *index, llvm::ArrayRef<Slot *> words)
      : seed(seed), offset(offset), index(index), words(words.begin(), words.end()) {}
  bool run(Machine &machine, const Lanes &lanes) override;

private:
  Slot *seed, *offset, *index;
  llvm::SmallVector<Slot *, 4> words;
};

/// An assertion of a formula.
class AssertStep : public Step {
public:
  AssertStep(Slot *condition, std::string text, mlir::Location where, IndexScope scope)
      : condition(condition), text(std::move(text)), where(where), scope(std::move(scope)) {}
  bool run(Machine &machine, const Lanes &lanes) override;

private:
  Slot *condition;
  std::string text;
  mlir::Location where;
  IndexScope scope;
};

/// A condition of a launch.
class RequireStep : public Step {
public:
  RequireStep(Slot *condition, std::string text, mlir::Location where)
      : condition(condition), text(std::move(text)), where(where) {}
  bool run(Machine &machine, const Lanes &lanes) override;

private:
  Slot *condition;
  std::string text;
  mlir::Location where;
};

/// An element of an array.
class LoadStep : public Step {
public:
  LoadStep(const Array *array, llvm::ArrayRef<Slot *> indices, Slot *out, mlir::Location where,
           IndexScope scope)
      : array(array), indices(indices.begin(), indices.end()), out(out), where(where),
        scope(std::move(scope)) {}
  bool run(Machine &machine, const Lanes &lanes) override;

private:
  bool runProgression(Machine &machine, size_t count, bool &done);
  bool runLanes(Machine &machine, const Lanes &lanes);
  bool addVectorIndex(Machine &machine, unsigned axis, size_t count, const uint8_t *where);
  bool checkIndex(Machine &machine, unsigned axis, int64_t index, size_t lane) const;
  bool failIndex(Machine &machine, unsigned axis, int64_t index, size_t lane) const;

  const Array *array;
  llvm::SmallVector<Slot *, 4> indices;
  Slot *out;
  mlir::Location where;
  IndexScope scope;
  std::byte *memoryFor();
  void convert(size_t count);

  std::vector<int64_t> offsets;
  std::vector<uint8_t> wanted;
  std::vector<std::byte> native;
};

enum class FoldOf : uint8_t { sum, prod, max, min, count, any, all, first };

/// Terms combined over an index.
class FoldStep : public Step {
public:
  FoldStep(FoldOf kind, Slot *lo, Slot *hi, Slot *index)
      : kind(kind), lo(lo), hi(hi), index(index) {}
  bool run(Machine &machine, const Lanes &lanes) override;

  /// Once the body is compiled: its value, and the result, which is as wide as the term and the bounds.
  void finish(const NumberTable &numbers, Slot *term, Slot *out);

  Steps body;

private:
  void start(const NumberTable &numbers, size_t count);
  void combine(Machine &machine, int64_t k, size_t count, const uint8_t *inRange);
  bool runVarying(Machine &machine, const Lanes &lanes);

  FoldOf kind;
  Slot *lo, *hi, *index, *out = nullptr, *term = nullptr;
  Kernel2 kernel = nullptr;
  SelectKernel select = nullptr;
  std::vector<std::byte> scratch;
  std::vector<uint8_t> mask, within;
};

/// `if`: only the branches that some active lane takes are run.
class IfStep : public Step {
public:
  explicit IfStep(Slot *condition) : condition(condition) {}
  bool run(Machine &machine, const Lanes &lanes) override;

  struct Branch {
    Steps steps;
    std::vector<Slot *> yields;
  };
  Branch then, otherwise;
  std::vector<Slot *> results;

private:
  bool runMixed(Machine &machine, const Lanes &lanes);

  Slot *condition;
  std::vector<uint8_t> thenActive, elseActive;
};

/// Moves the values that a loop carries from one round to the next.
class CarriedValues {
public:
  void assignAll(Machine &machine, llvm::ArrayRef<Slot *> to, llvm::ArrayRef<Slot *> from,
                 size_t count, const uint8_t *where);

private:
  std::vector<Slot *> copies;
};

/// A loop over indices with carried values.
class ForStep : public Step {
public:
  ForStep(Slot *lo, Slot *hi, bool reversed, Slot *index)
      : lo(lo), hi(hi), reversed(reversed), index(index) {}
  bool run(Machine &machine, const Lanes &lanes) override;

  Steps body;
  std::vector<Slot *> inits, carried, yields;

private:
  Slot *lo, *hi;
  bool reversed;
  Slot *index;
  CarriedValues copies;
  std::vector<uint8_t> within;
};

/// `while`: runs until no active lane's condition holds.
class WhileStep : public Step {
public:
  bool run(Machine &machine, const Lanes &lanes) override;

  Steps before, after;
  std::vector<Slot *> inits, carried, passed, results, yields;
  Slot *condition = nullptr;

private:
  CarriedValues copies;
  std::vector<uint8_t> running;
};

/// Computes an array: what happens between the formulas of single elements.
class ArrayStep : public Step {
public:
  explicit ArrayStep(std::function<bool()> compute) : compute(std::move(compute)) {}
  bool run(Machine &, const Lanes &) override { return compute(); }

private:
  std::function<bool()> compute;
};

} // namespace tessera::reference

#endif // TESSERA_LIB_REFERENCE_STEPS_H
