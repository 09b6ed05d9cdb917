// Which declarations have fragments, and what their axes are called.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fragments.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::fragments;

std::optional<ProductOperands> fragments::productOf(const instr::Instruction &instruction) {
  auto op = llvm::cast<tile::InstrOp>(instruction.op);
  std::optional<ProductOperands> found;
  op.getBody().walk([&](tile::MmaOp mma) {
    auto a = llvm::dyn_cast<mlir::BlockArgument>(mma.getA());
    auto b = llvm::dyn_cast<mlir::BlockArgument>(mma.getB());
    auto acc = llvm::dyn_cast<mlir::BlockArgument>(mma.getAcc());
    if (a && b && acc) {
      found = ProductOperands{a.getArgNumber(), b.getArgNumber(), acc.getArgNumber()};
    }
  });
  return found;
}

static std::vector<std::pair<std::string, std::string>>
axesOf(const instr::Instruction &instruction) {
  std::vector<std::pair<std::string, std::string>> axes(instruction.operands.size(),
                                                        {"row", "column"});
  if (std::optional<ProductOperands> product = productOf(instruction)) {
    axes[product->a] = {"m", "k"};
    axes[product->b] = {"k", "n"};
    axes[product->acc] = {"m", "n"};
  }
  return axes;
}

std::optional<std::vector<Declared>> fragments::collect(Program &program, mlir::ModuleOp module,
                                                        llvm::ArrayRef<std::string> only) {
  Instructions instructions(program);
  std::vector<std::string> names = instructions.names();
  if (!only.empty()) {
    names.assign(only.begin(), only.end());
  }
  std::vector<Declared> list;
  for (const std::string &name : names) {
    std::optional<instr::Pattern> pattern = instructions.find(name);
    if (pattern && llvm::none_of(pattern->operands, [](const instr::OperandPattern &operand) {
          return operand.kind == instr::OperandKind::Frag;
        })) {
      continue;
    }
    instr::Constants constants;
    for (const std::string &constant : pattern ? pattern->constants : std::vector<std::string>()) {
      constants.emplace_back(constant, "8");
    }
    std::optional<instr::Instruction> instruction =
        instructions.lowerInstr(name, constants, module, SourceRange());
    if (!instruction) {
      return std::nullopt;
    }
    if (instruction->threads > 1) {
      std::vector<std::pair<std::string, std::string>> axes = axesOf(*instruction);
      list.push_back({std::move(*instruction), std::move(axes)});
    }
  }
  return list;
}

llvm::Error fragments::writeFile(llvm::StringRef folder, llvm::StringRef name,
                                 llvm::StringRef text) {
  if (std::error_code problem = llvm::sys::fs::create_directories(folder)) {
    return llvm::createStringError("cannot make the folder `" + folder + "`: " + problem.message());
  }
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << text;
    return llvm::Error::success();
  });
}
