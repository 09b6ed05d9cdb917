// What each marker becomes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expand.h"

#include "tessera/Device/Markers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"

using namespace tessera;
using namespace tessera::sim;

MarkerExpansion::MarkerExpansion(llvm::Module &module, Program &program)
    : module(module), program(program) {
  llvm::LLVMContext &context = module.getContext();
  i1 = llvm::Type::getInt1Ty(context);
  i8 = llvm::Type::getInt8Ty(context);
  i16 = llvm::Type::getInt16Ty(context);
  i32 = llvm::Type::getInt32Ty(context);
  i64 = llvm::Type::getInt64Ty(context);
  floatType = llvm::Type::getFloatTy(context);
  voidType = llvm::Type::getVoidTy(context);
  pointer = llvm::PointerType::get(context, 0);
}

llvm::Constant *MarkerExpansion::constantAddress(const void *address) {
  return llvm::ConstantExpr::getIntToPtr(
      llvm::ConstantInt::get(i64, reinterpret_cast<uint64_t>(address)), pointer);
}

/// Cells of shared memory are as small as the smallest access of the module.
llvm::Error MarkerExpansion::allocateShared() {
  unsigned granule = 4;
  for (const Site &site : program.sites) {
    if (site.space == Space::shared) {
      granule = std::min(granule, site.bytes & -site.bytes);
    }
  }
  if (llvm::Error error = program.shared.allocate(granule)) {
    return llvm::createStringError("no memory for simulated shared memory: " +
                                   llvm::toString(std::move(error)));
  }
  if (llvm::GlobalVariable *symbol = module.getGlobalVariable(device::sharedSymbol, true)) {
    symbol->replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(
        llvm::ConstantInt::get(i64, reinterpret_cast<uint64_t>(program.shared.base())),
        symbol->getType()));
    symbol->eraseFromParent();
  }
  return llvm::Error::success();
}

Site &MarkerExpansion::newSite(const llvm::Instruction &at, llvm::StringRef marker) {
  Site &site = program.sites.emplace_back();
  site.number = uint32_t(program.sites.size() - 1);
  site.marker = marker.str();
  site.location = locationText(at);
  auto *call = llvm::dyn_cast<llvm::CallInst>(&at);
  llvm::SmallVector<uint32_t, 2> numbers;
  if (call) {
    numbers = device::accessOf(*call);
  }
  if (numbers.size() == 1) {
    site.access = numbers.front();
  }
  return site;
}

llvm::Error MarkerExpansion::wrongOperands(const llvm::CallInst &call, llvm::StringRef marker) {
  return llvm::createStringError(locationText(call) + ": `tessera." + marker +
                                 "` does not have the operands or the result of that marker");
}

llvm::Value *MarkerExpansion::address(llvm::IRBuilder<> &builder, llvm::Value *base,
                                      llvm::Value *offset) {
  llvm::Value *value = builder.CreatePtrToInt(base, i64);
  return offset ? builder.CreateAdd(value, builder.CreateSExtOrTrunc(offset, i64)) : value;
}

llvm::Value *MarkerExpansion::predicate(llvm::IRBuilder<> &builder, llvm::Value *value) {
  return builder.CreateZExt(value, i32);
}

llvm::CallInst *MarkerExpansion::call(llvm::IRBuilder<> &builder, llvm::StringRef name,
                                      llvm::Type *result, Values arguments, bool isPure) {
  llvm::SmallVector<llvm::Type *, 6> types;
  for (llvm::Value *argument : arguments) {
    types.push_back(argument->getType());
  }
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, /*isVarArg=*/false));
  auto *function = llvm::cast<llvm::Function>(callee.getCallee());
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (isPure) {
    function->setMemoryEffects(llvm::MemoryEffects::none());
    function->addFnAttr(llvm::Attribute::WillReturn);
  } else {
    // Which threads come together depends on control flow.
    function->addFnAttr(llvm::Attribute::Convergent);
  }
  return builder.CreateCall(callee, arguments);
}

llvm::CallInst *MarkerExpansion::callSite(llvm::IRBuilder<> &builder, llvm::StringRef name,
                                          llvm::Type *result, Site &site, Values arguments) {
  llvm::SmallVector<llvm::Value *, 6> all = {constantAddress(program.machine.get()),
                                             constantAddress(&site)};
  all.append(arguments.begin(), arguments.end());
  return call(builder, name, result, all, /*isPure=*/false);
}

void MarkerExpansion::replace(llvm::CallInst &call, llvm::Value *value) {
  if (value) {
    call.replaceAllUsesWith(value);
  }
  call.eraseFromParent();
}

llvm::Error MarkerExpansion::expand(llvm::CallInst &call, llvm::StringRef marker) {
  auto starts = [&](llvm::StringRef prefix) { return marker.starts_with(prefix); };
  if (marker == "tid" || marker == "ctaid" || marker == "nctaid") {
    return expandRegister(call, marker);
  }
  if (starts("ld.") || starts("st.")) {
    return expandAccess(call, marker);
  }
  if (starts("bar.") || starts("shfl.") || starts("cp.")) {
    return expandWait(call, marker);
  }
  if (starts("atom.")) {
    return expandAtomic(call, marker);
  }
  if (starts("cvt.")) {
    return expandConversion(call, marker);
  }
  if (starts("pack.")) {
    return expandPack(call, marker);
  }
  if (starts("fma.")) {
    return expandFma(call, marker);
  }
  if (starts("fast.") || marker == "start.rcp") {
    return expandFast(call, marker);
  }
  if (marker == "assert" || marker == "trap") {
    return expandCheck(call, marker);
  }
  if (starts("i.")) {
    return expandInstruction(call, marker);
  }
  return llvm::createStringError(locationText(call) +
                                 ": the simulator does not know the marker "
                                 "`tessera." +
                                 marker + "`");
}

llvm::Error MarkerExpansion::expandRegister(llvm::CallInst &call, llvm::StringRef marker) {
  if (!takes(call, 0) || call.getType() != i32) {
    return wrongOperands(call, marker);
  }
  const Registers &registers = program.machine->registers;
  const uint32_t *place = marker == "tid"     ? &registers.thread
                          : marker == "ctaid" ? &registers.cta
                                              : &registers.ctas;
  llvm::IRBuilder<> builder(&call);
  replace(call, builder.CreateLoad(i32, constantAddress(place)));
  return llvm::Error::success();
}

/// The runtime says where to load from or store to; what follows is the access itself, so nothing runs in between.
llvm::Error MarkerExpansion::expandAccess(llvm::CallInst &call, llvm::StringRef marker) {
  llvm::StringRef kind = marker.take_front(2), rest = marker.drop_front(3);
  bool isLoad = kind == "ld", isShared = rest.consume_front("shared.");
  if (!isShared && !rest.consume_front("global.")) {
    return llvm::createStringError(locationText(call) + ": `tessera." + marker +
                                   "` names no memory; global and shared are known");
  }
  bool isPart = isLoad && isShared && rest.consume_front("part.");
  if (!takes(call, isPart ? 5 : 4) || !call.getArgOperand(0)->getType()->isPointerTy() ||
      !call.getArgOperand(1)->getType()->isIntegerTy() ||
      call.getArgOperand(isLoad ? 2 : 3)->getType() != i1) {
    return wrongOperands(call, marker);
  }
  llvm::Type *type = isLoad ? call.getType() : call.getArgOperand(2)->getType();
  if ((isLoad && call.getArgOperand(3)->getType() != type) ||
      (isPart && call.getArgOperand(4)->getType() != i32)) {
    return wrongOperands(call, marker);
  }
  uint64_t bytes = module.getDataLayout().getTypeStoreSize(type);
  if (!llvm::isPowerOf2_64(bytes) || bytes > 16) {
    return wrongOperands(call, marker);
  }
  Site &site = newSite(call, marker);
  site.space = isShared ? Space::shared : Space::global;
  site.bytes = site.alignment = unsigned(bytes);
  site.writes = !isLoad;
  site.isPart = isPart;
  llvm::IRBuilder<> builder(&call);
  llvm::Value *active = call.getArgOperand(isLoad ? 2 : 3);
  llvm::Value *where = address(builder, call.getArgOperand(0), call.getArgOperand(1));
  llvm::Value *acts = predicate(builder, active);
  acts = isPart ? builder.CreateMul(acts, call.getArgOperand(4)) : acts;
  llvm::Value *place = callSite(builder, isLoad ? "tesseraSimLoad" : "tesseraSimStore", pointer,
                                site, {where, acts});
  if (!isLoad) {
    builder.CreateAlignedStore(call.getArgOperand(2), place, llvm::Align(1));
    replace(call, nullptr);
    return llvm::Error::success();
  }
  llvm::Value *loaded = builder.CreateAlignedLoad(type, place, llvm::Align(1));
  replace(call, builder.CreateSelect(active, loaded, call.getArgOperand(3)));
  return llvm::Error::success();
}

llvm::Error MarkerExpansion::fillAtomic(Site &site, llvm::StringRef marker) {
  llvm::SmallVector<llvm::StringRef, 5> words;
  marker.split(words, '.');
  auto type = words.size() == 5 ? llvm::StringSwitch<std::optional<DType>>(words[2])
                                      .Case("s32", DType::i32)
                                      .Cases({"u32", "b32"}, DType::ui32)
                                      .Case("s64", DType::i64)
                                      .Cases({"u64", "b64"}, DType::ui64)
                                      .Case("f32", DType::f32)
                                      .Case("f64", DType::f64)
                                      .Case("f16", DType::f16)
                                      .Case("bf16", DType::bf16)
                                      .Case("b16", DType::ui16)
                                      .Default(std::nullopt)
                                : std::nullopt;
  auto unknown = [&] {
    return llvm::createStringError(site.location + ": `tessera." + marker +
                                   "` is not atom.KIND.TYPE.ORDER.SCOPE with a kind that the type "
                                   "has");
  };
  if (!type) {
    return unknown();
  }
  auto op = llvm::StringSwitch<std::optional<ScalarOp>>(words[1])
                .Case("add", ScalarOp::Add)
                .Case("max", ScalarOp::Max)
                .Case("min", ScalarOp::Min)
                .Case("and", ScalarOp::And)
                .Case("or", ScalarOp::Or)
                .Case("xor", ScalarOp::Xor)
                .Default(std::nullopt);
  AtomicOp &atomic = site.atomic;
  atomic.compares = words[1] == "cas";
  if (op) {
    atomic.combine = ExactSystem::binary(*op, *type);
  }
  bool isKnown = op ? atomic.combine != nullptr : atomic.compares || words[1] == "xchg";
  bool isAcqRel = words[3] == "acq_rel" || words[3] == "seq_cst" || words[3] == "sc";
  atomic.acquires = isAcqRel || words[3] == "acquire";
  atomic.releases = isAcqRel || words[3] == "release";
  if (!isKnown || !(atomic.acquires || atomic.releases || words[3] == "relaxed")) {
    return unknown();
  }
  atomic.bytes = unsigned(byteSize(*type));
  site.bytes = site.alignment = atomic.bytes;
  site.writes = true;
  site.space = Space::global;
  return llvm::Error::success();
}

llvm::Error MarkerExpansion::expandAtomic(llvm::CallInst &call, llvm::StringRef marker) {
  Site &site = newSite(call, marker);
  if (llvm::Error error = fillAtomic(site, marker)) {
    return error;
  }
  bool compares = site.atomic.compares;
  unsigned operands = compares ? 4 : 3;
  if (!takes(call, operands) || !call.getArgOperand(0)->getType()->isPointerTy() ||
      !call.getType()->isIntegerTy(site.atomic.bytes * 8) ||
      call.getArgOperand(operands - 1)->getType() != i1 ||
      call.getArgOperand(1)->getType() != call.getType()) {
    return wrongOperands(call, marker);
  }
  llvm::IRBuilder<> builder(&call);
  llvm::Value *value = builder.CreateZExt(call.getArgOperand(compares ? 2 : 1), i64);
  llvm::Value *expected = compares ? builder.CreateZExt(call.getArgOperand(1), i64) : value;
  llvm::Value *result = callSite(builder, "tesseraSimAtomic", i64, site,
                                 {address(builder, call.getArgOperand(0)), expected, value,
                                  predicate(builder, call.getArgOperand(operands - 1))});
  replace(call, builder.CreateTrunc(result, call.getType()));
  return llvm::Error::success();
}

llvm::Error MarkerExpansion::expandWait(llvm::CallInst &call, llvm::StringRef marker) {
  struct Row {
    const char *marker, *function;
    unsigned operands;
    bool hasResult;
  };
  static const Row rows[] = {
      {"bar.cta", "tesseraSimBarrierOfCta", 0, false},
      {"bar.warp", "tesseraSimBarrierOfWarp", 0, false},
      {"bar.named", "tesseraSimNamedBarrier", 2, false},
      {"shfl.bfly", "tesseraSimShuffleXor", 2, true},
      {"shfl.idx", "tesseraSimShuffleFrom", 2, true},
      {"cp.commit", "tesseraSimCommit", 0, false},
      {"cp.wait", "tesseraSimWait", 1, false},
  };
  const Row *row = llvm::find_if(rows, [&](const Row &row) { return marker == row.marker; });
  if (row == std::end(rows)) {
    return llvm::createStringError(
        locationText(call) + ": the simulator does not know the marker `tessera." + marker + "`");
  }
  bool fits = takes(call, row->operands) && call.getType() == (row->hasResult ? i32 : voidType);
  for (unsigned i = 0; fits && i < row->operands; ++i) {
    fits = call.getArgOperand(i)->getType() == i32;
  }
  if (!fits) {
    return wrongOperands(call, marker);
  }
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Value *, 2> arguments(call.args());
  llvm::Value *result =
      callSite(builder, row->function, call.getType(), newSite(call, marker), arguments);
  replace(call, row->hasResult ? result : nullptr);
  return llvm::Error::success();
}
