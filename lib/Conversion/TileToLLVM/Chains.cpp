// Elementwise ops one after the other of which a short way is known to be right when a bf16 element lies in a window of
// exponents: computed together, with one test of the elements instead of a test at each op.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Chains.h"

#include "Boxes.h"
#include "LoadedAgain.h"

#include "tessera/Conversion/OneElement.h"
#include "tessera/Conversion/ShortWays.h"
#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/PatternMatch.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using Registers32 = ScalarLowering::Values;

/// On ops that an earlier one has taken along, until their turn comes.
static constexpr llvm::StringLiteral chainedAttr = "tile.chained";

namespace {
class Chain {
public:
  explicit Chain(Lowering &l) : l(l) {}

  /// Takes in `first`, which has a short way, and what follows it; false where nothing is known of their operands.
  bool gather(Operation *first);
  LogicalResult lower();

private:
  bool hasShortWay(Operation *op) const;
  bool isMember(mlir::Value value) const { return members.contains(value.getDefiningOp()); }
  bool isAvailable(mlir::Value value) const;
  bool takesPart(Operation *op) const;
  void findWindows();
  void findSizes(Operation *op);
  void findInputs();
  void addInput(mlir::Value value, unsigned depth);

  llvm::Value *registerOf(mlir::Value value, int64_t reg) const;
  /// The value that all registers have, if they have one.
  llvm::Value *sameForAll(mlir::Value value) const;
  llvm::Value *inWindow(mlir::Value source, const ElementWindow &window, int64_t begin,
                        int64_t end);
  llvm::Value *inWindowsOrZero(ArrayRef<llvm::Value *> operands);
  llvm::Error shortOnes(int64_t begin, int64_t end, llvm::SmallVectorImpl<Condition> &conditions);
  llvm::Expected<Registers32> element(ArrayRef<llvm::Value *> operands);
  llvm::Error slice(int64_t begin, int64_t end);

  Lowering &l;
  TileValue form; ///< shape and distribution of all
  llvm::SetVector<Operation *> members, before;
  llvm::DenseMap<Operation *, Known> known;
  llvm::MapVector<mlir::Value, ElementWindow> windows; ///< by source
  llvm::SetVector<mlir::Value> inputs, outputs;
  llvm::DenseMap<mlir::Value, Registers32> made;  ///< of one slice
  llvm::SmallVector<llvm::Value *> memory;        ///< of the long way
  llvm::DenseMap<mlir::Value, Registers> results; ///< of all
};
} // namespace

//===- which ops ----------------------------------------------------------===//

static bool fitsInWord(mlir::Type type) {
  std::optional<DType> t = dtypeIfAny(type);
  return t && !isBool(*t) && bitWidth(*t) <= 32;
}

bool Chain::hasShortWay(Operation *op) const {
  bool isByConstant =
      llvm::isa<tile::DivOp>(op) && op->getOperand(1).getDefiningOp<tile::ConstantOp>();
  return convert::hasShortWay(l.scalars, op) && !isByConstant &&
         dtypeIfAny(op->getResult(0).getType()) == DType::f32;
}

/// Constants are made when they are needed.
bool Chain::isAvailable(mlir::Value value) const {
  if (isMember(value) || value.getDefiningOp<tile::ConstantOp>()) {
    return true;
  }
  if (!l.hasTile(value)) {
    return false;
  }
  const TileValue &held = l.tile(value);
  return held.shape.empty() || held.dist == form.dist;
}

bool Chain::takesPart(Operation *op) const {
  if (!tile::isElementwise(op) || op->getNumResults() != 1) {
    return false;
  }
  TileValue own = l.emptyFor(op->getResult(0));
  return fitsInWord(op->getResult(0).getType()) && own.dist == form.dist &&
         own.shape == form.shape && llvm::all_of(op->getOperands(), [&](mlir::Value operand) {
           return fitsInWord(operand.getType()) && isAvailable(operand);
         });
}

bool Chain::gather(Operation *first) {
  constexpr unsigned farthest = 64;
  form = l.emptyFor(first->getResult(0));
  if (form.shape.empty() || !hasShortWay(first) || l.kernel.getMath() != tile::MathMode::strict) {
    return false;
  }
  unsigned seen = 0;
  for (Operation *op = first; op && seen < farthest; op = op->getNextNode(), ++seen) {
    if (takesPart(op)) {
      members.insert(op);
    }
  }
  // What no short way needs is lowered where it stands.
  llvm::SetVector<Operation *> needed;
  for (Operation *op : llvm::reverse(members)) {
    bool isUsed =
        llvm::any_of(op->getUsers(), [&](Operation *user) { return needed.contains(user); });
    if (isUsed || hasShortWay(op)) {
      needed.insert(op);
    }
  }
  members.remove_if([&](Operation *op) { return !needed.contains(op); });
  if (!members.contains(first)) {
    return false;
  }
  findWindows();
  return !windows.empty();
}

void Chain::findWindows() {
  llvm::MapVector<mlir::Value, OneElement> sources;
  llvm::MapVector<Operation *, mlir::Value> sourceOf;
  for (Operation *op : members) {
    if (!hasShortWay(op)) {
      continue;
    }
    bool isQuotient = llvm::isa<tile::DivOp>(op);
    mlir::Value whole = OneElement::sourceOf(op->getResult(0));
    mlir::Value source = whole || !isQuotient ? whole : OneElement::sourceOf(op->getOperand(1));
    if (!source || !l.hasTile(source) || l.tile(source).dist != form.dist) {
      continue;
    }
    OneElement &functions = sources.try_emplace(source, source).first->second;
    bool isShort = false;
    if (whole) {
      isShort = functions.expectShortWay(op);
    } else {
      functions.expectDivisor(op->getOperand(1));
    }
    known[op] = !whole ? Known::divisors : isShort ? Known::allWithoutNewton : Known::all;
    sourceOf[op] = source;
  }
  for (auto &[op, source] : sourceOf) {
    if (std::optional<ElementWindow> window = sources.find(source)->second.window()) {
      windows[source] = *window;
    } else {
      known.erase(op);
    }
  }
  for (auto &[op, source] : sourceOf) {
    if (known.lookup(op) == Known::divisors) {
      findSizes(op);
    }
  }
}

/// Dividends that are sums of elements in windows need no test of their own.
void Chain::findSizes(Operation *op) {
  constexpr int least = -63, most = 65;
  llvm::MapVector<mlir::Value, ElementWindow> more;
  auto windowOf = [&](mlir::Value source) -> std::optional<ElementWindow> {
    if (!l.hasTile(source) || l.tile(source).dist != form.dist) {
      return std::nullopt;
    }
    if (auto found = windows.find(source); found != windows.end()) {
      return found->second;
    }
    return more.try_emplace(source, *OneElement(source).window()).first->second;
  };
  std::optional<Sizes> sizes = sizesOf(op->getOperand(0), windowOf);
  if (sizes && sizes->least >= least && sizes->most <= most && more.size() <= 2) {
    known[op] = Known::all;
    for (auto &[source, window] : more) {
      windows.insert({source, window});
    }
  }
}

//===- inputs and outputs -------------------------------------------------===//

/// What the long way begins with. Ops that are cheap are done again, so that as little as possible is held until then.
void Chain::addInput(mlir::Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (isMember(value) || inputs.contains(value) || before.contains(op) ||
      (op && llvm::isa<tile::ConstantOp>(op))) {
    return;
  }
  if (depth > 0 && op && takesPart(op) && !hasShortWay(op)) {
    for (mlir::Value operand : op->getOperands()) {
      addInput(operand, depth - 1);
    }
    before.insert(op);
    return;
  }
  inputs.insert(value);
}

void Chain::findInputs() {
  constexpr unsigned depth = 3;
  for (auto &[source, window] : windows) {
    inputs.insert(source);
  }
  for (Operation *op : members) {
    for (mlir::Value operand : op->getOperands()) {
      addInput(operand, depth);
    }
    mlir::Value result = op->getResult(0);
    if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !members.contains(user); })) {
      outputs.insert(result);
    }
  }
  // No column for what is the same in all registers.
  inputs.remove_if(
      [&](mlir::Value value) { return !windows.contains(value) && sameForAll(value) != nullptr; });
}

llvm::Value *Chain::registerOf(mlir::Value value, int64_t reg) const {
  const TileValue &held = l.tile(value);
  return held.regs[held.shape.empty() ? 0 : reg];
}

llvm::Value *Chain::sameForAll(mlir::Value value) const {
  ArrayRef<llvm::Value *> regs = l.tile(value).regs;
  return llvm::all_equal(regs) ? regs.front() : nullptr;
}

//===- the window ---------------------------------------------------------===//

/// Two bf16 side by side; the word that they come from, where there is one.
static llvm::Value *sideBySide(llvm::IRBuilderBase &b, llvm::Value *low, llvm::Value *high) {
  using namespace llvm::PatternMatch;
  llvm::Value *word = nullptr;
  if (match(low, m_Trunc(m_Value(word))) && word->getType()->isIntegerTy(32) &&
      match(high, m_Trunc(m_LShr(m_Specific(word), m_SpecificInt(16))))) {
    return word;
  }
  low = b.CreateZExt(low, b.getInt32Ty());
  return b.CreateOr(b.CreateShl(b.CreateZExt(high, b.getInt32Ty()), 16), low);
}

// Twice the patterns, without the sign, less the window's begin: as unsigned numbers below twice its width. The upper one of
// two has what the lower one's sign leaves in its last bit, which says nothing, and lacks 1 only where the lower one is below the
// begin.
llvm::Value *Chain::inWindow(mlir::Value source, const ElementWindow &window, int64_t begin,
                             int64_t end) {
  llvm::IRBuilderBase &b = l.b;
  Registers32 halves;
  for (int64_t reg = begin; reg < end; ++reg) {
    halves.push_back(registerOf(source, reg));
  }
  auto *pair = llvm::FixedVectorType::get(b.getInt16Ty(), 2);
  uint32_t first = 2 * window.first, last = 2 * (window.end - window.first) - 1;
  // Where nothing is larger than the last one, the maximum with it is that: halves need no look of their own.
  llvm::Value *bound = b.getInt32(last << 16 | last);
  llvm::Value *largest =
      llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(2), b.getInt16(uint16_t(last)));
  for (size_t i = 0; i < halves.size(); i += 2) {
    llvm::Value *word = sideBySide(b, halves[i], halves[std::min(i + 1, halves.size() - 1)]);
    word = b.CreateSub(b.CreateShl(word, 1), b.getInt32(first << 16 | first));
    largest = b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, largest, b.CreateBitCast(word, pair));
  }
  return b.CreateICmpEQ(b.CreateBitCast(largest, b.getInt32Ty()), bound);
}

/// Of one element: each source is in its window or 0, where that is right, too.
llvm::Value *Chain::inWindowsOrZero(ArrayRef<llvm::Value *> operands) {
  llvm::IRBuilderBase &b = l.b;
  llvm::Value *all = b.getTrue();
  for (auto &[source, window] : windows) {
    llvm::Value *pattern = operands[llvm::find(inputs, source) - inputs.begin()];
    llvm::Value *size = b.CreateAnd(pattern, b.getInt16(0x7fff));
    llvm::Value *from = b.CreateSub(size, b.getInt16(window.first));
    llvm::Value *isIn = b.CreateICmpULT(from, b.getInt16(window.end - window.first));
    if (window.hasZeros) {
      isIn = b.CreateOr(isIn, b.CreateICmpEQ(size, b.getInt16(0)));
    }
    all = b.CreateAnd(all, isIn);
  }
  return all;
}

//===- code ---------------------------------------------------------------===//

llvm::Error Chain::shortOnes(int64_t begin, int64_t end,
                             llvm::SmallVectorImpl<Condition> &conditions) {
  for (Operation *op : members) {
    std::vector<Registers32> operands(end - begin);
    for (int64_t reg = begin; reg < end; ++reg) {
      for (mlir::Value operand : op->getOperands()) {
        operands[reg - begin].push_back(isMember(operand) ? made[operand][reg - begin]
                                                          : registerOf(operand, reg));
      }
    }
    Registers32 &result = made[op->getResult(0)];
    result.clear();
    if (hasShortWay(op)) {
      ScalarOp row = *scalarOpByMnemonic(op->getName().stripDialect());
      auto one = shortWay(l.b, row, DType::f32, operands, known.lookup(op), conditions);
      if (!one) {
        return one.takeError();
      }
      result = *one;
      continue;
    }
    for (const Registers32 &each : operands) {
      auto one = l.scalars.lower(l.b, op, each);
      if (!one) {
        return one.takeError();
      }
      result.push_back(one->front());
    }
  }
  return llvm::Error::success();
}

/// The ops on one element, each as it is by itself.
llvm::Expected<Registers32> Chain::element(ArrayRef<llvm::Value *> operands) {
  llvm::DenseMap<mlir::Value, llvm::Value *> values;
  for (auto [input, operand] : llvm::zip_equal(inputs, operands)) {
    values[input] = operand;
  }
  for (const llvm::SetVector<Operation *> *ops : {&before, &members}) {
    for (Operation *op : *ops) {
      Registers32 own;
      for (mlir::Value operand : op->getOperands()) {
        llvm::Value *value = values.lookup(operand);
        own.push_back(value ? value : sameForAll(operand));
      }
      auto one = l.scalars.lower(l.b, op, own);
      if (!one) {
        return one.takeError();
      }
      values[op->getResult(0)] = one->front();
    }
  }
  Registers32 all;
  for (mlir::Value output : outputs) {
    all.push_back(values[output]);
  }
  return all;
}

llvm::Error Chain::slice(int64_t begin, int64_t end) {
  llvm::SmallVector<Condition> conditions;
  auto isRight = [this] { return l.b.getTrue(); }; // the elements are looked at one by one
  for (auto &[source, window] : windows) {
    conditions.push_back({inWindow(source, window, begin, end), isRight});
  }
  if (llvm::Error error = shortOnes(begin, end, conditions)) {
    return error;
  }
  std::vector<Registers32> shortResults, columns;
  std::vector<std::function<llvm::Value *(llvm::Value *)>> madeAgain;
  for (mlir::Value output : outputs) {
    shortResults.push_back(made[output]);
  }
  for (mlir::Value input : inputs) {
    Registers32 &column = columns.emplace_back();
    for (int64_t reg = begin; reg < end; ++reg) {
      column.push_back(registerOf(input, reg));
    }
    madeAgain.push_back(loadedAgain(l, column));
  }
  auto makeOne = [&](ArrayRef<llvm::Value *> operands) { return element(operands); };
  auto look = [&](ArrayRef<llvm::Value *> operands) { return inWindowsOrZero(operands); };
  auto all = guarded(l.b, {std::move(shortResults), conditions, columns, makeOne, look, madeAgain},
                     memory);
  if (!all) {
    return all.takeError();
  }
  for (auto [output, regs] : llvm::zip_equal(outputs, *all)) {
    llvm::append_range(results[output], regs);
  }
  return llvm::Error::success();
}

LogicalResult Chain::lower() {
  for (Operation *op : members) {
    for (mlir::Value operand : op->getOperands()) {
      auto constant = operand.getDefiningOp<tile::ConstantOp>();
      if (constant && !l.hasTile(operand) && mlir::failed(l.op(constant))) {
        return failure();
      }
    }
  }
  findInputs();
  memory.resize(std::max(inputs.size(), outputs.size()));
  int64_t regs = form.dist.regs();
  for (int64_t begin = 0; begin < regs; begin += guardedMost) {
    int64_t end = std::min<int64_t>(begin + guardedMost, regs);
    if (llvm::Error error = slice(begin, end)) {
      return l.error(members.front(), llvm::toString(std::move(error)));
    }
  }
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Factor, 2>> factors;
  for (Operation *op : members) {
    mlir::Value result = op->getResult(0);
    llvm::SmallVector<Factor, 2> own;
    for (mlir::Value operand : op->getOperands()) {
      addFactors(own, isMember(operand) ? factors[operand] : l.tile(operand).factors);
    }
    op->setAttr(chainedAttr, mlir::UnitAttr::get(op->getContext()));
    if (outputs.contains(result)) {
      TileValue held = l.emptyFor(result);
      held.factors = own;
      held.regs = std::move(results[result]);
      l.set(result, std::move(held));
    }
    factors[result] = std::move(own);
  }
  return success();
}

std::optional<LogicalResult> convert::lowerChain(Lowering &l, Operation *op) {
  if (op->removeAttr(chainedAttr)) {
    return success();
  }
  Chain chain(l);
  if (!chain.gather(op)) {
    return std::nullopt;
  }
  LogicalResult done = chain.lower();
  op->removeAttr(chainedAttr);
  return done;
}
