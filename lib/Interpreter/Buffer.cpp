// Memory of tile values, the slow half: obtaining it from the system and giving it back.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Buffer.h"

#include <cstdlib>
#include <cstring>

using namespace tessera::interp;

BufferPool::~BufferPool() {
  for (void *memory : owned) {
    std::free(memory);
  }
}

Buffer *BufferPool::obtain(uint32_t sizeClass) {
  size_t bytes = Buffer::headerBytes + (size_t(64) << sizeClass);
  void *memory = std::aligned_alloc(64, bytes);
  if (!memory) {
    throw OutOfMemory{bytes};
  }
  owned.push_back(memory);
  auto *buffer = static_cast<Buffer *>(memory);
  buffer->pool = this;
  buffer->next = nullptr;
  buffer->users = 1;
  buffer->sizeClass = sizeClass;
  return buffer;
}

Ref BufferPool::allocateZeroed(size_t bytes) {
  Ref ref = allocate(bytes);
  std::memset(ref.data(), 0, bytes);
  return ref;
}
