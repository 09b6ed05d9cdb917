// Written .npy files: exact bytes, every element type and order, and that a failed write leaves nothing behind.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostTesting.h"

#include "tessera/Host/Npy.h"

#include <csignal>
#include <cstring>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tessera;

namespace {
HostArray filled(DType dtype, llvm::ArrayRef<int64_t> shape, ArrayOrder order,
                 std::vector<std::byte> &source) {
  HostArray array = must(HostArray::allocate(dtype, shape, order));
  std::mt19937 random(3);
  source.resize(array.numElements() * array.elementBytes());
  for (std::byte &byte : source) {
    byte = std::byte(isBool(dtype) ? random() % 2 : random() % 256);
  }
  array.copyFrom(source.data());
  return array;
}
} // namespace

TEST(NpyWrite, TheBytesAreThoseOfTheFormat) {
  TemporaryFolder folder;
  HostArray array = must(HostArray::allocate(DType::bf16, {2, 1}, ArrayOrder::padded));
  uint16_t values[] = {0x3F80, 0xC000};
  array.copyFrom(values);
  ASSERT_EQ(textOf(writeNpy(folder.path("x.npy"), array)), "");
  std::string dict = "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 1), }";
  std::string header = dict + std::string(128 - 10 - dict.size() - 1, ' ') + "\n";
  EXPECT_EQ(slurp(folder.path("x.npy")), std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header +
                                             std::string("\x80\x3F\x00\xC0", 4));
  EXPECT_EQ(folder.countFiles(), 1u);
}

TEST(NpyWrite, ShapesOfAllRanks) {
  TemporaryFolder folder;
  const std::pair<IndexVector, std::string> shapes[] = {
      {{}, "()"}, {{5}, "(5,)"}, {{0}, "(0,)"}, {{2, 0, 3}, "(2, 0, 3)"}};
  for (const auto &[shape, text] : shapes) {
    ASSERT_EQ(textOf(writeNpy(folder.path("x.npy"), must(HostArray::allocate(DType::f32, shape)))),
              "");
    EXPECT_NE(slurp(folder.path("x.npy")).find("'shape': " + text + ", }"), std::string::npos);
    EXPECT_EQ(must(readNpy(folder.path("x.npy"), DType::f32)).shape(),
              llvm::ArrayRef<int64_t>(shape));
  }
  IndexVector many(65, 1);
  EXPECT_EQ(textOf(writeNpy(folder.path("y.npy"), must(HostArray::allocate(DType::f32, many))))
                .substr(0, 5),
            "T0819");
}

TEST(NpyWrite, RoundTripOfEveryTypeAndOrder) {
  TemporaryFolder folder;
  std::string path = folder.path("x.npy");
  for (DType dtype : allDTypes) {
    for (unsigned order = 0; order < numArrayOrders; ++order) {
      std::vector<std::byte> source, back;
      HostArray array = filled(dtype, {3, 5, 7}, static_cast<ArrayOrder>(order), source);
      ASSERT_EQ(textOf(writeNpy(path, array)), "");
      HostArray read = must(readNpy(path, dtype));
      back.resize(source.size());
      read.copyTo(back.data());
      EXPECT_EQ(back, source) << name(dtype).str() << " "
                              << arrayOrderName(static_cast<ArrayOrder>(order)).str();
      EXPECT_EQ(slurp(path).find("'descr': '" + npyDescr(dtype).str() + "'"), 11u);
    }
  }
}

TEST(NpyWrite, LargeArraysWithGapsAreGathered) {
  TemporaryFolder folder;
  std::vector<std::byte> source, back;
  HostArray array = filled(DType::f64, {700, 601}, ArrayOrder::col, source);
  ASSERT_EQ(textOf(writeNpy(folder.path("x.npy"), array)), "");
  back.resize(source.size());
  must(readNpy(folder.path("x.npy"), DType::f64)).copyTo(back.data());
  EXPECT_TRUE(back == source);
}

TEST(NpyWrite, ReplacesAnOlderFileAndFollowsLinks) {
  TemporaryFolder folder;
  folder.write("real.npy", "old");
  ASSERT_EQ(symlink("real.npy", folder.path("link.npy").c_str()), 0);
  HostArray array = must(HostArray::allocate(DType::i8, {3}));
  ASSERT_EQ(textOf(writeNpy(folder.path("link.npy"), array)), "");
  struct stat status;
  ASSERT_EQ(lstat(folder.path("link.npy").c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
  EXPECT_EQ(must(readNpy(folder.path("real.npy"), DType::i8)).numElements(), 3);
  EXPECT_EQ(folder.countFiles(), 2u);
}

TEST(NpyWrite, ReadingAndWritingTheSameFile) {
  TemporaryFolder folder;
  std::vector<std::byte> source, back;
  ASSERT_EQ(
      textOf(writeNpy(folder.path("x.npy"), filled(DType::f32, {50}, ArrayOrder::row, source))),
      "");
  HostArray mapped = must(readNpy(folder.path("x.npy"), DType::f32));
  ASSERT_EQ(textOf(writeNpy(folder.path("x.npy"), mapped)), "");
  back.resize(source.size());
  must(readNpy(folder.path("x.npy"), DType::f32)).copyTo(back.data());
  EXPECT_EQ(back, source);
}

TEST(NpyWrite, TargetsThatCannotBe) {
  TemporaryFolder folder;
  HostArray array = must(HostArray::allocate(DType::i8, {3}));
  EXPECT_EQ(textOf(writeNpy(folder.path("none/x.npy"), array)).substr(0, 5), "T0805");
  EXPECT_NE(textOf(writeNpy(folder.path(""), array)).find("is a folder, expected a regular file"),
            std::string::npos);
  EXPECT_NE(textOf(writeNpy("/dev/null", array)).find("is a device or pipe"), std::string::npos);
  EXPECT_EQ(folder.countFiles(), 0u);
}

TEST(NpyWrite, AFailedWriteLeavesNothing) {
  TemporaryFolder folder;
  folder.write("x.npy", "old");
  HostArray array = must(HostArray::allocate(DType::f64, {100000}));
  // In a child process, which may write files of 64 KiB only.
  pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{1 << 16, 1 << 16};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string text = textOf(writeNpy(folder.path("x.npy"), array));
    _exit(text.substr(0, 5) == "T0804" && text.find("File too large") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(slurp(folder.path("x.npy")), "old");
  EXPECT_EQ(folder.countFiles(), 1u);
}
