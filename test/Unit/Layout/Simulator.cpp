// Registers as vectors, a shuffle as a gather between them, shared memory as a map.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Simulator.h"

#include <map>

using namespace tessera;
using namespace tessera::layouttest;

namespace {
using Element = std::vector<int64_t>;
/// (warp, lane, register) of one block
using Registers = std::map<std::vector<int64_t>, Element>;

/// The element at (register, lane, warp, block); inputs that the layout lacks have one point.
Element elementAt(const Layout &layout, int64_t reg, int64_t lane, int64_t warp, int64_t block) {
  Coords coords;
  for (const InDim &in : layout.ins()) {
    coords.push_back(in.name == "register" ? reg
                     : in.name == "lane"   ? lane
                     : in.name == "warp"   ? warp
                                           : block);
  }
  return row(layout.evaluate(coords));
}

class Simulator {
public:
  Simulator(const ConversionPlan &plan, const Layout &from, const Layout &to)
      : plan(plan), from(from), to(to), lanes(from.inSize("lane")), warps(from.inSize("warp")) {}

  std::string run() {
    for (int64_t block = 0; block < from.inSize("block"); ++block) {
      before.clear();
      after.clear();
      forEachThread([&](int64_t warp, int64_t lane) {
        for (int64_t reg = 0; reg < from.inSize("register"); ++reg) {
          before[{warp, lane, reg}] = elementAt(from, reg, lane, warp, block);
        }
      });
      std::string wrong = plan.shared ? throughMemory(block) : throughShuffles();
      if (wrong.empty()) {
        wrong = compare(block);
      }
      if (!wrong.empty()) {
        return wrong;
      }
    }
    return "";
  }

private:
  template <typename Function> void forEachThread(Function function) const {
    for (int64_t warp = 0; warp < warps; ++warp) {
      for (int64_t lane = 0; lane < lanes; ++lane) {
        function(warp, lane);
      }
    }
  }

  std::string throughShuffles() {
    std::string wrong;
    int64_t shuffles = 0;
    for (const ShuffleRound &round : plan.shuffle->rounds) {
      shuffles += !round.local;
      forEachThread([&](int64_t warp, int64_t lane) {
        int64_t thread = warp * lanes + lane;
        int64_t source = round.sourceLane[thread];
        if (round.local && source != lane) {
          wrong = "a local round crosses lanes";
        }
        if (round.laneXor && source != (lane ^ *round.laneXor)) {
          wrong = "laneXor is not what sourceLane says";
        }
        for (size_t pack = 0; pack < plan.shuffle->packGiven.size(); ++pack) {
          int64_t given = round.given[warp * lanes + source] + plan.shuffle->packGiven[pack];
          int64_t filled = round.filled[thread] + plan.shuffle->packFilled[pack];
          after[{warp, lane, filled}] = before.at({warp, source, given});
        }
      });
    }
    for (const std::pair<int64_t, int64_t> &copy : plan.shuffle->copies) {
      forEachThread([&](int64_t warp, int64_t lane) {
        after[{warp, lane, copy.second}] = after[{warp, lane, copy.first}];
      });
    }
    if ((plan.path == ConvertPath::registers) != (shuffles == 0)) {
      wrong = "the path is not what the rounds say";
    }
    return wrong;
  }

  std::string throughMemory(int64_t block) {
    const SharedPlan &shared = *plan.shared;
    struct Cell {
      Element element;
      int64_t warp;
    };
    std::map<int64_t, Cell> memory;
    std::string wrong;
    int64_t vector = shared.width.elements();
    // Vectors are aligned and go up by one: a store of several elements is one instruction.
    auto offsetOf = [&](const Element &element, int64_t first, size_t index) {
      int64_t offset = shared.store.evaluate(element)[0];
      if (offset >= shared.elements()) {
        wrong = "an offset beyond the memory";
      }
      if (index % vector ? offset != first + static_cast<int64_t>(index) % vector
                         : offset % vector != 0) {
        wrong = "a vector is not contiguous";
      }
      return offset;
    };
    forEachThread([&](int64_t warp, int64_t lane) {
      if ((lane & shared.silentLanes) || (warp & shared.silentWarps)) {
        return;
      }
      int64_t first = 0;
      for (size_t i = 0; i < shared.writeOrder.size(); ++i) {
        Element element = before.at({warp, lane, shared.writeOrder[i]});
        int64_t offset = offsetOf(element, first, i);
        first = i % vector ? first : offset;
        auto [cell, isNew] = memory.insert({offset, {element, warp}});
        if (!isNew && (cell->second.element != element || shared.silentLanes)) {
          wrong = "two elements at one offset";
        }
      }
    });
    forEachThread([&](int64_t warp, int64_t lane) {
      int64_t first = 0;
      for (size_t i = 0; i < shared.readOrder.size(); ++i) {
        int64_t reg = shared.readOrder[i];
        int64_t offset = offsetOf(elementAt(to, reg, lane, warp, block), first, i);
        first = i % vector ? first : offset;
        auto cell = memory.find(offset);
        if (cell == memory.end()) {
          wrong = "an offset is read that nobody wrote";
          return;
        }
        if (shared.withinWarps && cell->second.warp != warp) {
          wrong = "a warp reads what another warp wrote";
        }
        after[{warp, lane, reg}] = cell->second.element;
      }
    });
    return wrong;
  }

  std::string compare(int64_t block) const {
    std::string wrong;
    forEachThread([&](int64_t warp, int64_t lane) {
      for (int64_t reg = 0; reg < to.inSize("register"); ++reg) {
        auto found = after.find({warp, lane, reg});
        if (found == after.end() || found->second != elementAt(to, reg, lane, warp, block)) {
          wrong = "register " + std::to_string(reg) + " of lane " + std::to_string(lane) +
                  " of warp " + std::to_string(warp) +
                  (found == after.end() ? " is empty" : " is wrong");
        }
      }
    });
    return wrong;
  }

  const ConversionPlan &plan;
  const Layout &from;
  const Layout &to;
  int64_t lanes;
  int64_t warps;
  Registers before;
  Registers after;
};
} // namespace

std::string layouttest::simulate(const ConversionPlan &plan, const Layout &from, const Layout &to) {
  return Simulator(plan, from, to).run();
}
