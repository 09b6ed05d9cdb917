// The driver's entry points over host memory. A kernel named `add_…` is done on the host; everything else is only noted.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

namespace {
std::string calls;
/// Addresses that are allocated, events and modules that live.
std::set<uint64_t> memories;
int living = 0;

/// TESSERA_FAKE_FAIL=cuInit:100 lets that call give that code.
int note(const char *name, const std::string &text = "") {
  calls += std::string(name) + (text.empty() ? "" : " ") + text + "\n";
  const char *fail = std::getenv("TESSERA_FAKE_FAIL");
  std::string wanted = fail ? fail : "";
  size_t colon = wanted.find(':');
  return colon != std::string::npos && wanted.substr(0, colon) == name
             ? std::atoi(wanted.c_str() + colon + 1)
             : 0;
}

/// y[i] = a[i] + b[i] for i < N, as the entry of an addition has its parameters.
void add(void **p) {
  auto number = [&](int i) { return *static_cast<int64_t *>(p[i]); };
  auto array = [&](int i) { return *static_cast<float **>(p[i]); };
  for (int64_t i = 0; i < number(0); ++i) {
    array(5)[i * number(6)] = array(1)[i * number(2)] + array(3)[i * number(4)];
  }
}
} // namespace

extern "C" {
const char *tesseraFakeCalls() { return calls.c_str(); }
void tesseraFakeReset() { calls.clear(); }
int tesseraFakeLiving() { return living + int(memories.size()); }

int cuInit(unsigned) { return note("cuInit"); }
int cuDeviceGetCount(int *count) {
  *count = 1;
  return note("cuDeviceGetCount");
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? note("cuDeviceGet") : 101;
}
int cuDeviceGetName(char *name, int size, int) {
  std::strncpy(name, "Fake \"GPU\"", size_t(size));
  return note("cuDeviceGetName");
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 97 ? 232448 : -1;
  return note("cuDeviceGetAttribute");
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &calls;
  ++living;
  return note("cuDevicePrimaryCtxRetain");
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --living;
  return note("cuDevicePrimaryCtxRelease_v2");
}
int cuCtxSetCurrent(void *) { return note("cuCtxSetCurrent"); }
int cuCtxSynchronize() { return note("cuCtxSynchronize"); }
int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                       void **values) {
  int code =
      note("cuModuleLoadDataEx", std::string(static_cast<const char *>(image)).substr(0, 20));
  for (unsigned i = 0; code != 0 && i < count; ++i) {
    if (options[i] == 5) {
      std::strcpy(static_cast<char *>(values[i]), "ptxas: no good");
    }
  }
  *module = code ? nullptr : &calls;
  living += code ? 0 : 1;
  return code;
}
int cuModuleUnload(void *) {
  --living;
  return note("cuModuleUnload");
}
int cuModuleGetFunction(void **function, void *, const char *name) {
  *function = strdup(name); // lives as long as the module, which is here as long as the process
  return std::strcmp(name, "missing") == 0 ? 500 : note("cuModuleGetFunction", name);
}
int cuFuncSetAttribute(void *, int attribute, int value) {
  return note("cuFuncSetAttribute", std::to_string(attribute) + " " + std::to_string(value));
}
int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned threads,
                   unsigned ty, unsigned tz, unsigned shared, void *, void **parameters,
                   void **extra) {
  std::string name = static_cast<char *>(function), text = name;
  for (unsigned value : {x, y, z, threads, ty, tz, shared}) {
    text += " " + std::to_string(value);
  }
  int code = note("cuLaunchKernel", text + (extra ? " extra" : ""));
  if (code == 0 && name.compare(0, 4, "add_") == 0) {
    add(parameters);
  }
  return code;
}
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  int code = bytes == 0 ? 1 : note("cuMemAlloc_v2", std::to_string(bytes));
  if (code == 0) {
    *address = reinterpret_cast<uint64_t>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
    memories.insert(*address);
  }
  return code;
}
int cuMemFree_v2(uint64_t address) {
  if (memories.erase(address) == 0) {
    return 1;
  }
  std::free(reinterpret_cast<void *>(address));
  return note("cuMemFree_v2");
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return note("cuMemcpyHtoD_v2", std::to_string(bytes));
}
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return note("cuMemcpyDtoH_v2", std::to_string(bytes));
}
int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *) {
  // Large fills only stand for a flush of a cache.
  if (bytes < 1 << 20) {
    std::memset(reinterpret_cast<void *>(to), value, bytes);
  }
  return note("cuMemsetD8Async", std::to_string(bytes));
}
int cuEventCreate(void **event, unsigned) {
  *event = &calls;
  ++living;
  return note("cuEventCreate");
}
int cuEventRecord(void *, void *) { return note("cuEventRecord"); }
int cuEventSynchronize(void *) { return note("cuEventSynchronize"); }
int cuEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 0.25f;
  return note("cuEventElapsedTime");
}
int cuEventDestroy_v2(void *) {
  --living;
  return note("cuEventDestroy_v2");
}
int cuGetErrorName(int code, const char **name) {
  *name = code == 12345 ? nullptr : "CUDA_ERROR_FAKE";
  return 0;
}
int cuGetErrorString(int code, const char **text) {
  *text = code == 12345 ? nullptr : "as was asked for";
  return 0;
}
}
