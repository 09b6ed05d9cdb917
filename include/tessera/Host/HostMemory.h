// A region of address space obtained from the system: anonymous, where pages cost memory only once they are written, or
// a private copy-on-write mapping of a file. Released with its last owner.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_HOST_HOSTMEMORY_H
#define TESSERA_HOST_HOSTMEMORY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tessera {

class HostMemory {
public:
  /// Zeroed memory of `bytes` bytes (at least one page is mapped), no page committed. On failure the error is the
  /// system's reason alone: the caller knows what the memory was for.
  static llvm::Expected<std::shared_ptr<HostMemory>> reserve(uint64_t bytes);

  /// The whole file, at least one byte. Writes stay in this process. Errors: T0801, T0802, T0803.
  static llvm::Expected<std::shared_ptr<HostMemory>> mapFile(llvm::StringRef path);

  /// Memory owned by someone else, who keeps it alive.
  static std::shared_ptr<HostMemory> borrow(void *data, uint64_t bytes);

  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;
  ~HostMemory();

  std::byte *data() const { return begin; }
  uint64_t size() const { return bytes; }

  /// Calls `visit(first, last)` for the maximal ranges of bytes [first, last) that lie in pages the process has
  /// touched; the others still read as zero. Borrowed memory counts as touched.
  void forEachTouched(llvm::function_ref<void(uint64_t, uint64_t)> visit) const;

  static uint64_t pageSize();

private:
  HostMemory(std::byte *begin, uint64_t bytes, uint64_t mapped)
      : begin(begin), bytes(bytes), mapped(mapped) {}

  std::byte *begin;
  uint64_t bytes;
  /// Bytes to unmap; 0 for borrowed memory.
  uint64_t mapped;
};

} // namespace tessera

#endif // TESSERA_HOST_HOSTMEMORY_H
