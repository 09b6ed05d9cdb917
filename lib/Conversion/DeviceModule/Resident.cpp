// Tells the assembler where one CTA has an SM for itself.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Resident.h"

#include "tessera/Schedule/TargetRecord.h"
#include "tessera/Support/Mutants.h"

#include "llvm/IR/Module.h"

using namespace tessera;
using namespace tessera::convert;

/// Whether the shared memory of two CTAs is more than an SM has.
static bool isAlone(int64_t bytes, const schedule::TargetRecord &target) {
  // An SM has what one CTA may ask for and what the system takes for each.
  constexpr int64_t system = 1024;
  return 2 * (bytes + system) > target.smem + system;
}

/// Whether some loop has several products, of which one goes on with what another gave. A loop of one product gains nothing:
/// its sums take most registers already, and 128 x 256 x 32 was slower by 2 of 100.
static bool chainsProducts(tile::KernelOp kernel) {
  bool isChained = false;
  kernel.walk([&](tile::ForOp loop) {
    size_t products = 0;
    loop.getBody().walk([&](tile::MmaOp) { ++products; });
    isChained |= products > TESSERA_MUTANT(567, "one product of a loop counts as a chain", 1, 0);
  });
  return isChained;
}

void convert::stateResident(tile::KernelOp kernel, const LoweredKernel &code, llvm::Module &module,
                            llvm::StringRef target) {
  std::optional<schedule::TargetRecord> record = schedule::TargetRecord::named(target);
  bool isStated = record &&
                  TESSERA_MUTANT(568, "CTAs that share an SM are said to be alone",
                                 isAlone(code.sharedBytes, *record), true) &&
                  chainsProducts(kernel);
  if (isStated) {
    module.getFunction(code.symbol)->addFnAttr("nvvm.minctasm", "1");
  }
}
