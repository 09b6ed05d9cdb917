// Folded constants have the bits of the exact arithmetic, for every row of the table and every type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DialectTesting.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Numeric/NumberSystem.h"

using namespace mlir;

namespace tessera {
namespace {

class FoldTest : public DialectTest {};

/// Elements that meet edges: zeros, ones, extremes, NaN patterns.
constexpr uint64_t patterns[] = {0,    1,   2, 0x3f80, 0x3f800000, ~uint64_t(0), uint64_t(1) << 63,
                                 0x80, 0x7f};

TEST_F(FoldTest, everyRowAndType) {
  OpBuilder b(&context);
  unsigned folded = 0;
  for (unsigned i = 0; i < numScalarOps; ++i) {
    auto op = static_cast<ScalarOp>(i);
    std::string name = ("tile." + mnemonic(op)).str();
    for (DType dtype : allDTypes) {
      if (!accepts(op, dtype)) {
        continue;
      }
      for (uint64_t pattern : patterns) {
        uint64_t other = pattern ^ 3, in[3] = {pattern, other, pattern}, out = 0;
        SmallVector<Attribute> constants;
        for (unsigned k = 0; k < info(op).arity; ++k) {
          constants.push_back(attributeOf(dtype, &in[k], &context));
          // The attribute has cut the pattern to the type.
          in[k] = 0;
          ASSERT_TRUE(elementOf(constants.back(), &in[k]));
        }
        OperationState state(b.getUnknownLoc(), name);
        Block block;
        for (unsigned k = 0; k < info(op).arity; ++k) {
          state.addOperands(block.addArgument(typeOf(dtype, &context), b.getUnknownLoc()));
        }
        state.addTypes(typeOf(resultType(op, dtype), &context));
        Operation *made = Operation::create(state);
        SmallVector<OpFoldResult> results;
        LogicalResult done = made->fold(constants, results);
        if (info(op).arity == 1) {
          ExactSystem::unary(op, dtype)(&in[0], &out, 1);
        } else if (info(op).arity == 2) {
          ExactSystem::binary(op, dtype)(&in[0], &in[1], &out, 1);
        } else {
          ExactSystem::ternary(op, dtype)(&in[0], &in[1], &in[2], &out, 1);
        }
        ASSERT_TRUE(succeeded(done) && results.size() == 1)
            << name << " on " << irName(dtype).str();
        EXPECT_EQ(dyn_cast<Attribute>(results[0]),
                  attributeOf(resultType(op, dtype), &out, &context))
            << name << " on " << irName(dtype).str() << " pattern " << pattern;
        made->destroy();
        ++folded;
      }
    }
  }
  EXPECT_GT(folded, 1000u);
}

} // namespace
} // namespace tessera
