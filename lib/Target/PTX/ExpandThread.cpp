// Thread numbers, barriers, shuffles, groups of asynchronous copies, asserts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expander.h"

#include "tessera/Device/Markers.h"
#include "tessera/Support/Mutants.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace tessera;
using namespace tessera::ptx;

/// A special register with the range of its values: index arithmetic then needs no sign or overflow cases.
static llvm::Value *readRegister(Site &site, llvm::Intrinsic::ID id, uint64_t low, uint64_t end) {
  llvm::CallInst *call = site.builder.CreateIntrinsic(id, {});
  call->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, low), llvm::APInt(32, end)));
  return call;
}

static llvm::Value *readThread(Site &site) {
  unsigned threads = 1024;
  llvm::Attribute stated = site.call.getFunction()->getFnAttribute(device::threadsAttr);
  unsigned number = 0;
  if (stated.isValid() && !stated.getValueAsString().getAsInteger(10, number) && number > 0) {
    threads = number;
  }
  return readRegister(site, llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, threads);
}

static Expansion shuffle(Site &site, llvm::Intrinsic::ID id) {
  if (llvm::Error error = site.expectOperands(2)) {
    return error;
  }
  llvm::IRBuilder<> &b = site.builder;
  // All lanes; 31: the whole warp is one segment.
  return b.CreateIntrinsic(
      id, {b.getInt32(-1), site.operand(0), site.operand(1),
           b.getInt32(TESSERA_MUTANT(540, "shuffles stay within half a warp", 31, 0x101f))});
}

static Expansion barrier(Site &site) {
  llvm::IRBuilder<> &b = site.builder;
  if (site.name == "bar.cta") {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {b.getInt32(0)});
    return nullptr;
  }
  if (site.name == "bar.warp") {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_bar_warp_sync, {b.getInt32(-1)});
    return nullptr;
  }
  if (site.name != "bar.named") {
    return site.error("is no barrier; there are bar.cta, bar.named and bar.warp");
  }
  if (llvm::Error error = site.expectOperands(2)) {
    return error;
  }
  if (auto *id = llvm::dyn_cast<llvm::ConstantInt>(site.operand(0));
      id && !id->getValue().ult(16)) {
    return site.error("names a barrier that no CTA has; use 1 to 15");
  }
  b.CreateIntrinsic(
      llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_count,
      {site.operand(TESSERA_MUTANT(541, "number and threads of a barrier are exchanged", 0, 1)),
       site.operand(TESSERA_MUTANT(541, "number and threads of a barrier are exchanged", 1, 0))});
  return nullptr;
}

static Expansion copies(Site &site) {
  llvm::IRBuilder<> &b = site.builder;
  if (site.name == "cp.commit") {
    b.CreateIntrinsic(llvm::Intrinsic::nvvm_cp_async_commit_group, {});
    return nullptr;
  }
  if (llvm::Error error = site.expectOperands(1)) {
    return error;
  }
  if (!llvm::isa<llvm::ConstantInt>(site.operand(0))) {
    return site.error("needs a constant number of groups: the instruction has no other form");
  }
  llvm::Value *groups = TESSERA_MUTANT(542, "waits are for all groups", site.operand(0),
                                       static_cast<llvm::Value *>(b.getInt32(0)));
  b.CreateIntrinsic(llvm::Intrinsic::nvvm_cp_async_wait_group, {groups});
  return nullptr;
}

Expansion tessera::ptx::expandThread(Site &site) {
  // A grid of one axis has at most 2^31 - 1 CTAs.
  constexpr uint64_t maxGrid = 0x7fffffff;
  llvm::StringRef name = site.name;
  if (name == "tid") {
    return readThread(site);
  }
  if (name == "ctaid") {
    return readRegister(site, llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 0, maxGrid);
  }
  if (name == "nctaid") {
    return readRegister(site, llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x, 1, maxGrid + 1);
  }
  if (name == "shfl.bfly") {
    return shuffle(site, llvm::Intrinsic::nvvm_shfl_sync_bfly_i32);
  }
  if (name == "shfl.idx") {
    return shuffle(site, llvm::Intrinsic::nvvm_shfl_sync_idx_i32);
  }
  if (name.starts_with("bar.")) {
    return barrier(site);
  }
  if (name == "cp.commit" || name == "cp.wait") {
    return copies(site);
  }
  if (name == "assert") {
    return nullptr;
  }
  if (name == "trap") {
    site.builder.CreateIntrinsic(llvm::Intrinsic::trap, {});
    return nullptr;
  }
  return site.error("is not known to this target; see tessera/Device/Markers.h for the list");
}
