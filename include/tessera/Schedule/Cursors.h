// Places in a kernel that scripts hold on to. An op keeps its number from edit to edit because edits go through a
// rewriter with a listener; a number whose op is gone says which primitive took it, and who inherited it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_CURSORS_H
#define TESSERA_SCHEDULE_CURSORS_H

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Schedule/ScriptHost.h"

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

#include <map>

namespace tessera::schedule {

/// What a cursor stands for.
struct Site {
  script::ValueKind kind = script::ValueKind::Op;
  /// Op, Loop, Kernel, Buf (its alloc), Ring (its op): itself. Dim, Factor, Operand: the op that has it. Gap: the anchor.
  /// Block: the first op; null where the block is empty.
  mlir::Operation *op = nullptr;
  std::string dim;      ///< Dim, Factor: the interface's name (`m`, `d1`, `r`)
  unsigned factor = 0;  ///< Factor: its position among the dim's factors now, 0 the outermost
  unsigned operand = 0; ///< Operand: its number
  bool isBefore =
      false; ///< Gap: before or after the anchor. The gap at the end of an empty block has no anchor.
  mlir::Block *block = nullptr;             ///< Gap, Block: where
  llvm::SmallVector<mlir::Operation *> ops; ///< Ops, Block: in order of the program
  std::string text;                         ///< what messages call it: `load x.c`
};

class CursorTable {
public:
  /// A number for ever; made on demand. 0 is none.
  using Id = uint64_t;

  //===--- making cursors. The same place gives the same id. ---===//
  script::Value op(mlir::Operation *op, script::ValueKind kind, llvm::StringRef text = "");
  script::Value dim(mlir::Operation *op, llvm::StringRef dim, llvm::StringRef text = "");
  script::Value factor(mlir::Operation *op, llvm::StringRef dim, unsigned position);
  script::Value operand(mlir::Operation *op, unsigned index, llvm::StringRef text = "");
  script::Value gap(mlir::Operation *anchor, bool isBefore);
  script::Value blockEnd(mlir::Block *block);
  script::Value block(mlir::Operation *first, mlir::Operation *last);
  script::Value body(mlir::Block *block);
  script::Value ops(llvm::ArrayRef<mlir::Operation *> ops, llvm::StringRef text = "");

  /// Live site, or HostError Dead or Ambiguous. Not a cursor: NotFound.
  llvm::Expected<Site> resolve(const script::Value &cursor) const;

  /// The op of an op's cursor, or all living ones that it came to stand for, in order of their making.
  llvm::SmallVector<mlir::Operation *> living(const script::Value &cursor) const;

  /// The heir in `role` of a consumed op or factor; the factor of a dim that is called `text`. Nothing where there is none.
  std::optional<script::Value> heir(const script::Value &cursor, llvm::StringRef role);
  std::optional<script::Value> factorNamed(mlir::Operation *op, llvm::StringRef dim,
                                           llvm::StringRef text);

  //===--- provenance, stated by primitives ---===//
  /// `heir` takes over from `from` in `role` ("" where it is the only one: cursors follow silently).
  void derive(mlir::Operation *heir, mlir::Operation *from, llvm::StringRef role);
  /// `copy` is a copy of `original`, which lives on: cursors to `original` are ambiguous between the two.
  void fork(mlir::Operation *copy, mlir::Operation *original, llvm::StringRef copyRole,
            llvm::StringRef otherRole);
  /// Names a factor after the one (or the dim) that it is a part of; `inherits`: cursors to `from` stand for its parts.
  void nameFactor(mlir::Operation *op, llvm::StringRef dim, unsigned position,
                  const script::Value &from, llvm::StringRef role, bool inherits);
  /// Factors of a dim after its `tile.iter` changed; `kept[i]` is the old position of factor i, or -1 for a new one. Old
  /// ones that are not kept are dead unless something was derived from them.
  void factorsChanged(mlir::Operation *op, llvm::StringRef dim, llvm::ArrayRef<int> kept);
  /// Calls it what messages say from now on.
  void rename(mlir::Operation *op, llvm::StringRef text);

  //===--- the primitive at work: named in tombstones ---===//
  void enter(llvm::StringRef primitive, SourceRange range);
  void leave();

  //===--- for the listener and for snapshots ---===//
  void erased(mlir::Operation *op);
  /// All ops are those of a copy from now on.
  void remap(const mlir::IRMapping &mapping);
  /// Back to `saved`, whose ops are live again; ids made since then are dead.
  void restore(CursorTable saved, llvm::StringRef reason);
  size_t size() const { return entries.size(); }

  /// `load x`, `loop k`: what messages call an op.
  static std::string describe(mlir::Operation *op);

private:
  struct Heir {
    std::string role;
    Id id;
  };
  struct Entry {
    script::ValueKind kind = script::ValueKind::Op;
    bool isOp = false; ///< op itself; all others hang on `owner`
    mlir::Operation *op = nullptr;
    mlir::Block *block = nullptr;
    Id owner = 0, last = 0;
    std::string dim;
    unsigned index = 0;
    std::vector<Id> members;
    std::string text;
    bool isDead = false;
    std::string consumer;
    SourceRange consumedAt;
    std::vector<Heir> heirs;
  };
  struct Key {
    Id owner;
    int what;
    std::string name;
    uint64_t index;
    bool operator<(const Key &other) const {
      return std::tie(owner, what, name, index) <
             std::tie(other.owner, other.what, other.name, other.index);
    }
  };

  Id idOf(mlir::Operation *op);
  Id intern(const Key &key, Entry entry);
  Id add(Entry entry);
  script::Value cursor(Id id, script::ValueKind kind, llvm::StringRef text);
  llvm::Expected<Id> follow(Id id, const std::string &cursorText) const;
  llvm::Expected<Site> resolveSet(const Entry &entry, Site site, const std::string &text) const;
  llvm::Expected<Site> resolveBlock(const Entry &entry, Site site, const std::string &text) const;
  llvm::Expected<Site> resolvePart(Id id, Id owner, Site site, const std::string &text) const;
  llvm::Error dead(Id id, const std::string &cursorText) const;
  std::vector<Id> &factorIds(mlir::Operation *op, llvm::StringRef dim);
  void kill(Id id);

  std::vector<Entry> entries = std::vector<Entry>(1);
  llvm::DenseMap<mlir::Operation *, Id> byOp;
  std::map<Key, Id> interned;
  std::map<std::pair<Id, std::string>, std::vector<Id>>
      factorsOf; ///< (op, dim) -> ids, outermost first
  std::string primitive;
  SourceRange range;
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_CURSORS_H
