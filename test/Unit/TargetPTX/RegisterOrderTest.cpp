// Which value stands where in an instruction's text: values are told apart by numbers, or by the parameters they come from.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PTXTesting.h"

#include <map>

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
/// What a register of the text holds: `11` of `mov.b32 %r3, 11;`, `k_param_5` of `ld.param.b32 %r1, [k_param_5];`.
std::map<std::string, std::string> sources(const std::string &text) {
  std::map<std::string, std::string> found;
  const std::regex form("(mov|ld\\.param)\\.[a-z0-9]+ +(%[a-z]+[0-9]+), \\[?([a-z0-9_]+)\\]?;");
  std::string flat = std::regex_replace(text, std::regex("\t"), " ");
  for (std::sregex_iterator at(flat.begin(), flat.end(), form), end; at != end; ++at) {
    found.try_emplace((*at)[2], (*at)[3]);
  }
  return found;
}

/// The operands of the first instruction whose opcode begins so, each register by what it holds.
std::vector<std::string> operands(const std::string &text, const std::string &opcode) {
  std::map<std::string, std::string> known = sources(text);
  size_t at = text.find(opcode), end = text.find(';', at);
  if (at == std::string::npos) {
    ADD_FAILURE() << "no `" << opcode << "` in\n" << text;
    return {};
  }
  std::string rest = text.substr(at, end - at);
  rest = rest.substr(rest.find_first_of(" \t"));
  std::vector<std::string> found;
  const std::regex word("-?[%0-9a-z_]+");
  for (std::sregex_iterator each(rest.begin(), rest.end(), word), none; each != none; ++each) {
    auto source = known.find(each->str());
    found.push_back(source == known.end() ? each->str() : source->second);
  }
  return found;
}

using Words = std::vector<std::string>;
// The kernel's floats, its number and its predicate, as parameters of the entry.
const char *number = "k_param_3", *first = "k_param_5", *second = "k_param_6";
} // namespace

TEST(RegisterOrder, Product) {
  std::string text = emitText(kernel(
      "%v = call <4 x i32> @tessera.i.x(<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <2 x i32> <i32 5, "
      "i32 6>, <4 x i32> <i32 11, i32 12, i32 13, i32 14>, i1 true)\n"
      "store <4 x i32> %v, ptr addrspace(1) %g, align 16",
      "declare <4 x i32> @tessera.i.x(<4 x i32>, <2 x i32>, <4 x i32>, i1) #0\n"
      "attributes #0 = { convergent nounwind willreturn \"tessera.ptx\"=\"mma.x {c}, {a}, {b}, "
      "{c};\" \"tessera.operands\"=\"a:frag:in:8:bf16,b:frag:in:4:bf16,c:frag:inout:4:f32\" "
      "\"tessera.scope\"=\"warp\" }"));
  EXPECT_EQ(operands(text, "mma.x"),
            (Words{"11", "12", "13", "14", "1", "2", "3", "4", "5", "6", "11", "12", "13", "14"}));
}

TEST(RegisterOrder, GuardedVector) {
  std::string text = emitText(
      kernel("call void @tessera.st.global.v4i32(ptr addrspace(1) %g, i64 16, <4 x i32> <i32 1, "
             "i32 2, i32 3, i32 4>, i1 %p)",
             "declare void @tessera.st.global.v4i32(ptr addrspace(1), i64, <4 x i32>, i1)"));
  Words words = operands(text, "st.global.v4");
  ASSERT_EQ(words.size(), 6u);
  EXPECT_EQ(Words(words.begin() + 2, words.end()), (Words{"1", "2", "3", "4"}));
}

/// The manual: `cvt.rn.f16x2.f32 d, a, b` puts a into the upper half.
TEST(RegisterOrder, Packs) {
  for (std::string form : {"bf16x2", "f16x2", "e4m3x2", "e5m2x2"}) {
    std::string type = form[0] == 'e' ? "i16" : "i32", name = "@tessera.pack.rn." + form;
    std::string text =
        emitText(kernel("%v = call " + type + " " + name + "(float %f, float %f2)\nstore " + type +
                            " %v, ptr addrspace(1) %g",
                        "declare " + type + " " + name + "(float, float)"));
    Words words = operands(text, form[0] == 'e' ? "cvt.rn.satfinite." + form : "cvt.rn." + form);
    ASSERT_EQ(words.size(), 3u) << text;
    EXPECT_EQ(words[1], second) << form; // the high one
    EXPECT_EQ(words[2], first) << form;
  }
}

TEST(RegisterOrder, CompareAndSwap) {
  std::string text = emitText(kernel(
      "%v = call i32 @tessera.atom.cas.u32.relaxed.gpu(ptr addrspace(1) %g, i32 7, i32 %i, i1 "
      "true)\nstore i32 %v, ptr addrspace(1) %g",
      "declare i32 @tessera.atom.cas.u32.relaxed.gpu(ptr addrspace(1), i32, i32, i1)"));
  Words words = operands(text, "atom.relaxed.gpu.global.cas");
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[2], "7"); // what is compared
  EXPECT_EQ(words[3], number);
}

TEST(RegisterOrder, Shuffles) {
  for (std::string form : {"bfly", "idx"}) {
    std::string text = emitText(kernel("%v = call i32 @tessera.shfl." + form +
                                           "(i32 %i, i32 5)\nstore i32 %v, ptr addrspace(1) %g",
                                       "declare i32 @tessera.shfl." + form + "(i32, i32)"));
    Words words = operands(text, "shfl.sync." + form);
    // The register, the lane, segments of the whole warp, all lanes.
    ASSERT_GE(words.size(), 5u) << text;
    EXPECT_EQ(Words(words.end() - 4, words.end()), (Words{number, "5", "31", "-1"}));
  }
}

TEST(RegisterOrder, NamedBarriers) {
  std::string text = emitText(kernel("call void @tessera.bar.named(i32 3, i32 64)",
                                     "declare void @tessera.bar.named(i32, i32)"));
  EXPECT_EQ(operands(text, "bar.sync"), (Words{"3", "64"}));
}

TEST(RegisterOrder, BytesOfACopy) {
  std::string text = emitText(kernel(
      "%q = getelementptr i8, ptr addrspace(3) @tessera.smem, i32 %i\n"
      "call void @tessera.i.x(ptr addrspace(3) %q, ptr addrspace(1) %c, i32 12, i1 true)",
      "declare void @tessera.i.x(ptr addrspace(3), ptr addrspace(1), i32, i1) #0\n"
      "attributes #0 = { nounwind \"tessera.ptx\"=\"cp.x [{dst}], [{src}], 16, "
      "{present_bytes(src)};\" \"tessera.operands\"=\"dst:smem:out:8:bf16,src:view:in:8:bf16\" "
      "\"tessera.scope\"=\"thread\" }"));
  Words words = operands(text, "cp.x");
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[2], "16");
  EXPECT_EQ(words[3], "12");
}
