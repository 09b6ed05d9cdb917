// Runs, banks and sectors against counting.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Access.h"

#include "TestLayouts.h"

#include "tessera/Layout/Algebra.h"
#include "tessera/Layout/Fragments.h"
#include "tessera/Layout/Notation.h"

#include <map>
#include <set>

using namespace tessera;
using namespace tessera::layouttest;
using testing::HasSubstr;

namespace {
/// Whether aligned groups of n along input 0 are aligned groups of n values, in order.
bool runsBy(const Layout &layout, int64_t n) {
  for (int64_t point = 0; point < layout.size(); ++point) {
    Coords coords = layout.coordsOf(point);
    int64_t within = coords[0] % n;
    int64_t value = layout.at(point);
    coords[0] -= within;
    int64_t first = layout.evaluate(coords)[0];
    if (first % n || value != first + within) {
      return false;
    }
  }
  return true;
}

int64_t longestRun(const Layout &layout) {
  int64_t size = layout.ins()[0].size();
  int64_t best = 1;
  for (int64_t n = 2; n <= size; ++n) {
    best = size % n == 0 && runsBy(layout, n) ? n : best;
  }
  return best;
}

/// (register, lane) -> offset, with runs of registers more often than chance gives.
Layout randomAccess(Random &random) {
  int64_t lanes = below(random, 4) == 0 ? 16 : 32;
  while (true) {
    Layout layout = randomLayout(random, 2, 1);
    InDim run{"register", {Mode{int64_t(1) << below(random, 4), {{1, false}}}}};
    int64_t scale = run.size();
    InDim lane{"lane", {}};
    int64_t count = 1;
    llvm::SmallVector<InDim, 3> ins(layout.ins().begin(), layout.ins().end());
    for (InDim &in : ins) {
      for (Mode mode : in.modes) {
        mode.strides[0].value *= scale;
        bool toLane = count * mode.extent <= lanes && lanes % (count * mode.extent) == 0;
        count *= toLane ? mode.extent : 1;
        (toLane ? lane : run).modes.push_back(mode);
      }
    }
    lane.modes.push_back(Mode{lanes / count, {{below(random, 2) ? scale * 3 : scale * 32, false}}});
    llvm::Expected<Layout> access = Layout::get({run, lane}, OutDim{"offset", 0});
    if (access && access->size() <= 8192) {
      return *access;
    }
    llvm::consumeError(access.takeError());
  }
}

struct Counted {
  int64_t degree = 1;
  int64_t wavefronts = 1;
  int64_t sectors = 0;
};

/// By the rules: 32 lanes of up to 4 bytes, 16 of 8, 8 of 16 act at once; a bank gives one 4-byte word at a time.
Counted count(const Layout &access, AccessWidth width) {
  Counted counted;
  int64_t together = width.bytes <= 4 ? 32 : width.bytes == 8 ? 16 : 8;
  int64_t lanes = access.inSize("lane");
  for (int64_t reg = 0; reg < access.inSize("register"); reg += width.elements()) {
    std::set<int64_t> sectors;
    int64_t wavefronts = 0;
    for (int64_t first = 0; first < lanes; first += together) {
      std::map<int64_t, std::set<int64_t>> words;
      for (int64_t lane = first; lane < std::min(lanes, first + together); ++lane) {
        for (int64_t e = 0; e < width.elements(); ++e) {
          int64_t byte = access.evaluate({reg + e, lane})[0] * width.elementBytes;
          for (int64_t b = byte; b < byte + width.elementBytes; ++b) {
            words[b / 4 % 32].insert(b / 4);
            sectors.insert(b / 32);
          }
        }
      }
      int64_t degree = 1;
      for (auto &[bank, list] : words) {
        degree = std::max<int64_t>(degree, list.size());
      }
      counted.degree = std::max(counted.degree, degree);
      wavefronts += degree;
    }
    counted.wavefronts = std::max(counted.wavefronts, wavefronts);
    counted.sectors = std::max<int64_t>(counted.sectors, sectors.size());
  }
  return counted;
}
} // namespace

TEST(LayoutAccess, ContiguousRunIsTheLongest) {
  Random random(15);
  std::map<int64_t, int> seen;
  for (int round = 0; round < 4000; ++round) {
    Layout layout = round % 2 ? valueOf(randomAccess(random).withInNames({"x0", "x1"}))
                              : randomLayout(random, 1 + below(random, 2), 1);
    if (layout.ins()[0].size() * layout.size() > 100000) {
      continue;
    }
    int64_t run = valueOf(contiguousRun(layout, "x0"));
    ASSERT_EQ(run, longestRun(layout)) << printLayout(layout);
    ++seen[run];
  }
  EXPECT_GT(seen[2], 50);
  EXPECT_GT(seen[8], 50);
  EXPECT_THAT(messageOf(contiguousRun(parse("2 : 1"), "x")), HasSubstr("no dim `x`"));
}

TEST(LayoutAccess, CommonVectorIsTheLongest) {
  Random random(16);
  int found = 0;
  for (int round = 0; round < 4000; ++round) {
    Layout b = randomBijective(random, 1, "p");
    Layout a = below(random, 3) ? randomBijective(random, 1, "p") : b;
    if (a.size() != b.size() || b.size() > 1024) {
      continue;
    }
    llvm::Expected<int64_t> run = commonVector(a, b);
    if (!run) {
      ASSERT_THAT(messageOf(run.takeError()), HasSubstr("T096"));
      continue;
    }
    std::vector<int64_t> between(b.size());
    for (int64_t x = 0; x < b.size(); ++x) {
      between[b.at(x)] = a.at(x);
    }
    int64_t best = 1;
    for (int64_t n = 2; n <= b.size(); ++n) {
      bool fits = b.size() % n == 0;
      for (int64_t p = 0; fits && p < b.size(); ++p) {
        fits = between[p / n * n] % n == 0 && between[p] == between[p / n * n] + p % n;
      }
      best = fits ? n : best;
    }
    ASSERT_EQ(*run, best) << printLayout(a) << "\n" << printLayout(b);
    ++found;
  }
  EXPECT_GT(found, 500);
}

TEST(LayoutAccess, BanksAndSectorsAreCounted) {
  Random random(17);
  std::map<int64_t, int> degrees;
  int refused = 0;
  for (int round = 0; round < 6000; ++round) {
    Layout access = randomAccess(random);
    int64_t elementBytes = int64_t(1) << below(random, 5);
    AccessWidth width{elementBytes, elementBytes << below(random, 3)};
    llvm::Expected<BankReport> banks = bankConflicts(access, width);
    llvm::Expected<SectorReport> sectors = globalSectors(access, width);
    bool fits =
        width.bytes <= 16 && valueOf(contiguousRun(access, "register")) % width.elements() == 0;
    if (!fits) {
      ASSERT_THAT(messageOf(std::move(banks)), HasSubstr("T0977"));
      ASSERT_THAT(messageOf(std::move(sectors)), HasSubstr("T0977"));
      ++refused;
      continue;
    }
    Counted counted = count(access, width);
    BankReport report = valueOf(std::move(banks));
    ASSERT_EQ(report.degree, counted.degree)
        << printLayout(access) << " " << width.elementBytes << " " << width.bytes;
    ASSERT_EQ(report.wavefronts, counted.wavefronts) << printLayout(access);
    ASSERT_EQ(valueOf(std::move(sectors)).sectors, counted.sectors) << printLayout(access);
    ++degrees[counted.degree];
  }
  EXPECT_GT(refused, 200);
  EXPECT_GT(degrees[1], 200);
  EXPECT_GT(degrees[2], 100);
  EXPECT_GT(degrees[8], 20);
}

TEST(LayoutAccess, KnownDegrees) {
  auto degree = [](llvm::StringRef text, int64_t bytes) {
    Layout access = valueOf(parse(text).withInNames({"register", "lane"}));
    return valueOf(bankConflicts(access, {4, bytes})).degree;
  };
  EXPECT_EQ(degree("(1, 32) : (0, 1)", 4), 1);
  EXPECT_EQ(degree("(1, 32) : (0, 2)", 4), 2);
  EXPECT_EQ(degree("(1, 32) : (0, 32)", 4), 32);
  EXPECT_EQ(degree("(1, 32) : (0, 33)", 4), 1);
  EXPECT_EQ(degree("(1, 32) : (0, 0)", 4), 1);
  EXPECT_EQ(degree("(4, 32) : (1, 4)", 16), 1);
  EXPECT_EQ(degree("(4, 32) : (1, 32)", 16), 8);
}

TEST(LayoutAccess, SectorsOfKnownPatterns) {
  auto sectors = [](llvm::StringRef text, AccessWidth width) {
    return valueOf(globalSectors(valueOf(parse(text).withInNames({"register", "lane"})), width));
  };
  EXPECT_EQ(sectors("(1, 32) : (0, 1)", {4, 4}).sectors, 4);
  EXPECT_EQ(sectors("(1, 32) : (0, 2)", {4, 4}).sectors, 8);
  EXPECT_EQ(sectors("(1, 32) : (0, 2)", {4, 4}).ideal, 4);
  EXPECT_EQ(sectors("(8, 32) : (1, 8)", {2, 16}).sectors, 16);
  EXPECT_EQ(sectors("(1, 32) : (0, 1024)", {4, 4}).sectors, 32);
  EXPECT_EQ(sectors("(1, 32) : (0, 0)", {4, 4}).ideal, 1);
}

TEST(LayoutAccess, Refusals) {
  Layout access = valueOf(parse("(4, 32) : (1, 4)").withInNames({"register", "lane"}));
  EXPECT_THAT(messageOf(bankConflicts(access, {4, 12})),
              HasSubstr("access of 12 bytes with elements of 4 bytes: expected 1, 2"));
  EXPECT_THAT(messageOf(bankConflicts(access, {4, 2})), HasSubstr("expected whole elements"));
  EXPECT_THAT(messageOf(bankConflicts(access, {1, 8})),
              HasSubstr("aligned runs of 4 elements, expected a multiple of 8"));
  EXPECT_THAT(messageOf(bankConflicts(valueOf(access.withInNames({"lane", "x"})), {4, 4})),
              testing::HasSubstr("no error"));
  Layout wide = valueOf(parse("64 : 1").withInNames({"lane"}));
  EXPECT_THAT(messageOf(bankConflicts(wide, {4, 4})), HasSubstr("T0978: access: 64 lanes"));
  EXPECT_THAT(messageOf(globalSectors(wide, {4, 4})), HasSubstr("T0978"));
  EXPECT_THAT(messageOf(bankConflicts(mmaM16N8K16C(), {4, 4})),
              HasSubstr("a layout with 2 outputs"));
  Layout huge = valueOf(parse("(16777216, 32) : (32, 1)").withInNames({"x", "lane"}));
  EXPECT_THAT(messageOf(globalSectors(huge, {4, 4})), HasSubstr("at most 4194304 are looked at"));
}
