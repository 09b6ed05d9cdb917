// Fragment maps against the tiles that they hold: each position by one (lane, value), told by the first that fails.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Declarations.h"

namespace tessera::sema {

std::string elementText(int64_t position, llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (int64_t extent : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(position % extent);
    position /= extent;
  }
  return text + "]";
}

std::string counted(int64_t count, llvm::StringRef noun) {
  return (llvm::Twine(count) + " " + noun + (count == 1 ? "" : "s")).str();
}

bool checkFragment(Emitter &e, llvm::StringRef operand, const Layout &layout,
                   llvm::ArrayRef<int64_t> shape, llvm::StringRef scope, int64_t threads,
                   SourceRange range) {
  if (layout.ins().size() != 2) {
    e.error(diag::fragment_inputs, range,
            "write the shape as (lane, value): `((4, 8), (2, 2)) : ((32, 1), (16, 8))`", operand,
            counted(layout.ins().size(), "input"));
    return false;
  }
  int64_t lanes = layout.ins()[0].size(), values = layout.ins()[1].size();
  if (lanes != threads) {
    e.error(diag::fragment_lanes, range,
            "the first part of the shape has an extent for each thread", operand,
            counted(lanes, "lane"), scope, counted(threads, "thread"));
    return false;
  }
  int64_t elements = 1;
  for (int64_t extent : shape) {
    elements *= extent;
  }
  // Tiles are limited (checkShape), so a map that is larger by far collides early.
  std::vector<int64_t> holder(elements, -1);
  for (int64_t value = 0; value < values; ++value) {
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t coords[] = {lane, value};
      int64_t position = layout.evaluate(coords).front();
      if (position >= elements) {
        e.error(diag::fragment_outside, range,
                "the tile's positions run with the first axis fastest, from 0", operand, lane,
                value, position, elements);
        return false;
      }
      int64_t &held = holder[position];
      if (held >= 0) {
        e.error(diag::fragment_collision, range, "give each value a position of its own", operand,
                held % lanes, held / lanes, lane, value, elementText(position, shape));
        return false;
      }
      held = value * lanes + lane;
    }
  }
  auto gap = llvm::find(holder, -1);
  if (gap != holder.end()) {
    e.error(diag::fragment_gap, range,
            "the map has " + counted(lanes * values, "value") + ", the tile " +
                counted(elements, "element"),
            operand, elementText(gap - holder.begin(), shape));
    return false;
  }
  return true;
}

} // namespace tessera::sema
