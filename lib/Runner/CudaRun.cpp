// A kernel's device code on a GPU.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaRun.h"

#include <cstring>

using namespace tessera;
using runtime::Failure;

runtime::Result<CudaRun> CudaRun::make(const runtime::LaunchRecord &record,
                                       const std::string &ptx) {
  runtime::Result<runtime::Driver> driver = runtime::Driver::open();
  if (!driver) {
    return driver.error();
  }
  runtime::Result<runtime::Context> context = driver->context();
  if (!context) {
    return context.error();
  }
  CudaRun made;
  made.context = std::move(*context);
  runtime::Result<runtime::Module> module = made.context.load(ptx);
  if (!module) {
    return runtime::Error{"kernel `" + record.kernel + "`: " + module.error().text,
                          module.error().remedy};
  }
  made.module = std::move(*module);
  return made;
}

namespace {
/// An array and its place on the device, at an address of the same alignment.
struct Mirror {
  static constexpr size_t line = 256;

  HostArray *array = nullptr;
  runtime::DeviceMemory memory;
  std::byte *first = nullptr; ///< lowest address of an element
  size_t bytes = 0, shift = 0;

  Failure allocate(const runtime::Context &context) {
    int64_t low = 0, high = 0;
    for (auto [size, stride] : llvm::zip(array->shape(), array->strides())) {
      low += std::min<int64_t>(0, (size - 1) * stride);
      high += std::max<int64_t>(0, (size - 1) * stride);
    }
    bool isEmpty = array->numElements() == 0;
    bytes = isEmpty ? 0 : size_t(high - low + 1) * array->elementBytes();
    first = array->data() + low * int64_t(array->elementBytes());
    shift = reinterpret_cast<uintptr_t>(first) % line;
    runtime::Result<runtime::DeviceMemory> made = context.allocate(shift + bytes + line);
    if (!made) {
      return made.error();
    }
    memory = std::move(*made);
    return {};
  }
  uint64_t base() const { return memory.address() + shift + uint64_t(array->data() - first); }
  Failure send() {
    std::vector<uint8_t> image(shift + bytes);
    std::memcpy(image.data() + shift, first, bytes);
    return image.empty() ? Failure() : memory.copyFrom(image.data(), image.size());
  }
  Failure fetch() {
    std::vector<uint8_t> image(shift + bytes);
    Failure failure = image.empty() ? Failure() : memory.copyTo(image.data(), image.size());
    if (!failure && bytes > 0) {
      std::memcpy(first, image.data() + shift, bytes);
    }
    return failure;
  }
};
} // namespace

/// Whether all bytes of each element are `value`.
static std::vector<bool> holds(const HostArray &array, uint8_t value) {
  std::vector<bool> all;
  array.layout().forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) {
    auto *bytes = reinterpret_cast<const uint8_t *>(array.atOffset(offset));
    all.push_back(llvm::all_of(llvm::ArrayRef<uint8_t>(bytes, array.elementBytes()),
                               [&](uint8_t byte) { return byte == value; }));
  });
  return all;
}

static void fillElements(HostArray &array, uint8_t value) {
  array.layout().forEach([&](llvm::ArrayRef<int64_t>, int64_t offset) {
    std::memset(array.atOffset(offset), value, array.elementBytes());
  });
}

Failure CudaRun::run(const runtime::LaunchRecord &record, Launch &launch,
                     std::vector<std::vector<bool>> &written) {
  constexpr uint8_t patterns[] = {0x34, uint8_t(HostArray::unwrittenByte)};
  std::vector<Mirror> mirrors;
  std::vector<runtime::Argument> arguments;
  for (LaunchArgument &argument : launch.arguments) {
    runtime::Argument &one = arguments.emplace_back();
    if (!argument.isView()) {
      std::memcpy(one.scalar.data(), argument.scalar.data(), one.scalar.size());
      continue;
    }
    Mirror &mirror = mirrors.emplace_back();
    mirror.array = &argument.array;
    if (Failure failure = mirror.allocate(context)) {
      return failure;
    }
    one.address = mirror.base();
    one.shape.assign(argument.array.shape().begin(), argument.array.shape().end());
    one.strides.assign(argument.array.strides().begin(), argument.array.strides().end());
  }
  std::vector<bool> isWritten;
  std::vector<std::vector<uint8_t>> before;
  for (LaunchArgument &argument : launch.arguments) {
    if (argument.isView()) {
      isWritten.push_back(argument.isWritten());
    }
  }
  for (const Mirror &mirror : mirrors) {
    auto *bytes = reinterpret_cast<const uint8_t *>(mirror.first);
    before.emplace_back(bytes, bytes + mirror.bytes);
  }
  written.assign(mirrors.size(), {});
  for (unsigned round = 0; round < 2; ++round) {
    size_t next = 0;
    for (LaunchArgument &argument : launch.arguments) {
      if (!argument.isView()) {
        continue;
      }
      Mirror &mirror = mirrors[next];
      if (mirror.bytes > 0) {
        std::memcpy(mirror.first, before[next].data(), mirror.bytes);
      }
      ++next;
      if (argument.mode == ArgMode::Out) {
        fillElements(argument.array, patterns[round]);
      }
      if (Failure failure = mirror.send()) {
        return failure;
      }
    }
    runtime::Result<runtime::LaunchPlan> plan = runtime::launch(record, module, arguments);
    if (!plan) {
      return plan.error();
    }
    if (Failure failure = context.synchronize()) {
      return failure;
    }
    for (size_t i = 0; i < mirrors.size(); ++i) {
      if (!isWritten[i]) {
        continue;
      }
      if (Failure failure = mirrors[i].fetch()) {
        return failure;
      }
      std::vector<bool> left = holds(*mirrors[i].array, patterns[round]);
      written[i].resize(left.size(), false);
      for (size_t e = 0; e < left.size(); ++e) {
        written[i][e] = written[i][e] || !left[e];
      }
    }
  }
  return {};
}
