// Running one command: arrays to the device, a launch, outputs to files, then timed launches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/DeviceCommand.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace tessera::runtime;

/// More than the L2 cache of any GPU.
static constexpr size_t flushBytes = size_t(256) << 20;

static size_t elementsOf(const std::vector<int64_t> &shape) {
  size_t count = 1;
  for (int64_t size : shape) {
    count *= size_t(size);
  }
  return count;
}

namespace {
class DeviceRun {
public:
  DeviceRun(const Context &context, const DeviceCommand &command)
      : context(context), command(command) {}

  Result<std::string> run() {
    Failure failure = load();
    failure = failure ? failure : names();
    failure = failure ? failure : inputs();
    failure = failure ? failure : outputs();
    failure = failure ? failure : first();
    failure = failure ? failure : write();
    failure = failure ? failure : measure();
    return failure ? Result<std::string>(*failure) : report();
  }

private:
  const Context &context;
  const DeviceCommand &command;
  LaunchRecord record;
  Module module;
  std::vector<Argument> arguments;
  std::vector<DeviceMemory> memories;
  LaunchPlan plan;
  std::vector<double> microseconds;

  Failure load() {
    Result<std::string> text = readWholeFile(command.record);
    if (!text) {
      return text.error();
    }
    Result<LaunchRecord> parsed = parseLaunchRecord(*text);
    if (!parsed) {
      return Error{"`" + command.record + "`: " + parsed.error().text, parsed.error().remedy};
    }
    record = std::move(*parsed);
    Result<std::string> image = readWholeFile(command.module);
    if (!image) {
      return image.error();
    }
    Result<Module> loaded = context.load(*image);
    if (!loaded) {
      return loaded.error();
    }
    module = std::move(*loaded);
    arguments.resize(record.arguments.size());
    memories.resize(record.arguments.size());
    return {};
  }

  /// Names that the kernel does not have are errors, not nothing.
  Failure names() const {
    auto known = [&](const std::string &name) {
      return std::any_of(record.arguments.begin(), record.arguments.end(),
                         [&](const ArgumentRecord &a) { return a.name == name; });
    };
    auto all = [&](const auto &options) -> Failure {
      for (const auto &[name, value] : options) {
        if (!known(name)) {
          return Error{"kernel `" + record.kernel + "` has no argument `" + name + "`", ""};
        }
      }
      return {};
    };
    Failure failure = all(command.in);
    failure = failure ? failure : all(command.out);
    failure = failure ? failure : all(command.random);
    return failure ? failure : all(command.shape);
  }

  Failure toDevice(size_t index, std::vector<int64_t> shape, const std::vector<uint8_t> &data) {
    Result<DeviceMemory> memory = context.allocate(data.size());
    if (!memory) {
      return memory.error();
    }
    memories[index] = std::move(*memory);
    arguments[index] = Argument::dense(memories[index].address(), std::move(shape));
    return memories[index].copyFrom(data.data(), data.size());
  }

  Failure fromFile(size_t index, const std::string &file) {
    const ArgumentRecord &stated = record.arguments[index];
    Result<NpyArray> array = readNpy(file);
    if (!array) {
      return array.error();
    }
    if (!npyHolds(array->descr, stated.dtype)) {
      return Error{"`" + file + "` has elements `" + array->descr + "`; argument `" + stated.name +
                       "` is of " + stated.dtype + ", which is `" + npyDescr(stated.dtype) + "`",
                   ""};
    }
    if (stated.isView) {
      return toDevice(index, array->shape, array->data);
    }
    if (!array->shape.empty()) {
      return Error{"`" + file + "` is no scalar", ""};
    }
    std::memcpy(arguments[index].scalar.data(), array->data.data(), array->data.size());
    return {};
  }

  Failure inputs() {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ArgumentRecord &stated = record.arguments[i];
      auto file = command.in.find(stated.name);
      auto random = command.random.find(stated.name);
      Failure failure;
      if (file != command.in.end()) {
        bool isFile = stated.isView || file->second.find(".npy") != std::string::npos;
        if (isFile) {
          failure = fromFile(i, file->second);
        } else if (Result<Argument> scalar = scalarArgument(file->second, stated.dtype)) {
          arguments[i] = *scalar;
        } else {
          failure = scalar.error();
        }
      } else if (random != command.random.end() && stated.isView) {
        failure =
            toDevice(i, random->second,
                     randomContents(stated.dtype, elementsOf(random->second), command.seed + i));
      } else if (!stated.isView || stated.mode != Mode::out) {
        failure = Error{"argument `" + stated.name + "` is missing",
                        "give --in " + stated.name +
                            (stated.isView ? "=FILE.npy or --random" : "=NUMBER")};
      } else {
        placeholder(i);
      }
      if (failure) {
        return failure;
      }
    }
    return {};
  }

  /// An output before its shape is known.
  void placeholder(size_t index) {
    const ArgumentRecord &stated = record.arguments[index];
    auto shape = command.shape.find(stated.name);
    arguments[index].shape = shape != command.shape.end()
                                 ? shape->second
                                 : std::vector<int64_t>(stated.shape.size(), -1);
    arguments[index].strides.assign(arguments[index].shape.size(), 1);
  }

  /// Their memory begins with bytes of 255, NaN in every float type: what the kernel leaves out shows.
  Failure outputs() {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ArgumentRecord &stated = record.arguments[i];
      if (!stated.isView || stated.mode != Mode::out || memories[i].address() != 0) {
        continue;
      }
      Result<std::vector<int64_t>> shape = shapeOf(record, arguments, unsigned(i));
      if (!shape) {
        return shape.error();
      }
      for (int64_t size : *shape) {
        if (size < 0) {
          return Error{"the shape of output `" + stated.name + "` follows from no input",
                       "give --shape " + stated.name + "=SHAPE"};
        }
      }
      std::vector<uint8_t> poison(elementsOf(*shape) * dtypeBytes(stated.dtype), 0xff);
      if (Failure failure = toDevice(i, *shape, poison)) {
        return failure;
      }
    }
    return {};
  }

  Failure first() {
    Result<LaunchPlan> launched = launch(record, module, arguments);
    if (!launched) {
      return launched.error();
    }
    plan = *launched;
    Failure failure = context.synchronize();
    if (failure) {
      failure->text = "kernel `" + record.kernel + "`: " + failure->text;
    }
    return failure;
  }

  Failure write() const {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ArgumentRecord &stated = record.arguments[i];
      auto file = command.out.find(stated.name);
      if (file == command.out.end()) {
        continue;
      }
      if (!stated.isView || stated.mode == Mode::in) {
        return Error{"argument `" + stated.name + "` is no output", ""};
      }
      NpyArray array;
      array.descr = npyDescr(stated.dtype);
      array.shape = arguments[i].shape;
      array.data.resize(memories[i].size());
      Failure failure = memories[i].copyTo(array.data.data(), array.data.size());
      failure = failure ? failure : writeNpy(file->second, array);
      if (failure) {
        return failure;
      }
    }
    return {};
  }

  Failure timed(DeviceMemory &cache, Event &start, Event &stop) {
    Failure failure = command.flush ? cache.fill(uint8_t(microseconds.size())) : Failure();
    failure = failure ? failure : start.record();
    failure = failure ? failure : module.launch(record, plan);
    failure = failure ? failure : stop.record();
    failure = failure ? failure : stop.wait();
    if (failure) {
      return failure;
    }
    Result<float> milliseconds = stop.since(start);
    if (!milliseconds) {
      return milliseconds.error();
    }
    microseconds.push_back(1e3 * double(*milliseconds));
    return {};
  }

  Failure measure() {
    if (command.launches == 0 || plan.grid == 0) {
      return {};
    }
    Result<Event> start = context.event(), stop = context.event();
    Result<DeviceMemory> cache = context.allocate(command.flush ? flushBytes : 0);
    if (!start || !stop || !cache) {
      return !start ? start.error() : !stop ? stop.error() : cache.error();
    }
    constexpr unsigned warmUps = 3;
    for (unsigned i = 0; i < warmUps + command.launches; ++i) {
      if (i == warmUps) {
        microseconds.clear();
      }
      if (Failure failure = timed(*cache, *start, *stop)) {
        return failure;
      }
    }
    return {};
  }

  static std::string quote(const std::string &text) {
    std::string quoted = "\"";
    for (char c : text) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", unsigned(uint8_t(c)));
      bool isPlain = uint8_t(c) >= 0x20 && c != '"' && c != '\\';
      quoted += isPlain ? std::string(1, c) : code;
    }
    return quoted + '"';
  }

  static std::string number(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4f", value);
    return text;
  }

  std::string report() {
    const VersionRecord &version = record.versions[plan.version];
    std::string json = "{\"kernel\": " + quote(record.kernel) +
                       ", \"version\": " + quote(version.symbol) +
                       ", \"device\": " + quote(context.deviceName()) +
                       ", \"grid\": " + std::to_string(plan.grid) +
                       ", \"threads\": " + std::to_string(version.threads) +
                       ", \"shared_bytes\": " + std::to_string(version.sharedBytes) +
                       ", \"bytes\": " + std::to_string(plan.bytes);
    for (size_t i = 0; i < plan.extents.size(); ++i) {
      json += (i == 0 ? ", \"extents\": {" : ", ") + quote(record.extents[i].name) + ": " +
              std::to_string(plan.extents[i]) + (i + 1 == plan.extents.size() ? "}" : "");
    }
    if (!command.label.empty()) {
      json += ", \"label\": " + quote(command.label);
    }
    if (!microseconds.empty()) {
      std::sort(microseconds.begin(), microseconds.end());
      auto share = [&](double part) {
        return microseconds[size_t(part * double(microseconds.size() - 1) + 0.5)];
      };
      json += ", \"launches\": " + std::to_string(microseconds.size()) +
              ", \"flushed\": " + (command.flush ? "true" : "false") +
              ", \"median_us\": " + number(share(0.5)) + ", \"min_us\": " + number(share(0)) +
              ", \"p10_us\": " + number(share(0.1)) + ", \"p90_us\": " + number(share(0.9)) +
              ", \"gb_per_s\": " + number(1e-3 * double(plan.bytes) / std::max(share(0.5), 1e-6));
    }
    return json + "}";
  }
};
} // namespace

Result<std::string> tessera::runtime::runDeviceCommand(const Context &context,
                                                       const DeviceCommand &command) {
  return DeviceRun(context, command).run();
}
