// Assertions, assumptions and printing.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Compiler.h"
#include "../Mutants.h"
#include "Integers.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Numeric/Value.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::interp;

namespace {
StepFn compileCheck(Compiler &c, mlir::Value conditionValue, llvm::StringRef text, RunDiag id) {
  TileSlot condition = c.tile(conditionValue);
  return [=, text = text.str()](Machine &m) {
    const TileValue &value = m.tiles[condition.index];
    Ref present = presence(m.pool, value.factors, condition.type->shape);
    for (int64_t i = 0; i < condition.type->count; ++i) {
      bool asked = !present || TESSERA_MUTANT(34, "assertions ask absent elements",
                                              present.as<uint8_t>()[i] != 0, true);
      if (value.data.as<uint8_t>()[i] || !asked) {
        continue;
      }
      std::vector<int64_t> index;
      for (int64_t at : indexOfPosition(condition.type->shape, i)) {
        index.push_back(at);
      }
      std::string where = index.empty() ? "" : " for element " + describeIndex(index);
      if (RunError *error = m.fail(id, where, text)) {
        error->index = std::move(index);
      }
      return;
    }
  };
}

StepFn compileAssert(Compiler &c, tile::AssertOp op) {
  return compileCheck(c, op.getCondition(), op.getText(), RunDiag::run_assert);
}
StepFn compileAssume(Compiler &c, tile::AssumeOp op) {
  return compileCheck(c, op.getCondition(), op.getText(), RunDiag::run_assume);
}

void printElement(llvm::raw_ostream &os, DType dtype, const std::byte *native) {
  if (dtype == DType::i1) {
    os << (*reinterpret_cast<const uint8_t *>(native) ? "true" : "false");
  } else if (dtype == DType::ui64) {
    os << *reinterpret_cast<const uint64_t *>(native);
  } else if (isInteger(dtype)) {
    os << int64_t(integerAt(dtype, native, 0));
  } else {
    int digits = bitWidth(dtype) == 64 ? 17 : bitWidth(dtype) == 32 ? 9 : 5;
    os << llvm::format("%.*g", digits, toDouble(dtype, native));
  }
}

StepFn compilePrint(Compiler &c, tile::PrintOp op) {
  TileSlot value = c.tile(op.getValue());
  // A system that holds floats alike would round them to the type of the program.
  DType shown =
      c.system().holdsFloatsAlike() && isFloat(value.type->dtype) ? DType::f64 : value.type->dtype;
  Kernel1 store = c.system().store(shown);
  if (!store) {
    return c.undefined(op, value.type->dtype);
  }
  return [=, text = op.getText().str()](Machine &m) {
    if (!m.options.print) {
      return;
    }
    llvm::raw_ostream &os = *m.options.print;
    Ref present = presence(m.pool, m.tiles[value.index].factors, value.type->shape);
    std::string at = m.point < 2 ? "" : " at " + m.describePoint(m.point);
    for (int64_t i = 0; i < value.type->count; ++i) {
      os << text << at;
      if (value.type->rank()) {
        IndexVector index = indexOfPosition(value.type->shape, i);
        os << " " << describeIndex(index);
      }
      os << " = ";
      if (present && !present.as<uint8_t>()[i]) {
        os << "absent\n";
        continue;
      }
      alignas(8) std::byte native[8] = {};
      store(m.data(value.index) + i * value.type->elementSize, native, 1);
      printElement(os, shown, native);
      os << "\n";
    }
  };
}
} // namespace

void tessera::interp::addMessageCases(OpCases &cases) {
  cases.add<tile::AssertOp>(compileAssert);
  cases.add<tile::AssumeOp>(compileAssume);
  cases.add<tile::PrintOp>(compilePrint);
}
