// Random kernels with random schedules as device code: the simulator against the interpreter, bit for bit where nothing is open.
// What goes wrong is shrunk to a small `.tile` file.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TESTING_DEVICEFUZZ_H
#define TESSERA_TESTING_DEVICEFUZZ_H

#include "tessera/Testing/DevicePair.h"

#include <functional>

namespace tessera {

/// A kernel, its schedule, a launch.
struct DeviceSubject {
  /// Without a schedule, with the library's, with a script of its own.
  enum Way : uint8_t { plain, library, script };

  std::string name;
  std::string kernel; ///< text of a file with the kernel
  Way way = plain;
  std::string schedule; ///< of `script`: a whole `.sched` file
  std::map<std::string, int64_t> extents;
  RunContents contents = RunContents::any;
  uint64_t seed = 0; ///< of what the arrays hold

  /// A `.tile` file: the launch as a comment, the kernel, the schedule.
  std::string text() const;
};

struct DeviceTrial {
  DeviceSubject subject;
  /// Empty: nothing. Else a word (`bits`, `fault`), a colon, and the rest.
  std::string problem;
};

struct DeviceFuzzOptions {
  std::string target = "sm_80";
  /// Of each subject: the launch it is made for, then smaller ones.
  unsigned launches = 3;
  /// Subjects that a reduction may try.
  unsigned maxTries = 600;
  /// Plants an error in the code before it runs.
  std::function<void(llvm::Module &)> edit;
};

struct DeviceCounts {
  unsigned trials = 0;
  unsigned unusable = 0;           ///< the source does not compile, or its own runs have errors
  unsigned unsealed = 0;           ///< the script makes no kernel that is sealed
  unsigned noCode = 0;             ///< no device code can be made: a reason is given
  unsigned launches = 0;           ///< compared
  unsigned compared = 0, open = 0; ///< outputs of launches
  std::map<std::string, unsigned> reasons; ///< why there was no code, numbers left out

  std::string table() const;
};

class DeviceFuzzer {
public:
  explicit DeviceFuzzer(DeviceFuzzOptions options = {}) : options(std::move(options)) {}

  /// The subject of a seed, judged.
  DeviceTrial run(uint64_t seed);
  /// `problem` and, where it shows in a smaller launch, that launch.
  DeviceTrial judge(DeviceSubject subject);
  /// A smaller subject with a problem of the same word.
  DeviceTrial reduce(const DeviceTrial &trial);
  const DeviceCounts &counts() const { return total; }

private:
  DeviceFuzzOptions options;
  DeviceCounts total;
};

} // namespace tessera

#endif // TESSERA_TESTING_DEVICEFUZZ_H
