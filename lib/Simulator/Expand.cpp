// A module made ready for the host: markers become calls of the runtime, entries and bodies get functions that call them, and
// nothing else of the device is left.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expand.h"

#include "tessera/Device/Markers.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace tessera;
using namespace tessera::sim;

std::string sim::entrySymbol(llvm::StringRef entry) { return ("tessera.sim.call." + entry).str(); }

std::string sim::bodySymbol(uint32_t site) { return "tessera.sim.body." + std::to_string(site); }

static std::string pointText(const llvm::DILocation &location) {
  return (location.getFilename() + ":" + llvm::Twine(location.getLine()) + ":" +
          llvm::Twine(location.getColumn()))
      .str();
}

std::string sim::locationText(const llvm::Instruction &instruction) {
  const llvm::DILocation *location = instruction.getDebugLoc();
  if (!location) {
    return "`" + instruction.getFunction()->getName().str() + "`";
  }
  std::string text = pointText(*location);
  for (location = location->getInlinedAt(); location; location = location->getInlinedAt()) {
    text += " (inlined at " + pointText(*location) + ")";
  }
  return text;
}

static bool isOfDevice(const llvm::Value *pointer) {
  unsigned space = pointer->getType()->getPointerAddressSpace();
  return space == device::globalSpace || space == device::sharedSpace;
}

/// Refuses what the checks would not see.
static llvm::Error refuseDirectAccess(const llvm::Instruction &instruction) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    pointer = atomic->getPointerOperand();
  } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    pointer = exchange->getPointerOperand();
  } else if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    for (const llvm::Use &argument : call->args()) {
      if (argument->getType()->isPointerTy() && isOfDevice(argument)) {
        pointer = argument;
      }
    }
  }
  if (pointer && isOfDevice(pointer)) {
    return llvm::createStringError(locationText(instruction) +
                                   ": memory of the device is touched without a marker; the "
                                   "simulator sees only `tessera.ld`, `tessera.st` and the like");
  }
  return llvm::Error::success();
}

/// What was said about the device's functions does not hold for calls that switch threads.
static void forgetAssumptions(llvm::Function &function) {
  function.setCallingConv(llvm::CallingConv::C);
  for (const char *name : {"target-cpu", "target-features", "tune-cpu"}) {
    function.removeFnAttr(name);
  }
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::Memory, llvm::Attribute::NoSync, llvm::Attribute::NoFree,
        llvm::Attribute::Speculatable, llvm::Attribute::OptimizeNone}) {
    function.removeFnAttr(kind);
  }
  for (llvm::Argument &argument : function.args()) {
    for (llvm::Attribute::AttrKind kind :
         {llvm::Attribute::NoAlias, llvm::Attribute::ReadOnly, llvm::Attribute::ReadNone,
          llvm::Attribute::WriteOnly, llvm::Attribute::Captures}) {
      argument.removeAttr(kind);
    }
  }
}

/// void(ptr words): loads each argument from a word of 8 bytes and calls.
static void addCaller(llvm::Function &entry) {
  llvm::Module &module = *entry.getParent();
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false);
  auto *caller = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                        entrySymbol(entry.getName()), module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", caller));
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : entry.args()) {
    llvm::Value *word = builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), caller->getArg(0),
                                                           arguments.size());
    arguments.push_back(builder.CreateAlignedLoad(argument.getType(), word, llvm::Align(8)));
  }
  builder.CreateCall(&entry, arguments);
  builder.CreateRetVoid();
}

/// void(ptr operands): calls the body of an instruction with each pointer of an array.
static llvm::Error addBodyCaller(llvm::Module &module, const Site &site) {
  llvm::Function *body = module.getFunction(site.instruction->body);
  size_t count = site.instruction->operands.size();
  bool fits = body && !body->isDeclaration() && body->arg_size() == count &&
              body->getReturnType()->isVoidTy();
  for (size_t i = 0; fits && i < count; ++i) {
    fits = body->getArg(i)->getType()->isPointerTy();
  }
  if (!fits) {
    return llvm::createStringError(site.location + ": the body `" + site.instruction->body +
                                   "` of instruction `" + site.instruction->name +
                                   "` is not a function of " + llvm::Twine(count) + " pointers");
  }
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false);
  auto *caller = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                        bodySymbol(site.number), module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", caller));
  llvm::SmallVector<llvm::Value *> arguments;
  for (size_t i = 0; i < count; ++i) {
    llvm::Value *place = builder.CreateConstInBoundsGEP1_64(pointer, caller->getArg(0), i);
    llvm::Value *operand = builder.CreateLoad(pointer, place);
    arguments.push_back(
        builder.CreatePointerBitCastOrAddrSpaceCast(operand, body->getArg(i)->getType()));
  }
  builder.CreateCall(body, arguments);
  builder.CreateRetVoid();
  return llvm::Error::success();
}

static llvm::Error noteEntry(llvm::Function &function, Program &program) {
  auto number = [&](llvm::StringRef name) {
    return function.getFnAttributeAsParsedInteger(name, 0);
  };
  if (!function.getReturnType()->isVoidTy() || function.isVarArg()) {
    return llvm::createStringError("entry `" + function.getName() + "` does not return void");
  }
  for (llvm::Argument &argument : function.args()) {
    llvm::Type *type = argument.getType();
    bool fits = type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() ||
                (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
    if (!fits) {
      return llvm::createStringError("parameter " + llvm::Twine(argument.getArgNo()) +
                                     " of entry `" + function.getName() +
                                     "` does not fit into a word of 8 bytes");
    }
  }
  EntryPoint entry;
  entry.parameters = function.arg_size();
  entry.threads = unsigned(number(device::threadsAttr));
  entry.sharedBytes = number(device::sharedBytesAttr);
  program.entries[function.getName()] = entry;
  addCaller(function);
  return llvm::Error::success();
}

/// The marker calls of the module, in order.
static llvm::Expected<std::vector<std::pair<llvm::CallInst *, std::string>>>
markerCalls(llvm::Module &module) {
  std::vector<std::pair<llvm::CallInst *, std::string>> calls;
  for (llvm::Function &function : module) {
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (llvm::Error error = refuseDirectAccess(instruction)) {
        return std::move(error);
      }
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
        if (std::optional<llvm::StringRef> marker = device::markerName(*call)) {
          calls.emplace_back(call, marker->str());
        }
      }
    }
  }
  return calls;
}

/// No marker may be left: as an address, or in an `invoke`.
static llvm::Error dropDeclarations(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with(device::markerPrefix) ||
        function.getName().starts_with("tessera.sim.")) {
      continue;
    }
    if (!function.use_empty()) {
      return llvm::createStringError("the marker `" + function.getName() +
                                     "` is used otherwise than by a call");
    }
    function.eraseFromParent();
  }
  return llvm::Error::success();
}

llvm::Error sim::expandModule(llvm::Module &module, Program &program) {
  auto calls = markerCalls(module);
  if (!calls) {
    return calls.takeError();
  }
  size_t sites = calls->size();
  for (auto &[call, marker] : *calls) {
    sites += llvm::StringRef(marker).starts_with("i.") ? call->arg_size() : 0;
  }
  if (sites >= maxSites) {
    return llvm::createStringError("the module has " + llvm::Twine(sites) +
                                   " marker calls; the simulator tells apart " +
                                   llvm::Twine(maxSites) + ", so unroll less");
  }
  // The code has addresses of sites.
  program.sites.reserve(sites);
  MarkerExpansion expansion(module, program);
  for (auto &[call, marker] : *calls) {
    if (llvm::Error error = expansion.expand(*call, marker)) {
      return error;
    }
  }
  if (llvm::Error error = expansion.allocateShared()) {
    return error;
  }
  if (llvm::Error error = dropDeclarations(module)) {
    return error;
  }
  for (const Site &site : program.sites) {
    if (site.instruction) {
      if (llvm::Error error = addBodyCaller(module, site)) {
        return error;
      }
    }
  }
  std::vector<llvm::Function *> defined;
  for (llvm::Function &function : module) {
    if (!function.isDeclaration()) {
      defined.push_back(&function);
    }
  }
  for (llvm::Function *function : defined) {
    bool isEntry = function->hasFnAttribute(device::threadsAttr);
    forgetAssumptions(*function);
    for (llvm::User *user : function->users()) {
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user)) {
        call->setCallingConv(llvm::CallingConv::C);
        call->setAttributes({});
      }
    }
    if (isEntry) {
      if (llvm::Error error = noteEntry(*function, program)) {
        return error;
      }
    }
    if (!function->getName().starts_with("tessera.sim.")) {
      function->setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  }
  if (program.entries.empty()) {
    return llvm::createStringError("the module has no entry: a function with the attribute `" +
                                   device::threadsAttr + "`");
  }
  llvm::StripDebugInfo(module);
  return llvm::Error::success();
}
