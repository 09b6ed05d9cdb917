// Reading integers of any type: they are held natively in every number system.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_OPS_INTEGERS_H
#define TESSERA_LIB_INTERPRETER_OPS_INTEGERS_H

#include "../View.h"

#include "tessera/Numeric/DType.h"

#include <cstddef>

namespace tessera::interp {

/// Element `i` of integers of type `dtype`; wide enough for ui64.
inline Wide integerAt(DType dtype, const std::byte *data, int64_t i) {
  switch (dtype) {
  case DType::i8:
    return reinterpret_cast<const int8_t *>(data)[i];
  case DType::i16:
    return reinterpret_cast<const int16_t *>(data)[i];
  case DType::i32:
    return reinterpret_cast<const int32_t *>(data)[i];
  case DType::i64:
    return reinterpret_cast<const int64_t *>(data)[i];
  case DType::ui16:
    return reinterpret_cast<const uint16_t *>(data)[i];
  case DType::ui32:
    return reinterpret_cast<const uint32_t *>(data)[i];
  case DType::ui64:
    return reinterpret_cast<const uint64_t *>(data)[i];
  default: // i1, ui8
    return reinterpret_cast<const uint8_t *>(data)[i];
  }
}

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_OPS_INTEGERS_H
