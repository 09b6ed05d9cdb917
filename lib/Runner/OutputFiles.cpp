// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OutputFiles.h"

#include "tessera/Host/Npy.h"
#include "tessera/Runner/RunnerError.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using namespace tessera;

namespace {
/// Removes what is left of a failed attempt.
struct Leftovers {
  std::vector<std::string> paths;
  ~Leftovers() {
    for (const std::string &path : paths) {
      llvm::sys::fs::remove(path);
    }
  }
};
} // namespace

llvm::Error tessera::checkOutputFiles(const std::vector<OutputFile> &files) {
  for (size_t i = 0; i < files.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (files[i].path == files[j].path ||
          llvm::sys::fs::equivalent(files[i].path, files[j].path)) {
        return runnerError(RunnerDiag::output_same_file, "give each output a file of its own",
                           files[j].argument, files[i].argument, files[i].path);
      }
    }
    llvm::sys::fs::file_status status;
    if (!llvm::sys::fs::status(files[i].path, status) && !llvm::sys::fs::is_regular_file(status)) {
      return runnerError(
          RunnerDiag::output_not_file, "give the name of a file", files[i].path, files[i].argument,
          llvm::sys::fs::is_directory(status) ? "it is a folder" : "it is no regular file");
    }
  }
  return llvm::Error::success();
}

llvm::Error tessera::writeOutputFiles(const std::vector<OutputFile> &files) {
  Leftovers temporary, placed;
  const std::string suffix = ".part" + std::to_string(llvm::sys::Process::getProcessId());
  for (const OutputFile &file : files) {
    if (llvm::Error error = writeNpy(file.path + suffix, file.array)) {
      return error;
    }
    temporary.paths.push_back(file.path + suffix);
  }
  for (const OutputFile &file : files) {
    if (std::error_code error = llvm::sys::fs::rename(file.path + suffix, file.path)) {
      return runnerError(RunnerDiag::output_not_file, "check that the folder is writable",
                         file.path, file.argument, error.message());
    }
    placed.paths.push_back(file.path);
  }
  placed.paths.clear();
  return llvm::Error::success();
}
