//===- TileDialect.td - the tile dialect and its vocabulary ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_DIALECT
#define TESSERA_TILE_DIALECT

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tessera::tile";
  let summary = "tile programs: arrays, tiles, views, spans and absence";
  let description = [{
    The dialect of levels L0 (arrays and kernels) and L1 (scheduled kernels) of Tessera.

    ```
    .tile text ──frontend──► tile (arrays: reference, tolerance)
                             tile (kernels: where, body)  ──schedule──► tile L1 ──► wg ──► llvm/nvvm
    ```

    A *tile* is a ranked tensor of static extents, a *scalar* is the element type itself, an *array* is a tensor with
    `?` extents and lives only in `reference` and `tolerance` regions. Signless integers are signed, `ui` integers are
    unsigned, `i1` is the truth value.

    Elements of a tile may be *absent*. Absence is not in the type: at run time a value carries *factors*, each a
    predicate over a set of axes, and an element is present iff all of them hold. A load by a span adds a factor over
    its axis, `tile.keep_if` adds one over the axes of its condition. Every op below states what it does with factors;
    where nothing is said, the result takes the union of its operands' factors.

    Every op has one meaning. There are two outcomes: a defined value, or a *checked error*, which the interpreter and
    the simulator report at the op's source line. An op without memory effects whose results nobody uses may be removed
    together with the checked error it would have reported; it is never moved to where it did not run before.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
}

//===- element types, scalars, tiles, arrays ------------------------------===//

def Tile_SignedInt   : AnyTypeOf<[I8, I16, I32, I64], "signed integer">;
def Tile_UnsignedInt : AnyTypeOf<[UI8, UI16, UI32, UI64], "unsigned integer">;
def Tile_Int         : AnyTypeOf<[I8, I16, I32, I64, UI8, UI16, UI32, UI64], "integer">;
def Tile_Float       : AnyTypeOf<[BF16, F16, F32, F64], "float with arithmetic">;
def Tile_Fp8         : AnyTypeOf<[F8E4M3FN, F8E5M2], "8-bit float">;
def Tile_Num         : AnyTypeOf<[I8, I16, I32, I64, UI8, UI16, UI32, UI64, BF16, F16, F32, F64], "number">;
def Tile_IntBool     : AnyTypeOf<[I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64], "integer or truth value">;
def Tile_AnyFloat    : AnyTypeOf<[BF16, F16, F32, F64, F8E4M3FN, F8E5M2], "float">;
def Tile_Element     : AnyTypeOf<[I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64, BF16, F16, F32, F64, F8E4M3FN, F8E5M2],
                                 "element type">;

/// A tile: 1 to 64 axes, every extent static and at least 1, at most 2^40 elements (isTileShape).
class Tile_TileOf<Type element, string what>
  : ConfinedType<StaticShapeTensorOf<[element]>,
                 [CPred<"::tessera::tile::isTileShape(::llvm::cast<::mlir::RankedTensorType>($_self).getShape())">],
                 "tile of " # what # ", 1 to 64 axes, extents at least 1, at most 2^40 elements",
                 "::mlir::RankedTensorType">;

/// A scalar or a tile of the given element types.
class Tile_Of<Type element, string what> : AnyTypeOf<[element, Tile_TileOf<element, what>],
                                                      "scalar or tile of " # what>;
def Tile_Any          : Tile_Of<Tile_Element, "any element type">;
def Tile_AnyNum       : Tile_Of<Tile_Num, "numbers">;
def Tile_AnyInt       : Tile_Of<Tile_Int, "integers">;
def Tile_AnyFloatArith: Tile_Of<Tile_Float, "floats with arithmetic">;
def Tile_AnyIntBool   : Tile_Of<Tile_IntBool, "integers or truth values">;
def Tile_AnyBool      : Tile_Of<I1, "truth values">;
def Tile_AnyFloats    : Tile_Of<Tile_AnyFloat, "floats">;

def Tile_Tile      : Tile_TileOf<Tile_Element, "any element type">;
def Tile_NumTile   : Tile_TileOf<Tile_Num, "numbers">;
def Tile_IntTile   : Tile_TileOf<Tile_Int, "integers">;
def Tile_BoolTile  : Tile_TileOf<I1, "truth values">;
def Tile_I64Tile   : Tile_TileOf<I64, "i64">;

/// A whole array of a formula: rank >= 1, every extent is `?`.
def Tile_Array
  : ConfinedType<RankedTensorOf<[Tile_Element]>,
                 [CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() > 0">,
                  CPred<"::llvm::all_of(::llvm::cast<::mlir::RankedTensorType>($_self).getShape(), "
                        "::mlir::ShapedType::isDynamic)">],
                 "array of a formula, every extent `?`", "::mlir::RankedTensorType">;

/// An operand, attribute or result with its sentence.
class TileArg<Constraint constraint, string text> : Arg<constraint, text>;
class TileRes<Constraint constraint, string text> : Res<constraint, text>;

#endif // TESSERA_TILE_DIALECT
