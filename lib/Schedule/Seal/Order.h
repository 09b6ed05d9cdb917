//===- Order.h - whether events order two accesses ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_SCHEDULE_SEAL_ORDER_H
#define TESSERA_LIB_SCHEDULE_SEAL_ORDER_H

#include "Paths.h"

namespace tessera::sealing {

/// How far the events on a way bring an access towards being over for another one.
struct Progress {
  bool isCommitted = false; ///< of an asynchronous access: its group is closed
  bool isDone = false;      ///< its effect has happened, as its own threads know
  bool isFenced = false;    ///< asynchronous accesses see it, where they must
  bool isFencedLate = false;
  bool isTold = false;  ///< a barrier told the others
  int64_t commits = 0;  ///< groups committed after its own
  int64_t pending = -1; ///< groups that the last wait leaves
};

/// Kind of the groups that an access is waited for by; nothing for one that no group holds.
std::optional<tile::Proxy> groupOf(const Access &access);

/// Whether `second` takes to memory in a way that does not see what `first` wrote without a fence.
bool needsFence(const Access &first, const Access &second);

/// `scope`: the barrier that is needed.
Progress follow(const Access &first, const Events &events, bool fence, tile::ExecScope scope);

/// The scope of a barrier that orders all threads that may touch `memory`.
tile::ExecScope scopeOf(mlir::Value memory);

} // namespace tessera::sealing

#endif // TESSERA_LIB_SCHEDULE_SEAL_ORDER_H
