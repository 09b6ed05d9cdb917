// All places of a kernel that a script can write down.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_TESTING_SCHEDULES_PLACES_H
#define TESSERA_LIB_TESTING_SCHEDULES_PLACES_H

#include "tessera/Schedule/ScheduleHost.h"

#include <set>

namespace tessera::schedulefuzz {

/// A value and how a script writes it.
struct Written {
  script::Value value;
  std::string text;
  std::set<unsigned> uses; ///< variables in it: `v3`
};

/// A place and the op it is at.
struct Place : Written {
  script::ValueKind kind = script::ValueKind::Op;
  mlir::Operation *op = nullptr; ///< null for gaps at the end of a block
  std::string dim;               ///< of a dim or factor: the interface's name
  unsigned factor = 0;           ///< of a factor: its position, 0 the outermost
  unsigned operand = 0;          ///< of an operand: its number
};

/// Every place that is reached from the kernel's names, and from `results`, by a few members; each once, at most about
/// 250. In a fixed order.
std::vector<Place> placesOf(schedule::ScheduleHost &host, const std::vector<Written> &results);

/// Of places that stand as they stood: the ops they are at now, which undoing an edit replaces by equal ones.
void refresh(schedule::ScheduleHost &host, std::vector<Place> &places);

Written listOf(std::vector<Written> parts);

/// Names of the kernel's variables, spans and arguments, sorted.
std::vector<std::string> namesOf(schedule::ScheduleHost &host);

/// A call of a primitive that only looks; nothing where it finds nothing.
std::optional<script::Value> look(schedule::ScheduleHost &host, llvm::StringRef primitive,
                                  const script::Value &scope, std::vector<script::Value> args);

} // namespace tessera::schedulefuzz

#endif // TESSERA_LIB_TESTING_SCHEDULES_PLACES_H
