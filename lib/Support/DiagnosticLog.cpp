// The log of emitted diagnostics.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Support/DiagnosticLog.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <utility>

void tessera::logDiagnosticCode(llvm::StringRef code) {
  const char *path = std::getenv("TESSERA_DIAG_LOG");
  if (!path || !*path) {
    return;
  }
  // Once per process is enough, and tests that provoke one error many times do not fill the disk.
  static std::mutex mutex;
  static std::set<std::pair<std::string, std::string>> logged;
  std::lock_guard<std::mutex> lock(mutex);
  if (!logged.emplace(path, code.str()).second) {
    return;
  }
  std::error_code error;
  llvm::raw_fd_ostream log(path, error, llvm::sys::fs::OF_Append);
  // The log is an aid for tests: that it cannot be written must not hide the error being reported.
  if (!error) {
    log << code << '\n';
    log.close();
  }
  log.clear_error();
}
