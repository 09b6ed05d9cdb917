//===- Options.h - command line of tile-opt ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_LIB_PIPELINES_OPTIONS_H
#define TESSERA_LIB_PIPELINES_OPTIONS_H

#include "tessera/Frontend/Frontend.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::opt {

/// What stands on the command line besides the options of mlir-opt.
struct Options {
  std::string input = "-";
  std::string output = "-";
  std::string emit = "tile";
  std::string kernel; ///< empty: all of the file
  std::string target = "sm_80";
  std::string schedule = "default"; ///< of kernels that have none; `none` leaves them so
  std::string cache;                ///< file of verdicts kept between runs; empty: none
  Settings settings;
  bool verifyCode = false;
  unsigned threads = 0; ///< of the backend; 0: as many as the machine has
  bool byLLVM = false;  ///< LLVM's code generator writes PTX

  /// What is written comes after a schedule.
  bool isDevice() const { return emit != "tile" && emit != "source"; }
  bool isTile() const { return llvm::StringRef(input).ends_with(".tile"); }
};

/// Options of the language's own command line that are other names of mlir-opt's: `--time`, `--dump-after`,
/// `--dump-dir`.
std::vector<std::string> translateArguments(int argc, char **argv);

/// Reads the command line; those of mlir-opt must be registered. Nothing, with a message written, where it cannot be
/// followed.
std::optional<Options> parseOptions(const std::vector<std::string> &arguments,
                                    llvm::StringRef helpHeader);

/// Writes `error: <text>`, then the way out, and returns 2.
int usageError(const llvm::Twine &text, const llvm::Twine &help);

} // namespace tessera::opt

#endif // TESSERA_LIB_PIPELINES_OPTIONS_H
