// The strict functions from where they are defined, lib/Std/math.tile: the library is parsed once per process, a function
// becomes tile IR in the context of the kernel when its module first needs it, and that IR goes through the rows like a
// kernel's own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit.h"

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Frontend/Frontend.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

using namespace tessera;
using namespace tessera::convert;
using llvm::Value;

namespace {
/// One kernel `strict_NAME` per function, which applies it to one element of its arrays.
class Library {
public:
  llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> instantiate(ScalarOp op,
                                                                mlir::MLIRContext &context) {
    // Programs are not made for several threads at once.
    std::lock_guard<std::mutex> lock(mutex);
    engine.clear();
    if (!program) {
      program = Program::loadBuffer(text(), "strict-functions.tile", engine);
    }
    mlir::OwningOpRef<mlir::ModuleOp> module;
    if (program) {
      module = program->instantiate(("strict_" + mnemonic(op)).str(), {}, context);
    }
    if (module) {
      return module;
    }
    std::string report;
    llvm::raw_string_ostream os(report);
    engine.render(os, /*colours=*/false);
    return llvm::createStringError("the library's definition of %s does not compile:\n%s",
                                   mnemonic(op).str().c_str(), report.c_str());
  }

private:
  static std::string text() {
    std::string all;
    for (unsigned i = 0; i < numScalarOps; ++i) {
      const ScalarOpInfo &row = scalarOpTable[i];
      if (!row.hasAccuracy || llvm::StringRef(row.mnemonic) == "sqrt") {
        continue; // sqrt is an operation of every target
      }
      std::string name = row.mnemonic;
      bool two = row.arity == 2;
      all += "kernel strict_" + name + "(x: in view<[N], f32>, " +
             (two ? "e: in view<[N], f32>, " : "") +
             "y: out view<[N], f32>) {\n    grid r in tiles(N, 1)\n    y[r] = std.math." + name +
             (two ? "(x[r], e[r])\n}\n" : "(x[r])\n}\n");
    }
    return all;
  }

  std::mutex mutex;
  SourceManager sources;
  DiagnosticEngine engine{sources};
  std::unique_ptr<Program> program;
};

/// The ops between the loads and the store of such a kernel, emitted into a function.
class Body {
public:
  Body(llvm::Function &function, mlir::MLIRContext &context)
      : function(function), builder(llvm::BasicBlock::Create(function.getContext(), "", &function)),
        scalars(*function.getParent(), context) {}

  llvm::Error emit(mlir::ModuleOp module) {
    llvm::Error error = llvm::Error::success();
    mlir::WalkResult walk = module.walk([&](mlir::Operation *op) {
      if (llvm::Error failed = emit(op)) {
        error = llvm::joinErrors(std::move(error), std::move(failed));
        return mlir::WalkResult::interrupt();
      }
      return mlir::WalkResult::advance();
    });
    if (!walk.wasInterrupted() && !builder.GetInsertBlock()->getTerminator()) {
      return llvm::joinErrors(std::move(error),
                              llvm::createStringError("the kernel stores no result"));
    }
    return error;
  }

private:
  llvm::Error emit(mlir::Operation *op) {
    if (auto load = llvm::dyn_cast<tile::LoadOp>(op)) {
      values[load.getResult()] = function.getArg(arguments++);
      return llvm::Error::success();
    }
    if (auto store = llvm::dyn_cast<tile::StoreOp>(op)) {
      builder.CreateRet(values.lookup(store.getValue()));
      return llvm::Error::success();
    }
    llvm::SmallVector<Value *> operands;
    for (mlir::Value operand : op->getOperands()) {
      Value *known = values.lookup(operand);
      if (!known) {
        return llvm::Error::success(); // extents and spans
      }
      operands.push_back(known);
    }
    if (op->getNumOperands() == 0 && !llvm::isa<tile::ConstantOp>(op)) {
      return llvm::Error::success();
    }
    llvm::Expected<ScalarLowering::Values> results = scalars.lower(builder, op, operands);
    if (!results) {
      return results.takeError();
    }
    for (auto [result, value] : llvm::zip_equal(op->getResults(), *results)) {
      values[result] = value;
    }
    return llvm::Error::success();
  }

  llvm::Function &function;
  llvm::IRBuilder<> builder;
  ScalarLowering scalars;
  llvm::DenseMap<mlir::Value, Value *> values;
  unsigned arguments = 0;
};
} // namespace

llvm::Error convert::defineStrict(llvm::Function &function, ScalarOp op,
                                  mlir::MLIRContext &context) {
  static Library library;
  auto module = library.instantiate(op, context);
  if (!module) {
    return module.takeError();
  }
  return Body(function, context).emit(module->get());
}
