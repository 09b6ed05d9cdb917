// The kernels of test/Conversion/TileToLLVM/extents have every op of the dialect, every row of the elementwise table on every
// type that it takes, and every pair of types of a cast; each is launched with every extent from 1 to 130. What is missing stands
// here with the reason, or the test fails.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExtentsTesting.h"
#include "gmock/gmock.h"

#include "tessera/Conversion/Scheduled.h"
#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Numeric/Modes.h"
#include "tessera/Numeric/ScalarOp.h"
#include "tessera/Schedule/Assign.h"

using namespace tessera;
using namespace tessera::extents;

namespace {

const std::map<llvm::StringRef, llvm::StringRef> without = {
    {"tile.absent", "the language writes it in formulas only"},
    {"tile.at", "stands in formulas"},
    {"tile.fold", "stands in formulas"},
    {"tile.map", "stands in formulas"},
    {"tile.fence", "has no device code"},
    {"tile.print", "shows on the host only"},
    {"tile.require", "is checked by the launch"},
};

/// Names of ops; `tile.add f32`; `cast f32 i8`; `cmp lt i8`.
class Coverage {
public:
  std::set<std::string> seen;

  void add(mlir::Operation *root) {
    root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      // Formulas have no device code.
      auto kernel = llvm::dyn_cast_or_null<tile::KernelOp>(op->getParentOp());
      if (kernel && op->getParentRegion() != &kernel.getBody()) {
        return mlir::WalkResult::skip();
      }
      if (llvm::isa_and_nonnull<tile::TileDialect>(op->getDialect())) {
        addOp(op);
      }
      return mlir::WalkResult::advance();
    });
  }

private:
  void addOp(mlir::Operation *op) {
    std::string opName = op->getName().getStringRef().str();
    seen.insert(opName);
    std::optional<DType> from =
        op->getNumOperands() ? dtypeIfAny(op->getOperand(0).getType()) : std::nullopt;
    if (!from) {
      return;
    }
    if (op->hasTrait<tile::ElementwiseRow>()) {
      seen.insert(opName + " " + name(*from).str());
    } else if (auto cast = llvm::dyn_cast<tile::CastOp>(op)) {
      seen.insert("cast " + name(*from).str() + " " + name(dtypeOf(cast.getType())).str());
    } else if (auto cmp = llvm::dyn_cast<tile::CmpOp>(op)) {
      seen.insert(("cmp " + stringifyCmpPredicate(cmp.getPredicate()) + " " + name(*from)).str());
    } else if (auto select = llvm::dyn_cast<tile::SelectOp>(op)) {
      seen.insert("select " + name(dtypeOf(select.getType())).str());
    } else if (llvm::isa<tile::BitsOp>(op)) {
      seen.insert("bits " + name(*from).str());
    } else if (auto bits = llvm::dyn_cast<tile::FromBitsOp>(op)) {
      seen.insert("from_bits " + name(dtypeOf(bits.getType())).str());
    }
  }
};

class CoverageTest : public ExtentsTest {
protected:
  void SetUp() override {
    for (const std::string &file : files(".tile")) {
      forEachInstance(file, [&](tile::KernelOp kernel) { coverage.add(kernel); });
    }
  }
  void expect(const std::string &what) {
    EXPECT_TRUE(coverage.seen.count(what)) << "no kernel has " << what;
  }
  Coverage coverage;
};

TEST_F(CoverageTest, EveryRowOnEveryType) {
  for (unsigned i = 0; i < numScalarOps; ++i) {
    auto op = static_cast<ScalarOp>(i);
    for (DType type : allDTypes) {
      bool isFunction = info(op).hasAccuracy || op == ScalarOp::Pow;
      bool isMachines = op == ScalarOp::Sqrt || op == ScalarOp::Rsqrt || op == ScalarOp::Rcp;
      bool hasNoCode = type == DType::f64 && isFunction && !isMachines;
      // The language has no negation of what has no sign.
      bool hasNoText = op == ScalarOp::Neg && isInteger(type) && !isSigned(type);
      if (accepts(op, type) && !hasNoCode && !hasNoText) {
        expect("tile." + mnemonic(op).str() + " " + name(type).str());
      }
    }
  }
}

TEST_F(CoverageTest, EveryCast) {
  for (DType from : allDTypes) {
    for (DType to : allDTypes) {
      // Truth values and numbers of 8 bits have no cast between each other that is written.
      if (from != to && !(isBool(from) && isFp8(to))) {
        expect("cast " + name(from).str() + " " + name(to).str());
      }
    }
  }
}

TEST_F(CoverageTest, EveryComparisonAndChoiceAndPattern) {
  for (DType type : allDTypes) {
    for (llvm::StringRef predicate : {"eq", "ne", "lt", "le", "gt", "ge"}) {
      bool isOrdered = predicate != "eq" && predicate != "ne";
      if (!isFp8(type) && !(isBool(type) && isOrdered)) {
        expect(("cmp " + predicate + " " + name(type)).str());
      }
    }
    expect("select " + name(type).str());
    if (!isBool(type)) {
      expect("bits " + name(type).str());
      expect("from_bits " + name(type).str());
    }
  }
}

/// Ops that schedules make are looked for in what the library makes of the kernels, and in kernels as schedules leave them.
TEST_F(CoverageTest, EveryOpOfTheDialect) {
  for (const std::string &file : files(".tile")) {
    forEachKernel(file, [&](tile::KernelOp kernel) {
      std::string problems;
      auto scheduled = convert::scheduleByDefault(kernel->getParentOfType<mlir::ModuleOp>(),
                                                  kernel.getSymName(), "sm_80", problems);
      ASSERT_TRUE(scheduled) << problems;
      for (auto version : llvm::make_early_inc_range(scheduled->getOps<tile::KernelOp>())) {
        ASSERT_TRUE(mlir::succeeded(schedule::assignLayouts(version)));
      }
      coverage.add(*scheduled);
    });
  }
  for (const std::string &file : files(".mlir")) {
    coverage.add(*parse(file));
  }
  for (mlir::RegisteredOperationName op : context.getRegisteredOperationsByDialect("tile")) {
    EXPECT_NE(coverage.seen.count(op.getStringRef().str()), without.count(op.getStringRef()))
        << op.getStringRef().str();
  }
}

TEST_F(CoverageTest, EveryExtent) {
  for (const std::string &file : files(".tile")) {
    forEachTest(file, [&](const TestSpec &spec) {
      std::set<int64_t> given;
      size_t combinations = 1;
      for (const TestAxis &axis : spec.axes) {
        combinations *= axis.values.size();
        for (const std::vector<TestValue> &tuple : axis.values) {
          if (axis.names.front() == "N" && tuple.front().getInt()) {
            given.insert(*tuple.front().getInt());
          }
        }
      }
      EXPECT_EQ(given.size(), 130u) << spec.kernel;
      EXPECT_TRUE(!given.empty() && *given.begin() == 1 && *given.rbegin() == 130) << spec.kernel;
      // A cover of pairs would leave out extents of some types.
      EXPECT_GE(spec.cases, int64_t(combinations)) << spec.kernel;
      EXPECT_LE(contentsOf(spec), 1u) << spec.kernel << ": contents are an axis, too";
    });
  }
}

} // namespace
