// Keeps cursors and terms in step with the IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_SCHEDULE_IR_LISTENER_H
#define TESSERA_LIB_SCHEDULE_IR_LISTENER_H

#include "tessera/Schedule/ScheduleHost.h"

namespace tessera::schedule {

class ScheduleHost::Listener : public mlir::RewriterBase::Listener {
public:
  explicit Listener(ScheduleHost &host) : host(host) {}

  void notifyOperationErased(mlir::Operation *op) override {
    host.table.erased(op);
    host.symbols.erased(op);
  }
  void notifyOperationModified(mlir::Operation *) override { host.symbols.changed(); }
  void notifyOperationReplaced(mlir::Operation *, mlir::ValueRange) override {
    host.symbols.changed();
  }

private:
  ScheduleHost &host;
};

} // namespace tessera::schedule

#endif // TESSERA_LIB_SCHEDULE_IR_LISTENER_H
