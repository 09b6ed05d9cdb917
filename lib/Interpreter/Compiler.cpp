// Slots, releases and the walk over a block.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compiler.h"

#include "tessera/Dialect/Tile/DTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace tessera;
using namespace tessera::interp;

const OpCases &OpCases::get() {
  static const OpCases cases = [] {
    OpCases all;
    addElementwiseCases(all);
    addShapeCases(all);
    addAbsenceCases(all);
    addReduceCases(all);
    addScanCases(all);
    addSelectionCases(all);
    addProductCases(all);
    addRandomCases(all);
    addViewCases(all);
    addMemoryCases(all);
    addAtomicCases(all);
    addControlCases(all);
    addGridCases(all);
    addMessageCases(all);
    addStorageCases(all);
    addRingCases(all);
    addSectionCases(all);
    addTasksCases(all);
    addParallelCases(all);
    addSyncCases(all);
    return all;
  }();
  return cases;
}

const OpCase *OpCases::find(llvm::StringRef name) const {
  auto found = cases.find(name);
  return found == cases.end() ? nullptr : &found->second;
}

void Compiler::error(RunDiag id, std::string message, mlir::Location where) {
  machine.report.errors.push_back(makeRunError(id, std::move(message), where));
  machine.report.errors.back().values = machine.instance;
}

StepFn Compiler::undefined(mlir::Operation *op, DType dtype) {
  error(RunDiag::run_undefined_op,
        llvm::formatv(runDiagFormat(RunDiag::run_undefined_op).data(), op->getName().getStringRef(),
                      irName(dtype), system().name)
            .str(),
        op->getLoc());
  return nullptr;
}

StepFn Compiler::unknown(mlir::Operation *op, llvm::StringRef why) {
  error(RunDiag::run_unknown_op,
        llvm::formatv(runDiagFormat(RunDiag::run_unknown_op).data(), op->getName().getStringRef(),
                      why)
            .str(),
        op->getLoc());
  return nullptr;
}

SlotRef Compiler::slot(mlir::Value value) {
  auto inserted = slots.try_emplace(value);
  SlotRef &ref = inserted.first->second;
  if (inserted.second) {
    auto assign = [&ref](SlotRef::Kind kind, auto &frame) {
      ref = {kind, static_cast<unsigned>(frame.size())};
      frame.emplace_back();
    };
    if (mlir::isa<tile::ViewType>(value.getType())) {
      assign(SlotRef::view, machine.views);
    } else if (mlir::isa<tile::SpanType>(value.getType())) {
      assign(SlotRef::span, machine.spans);
    } else {
      assign(SlotRef::tile, machine.tiles);
    }
  }
  return ref;
}

const TileType &Compiler::type(mlir::Type type) {
  auto [entry, isNew] = types.try_emplace(type, nullptr);
  if (isNew) {
    TileType &made = typeStore.emplace_back();
    entry->second = &made;
    made.dtype = dtypeIfAny(type).value_or(DType::i1);
    made.elementSize = system().elementSize(made.dtype);
    made.shape.assign(tile::shapeOf(type).begin(), tile::shapeOf(type).end());
    // Out of bounds values are refused in compile(); here they only must not overflow.
    Wide count = 1;
    for (int64_t extent : made.shape) {
      count = std::min<Wide>(count * std::max<int64_t>(extent, 0), Wide(1) << 62);
    }
    made.count = int64_t(count);
  }
  return *entry->second;
}

Transfer Compiler::transfer(mlir::ValueRange from, mlir::ValueRange to) {
  Transfer transfer;
  for (auto [source, target] : llvm::zip_equal(from, to)) {
    transfer.moves.push_back({slot(source), slot(target)});
  }
  return transfer;
}

uint32_t Compiler::memoryOp(mlir::Operation *op) {
  machine.memoryOps.push_back(op);
  return machine.memoryOps.size();
}

/// A value is released after the op of its own block that uses it last, itself or in a region: loops run their bodies
/// many times, so nothing from outside a block is released inside.
void Compiler::planReleases(mlir::Block &block, Code &code) {
  llvm::DenseSet<mlir::Value> later;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 2>> releases;
  for (mlir::Operation &op : llvm::reverse(block)) {
    llvm::SmallVector<unsigned, 2> &here = releases[&op];
    bool atEnd = op.hasTrait<mlir::OpTrait::IsTerminator>();
    auto release = [&](mlir::Value value) {
      auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
      if (argument && mlir::isa<tile::KernelOp>(block.getParentOp())) {
        return; // each CTA of `tile.tasks` runs what stands before them once more
      }
      SlotRef ref = slot(value);
      // The end of a loop's step fills the block's own arguments for the next step.
      if (ref.kind == SlotRef::tile && !(atEnd && argument)) {
        here.push_back(ref.index);
      }
    };
    for (mlir::Value result : op.getResults()) {
      if (!later.contains(result)) {
        release(result);
      }
    }
    op.walk([&](mlir::Operation *user) {
      for (mlir::Value operand : user->getOperands()) {
        if (operand.getParentBlock() == &block && later.insert(operand).second) {
          release(operand);
        }
      }
    });
  }
  for (Step &step : code.steps) {
    step.releases = std::move(releases[step.op]);
  }
  if (!block.empty() && block.back().hasTrait<mlir::OpTrait::IsTerminator>()) {
    code.releasesAtEnd = std::move(releases[&block.back()]);
  }
}

namespace {
/// The values of an op that must fit in memory, if any is a tile too large.
std::optional<mlir::Type> tooLarge(Compiler &compiler, mlir::Operation &op) {
  auto isLarge = [&](mlir::Type type) {
    const TileType &tile = compiler.type(type);
    return Wide(tile.count) * tile.elementSize > maxTileBytes || tile.rank() > maxRank;
  };
  for (mlir::Type type : op.getResultTypes()) {
    if (dtypeIfAny(type) && !mlir::isa<tile::ViewType>(type) && isLarge(type)) {
      return type;
    }
  }
  return std::nullopt;
}

std::string textOf(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  type.print(os);
  return text;
}
} // namespace

void Compiler::failSize(mlir::Type type, Wide bytes, mlir::Location where) {
  uint64_t shown = uint64_t(std::min<Wide>(bytes, INT64_MAX));
  error(
      RunDiag::run_tile_size,
      llvm::formatv(runDiagFormat(RunDiag::run_tile_size).data(), textOf(type), shown, maxTileBytes)
          .str(),
      where);
}

bool Compiler::refusesSize(mlir::Type type, Wide bytes, mlir::Location where) {
  if (bytes <= maxTileBytes) {
    return false;
  }
  failSize(type, bytes, where);
  return true;
}

void Compiler::compile(mlir::Block &block, Code &code) {
  for (mlir::Operation &op : block) {
    if (op.hasTrait<mlir::OpTrait::IsTerminator>()) {
      continue;
    }
    if (std::optional<mlir::Type> large = tooLarge(*this, op)) {
      const TileType &tile = type(*large);
      failSize(*large, Wide(tile.count) * tile.elementSize, op.getLoc());
      continue;
    }
    const OpCase *opCase = OpCases::get().find(op.getName().getStringRef());
    StepFn step = opCase ? (*opCase)(*this, &op) : unknown(&op, "");
    if (step) {
      code.steps.push_back({std::move(step), &op, {}});
    }
  }
  planReleases(block, code);
}
