// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunnerTest.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::testing;

RunnerTest::RunnerTest() {
  llvm::SmallString<128> made;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("tessera-runner", made));
  folder = made.str().str();
}

RunnerTest::~RunnerTest() { llvm::sys::fs::remove_directories(folder); }

std::string RunnerTest::file(const std::string &name, const std::string &text) const {
  std::error_code error;
  llvm::raw_fd_ostream os(path(name), error);
  EXPECT_FALSE(error) << path(name);
  os << text;
  return path(name);
}

bool RunnerTest::exists(const std::string &name) const { return llvm::sys::fs::exists(path(name)); }

std::string RunnerTest::read(const std::string &name) const {
  auto buffer = llvm::MemoryBuffer::getFile(path(name));
  EXPECT_TRUE(bool(buffer)) << name;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

std::vector<std::string> RunnerTest::names() const {
  std::vector<std::string> result;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    result.push_back(llvm::sys::path::filename(it->path()).str());
  }
  std::sort(result.begin(), result.end());
  return result;
}

Outcome RunnerTest::run(const std::vector<std::string> &words) const {
  Outcome outcome;
  llvm::raw_string_ostream out(outcome.out), err(outcome.err);
  std::vector<llvm::StringRef> refs(words.begin(), words.end());
  outcome.status = runTileRun(refs, out, err);
  return outcome;
}
