// One run of a compiled kernel from files: what `tile-device` does for one command line.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNTIME_DEVICECOMMAND_H
#define TESSERA_RUNTIME_DEVICECOMMAND_H

#include "tessera/Runtime/Driver.h"
#include "tessera/Runtime/NpyFile.h"

#include <map>

namespace tessera::runtime {

struct DeviceCommand {
  std::string record, module;
  /// NAME=FILE.npy, or NAME=NUMBER for scalars.
  std::map<std::string, std::string> in, out;
  /// NAME=4x5: contents from a generator, normal for floats; of outputs the shape where no input gives it.
  std::map<std::string, std::vector<int64_t>> random, shape;
  /// Launches that are timed; before each the L2 cache is overwritten where `flush`.
  unsigned launches = 0;
  bool flush = false;
  uint64_t seed = 1;
  /// Goes into the report as it is.
  std::string label;
};

/// `RECORD.launch MODULE --in NAME=FILE --out NAME=FILE --random NAME=SHAPE --shape NAME=SHAPE --time N --flush --seed S
/// --label TEXT`.
Result<DeviceCommand> parseDeviceCommand(const std::vector<std::string> &words);

/// The words of a line of a batch file: split at blanks, quotes hold together; empty for blank lines and `#` comments.
std::vector<std::string> splitWords(std::string_view line);

/// A scalar's bytes from a number as text; f16 and bf16 are rounded once from f32.
Result<Argument> scalarArgument(std::string_view text, const std::string &dtype);

/// Elements of a dtype: floats about normal (mean 0, deviation 1), integers from -8 to 7 or 0 to 15, bool 0 or 1. The same
/// seed gives the same contents.
std::vector<uint8_t> randomContents(const std::string &dtype, size_t elements, uint64_t seed);

/// Runs it and writes the outputs, as the first launch leaves them; gives one line of JSON.
Result<std::string> runDeviceCommand(const Context &context, const DeviceCommand &command);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_DEVICECOMMAND_H
