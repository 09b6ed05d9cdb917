// Commands of tile-device: words, scalars, made contents, and whole runs over the fake driver.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuntimeTesting.h"

#include <cmath>
#include <cstring>

using namespace tessera::runtime;
using namespace tessera::runtime::testing;
using ::testing::HasSubstr;

namespace {
TEST(Command, Words) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(splitWords("a  b\tc"), (Words{"a", "b", "c"}));
  EXPECT_EQ(splitWords("--label \"two words\" x\"y z\""), (Words{"--label", "two words", "xy z"}));
  EXPECT_EQ(splitWords("a # b"), (Words{"a"}));
  EXPECT_EQ(splitWords("a#b \"\""), (Words{"a#b", ""}));
  EXPECT_TRUE(splitWords("  # nothing").empty());
}

TEST(Command, Options) {
  Result<DeviceCommand> c = parseDeviceCommand(
      splitWords("r.launch m.ptx --in x=a.npy --in s=0.5 --out y=b.npy --random z=4x5 --shape w=7 "
                 "--time 30 --flush --seed 9 --label run"));
  ASSERT_TRUE(bool(c)) << c.error().message();
  EXPECT_EQ(c->record, "r.launch");
  EXPECT_EQ(c->module, "m.ptx");
  EXPECT_EQ(c->in.at("x"), "a.npy");
  EXPECT_EQ(c->in.at("s"), "0.5");
  EXPECT_EQ(c->out.at("y"), "b.npy");
  EXPECT_EQ(c->random.at("z"), (std::vector<int64_t>{4, 5}));
  EXPECT_EQ(c->shape.at("w"), std::vector<int64_t>{7});
  EXPECT_EQ(c->launches, 30u);
  EXPECT_EQ(c->seed, 9u);
  EXPECT_TRUE(c->flush);
  EXPECT_EQ(c->label, "run");
}

TEST(Command, WrongOptions) {
  const std::pair<const char *, const char *> rows[] = {{"a.launch", "expected two files"},
                                                        {"a b c", "expected two files"},
                                                        {"a b --fast", "unknown option `--fast`"},
                                                        {"a b --in", "`--in` needs a value"},
                                                        {"a b --in x", "NAME="},
                                                        {"a b --in =x", "NAME="},
                                                        {"a b --time many", "`many` is no number"},
                                                        {"a b --time -1", "`-1` is no number"},
                                                        {"a b --random x=4x", "`4x` is no shape"},
                                                        {"a b --random x=4y5", "`4y5` is no shape"},
                                                        {"a b --shape x=-4", "`-4` is no shape"}};
  for (auto [line, says] : rows) {
    Result<DeviceCommand> c = parseDeviceCommand(splitWords(line));
    ASSERT_FALSE(bool(c)) << line;
    EXPECT_THAT(c.error().message(), HasSubstr(says));
  }
}

uint64_t bitsOf(const char *text, const char *dtype) {
  Result<Argument> argument = scalarArgument(text, dtype);
  uint64_t bits = 0x7777777777777777;
  if (argument) {
    std::memcpy(&bits, argument->scalar.data(), 8);
  }
  return bits;
}

TEST(Command, Scalars) {
  EXPECT_EQ(bitsOf("0.125", "f32"), 0x3e000000u);
  EXPECT_EQ(bitsOf("-1", "f64"), 0xbff0000000000000u);
  EXPECT_EQ(bitsOf("1", "bf16"), 0x3f80u);
  EXPECT_EQ(bitsOf("1.00390625", "bf16"), 0x3f80u) << "a tie goes to the even one";
  EXPECT_EQ(bitsOf("1.01171875", "bf16"), 0x3f82u);
  EXPECT_EQ(bitsOf("1", "f16"), 0x3c00u);
  EXPECT_EQ(bitsOf("0", "f16"), 0u);
  EXPECT_EQ(bitsOf("-0.0", "f16"), 0x8000u);
  EXPECT_EQ(bitsOf("65504", "f16"), 0x7bffu);
  EXPECT_EQ(bitsOf("65519", "f16"), 0x7bffu);
  EXPECT_EQ(bitsOf("65520", "f16"), 0x7c00u);
  EXPECT_EQ(bitsOf("6e-8", "f16"), 1u);
  EXPECT_EQ(bitsOf("6.103515625e-05", "f16"), 0x400u);
  EXPECT_EQ(bitsOf("true", "bool"), 1u);
  EXPECT_EQ(bitsOf("-128", "i8"), 0xffffffffffffff80u);
  EXPECT_EQ(bitsOf("255", "ui8"), 255u);
  EXPECT_EQ(bitsOf("18446744073709551615", "ui64"), ~uint64_t(0));
  for (auto [text, dtype] : {std::pair("128", "i8"), std::pair("-1", "ui32"),
                             std::pair("2", "bool"), std::pair("x", "f32"), std::pair("", "f32"),
                             std::pair("1.5", "i32"), std::pair("9223372036854775808", "i64"),
                             std::pair("-1", "ui64"), std::pair("1", "f8e4m3")}) {
    EXPECT_FALSE(bool(scalarArgument(text, dtype))) << text << " " << dtype;
  }
}

TEST(Command, MadeContents) {
  std::vector<uint8_t> bytes = randomContents("f32", 10000, 1);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < 10000; ++i) {
    float x;
    std::memcpy(&x, bytes.data() + 4 * i, 4);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 10000, 0, 0.05);
  EXPECT_NEAR(squares / 10000, 1, 0.05);
  EXPECT_EQ(randomContents("f32", 100, 1), randomContents("f32", 100, 1));
  EXPECT_NE(randomContents("f32", 100, 1), randomContents("f32", 100, 2));
  EXPECT_EQ(randomContents("f64", 3, 1).size(), 24u);
  for (uint8_t x : randomContents("bool", 100, 1)) {
    EXPECT_LE(x, 1);
  }
  for (uint8_t x : randomContents("f8e4m3", 1000, 1)) {
    EXPECT_LE(x & 0x7f, 0x3f);
  }
}

class CommandRun : public WithFake {
protected:
  std::string file(const std::string &name) {
    return ::testing::TempDir() + "tessera-command-" + name;
  }

  void SetUp() override {
    WithFake::SetUp();
    EXPECT_FALSE(writeWholeFile(file("r.launch"), addition().text()).has_value());
    EXPECT_FALSE(writeWholeFile(file("m.ptx"), ".version 8.0").has_value());
    float values[6] = {1, 2, 3, 4, 5, 6};
    NpyArray array{"<f4", {6}, {}};
    array.data.resize(24);
    std::memcpy(array.data.data(), values, 24);
    EXPECT_FALSE(writeNpy(file("a.npy"), array).has_value());
  }

  /// The report, or the error.
  std::string run(const std::string &options) {
    Result<DeviceCommand> command =
        parseDeviceCommand(splitWords(file("r.launch") + " " + file("m.ptx") + " " + options));
    if (!command) {
      return command.error().message();
    }
    Result<Driver> driver = Driver::open();
    Result<Context> context = driver->context();
    Result<std::string> report = runDeviceCommand(*context, *command);
    return report ? *report : report.error().message();
  }
  std::string input() { return "--in a=" + file("a.npy") + " --in b=" + file("a.npy") + " "; }
};

TEST_F(CommandRun, WritesOutputs) {
  EXPECT_EQ(
      run(input() + "--out y=" + file("y.npy") + " --label x\"y"),
      "{\"kernel\": \"add\", \"version\": \"add_any\", \"device\": \"Fake \\u0022GPU\\u0022\", "
      "\"grid\": 1, \"threads\": 256, \"shared_bytes\": 65536, \"bytes\": 72, \"extents\": {\"N\": "
      "6}, \"label\": \"xy\"}");
  Result<NpyArray> y = readNpy(file("y.npy"));
  ASSERT_TRUE(bool(y));
  float sums[6];
  std::memcpy(sums, y->data.data(), 24);
  EXPECT_EQ(sums[5], 12.0f);
  EXPECT_EQ(y->shape, std::vector<int64_t>{6});
}

TEST_F(CommandRun, TimesLaunches) {
  EXPECT_THAT(
      run(input() + "--time 5 --flush"),
      HasSubstr(
          "\"launches\": 5, \"flushed\": true, \"median_us\": 250.0000, \"min_us\": 250.0000"));
  std::string made = calls();
  size_t launches = 0, flushes = 0;
  for (size_t at = 0; (at = made.find("cuLaunchKernel", at)) != std::string::npos;
       ++at, ++launches) {
  }
  for (size_t at = 0; (at = made.find("cuMemsetD8Async 268435456", at)) != std::string::npos;
       ++at, ++flushes) {
  }
  EXPECT_EQ(launches, 9u) << "one for the outputs, 3 to warm up, 5 that count";
  EXPECT_EQ(flushes, 8u);
}

TEST_F(CommandRun, MadeInputs) {
  EXPECT_THAT(run("--random a=1024 --random b=1024"), HasSubstr("\"version\": \"add_fast\""));
}

TEST_F(CommandRun, Errors) {
  EXPECT_THAT(run("--in a=" + file("a.npy")),
              HasSubstr("argument `b` is missing; give --in b=FILE.npy"));
  EXPECT_THAT(run(input() + "--in q=1"), HasSubstr("has no argument `q`"));
  EXPECT_THAT(run(input() + "--out a=" + file("y.npy")), HasSubstr("argument `a` is no output"));
  EXPECT_THAT(run("--random a=6 --random b=7"), HasSubstr("argument `b`, axis 0: has 7 elements"));
  EXPECT_THAT(run("--in a=/nowhere.npy --random b=7"), HasSubstr("`/nowhere.npy` does not open"));
  fail("cuCtxSynchronize:700");
  EXPECT_THAT(run(input()), HasSubstr("kernel `add`: work on Fake"));
  EXPECT_FALSE(writeWholeFile(file("r.launch"), "nonsense").has_value());
  EXPECT_THAT(run(input()), HasSubstr("r.launch`: launch record, line 1: is no launch record"));
}
} // namespace
