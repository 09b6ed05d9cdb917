// Values and generators of test blocks as plain data.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Check/TestValue.h"

#include "CheckTesting.h"

#include <cmath>
#include <limits>

using namespace tessera;

TEST(TestValue, PrintsAsWritten) {
  EXPECT_EQ(TestValue().str(), "missing");
  EXPECT_EQ(TestValue(MissingValue()).str(), "missing");
  EXPECT_EQ(TestValue(true).str(), "true");
  EXPECT_EQ(TestValue(-5).str(), "-5");
  EXPECT_EQ(TestValue("bf16").str(), "bf16");
  EXPECT_EQ(TestValue(DeferredValue{"R - 1", 3}).str(), "R - 1");
  EXPECT_EQ(TestValue(0.1).str(), "0.1");
  EXPECT_EQ(TestValue(10.0).str(), "10.0");
  EXPECT_EQ(TestValue(-0.0).str(), "-0.0");
  EXPECT_EQ(TestValue(1e30).str(), "1e+30");
  EXPECT_EQ(TestValue(std::nan("")).str(), "nan");
  EXPECT_EQ(TestValue(-std::numeric_limits<double>::infinity()).str(), "-inf");
  for (double value : {1.0 / 3, 0x1p-1074, 123456789.125, 0x1.fffffffffffffp1023}) {
    EXPECT_EQ(std::strtod(TestValue(value).str().c_str(), nullptr), value);
  }
}

TEST(TestValue, EqualityIsOfKindAndValue) {
  const TestValue values[] = {TestValue(),
                              TestValue(true),
                              TestValue(false),
                              TestValue(1),
                              TestValue(1.0),
                              TestValue("a"),
                              TestValue("b"),
                              TestValue(DeferredValue{"a", 0}),
                              TestValue(0.0),
                              TestValue(-0.0),
                              TestValue(0),
                              TestValue(DeferredValue{"a", 1}),
                              TestValue(std::nan(""))};
  for (size_t i = 0; i < std::size(values); ++i) {
    for (size_t j = 0; j < std::size(values); ++j) {
      EXPECT_EQ(values[i] == values[j], i == j) << values[i].str() << " " << values[j].str();
    }
  }
  EXPECT_EQ(TestValue(std::nan("")), TestValue(-std::nan("")));
}

TEST(Generator, NamesAndArguments) {
  EXPECT_EQ(must(Generator::get("normal")).str(), "normal");
  EXPECT_EQ(
      must(Generator::get("ints", {TestValue(-1), TestValue(DeferredValue{"R - 1", 0})})).str(),
      "ints(-1, R - 1)");
  EXPECT_TRUE(must(Generator::get("missing")).isMissing());
  EXPECT_EQ(textOf(Generator::get("gauss")),
            "T0840: unknown generator `gauss`, expected one of normal, zeros, denormal, huge, "
            "all(v), one(v), ints(lo, "
            "hi), full, cancel(m), missing");
  EXPECT_EQ(textOf(Generator::get("all")), "T0841: generator `all` takes 1 arguments, found 0");
  EXPECT_EQ(textOf(Generator::get("zeros", {TestValue(1)})).substr(0, 5), "T0841");
  EXPECT_EQ(must(Generator::get("one", {TestValue(2)})),
            must(Generator::get("one", {TestValue(2)})));
  EXPECT_FALSE(must(Generator::get("one", {TestValue(2)})) ==
               must(Generator::get("all", {TestValue(2)})));
}

TEST(Generator, DeferredArgumentsAreResolved) {
  Generator generator =
      must(Generator::get("ints", {TestValue(-1), TestValue(DeferredValue{"R - 1", 9})}));
  Generator resolved =
      must(generator.resolve([](const DeferredValue &value) -> llvm::Expected<TestValue> {
        EXPECT_EQ(value.id, 9u);
        return TestValue(6);
      }));
  EXPECT_EQ(resolved.str(), "ints(-1, 6)");
  auto refuse = [](const DeferredValue &) -> llvm::Expected<TestValue> {
    return llvm::createStringError("no");
  };
  EXPECT_EQ(textOf(generator.resolve(refuse)), "no");
}
