// The state of a kernel while it is generated: what exists in scope, with types, and the text so far. Every value's type
// is tracked as the checker sees it, axes `_` included, so that only well-typed text is written.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_TESTING_GENERATORIMPL_H
#define TESSERA_LIB_TESTING_GENERATORIMPL_H

#include "tessera/Check/Random.h"
#include "tessera/Numeric/ScalarOp.h"
#include "tessera/Testing/KernelGenerator.h"

#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <optional>
#include <vector>

namespace tessera::generate {

struct Axis {
  int64_t extent = 1;
  bool wild = false; ///< `_`
  bool operator==(const Axis &o) const { return extent == o.extent && wild == o.wild; }
};
using Shape = std::vector<Axis>;

struct Val {
  std::string name;
  DType type = DType::f32;
  Shape shape;
  bool operator==(const Val &o) const { return name == o.name; }
};

/// An axis of a view: a named extent, or a number.
struct ViewAxis {
  int extent = -1; ///< index into the extents
  int64_t number = 0;
};
struct View {
  std::string name, mode;
  DType type = DType::f32;
  std::vector<ViewAxis> axes;
};
struct Extent {
  std::string name;
  int64_t value = 0;
  /// What indexes an axis of this extent where the text stands.
  std::string span; ///< empty where an index stands instead
  int64_t width = 0;
  std::string index; ///< an i64 in range, where the axis is cut by indices
  bool gridded = false;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed), seed(seed) {}
  GeneratedKernel run();

private:
  //===- chance -----------------------------------------------------------===//
  uint64_t below(uint64_t bound) { return random.below(bound); }
  int64_t between(int64_t lo, int64_t hi) { return lo + int64_t(below(uint64_t(hi - lo + 1))); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T> const T &pick(const std::vector<T> &list) {
    return list[below(list.size())];
  }

  //===- header and skeleton (KernelGenerator.cpp) --------------------------===//
  void chooseExtents();
  void chooseViews();
  DType anyType();
  DType numberType();
  std::string header();
  std::string functions();
  void openGrid();
  void storeOutputs();
  void storeDigest();
  std::string digestOf(const Val &value);
  std::string digestShape() const;
  std::string atomics();

  //===- statements (KernelGeneratorBody.cpp) -------------------------------===//
  void line(const std::string &text);
  std::string fresh(const char *prefix = "t") { return prefix + std::to_string(counter++); }
  /// `let t7 = text`, in the pool.
  Val let(const std::string &text, DType type, const Shape &shape);
  void step();
  void loadStep();
  void forLoop();
  void staticLoop();
  void whileLoop();
  void branch();
  void structStep();
  /// Runs `body` in a scope of its own: what it declares is gone afterwards.
  void inScope(const std::function<void()> &body);
  std::optional<std::string> indexOf(const ViewAxis &axis, Shape &box);
  std::string scalarCondition();
  /// A value of the type, made if there is none.
  Val valueOf(DType type, const Shape &shape);
  Val convert(const Val &value, DType to);

  //===- operations (KernelGeneratorOps.cpp) --------------------------------===//
  std::optional<Val> anyValue(const std::function<bool(const Val &)> &fits);
  void elementwiseStep();
  void compareStep();
  void selectStep();
  void castStep();
  void bitsStep();
  void reduceStep();
  void scanStep();
  void argStep();
  void shapeStep();
  void absenceStep();
  void productStep();
  void makeStep();
  void callStep();
  std::string literalOf(DType type);
  std::string castText(const std::string &operand, DType from, DType to);

  //===- formulas (KernelGeneratorFormulas.cpp) -----------------------------===//
  std::string formulas();
  struct Index {
    std::string name;
    int extent = -1;
    int64_t number = 0;
  };
  std::string formula(std::vector<Index> indices, unsigned depth);
  std::string leaf(std::vector<Index> indices, unsigned depth);

  Random random;
  uint64_t seed;
  unsigned counter = 0;
  std::vector<Extent> extents;
  std::vector<View> inputs, outputs;
  std::vector<Val> scalars; ///< arguments
  std::vector<Val> pool;
  std::string body;
  unsigned indent = 1;
  unsigned nesting = 0;
  bool hasCounts = false; ///< an `inout` view of counts for atomics
  bool usesStruct = false;
  unsigned formulaNames = 0;
};

std::string shapeText(const Shape &shape);
int64_t elementsOf(const Shape &shape);
constexpr int64_t kMaxElements = 2048;

} // namespace tessera::generate

#endif // TESSERA_LIB_TESTING_GENERATORIMPL_H
