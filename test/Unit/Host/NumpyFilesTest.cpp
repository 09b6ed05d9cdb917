// Files that numpy itself wrote, when scripts/check-npy made some: reads each, compares with the raw bytes beside it,
// and writes it again for numpy to compare.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostTesting.h"

#include "tessera/Host/Npy.h"

#include <cstdlib>
#include <sstream>

using namespace tessera;

/// Each line of `manifest` is `NAME TYPE`: NAME.npy is to be read as TYPE, NAME.raw holds the elements in C order, and
/// NAME.copy.npy is written.
TEST(NumpyFiles, AgreeBothWays) {
  const char *folder = std::getenv("TESSERA_NPY_DIR");
  if (!folder) {
    GTEST_SKIP() << "no files: scripts/check-npy makes them and sets TESSERA_NPY_DIR";
  }
  std::string base = std::string(folder) + "/";
  std::istringstream manifest(slurp(base + "manifest"));
  std::string file, type;
  unsigned count = 0;
  while (manifest >> file >> type) {
    std::optional<DType> dtype = parseDType(type);
    ASSERT_TRUE(dtype.has_value()) << type;
    llvm::Expected<HostArray> array = readNpy(base + file + ".npy", *dtype);
    ASSERT_TRUE(static_cast<bool>(array)) << llvm::toString(array.takeError());
    std::string bytes(array->numElements() * array->elementBytes(), '\0');
    array->copyTo(bytes.data());
    EXPECT_TRUE(bytes == slurp(base + file + ".raw")) << file;
    EXPECT_EQ(textOf(writeNpy(base + file + ".copy.npy", *array)), "");
    ++count;
  }
  EXPECT_GT(count, 0u);
}
