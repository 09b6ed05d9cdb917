// Comparisons of the IR as terms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_COMPARISON_H
#define TESSERA_SCHEDULE_COMPARISON_H

#include "tessera/Dialect/Tile/TileEnums.h"
#include "tessera/Solver/Expr.h"

namespace tessera::schedule {

/// `a` compared with `b`, two integers.
inline solver::Expr compare(tile::CmpPredicate predicate, solver::Expr a, solver::Expr b) {
  switch (predicate) {
  case tile::CmpPredicate::eq:
    return solver::eq(a, b);
  case tile::CmpPredicate::ne:
    return solver::ne(a, b);
  case tile::CmpPredicate::lt:
    return a < b;
  case tile::CmpPredicate::le:
    return a <= b;
  case tile::CmpPredicate::gt:
    return a > b;
  case tile::CmpPredicate::ge:
    return a >= b;
  }
  return solver::Expr();
}

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_COMPARISON_H
