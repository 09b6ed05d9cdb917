//===- SourceDir.h - Where a unit test finds the checkout -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included in front of every unit test by its CMake function, so that tests may write TESSERA_SOURCE_DIR. It is a call
// and not a literal: the path is in one object only, and all others are the same in every checkout.
//
//===------------------------------------------------------------------------===//
#ifndef TESSERA_TEST_UNIT_SOURCEDIR_H
#define TESSERA_TEST_UNIT_SOURCEDIR_H

namespace tessera {
/// Absolute path of the checkout that this test was built from, without a closing slash.
const char *testSourceDir();
} // namespace tessera

#define TESSERA_SOURCE_DIR ::tessera::testSourceDir()

#endif // TESSERA_TEST_UNIT_SOURCEDIR_H
