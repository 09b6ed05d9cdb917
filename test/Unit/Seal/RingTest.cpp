//===- RingTest.cpp - turns of slots -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules one by one, each with a near miss; refused kernels with one fault each are test/Schedule/faults.
//
//===----------------------------------------------------------------------===//

#include "Snippets.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tessera;
using namespace tessera::sealtest;

namespace {
const std::string slots = "!tile.buf<32xf32, shared, slots = 2>";
const std::string ring = "%a = tile.alloc : " + slots +
                         "\n%r = tile.ring %a protocol cta_sync : " + slots + " -> !tile.ring<2>\n";
std::string of(const std::string &op) { return "tile." + op + " %r : !tile.ring<2>\n"; }
const std::string fill = "%s = " + of("acquire") +
                         "tile.write %zero to %a slot %s : tensor<32xf32> to " + slots + "\n" +
                         of("commit");
const std::string use = "%v = " + of("await") + "%u = tile.read %a slot %v span[:] : " + slots +
                        " -> tensor<32xf32>\n" + "tile.print \"seen\", %u : tensor<32xf32>\n" +
                        of("release");
std::string steps(const std::string &body) {
  return "tile.grid (%p = range(%c0 to %R)) {\n" + ring + "tile.for %k in range(%c0 to %N) {\n" +
         body + "}\n}";
}
} // namespace

TEST(SealRings, OneTurnIsOrderedByHand) {
  std::string write = "tile.write %zero to %a slot %s : tensor<32xf32> to " + slots + "\n";
  auto inner = [&](const std::string &body) {
    return codes(steps("%s = " + of("acquire") + "tile.for %j in range(%c0 to %N) {\n" + body +
                       "}\n" + of("commit") + use));
  };
  EXPECT_EQ(codes(steps(fill + use)), "");
  EXPECT_EQ(inner(write + barrier), "");
  EXPECT_EQ(inner(write), "T1211");
}

TEST(SealRings, SlotsForAllFillsOfAStep) {
  std::string again = fill, later = use;
  for (std::string *text : {&again, &later}) {
    for (const char *name : {"%s", "%v", "%u"}) {
      for (size_t at = text->find(name); at != std::string::npos; at = text->find(name, at + 3)) {
        text->insert(at + 2, "2");
      }
    }
  }
  EXPECT_EQ(codes(steps(fill + again + use + later)), "");
  EXPECT_EQ(codes(steps(fill + use + again + later)), "");
  // Three fills before the first use.
  std::string third = again;
  for (size_t at = third.find("%s2"); at != std::string::npos; at = third.find("%s2", at + 3)) {
    third.replace(at, 3, "%s3");
  }
  std::string last = later;
  for (const char *name : {"%v2", "%u2"}) {
    for (size_t at = last.find(name); at != std::string::npos; at = last.find(name, at + 3)) {
      last.replace(at + 2, 1, "3");
    }
  }
  EXPECT_EQ(codes(steps(fill + again + third + use + later + last)), "T1220");
}

TEST(SealRings, LoopsOneAfterTheOther) {
  auto renamed = [](std::string text, const std::string &by) {
    for (const char *name : {"%s", "%v", "%u"}) {
      for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 3)) {
        text.insert(at + 2, by);
      }
    }
    return text;
  };
  auto loop = [](const std::string &body, const std::string &hi = "%N") {
    return "tile.for %k in range(%c0 to " + hi + ") {\n" + body + "}\n";
  };
  auto inGrid = [](const std::string &body) {
    return codes("tile.grid (%p = range(%c0 to %R)) {\n" + ring + body + "}");
  };
  std::string fill2 = renamed(fill, "2"), use2 = renamed(use, "2");
  EXPECT_EQ(inGrid(loop(fill + use) + loop(fill2 + use2, "%R")), "");
  // One of them has another rate, so that the other gets its slots.
  EXPECT_EQ(inGrid(loop(fill + use) + loop(fill2)), "T1221");
  EXPECT_EQ(inGrid(loop(fill + use + use2) + loop(renamed(fill, "3") + renamed(use, "3"))),
            "T1221");
  // The inner one would use what the outer one filled.
  EXPECT_EQ(inGrid(loop(fill + "tile.for %j in range(%c0 to %N) {\n" + fill2 + use2 + "}\n" + use)),
            "T1221");
  // Each of them needs its slots.
  EXPECT_EQ(inGrid(loop(fill + use) + loop(fill2 + renamed(fill, "3") + renamed(fill, "4") + use2 +
                                           renamed(use, "3") + renamed(use, "4"))),
            "T1220");
}

TEST(SealRings, AProtocolTellsOneRole) {
  // The kernel of the snippets, with two roles.
  auto sealed = [](const std::string &protocol, const std::string &filler,
                   const std::string &user) {
    std::string rings = ring;
    rings.replace(rings.find("cta_sync"), 8, protocol);
    std::string start = head;
    start.insert(start.find("tile.warps"),
                 "tile.roles = {p = {warps = 2 : i64}, q = {warps = 2 : i64}}, ");
    Outcome outcome = sealOfText(
        start + rings + "tile.tasks (%k = range(%c0 to %N)) {\ntile.section @a" + filler + " {\n" +
        fill + "}\ntile.section @b" + user + " {\n" + use + "}\n}\n}\n");
    return llvm::join(outcome.codes, " ");
  };
  for (const char *protocol : {"cta_sync", "cp_async"}) {
    EXPECT_EQ(sealed(protocol, " role @p", " role @p"), "") << protocol;
    EXPECT_EQ(sealed(protocol, " role @p", " role @q"), "T1222") << protocol;
    EXPECT_EQ(sealed(protocol, "", ""), "") << protocol;
  }
  // Bulk stores tell those who started them.
  EXPECT_EQ(sealed("bulk", " role @p", " role @q"), "T1222");
  EXPECT_EQ(sealed("mbarrier", " role @p", " role @q"), "");
}

TEST(SealRings, EachWarpMayHaveARing) {
  std::string own = "!tile.buf<32xf32, shared, slots = 2, per = warp>";
  std::string body = "%a = tile.alloc : " + own + "\n%r = tile.ring %a protocol cta_sync : " + own +
                     " -> !tile.ring<2>\n" +
                     "tile.grid (%p = range(%c0 to %R)) {\ntile.par warp 4 {\n^bb0(%w4: i64):\n" +
                     fill + use + "}\n}";
  for (size_t at = body.find(slots); at != std::string::npos;
       at = body.find(slots, at + own.size())) {
    body.replace(at, slots.size(), own);
  }
  EXPECT_EQ(codes(body), "");
}
