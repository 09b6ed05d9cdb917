// Which planted error is on; part of the library with planted errors only.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Mutants.h"

#ifdef TESSERA_MUTANTS
#include <cstdlib>

int tessera::interp::activeMutant() {
  static const int number = [] {
    const char *text = std::getenv("TESSERA_MUTANT");
    return text ? std::atoi(text) : 0;
  }();
  return number;
}
#endif
