// Clocks of agents and tables of cells.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AdversaryCells.h"

#include "Buffer.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::interp;

void VectorClocks::reset(unsigned agents) {
  count = agents;
  seen.assign(size_t(count) * count, 0);
  fenced = seen;
  cut();
}

void VectorClocks::cut() {
  uint32_t latest = 0;
  for (unsigned agent = 0; agent < count; ++agent) {
    latest = std::max(latest, now(agent));
  }
  std::fill(seen.begin(), seen.end(), latest);
  std::fill(fenced.begin(), fenced.end(), latest);
  for (unsigned agent = 0; agent < count; ++agent) {
    ++seen[agent * count + agent];
  }
}

Stamp VectorClocks::publish(llvm::ArrayRef<unsigned> agents) {
  Stamp stamp;
  stamp.seen.assign(count, 0);
  stamp.fenced.assign(count, 0);
  for (unsigned agent : agents) {
    for (unsigned of = 0; of < count; ++of) {
      stamp.seen[of] = std::max(stamp.seen[of], seen[agent * count + of]);
      stamp.fenced[of] = std::max(stamp.fenced[of], fenced[agent * count + of]);
    }
  }
  for (unsigned agent : agents) {
    ++seen[agent * count + agent];
  }
  return stamp;
}

void VectorClocks::learn(llvm::ArrayRef<unsigned> agents, const Stamp &stamp) {
  for (unsigned of = 0; of < stamp.seen.size(); ++of) {
    for (unsigned agent : agents) {
      uint32_t &known = seen[agent * count + of], &visible = fenced[agent * count + of];
      known = std::max(known, stamp.seen[of]);
      visible = std::max(visible, stamp.fenced[of]);
    }
  }
}

void VectorClocks::fence(llvm::ArrayRef<unsigned> agents) {
  for (unsigned agent : agents) {
    fenced[agent * count + agent] = seen[agent * count + agent]++;
  }
}

CellTable::CellTable(int64_t firstCell, uint64_t cells, unsigned agents)
    : first(firstCell), count(cells), agents(agents) {
  auto obtain = [](uint64_t bytes) {
    auto memory = HostMemory::reserve(bytes);
    if (!memory) {
      llvm::consumeError(memory.takeError());
      throw OutOfMemory{bytes};
    }
    return std::move(*memory);
  };
  memory = obtain(cells * sizeof(Cell));
  readerMemory = obtain(cells * sizeof(CellReader) * agents);
}
