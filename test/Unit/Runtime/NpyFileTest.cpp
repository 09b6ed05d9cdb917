// .npy files without LLVM: there and back, codes of every dtype, damage.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/NpyFile.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

using namespace tessera::runtime;

namespace {
NpyArray sample(std::vector<int64_t> shape) {
  NpyArray array{"<f4", std::move(shape), {}};
  size_t count = 4;
  for (int64_t size : array.shape) {
    count *= size_t(size);
  }
  for (size_t i = 0; i < count; ++i) {
    array.data.push_back(uint8_t(i));
  }
  return array;
}

TEST(NpyFile, ThereAndBack) {
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{}, {3}, {2, 3}, {0}, {2, 0, 5}, {1, 1, 1, 2}}) {
    NpyArray array = sample(shape);
    std::string bytes = printNpy(array);
    EXPECT_EQ((bytes.size() - array.data.size()) % 64, 0u);
    Result<NpyArray> read = parseNpy(bytes, "f.npy");
    ASSERT_TRUE(bool(read)) << read.error().message();
    EXPECT_EQ(read->descr, "<f4");
    EXPECT_EQ(read->shape, shape);
    EXPECT_EQ(read->data, array.data);
  }
}

/// As numpy writes it, byte for byte.
TEST(NpyFile, Header) {
  std::string bytes = printNpy(sample({3}));
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(bytes.substr(10, 56), "{'descr': '<f4', 'fortran_order': False, 'shape': (3, ),");
  EXPECT_EQ(bytes[127], '\n');
}

TEST(NpyFile, LaterVersions) {
  std::string bytes = printNpy(sample({3}));
  bytes[6] = 2;
  bytes.insert(10, 2, '\0');
  EXPECT_EQ(parseNpy(bytes, "f.npy")->shape, std::vector<int64_t>{3});
}

std::string withHeader(const std::string &header, const std::string &data = std::string(64, 'x')) {
  return std::string("\x93NUMPY\x01\x00", 8) + char(header.size()) + '\0' + header + data;
}

TEST(NpyFile, Errors) {
  auto says = [](const std::string &header) {
    Result<NpyArray> read = parseNpy(withHeader(header), "f.npy");
    return read ? std::string("read") : read.error().message();
  };
  EXPECT_EQ(says("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"), "read");
  EXPECT_THAT(
      says("{'descr': '<f4', 'fortran_order': True, 'shape': (3,), }"),
      ::testing::HasSubstr("`f.npy` is in Fortran order; write it by numpy.ascontiguousarray"));
  EXPECT_THAT(says("{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }"),
              ::testing::HasSubstr("the code `>f4`; write little-endian"));
  EXPECT_THAT(says("{'descr': '<c16', 'fortran_order': False, 'shape': (3,), }"),
              ::testing::HasSubstr("<c16"));
  EXPECT_THAT(says("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }"),
              ::testing::HasSubstr("has records"));
  EXPECT_THAT(says("{'descr': '<f4', 'fortran_order': False, 'shape': (17,), }"),
              ::testing::HasSubstr("fewer elements"));
  EXPECT_THAT(says("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }"),
              ::testing::HasSubstr("fewer elements"));
  EXPECT_THAT(says("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }"),
              ::testing::HasSubstr("no list of sizes"));
  EXPECT_THAT(says("{'descr': '<f4', 'fortran_order': False, 'shape': 3, }"),
              ::testing::HasSubstr("has no shape"));
  EXPECT_THAT(says("{'descr': '<f4', 'shape': (3,), }"), ::testing::HasSubstr("has not the keys"));
  EXPECT_THAT(parseNpy("no", "f.npy").error().text, ::testing::HasSubstr("is no .npy file"));
  EXPECT_THAT(readNpy("/nowhere/f.npy").error().text, ::testing::HasSubstr("does not open"));
  EXPECT_TRUE(writeNpy("/nowhere/f.npy", sample({1})).has_value());
}

TEST(NpyFile, Codes) {
  const std::pair<const char *, const char *> rows[] = {
      {"bool", "|b1"}, {"i8", "|i1"},   {"i16", "<i2"},  {"i32", "<i4"},    {"i64", "<i8"},
      {"ui8", "|u1"},  {"ui16", "<u2"}, {"ui32", "<u4"}, {"ui64", "<u8"},   {"bf16", "<u2"},
      {"f16", "<f2"},  {"f32", "<f4"},  {"f64", "<f8"},  {"f8e4m3", "|u1"}, {"f8E5M2", "|u1"}};
  for (auto [dtype, code] : rows) {
    EXPECT_EQ(npyDescr(dtype), code);
    EXPECT_TRUE(npyHolds(code, dtype)) << dtype;
    EXPECT_FALSE(npyHolds("<c8", dtype));
  }
  EXPECT_TRUE(npyHolds("|V2", "bf16"));
  EXPECT_TRUE(npyHolds("<f1", "f8e4m3"));
  EXPECT_TRUE(npyHolds("<i1", "i8"));
  EXPECT_FALSE(npyHolds("<i2", "bf16"));
  EXPECT_FALSE(npyHolds("<u4", "i32"));
  EXPECT_EQ(npyDescr("f33"), "");
}

TEST(NpyFile, Damage) {
  std::mt19937 random(5);
  const std::string good = printNpy(sample({2, 3}));
  for (int run = 0; run < 20000; ++run) {
    std::string bytes = good;
    for (unsigned i = 0, n = 1 + random() % 3; i < n; ++i) {
      bytes[random() % 80] = char(random());
    }
    bytes.resize(random() % 4 == 0 ? random() % (bytes.size() + 1) : bytes.size());
    Result<NpyArray> read = parseNpy(bytes, "f.npy");
    EXPECT_TRUE(read || !read.error().text.empty());
  }
}
} // namespace
