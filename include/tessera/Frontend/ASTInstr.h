// The nodes of layouts, instructions and syncs: what schedules use. As for those of AST.h, no child that the comments call
// present is null after a parse without errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_FRONTEND_ASTINSTR_H
#define TESSERA_FRONTEND_ASTINSTR_H

#include "tessera/Frontend/AST.h"

namespace tessera::ast {

/// `name` or `name: int`, with `value` as its default (may be null).
struct LayoutParam {
  Ident name;
  ExprPtr value;
  SourceRange range;
};
/// `layout name(params) = value`. Layouts are written as expressions: LayoutLit, Name, Member, Call of an operation
/// (`compose(…)`, `swizzle(3, 3, 3)`) or of a layout; arguments are layouts or numbers.
struct LayoutDecl : NodeOf<Kind::LayoutDecl, Item> {
  Ident name;
  std::vector<LayoutParam> params;
  ExprPtr value;
};

enum class OperandKind : uint8_t { Frag, Smem, View, Scalar, Predicate };
enum class OperandMode : uint8_t { Unspecified, In, Out, InOut };
/// `kmajor(sw128, sw64)`; `all` for `kmajor(..)`.
struct LayoutFamily {
  Ident major;
  bool all = false;
  std::vector<Ident> layouts;
};
/// `name: mode kind<shape, element, layout> contiguous align n rows(n) in families`.
struct InstrOperand {
  Ident name;
  OperandMode mode = OperandMode::Unspecified;
  OperandKind kind = OperandKind::Scalar;
  ExprPtr shape;   ///< Frag, Smem, View
  TypePtr element; ///< null for Predicate
  ExprPtr layout;  ///< Frag
  bool contiguous = false;
  ExprPtr align;                      ///< bytes, may be null
  ExprPtr rows;                       ///< may be null
  std::vector<LayoutFamily> families; ///< Smem, may be empty
  SourceRange range;
};
enum class EffectKind : uint8_t { Read, Write, Update };
/// `write dst whole via cp_async`
struct InstrEffect {
  EffectKind effect = EffectKind::Read;
  std::vector<Ident> operands;
  bool whole = false;
  Ident via; ///< may be empty
  SourceRange range;
};
/// `address src at (lane % 16, 8 * (lane // 16))`; one coordinate is written without parentheses.
struct InstrAddress {
  Ident operand;
  std::vector<ExprPtr> coords;
  SourceRange range;
};
/// `instr name<generics>(operands) clauses { body }`. Clauses that were not written are empty or null.
struct Instr : NodeOf<Kind::Instr, Item> {
  Ident name;
  std::vector<GenericParam> generics;
  std::vector<InstrOperand> operands;
  Ident arch;
  Ident scope;
  bool converged = false;
  std::vector<ExprPtr> where;
  bool hasEffects = false;
  std::vector<InstrEffect> effects;
  Ident completes;   ///< what `completes …` names
  Ident completesOf; ///< in its parentheses
  Ident order;
  std::vector<InstrAddress> addresses;
  std::unique_ptr<StringLit> hook;
  std::unique_ptr<StringLit> ptx;
  std::unique_ptr<Block> body; ///< Let and Assign only, without a value
};

enum class SyncKind : uint8_t {
  Barrier,      ///< `barrier`
  Commit,       ///< `commit group of`
  Wait,         ///< `wait group(amount) of of`
  Publish,      ///< `publishes of -> to`
  MbarInit,     ///< `mbarrier init(object, amount)`
  MbarArrive,   ///< `mbarrier arrive(object)`
  MbarExpect,   ///< `mbarrier expect(object, amount)`: bytes
  MbarWait,     ///< `mbarrier wait(object, amount)`: parity
  Fence,        ///< `fence`
  RegistersUp,  ///< `setreg inc amount`
  RegistersDown ///< `setreg dec amount`
};
struct SyncStep {
  SyncKind step = SyncKind::Barrier;
  Ident of, to;
  Ident object;
  ExprPtr amount; ///< may be null
  SourceRange range;
};
enum class SyncParamKind : uint8_t { ConstInt, Mbarrier, Scalar };
/// `name: const int`, `name: mbarrier`, `name: i32`
struct SyncParam {
  Ident name;
  SyncParamKind kind = SyncParamKind::ConstInt;
  TypePtr type; ///< Scalar
  SourceRange range;
};
/// `sync name(params) on arch scope scope { steps }`
struct Sync : NodeOf<Kind::Sync, Item> {
  Ident name;
  std::vector<SyncParam> params;
  Ident arch;  ///< may be empty
  Ident scope; ///< may be empty
  std::vector<SyncStep> steps;
};

/// "frag", "read": the word as written.
const char *spelling(OperandKind kind);
const char *spelling(EffectKind kind);

} // namespace tessera::ast

#endif // TESSERA_FRONTEND_ASTINSTR_H
