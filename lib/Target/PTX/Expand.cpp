// All markers of a module, and its entry functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expander.h"

#include "tessera/Device/Markers.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::ptx;

llvm::Error Site::error(const llvm::Twine &text) const {
  std::string message;
  llvm::raw_string_ostream os(message);
  if (const llvm::DebugLoc &place = call.getDebugLoc()) {
    os << place->getFilename() << ':' << place.getLine() << ':' << place.getCol() << ": ";
  }
  os << "in `" << call.getFunction()->getName() << "`: `" << device::markerPrefix << name << "` "
     << text;
  return llvm::createStringError(message);
}

llvm::Error Site::expectOperands(unsigned count) const {
  if (call.arg_size() == count) {
    return llvm::Error::success();
  }
  return error("takes " + llvm::Twine(count) + " operands, not " + llvm::Twine(call.arg_size()));
}

static Expansion expand(Site &site) {
  llvm::StringRef word = site.name.take_until([](char c) { return c == '.'; });
  if (word == "i") {
    return expandInstruction(site);
  }
  if (word == "ld" || word == "st") {
    return expandAccess(site);
  }
  if (word == "atom") {
    return expandAtomic(site);
  }
  if (word == "cvt" || word == "pack" || word == "fma" || word == "fast" || word == "start") {
    return expandConversion(site);
  }
  return expandThread(site);
}

/// What declared instructions mean on whole operands is for hosts.
static void dropBodies(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> bodies;
  for (llvm::Function &function : module) {
    auto note = [&](llvm::Attribute attribute) {
      llvm::Function *body =
          attribute.isValid() ? module.getFunction(attribute.getValueAsString()) : nullptr;
      if (body && !llvm::is_contained(bodies, body)) {
        bodies.push_back(body);
      }
    };
    note(function.getFnAttribute("tessera.body"));
    for (llvm::User *user : function.users()) {
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user)) {
        note(call->getFnAttr("tessera.body"));
      }
    }
  }
  for (llvm::Function *body : bodies) {
    body->deleteBody();
  }
  for (llvm::Function *body : bodies) {
    if (body->use_empty()) {
      body->eraseFromParent();
    }
  }
}

/// PTX has no points in names.
static std::string ptxName(llvm::StringRef name) {
  std::string changed = name.str();
  for (char &c : changed) {
    c = llvm::isAlnum(c) || c == '_' || c == '$' ? c : '_';
  }
  return changed;
}

static llvm::Error makeKernel(llvm::Function &function) {
  unsigned threads = 0;
  llvm::StringRef text = function.getFnAttribute(device::threadsAttr).getValueAsString();
  if (text.getAsInteger(10, threads) || threads == 0 || threads > 1024) {
    return llvm::createStringError("kernel `" + function.getName() + "`: `" + text +
                                   "` threads; a CTA has 1 to 1024");
  }
  if (!function.getReturnType()->isVoidTy()) {
    return llvm::createStringError("kernel `" + function.getName() + "` gives a value");
  }
  function.setCallingConv(llvm::CallingConv::PTX_Kernel);
  function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  // Launched with exactly these: the assembler then knows how many registers a thread may have.
  function.addFnAttr(
      "nvvm.reqntid",
      llvm::utostr(TESSERA_MUTANT(564, "a kernel is made for a warp more", threads, threads + 32)));
  function.setName(ptxName(function.getName()));
  return llvm::Error::success();
}

/// Declarations of markers and texts that nothing uses any more.
static void dropUnused(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (function.isDeclaration() && function.use_empty() &&
        function.getName().starts_with(device::markerPrefix)) {
      function.eraseFromParent();
    }
  }
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals())) {
    variable.removeDeadConstantUsers();
    if (variable.use_empty()) {
      variable.eraseFromParent();
    } else if (variable.getName() == device::sharedSymbol) {
      variable.setName(ptxName(variable.getName()));
      variable.setAlignment(llvm::Align(1024));
    }
  }
}

llvm::Error tessera::ptx::expandMarkers(llvm::Module &module, const TargetOptions &options) {
  dropBodies(module);
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() && function.getName().starts_with(device::markerPrefix)) {
      for (llvm::User *user : function.users()) {
        auto *call = llvm::dyn_cast<llvm::CallInst>(user);
        if (!call || call->getCalledOperand() != &function) {
          return llvm::createStringError("`" + function.getName() +
                                         "` is used other than by a call; markers have no address");
        }
        calls.push_back(call);
      }
    }
  }
  for (llvm::CallInst *call : calls) {
    Site site(*call, *device::markerName(*call), options);
    Expansion result = expand(site);
    if (!result) {
      return result.takeError();
    }
    if (*result) {
      call->replaceAllUsesWith(*result);
    }
    call->eraseFromParent();
  }
  unsigned kernels = 0;
  for (llvm::Function &function : module) {
    if (function.hasFnAttribute(device::threadsAttr) && !function.isDeclaration()) {
      if (llvm::Error error = makeKernel(function)) {
        return error;
      }
      ++kernels;
    } else if (!function.isDeclaration()) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  }
  if (kernels == 0) {
    return llvm::createStringError("the module has no function with the attribute `" +
                                   device::threadsAttr + "`, so no kernel");
  }
  dropUnused(module);
  return llvm::Error::success();
}
