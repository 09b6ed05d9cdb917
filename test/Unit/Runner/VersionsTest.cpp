// The version of a kernel that a launch takes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunnerTest.h"

using namespace tessera;
using namespace tessera::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// A kernel of one version, which tells by what it writes that it ran.
std::string kernelText(const std::string &name, const std::string &value,
                       const std::string &attributes) {
  return "tile.kernel @" + name + R"([%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %k "k": i32, %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) )" +
         attributes + R"( body {
  %c0 = tile.constant 0 : i64
  %t = tile.constant )" +
         value + R"( : f32 tensor<4xf32>
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  }
}
)";
}

std::string version(const std::string &name, const std::string &value, const std::string &when) {
  return kernelText(name, value, "attributes {tile.version_of = @k, tile.when = [" + when + "]}");
}

class VersionsTest : public RunnerTest {
protected:
  /// Runs the kernels with an array of `n` elements and gives what is printed, then the first element that was written.
  std::string ran(const std::string &kernels, int64_t n, const std::string &k = "0",
                  const std::string &kernel = "") {
    std::vector<float> ones(n, 1);
    std::string x = array<float>("x.npy", DType::f32, {n}, ones);
    std::vector<std::string> words = {
        file("k.mlir", kernels), "--in", "x=" + x, "--in", "k=" + k, "--out", "y=" + path("y.npy")};
    if (!kernel.empty()) {
      words.push_back("--kernel=" + kernel);
    }
    Outcome outcome = run(words);
    if (outcome.status != 0) {
      return outcome.err;
    }
    return outcome.out + std::to_string(int(values<float>("y.npy", DType::f32).front()));
  }

  const std::string all = version("k.yes", "1.0", "\"(N % 4) == 0\"") +
                          version("k.yes.yes", "2.0", "\"(N % 4) == 0\", \"k == 7\"") +
                          kernelText("k", "3.0", "");
};

} // namespace

TEST_F(VersionsTest, TheMostConditionsThatHold) {
  EXPECT_EQ(ran(all, 8, "7"), "version @k.yes.yes: (N % 4) == 0, k == 7 holds\n2");
  EXPECT_EQ(ran(all, 8, "6"), "version @k.yes: (N % 4) == 0 holds\n1");
  EXPECT_EQ(ran(all, 6, "7"), "version @k: not @k.yes.yes: (N % 4) == 0 does not hold; not @k.yes: "
                              "(N % 4) == 0 does not hold\n3");
}

TEST_F(VersionsTest, WithoutVersionsNothingIsSaid) {
  EXPECT_EQ(ran(kernelText("k", "3.0", ""), 6), "3");
}

TEST_F(VersionsTest, RowsThatAreAligned) {
  std::string kernels =
      version("k.yes", "1.0", "\"aligned(x, 16) and aligned(y, 4)\"") + kernelText("k", "3.0", "");
  EXPECT_EQ(ran(kernels, 6), "version @k.yes: aligned(x, 16) and aligned(y, 4) holds\n1");
}

TEST_F(VersionsTest, AVersionByItsName) {
  EXPECT_EQ(ran(all, 8, "6", "k.yes"), "1");
  EXPECT_THAT(ran(all, 6, "6", "k.yes"),
              HasSubstr("error[T0958]: version `k.yes`: `(N % 4) == 0` does not hold"));
  EXPECT_THAT(ran(all, 6, "6", "k.no"), HasSubstr("error[T0935]"));
}

TEST_F(VersionsTest, AConditionWithoutMeaning) {
  std::string kernels = version("k.yes", "1.0", "\"M == 0\"") + kernelText("k", "3.0", "");
  EXPECT_THAT(ran(kernels, 8), HasSubstr("error[T0958]: version `k.yes`: `M == 0`: the launch has "
                                         "no number `M`"));
}
