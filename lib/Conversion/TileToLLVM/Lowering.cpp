// A kernel's entry function: arguments, numbers of threads, ops by chapter.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "tessera/Dialect/Tile/Structure.h"
#include "tessera/Support/Mutants.h"

#include "mlir/IR/AffineExpr.h"

#include <algorithm>

using namespace tessera;
using namespace tessera::convert;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;
using tile::Place;

std::string convert::entryName(llvm::StringRef kernel) {
  std::string name = kernel.str();
  std::replace(name.begin(), name.end(), '.', '$');
  return name;
}

static int64_t warpsOf(tile::KernelOp kernel) {
  auto warps = kernel->getAttrOfType<mlir::IntegerAttr>(tile::warpsAttrName);
  return warps ? warps.getInt() : 1;
}

Lowering::Lowering(tile::KernelOp kernel, llvm::Module &module, AccessReport *report)
    : kernel(kernel), module(module), b(module.getContext()),
      scalars(module, *kernel.getContext(), kernel.getMath()), alignment(kernel), absence(kernel),
      warps(warpsOf(kernel)), report(report) {}

mlir::FailureOr<LoweredKernel> convert::lowerKernel(tile::KernelOp kernel, llvm::Module &module,
                                                    AccessReport *report) {
  return Lowering(kernel, module, report).run();
}

//===- the function -------------------------------------------------------===//

static llvm::Type *argumentType(llvm::LLVMContext &context, mlir::Type type) {
  llvm::Type *held = registerType(context, type);
  return held->isIntegerTy(1) ? llvm::Type::getInt8Ty(context) : held;
}

void Lowering::describeFunction() {
  llvm::SmallVector<llvm::Type *> types;
  llvm::LLVMContext &context = module.getContext();
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    if (auto view = llvm::dyn_cast<tile::ViewType>(kernel.getArgType(i))) {
      types.push_back(llvm::PointerType::get(context, device::globalSpace));
      types.append(view.getRank(), b.getInt64Ty());
    } else {
      types.push_back(argumentType(context, kernel.getArgType(i)));
    }
  }
  auto *type = llvm::FunctionType::get(b.getVoidTy(), types, /*isVarArg=*/false);
  function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                    entryName(kernel.getSymName()), module);
  function->addFnAttr(device::threadsAttr, std::to_string(warps * 32));
  function->addFnAttr(llvm::Attribute::NoUnwind);
  shared = module.getGlobalVariable(device::sharedSymbol);
  if (!shared) {
    shared = new llvm::GlobalVariable(module, llvm::ArrayType::get(b.getInt8Ty(), 0),
                                      /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage,
                                      nullptr, device::sharedSymbol, nullptr,
                                      llvm::GlobalValue::NotThreadLocal, device::sharedSpace);
    shared->setAlignment(llvm::Align(1024));
  }
}

/// Extents of an argument as its shape map has them.
static llvm::Value *extentOf(Lowering &l, mlir::AffineExpr expr) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr)) {
    return l.i64(constant.getValue());
  }
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr)) {
    return l.scalar(l.kernel.getBody().getArgument(symbol.getPosition()));
  }
  auto both = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  llvm::Value *a = extentOf(l, both.getLHS()), *c = extentOf(l, both.getRHS());
  switch (expr.getKind()) {
  case mlir::AffineExprKind::Add:
    return l.b.CreateAdd(a, c);
  case mlir::AffineExprKind::Mul:
    return l.b.CreateMul(a, c);
  case mlir::AffineExprKind::FloorDiv: // extents are not negative
    return l.b.CreateUDiv(a, c);
  case mlir::AffineExprKind::CeilDiv:
    return l.b.CreateUDiv(l.b.CreateAdd(a, l.b.CreateSub(c, l.i64(1))), c);
  default:
    return l.b.CreateURem(a, c);
  }
}

LogicalResult Lowering::arguments() {
  mlir::Block &body = kernel.getBody().front();
  unsigned next = 0;
  auto take = [&](const llvm::Twine &name) {
    llvm::Argument *argument = function->getArg(next++);
    argument->setName(name);
    return argument;
  };
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    mlir::BlockArgument value = body.getArgument(i);
    std::string name = kernel.getArgName(i).str();
    auto type = llvm::dyn_cast<tile::ViewType>(value.getType());
    if (!type) {
      llvm::Value *held = take(name);
      if (value.getType().isInteger(1)) {
        held = b.CreateTrunc(held, b.getInt1Ty());
      }
      setScalar(value, held);
      continue;
    }
    ViewValue view;
    view.op = value;
    llvm::Argument *base = take(name);
    view.base = base;
    base->addAttr(llvm::Attribute::NoAlias);
    if (type.isReadOnly()) {
      base->addAttr(llvm::Attribute::ReadOnly);
    }
    mlir::AffineMap map = kernel.getShapeMap(i);
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      view.extents.push_back(extentOf(*this, map.getResult(axis)));
      llvm::Argument *stride = take(name + ".stride" + llvm::Twine(axis));
      bool isUnit = axis + 1 == type.getRank() && alignment.isContiguous(value);
      view.strides.push_back(isUnit ? i64(1) : stride);
    }
    views[value] = std::move(view);
  }
  return success();
}

llvm::DISubprogram *Lowering::subprogram() {
  auto named = kernel.getLoc()->findInstanceOf<mlir::FileLineColLoc>();
  std::string file = named ? named.getFilename().str() : "kernel";
  size_t slash = file.rfind('/');
  std::string folder = slash == std::string::npos ? "." : file.substr(0, slash);
  debug = std::make_unique<llvm::DIBuilder>(
      module, true,
      module.debug_compile_units().empty() ? nullptr : *module.debug_compile_units_begin());
  llvm::DIFile *source =
      debug->createFile(slash == std::string::npos ? file : file.substr(slash + 1), folder);
  llvm::DICompileUnit *unit = nullptr;
  if (module.debug_compile_units().empty()) {
    unit = debug->createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), source,
                                    "tessera", true, "", 0, "",
                                    llvm::DICompileUnit::DebugDirectivesOnly);
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  } else {
    unit = *module.debug_compile_units_begin();
  }
  unsigned line = named ? named.getLine() : 1;
  llvm::DISubprogram *made = debug->createFunction(
      unit, kernel.getSymName(), function->getName(), source, line,
      debug->createSubroutineType(debug->getOrCreateTypeArray({})), line,
      llvm::DINode::FlagPrototyped,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  function->setSubprogram(made);
  return made;
}

void Lowering::at(mlir::Location place) {
  where = place;
  auto named = place->findInstanceOf<mlir::FileLineColLoc>();
  b.SetCurrentDebugLocation(llvm::DILocation::get(module.getContext(), named ? named.getLine() : 0,
                                                  named ? named.getColumn() : 0, program));
}

std::string Lowering::placeText() const {
  const llvm::DILocation *location = b.getCurrentDebugLocation();
  if (!location) {
    return "";
  }
  return (location->getFilename() + ":" + llvm::Twine(location->getLine()) + ":" +
          llvm::Twine(location->getColumn()))
      .str();
}

LogicalResult Lowering::entry() {
  describeFunction();
  program = subprogram();
  auto *first = llvm::BasicBlock::Create(module.getContext(), "entry", function);
  auto *body = llvm::BasicBlock::Create(module.getContext(), "body", function);
  b.SetInsertPoint(first);
  entryEnd = b.CreateBr(body);
  b.SetInsertPoint(entryEnd);
  at(kernel.getLoc());
  llvm::Value *tid = marker("tid", b.getInt32Ty(), {});
  laneValue = b.CreateAnd(tid, i32(31), "lane");
  warpValue = warps == 1 ? i32(0) : b.CreateLShr(tid, i32(5), "warp");
  if (failed(arguments())) {
    return failure();
  }
  b.SetInsertPoint(body);
  return success();
}

mlir::FailureOr<LoweredKernel> Lowering::run() {
  if (failed(entry()) || failed(block(kernel.getBody().front()))) {
    if (function) {
      function->deleteBody();
      function->eraseFromParent();
    }
    return failure();
  }
  b.CreateRetVoid();
  debug->finalize();
  int64_t begin = TESSERA_MUTANT(466, "scratch memory lies over bufs",
                                 int64_t(llvm::alignTo(sharedBytes, 128)), 0);
  for (llvm::Instruction *use : scratchUses) {
    use->replaceAllUsesWith(b.getInt64(begin));
    use->eraseFromParent();
  }
  int64_t total = scratchBytes > 0 ? TESSERA_MUTANT(467, "no memory is asked for scratch",
                                                    begin + scratchBytes, begin)
                                   : sharedBytes;
  function->addFnAttr(device::sharedBytesAttr, std::to_string(total));
  return LoweredKernel{function->getName().str(), warps * 32, total, scratchBytes, scratchAt};
}

//===- ops ----------------------------------------------------------------===//

LogicalResult Lowering::block(mlir::Block &block) {
  // Barriers of a block that may not be run, or run again, order nothing for what stands behind it.
  llvm::SetVector<Operation *> before = unordered;
  addStepsBefore(block);
  for (Operation &each : block) {
    if (failed(op(&each))) {
      return failure();
    }
  }
  unordered.insert(before.begin(), before.end());
  return success();
}

/// Null where no chapter takes it.
static LowerOp chapterOf(Operation *op) {
  for (auto chapter : {controlOp, parallelOp, indexOp, memoryOp, storageOp, shapeOp, rearrangeOp,
                       reduceOp, scanOp, selectOp, atomicOp, ringOp, instructionOp, productOp}) {
    if (LowerOp lower = chapter(op)) {
      return lower;
    }
  }
  return tile::isElementwise(op) ? lowerElementwise : nullptr;
}

bool convert::hasDeviceCode(Operation *op) { return chapterOf(op) != nullptr; }

LogicalResult Lowering::op(Operation *op) {
  at(op->getLoc());
  access = nullptr;
  orderAccesses(op);
  if (LowerOp lower = chapterOf(op)) {
    return lower(*this, op);
  }
  return error(op, "`" + op->getName().getStringRef() + "` has no code for a device yet");
}

void Lowering::setScalar(mlir::Value value, llvm::Value *made) {
  TileValue held;
  held.regs.push_back(made);
  set(value, std::move(held));
}

TileValue Lowering::emptyFor(mlir::Value result) const {
  TileValue held;
  if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(result.getType())) {
    held.shape.assign(type.getShape().begin(), type.getShape().end());
    held.dist = schedule::distOf(result).value_or(Dist::inRegisters(type.getShape()));
  }
  return held;
}

//===- threads ------------------------------------------------------------===//

llvm::Value *Lowering::lane() { return laneValue; }
llvm::Value *Lowering::warp() { return warpValue; }

/// Digit of a mode in the number of its place.
static llvm::Value *digit(llvm::IRBuilder<> &b, llvm::Value *number, int64_t below, int64_t extent,
                          bool isLast) {
  llvm::Value *shifted = below == 1 ? number : b.CreateUDiv(number, b.getInt32(below));
  return isLast ? shifted : b.CreateURem(shifted, b.getInt32(extent));
}

llvm::Value *Lowering::threadCoord(const Dist &dist, unsigned axis) {
  llvm::Value *own = ownCoord(dist, axis);
  if (!step || step->mode.axis != int64_t(axis)) {
    return own;
  }
  llvm::Value *&sum = step->sums[own];
  if (!sum) {
    sum = b.CreateAdd(own, b.CreateMul(step->number, i32(step->mode.stride)), "", true, true);
  }
  return sum;
}

llvm::Value *Lowering::ownCoord(const Dist &dist, unsigned axis) {
  llvm::Value *&known = coords[{dist, axis}];
  if (known) {
    return known;
  }
  llvm::IRBuilder<>::InsertPointGuard guard(b);
  b.SetInsertPoint(entryEnd);
  b.SetCurrentDebugLocation(llvm::DebugLoc());
  llvm::Value *sum = i32(0);
  for (Place place : {Place::lane, Place::warp}) {
    int64_t below = 1, most = place == Place::lane ? 32 : warps;
    for (const tile::DistMode &mode : dist.modes(place)) {
      if (mode.axis == int64_t(axis)) {
        llvm::Value *step = digit(b, place == Place::lane ? laneValue : warpValue, below,
                                  mode.extent, below * mode.extent >= most);
        sum = b.CreateAdd(sum, b.CreateMul(step, i32(mode.stride), "", true, true), "", true, true);
      }
      below *= mode.extent;
    }
  }
  return known = sum;
}

llvm::Value *Lowering::owner(const Dist &dist) {
  auto [known, isFirst] = owners.try_emplace(dist, nullptr);
  if (!isFirst) {
    return known->second;
  }
  llvm::IRBuilder<>::InsertPointGuard guard(b);
  b.SetInsertPoint(entryEnd);
  b.SetCurrentDebugLocation(llvm::DebugLoc());
  llvm::Value *condition = nullptr;
  for (Place place : {Place::lane, Place::warp}) {
    llvm::Value *number = place == Place::lane ? laneValue : warpValue;
    int64_t below = 1, most = place == Place::lane ? 32 : warps;
    for (const tile::DistMode &mode : dist.modes(place)) {
      if (mode.axis < 0) {
        llvm::Value *step = digit(b, number, below, mode.extent, below * mode.extent >= most);
        condition = both(condition, b.CreateICmpEQ(step, i32(0)));
      }
      below *= mode.extent;
    }
    if (below < most) {
      condition = both(condition, b.CreateICmpULT(number, i32(below)));
    }
  }
  return owners[dist] = condition;
}

llvm::AllocaInst *Lowering::variable(llvm::Type *type, const llvm::Twine &name) {
  llvm::IRBuilder<> first(&function->getEntryBlock(), function->getEntryBlock().begin());
  return first.CreateAlloca(type, nullptr, name);
}

llvm::Value *Lowering::sharedAt(llvm::Value *bytes) {
  return b.CreateGEP(b.getInt8Ty(), shared, b.CreateZExtOrTrunc(bytes, b.getInt64Ty()));
}

llvm::Value *Lowering::scratch(int64_t bytes) {
  if (bytes > scratchBytes) {
    scratchBytes = bytes;
    scratchAt = where;
  }
  // Where it begins is known when all bufs are: a load that is replaced at the end.
  if (!scratchBase) {
    scratchBase =
        new llvm::GlobalVariable(module, b.getInt64Ty(), false, llvm::GlobalValue::InternalLinkage,
                                 b.getInt64(0), "tessera.scratch");
  }
  auto *begin = b.CreateLoad(b.getInt64Ty(), scratchBase);
  scratchUses.push_back(begin);
  return sharedAt(begin);
}
