// Questions with a yes or no: equality, injectivity, surjectivity.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Digits.h"
#include "F2.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <set>
#include <tuple>

using namespace tessera;

bool tessera::equivalent(const Layout &a, const Layout &b) {
  if (a.ins().size() != b.ins().size() || a.outs().size() != b.outs().size()) {
    return false;
  }
  llvm::SmallVector<llvm::StringRef> ins;
  llvm::SmallVector<llvm::StringRef> outs;
  for (const InDim &in : a.ins()) {
    ins.push_back(in.name);
  }
  for (const OutDim &out : a.outs()) {
    outs.push_back(out.name);
  }
  llvm::Expected<Layout> sorted = b.reorderIns(ins);
  if (sorted) {
    sorted = sorted->reorderOuts(outs);
  }
  if (!sorted) {
    llvm::consumeError(sorted.takeError());
    return false;
  }
  // Different dims of size 1 have no modes after coalescing, and both normal forms are unique.
  return a.coalesce().ins() == sorted->coalesce().ins();
}

namespace {
using Wide = __int128;

struct Step {
  int64_t extent;
  int64_t stride;
};

/// The shell as steps of one number: the outputs outside of their atoms, in mixed radix.
llvm::SmallVector<Step> shellSteps(const Layout &layout, const Digits &digits) {
  llvm::SmallVector<Step> steps;
  for (const ShellDigit &digit : digits.shell) {
    int64_t scale = 1;
    int64_t stride = 0;
    for (unsigned out = 0; out < layout.outs().size(); ++out) {
      stride += (digit.strides[out] >> digits.atomBits[out]) * scale;
      scale *= ((layout.outs()[out].size - 1) >> digits.atomBits[out]) + 1;
    }
    steps.push_back({digit.extent, stride});
  }
  llvm::sort(steps, [](Step a, Step b) { return a.stride < b.stride; });
  return steps;
}

/// Looks for two points with one value: digits d_i, |d_i| < extent_i, not all 0, with the sum of d_i * stride_i = 0.
class CollisionSearch {
public:
  explicit CollisionSearch(llvm::ArrayRef<Step> ascending)
      : steps(ascending), reach(ascending.size() + 1, 0) {
    for (size_t i = 0; i < steps.size(); ++i) {
      reach[i + 1] = reach[i] + (steps[i].extent - 1) * steps[i].stride;
    }
  }

  bool found() { return isCrowded() || pairMeets() || search(steps.size(), 0, false); }

private:
  /// More points than values.
  bool isCrowded() const {
    Wide points = 1;
    for (Step step : steps) {
      points *= step.extent;
    }
    return points > Wide(reach.back()) + 1;
  }

  /// Two steps have a common multiple within their extents: the usual case, found without a search.
  bool pairMeets() const {
    for (size_t i = 0; i < steps.size(); ++i) {
      for (size_t j = i + 1; j < steps.size(); ++j) {
        int64_t common = std::gcd(steps[i].stride, steps[j].stride);
        if (steps[j].stride / common < steps[i].extent &&
            steps[i].stride / common < steps[j].extent) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether sum + a * x + b * y = 0 has a solution within the extents of the two lowest steps: y is known modulo a / gcd.
  bool closes(int64_t sum) const {
    Step a = steps[0];
    Step b = steps[1];
    int64_t common = std::gcd(a.stride, b.stride);
    if (sum % common) {
      return false;
    }
    Wide modulus = a.stride / common;
    Wide wanted = Wide(-(sum / common)) * inverseModulo(b.stride / common, a.stride / common);
    Wide reachOfA = Wide(a.extent - 1) * a.stride;
    Wide low = std::max<Wide>(1 - b.extent, -floorDiv(reachOfA + sum, b.stride));
    Wide high = std::min<Wide>(b.extent - 1, floorDiv(reachOfA - sum, b.stride));
    // The first number from `low` on that is `wanted` modulo `modulus`.
    Wide first = low + ((wanted - low) % modulus + modulus) % modulus;
    return first <= high;
  }

  static Wide floorDiv(Wide a, Wide b) { return a / b - (a % b < 0); }

  /// x with value * x = 1 modulo `modulus`, for numbers without a common factor (Euclid).
  static Wide inverseModulo(Wide value, Wide modulus) {
    Wide r0 = modulus;
    Wide r1 = value % modulus;
    Wide x0 = 0;
    Wide x1 = 1;
    while (r1 != 0) {
      Wide quotient = r0 / r1;
      std::tie(r0, r1) = std::pair(r1, r0 - quotient * r1);
      std::tie(x0, x1) = std::pair(x1, x0 - quotient * x1);
    }
    return modulus == 1 ? 0 : (x0 % modulus + modulus) % modulus;
  }

  /// The steps below `count` are left; they cover [-reach, reach].
  bool search(size_t count, int64_t sum, bool moved) {
    if (count == 0) {
      return moved && sum == 0;
    }
    if (count == 2) {
      return moved && closes(sum); // `pairMeets` has looked at the two alone
    }
    if (moved && count > 1 && !seen.insert({count, sum}).second) {
      return false;
    }
    const Step &step = steps[count - 1];
    if (count == 1) {
      return moved && sum % step.stride == 0 && std::abs(sum / step.stride) < step.extent;
    }
    int64_t room = reach[count - 1];
    // While nothing moved, d and -d are alike.
    int64_t low = moved ? 1 - step.extent : 0;
    for (int64_t digit = std::max(low, (-room - sum) / step.stride); digit < step.extent; ++digit) {
      int64_t next = sum + digit * step.stride;
      if (next > room) {
        break;
      }
      if (next >= -room && search(count - 1, next, moved || digit != 0)) {
        return true;
      }
    }
    return false;
  }

  llvm::ArrayRef<Step> steps;
  llvm::SmallVector<int64_t> reach;
  std::set<std::pair<size_t, int64_t>> seen;
};
} // namespace

bool tessera::isInjective(const Layout &layout) {
  Digits digits = ownDigits(layout);
  if (f2Rank(digits.columns()) != digits.bits.size()) {
    return false;
  }
  llvm::SmallVector<Step> steps = shellSteps(layout, digits);
  if (!steps.empty() && steps.front().stride == 0) {
    return false;
  }
  return !CollisionSearch(steps).found();
}

bool tessera::isInjectiveDecidedSoon(const Layout &layout) {
  constexpr Wide most = 4096;
  Digits digits = ownDigits(layout);
  Wide choices = 1;
  Wide reach = 0;
  // The search chooses a digit of each step from the widest stride on; where a stride is beyond the reach of all smaller
  // ones there is no choice, and the two smallest are solved for.
  for (auto [i, step] : llvm::enumerate(shellSteps(layout, digits))) {
    if (i >= 2 && step.stride <= reach) {
      choices *= step.stride == 0 ? 1 : std::min<Wide>(step.extent, reach / step.stride + 1);
      if (choices > most) {
        return false;
      }
    }
    reach += Wide(step.extent - 1) * step.stride;
  }
  return true;
}

bool tessera::isSurjective(const Layout &layout) {
  Digits digits = ownDigits(layout);
  if (f2Rank(digits.columns()) != digits.numAtomBits()) {
    return false;
  }
  int64_t cells = 1;
  for (unsigned out = 0; out < layout.outs().size(); ++out) {
    int64_t atom = int64_t(1) << digits.atomBits[out];
    if (layout.outs()[out].size % atom) {
      return false;
    }
    cells *= layout.outs()[out].size / atom;
  }
  // The sums of the steps so far are an interval [0, reach); a step larger than it leaves a gap that no later one fills.
  int64_t reach = 1;
  for (Step step : shellSteps(layout, digits)) {
    if (step.stride > reach) {
      return false;
    }
    reach += (step.extent - 1) * step.stride;
  }
  return reach == cells;
}
