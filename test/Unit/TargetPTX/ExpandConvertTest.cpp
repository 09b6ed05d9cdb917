// Conversions: which instruction each becomes on which target. Bits of those written out are tested in SmallFloatsTest.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PTXTesting.h"

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
std::string irType(const std::string &type) {
  return type == "f32"                     ? "float"
         : type == "f64"                   ? "double"
         : type == "f16" || type == "bf16" ? "i16"
                                           : "i8";
}

std::string argument(const std::string &type) {
  std::string ir = irType(type);
  return ir + (ir == "float" ? " %f" : ir == "double" ? " %d" : ir == "i16" ? " %h" : " %b");
}

/// `rn.e4m3.sat` and `f32`.
std::string convert(const std::string &to, const std::string &from) {
  std::string type = irType(
      to.substr(3, to.find(".sat") == std::string::npos ? std::string::npos : to.size() - 7));
  std::string name = "tessera.cvt." + to + "." + from;
  return kernel("%v = call " + type + " @" + name + "(" + argument(from) + ")\nstore " + type +
                    " %v, ptr addrspace(1) %g",
                "declare " + type + " @" + name + "(" + irType(from) + ")");
}

TEST(Conversions, EveryOneAssembles) {
  const char *modes[] = {"rn.", "rz.", "ru.", "rd."};
  const char *to[] = {"f16", "bf16", "e4m3", "e5m2", "e4m3.sat", "e5m2.sat", "f32", "f64"};
  const char *from[] = {"f16", "bf16", "e4m3", "e5m2", "f32", "f64"};
  for (Arch arch : {Arch::sm_80, Arch::sm_90a}) {
    // One kernel with all of them: a run of ptxas each would take minutes.
    std::string body, declarations;
    unsigned number = 0;
    for (std::string mode : modes) {
      for (std::string t : to) {
        for (std::string f : from) {
          std::string type = irType(t.substr(0, t.find('.')));
          std::string name = "tessera.cvt." + mode + t + "." + f;
          std::string value = "%v" + std::to_string(++number);
          body += value + " = call " + type + " @" + name + "(" + argument(f) +
                  ")\nstore volatile " + type + " " + value + ", ptr addrspace(1) %g\n";
          declarations += "declare " + type + " @" + name + "(" + irType(f) + ")\n";
        }
      }
    }
    std::string text = emitText(kernel(body, declarations), arch);
    EXPECT_TRUE(assembles(text, arch));
    EXPECT_EQ(text.find("error"), std::string::npos) << text;
  }
}

TEST(Conversions, Instructions) {
  const std::tuple<const char *, const char *, std::vector<std::string>> rows[] = {
      {"rn.f16", "f32", {"cvt\\.rn\\.f16\\.f32"}},
      {"rz.f16", "f32", {"cvt\\.rz\\.f16\\.f32"}},
      {"ru.f16", "f32", {"cvt\\.rp\\.f16\\.f32"}},
      {"rd.f16", "f32", {"cvt\\.rm\\.f16\\.f32"}},
      {"rn.bf16", "f32", {"cvt\\.rn\\.bf16\\.f32"}},
      {"rz.bf16", "f32", {"cvt\\.rz\\.bf16\\.f32"}},
      {"rn.f32", "f64", {"cvt\\.rn\\.f32\\.f64"}},
      {"rz.f32", "f64", {"cvt\\.rz\\.f32\\.f64"}},
      {"ru.f32", "f64", {"cvt\\.rp\\.f32\\.f64"}},
      {"rd.f32", "f64", {"cvt\\.rm\\.f32\\.f64"}},
      {"rn.bf16", "f64", {"cvt\\.rz\\.f32\\.f64", "setp", "cvt\\.rn\\.bf16\\.f32"}},
      {"rn.f32", "f16", {"cvt\\.f32\\.f16"}},
      {"rn.f64", "f32", {"cvt\\.f64\\.f32"}},
      {"rn.e4m3.sat", "f32", {"cvt\\.rn\\.satfinite\\.e4m3x2\\.f32"}},
      {"rn.e5m2.sat", "f32", {"cvt\\.rn\\.satfinite\\.e5m2x2\\.f32"}},
      {"rn.f32", "e4m3", {"cvt\\.rn\\.f16x2\\.e4m3x2", "cvt\\.f32\\.f16"}},
      {"rn.f32", "e5m2", {"shl", "cvt\\.f32\\.f16"}}};
  for (const auto &[to, from, lines] : rows) {
    EXPECT_TRUE(hasInOrder(emitText(convert(to, from)), lines)) << to << " " << from;
  }
}

/// bf16 widens by a shift: its conversion runs on the slow unit.
TEST(Conversions, BF16Widens) {
  std::string text = emitText(convert("rn.f32", "bf16"));
  EXPECT_TRUE(hasInOrder(text, {"shl\\.b32 %r[0-9]+, %r[0-9]+, 16;|mov\\.b32 %r[0-9]+, \\{"}));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("cvt.f32.bf16")));
}

/// The older target has no instruction of 8-bit floats.
TEST(Conversions, Float8IsWrittenOutBefore) {
  for (std::string to : {"rn.e4m3.sat", "rn.e5m2.sat"}) {
    EXPECT_THAT(emitText(convert(to, "f32"), Arch::sm_80),
                ::testing::Not(::testing::HasSubstr("satfinite")));
  }
  EXPECT_THAT(emitText(convert("rn.f32", "e4m3"), Arch::sm_80),
              ::testing::Not(::testing::HasSubstr("e4m3x2")));
}

/// No denormal is dropped where it was not asked for.
TEST(Conversions, NothingFlushes) {
  for (std::string to : {"rn.bf16", "rn.f16", "rz.f16", "ru.e4m3"}) {
    EXPECT_THAT(emitText(convert(to, "f32")), ::testing::Not(::testing::HasSubstr(".ftz")));
  }
}

TEST(Conversions, Packs) {
  const std::tuple<const char *, const char *, const char *> rows[] = {
      {"rn.bf16x2", "i32", "cvt\\.rn\\.bf16x2\\.f32 (%r[0-9]+), (%r[0-9]+), (%r[0-9]+);"},
      {"rn.f16x2", "i32", "cvt\\.rn\\.f16x2\\.f32 (%r[0-9]+), (%r[0-9]+), (%r[0-9]+);"},
      {"rn.e4m3x2", "i16", "cvt\\.rn\\.satfinite\\.e4m3x2\\.f32 "},
      {"rn.e5m2x2", "i16", "cvt\\.rn\\.satfinite\\.e5m2x2\\.f32 "}};
  for (const auto &[name, type, line] : rows) {
    std::string marker = std::string(type) + " @tessera.pack." + name;
    std::string text = kernel("%v = call " + marker + "(float %f, float %f2)\nstore " + type +
                                  " %v, ptr addrspace(1) %g",
                              "declare " + marker + "(float, float)");
    std::string ptx = emitText(text);
    EXPECT_TRUE(hasInOrder(ptx, {line}));
    // The second argument is the high half, and PTX names that first.
    std::smatch low, high;
    EXPECT_TRUE(std::regex_search(ptx, low, std::regex("(%r[0-9]+), \\[k_param_5\\];")));
    EXPECT_TRUE(std::regex_search(ptx, high, std::regex("(%r[0-9]+), \\[k_param_6\\];")));
    EXPECT_THAT(ptx, ::testing::HasSubstr(", " + high[1].str() + ", " + low[1].str() + ";"));
    EXPECT_TRUE(assembles(emitText(text, Arch::sm_80), Arch::sm_80));
  }
}

/// One instruction, rounded once, without flushing.
TEST(Conversions, FusedMultiplyAdd) {
  for (std::string type : {"bf16", "f16"}) {
    std::string name = "i16 @tessera.fma.rn." + type;
    std::string text = kernel("%v = call " + name +
                                  "(i16 %h, i16 17, i16 %h)\nstore i16 %v, ptr "
                                  "addrspace(1) %g",
                              "declare " + name + "(i16, i16, i16)");
    for (Arch arch : allArchs) {
      std::string ptx = emitText(text, arch);
      EXPECT_TRUE(
          hasInOrder(ptx, {"fma\\.rn\\." + type + " (%rs[0-9]+), (%rs[0-9]+), %rs[0-9]+, \\2;"}));
      EXPECT_THAT(ptx, ::testing::Not(::testing::HasSubstr("ftz")));
      EXPECT_TRUE(assembles(ptx, arch));
    }
  }
}

TEST(Conversions, Approximations) {
  std::string body, declarations;
  for (std::string f : {"ex2", "lg2", "rcp", "rsqrt", "sqrt", "sin", "cos", "tanh"}) {
    body += "%v" + f + " = call float @tessera.fast." + f + "(float %f)\nstore volatile float %v" +
            f + ", ptr addrspace(1) %g\n";
    declarations += "declare float @tessera.fast." + f + "(float)\n";
  }
  for (Arch arch : allArchs) {
    std::string text = emitText(kernel(body, declarations), arch);
    EXPECT_TRUE(hasInOrder(text, {"ex2\\.approx\\.ftz\\.f32", "lg2\\.approx\\.ftz\\.f32",
                                  "rcp\\.approx\\.ftz\\.f32", "rsqrt\\.approx\\.ftz\\.f32",
                                  "sqrt\\.approx\\.ftz\\.f32", "sin\\.approx\\.ftz\\.f32",
                                  "cos\\.approx\\.ftz\\.f32", "tanh\\.approx\\.f32"}));
    EXPECT_TRUE(assembles(text, arch));
  }
}

TEST(Conversions, Errors) {
  EXPECT_THAT(emitText(convert("rx.f16", "f32")), ::testing::HasSubstr("is no conversion"));
  EXPECT_THAT(emitText(convert("rn.f16.sat", "f32")), ::testing::HasSubstr("is no conversion"));
  EXPECT_THAT(emitText(kernel("%v = call i32 @tessera.cvt.rn.f16.f32(float %f)",
                              "declare i32 @tessera.cvt.rn.f16.f32(float)")),
              ::testing::HasSubstr("do not hold what its name says"));
  EXPECT_THAT(emitText(kernel("%v = call i32 @tessera.pack.rz.f16x2(float %f, float %f)",
                              "declare i32 @tessera.pack.rz.f16x2(float, float)")),
              ::testing::HasSubstr("is no pack"));
  EXPECT_THAT(emitText(kernel("%v = call i16 @tessera.fma.rz.f16(i16 %h, i16 %h, i16 %h)",
                              "declare i16 @tessera.fma.rz.f16(i16, i16, i16)")),
              ::testing::HasSubstr("is no fma of 16-bit floats"));
  EXPECT_THAT(emitText(kernel("%v = call float @tessera.fma.rn.f16(i16 %h, i16 %h, i16 %h)",
                              "declare float @tessera.fma.rn.f16(i16, i16, i16)")),
              ::testing::HasSubstr("do not hold what its name says"));
  EXPECT_THAT(emitText(kernel("%v = call float @tessera.fast.exp(float %f)",
                              "declare float @tessera.fast.exp(float)")),
              ::testing::HasSubstr("is no approximation"));
}
} // namespace
