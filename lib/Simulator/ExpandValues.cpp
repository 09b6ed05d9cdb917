// What the markers become that compute: conversions, fast functions, checks, declared instructions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expand.h"

#include "tessera/Device/Markers.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"

using namespace tessera;
using namespace tessera::sim;

const CastKernel *MarkerExpansion::conversion(DType from, DType to, Round round,
                                              Overflow overflow) {
  CastKernel kernel = ExactSystem::cast(from, to, round, overflow);
  if (!kernel || !castAccepts(from, to, overflow)) {
    return nullptr;
  }
  for (const CastKernel &known : program.conversions) {
    if (known.from == from && known.to == to && known.round == round &&
        known.overflow == overflow) {
      return &known;
    }
  }
  return &program.conversions.emplace_back(kernel);
}

static std::optional<DType> smallFloat(llvm::StringRef word) {
  return llvm::StringSwitch<std::optional<DType>>(word)
      .Case("f16", DType::f16)
      .Case("bf16", DType::bf16)
      .Case("e4m3", DType::f8E4M3FN)
      .Case("e5m2", DType::f8E5M2)
      .Case("f32", DType::f32)
      .Case("f64", DType::f64)
      .Default(std::nullopt);
}

/// How much is too much without saturation: e4m3 has no infinity.
static Overflow overflowOf(DType to, bool saturates) {
  return TESSERA_MUTANT(329, "fp8 saturates", saturates, true) ? Overflow::sat
         : to == DType::f8E4M3FN                               ? Overflow::nan
                                                               : Overflow::inf;
}

/// `cvt.MODE.TO.FROM`, with `sat` behind the type that saturates.
llvm::Error MarkerExpansion::expandConversion(llvm::CallInst &call, llvm::StringRef marker) {
  llvm::SmallVector<llvm::StringRef, 5> words;
  marker.split(words, '.');
  bool saturates = llvm::is_contained(words, "sat");
  llvm::erase(words, "sat");
  auto round = words.size() == 4 ? llvm::StringSwitch<std::optional<Round>>(words[1])
                                       .Case("rn", Round::rne)
                                       .Case("rz", Round::rz)
                                       .Case("ru", Round::ru)
                                       .Case("rd", Round::rd)
                                       .Default(std::nullopt)
                                 : std::nullopt;
  std::optional<DType> to, from;
  if (round) {
    to = smallFloat(words[2]);
    from = smallFloat(words[3]);
  }
  const CastKernel *kernel =
      to && from ? conversion(*from, *to, *round, overflowOf(*to, saturates)) : nullptr;
  if (!kernel) {
    return llvm::createStringError(locationText(call) + ": `tessera." + marker +
                                   "` is not a conversion cvt.MODE.TO.FROM between floats");
  }
  auto bits = [&](llvm::Type *type) { return unsigned(type->getPrimitiveSizeInBits()); };
  if (!takes(call, 1) || bits(call.getArgOperand(0)->getType()) != bitWidth(*from) ||
      bits(call.getType()) != bitWidth(*to)) {
    return wrongOperands(call, marker);
  }
  llvm::IRBuilder<> builder(&call);
  llvm::Value *value =
      builder.CreateBitCast(call.getArgOperand(0), builder.getIntNTy(bitWidth(*from)));
  llvm::Value *result = this->call(builder, "tesseraSimConvert", i64,
                                   {constantAddress(kernel), builder.CreateZExt(value, i64)},
                                   /*isPure=*/true);
  result = builder.CreateTrunc(result, builder.getIntNTy(bitWidth(*to)));
  replace(call, builder.CreateBitCast(result, call.getType()));
  return llvm::Error::success();
}

/// Two conversions, the first in the low half.
llvm::Error MarkerExpansion::expandPack(llvm::CallInst &call, llvm::StringRef marker) {
  llvm::StringRef word = marker;
  std::optional<DType> to;
  if (word.consume_front("pack.rn.") && word.consume_back("x2")) {
    to = smallFloat(word);
  }
  const CastKernel *kernel =
      to ? conversion(DType::f32, *to, Round::rne, overflowOf(*to, isFp8(*to))) : nullptr;
  if (!kernel || bitWidth(*to) > 16) {
    return llvm::createStringError(locationText(call) + ": `tessera." + marker +
                                   "` packs no type that is known; bf16x2, f16x2, e4m3x2, e5m2x2");
  }
  unsigned bits = bitWidth(*to);
  if (!takes(call, 2) || !call.getType()->isIntegerTy(2 * bits) ||
      call.getArgOperand(0)->getType() != floatType ||
      call.getArgOperand(1)->getType() != floatType) {
    return wrongOperands(call, marker);
  }
  llvm::IRBuilder<> builder(&call);
  llvm::Value *halves[2];
  for (unsigned i = 0; i < 2; ++i) {
    llvm::Value *value = builder.CreateZExt(builder.CreateBitCast(call.getArgOperand(i), i32), i64);
    halves[i] = this->call(builder, "tesseraSimConvert", i64, {constantAddress(kernel), value},
                           /*isPure=*/true);
  }
  llvm::Value *both = builder.CreateOr(halves[0], builder.CreateShl(halves[1], bits));
  replace(call, builder.CreateTrunc(both, call.getType()));
  return llvm::Error::success();
}

llvm::Error MarkerExpansion::expandFma(llvm::CallInst &call, llvm::StringRef marker) {
  const char *name = marker == "fma.rn.bf16"  ? "tesseraSimFma.bf16"
                     : marker == "fma.rn.f16" ? "tesseraSimFma.f16"
                                              : nullptr;
  if (!name) {
    return llvm::createStringError(locationText(call) + ": `tessera." + marker +
                                   "` is no fma that is known; fma.rn.bf16, fma.rn.f16");
  }
  auto is16 = [](llvm::Type *type) { return type->isIntegerTy(16); };
  if (!takes(call, 3) || !is16(call.getType()) ||
      !llvm::all_of(call.args(), [&](llvm::Value *x) { return is16(x->getType()); })) {
    return wrongOperands(call, marker);
  }
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Value *> operands;
  for (llvm::Value *operand : call.args()) {
    operands.push_back(builder.CreateZExt(operand, i64));
  }
  llvm::Value *result = this->call(builder, name, i64, operands, /*isPure=*/true);
  replace(call, builder.CreateTrunc(result, call.getType()));
  return llvm::Error::success();
}

llvm::Error MarkerExpansion::expandFast(llvm::CallInst &call, llvm::StringRef marker) {
  std::string name = ("tesseraSim." + marker).str();
  bool isKnown = llvm::any_of(runtimeFunctions(),
                              [&](const RuntimeFunction &row) { return name == row.name; });
  if (!isKnown) {
    return llvm::createStringError(
        locationText(call) + ": the simulator does not know the marker `tessera." + marker + "`");
  }
  if (!takes(call, 1) || call.getType() != floatType ||
      call.getArgOperand(0)->getType() != floatType) {
    return wrongOperands(call, marker);
  }
  llvm::IRBuilder<> builder(&call);
  replace(call, this->call(builder, name, floatType, {call.getArgOperand(0)}, /*isPure=*/true));
  return llvm::Error::success();
}

llvm::Error MarkerExpansion::expandCheck(llvm::CallInst &call, llvm::StringRef marker) {
  bool isAssert = marker == "assert";
  if (!takes(call, isAssert ? 2 : 1) || call.getType() != voidType ||
      !call.getArgOperand(isAssert)->getType()->isPointerTy()) {
    return wrongOperands(call, marker);
  }
  llvm::IRBuilder<> builder(&call);
  Site &site = newSite(call, marker);
  llvm::Value *text =
      builder.CreatePointerBitCastOrAddrSpaceCast(call.getArgOperand(isAssert), pointer);
  if (isAssert) {
    callSite(builder, "tesseraSimAssert", voidType, site,
             {predicate(builder, call.getArgOperand(0)), text});
  } else {
    callSite(builder, "tesseraSimTrap", voidType, site, {text});
  }
  replace(call, nullptr);
  return llvm::Error::success();
}

llvm::Value *MarkerExpansion::buffer(llvm::Function &function, unsigned bytes, bool isOut) {
  llvm::AllocaInst *&known = buffers[isOut][&function];
  auto size = [&](unsigned count) { return llvm::ConstantInt::get(i32, count); };
  if (!known) {
    llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
    known = builder.CreateAlloca(i8, size(bytes));
    known->setAlignment(llvm::Align(16));
  } else if (llvm::cast<llvm::ConstantInt>(known->getArraySize())->getZExtValue() < bytes) {
    known->setOperand(0, size(bytes));
  }
  return known;
}

void MarkerExpansion::addOperandSites(Site &site, llvm::ArrayRef<uint32_t> accesses) {
  for (Operand &operand : site.instruction->operands) {
    if (!operand.isMemory()) {
      continue;
    }
    Site &part = program.sites.emplace_back();
    part.number = uint32_t(program.sites.size() - 1);
    part.marker = site.marker + "(" + operand.name + ")";
    part.location = site.location;
    part.space = operand.kind == OperandKind::shared ? Space::shared : Space::global;
    part.bytes = operand.laneBytes;
    unsigned width = unsigned(byteSize(operand.type));
    bool isVector = llvm::isPowerOf2_32(operand.laneBytes) && operand.laneBytes <= 16;
    part.alignment = isVector ? operand.laneBytes : width;
    part.writes = operand.isWritten;
    part.isOperand = true;
    if (!accesses.empty()) {
      part.access = accesses.front();
      accesses = accesses.drop_front();
    }
    operand.site = part.number;
  }
}

/// Stores an operand's arguments into the buffer; the number of arguments used, or nothing where they do not fit.
static std::optional<unsigned> handOver(llvm::IRBuilder<> &builder, llvm::CallInst &call,
                                        unsigned first, const Operand &operand, llvm::Value *in) {
  llvm::Type *i64 = builder.getInt64Ty(), *i8 = builder.getInt8Ty();
  unsigned count = operand.kind == OperandKind::view ? 2 : 1;
  if (first + count >= call.arg_size()) {
    return std::nullopt;
  }
  llvm::Value *value = call.getArgOperand(first);
  auto place = [&](unsigned offset) { return builder.CreateConstInBoundsGEP1_32(i8, in, offset); };
  uint64_t bytes =
      builder.GetInsertBlock()->getModule()->getDataLayout().getTypeStoreSize(value->getType());
  if (operand.isMemory()) {
    if (!value->getType()->isPointerTy()) {
      return std::nullopt;
    }
    builder.CreateStore(builder.CreatePtrToInt(value, i64), place(operand.inOffset));
    if (count == 2) {
      builder.CreateStore(call.getArgOperand(first + 1), place(operand.inOffset + 8));
    }
    return count;
  }
  if (operand.kind == OperandKind::fragment ? bytes != operand.registerBytes()
                                            : bytes != byteSize(operand.type)) {
    return std::nullopt;
  }
  if (value->getType()->isIntegerTy(1)) {
    value = builder.CreateZExt(value, i8);
  }
  builder.CreateStore(value, place(operand.inOffset));
  return count;
}

llvm::Error MarkerExpansion::placeResults(llvm::CallInst &call, Site &site, llvm::Value *out) {
  llvm::IRBuilder<> builder(&call);
  const llvm::DataLayout &layout = module.getDataLayout();
  auto *structType = llvm::dyn_cast<llvm::StructType>(call.getType());
  llvm::Value *result = structType ? llvm::PoisonValue::get(structType) : nullptr;
  unsigned index = 0;
  for (const Operand &operand : site.instruction->operands) {
    if (operand.kind != OperandKind::fragment || !operand.isWritten) {
      continue;
    }
    bool isThere = structType ? index < structType->getNumElements() : index == 0;
    llvm::Type *type = !isThere     ? nullptr
                       : structType ? structType->getElementType(index)
                                    : call.getType();
    if (!type || !type->isSized() || layout.getTypeStoreSize(type) != operand.registerBytes()) {
      return wrongOperands(call, site.marker);
    }
    llvm::Value *place = builder.CreateConstInBoundsGEP1_32(i8, out, operand.outOffset);
    llvm::Value *value = builder.CreateAlignedLoad(type, place, llvm::Align(16));
    result = structType ? builder.CreateInsertValue(result, value, index) : value;
    ++index;
  }
  bool isComplete = structType ? index == structType->getNumElements()
                               : (index == 1) != call.getType()->isVoidTy();
  if (!isComplete) {
    return wrongOperands(call, site.marker);
  }
  replace(call, result);
  return llvm::Error::success();
}

llvm::Error MarkerExpansion::expandInstruction(llvm::CallInst &call, llvm::StringRef marker) {
  llvm::Expected<Instruction> parsed =
      parseInstruction(marker.drop_front(2), [&](llvm::StringRef name) {
        llvm::Attribute attribute = call.getFnAttr(name);
        return attribute.isStringAttribute() ? attribute.getValueAsString() : llvm::StringRef();
      });
  if (!parsed) {
    return llvm::createStringError(locationText(call) + ": " + llvm::toString(parsed.takeError()));
  }
  Site &site = newSite(call, marker);
  site.instruction = std::make_unique<Instruction>(std::move(*parsed));
  Instruction &instruction = *site.instruction;
  addOperandSites(site, device::accessOf(call));

  llvm::Function &function = *call.getFunction();
  llvm::Value *in = buffer(function, instruction.inBytes, false);
  llvm::Value *out = buffer(function, instruction.outBytes, true);
  llvm::IRBuilder<> builder(&call);
  unsigned argument = 0;
  for (const Operand &operand : instruction.operands) {
    bool isGiven = operand.kind != OperandKind::fragment || operand.isRead;
    std::optional<unsigned> used =
        isGiven ? handOver(builder, call, argument, operand, in) : std::optional<unsigned>(0);
    if (!used) {
      return wrongOperands(call, marker);
    }
    argument += *used;
  }
  if (argument + 1 != call.arg_size() || call.getArgOperand(argument)->getType() != i1) {
    return wrongOperands(call, marker);
  }
  builder.CreateStore(builder.CreateZExt(call.getArgOperand(argument), i8),
                      builder.CreateConstInBoundsGEP1_32(i8, in, instruction.participatesOffset));
  callSite(builder, "tesseraSimInstruction", voidType, site, {in, out});
  return placeResults(call, site, out);
}
