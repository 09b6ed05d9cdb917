//===- TileEnums.td - the words that ops are qualified with ---------------===//
//
// The cases of the modes that also exist in tessera/Numeric/Modes.h are in the same order; a static assertion in
// lib/Dialect/Tile/TileEnums.cpp holds the two together.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_TILE_ENUMS
#define TESSERA_TILE_ENUMS

include "TileDialect.td"
include "mlir/IR/EnumAttr.td"

class Tile_Enum<string className, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<className, text, cases> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}
class Tile_EnumAttr<Tile_Enum info, string attrMnemonic> : EnumAttr<Tile_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Tile_AccessMode : Tile_Enum<"AccessMode", "what a kernel may do with a view",
  [I32EnumAttrCase<"in", 0>, I32EnumAttrCase<"out", 1>, I32EnumAttrCase<"inout", 2>]>;

def Tile_MathMode : Tile_Enum<"MathMode", "freedom of float arithmetic in a kernel",
  [I32EnumAttrCase<"strict", 0>, I32EnumAttrCase<"contract", 1>, I32EnumAttrCase<"fast", 2>]>;
def Tile_MathModeAttr : Tile_EnumAttr<Tile_MathMode, "math">;

def Tile_Conflict : Tile_Enum<"Conflict", "what a store through an index tile does with duplicates",
  [I32EnumAttrCase<"error", 0>, I32EnumAttrCase<"last", 1>]>;
def Tile_ConflictAttr : Tile_EnumAttr<Tile_Conflict, "conflict">;

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "read-modify-write operation",
  [I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"max", 1>, I32EnumAttrCase<"min", 2>, I32EnumAttrCase<"and_", 3, "and">,
   I32EnumAttrCase<"or_", 4, "or">, I32EnumAttrCase<"xor_", 5, "xor">, I32EnumAttrCase<"xchg", 6>,
   I32EnumAttrCase<"cas", 7>]>;
def Tile_AtomicKindAttr : Tile_EnumAttr<Tile_AtomicKind, "atomic_kind">;
def Tile_MemoryOrder : Tile_Enum<"MemoryOrder", "memory order of an atomic",
  [I32EnumAttrCase<"relaxed", 0>, I32EnumAttrCase<"acquire", 1>, I32EnumAttrCase<"release", 2>,
   I32EnumAttrCase<"acq_rel", 3>]>;
def Tile_MemoryOrderAttr : Tile_EnumAttr<Tile_MemoryOrder, "memory_order">;
def Tile_Scope : Tile_Enum<"Scope", "who sees an atomic as one step",
  [I32EnumAttrCase<"block", 0>, I32EnumAttrCase<"cluster", 1>, I32EnumAttrCase<"gpu", 2>, I32EnumAttrCase<"sys", 3>]>;
def Tile_ScopeAttr : Tile_EnumAttr<Tile_Scope, "scope">;

def Tile_CmpPredicate : Tile_Enum<"CmpPredicate", "comparison",
  [I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>, I32EnumAttrCase<"lt", 2>, I32EnumAttrCase<"le", 3>,
   I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]>;
def Tile_CmpPredicateAttr : Tile_EnumAttr<Tile_CmpPredicate, "cmp_predicate">;

def Tile_Accuracy : Tile_Enum<"Accuracy", "which definition of a function is meant",
  [I32EnumAttrCase<"strict", 0>, I32EnumAttrCase<"fast", 1>]>;
def Tile_AccuracyAttr : Tile_EnumAttr<Tile_Accuracy, "accuracy">;

def Tile_Round : Tile_Enum<"Round", "rounding direction of a cast",
  [I32EnumAttrCase<"rne", 0>, I32EnumAttrCase<"rz", 1>, I32EnumAttrCase<"ru", 2>, I32EnumAttrCase<"rd", 3>,
   I32EnumAttrCase<"away", 4>]>;
def Tile_RoundAttr : Tile_EnumAttr<Tile_Round, "round">;
def Tile_Overflow : Tile_Enum<"Overflow", "what a cast makes of a value out of range",
  [I32EnumAttrCase<"inf", 0>, I32EnumAttrCase<"sat", 1>, I32EnumAttrCase<"nan", 2>, I32EnumAttrCase<"wrap", 3>]>;
def Tile_OverflowAttr : Tile_EnumAttr<Tile_Overflow, "overflow">;

def Tile_ReduceKind : Tile_Enum<"ReduceKind", "combining operation of a reduction",
  [I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"prod", 1>, I32EnumAttrCase<"max", 2>, I32EnumAttrCase<"min", 3>,
   I32EnumAttrCase<"max_num", 4>, I32EnumAttrCase<"min_num", 5>, I32EnumAttrCase<"absmax", 6>,
   I32EnumAttrCase<"any", 7>, I32EnumAttrCase<"all", 8>, I32EnumAttrCase<"and_", 9, "and">,
   I32EnumAttrCase<"or_", 10, "or">, I32EnumAttrCase<"xor_", 11, "xor">, I32EnumAttrCase<"count", 12>]>;
def Tile_ReduceKindAttr : Tile_EnumAttr<Tile_ReduceKind, "reduce_kind">;
def Tile_ReduceOrder : Tile_Enum<"ReduceOrder", "order in which a float sum or product is combined",
  [I32EnumAttrCase<"tree", 0>, I32EnumAttrCase<"any", 1>]>;
def Tile_ReduceOrderAttr : Tile_EnumAttr<Tile_ReduceOrder, "reduce_order">;

def Tile_MmaPrecision : Tile_Enum<"MmaPrecision", "how f32 operands of a matrix product are used",
  [I32EnumAttrCase<"ieee", 0>, I32EnumAttrCase<"tf32", 1>, I32EnumAttrCase<"tf32x3", 2>,
   I32EnumAttrCase<"bf16x3", 3>, I32EnumAttrCase<"bf16x6", 4>]>;
def Tile_MmaPrecisionAttr : Tile_EnumAttr<Tile_MmaPrecision, "mma_precision">;

def Tile_FoldKind : Tile_Enum<"FoldKind", "combining operation of a formula's fold",
  [I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"prod", 1>, I32EnumAttrCase<"max", 2>, I32EnumAttrCase<"min", 3>,
   I32EnumAttrCase<"count", 4>, I32EnumAttrCase<"any", 5>, I32EnumAttrCase<"all", 6>, I32EnumAttrCase<"first", 7>]>;
def Tile_FoldKindAttr : Tile_EnumAttr<Tile_FoldKind, "fold_kind">;

//===- words of scheduled kernels -----------------------------------------===//

def Tile_Place : Tile_Enum<"Place", "where the steps of a factor run",
  [I32EnumAttrCase<"grid", 0>, I32EnumAttrCase<"cluster", 1>, I32EnumAttrCase<"wg", 2>, I32EnumAttrCase<"warp", 3>,
   I32EnumAttrCase<"lane", 4>, I32EnumAttrCase<"reg", 5>, I32EnumAttrCase<"vec", 6>, I32EnumAttrCase<"seq", 7>,
   I32EnumAttrCase<"atom", 8>, I32EnumAttrCase<"open", 9>]>;
def Tile_PlaceAttr : Tile_EnumAttr<Tile_Place, "place">;

def Tile_ExecScope : Tile_Enum<"ExecScope", "a group of threads",
  [I32EnumAttrCase<"thread", 0>, I32EnumAttrCase<"warp", 1>, I32EnumAttrCase<"wg", 2>, I32EnumAttrCase<"cta", 3>,
   I32EnumAttrCase<"cluster", 4>]>;
def Tile_ExecScopeAttr : Tile_EnumAttr<Tile_ExecScope, "exec_scope">;

def Tile_Storage : Tile_Enum<"Storage", "memory that a schedule makes",
  [I32EnumAttrCase<"shared", 0>, I32EnumAttrCase<"workspace", 1>]>;

def Tile_Fill : Tile_Enum<"Fill", "what a copy leaves in the cells of absent elements",
  [I32EnumAttrCase<"zero", 0>, I32EnumAttrCase<"undef", 1>]>;
def Tile_FillAttr : Tile_EnumAttr<Tile_Fill, "fill">;

def Tile_Protocol : Tile_Enum<"Protocol", "how a ring tells that a slot is filled or free",
  [I32EnumAttrCase<"cta_sync", 0>, I32EnumAttrCase<"cp_async", 1>, I32EnumAttrCase<"mbarrier", 2>,
   I32EnumAttrCase<"bulk", 3>]>;
def Tile_ProtocolAttr : Tile_EnumAttr<Tile_Protocol, "protocol">;

def Tile_Proxy : Tile_Enum<"Proxy", "the way an access takes to memory",
  [I32EnumAttrCase<"generic", 0>, I32EnumAttrCase<"cp_async", 1>, I32EnumAttrCase<"tma", 2>,
   I32EnumAttrCase<"bulk", 3>, I32EnumAttrCase<"wgmma", 4>]>;
def Tile_ProxyAttr : Tile_EnumAttr<Tile_Proxy, "proxy">;

def Tile_OrderClass : Tile_Enum<"OrderClass", "order in which an instruction combines numbers",
  [I32EnumAttrCase<"exact", 0>, I32EnumAttrCase<"tree", 1>, I32EnumAttrCase<"any", 2>, I32EnumAttrCase<"dot", 3>,
   I32EnumAttrCase<"scan", 4>]>;
def Tile_OrderClassAttr : Tile_EnumAttr<Tile_OrderClass, "order_class">;

#endif // TESSERA_TILE_ENUMS
