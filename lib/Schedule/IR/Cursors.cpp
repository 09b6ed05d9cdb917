// The table of cursors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Cursors.h"

#include "tessera/Schedule/Dims.h"
#include "tessera/Schedule/SymbolicValues.h"

using namespace tessera;
using namespace tessera::schedule;
using script::HostError;
using script::Value;
using script::ValueKind;

namespace {
/// What an entry hangs on its owner.
enum What { kDim, kFactor, kOperand, kGapBefore, kGapAfter, kBlock, kBody, kBodyEnd, kOps };
} // namespace

//===-- Words ------------------------------------------------------------------------------------------------------===//

static std::string viewName(mlir::Value view) {
  mlir::BlockArgument root = rootView(view);
  return root ? SymbolicValues::sourceName(root) : "";
}

/// The name of the step of a loop, or of the axes of a grid.
static std::string loopName(mlir::Operation *op) {
  std::string text;
  for (mlir::BlockArgument argument : op->getRegion(0).front().getArguments()) {
    std::string name = SymbolicValues::sourceName(argument);
    text += (text.empty() || name.empty() ? "" : ", ") + name;
    if (llvm::isa<tile::ForOp, tile::ParOp>(op)) {
      break;
    }
  }
  return text;
}

std::string CursorTable::describe(mlir::Operation *op) {
  auto called = [](const char *word, const std::string &name) {
    return name.empty() ? std::string(word) : word + (" " + name);
  };
  if (auto kernel = llvm::dyn_cast<tile::KernelOp>(op)) {
    return "kernel " + kernel.getSymName().str();
  }
  if (llvm::isa<tile::ForOp, tile::ParOp>(op)) {
    return called("loop", loopName(op));
  }
  if (llvm::isa<tile::GridOp>(op)) {
    return called("grid", loopName(op));
  }
  if (llvm::isa<tile::TasksOp>(op)) {
    return called("tasks", loopName(op));
  }
  if (auto load = llvm::dyn_cast<tile::LoadOp>(op)) {
    return called("load", viewName(load.getView()));
  }
  if (auto copy = llvm::dyn_cast<tile::CopyOp>(op)) {
    return called("copy", viewName(copy.getView()));
  }
  if (auto store = llvm::dyn_cast<tile::StoreOp>(op)) {
    return called("store", viewName(store.getView()));
  }
  if (auto copy = llvm::dyn_cast<tile::CopyOutOp>(op)) {
    return called("copy_out", viewName(copy.getView()));
  }
  if (auto section = llvm::dyn_cast<tile::SectionOp>(op)) {
    return called("section", section.getName().str());
  }
  std::string name = SymbolicValues::sourceName(op);
  return name.empty() ? op->getName().stripDialect().str()
                      : op->getName().stripDialect().str() + " " + name;
}

//===-- Making -----------------------------------------------------------------------------------------------------===//

CursorTable::Id CursorTable::add(Entry entry) {
  entries.push_back(std::move(entry));
  return entries.size() - 1;
}

CursorTable::Id CursorTable::idOf(mlir::Operation *op) {
  auto known = byOp.find(op);
  if (known != byOp.end()) {
    return known->second;
  }
  Entry entry;
  entry.isOp = true;
  entry.op = op;
  entry.text = describe(op);
  return byOp[op] = add(std::move(entry));
}

CursorTable::Id CursorTable::intern(const Key &key, Entry entry) {
  auto known = interned.find(key);
  if (known != interned.end()) {
    return known->second;
  }
  return interned[key] = add(std::move(entry));
}

Value CursorTable::cursor(Id id, ValueKind kind, llvm::StringRef text) {
  return Value::cursor({id, 0, kind, text.str()});
}

Value CursorTable::op(mlir::Operation *op, ValueKind kind, llvm::StringRef text) {
  Id id = idOf(op);
  if (!text.empty()) {
    entries[id].text = text.str();
  }
  return cursor(id, kind, entries[id].text);
}

void CursorTable::rename(mlir::Operation *op, llvm::StringRef text) {
  entries[idOf(op)].text = text.str();
}

Value CursorTable::dim(mlir::Operation *op, llvm::StringRef dim, llvm::StringRef text) {
  Id owner = idOf(op);
  Key key{owner, kDim, dim.str(), 0};
  auto known = interned.find(key);
  if (known != interned.end()) {
    // It keeps the name that it was made with.
    return cursor(known->second, ValueKind::Dim, entries[known->second].text);
  }
  Entry entry;
  entry.kind = ValueKind::Dim;
  entry.owner = owner;
  entry.dim = dim.str();
  std::string name = dim.str();
  if (std::optional<unsigned> at = findDim(op, dim)) {
    name = dimNames(op)[*at];
  }
  entry.text = text.empty() ? entries[owner].text + "." + name : text.str();
  Id id = intern(key, entry);
  return cursor(id, ValueKind::Dim, entries[id].text);
}

std::vector<CursorTable::Id> &CursorTable::factorIds(mlir::Operation *op, llvm::StringRef dim) {
  Id owner = idOf(op);
  std::vector<Id> &ids = factorsOf[{owner, dim.str()}];
  auto iter = op->getAttrOfType<tile::IterAttr>(tile::iterAttrName);
  size_t count = iter ? iter.getFactors(dim).size() : 0;
  while (ids.size() < count) {
    Entry entry;
    entry.kind = ValueKind::Factor;
    entry.owner = owner;
    entry.dim = dim.str();
    entry.text = this->dim(op, dim).str();
    entry.text += count > 1 ? "[" + std::to_string(ids.size()) + "]" : "";
    ids.push_back(add(std::move(entry)));
  }
  return ids;
}

Value CursorTable::factor(mlir::Operation *op, llvm::StringRef dim, unsigned position) {
  std::vector<Id> &ids = factorIds(op, dim);
  if (position >= ids.size()) {
    return this->dim(op, dim);
  }
  return cursor(ids[position], ValueKind::Factor, entries[ids[position]].text);
}

Value CursorTable::operand(mlir::Operation *op, unsigned index, llvm::StringRef text) {
  Id owner = idOf(op);
  std::string name = operandName(op, index);
  Entry entry;
  entry.kind = ValueKind::Operand;
  entry.owner = owner;
  entry.index = index;
  entry.text = !text.empty()
                   ? text.str()
                   : entries[owner].text + "." + (name.empty() ? std::to_string(index) : name);
  Id id = intern({owner, kOperand, "", index}, entry);
  return cursor(id, ValueKind::Operand, entries[id].text);
}

Value CursorTable::gap(mlir::Operation *anchor, bool isBefore) {
  Id owner = idOf(anchor);
  Entry entry;
  entry.kind = ValueKind::Gap;
  entry.owner = owner;
  entry.index = isBefore;
  entry.text = entries[owner].text + (isBefore ? ".before" : ".after");
  Id id = intern({owner, isBefore ? kGapBefore : kGapAfter, "", 0}, entry);
  return cursor(id, ValueKind::Gap, entries[id].text);
}

Value CursorTable::blockEnd(mlir::Block *block) {
  Id owner = idOf(block->getParentOp());
  unsigned region = block->getParent()->getRegionNumber();
  Entry entry;
  entry.kind = ValueKind::Gap;
  entry.owner = owner;
  entry.index = region;
  entry.last = ~Id(0); // marks the end of a block
  entry.text = "end of " + entries[owner].text;
  Id id = intern({owner, kBodyEnd, "", region}, entry);
  return cursor(id, ValueKind::Gap, entries[id].text);
}

Value CursorTable::block(mlir::Operation *first, mlir::Operation *last) {
  Id owner = idOf(first), end = idOf(last);
  Entry entry;
  entry.kind = ValueKind::Block;
  entry.owner = owner;
  entry.last = end;
  entry.text = entries[owner].text + " to " + entries[end].text;
  Id id = intern({owner, kBlock, "", end}, entry);
  return cursor(id, ValueKind::Block, entries[id].text);
}

Value CursorTable::body(mlir::Block *block) {
  Id owner = idOf(block->getParentOp());
  unsigned region = block->getParent()->getRegionNumber();
  Entry entry;
  entry.kind = ValueKind::Block;
  entry.owner = owner;
  entry.index = region;
  entry.text = entries[owner].text + ".body";
  Id id = intern({owner, kBody, "", region}, entry);
  return cursor(id, ValueKind::Block, entries[id].text);
}

Value CursorTable::ops(llvm::ArrayRef<mlir::Operation *> ops, llvm::StringRef text) {
  Entry entry;
  entry.kind = ValueKind::Ops;
  std::string key;
  for (mlir::Operation *op : ops) {
    entry.members.push_back(idOf(op));
    key += std::to_string(entry.members.back()) + ",";
  }
  entry.text = text.empty() ? std::to_string(ops.size()) + " ops" : text.str();
  Id id = intern({0, kOps, key, 0}, entry);
  return cursor(id, ValueKind::Ops, entries[id].text);
}

//===-- Resolving --------------------------------------------------------------------------------------------------===//

llvm::Error CursorTable::dead(Id id, const std::string &text) const {
  const Entry &entry = entries[id];
  auto error = std::make_unique<HostError>(
      entry.heirs.size() > 1 ? HostError::Kind::Ambiguous : HostError::Kind::Dead, text);
  error->cursor = text;
  error->consumer = entry.consumer;
  error->consumedAt = entry.consumedAt;
  for (const Heir &heir : entry.heirs) {
    error->candidates.push_back(text + "." + heir.role);
  }
  return llvm::Error(std::move(error));
}

/// The entry that stands for `id` now.
llvm::Expected<CursorTable::Id> CursorTable::follow(Id id, const std::string &text) const {
  // Heirs are always newer, so this ends.
  while (entries[id].isDead) {
    if (entries[id].heirs.size() != 1) {
      return dead(id, text);
    }
    id = entries[id].heirs.front().id;
  }
  return id;
}

static void fillBlock(Site &site, mlir::Block *block) {
  site.block = block;
  for (mlir::Operation &op : *block) {
    if (!op.hasTrait<mlir::OpTrait::IsTerminator>()) {
      site.ops.push_back(&op);
    }
  }
  site.op = site.ops.empty() ? nullptr : site.ops.front();
}

/// A set is what is left of it: members that are gone are, the heirs of a copied one are all meant.
llvm::Expected<Site> CursorTable::resolveSet(const Entry &entry, Site site,
                                             const std::string &text) const {
  for (Id member : entry.members) {
    llvm::SmallVector<Id> open{member};
    while (!open.empty()) {
      Id at = open.pop_back_val();
      if (!entries[at].isDead) {
        site.ops.push_back(entries[at].op);
      }
      for (const Heir &heir : llvm::reverse(entries[at].heirs)) {
        open.push_back(heir.id);
      }
    }
  }
  if (site.ops.empty() && !entry.members.empty()) {
    return dead(entry.members.front(), text);
  }
  site.op = site.ops.empty() ? nullptr : site.ops.front();
  return site;
}

/// The statements from the owner to the last op of a block cursor; the body of the owner.
llvm::Expected<Site> CursorTable::resolveBlock(const Entry &entry, Site site,
                                               const std::string &text) const {
  if (!entry.last) {
    fillBlock(site, &site.op->getRegion(entry.index).front());
    return site;
  }
  llvm::Expected<Id> last = follow(entry.last, text);
  if (!last) {
    return last.takeError();
  }
  mlir::Operation *end = entries[*last].op;
  site.block = site.op->getBlock();
  for (mlir::Operation *at = site.op; at && site.block == end->getBlock(); at = at->getNextNode()) {
    site.ops.push_back(at);
    if (at == end) {
      return site;
    }
  }
  // One of them was moved to another place.
  return dead(entry.owner, text);
}

/// What hangs on an op: dims, factors, operands, gaps, blocks. `owner` is that op's entry.
llvm::Expected<Site> CursorTable::resolvePart(Id id, Id owner, Site site,
                                              const std::string &text) const {
  const Entry &entry = entries[id];
  site.op = entries[owner].op;
  site.dim = entry.dim;
  switch (entry.kind) {
  case ValueKind::Dim:
    if (llvm::isa<tile::TileIterOpInterface>(site.op) && !findDim(site.op, entry.dim)) {
      return dead(entry.owner, text);
    }
    return site;
  case ValueKind::Factor: {
    auto ids = factorsOf.find({owner, entry.dim});
    auto end = ids == factorsOf.end() ? nullptr : &ids->second;
    auto found = end ? llvm::find(*end, id) : std::vector<Id>::const_iterator();
    if (!end || found == end->end()) {
      return dead(entry.owner, text);
    }
    site.factor = found - end->begin();
    return site;
  }
  case ValueKind::Operand:
    if (entry.index >= site.op->getNumOperands()) {
      return dead(entry.owner, text);
    }
    site.operand = entry.index;
    return site;
  case ValueKind::Gap:
    if (entry.last) {
      site.block = &site.op->getRegion(entry.index).front();
      site.op = nullptr;
    } else {
      site.block = site.op->getBlock();
      site.isBefore = entry.index != 0;
    }
    return site;
  default:
    return resolveBlock(entry, std::move(site), text);
  }
}

llvm::Expected<Site> CursorTable::resolve(const Value &value) const {
  const script::Cursor *given = value.getCursor();
  if (!given || given->id == 0 || given->id >= entries.size()) {
    return llvm::make_error<HostError>(HostError::Kind::NotFound,
                                       "expected a cursor, found " + value.describe());
  }
  llvm::Expected<Id> live = follow(given->id, given->text);
  if (!live) {
    return live.takeError();
  }
  const Entry &entry = entries[*live];
  Site site;
  site.kind = entry.isOp ? given->kind : entry.kind;
  site.text = entry.text;
  if (entry.isOp) {
    site.op = entry.op;
    site.block = entry.op->getBlock();
    site.ops = {entry.op};
    return site;
  }
  if (entry.kind == ValueKind::Ops) {
    return resolveSet(entry, std::move(site), given->text);
  }
  llvm::Expected<Id> owner = follow(entry.owner, given->text);
  if (!owner) {
    return owner.takeError();
  }
  return resolvePart(*live, *owner, std::move(site), given->text);
}

llvm::SmallVector<mlir::Operation *> CursorTable::living(const Value &cursor) const {
  llvm::SmallVector<mlir::Operation *> found;
  llvm::SmallVector<Id> open;
  if (const script::Cursor *given = cursor.getCursor(); given && given->id < entries.size()) {
    open.push_back(given->id);
  }
  while (!open.empty()) {
    const Entry &entry = entries[open.pop_back_val()];
    if (!entry.isDead && entry.op) {
      found.push_back(entry.op);
    }
    for (const Heir &heir : llvm::reverse(entry.heirs)) {
      open.push_back(heir.id);
    }
  }
  return found;
}

std::optional<Value> CursorTable::heir(const Value &cursor, llvm::StringRef role) {
  const script::Cursor *given = cursor.getCursor();
  if (!given || given->id >= entries.size() || !entries[given->id].isDead) {
    return std::nullopt;
  }
  for (const Heir &heir : entries[given->id].heirs) {
    if (heir.role == role) {
      return this->cursor(heir.id, given->kind, entries[heir.id].text);
    }
  }
  return std::nullopt;
}

std::optional<Value> CursorTable::factorNamed(mlir::Operation *op, llvm::StringRef dim,
                                              llvm::StringRef text) {
  for (auto [position, id] : llvm::enumerate(factorIds(op, dim))) {
    if (entries[id].text == text) {
      return factor(op, dim, position);
    }
  }
  return std::nullopt;
}

//===-- Provenance -------------------------------------------------------------------------------------------------===//

void CursorTable::enter(llvm::StringRef name, SourceRange place) {
  primitive = name.str();
  range = place;
}

void CursorTable::leave() {
  primitive.clear();
  range = SourceRange();
}

void CursorTable::kill(Id id) {
  Entry &entry = entries[id];
  entry.isDead = true;
  entry.consumer = primitive;
  entry.consumedAt = range;
}

void CursorTable::derive(mlir::Operation *heir, mlir::Operation *from, llvm::StringRef role) {
  auto known = byOp.find(from);
  if (known == byOp.end() || heir == from) {
    return; // nobody holds a cursor to it
  }
  Id old = known->second;
  std::string text = entries[old].text;
  Id fresh = idOf(heir);
  entries[fresh].text = role.empty() ? text : text + "." + role.str();
  entries[old].heirs.push_back({role.str(), fresh});
}

void CursorTable::fork(mlir::Operation *copy, mlir::Operation *original, llvm::StringRef copyRole,
                       llvm::StringRef otherRole) {
  auto known = byOp.find(original);
  if (known == byOp.end()) {
    return;
  }
  Id old = known->second;
  Entry other = entries[old];
  std::string text = other.text;
  // The original lives on under a new id; its factors go with it.
  other.text = text + "." + otherRole.str();
  Id kept = add(std::move(other));
  byOp[original] = kept;
  Id fresh = idOf(copy);
  entries[fresh].text = text + "." + copyRole.str();
  kill(old);
  entries[old].heirs = {{copyRole.str(), fresh}, {otherRole.str(), kept}};
}

void CursorTable::nameFactor(mlir::Operation *op, llvm::StringRef dim, unsigned position,
                             const Value &from, llvm::StringRef role, bool inherits) {
  const script::Cursor *old = from.getCursor();
  if (!old || old->id >= entries.size()) {
    return;
  }
  std::string text = entries[old->id].text;
  std::vector<Id> &ids = factorIds(op, dim);
  if (position >= ids.size()) {
    return;
  }
  entries[ids[position]].text = text + "." + role.str();
  if (inherits) {
    entries[old->id].heirs.push_back({role.str(), ids[position]});
  }
}

void CursorTable::factorsChanged(mlir::Operation *op, llvm::StringRef dim,
                                 llvm::ArrayRef<int> kept) {
  std::vector<Id> &ids = factorsOf[{idOf(op), dim.str()}];
  std::vector<Id> old = std::move(ids);
  ids.clear();
  std::vector<bool> isKept(old.size(), false);
  std::string text = this->dim(op, dim).str();
  for (auto [i, position] : llvm::enumerate(kept)) {
    if (position >= 0 && static_cast<size_t>(position) < old.size()) {
      ids.push_back(old[position]);
      isKept[position] = true;
      continue;
    }
    Entry entry;
    entry.kind = ValueKind::Factor;
    entry.owner = idOf(op);
    entry.dim = dim.str();
    entry.text = kept.size() > 1 ? text + "[" + std::to_string(i) + "]" : text;
    ids.push_back(add(std::move(entry)));
  }
  for (auto [id, lives] : llvm::zip(old, isKept)) {
    if (!lives) {
      kill(id);
    }
  }
}

//===-- Edits ------------------------------------------------------------------------------------------------------===//

void CursorTable::erased(mlir::Operation *op) {
  auto known = byOp.find(op);
  if (known == byOp.end()) {
    return;
  }
  Id id = known->second;
  byOp.erase(op);
  kill(id);
  entries[id].op = nullptr;
  // A gap slides to what stands beside it.
  for (auto what : {kGapBefore, kGapAfter}) {
    auto gap = interned.find({id, what, "", 0});
    if (gap == interned.end() || !op->getBlock() || !entries[id].heirs.empty()) {
      continue;
    }
    mlir::Operation *next = op->getNextNode(), *previous = op->getPrevNode();
    if (next || previous) {
      Id neighbour = idOf(next ? next : previous);
      entries[gap->second].owner = neighbour;
      entries[gap->second].index = next != nullptr;
    }
  }
}

void CursorTable::remap(const mlir::IRMapping &mapping) {
  byOp.clear();
  for (Id id = 1; id < entries.size(); ++id) {
    Entry &entry = entries[id];
    if (!entry.isOp || !entry.op) {
      continue;
    }
    entry.op = mapping.lookupOrDefault(entry.op);
    byOp[entry.op] = id;
  }
}

void CursorTable::restore(CursorTable saved, llvm::StringRef reason) {
  size_t count = entries.size();
  *this = std::move(saved);
  // Numbers are never given twice: a script may still hold one.
  while (entries.size() < count) {
    Entry entry;
    entry.isDead = true;
    entry.consumer = reason.str();
    entries.push_back(std::move(entry));
  }
}
