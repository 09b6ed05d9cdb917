// One access to a slot of a buf: where its memory is, whether it may be used now.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_OPS_BUFACCESS_H
#define TESSERA_LIB_INTERPRETER_OPS_BUFACCESS_H

#include "../Compiler.h"

namespace tessera::interp {

/// A slot of a buf of the owner that runs now.
struct BufSlot {
  unsigned buf = 0, owner = 0;
  int64_t slot = 0;
  const TileType *type = nullptr;
  Ref memory; ///< keeps `data` alive
  std::byte *data = nullptr;

  CellState *states(Machine &m) const {
    return m.storage.bufs[buf].memory[owner].states.data() + slot * type->count;
  }
};

/// The static half of an access to a buf.
class BufPlan {
public:
  /// Nothing, with an error, if the value is not the result of an alloc.
  static std::optional<BufPlan> make(Compiler &c, mlir::Operation *op, mlir::Value buf,
                                     mlir::Value slot);

  const TileType &type() const { return *tileType; }
  /// False, with an error, if the slot may not be used now. A write makes the buf take the memory of those it is over.
  bool find(Machine &m, bool write, BufSlot &found) const;
  /// Whether the present elements (`mask`, null for all) have values; false, with an error, if not.
  static bool checkHeld(Machine &m, const BufSlot &slot, const uint8_t *mask);
  /// Sets the state of the elements with a nonzero byte (all if `mask` is null).
  static void mark(Machine &m, const BufSlot &slot, const uint8_t *mask, CellState state,
                   bool where = true);

private:
  bool takeOver(Machine &m) const;
  static bool takeBack(Machine &m, unsigned from);

  unsigned buf = 0;
  std::optional<unsigned> slot;
  const TileType *tileType = nullptr;
};

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_OPS_BUFACCESS_H
