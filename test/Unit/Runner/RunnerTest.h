// A folder of its own for each test, files in it, and runs of the runner with their output.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_RUNNER_RUNNERTEST_H
#define TESSERA_TEST_UNIT_RUNNER_RUNNERTEST_H

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Host/HostArray.h"
#include "tessera/Host/Npy.h"
#include "tessera/Runner/Runner.h"

namespace tessera::testing {

struct Outcome {
  int status = -1;
  std::string out, err;
};

class RunnerTest : public ::testing::Test {
protected:
  RunnerTest();
  ~RunnerTest() override;

  /// The path of a file in the test's folder.
  std::string path(const std::string &name) const { return folder + "/" + name; }
  /// Writes a text file; returns its path.
  std::string file(const std::string &name, const std::string &text) const;
  bool exists(const std::string &name) const;
  std::string read(const std::string &name) const;
  /// Names of all files in the folder, sorted.
  std::vector<std::string> names() const;

  template <typename T>
  std::string array(const std::string &name, DType dtype, IndexVector shape,
                    const std::vector<T> &values) const {
    HostArray made = llvm::cantFail(HostArray::allocate(dtype, shape));
    made.copyFrom(values.data());
    llvm::cantFail(writeNpy(path(name), made));
    return path(name);
  }
  template <typename T> std::vector<T> values(const std::string &name, DType dtype) const {
    llvm::Expected<HostArray> made = readNpy(path(name), dtype);
    if (!made) {
      ADD_FAILURE() << llvm::toString(made.takeError());
      return {};
    }
    std::vector<T> result(made->numElements());
    made->copyTo(result.data());
    return result;
  }

  Outcome run(const std::vector<std::string> &words) const;

  std::string folder;
};

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_RUNNER_RUNNERTEST_H
