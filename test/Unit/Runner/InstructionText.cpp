// A kernel around one execution of a declared instruction, made from the declaration.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstructionText.h"

using namespace tessera;
using namespace tessera::testing;
using instr::OperandKind;

void KernelText::argument(unsigned i, bool isOut) {
  std::string extents;
  for (int64_t extent : instruction.operands[i].shape) {
    extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
  }
  std::string own = (isOut ? "o" : "i") + std::to_string(i);
  header += (header.empty() ? "" : ", ") + ("%" + own + " \"" + own + "\": ") + view(i, isOut) +
            " shape () -> (" + extents + ")";
}

/// The place of each operand, and what is read of it.
void KernelText::operand(unsigned i) {
  const instr::Operand &own = instruction.operands[i];
  std::string number = std::to_string(i), in = "%i" + number;
  std::string value = valueName(op.getBody().getArgument(i));
  bool isIn = own.mode != instr::OperandMode::Out, isOut = own.mode != instr::OperandMode::In;
  if (isIn) {
    argument(i, false);
  }
  if (isOut) {
    argument(i, true);
  }
  std::string load =
      " = tile.load " + in + all(i) + " : " + view(i, false) + " -> " + tensor(i) + "\n";
  if (own.kind == OperandKind::Frag && isIn) {
    before += value + load;
  } else if (own.kind == OperandKind::View && isIn) {
    body += value + load;
  } else if (own.kind == OperandKind::Smem) {
    before += "%b" + number + " = tile.alloc : " + buf(i) + "\n";
    if (isIn) {
      before += "tile.copy " + in + all(i) + " to %b" + number + " fill zero : " + view(i, false) +
                " to " + buf(i) + "\n";
      body += value + " = tile.read %b" + number + " span" + all(i) + " : " + buf(i) + " -> " +
              tensor(i) + "\n";
    }
  }
}

/// The operand in memory that a value only moves, or fills.
std::optional<unsigned> KernelText::movedFrom(mlir::Value yielded) {
  if (auto fill = yielded.getDefiningOp<tile::FillAbsentOp>()) {
    yielded = fill.getX();
  }
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(yielded);
  bool isMemory =
      argument && instruction.operands[argument.getArgNumber()].kind != OperandKind::Frag;
  return isMemory ? std::optional<unsigned>(argument.getArgNumber()) : std::nullopt;
}

/// One piece along every dim.
std::string KernelText::factors(mlir::Operation *root, unsigned access) {
  std::string text;
  auto add = [&](llvm::StringRef dim, int64_t extent) {
    text += extent == 1
                ? ""
                : (text.empty() ? "" : ", ") + dim.str() + " = atom " + std::to_string(extent);
  };
  if (root) {
    for (const tile::IterDim &dim : llvm::cast<tile::TileIterOpInterface>(root).getIterDims()) {
      add(dim.name, dim.extent);
    }
  } else {
    for (auto [axis, extent] : llvm::enumerate(instruction.operands[access].shape)) {
      add("d" + std::to_string(axis), extent);
    }
  }
  return text.empty() ? "" : " {tile.iter = #tile.iter<" + text + ">}";
}

void KernelText::result(unsigned i, mlir::Value yielded) {
  const instr::Operand &own = instruction.operands[i];
  std::string number = std::to_string(i), out = "%o" + number;
  std::string value = valueName(yielded), cut = factors(nullptr, i);
  std::string stored = " : " + tensor(i) + ", " + view(i, true) + "\n";
  if (own.kind == OperandKind::View) {
    body += "tile.store " + value + ", " + out + all(i) + cut + stored;
    return;
  }
  if (own.kind == OperandKind::Frag) {
    after += "tile.store %result, " + out + all(i) + stored;
    return;
  }
  body +=
      "tile.write " + value + " to %b" + number + cut + " : " + tensor(i) + " to " + buf(i) + "\n";
}

std::string KernelText::make() {
  for (unsigned i = 0; i < instruction.operands.size(); ++i) {
    operand(i);
  }
  mlir::Block &block = op.getBody().front();
  std::string yields, types;
  unsigned written = 0;
  for (unsigned i = 0; i < instruction.operands.size(); ++i) {
    const instr::Operand &own = instruction.operands[i];
    if (own.mode == instr::OperandMode::In) {
      continue;
    }
    mlir::Value yielded = block.getTerminator()->getOperand(written++);
    std::optional<unsigned> from = movedFrom(yielded);
    bool isCopy = from && own.kind != OperandKind::Frag;
    std::string number = std::to_string(i);
    if (isCopy) { // from memory to memory
      bool isIn = own.kind == OperandKind::Smem;
      std::string view =
          (isIn ? "%i" + std::to_string(*from) + all(*from) : "%o" + number + all(i));
      body = isIn ? "tile.copy " + view + " to %b" + number + " fill zero" + factors(nullptr, i) +
                        " : " + this->view(*from, false) + " to " + buf(i) + "\n"
                  : "tile.copy_out %b" + std::to_string(*from) + " to " + view +
                        factors(nullptr, i) + " : " + buf(*from) + " to " + this->view(i, true) +
                        "\n";
    } else {
      mlir::Operation *root = nullptr;
      for (mlir::Operation &each : block.without_terminator()) {
        std::string text;
        llvm::raw_string_ostream os(text);
        each.print(os, names);
        if (llvm::isa<tile::ConstantOp>(each)) {
          before += text + "\n";
          continue;
        }
        root = &each;
        body += text + "\n";
      }
      if (own.kind == OperandKind::Frag) {
        // The op that is done last says how it is cut: its last attribute stands before the types.
        std::string cut = root ? factors(root, i) : factors(nullptr, i);
        size_t colon = body.rfind(" : ");
        body.insert(colon, cut);
        yields += valueName(yielded);
        types += " -> " + tensor(i);
      }
      result(i, yielded);
    }
    if (own.kind == OperandKind::Smem) {
      after += instruction.via == tile::Proxy::cp_async
                   ? "tile.group_commit cp_async\ntile.group_wait cp_async pending 0\n"
                   : "";
      after += "tile.barrier cta\n%t" + number + " = tile.read %b" + number + " span" + all(i) +
               " : " + buf(i) + " -> " + tensor(i) + "\ntile.store %t" + number + ", %o" + number +
               all(i) + " : " + tensor(i) + ", " + view(i, true) + "\n";
    }
  }
  std::string declaration;
  llvm::raw_string_ostream os(declaration);
  op->print(os);
  std::string via = instruction.via == tile::Proxy::generic
                        ? ""
                        : " via " + tile::stringifyProxy(instruction.via).str();
  return declaration + "\ntile.kernel @k(" + header +
         ") body {\n%zero = tile.constant 0 : i64\n%one = tile.constant 1 : i64\n"
         "tile.grid (%point = range(%zero to %one)) {\n" +
         before + "tile.barrier cta\n" + (types.empty() ? "" : "%result = ") + "tile.apply @\"" +
         instruction.symbol + "\"" + via + types + " {\n" + body +
         (yields.empty() ? "" : "tile.yield " + yields + " : " + types.substr(4) + "\n") + "}\n" +
         after + "}\n}\n";
}
