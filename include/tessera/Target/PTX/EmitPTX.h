// From one thread's LLVM module with marker calls to PTX text. See tessera/Device/Markers.h for what a module consists of.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TARGET_PTX_EMITPTX_H
#define TESSERA_TARGET_PTX_EMITPTX_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace tessera::ptx {

enum class Arch : uint8_t { sm_80, sm_90a, sm_100a };

inline constexpr Arch allArchs[] = {Arch::sm_80, Arch::sm_90a, Arch::sm_100a};

/// `sm_90a`, as LLVM and ptxas spell it.
llvm::StringRef name(Arch arch);
/// Reads that spelling; nothing if it names none of them.
std::optional<Arch> parseArch(llvm::StringRef text);
/// The number in the name: 80, 90, 100.
unsigned capability(Arch arch);
/// The lowest version of PTX that knows the target, as 80 for 8.0: older drivers then take the text, too.
unsigned lowestVersion(Arch arch);

struct TargetOptions {
  Arch arch = Arch::sm_80;
  /// 0: the lowest version that knows the target.
  unsigned ptxVersion = 0;
  /// Lines of the source in the text, where the module has debug locations.
  bool lineInfo = true;
  /// An invalid module is an error that says where; without it, anything.
  bool verify = true;
  /// How many threads compile entries; 0: as many as the machine has. The text is the same.
  unsigned threads = 0;
  /// LLVM's code generator writes the text, also where this library can.
  bool byLLVM = false;
};

/// Milliseconds of the steps of one emission, added up over its threads.
struct EmitTimes {
  double expand = 0, optimize = 0, codegen = 0;
  /// Why LLVM's code generator wrote a part of the text, which takes longer; empty where it did not.
  std::string byLLVM;

  /// Adds another's times; the first reason stays.
  void add(const EmitTimes &other);
};

/// Replaces every marker call by intrinsics and inline assembly of the target, makes the functions with the attribute
/// `tessera.threads` kernels, and drops what only hosts need: bodies of declared instructions, texts of asserts. The error
/// names the marker and the source line; the module is then of no more use.
llvm::Error expandMarkers(llvm::Module &module, const TargetOptions &options);

/// expandMarkers, a short fixed list of passes, and the text: by this library or, where it has none, by LLVM's code generator.
/// Arithmetic stays as written: no product is fused into a sum but where the instruction has the flag `contract`, division and
/// square root round to nearest, denormals are kept. Entries are compiled side by side. The module is changed and then of no
/// more use. Not to be called by two threads at once: what the code generator says to the process is caught for the time of
/// the call.
llvm::Expected<std::string> emitPTX(llvm::Module &module, const TargetOptions &options,
                                    EmitTimes *times = nullptr);

} // namespace tessera::ptx

#endif // TESSERA_TARGET_PTX_EMITPTX_H
