// Mapping, unmapping and asking which pages were touched.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Host/HostMemory.h"

#include "tessera/Host/HostError.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace tessera;

uint64_t HostMemory::pageSize() {
  static const uint64_t size = sysconf(_SC_PAGESIZE);
  return size;
}

llvm::Expected<std::shared_ptr<HostMemory>> HostMemory::reserve(uint64_t bytes) {
  uint64_t page = pageSize();
  if (bytes > UINT64_MAX - page) {
    return llvm::createStringError("more than the address space");
  }
  uint64_t mapped = std::max<uint64_t>(page, (bytes + page - 1) / page * page);
  void *data = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) {
    return llvm::createStringError(llvm::sys::StrError());
  }
  // Huge pages would commit 2 MiB for one touched element; they are welcome only where the memory is used densely.
  if (mapped > (uint64_t(1) << 30)) {
    madvise(data, mapped, MADV_NOHUGEPAGE);
  }
  return std::shared_ptr<HostMemory>(new HostMemory(static_cast<std::byte *>(data), bytes, mapped));
}

static llvm::StringRef kindOfFile(mode_t mode) {
  if (S_ISDIR(mode)) {
    return "a folder";
  }
  if (S_ISFIFO(mode)) {
    return "a pipe";
  }
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

llvm::Expected<std::shared_ptr<HostMemory>> HostMemory::mapFile(llvm::StringRef path) {
  std::string name = path.str();
  // Opening a pipe would block until someone writes; what it is must be known first.
  struct stat status;
  int file = open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    return hostError(HostDiag::file_open, path, llvm::sys::StrError());
  }
  llvm::scope_exit closeFile([&] { close(file); });
  if (fstat(file, &status) != 0) {
    return hostError(HostDiag::file_open, path, llvm::sys::StrError());
  }
  if (!S_ISREG(status.st_mode)) {
    return hostError(HostDiag::file_not_regular, path, kindOfFile(status.st_mode));
  }
  uint64_t bytes = status.st_size;
  if (bytes == 0) {
    return borrow(nullptr, 0);
  }
  void *data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file, 0);
  if (data == MAP_FAILED) {
    return hostError(HostDiag::file_map, path, bytes, llvm::sys::StrError());
  }
  return std::shared_ptr<HostMemory>(new HostMemory(static_cast<std::byte *>(data), bytes, bytes));
}

std::shared_ptr<HostMemory> HostMemory::borrow(void *data, uint64_t bytes) {
  return std::shared_ptr<HostMemory>(new HostMemory(static_cast<std::byte *>(data), bytes, 0));
}

HostMemory::~HostMemory() {
  if (mapped) {
    munmap(begin, mapped);
  }
}

void HostMemory::forEachTouched(llvm::function_ref<void(uint64_t, uint64_t)> visit) const {
  uint64_t page = pageSize();
  constexpr uint64_t pagesAtOnce = uint64_t(1) << 16;
  std::vector<unsigned char> resident(pagesAtOnce);
  uint64_t first = 0;
  bool inside = false;
  auto mark = [&](uint64_t position, bool touched) {
    if (inside && !touched) {
      visit(first, position);
    }
    if (!inside && touched) {
      first = position;
    }
    inside = touched;
  };
  for (uint64_t start = 0; start < bytes; start += pagesAtOnce * page) {
    uint64_t length = std::min(pagesAtOnce * page, bytes - start);
    // Where the system does not tell, every page counts as touched: slower, never wrong.
    bool known = mapped && mincore(begin + start, length, resident.data()) == 0;
    for (uint64_t index = 0; index * page < length; ++index) {
      mark(start + index * page, !known || (resident[index] & 1));
    }
  }
  mark(bytes, false);
}
