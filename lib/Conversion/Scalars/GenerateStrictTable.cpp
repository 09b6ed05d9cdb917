// A program of the build: compiles the strict functions of lib/Std/math.tile to tile IR and writes their ops as the table of
// StrictTable.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpModes.h"
#include "StrictTable.h"

#include "tessera/Frontend/Frontend.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <vector>

using namespace tessera;
using namespace tessera::convert;

namespace {
/// A function of lib/Std/math.tile that holds in the middle of the range of NAME: NAME_middle, for |x| <= bound.
struct Middle {
  llvm::StringLiteral name;
  llvm::StringLiteral bound;
};
} // namespace
static constexpr Middle middles[] = {{"exp", "87.0f"}, {"exp2", "125.0f"}};

/// A kernel `strict_NAME`, which applies the function to one element of its arrays.
static std::string kernelText(llvm::StringRef function, bool two) {
  std::string name = function.str();
  return "kernel strict_" + name + "(x: in view<[N], f32>, " +
         (two ? "e: in view<[N], f32>, " : "") +
         "y: out view<[N], f32>) {\n    grid r in tiles(N, 1)\n    y[r] = std.math." + name +
         (two ? "(x[r], e[r])\n}\n" : "(x[r])\n}\n");
}

namespace {
/// The ops between the loads and the store of such a kernel as steps.
class Steps {
public:
  explicit Steps(unsigned arity) : arity(arity) {}

  llvm::Error add(mlir::ModuleOp kernel) {
    llvm::Error error = llvm::Error::success();
    kernel.walk([&](mlir::Operation *op) {
      if (llvm::Error failed = add(op)) {
        error = llvm::joinErrors(std::move(error), std::move(failed));
      }
    });
    if (!error && !stored) {
      return llvm::createStringError("the kernel stores nothing that is computed from its loads");
    }
    return error;
  }

  std::vector<StrictStep> steps;
  unsigned result = 0;

private:
  llvm::Error add(mlir::Operation *op) {
    if (auto load = llvm::dyn_cast<tile::LoadOp>(op)) {
      numbers[load.getResult()] = arguments++;
      return llvm::Error::success();
    }
    StrictStep step = {};
    unsigned count = op->getNumOperands();
    for (unsigned i = 0; i < count; ++i) {
      auto known = numbers.find(op->getOperand(i));
      if (known == numbers.end() && !(llvm::isa<tile::StoreOp>(op) && i > 0)) {
        return llvm::Error::success(); // of extents and spans
      }
      if (known != numbers.end() && i < 3) {
        step.operands[i] = uint16_t(known->second);
      }
    }
    if (llvm::isa<tile::StoreOp>(op)) {
      result = step.operands[0];
      stored = true;
      return llvm::Error::success();
    }
    if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op)) {
      addConstant(constant, step);
      return llvm::Error::success();
    }
    if (count == 0 || count > 3) {
      return llvm::Error::success();
    }
    return describe(op, step);
  }

  void addConstant(tile::ConstantOp op, StrictStep step) {
    step.kind = StrictStep::constant;
    step.type = step.to = dtypeOf(op.getResult().getType());
    elementOf(op.getValue(), &step.pattern); // little-endian
    auto known = constants.try_emplace({step.type, step.pattern}, arity + unsigned(steps.size()));
    numbers[op.getResult()] = known.first->second;
    if (known.second) {
      steps.push_back(step);
    }
  }

  llvm::Error describe(mlir::Operation *op, StrictStep step) {
    step.type = dtypeOf(op->getOperand(0).getType());
    step.to = dtypeOf(op->getResult(0).getType());
    if (std::optional<ScalarOp> row = scalarOpByMnemonic(op->getName().stripDialect())) {
      step.kind = StrictStep::row;
      step.code = uint8_t(*row);
    } else if (auto cast = llvm::dyn_cast<tile::CastOp>(op)) {
      CastModes modes(cast);
      step.kind = StrictStep::cast;
      step.round = modes.round;
      step.overflow = modes.overflow;
    } else if (auto compare = llvm::dyn_cast<tile::CmpOp>(op)) {
      step.kind = StrictStep::compare;
      step.code = uint8_t(compare.getPredicate());
    } else if (llvm::isa<tile::SelectOp>(op)) {
      step.kind = StrictStep::select;
    } else if (llvm::isa<tile::BitsOp, tile::FromBitsOp>(op)) {
      step.kind = StrictStep::bits;
    } else {
      return llvm::createStringError("%s is in a strict function; lib/Conversion/Scalars has no "
                                     "step for it",
                                     op->getName().getStringRef().str().c_str());
    }
    numbers[op->getResult(0)] = arity + unsigned(steps.size());
    steps.push_back(step);
    return llvm::Error::success();
  }

  unsigned arity, arguments = 0;
  bool stored = false;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  std::map<std::pair<DType, uint64_t>, unsigned> constants;
};
} // namespace

static void print(llvm::raw_ostream &os, const StrictStep &s) {
  os << "    {StrictStep::Kind(" << int(s.kind) << "), " << int(s.code) << ", DType(" << int(s.type)
     << "), DType(" << int(s.to) << "), Round(" << int(s.round) << "), Overflow(" << int(s.overflow)
     << "), {" << s.operands[0] << ", " << s.operands[1] << ", " << s.operands[2] << "}, 0x"
     << llvm::utohexstr(s.pattern) << "u},\n";
}

/// The function's steps as an array strict_NAME; gives the number of the result.
static llvm::Expected<unsigned> writeSteps(llvm::raw_ostream &os, Program &program,
                                           mlir::MLIRContext &context, llvm::StringRef function,
                                           unsigned arity) {
  std::string name = ("strict_" + function).str();
  auto kernel = program.instantiate(name, {}, context);
  if (!kernel) {
    return llvm::createStringError("%s does not compile", name.c_str());
  }
  Steps steps(arity);
  if (llvm::Error error = steps.add(*kernel)) {
    return error;
  }
  os << "static const StrictStep " << name << "[] = {\n";
  for (const StrictStep &step : steps.steps) {
    print(os, step);
  }
  os << "};\n";
  return steps.result;
}

/// The three last members of an entry.
static llvm::Expected<std::string> middleOf(llvm::raw_ostream &os, Program &program,
                                            mlir::MLIRContext &context, llvm::StringRef function) {
  const Middle *known =
      llvm::find_if(middles, [&](const Middle &middle) { return middle.name == function; });
  if (known == std::end(middles)) {
    return "{}, 0, 0.0f";
  }
  std::string name = function.str() + "_middle";
  llvm::Expected<unsigned> result = writeSteps(os, program, context, name, /*arity=*/1);
  if (!result) {
    return result.takeError();
  }
  return "strict_" + name + ", " + std::to_string(*result) + ", " + known->bound.str();
}

static llvm::Error write(llvm::raw_ostream &os, DiagnosticEngine &engine) {
  std::string text, entries;
  std::vector<const ScalarOpInfo *> rows;
  for (const ScalarOpInfo &row : scalarOpTable) {
    // sqrt is an operation of every target.
    if (row.hasAccuracy && llvm::StringRef(row.mnemonic) != "sqrt") {
      rows.push_back(&row);
      text += kernelText(row.mnemonic, row.arity == 2);
    }
  }
  for (const Middle &middle : middles) {
    text += kernelText(middle.name.str() + "_middle", /*two=*/false);
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto program = Program::loadBuffer(text, "strict-functions.tile", engine);
  if (!program) {
    return llvm::createStringError("lib/Std/math.tile does not compile");
  }
  for (const ScalarOpInfo *row : rows) {
    llvm::Expected<unsigned> result = writeSteps(os, *program, context, row->mnemonic, row->arity);
    if (!result) {
      return result.takeError();
    }
    llvm::Expected<std::string> middle = middleOf(os, *program, context, row->mnemonic);
    if (!middle) {
      return middle.takeError();
    }
    entries += "    {ScalarOp(" + std::to_string(row - scalarOpTable) + "), strict_" +
               row->mnemonic + ", " + std::to_string(*result) + ", " + *middle + "},\n";
  }
  os << "static const StrictFunction strictTable[] = {\n" << entries << "};\n";
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: tessera-strict-table OUT.inc\n";
    return 2;
  }
  std::error_code code;
  llvm::raw_fd_ostream os(argv[1], code);
  SourceManager sources;
  DiagnosticEngine engine(sources);
  llvm::Error error = code ? llvm::errorCodeToError(code) : write(os, engine);
  if (error) {
    engine.render(llvm::errs());
    llvm::errs() << "tessera-strict-table: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
