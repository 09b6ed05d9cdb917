// The table of errors and the log of emitted codes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostTesting.h"

#include "tessera/Host/ArrayOrder.h"

#include <cctype>
#include <cstdlib>
#include <set>

using namespace tessera;

TEST(HostError, CodesAreUniqueAndWordingFollowsTheRules) {
  std::set<std::string> codes;
  for (unsigned row = 0; row < numHostDiags(); ++row) {
    auto id = static_cast<HostDiag>(row);
    std::string code = hostDiagCode(id).str();
    EXPECT_EQ(code.size(), 5u) << code;
    EXPECT_EQ(code.substr(0, 3), "T08") << code;
    EXPECT_TRUE(codes.insert(code).second) << code << " stands twice";
    EXPECT_FALSE(hostDiagFormat(id).ends_with(".")) << code;
    EXPECT_FALSE(std::isupper(hostDiagFormat(id).front())) << code;
  }
}

TEST(HostError, ArgumentsFillTheFormat) {
  llvm::Error error = hostError(HostDiag::npy_negative_extent, "x.npy", -3, 1);
  llvm::handleAllErrors(std::move(error), [](const HostError &host) {
    EXPECT_EQ(host.id(), HostDiag::npy_negative_extent);
    EXPECT_EQ(host.code(), "T0817");
    EXPECT_EQ(
        host.getText(),
        "`x.npy`: extent -3 of axis 1 is negative, extents are 0 or more; write it again with "
        "`numpy.save`");
  });
}

TEST(HostError, EmittedCodesAreLogged) {
  TemporaryFolder folder;
  const char *before = std::getenv("TESSERA_DIAG_LOG");
  std::string saved = before ? before : "";
  setenv("TESSERA_DIAG_LOG", folder.path("log").c_str(), 1);
  llvm::consumeError(hostError(HostDiag::gen_missing));
  llvm::consumeError(hostError(HostDiag::gen_unknown, "norma"));
  EXPECT_EQ(slurp(folder.path("log")), "T0846\nT0840\n");
  // A log that cannot be opened does not hide the error.
  setenv("TESSERA_DIAG_LOG", folder.path("none/log").c_str(), 1);
  EXPECT_EQ(textOf(hostError(HostDiag::gen_missing)).substr(0, 5), "T0846");
  before ? setenv("TESSERA_DIAG_LOG", saved.c_str(), 1) : unsetenv("TESSERA_DIAG_LOG");
}

TEST(HostError, OrdersHaveNames) {
  for (unsigned order = 0; order < numArrayOrders; ++order) {
    auto value = static_cast<ArrayOrder>(order);
    EXPECT_EQ(*parseArrayOrder(arrayOrderName(value)), value);
  }
  EXPECT_EQ(textOf(parseArrayOrder("column")),
            "T0855: unknown order `column`, expected one of row, col, padded, offset, huge");
}
