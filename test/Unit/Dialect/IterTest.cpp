// Every op tells its dims, boxes and cuts: enumerated over all registered ops, so that a new one cannot be forgotten.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DialectTesting.h"
#include "IterSamples.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Numeric/ScalarOp.h"

#include "mlir/IR/Verifier.h"

#include <set>

using namespace mlir;
using namespace tessera::tile;

namespace tessera {
namespace {

class IterTest : public DialectTest {
protected:
  void SetUp() override {
    module = parse(samples);
    ASSERT_TRUE(module);
    (*module)->walk([&](TileIterOpInterface op) { ops.push_back(op); });
    addRows();
  }

  /// One op of each row of the elementwise table, on a type that it takes.
  void addRows() {
    auto function = first<func::FuncOp>(*module);
    OpBuilder b(function.getBody().front().getTerminator());
    for (RegisteredOperationName name : context.getRegisteredOperationsByDialect("tile")) {
      if (!name.hasTrait<ElementwiseRow>()) {
        continue;
      }
      ScalarOp row = *scalarOpByMnemonic(name.stripDialect());
      unsigned argument = accepts(row, DType::f32) ? 0 : accepts(row, DType::i32) ? 3 : 4;
      Value operand = function.getArgument(argument);
      OperationState state(b.getUnknownLoc(), name);
      state.addOperands(SmallVector<Value>(info(row).arity, operand));
      state.addTypes(info(row).result == tessera::OpResult::Bool ? function.getArgument(4).getType()
                                                                 : operand.getType());
      ops.push_back(cast<TileIterOpInterface>(b.create(state)));
    }
  }

  static IterBox fullBox(TileIterOpInterface op) {
    IterBox box;
    for (const IterDim &dim : op.getIterDims()) {
      box.push_back({0, dim.extent});
    }
    return box;
  }

  static SmallVector<int64_t> sizes(const IterBox &box) {
    SmallVector<int64_t> result;
    for (const IterRange &range : box) {
      result.push_back(range.size);
    }
    return result;
  }

  /// The op cut to `box`, on operands of the sizes it asks for; null if it refuses.
  Operation *cut(TileIterOpInterface op, const IterBox &box) {
    OpBuilder b(op);
    SmallVector<Value> operands;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      SmallVector<int64_t> shape = sizes(op.getOperandBox(i, box));
      if (llvm::is_contained(shape, 0)) {
        operands.push_back(Value());
        continue;
      }
      Type type = shape.empty()
                      ? operand.getType()
                      : Type(RankedTensorType::get(shape, elementTypeOf(operand.getType())));
      operands.push_back(
          UnrealizedConversionCastOp::create(b, op->getLoc(), type, ValueRange()).getResult(0));
    }
    return op.cloneAt(b, op->getLoc(), operands, box);
  }

  OwningOpRef<ModuleOp> module;
  SmallVector<TileIterOpInterface> ops;
};

TEST_F(IterTest, everyOpHasTheInterfaceOrAReason) {
  std::set<StringRef> sampled;
  for (TileIterOpInterface op : ops) {
    sampled.insert(op->getName().getStringRef());
  }
  unsigned registered = 0;
  for (RegisteredOperationName name : context.getRegisteredOperationsByDialect("tile")) {
    bool has = name.hasInterface<TileIterOpInterface>();
    EXPECT_NE(has, without.count(name.getStringRef()) == 1) << name.getStringRef().str();
    EXPECT_TRUE(!has || sampled.count(name.getStringRef()))
        << "no sample of " << name.getStringRef().str();
    ++registered;
  }
  EXPECT_EQ(registered, sampled.size() + without.size());
}

TEST_F(IterTest, fullBoxesAreFullShapes) {
  for (TileIterOpInterface op : ops) {
    IterBox box = fullBox(op);
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      SmallVector<int64_t> wanted(shapeOf(operand.getType()));
      if (auto slice = dyn_cast<SliceOp>(op.getOperation())) {
        // Only the part that is taken.
        wanted.assign(slice.getResult().getType().getShape().begin(),
                      slice.getResult().getType().getShape().end());
      }
      EXPECT_EQ(sizes(op.getOperandBox(i, box)), wanted)
          << op->getName().getStringRef().str() << " operand " << i;
    }
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      IterBox made = op.getResultBox(i, box);
      EXPECT_EQ(sizes(made), SmallVector<int64_t>(shapeOf(result.getType())))
          << op->getName().getStringRef().str();
      EXPECT_TRUE(llvm::all_of(made, [](IterRange range) { return range.offset == 0; }));
    }
  }
}

TEST_F(IterTest, dimsHaveUniqueNames) {
  for (TileIterOpInterface op : ops) {
    std::set<std::string> names;
    for (const IterDim &dim : op.getIterDims()) {
      EXPECT_TRUE(names.insert(dim.name).second)
          << op->getName().getStringRef().str() << " " << dim.name;
      EXPECT_GE(dim.extent, 1);
    }
  }
}

/// Every box of every op: each range of each dim with the others full, and each corner.
TEST_F(IterTest, cutsVerifyAndHaveTheSizesOfTheirBoxes) {
  unsigned made = 0;
  for (TileIterOpInterface op : ops) {
    SmallVector<IterDim> dims = op.getIterDims();
    for (size_t d = 0; d < dims.size(); ++d) {
      for (int64_t offset = 0; offset < dims[d].extent; ++offset) {
        for (int64_t size = 1; size <= dims[d].extent - offset; ++size) {
          bool isIndexed =
              isa<ArgMaxOp, ArgMinOp, TopKOp>(op.getOperation()) && dims[d].name == "r";
          int64_t least = isa<TopKOp>(op.getOperation()) ? 2 : 1;
          if (isIndexed && (offset > 0 || size < least)) {
            continue; // refused, see indicesCountFromTheStart
          }
          if (isScheduleOp(op) && size < dims[d].extent) {
            continue; // refused, see accessesToBufsAreWhole
          }
          IterBox box = fullBox(op);
          box[d] = {offset, size};
          Operation *clone = cut(op, box);
          ASSERT_TRUE(clone) << op->getName().getStringRef().str();
          EXPECT_TRUE(succeeded(verify(clone))) << op->getName().getStringRef().str();
          ASSERT_EQ(clone->getNumResults(), op->getNumResults());
          for (auto [i, result] : llvm::enumerate(clone->getResults())) {
            EXPECT_EQ(SmallVector<int64_t>(shapeOf(result.getType())),
                      sizes(op.getResultBox(i, box)))
                << op->getName().getStringRef().str();
          }
          ++made;
        }
      }
    }
  }
  EXPECT_GT(made, 2000u);
  EXPECT_TRUE(succeeded(verify(*module)));
}

/// The parts along a parallel dim make every result element once.
TEST_F(IterTest, parallelPartsCoverTheResult) {
  for (TileIterOpInterface op : ops) {
    for (auto [d, dim] : llvm::enumerate(op.getIterDims())) {
      if (dim.kind != IterKind::parallel) {
        continue;
      }
      for (auto [i, result] : llvm::enumerate(op->getResults())) {
        int64_t elements = 0;
        for (int64_t point = 0; point < dim.extent; ++point) {
          IterBox box = fullBox(op);
          box[d] = {point, 1};
          int64_t part = 1;
          for (int64_t size : sizes(op.getResultBox(i, box))) {
            part *= size;
          }
          elements += part;
        }
        EXPECT_EQ(elements, cast<RankedTensorType>(result.getType()).getNumElements())
            << op->getName().getStringRef().str() << " along " << dim.name;
      }
    }
  }
}

TEST_F(IterTest, boxesThatAreNoneAreRefused) {
  unsigned refused = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &) {
    ++refused;
    return success();
  });
  auto op = cast<TileIterOpInterface>(first<BitsOp>(*module).getOperation());
  EXPECT_FALSE(cut(op, {}));
  EXPECT_FALSE(cut(op, {{0, 4}}));
  EXPECT_FALSE(cut(op, {{0, 4}, {4, 5}}));
  EXPECT_FALSE(cut(op, {{-1, 4}, {0, 8}}));
  EXPECT_FALSE(cut(op, {{0, 0}, {0, 8}}));
  OpBuilder b(op);
  EXPECT_FALSE(op.cloneAt(b, op->getLoc(), {}, {{0, 4}, {0, 8}}));
  EXPECT_EQ(refused, 6u);
}

} // namespace
} // namespace tessera
