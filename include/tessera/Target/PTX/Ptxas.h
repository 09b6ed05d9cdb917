// The assembler from PTX to machine code: finding it, running it as a child process, and what its log says.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TARGET_PTX_PTXAS_H
#define TESSERA_TARGET_PTX_PTXAS_H

#include "tessera/Target/PTX/EmitPTX.h"

#include <vector>

namespace tessera::ptx {

/// What one kernel takes, per thread (registers, bytes of stack and spills) and per CTA (barriers, static shared bytes).
struct KernelResources {
  std::string kernel;
  unsigned registers = 0;
  unsigned stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  unsigned barriers = 0, sharedBytes = 0;

  bool spills() const { return spillStoreBytes + spillLoadBytes > 0; }
};

/// A place in a source file; line 0 where none is known.
struct SourceLine {
  std::string file;
  unsigned line = 0, column = 0;

  /// `file:line:column`, or nothing.
  std::string text() const;
};

struct PtxasMessage {
  enum Severity : uint8_t { info, warning, error, fatal } severity = info;
  /// `C7510`, or nothing.
  std::string code;
  std::string text;
  /// Line of the PTX, or 0.
  unsigned ptxLine = 0;
  SourceLine source;

  /// A message that ptxas only notes, though the code does not do what was asked for: products that wait for one another,
  /// a request for registers that is ignored.
  bool breaksPromise() const;
};

struct PtxasLog {
  std::vector<KernelResources> kernels;
  /// All lines but those of resources and of progress.
  std::vector<PtxasMessage> messages;

  const KernelResources *kernel(llvm::StringRef name) const;
  /// `kernel K: 32 registers, 1 barriers, 0 bytes shared, no spills`, a line each.
  std::string report() const;
};

PtxasLog parsePtxasLog(llvm::StringRef text);

/// The source line of a line (from 1) of PTX: the last `.loc` at or before it in the same function.
SourceLine sourceOfPtxLine(llvm::StringRef ptx, unsigned line);

/// Where ptxas is: $TESSERA_PTXAS, the folders of $PATH, $CUDA_HOME/bin, /usr/local/cuda/bin. The error names what was
/// looked at and what to do.
llvm::Expected<std::string> findPtxas();

struct PtxasOptions {
  Arch arch = Arch::sm_80;
  /// Lines in the machine code, for profilers.
  bool lineInfo = true;
  /// Messages that break a promise are errors.
  bool strict = true;
  /// Empty: findPtxas().
  std::string program;
};

struct Assembled {
  /// The ELF file that a driver loads.
  std::string cubin;
  PtxasLog log;
  double milliseconds = 0;
};

/// Errors of ptxas carry the source line where the PTX has one.
llvm::Expected<Assembled> assemble(llvm::StringRef ptx, const PtxasOptions &options);

} // namespace tessera::ptx

#endif // TESSERA_TARGET_PTX_PTXAS_H
