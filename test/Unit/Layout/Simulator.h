// Carries out conversion plans on made-up values: each register of each lane of each warp holds the number of its element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_LAYOUT_SIMULATOR_H
#define TESSERA_TEST_UNIT_LAYOUT_SIMULATOR_H

#include "TestLayouts.h"

#include "tessera/Layout/Convert.h"

namespace tessera::layouttest {

/// Empty if after the plan every register of `to` holds the element it should; otherwise what is wrong first.
std::string simulate(const ConversionPlan &plan, const Layout &from, const Layout &to);

} // namespace tessera::layouttest

#endif // TESSERA_TEST_UNIT_LAYOUT_SIMULATOR_H
