//===- SourceDir.cpp - Where a unit test finds the checkout -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only object of the tests that holds a path of this checkout.
//
//===------------------------------------------------------------------------===//
#include "SourceDir.h"

const char *tessera::testSourceDir() { return TESSERA_SOURCE_DIR_LITERAL; }
