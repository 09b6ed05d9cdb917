// A module and its kernels as PTX text: headers, registers, blocks in their order, lines of the source.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Writer.h"

#include "tessera/Device/Markers.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace tessera;
using namespace tessera::ptx;

std::string tessera::ptx::typed(char kind, unsigned bits) { return kind + std::to_string(bits); }

FunctionWriter::FunctionWriter(const llvm::Function &function, const TargetOptions &options,
                               Files &files)
    : function(function), layout(function.getParent()->getDataLayout()), options(options),
      files(files) {}

void FunctionWriter::fail(const llvm::Value &value, const llvm::Twine &text) {
  if (reason.empty()) {
    llvm::raw_string_ostream stream(reason);
    stream << text << ":";
    value.print(stream, /*IsForDebug=*/true);
  }
}

llvm::SmallVector<Word, 4> FunctionWriter::words(const llvm::Value *value) {
  llvm::SmallVector<Word, 4> found;
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (!wordsOf(constant, layout, found)) {
      fail(*value, "a constant without text");
      found.assign(1, Word());
    }
    return found;
  }
  if (!registers.isKnown(value)) {
    fail(*value, "a value without registers");
    found.assign(1, Word());
    return found;
  }
  found.assign(registers.of(value).begin(), registers.of(value).end());
  return found;
}

Word FunctionWriter::word(const llvm::Value *value) {
  llvm::SmallVector<Word, 4> found = words(value);
  if (found.size() != 1) {
    fail(*value, "a vector where there is text for numbers alone");
    return Word();
  }
  return found.front().kind == Word::Address ? held(found.front()) : found.front();
}

Word FunctionWriter::held(const llvm::Value *value) { return held(word(value)); }

Word FunctionWriter::held(Word given) {
  if (given.isRegister()) {
    return given;
  }
  if (given.kind == Word::Address) {
    // Once for the function, before its first block.
    std::string text;
    llvm::raw_string_ostream(text) << given;
    auto [place, isNew] = addresses.try_emplace(text);
    if (isNew) {
      place->second = registers.fresh(given.bank);
      Word full = given.variable == depot ? registers.fresh(Bank::B64) : place->second;
      head << "\tmov.b" << bitsOf(full.bank) << " \t" << full << ", " << text << ";\n";
      if (given.variable == depot) {
        head << "\tcvt.u32.u64 \t" << place->second << ", " << full << ";\n";
      }
    }
    return place->second;
  }
  Word made = registers.fresh(given.bank);
  put(given.bank == Bank::Pred ? "mov.pred" : "mov." + typed('b', bitsOf(given.bank)), made, given);
  return made;
}

llvm::SmallVector<Word, 4> FunctionWriter::results(const llvm::Value &value) {
  if (const llvm::PHINode *phi = merged.lookup(&value)) {
    registers.set(&value, words(phi));
    return words(phi);
  }
  llvm::SmallVector<Bank, 4> banks;
  if (!banksOf(value.getType(), layout, banks)) {
    fail(value, "a type without registers");
    banks.assign(1, Bank::B32);
  }
  llvm::SmallVector<Word, 4> made;
  for (Bank bank : banks) {
    made.push_back(registers.fresh(bank));
  }
  registers.set(&value, made);
  return made;
}

Word FunctionWriter::result(const llvm::Value &value) {
  llvm::SmallVector<Word, 4> made = results(value);
  if (made.size() != 1) {
    fail(value, "a vector where there is text for numbers alone");
    return Word();
  }
  return made.front();
}

static std::string nameOf(const llvm::DIFile &file) {
  std::string directory = file.getDirectory().str(), name = file.getFilename().str();
  bool isWhole = directory.empty() || llvm::StringRef(name).starts_with("/");
  return isWhole ? name : directory + "/" + name;
}

/// Code that was inlined stands at its call: kernels alone have text.
void FunctionWriter::lineOf(const llvm::Instruction &instruction) {
  const llvm::DILocation *location = instruction.getDebugLoc().get();
  if (!options.lineInfo || !location || location->getLine() == 0) {
    return;
  }
  bool isSame = line && line->getLine() == location->getLine() &&
                line->getColumn() == location->getColumn() &&
                line->getFile() == location->getFile();
  line = location;
  if (!isSame) {
    unsigned number =
        files.try_emplace(location->getFile(), unsigned(files.size()) + 1).first->second;
    os << "\t.loc\t" << number << ' ' << location->getLine() << ' ' << location->getColumn()
       << '\n';
  }
}

static llvm::StringRef typeOfParameter(const llvm::Type *type, const llvm::DataLayout &layout) {
  switch (layout.getTypeSizeInBits(const_cast<llvm::Type *>(type)).getFixedValue()) {
  case 1:
  case 8:
    return "8";
  case 16:
    return "16";
  case 32:
    return "32";
  default:
    return "64";
  }
}

void FunctionWriter::header(llvm::raw_ostream &out) const {
  out << ".visible .entry " << function.getName() << "(";
  const char *between = "\n";
  for (const llvm::Argument &each : function.args()) {
    out << between << "\t.param .u" << typeOfParameter(each.getType(), layout);
    if (each.getType()->isPointerTy() &&
        each.getType()->getPointerAddressSpace() == device::globalSpace) {
      out << " .ptr .global .align " << each.getParamAlign().valueOrOne().value();
    }
    out << ' ' << function.getName() << "_param_" << each.getArgNo();
    between = ",\n";
  }
  out << "\n)\n";
  for (auto [attribute, directive] :
       {std::pair("nvvm.reqntid", ".reqntid"), std::pair("nvvm.maxntid", ".maxntid"),
        std::pair("nvvm.minctasm", ".minnctapersm"), std::pair("nvvm.maxnreg", ".maxnreg")}) {
    if (llvm::Attribute found = function.getFnAttribute(attribute); found.isValid()) {
      out << directive << ' ' << found.getValueAsString() << '\n';
    }
  }
}

/// Parameters are read once, before the first block; those that nothing uses, never.
void FunctionWriter::parameters() {
  for (const llvm::Argument &each : function.args()) {
    if (each.use_empty()) {
      continue;
    }
    llvm::Type *type = each.getType();
    if (type->isVectorTy() || type->isStructTy() || each.hasByValAttr()) {
      fail(each, "a parameter that is no number");
      return;
    }
    bool isBit = type->isIntegerTy(1);
    Word to = isBit ? registers.fresh(Bank::B16) : result(each);
    head << "\tld.param." << (type->getScalarSizeInBits() == 8 || isBit ? "u" : "b")
         << typeOfParameter(type, layout) << " \t" << to << ", [" << function.getName() << "_param_"
         << each.getArgNo() << "];\n";
    if (isBit) {
      Word low = registers.fresh(Bank::B16);
      head << "\tand.b16 \t" << low << ", " << to << ", 1;\n\tsetp.ne.b16 \t" << result(each)
           << ", " << low << ", 0;\n";
    }
  }
}

/// True where the address is only stepped from, loaded from and stored to: as a number it would be one of another space.
static bool isOnlyAccessed(const llvm::Value &address) {
  return llvm::all_of(address.users(), [&](const llvm::User *user) {
    if (llvm::isa<llvm::GetElementPtrInst>(user)) {
      return isOnlyAccessed(*user);
    }
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    return llvm::isa<llvm::LoadInst>(user) || (store && store->getValueOperand() != &address) ||
           (call && call->isLifetimeStartOrEnd());
  });
}

/// Places of arrays in local memory, all in one variable.
void FunctionWriter::locals(llvm::raw_ostream &out) {
  uint64_t size = 0, alignment = 4;
  for (const llvm::BasicBlock &block : function) {
    for (const llvm::Instruction &each : block) {
      auto *array = llvm::dyn_cast<llvm::AllocaInst>(&each);
      if (!array) {
        continue;
      }
      std::optional<llvm::TypeSize> bytes = array->getAllocationSize(layout);
      if (!bytes || bytes->isScalable()) {
        fail(*array, "an array whose size is not known");
        return;
      }
      if (!isOnlyAccessed(*array)) {
        fail(*array, "an array whose address is a value");
        return;
      }
      size = llvm::alignTo(size, array->getAlign());
      places[array] = size;
      size += bytes->getFixedValue();
      alignment = std::max(alignment, uint64_t(array->getAlign().value()));
    }
  }
  if (size != 0) {
    out << "\t.local .align " << alignment << " .b8 \t" << depot << '[' << size << "];\n";
  }
}

void FunctionWriter::instruction(const llvm::Instruction &each) {
  if (each.isDebugOrPseudoInst() || llvm::isa<llvm::PHINode>(each)) {
    return;
  }
  lineOf(each);
  if (auto *array = llvm::dyn_cast<llvm::AllocaInst>(&each)) {
    Word place{Word::Address, Bank::B32, places.lookup(array), depot};
    registers.set(array, place);
  } else if (auto *op = llvm::dyn_cast<llvm::BinaryOperator>(&each)) {
    op->getType()->isFPOrFPVectorTy() ? arithmetic(*op) : binary(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::UnaryOperator>(&each)) {
    arithmetic(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::ICmpInst>(&each)) {
    compare(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::FCmpInst>(&each)) {
    compare(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::CastInst>(&each)) {
    convert(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::SelectInst>(&each)) {
    select(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::GetElementPtrInst>(&each)) {
    step(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::LoadInst>(&each)) {
    load(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::StoreInst>(&each)) {
    store(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::ExtractElementInst>(&each)) {
    extractElement(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::InsertElementInst>(&each)) {
    insertElement(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::ExtractValueInst>(&each)) {
    extractMember(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::FreezeInst>(&each)) {
    // A register has one value, whatever that is.
    registers.set(op, words(op->getOperand(0)));
  } else if (auto *op = llvm::dyn_cast<llvm::CallInst>(&each)) {
    call(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::BranchInst>(&each)) {
    branch(*op);
  } else if (auto *op = llvm::dyn_cast<llvm::SwitchInst>(&each)) {
    choose(*op);
  } else if (llvm::isa<llvm::ReturnInst>(each)) {
    os << "\tret;\n";
  } else if (llvm::isa<llvm::UnreachableInst>(each)) {
    os << "\ttrap;\n\texit;\n";
  } else {
    fail(each, "an instruction without text");
  }
}

llvm::Error FunctionWriter::write(llvm::raw_ostream &out) {
  llvm::SmallString<0> declared;
  llvm::raw_svector_ostream declarations(declared);
  locals(declarations);
  parameters();
  arrange();
  for (const llvm::BasicBlock *block : order) {
    for (const llvm::PHINode &phi : block->phis()) {
      results(phi);
    }
  }
  merge();
  // Values are written before their users.
  llvm::DenseMap<const llvm::BasicBlock *, std::pair<size_t, size_t>> texts;
  for (const llvm::BasicBlock *block : order) {
    size_t begin = body.size();
    line = nullptr;
    label(*block);
    for (const llvm::Instruction &each : *block) {
      instruction(each);
    }
    texts[block] = {begin, body.size()};
    if (!reason.empty()) {
      return llvm::createStringError(reason);
    }
  }
  header(out);
  out << "{\n" << declared;
  registers.declare(out);
  out << prologue;
  for (const llvm::BasicBlock *block : placed) {
    auto [begin, end] = texts.lookup(block);
    out << body.slice(begin, end);
  }
  out << "}\n";
  return llvm::Error::success();
}

/// Names that PTX takes as they are.
static bool isName(llvm::StringRef text) {
  return !text.empty() && (llvm::isAlpha(text[0]) || text[0] == '_' || text[0] == '$') &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; });
}

static llvm::Error writeVariable(llvm::raw_ostream &out, const llvm::GlobalVariable &variable) {
  bool isEmpty =
      !variable.hasInitializer() || llvm::isa<llvm::UndefValue>(variable.getInitializer());
  if (variable.getAddressSpace() != device::sharedSpace || !isEmpty ||
      !isName(variable.getName())) {
    return llvm::createStringError("a variable without text: " + variable.getName());
  }
  uint64_t size =
      variable.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
  out << (variable.isDeclaration() ? ".extern " : "") << ".shared .align "
      << variable.getAlign().valueOrOne().value() << " .b8 " << variable.getName() << '[';
  if (size != 0) {
    out << size;
  }
  out << "];\n";
  return llvm::Error::success();
}

/// What a kernel may say of itself here; others change how it is launched.
static llvm::Error checkKernel(const llvm::Function &function) {
  if (function.getCallingConv() != llvm::CallingConv::PTX_Kernel || !isName(function.getName())) {
    return llvm::createStringError("a function that is no kernel: " + function.getName());
  }
  for (const llvm::Attribute &each : function.getAttributes().getFnAttrs()) {
    if (each.isStringAttribute() && each.getKindAsString().starts_with("nvvm.") &&
        !llvm::is_contained({"nvvm.reqntid", "nvvm.maxntid", "nvvm.minctasm", "nvvm.maxnreg"},
                            each.getKindAsString())) {
      return llvm::createStringError("an attribute without text: " + each.getKindAsString());
    }
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> tessera::ptx::writePTX(const llvm::Module &module,
                                                   const TargetOptions &options) {
  Files files;
  std::string kernels, text;
  llvm::raw_string_ostream out(kernels), all(text);
  for (const llvm::Function &function : module) {
    if (function.isDeclaration()) {
      continue;
    }
    if (llvm::Error error = checkKernel(function)) {
      return std::move(error);
    }
    out << '\n';
    if (llvm::Error error = FunctionWriter(function, options, files).write(out)) {
      return std::move(error);
    }
  }
  all << "//\n// Generated by Tessera\n//\n\n.version " << options.ptxVersion / 10 << '.'
      << options.ptxVersion % 10 << "\n.target " << name(options.arch) << "\n.address_size 64\n\n";
  for (const llvm::GlobalVariable &each : module.globals()) {
    if (!each.use_empty()) {
      if (llvm::Error error = writeVariable(all, each)) {
        return std::move(error);
      }
    }
  }
  all << kernels;
  for (const auto &[file, number] : files) {
    all << "\t.file\t" << number << " \"" << nameOf(*file) << "\"\n";
  }
  return text;
}
