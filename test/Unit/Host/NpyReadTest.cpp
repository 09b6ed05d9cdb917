// Arrays from .npy files: element types, orders, sizes, and files that are no files.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostTesting.h"

#include "tessera/Host/Npy.h"

#include <cstring>
#include <numeric>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace tessera;

namespace {
class NpyRead : public ::testing::Test {
protected:
  TemporaryFolder folder;

  llvm::Expected<HostArray> read(const std::string &bytes, DType dtype) {
    return readNpy(folder.write("f.npy", bytes), dtype);
  }

  std::string codeOf(const std::string &bytes, DType dtype) {
    return textOf(read(bytes, dtype)).substr(0, 5);
  }

  /// The message without the folder.
  std::string messageOf(const std::string &bytes, DType dtype) {
    std::string text = textOf(read(bytes, dtype));
    size_t place = text.find(folder.path("f.npy"));
    return place == std::string::npos ? text
                                      : text.replace(place, folder.path("f.npy").size(), "f.npy");
  }
};
} // namespace

TEST_F(NpyRead, StoredTypesOfElementTypes) {
  const std::pair<DType, std::vector<std::string>> fits[] = {
      {DType::i1, {"|b1"}},
      {DType::i8, {"|i1"}},
      {DType::i16, {"<i2"}},
      {DType::i32, {"<i4"}},
      {DType::i64, {"<i8"}},
      {DType::ui8, {"|u1"}},
      {DType::ui16, {"<u2"}},
      {DType::ui32, {"<u4"}},
      {DType::ui64, {"<u8"}},
      {DType::bf16, {"<u2", "|V2", "<V2"}},
      {DType::f16, {"<f2"}},
      {DType::f32, {"<f4"}},
      {DType::f64, {"<f8"}},
      {DType::f8E4M3FN, {"|u1", "|V1", "<V1", "<f1"}},
      {DType::f8E5M2, {"|u1", "|V1", "<V1", "<f1"}},
  };
  std::vector<std::string> all;
  for (const auto &[dtype, descrs] : fits) {
    all.insert(all.end(), descrs.begin(), descrs.end());
  }
  for (const auto &[dtype, descrs] : fits) {
    for (const std::string &descr : all) {
      std::string bytes = npyBytes(npyDict(descr, "(2,)"), std::string(2 * byteSize(dtype), '\1'));
      bool expected = llvm::is_contained(descrs, descr);
      EXPECT_EQ(codeOf(bytes, dtype), expected ? "" : "T0825")
          << descr << " as " << name(dtype).str();
    }
  }
}

TEST_F(NpyRead, OrdersAndVersions) {
  std::vector<int32_t> data(6);
  std::iota(data.begin(), data.end(), 10);
  std::string raw(reinterpret_cast<const char *>(data.data()), 24);
  for (int version : {1, 2, 3}) {
    HostArray c = must(read(npyBytes(npyDict("<i4", "(2, 3)"), raw, version), DType::i32));
    EXPECT_EQ(c.loadDouble({1, 0}), 13);
    EXPECT_EQ(c.strides(), llvm::ArrayRef<int64_t>({3, 1}));
    HostArray f = must(read(npyBytes(npyDict("<i4", "(2, 3)", true), raw, version), DType::i32));
    EXPECT_EQ(f.loadDouble({1, 0}), 11);
    EXPECT_EQ(f.strides(), llvm::ArrayRef<int64_t>({1, 2}));
  }
  EXPECT_EQ(must(read(npyBytes(npyDict("<f8", "()"), std::string(8, '\0')), DType::f64)).rank(),
            0u);
  EXPECT_EQ(must(read(npyBytes(npyDict("<f8", "(0, 3)"), ""), DType::f64)).numElements(), 0);
  int64_t large = int64_t(1) << 62;
  std::string absurd = "(" + std::to_string(large) + ", " + std::to_string(large) + ", 0)";
  EXPECT_EQ(must(read(npyBytes(npyDict("<f8", absurd), ""), DType::f64)).numElements(), 0);
}

TEST_F(NpyRead, DataAtOddPlacesIsAlignedForTheElements) {
  for (int spaces = 0; spaces < 8; ++spaces) {
    double value = 1.25;
    std::string raw(reinterpret_cast<const char *>(&value), 8);
    std::string dict = npyDict("<f8", "(1,)") + std::string(spaces, ' ');
    HostArray array = must(read(npyBytes(dict, raw), DType::f64));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data()) % 8, 0u);
    EXPECT_EQ(array.loadDouble({0}), 1.25);
  }
}

TEST_F(NpyRead, WritesStayInTheProcess) {
  std::string bytes = npyBytes(npyDict("|u1", "(3,)"), "abc");
  HostArray array = must(read(bytes, DType::ui8));
  *array.element({1}) = std::byte('X');
  EXPECT_EQ(slurp(folder.path("f.npy")), bytes);
}

TEST_F(NpyRead, SizesMustFitTheShape) {
  EXPECT_EQ(messageOf(npyBytes(npyDict("<f4", "(3, 4)"), std::string(47, 'x')), DType::f32),
            "T0820: `f.npy`: truncated: shape (3, 4) of `<f4` needs 48 data bytes, found 47 bytes; "
            "write the file again");
  EXPECT_EQ(messageOf(npyBytes(npyDict("<f4", "(3, 4)"), std::string(49, 'x')), DType::f32),
            "T0821: `f.npy`: shape (3, 4) of `<f4` needs 48 data bytes, found 49 bytes; one file "
            "holds one array, save "
            "further arrays to files of their own");
  EXPECT_EQ(codeOf(npyBytes(npyDict("<f4", "(0,)"), "x"), DType::f32), "T0821");
  EXPECT_EQ(codeOf(npyBytes(npyDict("<f4", "()"), ""), DType::f32), "T0820");
  EXPECT_EQ(
      messageOf(npyBytes(npyDict("<f8", "(4611686018427387904, 4611686018427387904)"), ""),
                DType::f64),
      "T0820: `f.npy`: truncated: shape (4611686018427387904, 4611686018427387904) of `<f8` needs "
      "10141204801825835211973625643008 data bytes, found 0 bytes; write the file again");
  std::string many = "(";
  for (int axis = 0; axis < 64; ++axis) {
    many += "9223372036854775807, ";
  }
  EXPECT_EQ(codeOf(npyBytes(npyDict("<f8", many + ")"), ""), DType::f64), "T0820");
}

TEST_F(NpyRead, ForeignTypesAreNamed) {
  std::string two(8, '\0');
  EXPECT_EQ(messageOf(npyBytes(npyDict(">f4", "(2,)"), two), DType::f32),
            "T0822: `f.npy`: elements `>f4` are big-endian, expected little-endian; convert with "
            "`a.astype(a.dtype.newbyteorder('<'))` before saving");
  for (const char *descr : {">i2", ">u8", ">c16", ">V2", ">U5", ">M8[ns]"}) {
    std::string expected = descr[3] == '[' || std::strlen(descr) > 4 ? "" : "T0822";
    std::string code = codeOf(npyBytes(npyDict(descr, "(2,)"), two), DType::bf16);
    EXPECT_TRUE(code == "T0822" || code == "T0826") << descr << code;
    EXPECT_TRUE(expected.empty() || code == expected) << descr << code;
  }
  EXPECT_EQ(messageOf(npyBytes(npyDict("|O", "(2,)"), two), DType::f16),
            "T0823: `f.npy`: elements `|O` are Python objects (pickled), expected f16 (`<f2`); "
            "convert to a numeric dtype "
            "before saving");
  EXPECT_EQ(
      messageOf(npyBytes("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", two),
                DType::f32),
      "T0824: `f.npy`: elements are structured records, expected f32 (`<f4`); save one field, "
      "`numpy.save(…, "
      "a['field'])`");
  EXPECT_EQ(codeOf(npyBytes("{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1,)}", two),
                   DType::f32),
            "T0824");
  EXPECT_EQ(messageOf(npyBytes(npyDict("<f4", "(2,)"), two), DType::bf16),
            "T0825: `f.npy`: elements are `<f4`, the argument is bf16, stored as `<u2`, `|V2` or "
            "`<V2`; convert with "
            "`a.astype(ml_dtypes.bfloat16)` before saving");
  EXPECT_EQ(messageOf(npyBytes(npyDict("<c8", "(1,)"), two), DType::f8E5M2),
            "T0826: `f.npy`: elements `<c8` are of a kind no argument has, expected f8e5m2 (`|u1`, "
            "`|V1`, `<V1` or "
            "`<f1`); convert with `a.astype(ml_dtypes.float8_e5m2)` before saving");
  for (const char *descr :
       {"<U1", "<M8[ns]", "=f4", "f4", "|f4", "|i4", "<b1", "<", "?", "<f16", "|S8"}) {
    EXPECT_EQ(codeOf(npyBytes(npyDict(descr, "(2,)"), two), DType::f32), "T0826") << descr;
  }
}

TEST_F(NpyRead, BoolsAreZeroOrOne) {
  EXPECT_EQ(codeOf(npyBytes(npyDict("|b1", "(3,)"), std::string("\0\1\1", 3)), DType::i1), "");
  EXPECT_EQ(messageOf(npyBytes(npyDict("|b1", "(3,)"), std::string("\0\1\2", 3)), DType::i1),
            "T0827: `f.npy`: element 2 of a bool array is the byte 2, expected 0 or 1; convert "
            "with `a.astype(bool)`");
}

TEST_F(NpyRead, ThingsThatAreNoRegularFiles) {
  EXPECT_EQ(textOf(readNpy(folder.path("none.npy"), DType::f32)).substr(0, 5), "T0801");
  EXPECT_EQ(textOf(readNpy(folder.path(""), DType::f32)).substr(0, 5), "T0802");
  EXPECT_NE(textOf(readNpy("/dev/null", DType::f32)).find("found a device"), std::string::npos);
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_NE(textOf(readNpy(folder.path("pipe"), DType::f32)).find("found a pipe"),
            std::string::npos);
  EXPECT_EQ(codeOf("", DType::f32), "T0806");
}

TEST_F(NpyRead, RandomDamageNeverCrashes) {
  std::mt19937 random(5);
  const std::string good = npyBytes(npyDict("<f4", "(3, 4)"), std::string(48, 'x'));
  for (unsigned round = 0; round < 400; ++round) {
    std::string bytes = good;
    for (unsigned change = 0; change < 1 + random() % 3; ++change) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    bytes.resize(bytes.size() - (random() % 4 == 0 ? random() % 8 : 0));
    llvm::Expected<HostArray> array = read(bytes, DType::f32);
    if (array) {
      double sum = 0;
      array->layout().forEach(
          [&](llvm::ArrayRef<int64_t> index, int64_t) { sum += array->loadDouble(index); });
      EXPECT_EQ(array->numElements(), 12) << sum;
    } else {
      EXPECT_EQ(llvm::toString(array.takeError()).substr(0, 3), "T08");
    }
  }
}
