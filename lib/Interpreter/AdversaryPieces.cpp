// Accesses of several elements at once: vectors, and what an instruction reads or writes in one execution. In order of the
// program an element is an element; a machine faults, or takes other elements, where those of a piece are not where the
// access expects them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adversary.h"
#include "Mutants.h"
#include "Ops/Box.h"
#include "Ops/BufAccess.h"

#include "tessera/Layout/Layout.h"
#include "tessera/Layout/Notation.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::interp;

//===- what is accessed at once -------------------------------------------===//

namespace {
/// The instruction that does an op; null where it is none.
tile::InstrOp instructionOf(mlir::Operation *op) {
  auto apply = op->getParentOfType<tile::ApplyOp>();
  return apply ? mlir::SymbolTable::lookupNearestSymbolFrom<tile::InstrOp>(apply,
                                                                           apply.getInstrAttr())
               : tile::InstrOp();
}

/// The declaration of the only operand of a kind ("view", "smem"); null where there are none or several.
mlir::DictionaryAttr operandOf(tile::InstrOp instr, llvm::StringRef kind) {
  mlir::DictionaryAttr found;
  for (mlir::Attribute operand : instr.getOperandInfo()) {
    auto info = mlir::cast<mlir::DictionaryAttr>(operand);
    if (info.getAs<mlir::StringAttr>("kind").getValue() != kind) {
      continue;
    }
    if (found) {
      return {};
    }
    found = info;
  }
  return found;
}

int64_t numberOf(mlir::DictionaryAttr info, llvm::StringRef name) {
  auto number = info.getAs<mlir::IntegerAttr>(name);
  return number ? number.getInt() : 0;
}

PieceSide sideOf(tile::InstrOp instr, mlir::DictionaryAttr info) {
  PieceSide side;
  if (!info) {
    return side;
  }
  side.isAsked = true;
  side.align = numberOf(info, "align");
  side.rows = numberOf(info, "rows");
  side.isRow = info.contains("contiguous");
  side.hasFamilies = info.contains("families");
  llvm::StringRef name = info.getAs<mlir::StringAttr>("name").getValue();
  side.isTold = instr.getPtx().contains(("present_bytes(" + name + ")").str());
  // What a hook makes of boxes clips them.
  side.isWhole = !instr.getPtx().empty() && !side.isTold;
  return side;
}

int64_t bytesOf(mlir::Type element) { return (element.getIntOrFloatBitWidth() + 7) / 8; }

/// Places of the elements of a buf with a layout, in index order; empty where it has none.
std::vector<int64_t> placesOf(tile::BufType type) {
  std::vector<int64_t> places;
  if (!type.getLayout()) {
    return places;
  }
  llvm::Expected<Layout> layout = parseLayout(type.getLayout().getValue());
  if (!layout) {
    llvm::consumeError(layout.takeError());
    return places;
  }
  Shape shape(type.getShape().begin(), type.getShape().end());
  int64_t count = 1;
  for (int64_t extent : shape) {
    count *= extent;
  }
  for (int64_t i = 0; i < count; ++i) {
    IndexVector index = indexOfPosition(shape, i);
    places.push_back(layout->evaluate(index).front());
  }
  return places;
}

/// A vector asks for the same of every memory.
PieceSide sideOfVector(int64_t bytes) {
  PieceSide side;
  side.isAsked = side.isRow = side.isWhole = true;
  side.align = bytes;
  return side;
}
} // namespace

static std::unique_ptr<PiecePlan> planPieces(mlir::Operation *op) {
  auto plan = std::make_unique<PiecePlan>();
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  auto points = mlir::dyn_cast<tile::TileIterOpInterface>(op);
  if (!iter || !points) {
    return plan;
  }
  int64_t size = 1;
  tile::Place place = tile::Place::vec;
  for (const tile::IterDim &dim : points.getIterDims()) {
    plan->shape.push_back(dim.extent);
    for (const tile::IterFactor &factor : iter.getFactors(dim.name)) {
      place = factor.place == tile::Place::atom ? tile::Place::atom : place;
    }
  }
  for (const tile::IterDim &dim : points.getIterDims()) {
    int64_t &piece = plan->pieces.emplace_back(1);
    for (const tile::IterFactor &factor : iter.getFactors(dim.name)) {
      piece *= factor.place == place ? factor.steps : 1;
    }
    size *= piece;
  }
  tile::InstrOp instr = instructionOf(op);
  bool isVector = place == tile::Place::vec;
  if (size == 1 || (!isVector && !instr)) {
    return plan;
  }
  plan->what = isVector ? "vec " + std::to_string(size) : ("@" + instr.getSymName()).str();
  plan->size = size;
  for (const tile::Window &window : points.getWindows()) {
    auto type = mlir::dyn_cast<tile::BufType>(window.view.getType());
    if (!type) {
      auto view = mlir::cast<tile::ViewType>(window.view.getType());
      plan->view = isVector ? sideOfVector(size * bytesOf(view.getElementType()))
                            : sideOf(instr, operandOf(instr, "view"));
      continue;
    }
    plan->buf = isVector ? sideOfVector(size * bytesOf(type.getElementType()))
                         : sideOf(instr, operandOf(instr, "smem"));
    plan->places = placesOf(type);
    plan->bufElementBytes = bytesOf(type.getElementType());
    plan->reachesPast = !isVector;
  }
  return plan;
}

const PiecePlan &Adversary::piecePlan(uint32_t op) {
  if (op > piecePlans.size()) {
    piecePlans.resize(machine.memoryOps.size());
  }
  std::unique_ptr<PiecePlan> &plan = piecePlans[op - 1];
  if (!plan) {
    plan = planPieces(machine.memoryOps[op - 1]);
  }
  return *plan;
}

//===- the pieces of a tile -----------------------------------------------===//

/// Calls `visit` with the positions of each piece's elements, -1 past the end of the tile; stops where it gives false.
template <class Fn> static bool forEachPiece(const PiecePlan &plan, Fn visit) {
  size_t rank = plan.shape.size();
  Shape counts;
  int64_t pieces = 1;
  for (size_t dim = 0; dim < rank; ++dim) {
    counts.push_back((plan.shape[dim] + plan.pieces[dim] - 1) / plan.pieces[dim]);
    pieces *= counts.back();
  }
  std::vector<int64_t> positions(plan.size);
  Shape inner(plan.pieces.begin(), plan.pieces.end());
  for (int64_t number = 0; number < pieces; ++number) {
    IndexVector first = indexOfPosition(counts, number);
    for (int64_t i = 0; i < plan.size; ++i) {
      IndexVector at = indexOfPosition(inner, i);
      int64_t position = 0;
      for (size_t dim = 0; dim < rank && position >= 0; ++dim) {
        int64_t index = first[dim] * plan.pieces[dim] + at[dim];
        position = index < plan.shape[dim] ? position * plan.shape[dim] + index : -1;
      }
      positions[i] = position;
    }
    if (!visit(llvm::ArrayRef<int64_t>(positions))) {
      return false;
    }
  }
  return true;
}

bool AgentAccess::failPiece(const Memory &memory, int64_t cell, llvm::StringRef why) {
  const PiecePlan &plan = adversary.piecePlan(op);
  Element element = describe(memory, cell);
  if (RunError *error =
          adversary.machine.fail(RunDiag::run_piece, element.name, plan.size - 1, plan.what, why)) {
    error->index = element.index;
  }
  return false;
}

//===- views --------------------------------------------------------------===//

namespace {
/// What a piece of a view has.
struct ViewPiece {
  int64_t present = 0;
  int64_t first = 0; ///< cell where the piece begins, by its first present element
  int64_t cell = 0;  ///< of that element
  bool isPrefix = true, isRow = true;

  ViewPiece(llvm::ArrayRef<int64_t> positions, llvm::ArrayRef<int64_t> cells,
            llvm::ArrayRef<uint8_t> isPresent) {
    for (auto [i, position] : llvm::enumerate(positions)) {
      if (position < 0 || !isPresent[position]) {
        continue;
      }
      int64_t begin = cells[position] - int64_t(i);
      cell = present ? cell : cells[position];
      first = present ? first : begin;
      isRow &= begin == first;
      isPrefix &= present == int64_t(i);
      ++present;
    }
  }
};
} // namespace

bool AgentAccess::checkPieces(const Box &box, const uint8_t *more) {
  const PiecePlan &plan = adversary.piecePlan(op);
  const PieceSide &side = plan.view;
  if (TESSERA_MUTANT(171, "vectors are made of elements", !side.isAsked, true)) {
    return true;
  }
  int64_t count = 1;
  for (int64_t extent : plan.shape) {
    count *= extent;
  }
  std::vector<int64_t> cells(count);
  std::vector<uint8_t> isPresent(count);
  forEachRow(box, [&](int64_t position, int64_t cell, const BoxAxis &row) {
    for (int64_t i = 0; i < row.prefix && position + i < count; ++i) {
      isPresent[position + i] = row.present(i) && (!more || more[position + i]);
      cells[position + i] = cell + row.cell(i);
    }
  });
  const ArrayState &array = adversary.machine.arrays[box.argument];
  auto base = reinterpret_cast<uintptr_t>(array.array->data());
  int64_t bytes = int64_t(array.array->elementBytes());
  Memory memory{nullptr, box.argument, nullptr, std::nullopt};
  return forEachPiece(plan, [&](llvm::ArrayRef<int64_t> positions) {
    ViewPiece piece(positions, cells, isPresent);
    if (piece.present == 0) {
      return true;
    }
    std::string number = std::to_string(piece.present);
    if (side.isWhole && piece.present < plan.size) {
      return failPiece(memory, piece.cell, "only " + number + " of them are present");
    }
    if (side.isTold && !piece.isPrefix) {
      return failPiece(memory, piece.cell, "those that are present are not the first of them");
    }
    if (side.isRow && !piece.isRow) {
      return failPiece(memory, piece.cell, "they do not lie side by side");
    }
    if (side.align && (base + uintptr_t(piece.first * bytes)) % uintptr_t(side.align) != 0) {
      return failPiece(memory, piece.cell,
                       "their address is no multiple of " + std::to_string(side.align) + " bytes");
    }
    return true;
  });
}

//===- bufs ---------------------------------------------------------------===//

/// Whether the elements of every piece lie in groups of `group` along a dim, at multiples of it.
static bool isGrouped(const PiecePlan &plan, unsigned dim, int64_t group) {
  if (plan.pieces[dim] % group != 0) {
    return false;
  }
  int64_t below = 1; // positions between neighbours along the dim, inside of a piece
  for (size_t other = dim + 1; other < plan.pieces.size(); ++other) {
    below *= plan.pieces[other];
  }
  return forEachPiece(plan, [&](llvm::ArrayRef<int64_t> positions) {
    for (int64_t i = 0; i < plan.size; ++i) {
      int64_t inGroup = i / below % plan.pieces[dim] % group;
      int64_t position = positions[i], begin = positions[i - inGroup * below];
      if (position < 0) {
        continue;
      }
      bool isAtMultiple = plan.places[begin] % group == 0;
      if (!isAtMultiple || plan.places[position] != plan.places[begin] + inGroup) {
        return false;
      }
    }
    return true;
  });
}

bool AgentAccess::checkPieces(const BufSlot &slot) {
  const PiecePlan &plan = adversary.piecePlan(op);
  const PieceSide &side = plan.buf;
  if (!side.isAsked) {
    return true;
  }
  Memory memory{nullptr, std::nullopt, &slot, std::nullopt};
  bool fits = !plan.reachesPast || forEachPiece(plan, [&](llvm::ArrayRef<int64_t> positions) {
    return !llvm::is_contained(positions, -1) ||
           failPiece(memory, positions.front(), "the last ones lie past the end of the tile");
  });
  int64_t group = side.rows ? side.rows : side.isRow ? plan.pieces.back() : 1;
  group = std::max<int64_t>(group, side.align / plan.bufElementBytes);
  // Without a layout the elements' places are not chosen yet; those of a family are what lowering makes addresses for.
  if (!fits || plan.places.empty() || side.hasFamilies || group <= 1) {
    return fits;
  }
  // Its rows run along the last dim that it has points of.
  unsigned row = plan.pieces.size() - 1;
  while (row > 0 && plan.pieces[row] == 1) {
    --row;
  }
  return isGrouped(plan, row, group) || failPiece(memory, 0,
                                                  "in the buf's layout they are no groups of " +
                                                      std::to_string(group) + " side by side");
}
