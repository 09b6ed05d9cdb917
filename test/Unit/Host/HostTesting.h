// What the tests of the Host room share: the code of an error, a folder of their own, a writer of .npy bytes that owes
// nothing to the library.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_HOST_HOSTTESTING_H
#define TESSERA_TEST_UNIT_HOST_HOSTTESTING_H

#include "tessera/Host/HostError.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace tessera {

/// `CODE: text`, or empty for success.
inline std::string textOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : std::string();
}

template <typename T> std::string textOf(llvm::Expected<T> value) {
  return value ? std::string() : llvm::toString(value.takeError());
}

/// Fails the test where the value is an error.
template <typename T> T must(llvm::Expected<T> value) {
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError());
    return T();
  }
  return std::move(*value);
}

/// A folder that goes with the test.
class TemporaryFolder {
public:
  TemporaryFolder() { EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("tessera-host", folder)); }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) const {
    llvm::SmallString<128> result(folder);
    llvm::sys::path::append(result, name);
    return result.str().str();
  }

  std::string write(llvm::StringRef name, llvm::StringRef bytes) const {
    std::ofstream(path(name), std::ios::binary).write(bytes.data(), bytes.size());
    return path(name);
  }

  unsigned countFiles() const {
    std::error_code error;
    unsigned count = 0;
    for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
         it.increment(error)) {
      ++count;
    }
    return count;
  }

private:
  llvm::SmallString<128> folder;
};

inline std::string slurp(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The bytes of a .npy file with the given dictionary, its length as stated unless `length` says otherwise.
inline std::string npyBytes(const std::string &dict, const std::string &data, int version = 1,
                            int64_t length = -1) {
  std::string header = dict + "\n";
  uint64_t stated = length < 0 ? header.size() : length;
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    bytes += static_cast<char>(stated >> (8 * i));
  }
  return bytes + header + data;
}

inline std::string npyDict(const std::string &descr, const std::string &shape,
                           bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

} // namespace tessera

#endif // TESSERA_TEST_UNIT_HOST_HOSTTESTING_H
