// Names of the script: bare words and members of cursors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Dims.h"
#include "tessera/Schedule/ScheduleHost.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;
using script::ValueKind;

//===-- Bare words -------------------------------------------------------------------------------------------------===//

static Value targetRecord(const TargetRecord &target) {
  return Value::record({{"arch", Value::name(target.arch)},
                        {"version", Value::integer(target.version)},
                        {"smem", Value::integer(target.smem)},
                        {"sms", Value::integer(target.sms)},
                        {"registers", Value::integer(target.registers)},
                        {"threads", Value::integer(target.threads)},
                        {"cluster", Value::integer(target.cluster)}});
}

/// `rest`, and the names of sections: `roles({producer: [load], consumer: rest}, …)`.
static bool isSectionWord(llvm::ArrayRef<tile::KernelOp> kernels, StringRef name) {
  bool found = name == "rest";
  for (tile::KernelOp kernel : kernels) {
    kernel->walk([&](tile::SectionOp section) { found |= section.getName() == name; });
  }
  return found;
}

std::optional<Value> ScheduleHost::resolveName(StringRef name) const {
  // Leaves and layouts are made on demand.
  auto *self = const_cast<ScheduleHost *>(this);
  if (name == "target") {
    return targetRecord(options.target);
  }
  llvm::SmallVector<tile::KernelOp> all = self->kernels();
  int64_t argument = all.empty() ? -1 : all.front().findArgument(name);
  if (argument >= 0 && all.front().getArgType(argument).isInteger(64)) {
    bool isExtent = argument < static_cast<int64_t>(all.front().getExtents());
    Leaf leaf{isExtent ? Leaf::Kind::Extent : Leaf::Kind::Scalar, name.str()};
    return self->factTable.leaf(leaf, name);
  }
  // Constants that are left out are found by `replace`.
  if (options.instructions->knows(name)) {
    return Value::name(name);
  }
  if (name == "regs" || name == "smem") {
    return self->factTable.leaf({Leaf::Kind::Layout, name.str()}, name);
  }
  if (std::optional<LayoutChoice> choice = layoutNamed(name)) {
    return self->addLayout(std::move(*choice));
  }
  if (isSectionWord(all, name)) {
    return Value::name(name);
  }
  return std::nullopt;
}

Value ScheduleHost::addLayout(LayoutChoice choice) {
  for (size_t i = 0; i < layouts.size(); ++i) {
    if (layouts[i].text == choice.text) {
      return Value::layout(i, choice.text);
    }
  }
  layouts.push_back(std::move(choice));
  return Value::layout(layouts.size() - 1, layouts.back().text);
}

//===-- Members ----------------------------------------------------------------------------------------------------===//

namespace {

/// What `x.member` is, and what it could be.
class Member {
public:
  Member(CursorTable &table, const Site &site, StringRef name)
      : table(table), site(site), name(name) {}

  /// Nothing where there is no such member; `known` then has all that there are.
  std::optional<Value> find();
  std::vector<std::string> known;

private:
  bool is(StringRef word) {
    known.push_back(word.str());
    return name == word;
  }
  std::optional<Value> ofBlock();
  std::optional<Value> ofOp();
  std::optional<Value> ofAxes();
  std::optional<Value> feeding();
  Value cursor(mlir::Operation *op) {
    bool isLoop = llvm::isa<tile::ForOp, tile::ParOp, tile::GridOp, tile::TasksOp>(op);
    return table.op(op, llvm::isa<tile::KernelOp>(op) ? ValueKind::Kernel
                        : isLoop                      ? ValueKind::Loop
                                                      : ValueKind::Op);
  }

  CursorTable &table;
  const Site &site;
  StringRef name;
};

} // namespace

std::optional<Value> Member::ofBlock() {
  if (is("parent") && site.block) {
    return cursor(site.block->getParentOp());
  }
  if (site.kind == ValueKind::Gap) {
    return std::nullopt;
  }
  if (is("before") && !site.ops.empty()) {
    return table.gap(site.ops.front(), true);
  }
  if (is("after") && site.block) {
    return site.ops.empty() ? table.blockEnd(site.block) : table.gap(site.ops.back(), false);
  }
  if (is("first") && !site.ops.empty()) {
    return cursor(site.ops.front());
  }
  if (is("last") && !site.ops.empty()) {
    return cursor(site.ops.back());
  }
  return std::nullopt;
}

/// The axes of a grid or of tasks.
std::optional<Value> Member::ofAxes() {
  if (!llvm::isa<tile::GridOp, tile::TasksOp>(site.op)) {
    return std::nullopt;
  }
  for (mlir::BlockArgument argument : site.op->getRegion(0).front().getArguments()) {
    std::string axis = SymbolicValues::sourceName(argument);
    if (!axis.empty() && is(axis)) {
      return table.dim(site.op, axis);
    }
  }
  return std::nullopt;
}

/// `def(s).mma`: the op of that name that the value is made from, the nearest one.
std::optional<Value> Member::feeding() {
  llvm::SetVector<mlir::Operation *> wave;
  llvm::SmallPtrSet<mlir::Operation *, 16> seen;
  wave.insert(site.op);
  while (!wave.empty()) {
    llvm::SetVector<mlir::Operation *> next;
    llvm::SmallVector<mlir::Operation *> found;
    for (mlir::Operation *op : wave) {
      for (mlir::Value operand : op->getOperands()) {
        mlir::Operation *source = operand.getDefiningOp();
        if (source && seen.insert(source).second) {
          next.insert(source);
          if (source->getName().stripDialect() == name) {
            found.push_back(source);
          }
        }
      }
    }
    if (found.size() == 1) {
      return cursor(found.front());
    }
    if (found.size() > 1) {
      return table.ops(found, site.text + "." + name.str());
    }
    wave = std::move(next);
  }
  return std::nullopt;
}

std::optional<Value> Member::ofOp() {
  mlir::Operation *op = site.op;
  for (const std::string &dim : dimNames(op)) {
    known.push_back(dim);
  }
  if (std::optional<unsigned> dim = dimNamed(op, name)) {
    return table.dim(op, dimsOf(op)[*dim].name);
  }
  if (std::optional<Value> axis = ofAxes()) {
    return axis;
  }
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    std::string operand = operandName(op, i);
    if (!operand.empty() && is(operand)) {
      return table.operand(op, i);
    }
  }
  bool isKernel = llvm::isa<tile::KernelOp>(op);
  if (!isKernel && is("before")) {
    return table.gap(op, true);
  }
  if (!isKernel && is("after")) {
    return table.gap(op, false);
  }
  if (!isKernel && is("parent")) {
    return cursor(op->getParentOp());
  }
  bool hasBody = isKernel ? !llvm::cast<tile::KernelOp>(op).getBody().empty()
                          : op->getNumRegions() && !op->getRegion(0).empty();
  if (hasBody && is("body")) {
    mlir::Region &region = isKernel ? llvm::cast<tile::KernelOp>(op).getBody() : op->getRegion(0);
    return table.body(&region.front());
  }
  return feeding();
}

std::optional<Value> Member::find() {
  switch (site.kind) {
  case ValueKind::Gap:
  case ValueKind::Block:
    return ofBlock();
  case ValueKind::Dim:
  case ValueKind::Factor:
    if (is("op")) {
      return cursor(site.op);
    }
    return table.factorNamed(site.op, site.dim, site.text + "." + name.str());
  case ValueKind::Operand:
    if (is("op")) {
      mlir::Operation *source = site.op->getOperand(site.operand).getDefiningOp();
      return source ? std::optional<Value>(cursor(source)) : std::nullopt;
    }
    return std::nullopt;
  case ValueKind::Ops:
    return std::nullopt;
  default:
    return ofOp();
  }
}

llvm::Expected<Value> ScheduleHost::navigate(const script::Cursor &cursor, StringRef member,
                                             SourceRange) const {
  auto *self = const_cast<ScheduleHost *>(this);
  Value value = Value::cursor(cursor);
  // `c.inner` says which heir of a consumed `c` is meant.
  if (std::optional<Value> heir = self->table.heir(value, member)) {
    return *heir;
  }
  llvm::Expected<Site> site = table.resolve(value);
  if (!site) {
    return site.takeError();
  }
  Member found(self->table, *site, member);
  if (std::optional<Value> result = found.find()) {
    return *result;
  }
  auto error = std::make_unique<HostError>(HostError::Kind::NotFound,
                                           "`" + site->text + "` has no `" + member + "`");
  if (!found.known.empty()) {
    error->help = "it has `" + llvm::join(found.known, "`, `") + "`";
  }
  if (site->op) {
    error->notes.push_back(noteAt(site->op, "it stands here"));
  }
  return llvm::Error(std::move(error));
}
