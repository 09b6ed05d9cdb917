// Families of layouts against their definition, element by element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IRTesting.h"

using namespace tessera;
using namespace tessera::testing;

namespace {

/// Where the definition in words puts element (row, column).
using Place = std::function<int64_t(int64_t row, int64_t column)>;

void expectPlaces(OnIR &test, const Value &layout, llvm::ArrayRef<int64_t> shape,
                  const Place &place) {
  mlir::MLIRContext *context = test.host().getModule().getContext();
  auto type = tile::BufType::get(context, shape, mlir::BFloat16Type::get(context),
                                 tile::Storage::shared, 1, tile::ExecScope::cta, {});
  script::Signature none;
  schedule::HostCall call{none, Value(), {}, {}};
  schedule::PrimitiveContext primitive(test.host(), call);
  llvm::Expected<Layout> made = primitive.layout(layout, type);
  ASSERT_TRUE(static_cast<bool>(made)) << test.words(made.takeError());
  EXPECT_TRUE(isInjective(*made));
  for (int64_t row = 0; row < shape[0]; ++row) {
    for (int64_t column = 0; column < shape[1]; ++column) {
      ASSERT_EQ(made->evaluate({row, column}).front(), place(row, column))
          << layout.str() << " " << row << " " << column;
    }
  }
}

const char *const kKernel = "tile.kernel @k[%M \"M\"]() body {\n}\n";

} // namespace

TEST(LayoutWords, RowAndColumnMajor) {
  OnIR test(kKernel);
  expectPlaces(test, *test.host().resolveName("row_major"), {24, 40},
               [](int64_t row, int64_t column) { return row * 40 + column; });
  expectPlaces(test, *test.host().resolveName("col_major"), {24, 40},
               [](int64_t row, int64_t column) { return column * 24 + row; });
}

TEST(LayoutWords, Xor16) {
  OnIR test(kKernel);
  for (int64_t chunks : {1, 2, 4, 8}) {
    expectPlaces(test, test.look("xor16", {Value::integer(chunks)}), {32, 64},
                 [&](int64_t row, int64_t column) {
                   int64_t chunk = (column / 8) ^ (row % chunks);
                   return row * 64 + chunk * 8 + column % 8;
                 });
  }
}

TEST(LayoutWords, Xor16OfOtherRows) {
  OnIR test(kKernel);
  // Three panels of 64 elements to a row of 192.
  expectPlaces(test, test.look("xor16", {Value::integer(8)}), {16, 192},
               [&](int64_t row, int64_t column) {
                 int64_t panel = column / 64, inside = column % 64;
                 int64_t chunk = (inside / 8) ^ (row % 8);
                 return panel * 16 * 64 + row * 64 + chunk * 8 + inside % 8;
               });
}

TEST(LayoutWords, Panels) {
  OnIR test(kKernel);
  for (int64_t bytes : {128, 64, 32}) {
    int64_t width = bytes / 2, chunks = bytes / 16;
    expectPlaces(test, *test.host().resolveName("sw" + std::to_string(bytes)), {64, 2 * width},
                 [&](int64_t row, int64_t column) {
                   int64_t panel = column / width, inside = column % width;
                   int64_t chunk = (inside / 8) ^ (row / (8 / chunks) % chunks);
                   return panel * 64 * width + row * width + chunk * 8 + inside % 8;
                 });
  }
}

TEST(LayoutWords, Wrong) {
  OnIR test(kKernel);
  EXPECT_EQ(test.call("xor16", {Value::integer(3)}), "layout_fit: 3 chunks are no power of two");
  EXPECT_EQ(test.call("layout", {Value::string("(4")}).substr(0, 11), "layout_text");
}
