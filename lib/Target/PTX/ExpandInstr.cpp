// Declared instructions: the text of the declaration becomes inline assembly, its holes the registers of the operands.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expander.h"

#include "tessera/Device/Markers.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tessera;
using namespace tessera::ptx;

namespace {
struct Operand {
  llvm::StringRef name;
  enum Kind { frag, smem, view, scalar, predicate } kind = scalar;
  bool isIn = true, isOut = false;
  /// The marker's arguments; present bytes of views.
  llvm::Value *value = nullptr, *present = nullptr;
  /// Registers of a fragment that the instruction writes.
  unsigned lanes = 0;
  llvm::Type *type = nullptr;
  /// First of them among the results of the assembly.
  unsigned firstResult = 0;
  /// What stands in the text for `{name}` and `{present_bytes(name)}`.
  std::string text, presentText;
};

class InstrExpander {
public:
  explicit InstrExpander(Site &site) : site(site), b(site.builder), code(b) {}
  Expansion run();

private:
  Site &site;
  llvm::IRBuilder<> &b;
  Assembly code;
  llvm::SmallVector<Operand> operands;
  llvm::StringRef ptx;
  llvm::Value *participates = nullptr;

  llvm::Error parse();
  llvm::Error parseOperand(llvm::StringRef text, unsigned &next);
  llvm::Error resultTypes();
  llvm::Error addResults();
  void addInputs();
  llvm::Expected<std::string> fill();
  llvm::Expected<std::string> hole(llvm::StringRef inner);
  std::string guard(std::string text);
  Assembly::Effects effects() const;
  llvm::Value *collect();
};
} // namespace

static llvm::StringRef attribute(const Site &site, llvm::StringRef name) {
  llvm::Attribute found = site.call.getFnAttr(name);
  return found.isValid() ? found.getValueAsString() : llvm::StringRef();
}

static unsigned lanesOf(llvm::Type *type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// One of `name:kind:direction:elements:dtype`, and its arguments from `next` on.
llvm::Error InstrExpander::parseOperand(llvm::StringRef text, unsigned &next) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ':');
  auto kind = words.size() < 3 ? std::nullopt
                               : llvm::StringSwitch<std::optional<Operand::Kind>>(words[1])
                                     .Case("frag", Operand::frag)
                                     .Case("smem", Operand::smem)
                                     .Case("view", Operand::view)
                                     .Case("scalar", Operand::scalar)
                                     .Case("predicate", Operand::predicate)
                                     .Default(std::nullopt);
  if (!kind || !llvm::is_contained({"in", "out", "inout"}, words[2])) {
    return site.error("has an operand that is not `name:kind:direction:elements:dtype`: `" + text +
                      "`");
  }
  Operand operand;
  operand.name = words[0];
  operand.kind = *kind;
  operand.isIn = words[2] != "out";
  operand.isOut = words[2] != "in";
  unsigned arguments = operand.kind == Operand::frag && !operand.isIn ? 0
                       : operand.kind == Operand::view                ? 2
                                                                      : 1;
  if (next + arguments >= site.call.arg_size()) {
    return site.error("has fewer arguments than operands need");
  }
  if (arguments > 0) {
    operand.value = site.operand(next);
    operand.present = arguments == 2 ? site.operand(next + 1) : nullptr;
    operand.type = operand.value->getType();
  }
  bool isPointer = operand.kind == Operand::smem || operand.kind == Operand::view;
  if (arguments > 0 && operand.type->isPointerTy() != isPointer) {
    return site.error("has an argument of another kind than operand `" + operand.name + "`");
  }
  next += arguments;
  operands.push_back(std::move(operand));
  return llvm::Error::success();
}

llvm::Error InstrExpander::parse() {
  ptx = attribute(site, "tessera.ptx");
  if (ptx.empty()) {
    return site.error(
        "has no PTX text: an instruction with a lowering hook cannot be assembled from "
        "its declaration");
  }
  llvm::SmallVector<llvm::StringRef> texts;
  attribute(site, "tessera.operands").split(texts, ',', -1, /*KeepEmpty=*/false);
  unsigned next = 0;
  for (llvm::StringRef text : texts) {
    if (llvm::Error error = parseOperand(text.trim(), next)) {
      return error;
    }
  }
  if (next + 1 != site.call.arg_size()) {
    return site.error("has " + llvm::Twine(site.call.arg_size()) +
                      " arguments; its operands and the "
                      "predicate at the end make " +
                      llvm::Twine(next + 1));
  }
  participates = site.operand(next);
  if (!isAlways(participates) && attribute(site, "tessera.scope") != "thread") {
    return site.error("is executed by all lanes of its scope together and cannot have a predicate");
  }
  return resultTypes();
}

/// Types of written fragments, from the marker's result.
llvm::Error InstrExpander::resultTypes() {
  llvm::SmallVector<Operand *> written;
  for (Operand &operand : operands) {
    if (operand.kind == Operand::frag && operand.isOut) {
      written.push_back(&operand);
    }
  }
  llvm::Type *type = site.call.getType();
  auto *together = llvm::dyn_cast<llvm::StructType>(type);
  size_t given = type->isVoidTy() ? 0 : together ? together->getNumElements() : 1;
  if (given != written.size()) {
    return site.error("gives " + llvm::Twine(given) + " values for " + llvm::Twine(written.size()) +
                      " fragments that it writes");
  }
  for (size_t i = 0; i < written.size(); ++i) {
    llvm::Type *own = together ? together->getElementType(i) : type;
    if (written[i]->isIn && own != written[i]->type) {
      return site.error("gives another type than `" + written[i]->name + "` comes in with");
    }
    if (!own->getScalarType()->isIntegerTy(32)) {
      return site.error("has a fragment that is not packed into i32");
    }
    written[i]->type = own;
  }
  return llvm::Error::success();
}

static llvm::Value *laneOf(llvm::IRBuilderBase &b, llvm::Value *value, unsigned lane) {
  return value->getType()->isVectorTy() ? b.CreateExtractElement(value, lane) : value;
}

static std::string registers(llvm::ArrayRef<std::string> names) {
  return names.size() == 1 ? names[0] : "{" + llvm::join(names, ", ") + "}";
}

/// Written fragments. Those that also come in begin with their values; where a thread may stay out the others begin with 0,
/// so that what it goes on with does not depend on what its registers held.
llvm::Error InstrExpander::addResults() {
  unsigned count = 0;
  for (Operand &operand : operands) {
    if (operand.kind != Operand::frag || !operand.isOut) {
      continue;
    }
    operand.firstResult = count;
    operand.lanes = lanesOf(operand.type);
    llvm::SmallVector<std::string> names;
    for (unsigned lane = 0; lane < operand.lanes; ++lane) {
      llvm::Value *initial =
          TESSERA_MUTANT(559, "sums of a product begin with nothing", operand.isIn, false)
              ? laneOf(b, operand.value, lane)
          : isAlways(participates) ? nullptr
                                   : b.getInt32(0);
      names.push_back(initial ? code.result(b.getInt32Ty(), initial) : code.result(b.getInt32Ty()));
    }
    operand.text = registers(names);
    count += operand.lanes;
  }
  return llvm::Error::success();
}

void InstrExpander::addInputs() {
  for (Operand &operand : operands) {
    if (operand.kind == Operand::frag) {
      if (operand.isOut) {
        continue;
      }
      llvm::SmallVector<std::string> names;
      for (unsigned lane = 0; lane < lanesOf(operand.type); ++lane) {
        names.push_back(code.input(laneOf(b, operand.value, lane)));
      }
      if (TESSERA_MUTANT(558, "registers of a fragment stand in reverse", false, true)) {
        std::reverse(names.begin(), names.end());
      }
      operand.text = registers(names);
      continue;
    }
    // Numbers stand in the text: some instructions take nothing else.
    auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operand.value);
    if (constant && operand.kind == Operand::scalar) {
      operand.text = std::to_string(constant->getBitWidth() == 1 ? constant->getZExtValue()
                                                                 : constant->getSExtValue());
    } else if (operand.kind == Operand::scalar && operand.type->isIntegerTy(1)) {
      operand.text = code.input(b.CreateZExt(operand.value, b.getInt32Ty()));
    } else {
      operand.text = code.input(operand.value);
    }
    if (operand.present && ptx.contains(("present_bytes(" + operand.name + ")").str())) {
      operand.presentText = code.input(operand.present);
    }
  }
}

/// What a hole stands for.
llvm::Expected<std::string> InstrExpander::hole(llvm::StringRef inner) {
  bool isPresent = inner.consume_front("present_bytes(") && inner.consume_back(")");
  inner = inner.trim();
  for (const Operand &operand : operands) {
    if (operand.name == inner && (!isPresent || operand.kind == Operand::view)) {
      bool isCounted =
          TESSERA_MUTANT(561, "copies take their address for a number of bytes", isPresent, false);
      return isCounted ? operand.presentText : operand.text;
    }
  }
  return site.error("has the hole `{" + inner + "}` in its text, which names no operand that fits");
}

/// The text with its holes filled; `{{` and `}}` are braces.
llvm::Expected<std::string> InstrExpander::fill() {
  std::string text;
  for (size_t at = 0; at < ptx.size(); ++at) {
    char c = ptx[at];
    if (c != '{' && c != '}') {
      text += escapeAssembly(ptx.substr(at, 1));
      continue;
    }
    if (at + 1 < ptx.size() && ptx[at + 1] == c) {
      text += c;
      ++at;
      continue;
    }
    size_t end = c == '{' ? ptx.find('}', at) : llvm::StringRef::npos;
    if (end == llvm::StringRef::npos) {
      return site.error("has a brace in its text that opens or closes nothing; write it twice");
    }
    llvm::Expected<std::string> filled = hole(ptx.slice(at + 1, end).trim());
    if (!filled) {
      return filled.takeError();
    }
    text += *filled;
    at = end;
  }
  return text;
}

/// One instruction is predicated; around several there is a jump, whose label is local to the braces.
std::string InstrExpander::guard(std::string text) {
  if (isAlways(participates)) {
    return text;
  }
  std::string predicate = code.input(participates);
  llvm::StringRef body = llvm::StringRef(text).trim();
  bool isSingle = body.count(';') == 1 && body.ends_with(";") && !body.starts_with("@") &&
                  !body.starts_with("{");
  if (isSingle) {
    std::string guard = "@" + predicate + " ";
    return TESSERA_MUTANT(560, "threads that stay out take part", guard, std::string()) +
           body.str();
  }
  return "{\n\t@!" + predicate + " bra tessera_out;\n\t" + body.str() + "\n\ttessera_out:\n\t}";
}

/// Of fragments and scalars alone an instruction is a pure function; all lanes of a warp compute it together.
Assembly::Effects InstrExpander::effects() const {
  Assembly::Effects effects;
  effects.isConvergent = TESSERA_MUTANT(562, "instructions of a warp may stand in a branch",
                                        attribute(site, "tessera.scope") != "thread", false);
  bool hasMemory = llvm::any_of(operands, [](const Operand &operand) {
    return operand.kind == Operand::smem || operand.kind == Operand::view;
  });
  bool writes = llvm::any_of(operands, [](const Operand &operand) { return operand.isOut; });
  if (hasMemory || !writes) {
    effects.keepsPlace = true;
    effects.memory = llvm::MemoryEffects::unknown();
  }
  return effects;
}

/// The marker's result from those of the assembly.
llvm::Value *InstrExpander::collect() {
  llvm::SmallVector<llvm::Value *> fragments;
  for (const Operand &operand : operands) {
    if (operand.kind != Operand::frag || !operand.isOut) {
      continue;
    }
    llvm::Value *fragment = code.values[operand.firstResult];
    if (operand.type->isVectorTy()) {
      fragment = llvm::PoisonValue::get(operand.type);
      for (unsigned lane = 0; lane < operand.lanes; ++lane) {
        fragment = b.CreateInsertElement(fragment, code.values[operand.firstResult + lane], lane);
      }
    }
    fragments.push_back(fragment);
  }
  if (!site.call.getType()->isStructTy()) {
    return fragments.empty() ? nullptr : fragments[0];
  }
  llvm::Value *together = llvm::PoisonValue::get(site.call.getType());
  for (unsigned i = 0; i < fragments.size(); ++i) {
    together = b.CreateInsertValue(together, fragments[i], i);
  }
  return together;
}

Expansion InstrExpander::run() {
  if (llvm::Error error = parse()) {
    return error;
  }
  if (isNever(participates)) {
    llvm::Type *type = site.call.getType();
    return type->isVoidTy() ? nullptr : llvm::Constant::getNullValue(type);
  }
  if (llvm::Error error = addResults()) {
    return error;
  }
  addInputs();
  llvm::Expected<std::string> text = fill();
  if (!text) {
    return text.takeError();
  }
  std::string guarded = guard(std::move(*text));
  code.emit(guarded, effects());
  return collect();
}

Expansion tessera::ptx::expandInstruction(Site &site) { return InstrExpander(site).run(); }
