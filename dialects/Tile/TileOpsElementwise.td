//===- TileOpsElementwise.td - the elementwise family ---------------------===//
//
// One line for each row of ElementwiseTable.td, then the four elementwise ops that need an attribute or two types.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_OPS_ELEMENTWISE
#define TESSERA_TILE_OPS_ELEMENTWISE

include "TileOpsBase.td"
include "ElementwiseTable.td"

class DomainType<Domain d> {
  Type type = !cond(!eq(d.name, "Float") : Tile_AnyFloatArith, !eq(d.name, "Int") : Tile_AnyInt,
                    !eq(d.name, "Num") : Tile_AnyNum, true : Tile_AnyIntBool);
  string prose = type.summary;
}

/// A doctest for a row: `// given %a: tensor<8xf32>` and the op on it.
class ElementwiseExample<Elementwise row> {
  string type = !cond(!eq(row.domain.name, "Float") : "tensor<8xf32>", !eq(row.domain.name, "Num") : "tensor<8xf32>",
                      !eq(row.domain.name, "Int") : "tensor<8xi32>", true : "tensor<8xi1>");
  string given = !cond(!eq(row.arity, 1) : "%a: " # type, !eq(row.arity, 2) : "%a: " # type # ", %b: " # type,
                       true : "%a: " # type # ", %b: " # type # ", %c: " # type);
  string operands = !cond(!eq(row.arity, 1) : "%a", !eq(row.arity, 2) : "%a, %b", true : "%a, %b, %c");
  string text = "    ```mlir\n    // given " # given # "\n    %0 = tile." # row.mnemonic # " " # operands # " : " # type
                # "\n    ```";
}

class ElementwiseText<Elementwise row> {
  string text = [{
    }] # row.meaning # [{

    f16 and bf16 are computed in f32 and rounded once. Absence: the result takes the union of the operands' factors.

}] # ElementwiseExample<row>.text # [{

    Rules:

    C1. operands are }] # DomainType<row.domain>.prose # [{.
    C2. operands have one type; the result has it too, with i1 elements for a predicate.
  }];
}

defvar i1Like = "::tessera::tile::withElementType($_self, ::mlir::IntegerType::get($_self.getContext(), 1))";

/// Marks the ops of the table; the `ScalarOp` of an op is found by its mnemonic.
def Elementwise_Row : NativeOpTrait<"ElementwiseRow"> { let cppNamespace = "::tessera::tile"; }

class ElementwiseSame<Elementwise row> : Tile_PureOp<row.mnemonic,
    [SameOperandsAndResultType, Elementwise_Row] # !if(row.commutative, [Commutative], []<Trait>)> {
  let summary = row.summary;
  let description = ElementwiseText<row>.text;
  let results = (outs TileRes<DomainType<row.domain>.type, "result">:$result);
  let hasFolder = 1;
  let extraClassDefinition = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      return ::tessera::tile::foldElementwise(getOperation(), adaptor.getOperands());
    }
  }];
}


class UnaryOp<Elementwise row> : ElementwiseSame<row> {
  let arguments = (ins TileArg<DomainType<row.domain>.type, "operand">:$x);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}
class FunctionOp<Elementwise row> : ElementwiseSame<row> {
  let arguments = (ins TileArg<DomainType<row.domain>.type, "operand">:$x,
                       TileArg<DefaultValuedAttr<Tile_AccuracyAttr, "::tessera::tile::Accuracy::strict">,
                               "which definition is meant">:$accuracy);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}
class BinaryOp<Elementwise row> : ElementwiseSame<row> {
  let arguments = (ins TileArg<DomainType<row.domain>.type, "left operand">:$lhs,
                       TileArg<DomainType<row.domain>.type, "right operand">:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
class TernaryOp<Elementwise row> : ElementwiseSame<row> {
  let arguments = (ins TileArg<DomainType<row.domain>.type, "first operand">:$a,
                       TileArg<DomainType<row.domain>.type, "second operand">:$b,
                       TileArg<DomainType<row.domain>.type, "third operand">:$c);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($result)";
}
class PredicateOp<Elementwise row> : Tile_PureOp<row.mnemonic, [Elementwise_Row,
    TypesMatchWith<"the result has the operand's shape", "x", "result", i1Like>]> {
  let summary = row.summary;
  let description = ElementwiseText<row>.text;
  let arguments = (ins TileArg<DomainType<row.domain>.type, "operand">:$x);
  let results = (outs TileRes<Tile_AnyBool, "truth values">:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let hasFolder = 1;
  let extraClassDefinition = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      return ::tessera::tile::foldElementwise(getOperation(), adaptor.getOperands());
    }
  }];
}

def Tile_AbsOp : UnaryOp<EwAbs>;
def Tile_AddOp : BinaryOp<EwAdd>;
def Tile_AndOp : BinaryOp<EwAnd>;
def Tile_BrevOp : UnaryOp<EwBrev>;
def Tile_CeilOp : UnaryOp<EwCeil>;
def Tile_ClampOp : TernaryOp<EwClamp>;
def Tile_ClzOp : UnaryOp<EwClz>;
def Tile_CopySignOp : BinaryOp<EwCopySign>;
def Tile_CosOp : FunctionOp<EwCos>;
def Tile_CtzOp : UnaryOp<EwCtz>;
def Tile_DivOp : BinaryOp<EwDiv>;
def Tile_DivTruncOp : BinaryOp<EwDivTrunc>;
def Tile_ErfOp : FunctionOp<EwErf>;
def Tile_ErfcOp : FunctionOp<EwErfc>;
def Tile_Exp2Op : FunctionOp<EwExp2>;
def Tile_ExpOp : FunctionOp<EwExp>;
def Tile_Expm1Op : FunctionOp<EwExpm1>;
def Tile_FloorDivOp : BinaryOp<EwFloorDiv>;
def Tile_FloorOp : UnaryOp<EwFloor>;
def Tile_FmaOp : TernaryOp<EwFma>;
def Tile_IsFiniteOp : PredicateOp<EwIsFinite>;
def Tile_IsInfOp : PredicateOp<EwIsInf>;
def Tile_IsNanOp : PredicateOp<EwIsNan>;
def Tile_Log1pOp : FunctionOp<EwLog1p>;
def Tile_Log2Op : FunctionOp<EwLog2>;
def Tile_LogOp : FunctionOp<EwLog>;
def Tile_MaxNumOp : BinaryOp<EwMaxNum>;
def Tile_MaxOp : BinaryOp<EwMax>;
def Tile_MinNumOp : BinaryOp<EwMinNum>;
def Tile_MinOp : BinaryOp<EwMin>;
def Tile_ModOp : BinaryOp<EwMod>;
def Tile_MulHiOp : BinaryOp<EwMulHi>;
def Tile_MulOp : BinaryOp<EwMul>;
def Tile_NegOp : UnaryOp<EwNeg>;
def Tile_NotOp : UnaryOp<EwNot>;
def Tile_OrOp : BinaryOp<EwOr>;
def Tile_PopcountOp : UnaryOp<EwPopcount>;
def Tile_PowOp : ElementwiseSame<EwPow> {
  let arguments = (ins TileArg<Tile_AnyFloatArith, "base">:$lhs, TileArg<Tile_AnyFloatArith, "exponent">:$rhs,
                       TileArg<DefaultValuedAttr<Tile_AccuracyAttr, "::tessera::tile::Accuracy::strict">,
                               "which definition is meant">:$accuracy);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def Tile_RcpOp : FunctionOp<EwRcp>;
def Tile_RemTruncOp : BinaryOp<EwRemTrunc>;
def Tile_RoundAwayOp : UnaryOp<EwRoundAway>;
def Tile_RoundEvenOp : UnaryOp<EwRoundEven>;
def Tile_RsqrtOp : FunctionOp<EwRsqrt>;
def Tile_ShlOp : BinaryOp<EwShl>;
def Tile_ShrOp : BinaryOp<EwShr>;
def Tile_SignOp : UnaryOp<EwSign>;
def Tile_SinOp : FunctionOp<EwSin>;
def Tile_SqrtOp : FunctionOp<EwSqrt>;
def Tile_SubOp : BinaryOp<EwSub>;
def Tile_TanOp : FunctionOp<EwTan>;
def Tile_TanhOp : FunctionOp<EwTanh>;
def Tile_TruncOp : UnaryOp<EwTrunc>;
def Tile_XorOp : BinaryOp<EwXor>;

//===----------------------------------------------------------------------===//
// BitsOp
//===----------------------------------------------------------------------===//

def Tile_BitsOp : Tile_PureOp<"bits", [
    TypesMatchWith<"the result is unsigned of the operand's width", "x", "result",
                   "::tessera::tile::bitsType($_self)">]> {
  let summary = "bit pattern of a float or integer as an unsigned integer";
  let description = [{
    NaN payloads are kept. Not defined in a number system other than the exact one.

    ```mlir
    // given %x: tensor<8xbf16>
    %0 = tile.bits %x : tensor<8xbf16>
    ```

    Rules:

    C1. the operand is a float (8-bit floats included) or an integer.
    C2. the result is the unsigned integer of the operand's width, same shape.
  }];
  let arguments = (ins TileArg<Tile_Of<AnyTypeOf<[Tile_AnyFloat, Tile_Int]>, "floats or integers">, "operand">:$x);
  let results = (outs TileRes<Tile_AnyInt, "bit patterns">:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// CastOp
//===----------------------------------------------------------------------===//

def Tile_CastOp : Tile_PureOp<"cast"> {
  let summary = "conversion to another element type";
  let description = [{
    Float to float: one rounding in direction `round` (default rne), straight from the source type. `overflow` says what
    becomes of a value out of range: `inf` (default where the target has infinities), `sat` the greatest finite
    magnitude, `nan`. NaN stays NaN. f8E4M3FN has no infinity.
    Float to integer: `round` is given (`rz` truncates); the result saturates, or wraps under `overflow = wrap`; NaN
    gives 0. Integer to float: one rounding. Integer to narrower integer, or to one of other signedness: `wrap` or
    `sat`. To i1: x != 0 (NaN is true). From i1: 0 or 1.

    ```mlir
    // given %x: tensor<8xf32>
    %0 = tile.cast %x {round = #tile.round<rne>, overflow = #tile.overflow<sat>} : tensor<8xf32> to tensor<8xf8E4M3FN>
    %1 = tile.cast %x {round = #tile.round<rz>} : tensor<8xf32> to tensor<8xi32>
    ```

    Rules:

    C1. operand and result have one shape.
    C2. `round` is given exactly when a float becomes an integer; it may be given when a float or integer becomes a float.
    C3. `overflow` is `sat` or `nan`, and given, when the result is f8E4M3FN; `sat` or `inf`, and given, when it is f8E5M2;
        `inf` or `sat` for wider floats.
    C4. `overflow` is `wrap` or `sat`, and given, when an integer becomes one that cannot hold all its values; for a
        float to an integer it may be `sat` or `wrap`.

    C3 and C4 do not bind a cast that holds every value of the operand, nor one from or to i1: there `overflow` changes
    nothing.
  }];
  let arguments = (ins TileArg<Tile_Any, "operand">:$x, TileArg<OptionalAttr<Tile_RoundAttr>, "direction">:$round,
                       TileArg<OptionalAttr<Tile_OverflowAttr>, "out of range">:$overflow);
  let results = (outs TileRes<Tile_Any, "converted">:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// CmpOp
//===----------------------------------------------------------------------===//

def Tile_CmpOp : Tile_PureOp<"cmp", [SameTypeOperands,
    TypesMatchWith<"the result has the operands' shape", "lhs", "result", i1Like>]> {
  let summary = "comparison of two elements";
  let description = [{
    IEEE comparison of floats: with a NaN, `ne` is true and all others are false; -0 equals +0. Integers by their
    signedness. i1 compares with false < true.

    ```mlir
    // given %a: tensor<8xf32>, %b: tensor<8xf32>
    %0 = tile.cmp lt, %a, %b : tensor<8xf32>
    ```

    Rules:

    C1. operands have one type.
  }];
  let arguments = (ins TileArg<Tile_CmpPredicateAttr, "comparison">:$predicate, TileArg<Tile_Any, "left">:$lhs,
                       TileArg<Tile_Any, "right">:$rhs);
  let results = (outs TileRes<Tile_AnyBool, "truth values">:$result);
  let assemblyFormat = "custom<Word>($predicate) `,` $lhs `,` $rhs attr-dict `:` type($lhs)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// FromBitsOp
//===----------------------------------------------------------------------===//

def Tile_FromBitsOp : Tile_PureOp<"from_bits"> {
  let summary = "float or integer with a given bit pattern";
  let description = [{
    The inverse of `tile.bits`. Not defined in a number system other than the exact one.

    ```mlir
    // given %u: tensor<8xui16>
    %0 = tile.from_bits %u : tensor<8xui16> to tensor<8xbf16>
    ```

    Rules:

    C1. operand and result have one shape and elements of one width.
    C2. the operand is an unsigned integer.
  }];
  let arguments = (ins TileArg<Tile_Of<Tile_UnsignedInt, "unsigned integers">, "bit patterns">:$x);
  let results = (outs TileRes<Tile_Of<AnyTypeOf<[Tile_AnyFloat, Tile_Int]>, "floats or integers">, "value">:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// SelectOp
//===----------------------------------------------------------------------===//

def Tile_SelectOp : Tile_PureOp<"select", [AllTypesMatch<["a", "b", "result"]>,
    TypesMatchWith<"the condition has the operands' shape", "result", "condition", i1Like>]> {
  let summary = "one of two elements by a truth value";
  let description = [{
    Both sides are evaluated. Absence is strict: an element is present iff the condition and both sides are.

    ```mlir
    // given %c: tensor<8xi1>, %a: tensor<8xf32>, %b: tensor<8xf32>
    %0 = tile.select %c, %a, %b : tensor<8xf32>
    ```

    Rules:

    C1. condition and operands have one shape; both operands have the result's type.
  }];
  let arguments = (ins TileArg<Tile_AnyBool, "condition">:$condition, TileArg<Tile_Any, "where true">:$a,
                       TileArg<Tile_Any, "where false">:$b);
  let results = (outs TileRes<Tile_Any, "chosen">:$result);
  let assemblyFormat = "$condition `,` $a `,` $b attr-dict `:` type($result)";
  let hasFolder = 1;
}

#endif // TESSERA_TILE_OPS_ELEMENTWISE
