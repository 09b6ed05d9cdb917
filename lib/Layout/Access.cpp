// Runs, banks and sectors. Where the access is all bits the answer is a rank (as in Zhou et al., "Linear Layouts", 2025);
// otherwise the accesses are looked at one by one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Access.h"

#include "Digits.h"
#include "F2.h"

#include "tessera/Layout/Algebra.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace tessera;

namespace {
constexpr int64_t wordBytes = 4;
constexpr int64_t numBanks = 32;
constexpr int64_t sectorBytes = 32;
constexpr int64_t maxAccesses = int64_t(1) << 22;

llvm::Error checkOneOut(const Layout &layout) {
  if (layout.outs().size() == 1) {
    return llvm::Error::success();
  }
  return layoutError(LayoutDiag::layout_dims,
                     llvm::formatv("access: a layout with {0} outputs, expected a position in "
                                   "memory; flatten the outputs first",
                                   layout.outs().size())
                         .str());
}
} // namespace

llvm::Expected<int64_t> tessera::contiguousRun(const Layout &layout, llvm::StringRef dim) {
  if (llvm::Error error = checkOneOut(layout)) {
    return std::move(error);
  }
  std::optional<unsigned> in = layout.findIn(dim);
  if (!in) {
    return layoutError(LayoutDiag::layout_dims,
                       ("access: the layout has no dim `" + dim + "`").str());
  }
  Layout joined = layout.coalesce();
  llvm::ArrayRef<Mode> modes = joined.ins()[*in].modes;
  if (modes.empty()) {
    return 1;
  }
  // The run goes on over XORed bits while their images are the next powers of two, hence the search by extent.
  int64_t run = 1;
  size_t used = 0;
  while (used < modes.size() && modes[used].strides[0].value == run) {
    run *= modes[used].extent;
    ++used;
  }
  // A group stays together if everything else moves it by multiples of its length.
  for (unsigned other = 0; other < joined.ins().size(); ++other) {
    llvm::ArrayRef<Mode> list = joined.ins()[other].modes;
    for (const Mode &mode : other == *in ? list.drop_front(used) : list) {
      run = std::gcd(run, mode.strides[0].value);
    }
  }
  return run;
}

llvm::Expected<int64_t> tessera::commonVector(const Layout &a, const Layout &b) {
  llvm::Expected<Layout> back = rightInverse(b);
  llvm::Expected<Layout> between = back ? compose(a, *back) : std::move(back);
  if (!between) {
    return between.takeError();
  }
  Layout flat = between->flattenIns(dims::offset);
  return contiguousRun(flat, dims::offset);
}

namespace {
struct AccessPlan {
  Layout layout;      // inputs register, lane, others
  int64_t lanes = 1;  // at most 32
  int64_t groups = 1; // instructions: groups of registers times the points of other inputs
};

llvm::Error checkWidth(AccessWidth width) {
  auto wrong = [&](llvm::StringRef what) {
    return layoutError(LayoutDiag::access_width, width.bytes, width.elementBytes, what);
  };
  auto fits = [](int64_t bytes) { return bytes > 0 && bytes <= 16 && llvm::isPowerOf2_64(bytes); };
  if (!fits(width.bytes) || !fits(width.elementBytes)) {
    return wrong("expected 1, 2, 4, 8 or 16 bytes");
  }
  if (width.bytes < width.elementBytes) {
    return wrong("expected whole elements; use a wider access");
  }
  return llvm::Error::success();
}

llvm::Expected<AccessPlan> planAccess(const Layout &access, AccessWidth width) {
  llvm::Error error = checkWidth(width);
  if (!error) {
    error = checkOneOut(access);
  }
  if (error) {
    return std::move(error);
  }
  AccessPlan plan{access, access.inSize(dims::lane), 1};
  if (plan.lanes > numBanks) {
    return layoutError(
        LayoutDiag::access_dims,
        llvm::formatv("{0} lanes, at most 32 act together; divide `lane` into `lane` "
                      "and `warp`",
                      plan.lanes)
            .str());
  }
  int64_t run = 1;
  if (access.findIn(dims::reg)) {
    llvm::Expected<int64_t> found = contiguousRun(access, dims::reg);
    if (!found) {
      return found.takeError();
    }
    run = *found;
  }
  if (run % width.elements()) {
    return layoutError(LayoutDiag::access_width, width.bytes, width.elementBytes,
                       llvm::formatv("registers lie in aligned runs of {0} elements, expected a "
                                     "multiple of {1}; use a narrower access",
                                     run, width.elements())
                           .str());
  }
  plan.groups = access.size() / plan.lanes / width.elements();
  if (plan.groups * plan.lanes > maxAccesses) {
    return layoutError(LayoutDiag::access_dims,
                       llvm::formatv("{0} accesses, at most {1} are looked at; slice the layout",
                                     plan.groups * plan.lanes, maxAccesses)
                           .str());
  }
  return plan;
}

/// First byte of each lane, for each instruction.
void forEachInstruction(const AccessPlan &plan, AccessWidth width,
                        llvm::function_ref<void(LaneBytes)> function) {
  const Layout &layout = plan.layout;
  std::optional<unsigned> lane = layout.findIn(dims::lane);
  std::optional<unsigned> reg = layout.findIn(dims::reg);
  llvm::SmallVector<std::optional<int64_t>> bytes(plan.lanes);
  int64_t others = layout.size() / plan.lanes;
  for (int64_t index = 0; index < others; ++index) {
    Coords coords(layout.ins().size(), 0);
    int64_t left = index;
    for (unsigned in = 0; in < coords.size(); ++in) {
      if (in != lane) {
        coords[in] = left % layout.ins()[in].size();
        left /= layout.ins()[in].size();
      }
    }
    if (reg && coords[*reg] % width.elements()) {
      continue;
    }
    for (int64_t number = 0; number < plan.lanes; ++number) {
      if (lane) {
        coords[*lane] = number;
      }
      bytes[number] = layout.evaluate(coords).front() * width.elementBytes;
    }
    function(bytes);
  }
}

int64_t lanesOfPhase(int64_t accessBytes) {
  return numBanks * wordBytes / std::max(accessBytes, wordBytes);
}

/// The most different words in one bank for lanes that act at once; 0 where none acts.
int64_t degreeOf(LaneBytes lanes, int64_t accessBytes) {
  std::set<int64_t> words;
  int64_t perBank[numBanks] = {};
  int64_t degree = 0;
  for (std::optional<int64_t> first : lanes) {
    if (!first) {
      continue;
    }
    for (int64_t byte = *first; byte < *first + accessBytes; byte += wordBytes) {
      int64_t word = byte / wordBytes;
      if (words.insert(word).second) {
        degree = std::max(degree, ++perBank[word % numBanks]);
      }
    }
  }
  return degree;
}

/// The bits of an access that is nothing but bits: images of lane bits and of the bits within one access, in bytes.
struct LinearAccess {
  llvm::SmallVector<uint64_t> lanes;
  llvm::SmallVector<uint64_t> within;
};

std::optional<LinearAccess> linearAccess(const AccessPlan &plan, AccessWidth width) {
  int64_t size = plan.layout.outs()[0].size;
  if (!llvm::isPowerOf2_64(plan.lanes)) {
    return std::nullopt;
  }
  llvm::Expected<Digits> digits = splitDigits(plan.layout, llvm::Log2_64_Ceil(size));
  if (!digits) {
    llvm::consumeError(digits.takeError());
    return std::nullopt;
  }
  LinearAccess linear;
  for (const ShellDigit &digit : digits->shell) {
    if (plan.layout.ins()[digit.in].name == dims::lane) {
      return std::nullopt;
    }
  }
  for (const BitDigit &bit : digits->bits) {
    uint64_t byte = bit.image * width.elementBytes;
    llvm::StringRef name = plan.layout.ins()[bit.in].name;
    if (name == dims::lane) {
      linear.lanes.push_back(byte);
    } else if (name == dims::reg && bit.place < width.elements()) {
      linear.within.push_back(byte);
    }
  }
  return linear;
}

/// Words of one bank = |span of word addresses| / |span of their low five bits|.
int64_t linearDegree(const LinearAccess &linear, AccessWidth width) {
  llvm::SmallVector<uint64_t> words;
  for (uint64_t byte : linear.within) {
    words.push_back(byte / wordBytes);
  }
  size_t lanes = llvm::Log2_64(lanesOfPhase(width.bytes));
  for (size_t i = 0; i < std::min(lanes, linear.lanes.size()); ++i) {
    words.push_back(linear.lanes[i] / wordBytes);
  }
  if (width.elementBytes > wordBytes) {
    // An element of 8 or 16 bytes spans words that no register bit tells apart.
    for (int64_t word = 1; word < width.elementBytes / wordBytes; word *= 2) {
      words.push_back(word);
    }
  }
  unsigned all = f2Rank(words);
  for (uint64_t &word : words) {
    word %= numBanks;
  }
  return int64_t(1) << (all - f2Rank(words));
}
} // namespace

BankReport tessera::bankConflicts(LaneBytes lanes, int64_t bytes) {
  size_t together = lanesOfPhase(bytes);
  BankReport report;
  report.phases = report.wavefronts = report.degree = 0;
  for (; !lanes.empty(); lanes = lanes.drop_front(std::min(together, lanes.size()))) {
    int64_t degree = degreeOf(lanes.take_front(together), bytes);
    report.phases += degree > 0;
    report.degree = std::max(report.degree, degree);
    report.wavefronts += degree;
  }
  report.instructions = report.wavefronts > 0;
  report.total = report.wavefronts;
  return report;
}

llvm::Expected<BankReport> tessera::bankConflicts(const Layout &access, AccessWidth width) {
  llvm::Expected<AccessPlan> plan = planAccess(access, width);
  if (!plan) {
    return plan.takeError();
  }
  BankReport report;
  report.phases = llvm::divideCeil(plan->lanes, lanesOfPhase(width.bytes));
  report.instructions = plan->groups;
  if (std::optional<LinearAccess> linear = linearAccess(*plan, width)) {
    report.degree = linearDegree(*linear, width);
    report.wavefronts = report.degree * report.phases;
    report.total = report.wavefronts * report.instructions;
    return report;
  }
  report.total = 0;
  forEachInstruction(*plan, width, [&](LaneBytes lanes) {
    BankReport one = bankConflicts(lanes, width.bytes);
    report.degree = std::max(report.degree, one.degree);
    report.wavefronts = std::max(report.wavefronts, one.wavefronts);
    report.total += one.total;
  });
  return report;
}

SectorReport tessera::globalSectors(LaneBytes lanes, int64_t bytes) {
  std::set<int64_t> sectors, firsts;
  for (std::optional<int64_t> first : lanes) {
    if (first) {
      firsts.insert(*first);
      sectors.insert(*first / sectorBytes);
    }
  }
  SectorReport report;
  report.sectors = report.total = int64_t(sectors.size());
  // Accesses are aligned to their width, so different first bytes mean different bytes, and none lies in two sectors.
  report.ideal = int64_t(llvm::divideCeil(firsts.size() * size_t(bytes), size_t(sectorBytes)));
  return report;
}

llvm::Expected<SectorReport> tessera::globalSectors(const Layout &access, AccessWidth width) {
  llvm::Expected<AccessPlan> plan = planAccess(access, width);
  if (!plan) {
    return plan.takeError();
  }
  SectorReport report;
  forEachInstruction(*plan, width, [&](LaneBytes lanes) {
    SectorReport one = globalSectors(lanes, width.bytes);
    report.sectors = std::max(report.sectors, one.sectors);
    report.ideal = std::max(report.ideal, one.ideal);
    report.total += one.total;
  });
  return report;
}
