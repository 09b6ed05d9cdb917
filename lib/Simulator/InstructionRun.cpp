// Running a declared instruction: the lanes' registers and memory become whole operands, the body says what it means, and the
// results go back.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

#include <cstring>

using namespace tessera;
using namespace tessera::sim;

llvm::MutableArrayRef<void *> Machine::denseOperands(const Instruction &instruction) {
  size_t count = instruction.operands.size();
  if (denseStorage.size() < count) {
    denseStorage.resize(count);
  }
  densePointers.resize(count);
  for (size_t i = 0; i < count; ++i) {
    // Rounded up, so that bodies may move whole vectors.
    denseStorage[i].resize(
        std::max(denseStorage[i].size(), size_t(instruction.operands[i].bytes() + 64)));
    densePointers[i] = denseStorage[i].data();
  }
  return densePointers;
}

void Machine::readMemory(const Operand &operand, llvm::ArrayRef<unsigned> lanes, char *dense) {
  size_t width = byteSize(operand.type);
  Site &site = sites[operand.site];
  for (size_t i = 0; i < operand.firstElement.size() && i < lanes.size(); ++i) {
    LaneAddress lane = addressOf(operand, threads[lanes[i]].in);
    char *to = dense + operand.firstElement[i] * width;
    count(site);
    counters.note(site, lanes[i], lane.address, lane.present > 0);
    // What is absent reads as zero.
    std::memset(to, 0, operand.laneBytes);
    if (lane.present && access(site, lanes[i], lane.address, unsigned(lane.present), Touch::read)) {
      std::memcpy(to, reinterpret_cast<const void *>(lane.address), lane.present);
    }
  }
}

void Machine::writeMemory(const Operand &operand, llvm::ArrayRef<unsigned> lanes,
                          const char *dense) {
  size_t width = byteSize(operand.type);
  Site &site = sites[operand.site];
  for (size_t i = 0; i < operand.firstElement.size() && i < lanes.size(); ++i) {
    LaneAddress lane = addressOf(operand, threads[lanes[i]].in);
    const char *from = dense + operand.firstElement[i] * width;
    count(site);
    counters.note(site, lanes[i], lane.address, lane.present > 0);
    if (lane.present &&
        access(site, lanes[i], lane.address, unsigned(lane.present), Touch::write)) {
      std::memcpy(reinterpret_cast<void *>(lane.address), from, lane.present);
    }
  }
}

void Machine::execute(const Instruction &instruction, llvm::ArrayRef<unsigned> lanes) {
  llvm::MutableArrayRef<void *> dense = denseOperands(instruction);
  for (auto [index, operand] : llvm::enumerate(instruction.operands)) {
    auto *to = static_cast<char *>(dense[index]);
    if (!operand.isRead) {
      continue;
    }
    if (operand.isMemory()) {
      readMemory(operand, lanes, to);
    } else if (operand.kind == OperandKind::fragment) {
      lanesIn.clear();
      for (unsigned thread : lanes) {
        lanesIn.push_back(threads[thread].in + operand.inOffset);
      }
      operand.gather(lanesIn, to);
    } else {
      std::memcpy(to, threads[lanes.front()].in + operand.inOffset, operand.bytes());
    }
  }
  instruction.run(dense.data());
  for (auto [index, operand] : llvm::enumerate(instruction.operands)) {
    auto *from = static_cast<const char *>(dense[index]);
    if (!operand.isWritten) {
      continue;
    }
    if (operand.isMemory()) {
      writeMemory(operand, lanes, from);
    } else if (operand.kind == OperandKind::fragment) {
      lanesOut.clear();
      for (unsigned thread : lanes) {
        lanesOut.push_back(threads[thread].out + operand.outOffset);
      }
      operand.scatter(from, lanesOut);
    }
  }
}
