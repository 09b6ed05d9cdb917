// Reading and writing .npy files where nothing of LLVM is linked: C order, little-endian, the types of the language.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNTIME_NPYFILE_H
#define TESSERA_RUNTIME_NPYFILE_H

#include "tessera/Runtime/Error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::runtime {

struct NpyArray {
  /// numpy's code, such as `<f4`.
  std::string descr;
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;
};

/// The bytes of a whole file; `file` is for messages.
Result<NpyArray> parseNpy(std::string_view bytes, const std::string &file);
Result<NpyArray> readNpy(const std::string &file);
std::string printNpy(const NpyArray &array);
Failure writeNpy(const std::string &file, const NpyArray &array);

/// Whether a file with this code holds elements of the dtype; bf16 is read from `<u2`, `|V2`, `<V2`, 8-bit floats from `|u1`,
/// `|V1`, `<V1`, `<f1`.
bool npyHolds(std::string_view descr, std::string_view dtype);
/// The code to write; nothing for an unknown dtype.
std::string npyDescr(std::string_view dtype);

/// A whole file; used for modules and records, too.
Result<std::string> readWholeFile(const std::string &file);
Failure writeWholeFile(const std::string &file, std::string_view bytes);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_NPYFILE_H
