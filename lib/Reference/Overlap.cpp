// Whether arguments share memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Reference/Extents.h"

#include <algorithm>

using namespace tessera;

namespace {
/// With more elements than this the ranges decide.
constexpr int64_t smallEnough = 1'000'000;

/// Addresses of the bytes of runs of adjacent elements, ascending.
using Runs = std::vector<std::pair<uintptr_t, uintptr_t>>;

Runs runsOf(const HostArray &array) {
  Runs runs;
  const auto base = reinterpret_cast<uintptr_t>(array.data());
  const auto bytes = static_cast<int64_t>(array.elementBytes());
  array.layout().forEachRunByOffset([&](int64_t offset, int64_t count) {
    const uintptr_t first = base + static_cast<uintptr_t>(offset * bytes);
    runs.emplace_back(first, first + static_cast<uintptr_t>(count * bytes));
  });
  return runs;
}

bool shareElements(const HostArray &a, const HostArray &b) {
  if (!a.sharesRange(b)) {
    return false;
  }
  const bool dense = a.layout().isContiguous() && b.layout().isContiguous();
  if (dense || a.numElements() + b.numElements() > smallEnough) {
    return true;
  }
  const Runs left = runsOf(a), right = runsOf(b);
  size_t i = 0, j = 0;
  while (i < left.size() && j < right.size()) {
    if (left[i].second <= right[j].first) {
      ++i;
    } else if (right[j].second <= left[i].first) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}
} // namespace

llvm::Error tessera::checkOverlap(llvm::ArrayRef<PlacedArgument> arguments, mlir::Location where) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const PlacedArgument &a = arguments[i];
    if (!a.array.layout().hasElements()) {
      continue;
    }
    if (a.isWritten && a.array.layout().overlapsItself()) {
      return checkedError(ReferenceDiag::argument_self_overlap, where, {},
                          "use strides that give every element its own address", a.name);
    }
    for (const PlacedArgument &b : arguments.drop_front(i + 1)) {
      if ((!a.isWritten && !b.isWritten) || !b.array.layout().hasElements() ||
          !shareElements(a.array, b.array)) {
        continue;
      }
      return checkedError(ReferenceDiag::arguments_overlap, where, {},
                          "give it memory of its own, for instance a copy", a.name, b.name,
                          a.isWritten ? a.name : b.name);
    }
  }
  return llvm::Error::success();
}
