// The kernel around one execution of a declared instruction, as LLVM IR with markers, and from there to PTX.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProbeCode.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::fragments;
using instr::Operand;
using instr::OperandKind;
using instr::OperandMode;

int64_t fragments::bytesOf(const instr::Instruction &, const Operand &operand) {
  return operand.elements() * int64_t(byteSize(operand.dtype));
}

static int64_t wordsOfLane(const instr::Instruction &instruction, const Operand &operand) {
  return bytesOf(instruction, operand) / (4 * instruction.threads);
}

ProbeSize fragments::sizeOf(const instr::Instruction &instruction) {
  ProbeSize size;
  for (const Operand &operand : instruction.operands) {
    bool isShared = operand.kind == OperandKind::Smem;
    int64_t bytes = bytesOf(instruction, operand);
    size.in += isShared ? 4 * instruction.threads : 0;
    size.in += operand.mode == OperandMode::Out ? 0 : bytes;
    size.out += operand.mode == OperandMode::In ? 0 : bytes;
    size.shared += isShared ? bytes : 0;
  }
  return size;
}

namespace {
class Writer {
public:
  explicit Writer(const instr::Instruction &instruction)
      : instruction(instruction), size(sizeOf(instruction)), os(body) {}
  std::string run();

private:
  std::string wordsType(const Operand &operand) const;
  /// The address of a thread's first word of `stride` bytes a thread, `at` bytes into a pass's memory.
  std::string address(const char *base, int64_t at, int64_t stride);
  void copyTile(bool isIn, int64_t sharedAt, int64_t globalAt, int64_t bytes);
  void call();
  void results();
  std::string attributes() const;
  std::string fresh() { return "%v" + std::to_string(next++); }

  const instr::Instruction &instruction;
  ProbeSize size;
  std::string body;
  llvm::raw_string_ostream os;
  unsigned next = 0;
  std::string arguments, types, result = "void";
};
} // namespace

std::string Writer::wordsType(const Operand &operand) const {
  int64_t words = wordsOfLane(instruction, operand);
  return words == 1 ? "i32" : "<" + std::to_string(words) + " x i32>";
}

std::string Writer::address(const char *base, int64_t at, int64_t stride) {
  std::string scaled = fresh(), moved = fresh(), pointer = fresh();
  os << scaled << " = mul i64 %lane64, " << stride << "\n"
     << moved << " = add i64 " << scaled << ", " << at << "\n"
     << pointer << " = getelementptr i8, ptr addrspace(1) " << base << ", i64 " << moved << "\n";
  return pointer;
}

/// Word by word, each thread every `threads`-th.
void Writer::copyTile(bool isIn, int64_t sharedAt, int64_t globalAt, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += 4 * instruction.threads) {
    std::string global = address(isIn ? "%pin" : "%pout", globalAt + at, 4);
    std::string offset = fresh(), moved = fresh(), shared = fresh(), word = fresh();
    os << offset << " = mul i32 %lane, 4\n"
       << moved << " = add i32 " << offset << ", " << sharedAt + at << "\n"
       << shared << " = getelementptr i8, ptr addrspace(3) @tessera.smem, i32 " << moved << "\n";
    const char *from = isIn ? "1" : "3", *to = isIn ? "3" : "1";
    os << word << " = load i32, ptr addrspace(" << from << ") " << (isIn ? global : shared)
       << ", align 4\nstore i32 " << word << ", ptr addrspace(" << to << ") "
       << (isIn ? shared : global) << ", align 4\n";
  }
}

void Writer::call() {
  int64_t at = 0, sharedAt = 0;
  for (const Operand &operand : instruction.operands) {
    int64_t bytes = bytesOf(instruction, operand);
    if (operand.kind == OperandKind::Smem) {
      std::string from = address("%pin", at, 4), offset = fresh(), moved = fresh(),
                  pointer = fresh();
      os << offset << " = load i32, ptr addrspace(1) " << from << ", align 4\n"
         << moved << " = add i32 " << offset << ", " << sharedAt << "\n"
         << pointer << " = getelementptr i8, ptr addrspace(3) @tessera.smem, i32 " << moved << "\n";
      at += 4 * instruction.threads;
      if (operand.mode != OperandMode::Out) {
        copyTile(true, sharedAt, at, bytes);
        at += bytes;
      }
      sharedAt += bytes;
      arguments += "ptr addrspace(3) " + pointer + ", ";
      types += "ptr addrspace(3), ";
      continue;
    }
    std::string type = wordsType(operand);
    if (operand.mode != OperandMode::In) {
      result = type;
    }
    if (operand.mode == OperandMode::Out) {
      continue;
    }
    std::string from = address("%pin", at, 4 * wordsOfLane(instruction, operand)), words = fresh();
    os << words << " = load " << type << ", ptr addrspace(1) " << from << ", align 4\n";
    at += bytes;
    arguments += type + " " + words + ", ";
    types += type + ", ";
  }
  os << "call void @tessera.bar.cta()\n"
     << (result == "void" ? "" : "%result = ") << "call " << result << " @tessera.i.probed("
     << arguments << "i1 true)\ncall void @tessera.bar.cta()\n";
}

void Writer::results() {
  int64_t at = 0, sharedAt = 0;
  for (const Operand &operand : instruction.operands) {
    int64_t bytes = bytesOf(instruction, operand);
    if (operand.mode != OperandMode::In) {
      if (operand.kind == OperandKind::Smem) {
        copyTile(false, sharedAt, at, bytes);
      } else {
        std::string to = address("%pout", at, 4 * wordsOfLane(instruction, operand));
        os << "store " << result << " %result, ptr addrspace(1) " << to << ", align 4\n";
      }
      at += bytes;
    }
    sharedAt += operand.kind == OperandKind::Smem ? bytes : 0;
  }
}

std::string Writer::attributes() const {
  std::string operands;
  for (const Operand &operand : instruction.operands) {
    const char *mode = operand.mode == OperandMode::In    ? "in"
                       : operand.mode == OperandMode::Out ? "out"
                                                          : "inout";
    operands += (operands.empty() ? "" : ",") + operand.name +
                (operand.kind == OperandKind::Smem ? ":smem:" : ":frag:") + mode + ":" +
                std::to_string(rowsOf(operand)) + "x" + std::to_string(colsOf(operand)) + ":" +
                name(operand.dtype).str();
  }
  std::string text;
  for (char c : instruction.ptx) {
    text += c == '"' || c == '\\' || c == '\n' ? ' ' : c;
  }
  return "attributes #0 = { convergent nounwind willreturn \"tessera.ptx\"=\"" + text +
         "\" \"tessera.operands\"=\"" + operands + "\" \"tessera.scope\"=\"" +
         tile::stringifyExecScope(instruction.scope).str() + "\" }\n";
}

std::string Writer::run() {
  call();
  results();
  std::string text;
  llvm::raw_string_ostream all(text);
  all << "@tessera.smem = external addrspace(3) global [0 x i8], align 1024\n"
      << "declare i32 @tessera.tid()\ndeclare i32 @tessera.ctaid()\n"
      << "declare void @tessera.bar.cta()\ndeclare " << result << " @tessera.i.probed(" << types
      << "i1) #0\n"
      << "define void @" << instruction.name
      << "(ptr addrspace(1) %in, ptr addrspace(1) %out) \"tessera.threads\"=\""
      << instruction.threads << "\" \"tessera.shared_bytes\"=\"" << size.shared << "\" {\n"
      << "%lane = call i32 @tessera.tid()\n%cta = call i32 @tessera.ctaid()\n"
      << "%lane64 = zext i32 %lane to i64\n%cta64 = zext i32 %cta to i64\n"
      << "%i0 = mul i64 %cta64, " << size.in << "\n%o0 = mul i64 %cta64, " << size.out << "\n"
      << "%pin = getelementptr i8, ptr addrspace(1) %in, i64 %i0\n"
      << "%pout = getelementptr i8, ptr addrspace(1) %out, i64 %o0\n"
      << body << "ret void\n}\n"
      << attributes();
  return text;
}

llvm::Expected<std::string> fragments::probeCode(const instr::Instruction &instruction,
                                                 ptx::Arch arch) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(Writer(instruction).run(), problem, context);
  if (!module) {
    return llvm::createStringError("the probe of `" + instruction.name +
                                   "` is no module: " + problem.getMessage());
  }
  ptx::TargetOptions options;
  options.arch = arch;
  return ptx::emitPTX(*module, options);
}
