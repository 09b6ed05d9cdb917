//===- TileInterfaces.td - what every tile op can tell about itself -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_INTERFACES
#define TESSERA_TILE_INTERFACES

include "mlir/IR/OpBase.td"

def Tile_IterOpInterface : OpInterface<"TileIterOpInterface"> {
  let cppNamespace = "::tessera::tile";
  let description = [{
    An op as a set of points in a box of named dims. Splitting, staging, fusing, unifying with an instruction, effect
    windows and cost all read an op through these methods; an op without them cannot be scheduled.

    A *box* gives each dim an offset and a size. `getOperandBox` and `getResultBox` say which part of an operand or
    result the points of a box need or make; `cloneAt` builds the op restricted to a box from operands already cut to
    their boxes; an operand whose box is empty may be null. What is not a tile (scalars, views, spans) is never cut: its
    box has no range and it is passed as it is. Along a reduction a cut gives the partial result. Ops
    without a tile operand or result (scalars, views, spans) have no dims.

    The methods have one implementation for all ops, driven by a description of each op's dims and of how its operands
    and results lie in them (lib/Dialect/Tile/IterSpec.h).
  }];
  let methods = [
    InterfaceMethod<"named dims: name, extent, parallel or the class of the reduction",
      "::llvm::SmallVector<::tessera::tile::IterDim>", "getIterDims", (ins), [{}],
      [{ return ::tessera::tile::iterDims($_op.getOperation()); }]>,
    InterfaceMethod<"the part of operand `index` that the points of `box` read",
      "::tessera::tile::IterBox", "getOperandBox", (ins "unsigned":$index, "const ::tessera::tile::IterBox &":$box),
      [{}], [{ return ::tessera::tile::iterOperandBox($_op.getOperation(), index, box); }]>,
    InterfaceMethod<"the part of result `index` that the points of `box` make",
      "::tessera::tile::IterBox", "getResultBox", (ins "unsigned":$index, "const ::tessera::tile::IterBox &":$box),
      [{}], [{ return ::tessera::tile::iterResultBox($_op.getOperation(), index, box); }]>,
    InterfaceMethod<"the op restricted to `box`; null, with an error emitted at `loc`, where it cannot be cut there",
      "::mlir::Operation *", "cloneAt", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
                                         "::mlir::ValueRange":$operands, "const ::tessera::tile::IterBox &":$box),
      [{}], [{ return ::tessera::tile::iterCloneAt($_op.getOperation(), builder, loc, operands, box); }]>,
    InterfaceMethod<"what the op reads and writes in memory, per view axis",
      "::llvm::SmallVector<::tessera::tile::Window>", "getWindows", (ins), [{}],
      [{ return ::tessera::tile::iterWindows($_op.getOperation()); }]>,
  ];
}

#endif // TESSERA_TILE_INTERFACES
