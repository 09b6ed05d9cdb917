// What a target has: the numbers behind `target.smem`, `target.sms`, … in scripts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_SCHEDULE_TARGETRECORD_H
#define TESSERA_SCHEDULE_TARGETRECORD_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tessera::schedule {

struct TargetRecord {
  std::string arch;          ///< "sm_80"
  unsigned version = 0;      ///< 80, 90: instructions of smaller versions exist too
  char suffix = 0;           ///< 'a' in sm_90a: also what only this version has
  int64_t smem = 0;          ///< bytes of shared memory that one CTA may have
  int64_t sms = 0;           ///< multiprocessors of the usual device
  int64_t registers = 65536; ///< of a multiprocessor
  int64_t threads = 1024;    ///< most of a CTA
  int64_t cluster = 1;       ///< most CTAs of a cluster

  int64_t memoryRate =
      0; ///< bytes a nanosecond that the usual device's memory gives; 0 where it is not told here
  /// Operations a nanosecond (a multiplication and an addition are two) of products with operands of a type, dense;
  /// of others, with "f32" and "f64". 0 where it is not told here.
  double productRate(llvm::StringRef type) const;
  double otherRate(llvm::StringRef type) const;

  /// Whether an instruction declared `on arch` exists here.
  bool supports(llvm::StringRef arch) const;
  static std::optional<TargetRecord> named(llvm::StringRef arch);
  /// "sm_75, sm_80, …", for messages.
  static std::string known();
};

} // namespace tessera::schedule

#endif // TESSERA_SCHEDULE_TARGETRECORD_H
