// tile-device: runs a compiled kernel on a GPU and times it. Needs its launch record, its PTX or cubin, and NVIDIA's driver.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/DeviceCommand.h"

#include <cstdio>

using namespace tessera::runtime;

static const char usage[] =
    "usage: tile-device RECORD.launch MODULE.ptx|cubin [option…]\n"
    "       tile-device --batch FILE     one such command a line; # begins a comment\n"
    "  --in NAME=FILE.npy|NUMBER   an input; numbers for scalars\n"
    "  --random NAME=128x64        an input with made contents\n"
    "  --out NAME=FILE.npy         where an output goes, as the first launch leaves it\n"
    "  --shape NAME=128x64         the shape of an output that no input gives\n"
    "  --time N                    times N launches after 3 that are not counted\n"
    "  --flush                     overwrites 256 MB of memory before each of them\n"
    "  --seed S, --label TEXT      of made contents; a text for the report\n"
    "Prints one line of JSON a command. Exit: 0 all ran, 1 one failed, 2 usage.\n";

static int fail(const Error &error, int code = 1) {
  std::fprintf(stderr, "tile-device: error: %s\n", error.message().c_str());
  return code;
}

/// One command; its report, or its error as JSON as well in a batch.
static bool runOne(const Context &context, const DeviceCommand &command) {
  Result<std::string> report = runDeviceCommand(context, command);
  if (!report) {
    fail(report.error());
    return false;
  }
  std::printf("%s\n", report->c_str());
  std::fflush(stdout);
  return true;
}

/// All commands are read before the first runs, so that a typing error costs no time of the device.
static Result<std::vector<DeviceCommand>> readBatch(const std::string &file) {
  Result<std::string> text = readWholeFile(file);
  if (!text) {
    return text.error();
  }
  std::vector<DeviceCommand> commands;
  unsigned number = 0;
  for (size_t at = 0; at < text->size();) {
    size_t end = std::min(text->find('\n', at), text->size());
    std::vector<std::string> words = splitWords(std::string_view(*text).substr(at, end - at));
    at = end + 1;
    ++number;
    if (words.empty()) {
      continue;
    }
    Result<DeviceCommand> command = parseDeviceCommand(words);
    if (!command) {
      return Error{file + ":" + std::to_string(number) + ": " + command.error().text,
                   command.error().remedy};
    }
    commands.push_back(std::move(*command));
  }
  return commands;
}

static int runBatch(const Context &context, const std::vector<DeviceCommand> &commands) {
  unsigned failed = 0;
  for (const DeviceCommand &command : commands) {
    if (!runOne(context, command)) {
      ++failed;
      // A kernel that faulted leaves a context in which nothing runs any more.
      if (context.synchronize()) {
        std::fprintf(stderr,
                     "tile-device: the device takes no more work; the commands after this one "
                     "were not run\n");
        failed += unsigned(&commands.back() - &command);
        break;
      }
    }
  }
  std::printf("{\"commands\": %zu, \"failed\": %u}\n", commands.size(), failed);
  return failed ? 1 : 0;
}

int main(int count, char **texts) {
  std::vector<std::string> words(texts + 1, texts + count);
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    std::fputs(usage, words.empty() ? stderr : stdout);
    return words.empty() ? 2 : 0;
  }
  bool isBatch = words[0] == "--batch";
  if (isBatch && words.size() != 2) {
    return fail({"--batch takes one file", ""}, 2);
  }
  std::vector<DeviceCommand> commands;
  if (isBatch) {
    Result<std::vector<DeviceCommand>> batch = readBatch(words[1]);
    if (!batch) {
      return fail(batch.error(), 2);
    }
    commands = std::move(*batch);
  } else {
    Result<DeviceCommand> command = parseDeviceCommand(words);
    if (!command) {
      return fail(command.error(), 2);
    }
    commands.push_back(std::move(*command));
  }
  Result<Driver> driver = Driver::open();
  if (!driver) {
    return fail(driver.error());
  }
  Result<Context> context = driver->context();
  if (!context) {
    return fail(context.error());
  }
  if (isBatch) {
    return runBatch(*context, commands);
  }
  return runOne(*context, commands[0]) ? 0 : 1;
}
