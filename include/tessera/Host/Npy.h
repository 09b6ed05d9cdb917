// Reading and writing `.npy` files, format versions 1.0, 2.0 and 3.0, little-endian. Types that numpy lacks travel as
// bits: which element type is meant follows from the kernel's parameter, not from the file. Source of the format: the
// documentation of `numpy.lib.format`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_HOST_NPY_H
#define TESSERA_HOST_NPY_H

#include "tessera/Host/HostArray.h"

#include <string>

namespace tessera {

struct NpyHeader {
  /// 1, 2 or 3.
  unsigned version = 1;
  /// Element type as the file spells it, such as `<f4`; empty where `structured`.
  std::string descr;
  /// The element type is a list of fields or a sub-array.
  bool structured = false;
  bool fortranOrder = false;
  IndexVector shape;
  /// Where the data start in the file, in bytes.
  uint64_t dataOffset = 0;
};

/// Reads the header at the start of a file's bytes. `file` is for messages. Errors: T0806 to T0819.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef file);

/// Maps a file as an array of the expected element type; the shape is the file's, Fortran order becomes strides.
/// Writes to the array do not reach the file. Errors: T0801 to T0803, T0806 to T0827.
llvm::Expected<HostArray> readNpy(llvm::StringRef path, DType expected);

/// Writes the elements in C order as version 1.0. The file appears, or replaces an older one, only when complete.
/// Errors: T0804, T0805, T0819, T0828.
llvm::Error writeNpy(llvm::StringRef path, const HostArray &array);

/// How an element type is written, such as `<f4`; bf16 is `<u2`, fp8 is `|u1`.
llvm::StringRef npyDescr(DType dtype);

/// Whether a file with this descr holds elements of the type, bits for types that numpy lacks.
bool npyDescrFits(llvm::StringRef descr, DType dtype);

/// Everything npyDescrFits takes, for messages: `<u2`, `|V2` or `<V2`.
std::string npyDescrChoices(DType dtype);

} // namespace tessera

#endif // TESSERA_HOST_NPY_H
