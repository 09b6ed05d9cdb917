// Contexts, modules, memory and events over the driver's entry points.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/Driver.h"

#include "DriverTable.h"

#include <algorithm>

using namespace tessera::runtime;

Result<Driver> Driver::open() {
  Result<DriverHandle> table = openDriverTable();
  if (!table) {
    return table.error();
  }
  if (Failure failure = (*table)->check((*table)->init(0), "the CUDA driver does not start")) {
    return *failure;
  }
  Driver driver;
  driver.table = *table;
  return driver;
}

Result<int> Driver::deviceCount() const {
  int count = 0;
  if (Failure failure = table->check(table->deviceGetCount(&count), "counting devices")) {
    return *failure;
  }
  return count;
}

Result<Context> Driver::context(int ordinal) const {
  const DriverTable &cu = *table;
  std::string what = "device " + std::to_string(ordinal);
  int device = 0, major = 0, minor = 0, shared = 0;
  char name[128] = {};
  void *handle = nullptr;
  Code code = cu.deviceGet(&device, ordinal);
  code = code ? code : cu.deviceGetName(name, int(sizeof name) - 1, device);
  code = code ? code : cu.deviceGetAttribute(&major, attributeMajor, device);
  code = code ? code : cu.deviceGetAttribute(&minor, attributeMinor, device);
  code = code ? code : cu.deviceGetAttribute(&shared, attributeMaxSharedOptin, device);
  code = code ? code : cu.primaryRetain(&handle, device);
  if (Failure failure = cu.check(code, what)) {
    return *failure;
  }
  Context context;
  context.driver = table;
  context.device = device;
  context.name = name;
  context.architecture = unsigned(major * 10 + minor);
  context.sharedBytes = unsigned(shared);
  if (Failure failure = cu.check(cu.setCurrent(handle), what)) {
    return *failure;
  }
  return context;
}

Context &Context::operator=(Context &&other) noexcept {
  std::swap(driver, other.driver);
  std::swap(device, other.device);
  std::swap(name, other.name);
  std::swap(architecture, other.architecture);
  std::swap(sharedBytes, other.sharedBytes);
  return *this;
}

Context::~Context() {
  if (driver) {
    driver->primaryRelease(device);
  }
}

Result<Module> Context::load(const std::string &image) const {
  std::string log(16384, '\0');
  int options[] = {jitErrorBuffer, jitErrorBufferBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  Module module;
  Code code = driver->moduleLoad(&module.handle, image.c_str(), 2, options, values);
  if (Failure failure = driver->check(code, "the module does not load on " + name)) {
    log.resize(std::min(log.find('\0'), log.size()));
    if (!log.empty()) {
      failure->text += "; the driver's compiler says: " + log;
    }
    return *failure;
  }
  module.driver = driver;
  return module;
}

Result<DeviceMemory> Context::allocate(size_t bytes) const {
  DeviceMemory memory;
  // The driver refuses 0 bytes; an empty array has an address, too.
  Code code = driver->allocate(&memory.where, std::max<size_t>(bytes, 16));
  if (Failure failure = driver->check(code, std::to_string(bytes) + " bytes on " + name)) {
    return *failure;
  }
  memory.driver = driver;
  memory.bytes = bytes;
  return memory;
}

Result<Event> Context::event() const {
  Event event;
  if (Failure failure = driver->check(driver->eventCreate(&event.handle, 0), "an event")) {
    return *failure;
  }
  event.driver = driver;
  return event;
}

Failure Context::synchronize() const {
  return driver->check(driver->synchronize(), "work on " + name);
}

Module &Module::operator=(Module &&other) noexcept {
  std::swap(driver, other.driver);
  std::swap(handle, other.handle);
  return *this;
}

Module::~Module() {
  if (driver) {
    driver->moduleUnload(handle);
  }
}

Failure Module::launch(const LaunchRecord &record, const LaunchPlan &plan) const {
  if (plan.grid == 0) {
    return {};
  }
  const VersionRecord &version = record.versions[plan.version];
  std::string what = "kernel `" + record.kernel + "`, version `" + version.symbol + "`";
  void *function = nullptr;
  Code code = driver->getFunction(&function, handle, version.symbol.c_str());
  if (Failure failure = driver->check(code, what + " is not in the module")) {
    return failure;
  }
  // More than 48 KiB have to be asked for.
  if (version.sharedBytes > 48 * 1024) {
    code = driver->functionAttribute(function, functionMaxDynamicShared, int(version.sharedBytes));
    if (Failure failure =
            driver->check(code, what + " needs " + std::to_string(version.sharedBytes) +
                                    " bytes of shared memory")) {
      return failure;
    }
  }
  std::vector<std::array<uint8_t, 8>> values = plan.parameters;
  std::vector<void *> places;
  for (auto &value : values) {
    places.push_back(value.data());
  }
  code = driver->launchKernel(function, plan.grid, 1, 1, version.threads, 1, 1,
                              unsigned(version.sharedBytes), nullptr, places.data(), nullptr);
  return driver->check(code, what + " with " + std::to_string(plan.grid) + " CTAs does not start");
}

DeviceMemory &DeviceMemory::operator=(DeviceMemory &&other) noexcept {
  std::swap(driver, other.driver);
  std::swap(where, other.where);
  std::swap(bytes, other.bytes);
  return *this;
}

DeviceMemory::~DeviceMemory() {
  if (driver) {
    driver->release(where);
  }
}

static Failure tooMuch(size_t count, size_t bytes) {
  return Error{
      "a copy of " + std::to_string(count) + " bytes with memory of " + std::to_string(bytes), ""};
}

Failure DeviceMemory::copyFrom(const void *host, size_t count) {
  if (count > bytes) {
    return tooMuch(count, bytes);
  }
  return count == 0
             ? Failure()
             : driver->check(driver->copyToDevice(where, host, count), "a copy to the device");
}

Failure DeviceMemory::copyTo(void *host, size_t count) const {
  if (count > bytes) {
    return tooMuch(count, bytes);
  }
  return count == 0
             ? Failure()
             : driver->check(driver->copyToHost(host, where, count), "a copy from the device");
}

Failure DeviceMemory::fill(uint8_t value) {
  return bytes == 0 ? Failure()
                    : driver->check(driver->fill8(where, value, bytes, nullptr), "filling memory");
}

Event &Event::operator=(Event &&other) noexcept {
  std::swap(driver, other.driver);
  std::swap(handle, other.handle);
  return *this;
}

Event::~Event() {
  if (driver) {
    driver->eventDestroy(handle);
  }
}

Failure Event::record() { return driver->check(driver->eventRecord(handle, nullptr), "an event"); }

Failure Event::wait() {
  return driver->check(driver->eventSynchronize(handle), "work before an event");
}

Result<float> Event::since(const Event &start) const {
  float milliseconds = 0;
  Code code = driver->eventElapsed(&milliseconds, start.handle, handle);
  if (Failure failure = driver->check(code, "the time between two events")) {
    return *failure;
  }
  return milliseconds;
}

Result<LaunchPlan> tessera::runtime::launch(const LaunchRecord &record, const Module &module,
                                            const std::vector<Argument> &arguments) {
  Result<LaunchPlan> plan = planLaunch(record, arguments);
  if (plan) {
    if (Failure failure = module.launch(record, *plan)) {
      return *failure;
    }
  }
  return plan;
}
