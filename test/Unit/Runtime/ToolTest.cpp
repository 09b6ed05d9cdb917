// The program tile-device itself, over the fake driver: exit codes, batches, what it says without a driver.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuntimeTesting.h"

#include <cstdio>
#include <sys/wait.h>

using namespace tessera::runtime;
using namespace tessera::runtime::testing;
using ::testing::HasSubstr;

namespace {
class Tool : public WithFake {
protected:
  int code = -1;

  static std::string file(const std::string &name) {
    return ::testing::TempDir() + "tessera-tool-" + name;
  }

  void SetUp() override {
    WithFake::SetUp();
    EXPECT_FALSE(writeWholeFile(file("r.launch"), addition().text()).has_value());
    EXPECT_FALSE(writeWholeFile(file("m.ptx"), ".version 8.0").has_value());
  }

  /// Both outputs of a run; its exit code in `code`.
  std::string run(const std::string &options) {
    std::string folder = fakePath();
    folder.resize(folder.find("/../lib"));
    std::FILE *pipe = popen((folder + "/tile-device " + options + " 2>&1").c_str(), "r");
    std::string text;
    for (int c; (c = std::fgetc(pipe)) != EOF;) {
      text += char(c);
    }
    int status = pclose(pipe);
    code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return text;
  }
  std::string good() {
    return file("r.launch") + " " + file("m.ptx") + " --random a=8 --random b=8";
  }
};

TEST_F(Tool, OneCommand) {
  EXPECT_THAT(run(good()), HasSubstr("{\"kernel\": \"add\", \"version\": \"add_fast\""));
  EXPECT_EQ(code, 0);
  EXPECT_THAT(run(good() + " --out q=x"),
              HasSubstr("tile-device: error: kernel `add` has no argument `q`"));
  EXPECT_EQ(code, 1);
}

TEST_F(Tool, Usage) {
  EXPECT_THAT(run(""), HasSubstr("usage: tile-device"));
  EXPECT_EQ(code, 2);
  EXPECT_THAT(run("--help"), HasSubstr("usage: tile-device"));
  EXPECT_EQ(code, 0);
  EXPECT_THAT(run("--what"), HasSubstr("unknown option `--what`"));
  EXPECT_EQ(code, 2);
  EXPECT_THAT(run("--batch"), HasSubstr("--batch takes one file"));
  EXPECT_EQ(code, 2);
}

TEST_F(Tool, Batch) {
  std::string bad = good() + " --in q=1";
  EXPECT_FALSE(writeWholeFile(file("b"), "# two and a wrong one\n" + good() + " --label one\n\n" +
                                             bad + "\n" + good() + " --label two")
                   .has_value());
  std::string text = run("--batch " + file("b"));
  EXPECT_EQ(code, 1);
  EXPECT_THAT(text, HasSubstr("\"label\": \"one\""));
  EXPECT_THAT(text, HasSubstr("has no argument `q`"));
  EXPECT_THAT(text, HasSubstr("\"label\": \"two\""));
  EXPECT_THAT(text, HasSubstr("{\"commands\": 3, \"failed\": 1}"));
}

/// A command that cannot be read is found before the device is touched.
TEST_F(Tool, BatchesAreReadFirst) {
  EXPECT_FALSE(writeWholeFile(file("b"), good() + "\n\nr.launch\n").has_value());
  EXPECT_THAT(run("--batch " + file("b")), HasSubstr("b:3: expected two files"));
  EXPECT_EQ(code, 2);
}

/// After a fault nothing runs in the context any more: the rest is not tried.
TEST_F(Tool, BatchesEndAtAFault) {
  EXPECT_FALSE(
      writeWholeFile(file("b"), good() + "\n" + good() + "\n" + good() + "\n").has_value());
  fail("cuCtxSynchronize:700");
  std::string text = run("--batch " + file("b"));
  EXPECT_THAT(text, HasSubstr("the device takes no more work"));
  EXPECT_THAT(text, HasSubstr("{\"commands\": 3, \"failed\": 3}"));
  EXPECT_EQ(code, 1);
}

TEST_F(Tool, NoDriver) {
  setenv("TESSERA_LIBCUDA", "/nowhere/libcuda.so", 1);
  EXPECT_THAT(run(good()), HasSubstr("install NVIDIA's driver"));
  EXPECT_EQ(code, 1);
}
} // namespace
