// From an array to a .npy file. The data go to a file beside the target, which takes the target's name when complete.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Host/HostError.h"
#include "tessera/Host/Npy.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

using namespace tessera;

namespace {
constexpr size_t chunkBytes = size_t(1) << 20;
constexpr unsigned maxAxes = 64;

std::string makeHeader(const HostArray &array) {
  std::string shape = joinNumbers(array.shape()) + (array.rank() == 1 ? "," : "");
  std::string dict = "{'descr': '" + npyDescr(array.dtype()).str() +
                     "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr size_t fixedBytes = 10;
  // Data start at a multiple of 64 bytes, for whoever maps the file.
  size_t total = (fixedBytes + dict.size() + 1 + 63) / 64 * 64;
  dict.append(total - fixedBytes - dict.size() - 1, ' ');
  dict += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dict.size() & 0xFF);
  header += static_cast<char>(dict.size() >> 8);
  return header + dict;
}

/// A file that is removed unless it was put in place.
class PendingFile {
public:
  PendingFile(llvm::StringRef target) : target(target) {}

  ~PendingFile() {
    if (descriptor >= 0) {
      close(descriptor);
    }
    if (!temporary.empty()) {
      unlink(temporary.c_str());
      llvm::sys::DontRemoveFileOnSignal(temporary);
    }
  }

  llvm::Error create() {
    if (llvm::Error error = resolve()) {
      return error;
    }
    llvm::StringRef folder = llvm::sys::path::parent_path(place);
    static std::atomic<unsigned> counter{0};
    for (unsigned attempt = 0; attempt < 100 && descriptor < 0; ++attempt) {
      llvm::SmallString<128> path(folder);
      llvm::sys::path::append(path, "." + llvm::sys::path::filename(place) + "." +
                                        llvm::Twine(getpid()) + "-" + llvm::Twine(counter++) +
                                        ".part");
      descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor >= 0) {
        temporary = path.str().str();
        llvm::sys::RemoveFileOnSignal(temporary);
      } else if (errno != EEXIST) {
        break;
      }
    }
    if (descriptor < 0) {
      return hostError(HostDiag::file_create, target, folder.empty() ? "." : folder,
                       llvm::sys::StrError());
    }
    return llvm::Error::success();
  }

  llvm::Error write(const void *data, size_t bytes) {
    const char *position = static_cast<const char *>(data);
    while (bytes > 0) {
      ssize_t written = ::write(descriptor, position, std::min(bytes, chunkBytes * 64));
      if (written < 0 && errno == EINTR) {
        continue;
      }
      if (written <= 0) {
        return hostError(HostDiag::file_write, target, llvm::sys::StrError());
      }
      position += written;
      bytes -= written;
    }
    return llvm::Error::success();
  }

  llvm::Error putInPlace() {
    int closed = close(descriptor);
    descriptor = -1;
    if (closed != 0 || rename(temporary.c_str(), place.c_str()) != 0) {
      return hostError(HostDiag::file_write, target, llvm::sys::StrError());
    }
    llvm::sys::DontRemoveFileOnSignal(temporary);
    temporary.clear();
    return llvm::Error::success();
  }

private:
  std::string target;
  /// The target with links followed, so that a link stays one.
  std::string place;
  std::string temporary;
  int descriptor = -1;

  llvm::Error resolve() {
    place = target;
    llvm::sys::fs::file_status status;
    if (llvm::sys::fs::status(target, status)) {
      return llvm::Error::success();
    }
    if (status.type() != llvm::sys::fs::file_type::regular_file) {
      bool folder = status.type() == llvm::sys::fs::file_type::directory_file;
      return hostError(HostDiag::file_target, target, folder ? "a folder" : "a device or pipe");
    }
    llvm::SmallString<128> real;
    if (!llvm::sys::fs::real_path(target, real)) {
      place = real.str().str();
    }
    return llvm::Error::success();
  }
};

/// Elements in C order; rows are gathered to chunks, so that small rows do not each cost a system call.
llvm::Error writeElements(PendingFile &file, const HostArray &array) {
  uint64_t size = array.elementBytes();
  if (array.layout().isContiguous()) {
    return file.write(array.data(), array.numElements() * size);
  }
  std::vector<std::byte> chunk;
  chunk.reserve(chunkBytes);
  llvm::Error error = llvm::Error::success();
  array.layout().forEachRow([&](int64_t offset, int64_t stride, int64_t count) {
    for (int64_t i = 0; i < count && !error; ++i) {
      if (chunk.size() + size > chunkBytes) {
        error = file.write(chunk.data(), chunk.size());
        chunk.clear();
      }
      const std::byte *element = array.atOffset(offset + i * stride);
      chunk.insert(chunk.end(), element, element + size);
    }
  });
  return error ? std::move(error) : file.write(chunk.data(), chunk.size());
}
} // namespace

llvm::Error tessera::writeNpy(llvm::StringRef path, const HostArray &array) {
  if (array.rank() > maxAxes) {
    return hostError(HostDiag::npy_rank, path, maxAxes);
  }
  PendingFile file(path);
  if (llvm::Error error = file.create()) {
    return error;
  }
  std::string header = makeHeader(array);
  if (llvm::Error error = file.write(header.data(), header.size())) {
    return error;
  }
  if (llvm::Error error = writeElements(file, array)) {
    return error;
  }
  return file.putInPlace();
}
