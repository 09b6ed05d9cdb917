// Quotients and rests by constants: the text is run on numbers near everything that could go wrong.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriterTesting.h"

#include <map>
#include <sstream>

using namespace tessera::ptx;
using namespace tessera::ptx::testing;

namespace {
/// The lines of a text that compute with registers of `bits` bits, read once and run on many numbers.
class Program {
public:
  Program(const std::string &text, unsigned bits) : bits(bits) {
    std::istringstream lines(text);
    const std::regex load("ld\\.param\\.b" + std::to_string(bits) +
                          "\\s+(%\\w+), \\[k_param_[23]\\];");
    const std::regex step("^\\s+([a-z.]+)\\.([sub])\\d+\\s+(%\\w+), ([^,]+), ([^,;]+);");
    const std::regex store("st\\.global\\.\\w+\\s+\\[%\\w+\\], (%\\w+);");
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      if (std::regex_search(line, match, load)) {
        parameter = match[1];
      } else if (std::regex_search(line, match, step)) {
        steps.push_back({match[1], match[2] == "s", match[3], match[4], match[5]});
      } else if (std::regex_search(line, match, store)) {
        stored = match[1];
      }
    }
  }

  uint64_t run(uint64_t given) const {
    std::map<std::string, uint64_t> registers = {{parameter, cut(given)}};
    auto value = [&](const std::string &operand) {
      return operand[0] == '%' ? registers.at(operand) : cut(uint64_t(std::stoll(operand)));
    };
    for (const Step &each : steps) {
      registers[each.to] = cut(apply(each, value(each.a), value(each.b)));
    }
    return registers.at(stored);
  }

private:
  struct Step {
    std::string name;
    bool isSigned;
    std::string to, a, b;
  };

  uint64_t cut(uint64_t number) const { return bits == 64 ? number : uint32_t(number); }
  int64_t sign(uint64_t number) const { return bits == 64 ? int64_t(number) : int32_t(number); }

  uint64_t apply(const Step &step, uint64_t a, uint64_t b) const {
    if (step.name == "mul.hi") {
      return step.isSigned ? uint64_t((__int128(sign(a)) * sign(b)) >> bits)
                           : uint64_t((unsigned __int128)(a)*b >> bits);
    }
    if (step.name == "shr") {
      return step.isSigned ? uint64_t(sign(a) >> b) : a >> b;
    }
    EXPECT_TRUE(step.name == "mul.lo" || step.name == "add" || step.name == "sub") << step.name;
    return step.name == "mul.lo" ? a * b : step.name == "add" ? a + b : a - b;
  }

  unsigned bits;
  std::string parameter, stored;
  std::vector<Step> steps;
};

template <typename Signed, typename Unsigned>
void check(unsigned bits, const std::vector<Signed> &divisors) {
  std::string type = "i" + std::to_string(bits), from = bits == 64 ? "%n" : "%i";
  for (Signed divisor : divisors) {
    std::vector<Unsigned> numbers = {0,
                                     1,
                                     2,
                                     Unsigned(-1),
                                     Unsigned(-2),
                                     Unsigned(1) << (bits - 1),
                                     (Unsigned(1) << (bits - 1)) - 1};
    for (Unsigned factor :
         {Unsigned(1), Unsigned(3), Unsigned(1000), Unsigned(Unsigned(-1) / Unsigned(divisor))}) {
      for (int near : {-1, 0, 1}) {
        numbers.push_back(Unsigned(divisor) * factor + Unsigned(near));
        numbers.push_back(Unsigned(0) - Unsigned(divisor) * factor + Unsigned(near));
      }
    }
    for (std::string op : {"udiv", "urem", "sdiv", "srem"}) {
      std::string text =
          writeText(plain("%v = " + op + " " + type + " " + from + ", " + std::to_string(divisor) +
                          "\nstore " + type + " %v, ptr addrspace(1) %g, align 16"));
      EXPECT_EQ(text.find("div."), std::string::npos) << text;
      EXPECT_EQ(text.find("rem."), std::string::npos) << text;
      const Program program(text, bits);
      for (Unsigned number : numbers) {
        if (op[0] == 's' && divisor == -1) {
          continue;
        }
        Signed a = Signed(number);
        Unsigned wanted = op == "udiv"   ? number / Unsigned(divisor)
                          : op == "urem" ? number % Unsigned(divisor)
                          : op == "sdiv" ? Unsigned(a / divisor)
                                         : Unsigned(a % divisor);
        ASSERT_EQ(Unsigned(program.run(number)), wanted)
            << op << " " << number << " by " << divisor << "\n"
            << text;
      }
    }
  }
}
} // namespace

TEST(WriteDivision, Words) {
  check<int32_t, uint32_t>(32, {2,       3,          5,   6,   7,   9,    10,    14,
                                25,      28,         100, 125, 641, 1000, 65535, 65537,
                                1000003, 2147483647, -2,  -3,  -7,  -10,  -641,  -2147483647});
}

TEST(WriteDivision, LongWords) {
  check<int64_t, uint64_t>(64, {2, 3, 5, 6, 7, 10, 28, 100, 641, 1000003, 4294967297,
                                9223372036854775807, -3, -7, -1000, -9223372036854775807});
}

/// What is known of the number spares steps, and near misses are divided as anything is.
TEST(WriteDivision, NumbersKnownToBeSmall) {
  std::string text = written("i32", "%s = lshr i32 %i, 1\n%v = udiv i32 %s, 7");
  EXPECT_TRUE(hasInOrder(
      text, {"mul\\.hi\\.u32 (%r\\d+), %r\\d+, -1840700269;", "shr\\.u32 %r\\d+, <1>, 2;"}));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("sub.")));
  EXPECT_TRUE(hasInOrder(written("i32", "%v = udiv i32 %i, 7"),
                         {"mul\\.hi\\.u32", "sub\\.s32", "shr\\.u32 .*, 1;", "add\\.s32"}));
  EXPECT_TRUE(hasInOrder(written("i32", "%v = sdiv i32 %i, -2147483648"), {"div\\.s32"}));
  EXPECT_TRUE(hasInOrder(written("i16", "%v = udiv i16 %h, 7"), {"div\\.u16"}));
  EXPECT_TRUE(hasInOrder(written("i32", "%v = udiv i32 7, %i"), {"div\\.u32 %r\\d+, 7,"}));
}

/// Divisions of 64 bits whose operands have 32 are those.
TEST(WriteDivision, LongDivisionsAskForShortOnes) {
  std::string text = emitText(kernel("%w = zext i32 %i to i64\n%m = add i64 %w, 1\n%q = sdiv i64 "
                                     "%n, %m\n%r = srem i64 %n, %m\n%s = add i64 %q, %r\n"
                                     "store i64 %s, ptr addrspace(1) %g, align 8"));
  EXPECT_TRUE(hasInOrder(text, {"or\\.b64", "@!?%p\\d+ bra", "div\\.u32|div\\.s64"}));
  EXPECT_THAT(text, ::testing::HasSubstr("div.s64"));
  EXPECT_THAT(text, ::testing::HasSubstr("div.u32"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("rem.")));
  EXPECT_TRUE(assembles(text, Arch::sm_90a));
}
