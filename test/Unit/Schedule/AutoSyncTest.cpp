// auto_sync: what it adds is enough, and each of it is needed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"
#include "MemoryTesting.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
using namespace tessera::testing;
using llvm::StringRef;
using ::testing::HasSubstr;

static bool isOrder(mlir::Operation *op) {
  return llvm::isa<tile::BarrierOp, tile::FenceOp, tile::GroupCommitOp, tile::GroupWaitOp>(op);
}

/// Takes each barrier, fence and wait away in turn: `seal` misses it.
static void expectNeeded(llvm::StringRef ir, llvm::StringRef target = "sm_80") {
  Parsed parsed(ir);
  std::vector<mlir::Operation *> ops;
  parsed.kernel().walk([&](mlir::Operation *op) {
    if (isOrder(op)) {
      ops.push_back(op);
    }
  });
  for (mlir::Operation *op : ops) {
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    mlir::Operation *next = op->getNextNode();
    mlir::Block *block = op->getBlock();
    op->remove();
    EXPECT_NE(missing(parsed.kernel(), target), "") << text << " is not needed in\n" << ir.str();
    if (next) {
      block->getOperations().insert(next->getIterator(), op);
    } else {
      block->push_back(op);
    }
  }
}

static const char *const staged =
    "let mm = def(acc), k = loop(k)\nlet A = stage(mm.a, shared), B = stage(mm.b, shared)\n";
static const std::vector<Extents> sizes = {{{"M", 17}, {"N", 9}, {"K", 40}}};

TEST(AutoSync, OneBufInALoop) {
  Scheduled done(kSmallProduct,
                 std::string(staged) + "let added = auto_sync(self)\nprint len(added)");
  ASSERT_EQ(done.errors, "");
  // Behind the copies, and before the copies of the next step.
  EXPECT_EQ(count(done.ir, "tile.barrier cta"), 2u) << done.ir;
  expectSame(done, sizes);
  expectSealed(done.ir, sizes);
  expectNeeded(done.ir);
}

TEST(AutoSync, WithoutMemoryNothingIsAdded) {
  Scheduled done(kSmallProduct, "auto_sync(self)");
  ASSERT_EQ(done.errors, "");
  EXPECT_EQ(done.ir, done.before);
}

TEST(AutoSync, WhatIsThereCounts) {
  Scheduled done(kSmallProduct,
                 std::string(staged) + "auto_sync(self)\nlet again = auto_sync(self)");
  ASSERT_EQ(done.errors, "");
  EXPECT_EQ(count(done.ir, "tile.barrier cta"), 2u);
}

TEST(AutoSync, ARemovedBarrierIsFoundByTheAdversary) {
  Scheduled done(kSmallProduct, std::string(staged) + "auto_sync(self)");
  ASSERT_EQ(done.errors, "");
  Parsed parsed(done.ir);
  std::vector<tile::BarrierOp> barriers;
  parsed.kernel().walk([&](tile::BarrierOp op) { barriers.push_back(op); });
  ASSERT_EQ(barriers.size(), 2u);
  EXPECT_FALSE(hasFault(parsed.kernel(), sizes.front()));
  barriers.front().erase();
  EXPECT_TRUE(hasFault(parsed.kernel(), sizes.front()));
}

TEST(AutoSync, TheStoreAndTheOverlay) {
  Scheduled done(kSmallProduct, std::string(staged) +
                                    "let C = stage(store(d).value, shared)\n"
                                    "overlay(C.buf, A.buf, B.buf)\nauto_sync(self)");
  ASSERT_EQ(done.errors, "");
  expectSame(done, sizes);
  expectSealed(done.ir, sizes);
  expectNeeded(done.ir);
}

TEST(AutoSync, InTheTasksOfACta) {
  Scheduled done(kSmallProduct, std::string("persistent(self)\n") + staged +
                                    "let C = stage(store(d).value, shared)\nauto_sync(self)");
  ASSERT_EQ(done.errors, "");
  expectSame(done, sizes);
  expectSealed(done.ir, {{{"M", 33}, {"N", 17}, {"K", 40}}});
  expectNeeded(done.ir);
}

TEST(AutoSync, TheReportNamesEach) {
  Scheduled done(kSmallProduct, std::string(staged) + "auto_sync(self)");
  EXPECT_THAT(done.report, HasSubstr("added `tile.barrier cta` for"));
}

//===-- Kernels whose order was taken away -------------------------------------------------------------------------===//

static std::vector<mlir::Operation *> orderIn(tile::KernelOp kernel) {
  std::vector<mlir::Operation *> ops;
  kernel.walk([&](mlir::Operation *op) {
    if (isOrder(op)) {
      ops.push_back(op);
    }
  });
  return ops;
}

/// The files of scheduled kernels that are right, beside the faults that `seal` finds: without their barriers, fences and
/// waits, auto_sync has to find what was there.
TEST(AutoSync, RepairsWhatWasTakenAway) {
  std::string folder = TESSERA_SOURCE_DIR + std::string("/test/Schedule/faults");
  std::error_code error;
  unsigned repaired = 0;
  for (llvm::sys::fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error)) {
    if (!StringRef(at->path()).ends_with(".ok.mlir")) {
      continue;
    }
    SCOPED_TRACE(at->path());
    auto file = llvm::MemoryBuffer::getFile(at->path());
    ASSERT_TRUE(static_cast<bool>(file));
    Parsed parsed((*file)->getBuffer());
    ASSERT_TRUE(parsed.kernel());
    std::vector<mlir::Operation *> ops = orderIn(parsed.kernel());
    if (ops.empty() || !missing(parsed.kernel(), "sm_90").empty()) {
      continue;
    }
    for (mlir::Operation *op : ops) {
      op->erase();
    }
    if (missing(parsed.kernel(), "sm_90").empty()) {
      continue;
    }
    std::string text;
    llvm::raw_string_ostream(text) << parsed.module();
    OnIR on(text, "sm_90");
    EXPECT_EQ(on.call("auto_sync", {on.host().self()}), "");
    Parsed after(on.text());
    EXPECT_EQ(missing(after.kernel(), "sm_90"), "") << on.text();
    expectNeeded(on.text(), "sm_90");
    // Rarely one more: a barrier around a loop and one behind it, where one at the end of the body is both.
    EXPECT_LE(orderIn(after.kernel()).size(), ops.size() + 1) << on.text();
    ++repaired;
  }
  EXPECT_GE(repaired, 30u);
}
