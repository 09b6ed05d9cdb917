// From a launch record and the arguments of one call to what is launched: extents, checks, the version, grid and parameters.
// Nothing here touches a device.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNTIME_PLAN_H
#define TESSERA_RUNTIME_PLAN_H

#include "tessera/Runtime/LaunchRecord.h"

#include <array>

namespace tessera::runtime {

/// A view: where element (0, …, 0) lies, sizes and strides in elements. A scalar: its bytes.
struct Argument {
  uint64_t address = 0;
  std::vector<int64_t> shape, strides;
  std::array<uint8_t, 8> scalar{};

  /// A view whose last axis is contiguous and without gaps.
  static Argument dense(uint64_t address, std::vector<int64_t> shape);
  template <typename T> static Argument ofScalar(T value) {
    static_assert(sizeof(T) <= 8);
    Argument argument;
    __builtin_memcpy(argument.scalar.data(), &value, sizeof(T));
    return argument;
  }
};

struct LaunchPlan {
  std::vector<int64_t> extents;
  /// Index into the record's versions.
  unsigned version = 0;
  /// CTAs; 0: there is nothing to do.
  uint32_t grid = 0;
  /// As the entry takes them, 8 bytes each.
  std::vector<std::array<uint8_t, 8>> parameters;
  int64_t bytes = 0;
};

/// Extents from sizes of the arguments, in the record's order. For outputs that are not made yet give axes of size -1: only
/// extents that do not need them can be had.
Result<std::vector<int64_t>> solveExtents(const LaunchRecord &record,
                                          const std::vector<Argument> &arguments);

/// The shape that an argument must have.
Result<std::vector<int64_t>> shapeOf(const LaunchRecord &record,
                                     const std::vector<Argument> &arguments, unsigned argument);

/// Errors name the kernel, the argument and the axis, or the condition.
Result<LaunchPlan> planLaunch(const LaunchRecord &record, const std::vector<Argument> &arguments);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_PLAN_H
