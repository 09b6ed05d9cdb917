// Emitted scalars run on this machine, beside the exact number system: modules of loops over arrays, markers answered by the
// numeric library.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_SCALARTESTING_H
#define TESSERA_TEST_SCALARTESTING_H

#include "tessera/Conversion/Scalars.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace tessera::testing {

/// Elements of a type in native storage.
struct Elements {
  DType type;
  std::vector<unsigned char> bytes;

  explicit Elements(DType type, size_t count = 0) : type(type), bytes(count * byteSize(type)) {}
  size_t size() const { return bytes.size() / byteSize(type); }
  unsigned char *data() { return bytes.data(); }
  const unsigned char *data() const { return bytes.data(); }
  const unsigned char *at(size_t i) const { return bytes.data() + i * byteSize(type); }
  uint64_t pattern(size_t i) const;
  void push(uint64_t pattern);
};

/// Zeros, ends of the range, denormals, ones, infinities, quiet and signalling NaN, with both signs; of integers also the
/// widths that shifts meet.
std::vector<uint64_t> specials(DType type);
/// `arity` columns: every combination of specials, then `count` rows of random patterns, half of them near each other.
std::vector<Elements> samples(DType type, unsigned arity, size_t count);
/// Every pattern of a type of at most 16 bits; else specials and `count` random ones.
Elements everyPattern(DType type, size_t count);
/// The same, with numbers around the ends of other types' ranges and half way between their values.
Elements castSamples(DType type, size_t count);

/// Loops over arrays around emitted scalars, compiled after the optimiser saw them.
class ScalarLoops {
public:
  using Emitter = llvm::function_ref<llvm::Expected<llvm::Value *>(
      convert::ScalarLowering &, llvm::IRBuilderBase &, llvm::ArrayRef<llvm::Value *>)>;

  explicit ScalarLoops(tile::MathMode math = tile::MathMode::strict);
  ~ScalarLoops();

  /// The loop `name`; fails the test where the emitter gives an error.
  void add(const std::string &name, llvm::ArrayRef<DType> in, DType out, Emitter emit);
  void compile();
  Elements run(const std::string &name, llvm::ArrayRef<Elements> in, DType out);

  mlir::MLIRContext context;
  std::unique_ptr<llvm::LLVMContext> llvmContext;
  /// Null once compiled.
  std::unique_ptr<llvm::Module> module;

private:
  std::unique_ptr<convert::ScalarLowering> scalars;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// What the exact system gives for a row.
Elements exact(ScalarOp op, DType type, llvm::ArrayRef<Elements> in);

/// Fails the test at the first elements that differ, any NaN like any other.
void expectSame(const std::string &what, llvm::ArrayRef<Elements> in, const Elements &got,
                const Elements &expected);

} // namespace tessera::testing

#endif // TESSERA_TEST_SCALARTESTING_H
