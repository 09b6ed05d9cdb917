// Conversions written out in integer instructions, run on the host by the JIT and compared with the definition, bit for bit.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Target/PTX/SmallFloats.h"

#include "gtest/gtest.h"

#include "tessera/Numeric/NumberSystem.h"
#include "tessera/Numeric/Value.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/TargetSelect.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace tessera;
using namespace tessera::ptx;

namespace {
using Convert = uint32_t (*)(float);

/// Functions of the JIT live as long as this.
class Host {
public:
  Host() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  }

  template <typename Fn>
  Fn *compile(llvm::Type *(*result)(llvm::LLVMContext &),
              llvm::Type *(*parameter)(llvm::LLVMContext &),
              llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &, llvm::Value *)> body) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("m", *context);
    std::string name = "f" + std::to_string(count++);
    auto *function = llvm::Function::Create(
        llvm::FunctionType::get(result(*context), {parameter(*context)}, false),
        llvm::Function::ExternalLinkage, name, *module);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(*context, "", function));
    builder.CreateRet(body(builder, function->getArg(0)));
    llvm::cantFail(jit->addIRModule({std::move(module), std::move(context)}));
    return llvm::cantFail(jit->lookup(name)).toPtr<Fn *>();
  }

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
  unsigned count = 0;
};

llvm::Type *int32(llvm::LLVMContext &c) { return llvm::Type::getInt32Ty(c); }
llvm::Type *int8(llvm::LLVMContext &c) { return llvm::Type::getInt8Ty(c); }
llvm::Type *float32(llvm::LLVMContext &c) { return llvm::Type::getFloatTy(c); }

const std::pair<const char *, DType> formats[] = {
    {"f16", DType::f16}, {"bf16", DType::bf16}, {"e4m3", DType::f8E4M3FN}, {"e5m2", DType::f8E5M2}};
const std::pair<Rounding, Round> modes[] = {{Rounding::nearest, Round::rne},
                                            {Rounding::zero, Round::rz},
                                            {Rounding::up, Round::ru},
                                            {Rounding::down, Round::rd}};

/// Values around every pattern of the format and halfway between two, borders of f32, and random bits.
std::vector<float> inputs(DType type) {
  std::vector<float> values = {0.0f, INFINITY, NAN, 1e-45f, 1.17549435e-38f, 3.4028235e38f, 1e-40f};
  unsigned count = byteSize(type) == 1 ? 256 : 65536;
  for (unsigned bits = 0; bits < count; ++bits) {
    float value = float(toDouble(type, &bits)), next;
    unsigned after = bits + 1;
    next = float(toDouble(type, &after));
    for (float x : {value, value / 2 + next / 2}) {
      values.insert(values.end(), {x, std::nextafter(x, 0.0f), std::nextafter(x, INFINITY)});
    }
  }
  std::mt19937 random(7);
  for (int i = 0; i < 200000; ++i) {
    uint32_t bits = random();
    float value;
    std::memcpy(&value, &bits, 4);
    values.push_back(value);
  }
  for (size_t i = 0, n = values.size(); i < n; ++i) {
    values.push_back(-values[i]);
  }
  return values;
}

TEST(SmallFloats, RoundAsDefined) {
  Host host;
  for (auto [name, type] : formats) {
    std::vector<float> values = inputs(type);
    for (auto [rounding, round] : modes) {
      for (bool saturate : {false, true}) {
        auto convert = host.compile<uint32_t(float)>(
            int32, float32, [&, rounding = rounding, name = name](auto &builder, llvm::Value *x) {
              return roundToSmall(builder, x, *smallFormat(name), rounding, saturate);
            });
        Overflow overflow = saturate                  ? Overflow::sat
                            : type == DType::f8E4M3FN ? Overflow::nan
                                                      : Overflow::inf;
        CastKernel defined = ExactSystem::cast(DType::f32, type, round, overflow);
        ASSERT_TRUE(bool(defined));
        unsigned wrong = 0;
        for (float value : values) {
          uint32_t expected = 0;
          defined(&value, &expected, 1);
          uint32_t found = convert(value);
          bool bothNaN = isNaNElement(type, &expected) && isNaNElement(type, &found);
          if (found != expected && !bothNaN && ++wrong < 5) {
            ADD_FAILURE() << name << " mode " << int(round) << " saturate " << saturate << ": "
                          << value << " gives " << found << ", not " << expected;
          }
        }
        EXPECT_EQ(wrong, 0u);
      }
    }
  }
}

TEST(SmallFloats, WidenE4M3) {
  Host host;
  auto widen = host.compile<float(uint8_t)>(
      float32, int8, [](auto &builder, llvm::Value *x) { return widenE4M3(builder, x); });
  for (unsigned bits = 0; bits < 256; ++bits) {
    float expected = float(toDouble(DType::f8E4M3FN, &bits)), found = widen(uint8_t(bits));
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(found)) << bits;
    } else {
      EXPECT_EQ(std::memcmp(&expected, &found, 4), 0) << bits << " gives " << found;
    }
  }
}

TEST(SmallFloats, NamesOfFormats) {
  EXPECT_FALSE(smallFormat("f32"));
  EXPECT_FALSE(smallFormat("e3m4"));
  EXPECT_EQ(smallFormat("bf16")->width(), 16u);
  EXPECT_EQ(smallFormat("e4m3")->width(), 8u);
}
} // namespace
