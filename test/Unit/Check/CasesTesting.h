// What the tests of the case planner share: short ways to write axes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_CHECK_CASESTESTING_H
#define TESSERA_TEST_UNIT_CHECK_CASESTESTING_H

#include "CheckTesting.h"

#include "tessera/Check/Cases.h"

namespace tessera {

inline TestAxis axis(std::vector<std::string> names, std::vector<std::vector<TestValue>> values,
                     bool isTune = false) {
  return {std::move(names), std::move(values), isTune};
}

inline TestAxis numbered(const std::string &name, unsigned count, bool isTune = false) {
  TestAxis result{{name}, {}, isTune};
  for (unsigned value = 0; value < count; ++value) {
    result.values.push_back({TestValue(int64_t(value))});
  }
  return result;
}

inline int64_t valueOf(const TestCase &testCase, const std::string &name) {
  return *testCase.lookup(name)->getInt();
}

} // namespace tessera

#endif // TESSERA_TEST_UNIT_CHECK_CASESTESTING_H
