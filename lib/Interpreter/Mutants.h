// Planted errors. `TESSERA_MUTANT(7, "name", good, bad)` is `good`, except in the library built with
// -DTESSERA_MUTANTS, where the environment variable TESSERA_MUTANT=7 makes it `bad`: scripts/mutants runs the tests once
// for each and every one must be noticed. test/mutants/interpreter.txt says what each does.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_MUTANTS_H
#define TESSERA_LIB_INTERPRETER_MUTANTS_H

#ifdef TESSERA_MUTANTS
namespace tessera::interp {
/// The number in TESSERA_MUTANT; 0 if there is none.
int activeMutant();
} // namespace tessera::interp
#define TESSERA_MUTANT(number, name, good, bad)                                                    \
  (::tessera::interp::activeMutant() == (number) ? (bad) : (good))
#else
#define TESSERA_MUTANT(number, name, good, bad) (good)
#endif

#endif // TESSERA_LIB_INTERPRETER_MUTANTS_H
