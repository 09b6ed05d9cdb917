// Operands whose elements say where they belong, and what an instruction must make of them if its maps are right.
//
// A product shows its maps only against each other: the digits of A's coordinates come out at the rows of C where B selects
// one k for each column, those of B's where A selects one k for each row. Digits are below 8, which every type holds exactly.
// C starts as 8 times its position, so that a sum shows which element of C it was added to.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fragments.h"
#include "ProbeCode.h"

#include "tessera/Dialect/Tile/TileOps.h"
#include "tessera/Numeric/Value.h"
#include "tessera/Target/PTX/EmitPTX.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::fragments;
using instr::Instruction;
using instr::Operand;
using instr::OperandKind;
using instr::OperandMode;

namespace {
/// A tile's elements, row-major.
using Elements = std::vector<double>;

constexpr int64_t base = 8;

struct Probe {
  std::string in, expected;
  std::vector<std::string> labels; ///< of each pass: the operand whose map it shows
};
} // namespace

static std::string encode(const Operand &operand, double value) {
  std::string bytes(byteSize(operand.dtype), '\0');
  Overflow overflow = isFloat(operand.dtype) ? Overflow::sat : Overflow::wrap;
  fromDouble(operand.dtype, value, Round::rne, overflow, bytes.data());
  return bytes;
}

/// Registers of all lanes, as the declared map fills them.
static std::string registersOf(const Operand &operand, const Elements &elements) {
  std::string bytes;
  int64_t lanes = operand.layout->ins()[0].size(), values = operand.layout->ins()[1].size();
  for (int64_t lane = 0; lane < lanes; ++lane) {
    for (int64_t value = 0; value < values; ++value) {
      const int64_t at[] = {lane, value};
      int64_t position = operand.layout->evaluate(at)[0];
      int64_t row = position % rowsOf(operand), col = position / rowsOf(operand);
      bytes += encode(operand, elements[row * colsOf(operand) + col]);
    }
  }
  return bytes;
}

static std::string memoryOf(const Operand &operand, const Elements &elements) {
  std::string bytes;
  for (double element : elements) {
    bytes += encode(operand, element);
  }
  return bytes;
}

static std::string offsetsOf(const Instruction &instruction, const Operand &operand) {
  std::string bytes;
  for (int64_t lane = 0; lane < instruction.threads; ++lane) {
    llvm::SmallVector<int64_t> at = operand.address.compose({lane});
    uint32_t offset =
        (at[0] * colsOf(operand) + (at.size() > 1 ? at[1] : 0)) * int64_t(byteSize(operand.dtype));
    for (unsigned byte = 0; byte < 4; ++byte) {
      bytes += char(offset >> (8 * byte) & 0xff);
    }
  }
  return bytes;
}

/// A digit of a tile's coordinates; 0 and 1 are those of the row.
static double digit(int64_t row, int64_t col, unsigned which) {
  int64_t coordinate = which < 2 ? row : col;
  return double(which % 2 ? coordinate / base : coordinate % base);
}

static Elements digitsOf(const Operand &operand, unsigned which) {
  Elements elements;
  for (int64_t row = 0; row < rowsOf(operand); ++row) {
    for (int64_t col = 0; col < colsOf(operand); ++col) {
      elements.push_back(digit(row, col, which));
    }
  }
  return elements;
}

/// 1 where `row + moveRow == col + moveCol`.
static Elements selector(const Operand &operand, int64_t moveRow, int64_t moveCol) {
  Elements elements;
  for (int64_t row = 0; row < rowsOf(operand); ++row) {
    for (int64_t col = 0; col < colsOf(operand); ++col) {
      elements.push_back(row + moveRow == col + moveCol ? 1 : 0);
    }
  }
  return elements;
}

static void addProductPass(Probe &probe, const Instruction &instruction,
                           const ProductOperands &which, const Elements &a, const Elements &b,
                           const std::string &label) {
  const Operand &left = instruction.operands[which.a], &right = instruction.operands[which.b],
                &sum = instruction.operands[which.acc];
  int64_t rows = rowsOf(sum), cols = colsOf(sum), depth = colsOf(left);
  Elements before, after;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t col = 0; col < cols; ++col) {
      double value = double(base * (row * cols + col));
      before.push_back(value);
      for (int64_t k = 0; k < depth; ++k) {
        value += a[row * depth + k] * b[k * cols + col];
      }
      after.push_back(value);
    }
  }
  for (auto [number, operand] : llvm::enumerate(instruction.operands)) {
    probe.in += number == which.a   ? registersOf(left, a)
                : number == which.b ? registersOf(right, b)
                                    : registersOf(sum, before);
  }
  probe.expected += registersOf(sum, after);
  probe.labels.push_back(label);
}

static Probe productProbe(const Instruction &instruction, const ProductOperands &which) {
  const Operand &a = instruction.operands[which.a], &b = instruction.operands[which.b];
  Probe probe;
  for (unsigned digits = 0; digits < 4; ++digits) {
    for (int64_t first = 0; first < colsOf(a); first += colsOf(b)) {
      addProductPass(probe, instruction, which, digitsOf(a, digits), selector(b, 0, first), a.name);
    }
    for (int64_t first = 0; first < colsOf(a); first += rowsOf(a)) {
      addProductPass(probe, instruction, which, selector(a, first, 0), digitsOf(b, digits), b.name);
    }
  }
  // Rows and columns of C: one k, whose A has the digits of rows and B those of columns.
  for (unsigned digits : {0, 1, 2}) {
    Elements left(rowsOf(a) * colsOf(a)), right(rowsOf(b) * colsOf(b));
    for (int64_t row = 0; row < rowsOf(a); ++row) {
      left[row * colsOf(a)] = digits == 2 ? 1 : digit(row, 0, digits);
    }
    for (int64_t col = 0; col < colsOf(b); ++col) {
      right[col] = digits == 2 ? digit(0, col, digits) : 1;
    }
    addProductPass(probe, instruction, which, left, right, instruction.operands[which.acc].name);
  }
  return probe;
}

/// Between memory and a fragment: each element is its number. Two passes, low byte and number of 256, for types of 8 bits.
static Probe moveProbe(const Instruction &instruction) {
  Probe probe;
  for (int64_t part : {int64_t(1), int64_t(256)}) {
    for (const Operand &operand : instruction.operands) {
      Elements numbers;
      for (int64_t position = 0; position < operand.elements(); ++position) {
        numbers.push_back(double(part == 1 ? position % 128 : position / 128));
      }
      bool isShared = operand.kind == OperandKind::Smem;
      std::string image = isShared ? memoryOf(operand, numbers) : registersOf(operand, numbers);
      probe.in += isShared ? offsetsOf(instruction, operand) : "";
      (operand.mode == OperandMode::In ? probe.in : probe.expected) += image;
      if (part == 1 && !isShared) {
        probe.labels.assign(2, operand.name);
      }
    }
  }
  return probe;
}

/// Why an instruction has no probe; empty where it has one.
static std::string refusal(const Instruction &instruction, unsigned capability) {
  unsigned least = 0;
  llvm::StringRef(instruction.arch).drop_front(3).consumeInteger(10, least);
  if (least > capability) {
    return "needs " + instruction.arch;
  }
  if (instruction.ptx.empty() || !instruction.hook.empty()) {
    return "the compiler makes its text";
  }
  bool hasProduct = productOf(instruction).has_value();
  unsigned fragments = 0, memories = 0;
  for (const Operand &operand : instruction.operands) {
    bool isShared = operand.kind == OperandKind::Smem;
    fragments += operand.kind == OperandKind::Frag;
    memories += isShared && operand.address;
    if (operand.elements() * int64_t(byteSize(operand.dtype)) % (4 * instruction.threads)) {
      return "the operand `" + operand.name + "` has no whole number of words for each lane";
    }
    if (hasProduct && !isShared && operand.shape.size() != 2) {
      return "the operand `" + operand.name + "` has one axis";
    }
  }
  auto body = llvm::cast<tile::InstrOp>(instruction.op);
  bool isMove = instruction.operands.size() == 2 && fragments == 1 && memories == 1 &&
                llvm::hasSingleElement(body.getBody().front());
  if (!isMove && !(hasProduct && fragments == 3 && instruction.operands.size() == 3)) {
    return "it is neither a product of fragments nor a copy between a fragment and rows of memory";
  }
  return "";
}

static llvm::Error writeProbe(const Instruction &instruction, ptx::Arch arch,
                              llvm::StringRef folder, llvm::raw_ostream &index) {
  std::optional<ProductOperands> product = productOf(instruction);
  Probe probe = product ? productProbe(instruction, *product) : moveProbe(instruction);
  llvm::Expected<std::string> code = probeCode(instruction, arch);
  if (!code) {
    return code.takeError();
  }
  for (auto [suffix, text] : {std::pair<const char *, llvm::StringRef>{".ptx", *code},
                              {".in", probe.in},
                              {".expected", probe.expected}}) {
    if (llvm::Error error = writeFile(folder, instruction.name + suffix, text)) {
      return error;
    }
  }
  ProbeSize size = sizeOf(instruction);
  index << "probe " << instruction.name << " " << instruction.threads << " " << size.in << " "
        << size.out << " " << size.shared;
  for (const std::string &label : probe.labels) {
    index << " " << label;
  }
  index << "\n";
  return llvm::Error::success();
}

llvm::Error fragments::probeAll(llvm::ArrayRef<Declared> list, llvm::StringRef target,
                                llvm::StringRef folder) {
  std::optional<ptx::Arch> arch = ptx::parseArch(target);
  if (!arch) {
    return llvm::createStringError("`" + target +
                                   "` is no target that has code: take sm_80, sm_90a or sm_100a");
  }
  std::string text = "# probe NAME threads, bytes of a pass's operands, results and shared memory, "
                     "then for each pass the operand that it shows\n";
  llvm::raw_string_ostream index(text);
  for (const Declared &declared : list) {
    const Instruction &instruction = declared.instruction;
    if (std::string reason = refusal(instruction, ptx::capability(*arch)); !reason.empty()) {
      index << "# " << instruction.name << ": " << reason << "\n";
      continue;
    }
    if (llvm::Error error = writeProbe(instruction, *arch, folder, index)) {
      return error;
    }
  }
  return writeFile(folder, "fragments.txt", text);
}
