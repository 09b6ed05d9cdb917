//===- ReplayMain.cpp - Runs a fuzz target over files -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main of a fuzz target in builds without libFuzzer: every file named on the command line, and every file of every
// folder named there, is one input. What once broke the target so runs in each build, also where no fuzzer is at hand.
// With --seconds=N it then mutates these inputs by the project's own mutator for N seconds: a search without feedback.
//
//===------------------------------------------------------------------------===//
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                                          unsigned seed);

/// libFuzzer's own mutation, which the mutator falls back on: here, a changed byte.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t) {
  static unsigned state = 1;
  state = state * 1664525u + 1013904223u;
  if (size > 0) {
    data[(state >> 8) % size] ^= static_cast<uint8_t>(1u << (state >> 29));
  }
  return size;
}

namespace fs = std::filesystem;

static std::vector<fs::path> inputsOf(int argc, char **argv) {
  std::vector<fs::path> inputs;
  std::error_code error;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i], error)) {
      inputs.push_back(argv[i]);
      continue;
    }
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(argv[i], error)) {
      if (entry.is_regular_file(error)) {
        inputs.push_back(entry.path());
      }
    }
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

/// The input at work, for the message when the target dies on it.
static std::string current;

extern "C" void writeCurrent(int signal) {
  static const char text[] = "\nerror: the target died on this input:\n";
  (void)!write(2, text, sizeof(text) - 1);
  (void)!write(2, current.data(), current.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

static std::string read(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

static void runOne(std::string bytes) {
  current = std::move(bytes);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(current.data()), current.size());
}

/// Mutates the inputs in turn, each mutant once more from time to time; the same inputs give the same mutants.
static unsigned search(const std::vector<fs::path> &inputs, unsigned seconds) {
  constexpr size_t maxSize = 8192;
  std::vector<std::string> pool;
  for (const fs::path &path : inputs) {
    pool.push_back(read(path).substr(0, maxSize));
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  unsigned count = 0;
  for (; std::chrono::steady_clock::now() < end; ++count) {
    std::string &parent = pool[count % pool.size()];
    std::string mutant = parent;
    size_t size = mutant.size();
    mutant.resize(maxSize);
    size = LLVMFuzzerCustomMutator(reinterpret_cast<uint8_t *>(mutant.data()), size, maxSize,
                                   count * 2654435761u);
    mutant.resize(size);
    if (count % 16 == 0) {
      parent = mutant;
    }
    runOne(std::move(mutant));
  }
  return count;
}

int main(int argc, char **argv) {
  unsigned seconds = 0;
  std::vector<char *> names{argv[0]};
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--seconds=", 10) == 0) {
      seconds = std::strtoul(argv[i] + 10, nullptr, 10);
    } else {
      names.push_back(argv[i]);
    }
  }
  for (int signal : {SIGABRT, SIGSEGV, SIGILL, SIGFPE, SIGBUS}) {
    std::signal(signal, writeCurrent);
  }
  const std::vector<fs::path> inputs = inputsOf(names.size(), names.data());
  for (const fs::path &path : inputs) {
    if (!std::ifstream(path)) {
      std::fprintf(stderr, "error: cannot open `%s`\n", path.c_str());
      return 2;
    }
    // Named first: when the target dies, the last line says on which input.
    std::fprintf(stderr, "%s\n", path.c_str());
    runOne(read(path));
  }
  const unsigned mutants = inputs.empty() || seconds == 0 ? 0 : search(inputs, seconds);
  std::printf("%zu inputs, %u mutants\n", inputs.size(), mutants);
  return inputs.empty() ? 2 : 0;
}
