// The CUDA driver, opened when it is first needed: a program starts on machines without one. Objects keep the driver alive and
// give back what they own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_RUNTIME_DRIVER_H
#define TESSERA_RUNTIME_DRIVER_H

#include "tessera/Runtime/Plan.h"

#include <memory>

namespace tessera::runtime {

/// The entry points; see lib/Runtime/DriverTable.h.
struct DriverTable;
using DriverHandle = std::shared_ptr<const DriverTable>;

/// Memory of the device.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(DeviceMemory &&other) noexcept { *this = std::move(other); }
  DeviceMemory &operator=(DeviceMemory &&other) noexcept;
  ~DeviceMemory();

  uint64_t address() const { return where; }
  size_t size() const { return bytes; }
  /// Both wait for the copy; they refuse more than the memory has.
  Failure copyFrom(const void *host, size_t count);
  Failure copyTo(void *host, size_t count) const;
  /// Every byte; does not wait.
  Failure fill(uint8_t value);

private:
  friend class Context;
  DriverHandle driver;
  uint64_t where = 0;
  size_t bytes = 0;
};

/// A moment in the work of the device.
class Event {
public:
  Event() = default;
  Event(Event &&other) noexcept { *this = std::move(other); }
  Event &operator=(Event &&other) noexcept;
  ~Event();

  Failure record();
  /// Waits for the moment.
  Failure wait();
  /// Milliseconds from an earlier event; both must be over.
  Result<float> since(const Event &start) const;

private:
  friend class Context;
  DriverHandle driver;
  void *handle = nullptr;
};

/// A loaded PTX text or cubin.
class Module {
public:
  Module() = default;
  Module(Module &&other) noexcept { *this = std::move(other); }
  Module &operator=(Module &&other) noexcept;
  ~Module();

  /// Starts the plan's version on the default stream and does not wait. A grid of 0 starts nothing.
  Failure launch(const LaunchRecord &record, const LaunchPlan &plan) const;

private:
  friend class Context;
  DriverHandle driver;
  void *handle = nullptr;
};

/// The primary context of one device, current in the thread that made it.
class Context {
public:
  Context() = default;
  Context(Context &&other) noexcept { *this = std::move(other); }
  Context &operator=(Context &&other) noexcept;
  ~Context();

  const std::string &deviceName() const { return name; }
  /// 90 for compute capability 9.0.
  unsigned capability() const { return architecture; }
  /// Bytes of shared memory that a CTA may have.
  unsigned maxSharedBytes() const { return sharedBytes; }

  /// PTX text (which the driver compiles) or a cubin. What the driver's compiler says is in the error.
  Result<Module> load(const std::string &image) const;
  Result<DeviceMemory> allocate(size_t bytes) const;
  Result<Event> event() const;
  /// Waits for all work; an error of a kernel that ran shows here.
  Failure synchronize() const;

private:
  friend class Driver;
  DriverHandle driver;
  int device = 0;
  std::string name;
  unsigned architecture = 0, sharedBytes = 0;
};

class Driver {
public:
  /// libcuda.so.1, or the file that $TESSERA_LIBCUDA names.
  static Result<Driver> open();

  Result<int> deviceCount() const;
  Result<Context> context(int device = 0) const;

private:
  DriverHandle table;
};

/// planLaunch and Module::launch.
Result<LaunchPlan> launch(const LaunchRecord &record, const Module &module,
                          const std::vector<Argument> &arguments);

} // namespace tessera::runtime

#endif // TESSERA_RUNTIME_DRIVER_H
