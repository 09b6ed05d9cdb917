//===- ReplayMain.cpp - Runs a fuzz target over files -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main of a fuzz target in builds without libFuzzer: every file named on the command line, and every file of every
// folder named there, is one input. What once broke the target so runs in each build, also where no fuzzer is at hand.
//
//===------------------------------------------------------------------------===//
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

int main(int argc, char **argv) {
  unsigned count = 0;
  for (const fs::path &path : inputsOf(argc, argv)) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "error: cannot open `%s`\n", path.c_str());
      return 2;
    }
    const std::string bytes((std::istreambuf_iterator<char>(file)),
                            std::istreambuf_iterator<char>());
    // Named first: when the target dies, the last line says on which input.
    std::fprintf(stderr, "%s\n", path.c_str());
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
    ++count;
  }
  std::printf("%u inputs\n", count);
  return count == 0 ? 2 : 0;
}
