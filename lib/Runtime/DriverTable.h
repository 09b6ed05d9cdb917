// Entry points of libcuda that the runtime uses, with types of its own: no header of CUDA is needed to build.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_RUNTIME_DRIVERTABLE_H
#define TESSERA_LIB_RUNTIME_DRIVERTABLE_H

#include "tessera/Runtime/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tessera::runtime {

/// CUresult; 0 is success. Handles are pointers, device addresses 64-bit numbers.
using Code = int;

// X(member, symbol, parameters)
#define TESSERA_DRIVER_ENTRIES(X)                                                                  \
  X(init, "cuInit", (unsigned))                                                                    \
  X(deviceGetCount, "cuDeviceGetCount", (int *))                                                   \
  X(deviceGet, "cuDeviceGet", (int *, int))                                                        \
  X(deviceGetName, "cuDeviceGetName", (char *, int, int))                                          \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int *, int, int))                                 \
  X(primaryRetain, "cuDevicePrimaryCtxRetain", (void **, int))                                     \
  X(primaryRelease, "cuDevicePrimaryCtxRelease_v2", (int))                                         \
  X(setCurrent, "cuCtxSetCurrent", (void *))                                                       \
  X(synchronize, "cuCtxSynchronize", ())                                                           \
  X(moduleLoad, "cuModuleLoadDataEx", (void **, const void *, unsigned, int *, void **))           \
  X(moduleUnload, "cuModuleUnload", (void *))                                                      \
  X(getFunction, "cuModuleGetFunction", (void **, void *, const char *))                           \
  X(functionAttribute, "cuFuncSetAttribute", (void *, int, int))                                   \
  X(launchKernel, "cuLaunchKernel",                                                                \
    (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,         \
     void **, void **))                                                                            \
  X(allocate, "cuMemAlloc_v2", (uint64_t *, size_t))                                               \
  X(release, "cuMemFree_v2", (uint64_t))                                                           \
  X(copyToDevice, "cuMemcpyHtoD_v2", (uint64_t, const void *, size_t))                             \
  X(copyToHost, "cuMemcpyDtoH_v2", (void *, uint64_t, size_t))                                     \
  X(fill8, "cuMemsetD8Async", (uint64_t, unsigned char, size_t, void *))                           \
  X(eventCreate, "cuEventCreate", (void **, unsigned))                                             \
  X(eventRecord, "cuEventRecord", (void *, void *))                                                \
  X(eventSynchronize, "cuEventSynchronize", (void *))                                              \
  X(eventElapsed, "cuEventElapsedTime", (float *, void *, void *))                                 \
  X(eventDestroy, "cuEventDestroy_v2", (void *))                                                   \
  X(errorName, "cuGetErrorName", (Code, const char **))                                            \
  X(errorString, "cuGetErrorString", (Code, const char **))

struct DriverTable {
#define TESSERA_ENTRY(member, symbol, parameters) Code(*member) parameters = nullptr;
  TESSERA_DRIVER_ENTRIES(TESSERA_ENTRY)
#undef TESSERA_ENTRY

  /// `what: CUDA_ERROR_X (text of the driver)`, with a remedy for those that users meet.
  Failure check(Code code, const std::string &what) const;
};

/// Opens the library; it stays open until the process ends, as its threads may still run.
Result<std::shared_ptr<const DriverTable>> openDriverTable();

// Numbers of the driver's interface.
inline constexpr int attributeMaxSharedOptin = 97, attributeMajor = 75, attributeMinor = 76;
inline constexpr int functionMaxDynamicShared = 8;
inline constexpr int jitErrorBuffer = 5, jitErrorBufferBytes = 6;

} // namespace tessera::runtime

#endif // TESSERA_LIB_RUNTIME_DRIVERTABLE_H
