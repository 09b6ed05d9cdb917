// Planted errors of the interpreter: test/mutants/interpreter.txt.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_MUTANTS_H
#define TESSERA_LIB_INTERPRETER_MUTANTS_H

#include "tessera/Support/Mutants.h"

#endif // TESSERA_LIB_INTERPRETER_MUTANTS_H
