// Asynchronous copies: between the call and the wait of its thread, a copy lands at a moment of its own, and what it writes may
// not be touched. After the wait it counts as written by its thread at that moment, so others need a barrier still.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

#include "tessera/Support/Mutants.h"

#include <cstring>

using namespace tessera;
using namespace tessera::sim;

void Machine::issueCopy(Site &site, char *in) {
  const Instruction &declared = *site.instruction;
  unsigned thread = current;
  bool isAllowed = true;
  for (const Operand &operand : declared.operands) {
    if (!operand.isMemory()) {
      continue;
    }
    Site &place = sites[operand.site];
    LaneAddress lane = addressOf(operand, in);
    count(place);
    counters.note(place, thread, lane.address, lane.present > 0);
    if (lane.present) {
      isAllowed &= access(place, thread, lane.address, unsigned(lane.present),
                          operand.isWritten ? Touch::asyncWrite : Touch::read);
    }
  }
  if (!isAllowed) {
    return;
  }
  PendingCopy copy;
  copy.instruction = &declared;
  copy.operands.assign(in, in + declared.inBytes);
  copy.group = threads[thread].groups;
  // Until the copy lands its target is neither the old nor the new.
  for (const Operand &operand : declared.operands) {
    if (operand.isMemory() && operand.isWritten) {
      LaneAddress lane = addressOf(operand, in);
      std::memset(reinterpret_cast<void *>(lane.address), 0xcd, lane.present);
    }
  }
  switch (TESSERA_MUTANT(311, "copies land at once", random.below(3), 0)) {
  case 0:
    land(copy);
    break;
  case 1:
    copy.landsEarly = true;
    landing.push_back(thread);
    break;
  default:
    break;
  }
  threads[thread].copies.push_back(std::move(copy));
}

void Machine::land(PendingCopy &copy) {
  copy.hasLanded = true;
  llvm::MutableArrayRef<void *> dense = denseOperands(*copy.instruction);
  for (auto [index, operand] : llvm::enumerate(copy.instruction->operands)) {
    if (operand.isMemory() && operand.isRead) {
      LaneAddress lane = addressOf(operand, copy.operands.data());
      std::memset(dense[index], TESSERA_MUTANT(310, "absent bytes keep what was there", 0, 1),
                  operand.laneBytes);
      std::memcpy(dense[index], reinterpret_cast<const void *>(lane.address), lane.present);
    } else if (!operand.isMemory()) {
      std::memcpy(dense[index], copy.operands.data() + operand.inOffset, operand.bytes());
    }
  }
  copy.instruction->run(dense.data());
  for (auto [index, operand] : llvm::enumerate(copy.instruction->operands)) {
    if (operand.isMemory() && operand.isWritten) {
      LaneAddress lane = addressOf(operand, copy.operands.data());
      std::memcpy(reinterpret_cast<void *>(lane.address), dense[index], lane.present);
    }
  }
}

void Machine::landSome() {
  unsigned thread = landing[random.below(uint32_t(landing.size()))];
  llvm::erase(landing, thread);
  for (PendingCopy &copy : threads[thread].copies) {
    if (copy.landsEarly && !copy.hasLanded) {
      land(copy);
    }
  }
}

void Machine::commitCopies(Site &site) {
  count(site);
  ++threads[current].groups;
}

void Machine::waitForCopies(Site &site, uint32_t open) {
  count(site);
  tick(site);
  Thread &thread = threads[current];
  size_t done = 0;
  while (done < thread.copies.size() && uint64_t(thread.copies[done].group) + open <
                                            TESSERA_MUTANT(309, "a wait counts one group too few",
                                                           thread.groups, thread.groups + 1)) {
    complete(current, thread.copies[done++]);
  }
  thread.copies.erase(thread.copies.begin(), thread.copies.begin() + done);
}

void Machine::complete(unsigned thread, PendingCopy &copy) {
  if (!copy.hasLanded) {
    land(copy);
  }
  for (const Operand &operand : copy.instruction->operands) {
    if (!operand.isMemory() || !operand.isWritten) {
      continue;
    }
    LaneAddress lane = addressOf(operand, copy.operands.data());
    if (!lane.present || operand.kind != OperandKind::shared) {
      continue;
    }
    uint64_t offset = shared.offsetOf(lane.address);
    for (uint64_t slot = shared.slotOf(offset), last = shared.slotOf(offset + lane.present - 1);
         slot <= last; ++slot) {
      Cell &cell = shared.cells()[slot];
      // Not where somebody wrote since; that was reported.
      if (TESSERA_MUTANT(312, "complete copies are in flight",
                         cell.writer == (thread | Cell::async), false)) {
        cell.writer = uint16_t(thread);
        cell.write = clocks.now(thread);
      }
    }
  }
}
