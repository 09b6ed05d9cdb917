// Every op with points under `split`, `bind`, `stage` and `compute_at`: done, with what the kernel computes unchanged, or
// refused by a code that the table names. Enumerated over all registered ops, so that a new one cannot be forgotten.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EveryOpKernels.h"
#include "IRTesting.h"
#include "MemoryTesting.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Interpreter/KernelRun.h"
#include "tessera/Numeric/ScalarOp.h"
#include "tessera/Schedule/Dims.h"

#include <set>

using namespace tessera;
using namespace tessera::testing;
using llvm::StringRef;
using script::ValueKind;

namespace {

/// What the four primitives make of an op: `done`, or the code of the refusal; of several dims or operands each, where they
/// differ. `none`: it has no dim or no operand.
struct Row {
  StringRef split, bind, stage, computeAt;
};

constexpr Row elementwise = {"done", "done", "done", "done"};

const std::map<StringRef, Row> table = {
    {"tile.bits", {"done", "done", "done", "done"}},
    {"tile.from_bits", {"done", "done", "done", "done"}},
    {"tile.cast", {"done", "done", "done", "done"}},
    {"tile.cmp", {"done", "done", "done", "done"}},
    {"tile.select", {"done", "done", "done", "done"}},
    {"tile.fill_absent", {"done", "done", "done", "done"}},
    {"tile.convert", {"done", "done", "done", "done"}},
    {"tile.present", {"done", "done", "done", "done"}},
    {"tile.iota", {"done", "done", "none", "done"}},
    {"tile.philox", {"done", "done", "x stage_no_tile, 1 stage_no_tile, 2 done", "done"}},
    {"tile.absent", {"done", "done", "none", "done"}},
    {"tile.constant", {"done", "done", "none", "done"}},
    {"tile.splat", {"done", "done", "stage_no_tile", "done"}},
    {"tile.broadcast", {"done", "done", "done", "done"}},
    {"tile.cat", {"done", "done", "done", "done"}},
    {"tile.expand", {"done", "done", "done", "done"}},
    {"tile.squeeze", {"done", "done", "done", "done"}},
    {"tile.flip", {"done", "done", "done", "done"}},
    {"tile.keep_if", {"done", "done", "done", "done"}},
    {"tile.permute", {"done", "done", "done", "done"}},
    {"tile.reshape", {"done", "done", "done", "done"}},
    {"tile.slice", {"done", "done", "done", "done"}},
    {"tile.reduce", {"done", "done", "done", "done"}},
    {"tile.argmax", {"done", "done", "done", "done"}},
    {"tile.argmin", {"done", "done", "done", "done"}},
    {"tile.histogram", {"done", "done", "done", "done"}},
    {"tile.mma", {"done", "done", "done", "done"}},
    {"tile.scan", {"done", "d0 done, r reduce_class", "done", "done"}},
    {"tile.topk", {"done", "done", "done", "done"}},
    {"tile.reduce_with", {"done", "done", "lhs done, rhs stage_no_tile", "compute_at_pure"}},
    {"tile.scan_with",
     {"done", "d0 done, r reduce_class", "lhs done, rhs stage_no_tile", "compute_at_pure"}},
    {"tile.span_index", {"done", "done", "stage_no_tile", "done"}},
    {"tile.load", {"done", "done", "stage_no_tile", "done"}},
    {"tile.store",
     {"done", "done", "value done, 1 stage_no_tile, 2 stage_no_tile", "compute_at_use"}},
    {"tile.atomic",
     {"done", "done", "value done, 1 stage_no_tile, 2 stage_no_tile", "compute_at_use"}},
    {"tile.copy", {"done", "done", "stage_no_tile", "compute_at_use"}},
    {"tile.copy_out", {"done", "done", "stage_no_tile", "compute_at_use"}},
    {"tile.read", {"done", "done", "stage_no_tile", "compute_at_pure"}},
    {"tile.write", {"done", "done", "value done, 1 stage_no_tile", "compute_at_use"}},
};

/// Why each code of the table is right, once.
const std::map<StringRef, StringRef> reasons = {
    {"reduce_class", "each step of a scan needs the one before, wherever it runs"},
    {"stage_no_tile",
     "a view, a buf, a span, a slot or a number is no tile, and memory holds tiles"},
    {"compute_at_pure", "what reads a buf, or has a body, is done where the program says"},
    {"compute_at_use", "an op without a result has no user in a loop"},
};

//===-- Trials -----------------------------------------------------------------------------------------------------===//

class EveryOp : public ::testing::Test {
protected:
  EveryOp() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<tile::TileDialect>();
  }

  /// Every case, those of the table of elementwise ops, too.
  std::vector<OpCase> allCases() {
    std::vector<OpCase> all = opCases;
    for (mlir::RegisteredOperationName name : context.getRegisteredOperationsByDialect("tile")) {
      if (name.hasTrait<tile::ElementwiseRow>()) {
        all.push_back(
            elementwiseCase(name.getStringRef(), *scalarOpByMnemonic(name.stripDialect())));
      }
    }
    return all;
  }

  mlir::MLIRContext context;
};

/// The op of a case in a host of its own, and one call on it.
class Trial {
public:
  explicit Trial(const OpCase &given) : kernel(kernelOf(given)), ir(kernel) {
    ir.host().getModule().walk([&](mlir::Operation *each) {
      // Others of its name may stand before it, as sources.
      if (each->getName().getStringRef() == given.op) {
        op = each;
      }
      loop = llvm::isa<tile::ForOp>(each) ? each : loop;
    });
  }

  /// `done`, or the code. What was done keeps what the kernel computes.
  std::string call(StringRef primitive, std::vector<Value> args) {
    std::string words = ir.call(primitive, std::move(args));
    if (words.empty()) {
      checkRuns();
      return "done";
    }
    return StringRef(words).split(':').first.str();
  }

  schedule::CursorTable &cursors() { return ir.host().getCursors(); }

  std::string kernel;
  OnIR ir;
  mlir::Operation *op = nullptr, *loop = nullptr;

private:
  void checkRuns() {
    bool hasBufs = false;
    ir.host().getModule().walk([&](tile::AllocOp) { hasBufs = true; });
    if (hasBufs) {
      EXPECT_EQ(ir.call("auto_sync", {}), "") << ir.text();
    }
    Parsed before(kernel), after(ir.text());
    for (int64_t rows : {4, 3}) {
      for (uint64_t seed : {1, 2}) {
        auto wanted = runKernel(before.kernel(), {{"M", rows}}, seed);
        auto found = runKernel(after.kernel(), {{"M", rows}}, seed);
        ASSERT_TRUE(wanted && found);
        EXPECT_EQ(found->difference(*wanted), "") << ir.text();
        for (uint64_t harm = 1; hasBufs && harm <= 4; ++harm) {
          RunOptions options;
          options.adversarial = harm;
          auto other = runKernel(after.kernel(), {{"M", rows}}, seed, options);
          ASSERT_TRUE(other);
          EXPECT_EQ(other->difference(*wanted), "") << ir.text();
        }
      }
    }
  }
};

/// One word where all are alike, else each by its name.
std::string joined(const std::vector<std::pair<std::string, std::string>> &outcomes) {
  std::set<std::string> kinds;
  std::string text;
  for (const auto &[name, outcome] : outcomes) {
    kinds.insert(outcome);
    text += (text.empty() ? "" : ", ") + name + " " + outcome;
  }
  return kinds.empty() ? "none" : kinds.size() == 1 ? *kinds.begin() : text;
}

std::string onDims(const OpCase &given, StringRef primitive, const Value &argument) {
  std::vector<std::pair<std::string, std::string>> outcomes;
  size_t count = schedule::dimsOf(Trial(given).op).size();
  for (size_t i = 0; i < count; ++i) {
    Trial trial(given);
    std::string dim = schedule::dimsOf(trial.op)[i].name;
    outcomes.push_back(
        {dim, trial.call(primitive, {trial.cursors().dim(trial.op, dim), argument})});
  }
  return joined(outcomes);
}

std::string onOperands(const OpCase &given) {
  std::vector<std::pair<std::string, std::string>> outcomes;
  unsigned count = Trial(given).op->getNumOperands();
  for (unsigned i = 0; i < count; ++i) {
    Trial trial(given);
    std::string name = schedule::operandName(trial.op, i);
    outcomes.push_back(
        {name.empty() ? std::to_string(i) : name,
         trial.call("stage", {trial.cursors().operand(trial.op, i), Value::name("shared")})});
  }
  return joined(outcomes);
}

std::string inLoop(const OpCase &given) {
  Trial trial(given);
  return trial.call("compute_at", {trial.cursors().op(trial.op, ValueKind::Op),
                                   trial.cursors().op(trial.loop, ValueKind::Loop)});
}

/// The codes of a cell: `x done, indices stage_no_tile`.
std::set<std::string> codesOf(StringRef cell) {
  std::set<std::string> codes;
  llvm::SmallVector<StringRef> parts;
  cell.split(parts, ", ");
  for (StringRef part : parts) {
    StringRef code = part.rsplit(' ').second;
    codes.insert((code.empty() ? part : code).str());
  }
  return codes;
}

} // namespace

TEST_F(EveryOp, hasACaseAndARow) {
  std::set<std::string> cases;
  for (const OpCase &given : allCases()) {
    EXPECT_TRUE(cases.insert(given.op).second) << given.op << " twice";
  }
  for (mlir::RegisteredOperationName name : context.getRegisteredOperationsByDialect("tile")) {
    bool hasPoints = name.hasInterface<tile::TileIterOpInterface>();
    EXPECT_EQ(hasPoints, cases.count(name.getStringRef().str()) == 1)
        << name.getStringRef().str() << ": give it a kernel in EveryOpKernels.h";
    bool needsRow = hasPoints && !name.hasTrait<tile::ElementwiseRow>();
    EXPECT_EQ(needsRow, table.count(name.getStringRef()) == 1)
        << name.getStringRef().str() << ": give it a row in the table";
  }
}

TEST_F(EveryOp, eachRefusalHasAReason) {
  std::set<std::string> used;
  for (const auto &[op, row] : table) {
    for (StringRef cell : {row.split, row.bind, row.stage, row.computeAt}) {
      EXPECT_NE(cell, "") << op.str();
      for (const std::string &code : codesOf(cell)) {
        EXPECT_TRUE(code == "done" || code == "none" || reasons.count(code)) << op.str() << code;
        used.insert(code);
      }
    }
  }
  for (const auto &[code, why] : reasons) {
    EXPECT_TRUE(used.count(code.str())) << code.str() << " is in no cell";
  }
}

TEST_F(EveryOp, isDoneOrRefusedAsTheTableSays) {
  for (const OpCase &given : allCases()) {
    SCOPED_TRACE(given.op);
    ASSERT_TRUE(Trial(given).op && Trial(given).loop) << kernelOf(given);
    auto found = table.find(given.op);
    const Row &row = found == table.end() ? elementwise : found->second;
    EXPECT_EQ(onDims(given, "split", Value::integer(2)), row.split.str());
    EXPECT_EQ(onDims(given, "bind", Value::name("warp")), row.bind.str());
    EXPECT_EQ(onOperands(given), row.stage.str());
    EXPECT_EQ(inLoop(given), row.computeAt.str());
  }
}
