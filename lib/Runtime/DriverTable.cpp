// Opening libcuda and wording its errors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DriverTable.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace tessera::runtime;

/// What to do about a code; nothing where the driver's text says it all.
static const char *remedyOf(Code code) {
  switch (code) {
  case 2:
    return "the device's memory does not hold the arrays: use smaller ones, or end other programs "
           "on it";
  case 100:
    return "the machine has no GPU that the driver shows: look at nvidia-smi and "
           "CUDA_VISIBLE_DEVICES";
  case 209:
    return "the module is for another GPU: compile for this one's target";
  case 218:
  case 222:
    return "the driver is older than the PTX or does not know its target: give it a cubin of "
           "ptxas, or "
           "update the driver";
  case 700:
    return "the kernel read or wrote outside its arrays; compute-sanitizer says where";
  case 701:
    return "the kernel needs more registers or shared memory than the device has";
  case 716:
    return "the kernel used an address that is not aligned";
  default:
    return "";
  }
}

Failure DriverTable::check(Code code, const std::string &what) const {
  if (code == 0) {
    return {};
  }
  const char *name = nullptr, *text = nullptr;
  errorName(code, &name);
  errorString(code, &text);
  return Error{what + ": " + (name ? name : "error " + std::to_string(code)) + (text ? " (" : "") +
                   (text ? text : "") + (text ? ")" : ""),
               remedyOf(code)};
}

Result<std::shared_ptr<const DriverTable>> tessera::runtime::openDriverTable() {
  const char *named = std::getenv("TESSERA_LIBCUDA");
  std::string path = named && *named ? named : "libcuda.so.1";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return Error{"the CUDA driver does not open: " + std::string(reason ? reason : path),
                 "install NVIDIA's driver, or let TESSERA_LIBCUDA name its libcuda.so.1"};
  }
  auto table = std::make_shared<DriverTable>();
  const char *missing = nullptr;
#define TESSERA_ENTRY(member, symbol, parameters)                                                  \
  table->member = reinterpret_cast<Code(*) parameters>(dlsym(library, symbol));                    \
  missing = table->member ? missing : symbol;
  TESSERA_DRIVER_ENTRIES(TESSERA_ENTRY)
#undef TESSERA_ENTRY
  if (missing) {
    return Error{"`" + path + "` has no entry point `" + missing + "`",
                 "the runtime needs a driver of CUDA 11.0 or newer"};
  }
  return std::shared_ptr<const DriverTable>(std::move(table));
}
