// Ways to states in which a primitive can do something.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_TESTING_SCHEDULES_RECIPES_H
#define TESSERA_LIB_TESTING_SCHEDULES_RECIPES_H

#include "tessera/Check/Random.h"

#include <deque>
#include <string>

namespace tessera::schedulefuzz {

/// A call that a recipe asks for. Its arguments are drawn when it is made, from what fits then.
struct Wish {
  std::string primitive, hint;
};

/// What recipes need of a kernel.
struct Traits {
  bool hasLoop = false, hasProduct = false;
  bool hasPair = false;     ///< two loops in one block
  bool hasClusters = false; ///< its target
};

/// The calls of a random recipe for such a kernel; some of them are left out now and then. Empty for sequences without
/// one.
std::deque<Wish> drawRecipe(Random &random, const Traits &traits);

} // namespace tessera::schedulefuzz

#endif // TESSERA_LIB_TESTING_SCHEDULES_RECIPES_H
