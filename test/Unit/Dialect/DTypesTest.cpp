// Element types of the language and of the IR are one list; elements survive the way through attributes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Dialect/Tile/DTypes.h"

#include "DialectTesting.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;

namespace tessera {
namespace {

class DTypesTest : public DialectTest {};

TEST_F(DTypesTest, everyTypeGoesThereAndBack) {
  for (DType dtype : allDTypes) {
    Type type = typeOf(dtype, &context);
    EXPECT_EQ(dtypeOf(type), dtype);
    EXPECT_EQ(dtypeOf(RankedTensorType::get({4}, type)), dtype);
    EXPECT_EQ(dtypeOf(tile::ViewType::get(&context, {4}, type, tile::AccessMode::in)), dtype);
    std::string text;
    llvm::raw_string_ostream(text) << type;
    EXPECT_EQ(text, irName(dtype).str());
  }
}

TEST_F(DTypesTest, otherTypesAreNone) {
  for (const char *text :
       {"i4", "si32", "ui1", "index", "f80", "f8E4M3", "tensor<*xf32>", "!tile.span<4>", "none"}) {
    Type type = parseType(text, &context);
    ASSERT_TRUE(type) << text;
    EXPECT_FALSE(isElementType(type)) << text;
    EXPECT_FALSE(dtypeIfAny(type).has_value()) << text;
  }
  EXPECT_FALSE(isElementType(Type()));
}

TEST_F(DTypesTest, elementsKeepTheirBits) {
  for (DType dtype : allDTypes) {
    // All-ones is a NaN with a payload, or -1, or true.
    for (uint64_t pattern : {~uint64_t(0), uint64_t(0), uint64_t(0x8142241881422418)}) {
      uint64_t in =
          bitWidth(dtype) == 64 ? pattern : pattern & ((uint64_t(1) << bitWidth(dtype)) - 1);
      TypedAttr attribute = attributeOf(dtype, &in, &context);
      EXPECT_EQ(attribute.getType(), typeOf(dtype, &context));
      uint64_t out = 0;
      ASSERT_TRUE(elementOf(attribute, &out));
      EXPECT_EQ(out, in) << irName(dtype).str();
    }
  }
  uint64_t out = 0;
  EXPECT_FALSE(elementOf(StringAttr::get(&context, "x"), &out));
  EXPECT_FALSE(elementOf(Attribute(), &out));
}

TEST_F(DTypesTest, typesOfResults) {
  Builder b(&context);
  using tile::ReduceKind;
  auto unsignedType = [&](unsigned width) {
    return IntegerType::get(&context, width, IntegerType::Unsigned);
  };
  EXPECT_EQ(tile::reductionType(ReduceKind::sum, b.getF16Type()), b.getF32Type());
  EXPECT_EQ(tile::reductionType(ReduceKind::prod, b.getBF16Type()), b.getF32Type());
  EXPECT_EQ(tile::reductionType(ReduceKind::sum, b.getI8Type()), b.getI32Type());
  EXPECT_EQ(tile::reductionType(ReduceKind::sum, unsignedType(16)), unsignedType(32));
  EXPECT_EQ(tile::reductionType(ReduceKind::sum, b.getF64Type()), b.getF64Type());
  EXPECT_EQ(tile::reductionType(ReduceKind::max, b.getF16Type()), b.getF16Type());
  EXPECT_EQ(tile::reductionType(ReduceKind::count, b.getI1Type()), b.getI64Type());
  EXPECT_EQ(tile::bitsType(RankedTensorType::get({2}, b.getBF16Type())),
            RankedTensorType::get({2}, unsignedType(16)));
  EXPECT_TRUE(tile::isSignedInteger(b.getI8Type()));
  EXPECT_FALSE(tile::isSignedInteger(b.getI1Type()));
  EXPECT_FALSE(tile::isSignedInteger(unsignedType(8)));
  EXPECT_FALSE(tile::isSignedInteger(b.getF32Type()));
}

} // namespace
} // namespace tessera
