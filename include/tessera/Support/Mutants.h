// Planted errors. `TESSERA_MUTANT(7, "name", good, bad)` is `good`, except in libraries built with -DTESSERA_MUTANTS,
// where the environment variable TESSERA_MUTANT=7 makes it `bad`: scripts/mutants runs tests once for each, and every one
// must be noticed. test/mutants/*.txt says what each does; numbers are given once in the whole tree.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SUPPORT_MUTANTS_H
#define TESSERA_SUPPORT_MUTANTS_H

#ifdef TESSERA_MUTANTS
namespace tessera {
/// The number in TESSERA_MUTANT; 0 if there is none.
int activeMutant();
} // namespace tessera
#define TESSERA_MUTANT(number, name, good, bad)                                                    \
  (::tessera::activeMutant() == (number) ? (bad) : (good))
#else
#define TESSERA_MUTANT(number, name, good, bad) (good)
#endif

#endif // TESSERA_SUPPORT_MUTANTS_H
