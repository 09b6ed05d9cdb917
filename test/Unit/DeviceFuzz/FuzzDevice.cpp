// tessera-random-kernels: random kernels with random schedules as device code, as many as wanted. What goes wrong is written,
// reduced, to a file.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Testing/DeviceFuzz.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

static constexpr char usage[] =
    "usage: tessera-random-kernels [--seed=FIRST] [--count=N] [--target=sm_80|sm_90a] "
    "[--out=FOLDER]\n"
    "Runs the kernels of so many seeds on the simulator and the interpreter; failures are reduced "
    "and written to\n"
    "FOLDER/SEED.tile. Exit status: 0 all are the same, 1 some are not, 2 the command line is "
    "wrong.\n";

static bool write(const std::string &path, const DeviceTrial &trial) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os << "# " << llvm::StringRef(trial.problem).split('\n').first << "\n" << trial.subject.text();
  }
  return !error;
}

int main(int argc, char **argv) {
  uint64_t seed = 0, count = 100;
  std::string folder = ".";
  DeviceFuzzOptions options;
  for (llvm::StringRef word : llvm::ArrayRef<char *>(argv + 1, argc - 1)) {
    auto [name, value] = word.split('=');
    bool isBad = name == "--seed"    ? value.getAsInteger(10, seed)
                 : name == "--count" ? value.getAsInteger(10, count)
                                     : false;
    if (name == "--target") {
      options.target = value.str();
    } else if (name == "--out") {
      folder = value.str();
    } else if (isBad || (name != "--seed" && name != "--count")) {
      llvm::errs() << "tessera-random-kernels: `" << word << "` is not understood\n" << usage;
      return 2;
    }
  }
  DeviceFuzzer fuzzer(options);
  unsigned failures = 0;
  for (uint64_t end = seed + count; seed < end; ++seed) {
    DeviceTrial trial = fuzzer.run(seed);
    if (trial.problem.empty()) {
      continue;
    }
    ++failures;
    DeviceTrial least = fuzzer.reduce(trial);
    std::string path = folder + "/" + std::to_string(seed) + ".tile";
    llvm::outs() << "seed " << seed << ": " << trial.problem << "\n"
                 << "  reduced: " << least.problem << " ("
                 << (write(path, least) ? path : "cannot write " + path) << ")\n";
  }
  llvm::outs() << fuzzer.counts().table() << failures << " failures\n";
  return failures ? 1 : 0;
}
