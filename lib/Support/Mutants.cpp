// Which planted error is on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>

namespace tessera {

int activeMutant() {
  static const int number = [] {
    const char *text = std::getenv("TESSERA_MUTANT");
    return text ? std::atoi(text) : 0;
  }();
  return number;
}

} // namespace tessera
