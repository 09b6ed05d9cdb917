//===- Instructions.cpp - what instructions do is what they declare -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An apply holds the ops of the kernel, which give the kernel's meaning; the code has the instruction. Both are compared
// once more where the kernel is sealed: after `replace` the ops, or the declaration, may have been edited.
//
//===----------------------------------------------------------------------===//

#include "Sealer.h"

#include "tessera/Schedule/Unify.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::sealing;
using namespace tessera::tile;

void sealing::checkInstructions(Sealer &sealer) {
  sealer.kernel.getBody().walk([&](ApplyOp apply) {
    std::string title = "`@" + apply.getInstr().str() + "` does what its declaration says";
    llvm::Expected<schedule::UnifyMatch> match = schedule::unifyApplied(apply);
    if (match) {
      sealer.prove(SealKind::values, title, apply);
      return;
    }
    auto instr = SymbolTable::lookupNearestSymbolFrom<InstrOp>(apply, apply.getInstrAttr());
    sealer.refuse(SealKind::values, title,
                  {SealDiag::seal_instruction,
                   {apply.getInstr().str(), llvm::toString(match.takeError())},
                   "ops that are the body of the instruction",
                   "`replace` these ops by an instruction whose body they are"},
                  apply, instr);
  });
}
