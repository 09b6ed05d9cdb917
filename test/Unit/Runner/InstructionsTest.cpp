// Every instruction of the library in a kernel that is made from its declaration: the code of one piece on the simulator gives
// what the interpreter gives for the body; what no device has code for is refused with a reason.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Frontend/Instructions.h"

#include "InstructionText.h"
#include "RunnerTest.h"

#include "tessera/Dialect/Tile/TileOps.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"

#include <random>

using namespace tessera;
using namespace tessera::testing;
using ::testing::HasSubstr;

namespace {

class InstructionsTest : public RunnerTest {
protected:
  InstructionsTest()
      : engine(sources), program(Program::loadBuffer("", "t.tile", engine)), declared(*program),
        context(mlir::MLIRContext::Threading::DISABLED),
        module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context))) {}

  /// With every type that it has, and the least numbers that its `where` allows.
  std::vector<instr::Instruction> instances(const std::string &name);
  void check(const instr::Instruction &instruction);
  /// Numbers that are exact in every order of a sum, in the bits of the type.
  std::string input(const std::string &name, const instr::Operand &operand);

  SourceManager sources;
  DiagnosticEngine engine;
  std::unique_ptr<Program> program;
  Instructions declared;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::mt19937 random{7};
  std::vector<std::string> ran, refused;
};

std::vector<instr::Instruction> InstructionsTest::instances(const std::string &name) {
  std::optional<instr::Pattern> pattern = declared.find(name);
  std::vector<instr::Constants> all = {{}};
  auto extend = [&](const std::string &parameter, std::vector<std::string> values) {
    std::vector<instr::Constants> next;
    for (const instr::Constants &some : all) {
      for (const std::string &value : values) {
        next.push_back(some);
        next.back().emplace_back(parameter, value);
      }
    }
    all = std::move(next);
  };
  for (const std::string &number : pattern->constants) {
    extend(number, {"8", "16", "32"});
  }
  for (const std::string &type : pattern->types) {
    extend(type, {"bf16", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "f8e4m3"});
  }
  std::vector<instr::Instruction> found;
  for (const instr::Constants &constants : all) {
    auto made = declared.lowerInstr(name, constants, *module, SourceRange());
    if (made) {
      found.push_back(*made);
    }
  }
  if (!pattern->constants.empty() && !found.empty()) {
    found.resize(1); // sizes are all alike
  }
  return found;
}

std::string InstructionsTest::input(const std::string &name, const instr::Operand &operand) {
  HostArray made = llvm::cantFail(
      HostArray::allocate(operand.dtype, IndexVector(operand.shape.begin(), operand.shape.end())));
  std::vector<uint8_t> bytes(size_t(operand.elements()) * byteSize(operand.dtype));
  std::uniform_int_distribution<int> numbers(-3, 3);
  for (int64_t i = 0; i < operand.elements(); ++i) {
    uint64_t bits = isFloat(operand.dtype) ? 0 : uint64_t(int64_t(numbers(random)));
    if (isFloat(operand.dtype)) {
      // A few powers of two and their negatives, from the type's own 1.0.
      const uint64_t ones[] = {0x3c00, 0x3f80, 0x3f800000, 0x3ff0000000000000, 0x38, 0x3c};
      size_t which = operand.dtype == DType::f16        ? 0
                     : operand.dtype == DType::bf16     ? 1
                     : operand.dtype == DType::f32      ? 2
                     : operand.dtype == DType::f64      ? 3
                     : operand.dtype == DType::f8E4M3FN ? 4
                                                        : 5;
      int digit = numbers(random);
      bits = digit == 0 ? 0 : ones[which];
      bits |= digit < 0 ? uint64_t(1) << (8 * byteSize(operand.dtype) - 1) : 0;
    }
    std::memcpy(&bytes[size_t(i) * byteSize(operand.dtype)], &bits, byteSize(operand.dtype));
  }
  made.copyFrom(bytes.data());
  llvm::cantFail(writeNpy(path(name), made));
  return path(name);
}

void InstructionsTest::check(const instr::Instruction &instruction) {
  SCOPED_TRACE(instruction.symbol);
  std::string text = KernelText(instruction).make();
  std::vector<std::string> words = {file("k.mlir", text), "--target=sm_90a"};
  std::vector<std::string> outs;
  for (auto [i, operand] : llvm::enumerate(instruction.operands)) {
    if (operand.mode != instr::OperandMode::Out) {
      std::string own = "i" + std::to_string(i);
      words.insert(words.end(), {"--in", own + "=" + input(own + ".npy", operand)});
    }
    if (operand.mode != instr::OperandMode::In) {
      outs.push_back("o" + std::to_string(i));
    }
  }
  auto on = [&](const std::string &device) {
    std::vector<std::string> all = words;
    all.push_back("--device=" + device);
    for (const std::string &out : outs) {
      all.insert(all.end(), {"--out", out + "=" + path(out + "." + device + ".npy")});
    }
    return run(all);
  };
  Outcome sim = on("sim");
  bool hasCode =
      (instruction.scope == tile::ExecScope::thread ||
       instruction.scope == tile::ExecScope::warp) &&
      (instruction.via == tile::Proxy::generic || instruction.via == tile::Proxy::cp_async);
  if (!hasCode) {
    EXPECT_NE(sim.status, 0);
    EXPECT_THAT(sim.err, HasSubstr("for which there is no code yet")) << text;
    refused.push_back(instruction.name);
    return;
  }
  ASSERT_EQ(sim.status, 0) << sim.err << text;
  Outcome cpu = on("cpu");
  ASSERT_EQ(cpu.status, 0) << cpu.err << text;
  for (const std::string &out : outs) {
    EXPECT_EQ(read(out + ".sim.npy"), read(out + ".cpu.npy")) << text;
    EXPECT_NE(read(out + ".sim.npy"), "");
  }
  ran.push_back(instruction.name);
}

TEST_F(InstructionsTest, OfTheLibrary) {
  for (const std::string &name : declared.names()) {
    std::vector<instr::Instruction> all = instances(name);
    EXPECT_FALSE(all.empty()) << name;
    for (const instr::Instruction &instruction : all) {
      check(instruction);
    }
  }
  // Warpgroups and tensor maps have no code: a list that may only grow shorter.
  EXPECT_THAT(refused, ::testing::ElementsAre("tma_load_2d", "tma_store_2d", "wgmma_m64k16"));
  EXPECT_GT(ran.size(), 60u);
}

} // namespace
