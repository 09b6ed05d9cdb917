//===- TileTypes.td - views and spans -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_TYPES
#define TESSERA_TILE_TYPES

include "TileDialect.td"
include "TileEnums.td"
include "mlir/IR/AttrTypeBase.td"

class Tile_Type<string className, string typeMnemonic> : TypeDef<Tile_Dialect, className> {
  let mnemonic = typeMnemonic;
}

def Tile_ViewType : Tile_Type<"View", "view"> {
  let summary = "an array in memory that knows its bounds";
  let description = [{
    A base address, one extent and one stride per axis, an element type and what the kernel may do with it: read it
    (`in`), write it (`out`) or both (`inout`). Extents are static numbers or `?`; strides are never in the type.

    ```mlir
    !tile.view<?x128xbf16, in>
    ```

    Rules:

    C1. each static extent is at least 0.
    C2. the element type is one of the dialect's element types.
    C3. the rank is at least 1.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "extents; kDynamic is `?`">:$shape, "::mlir::Type":$elementType,
                        EnumParameter<Tile_AccessMode>:$mode);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    bool isReadOnly() const { return getMode() == AccessMode::in; }
    bool isWritable() const { return getMode() != AccessMode::in; }
  }];
}

def Tile_SpanType : Tile_Type<"Span", "span"> {
  let summary = "a range of an extent with a static width";
  let description = [{
    A pair (start, limit) with a static width W. Its stop is min(start + W, limit); position i of the span is the index
    start + i and is present iff start + i < stop.

    ```
    start          stop          start + W
      |■■■■■■■■■■■■■■|······absent····|        W = width
    ```

    ```mlir
    !tile.span<64>
    ```

    Rules:

    C1. the width is at least 1.
  }];
  let parameters = (ins "int64_t":$width);
  let assemblyFormat = "`<` $width `>`";
  let genVerifyDecl = 1;
}

/// What may index an axis of a view, besides `:`.
def Tile_Index : AnyTypeOf<[I64, Tile_SpanType, Tile_IntTile], "index: i64, span or integer tile">;

#endif // TESSERA_TILE_TYPES
