// Memory of tile values: counted, recycled by size class, so that an op on a small tile costs no call of the system's
// allocator. One pool belongs to one run; nothing here is shared between threads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_BUFFER_H
#define TESSERA_LIB_INTERPRETER_BUFFER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tessera::interp {

class BufferPool;

/// Thrown where the system has no memory; caught once, at the entry of the run, and reported as an error.
struct OutOfMemory {
  uint64_t bytes;
};

struct Buffer {
  BufferPool *pool;
  Buffer *next;
  uint32_t users;
  uint32_t sizeClass;

  /// 64 bytes, so that elements are aligned for every kernel.
  static constexpr size_t headerBytes = 64;
  std::byte *data() { return reinterpret_cast<std::byte *>(this) + headerBytes; }
};

/// Counted handle.
class Ref {
public:
  Ref() = default;
  explicit Ref(Buffer *taken) : buffer(taken) {}
  Ref(const Ref &other) : buffer(other.buffer) {
    if (buffer) {
      ++buffer->users;
    }
  }
  Ref(Ref &&other) noexcept : buffer(std::exchange(other.buffer, nullptr)) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(buffer, other.buffer);
    return *this;
  }
  ~Ref() { drop(); }

  explicit operator bool() const { return buffer != nullptr; }
  std::byte *data() const { return buffer->data(); }
  template <class T> T *as() const { return reinterpret_cast<T *>(buffer->data()); }
  friend bool operator==(const Ref &a, const Ref &b) { return a.buffer == b.buffer; }

private:
  inline void drop();
  Buffer *buffer = nullptr;
};

class BufferPool {
public:
  BufferPool() = default;
  BufferPool(const BufferPool &) = delete;
  BufferPool &operator=(const BufferPool &) = delete;
  ~BufferPool();

  /// Room for `bytes` bytes with any content. Throws OutOfMemory.
  Ref allocate(size_t bytes) {
    uint32_t sizeClass = classOf(bytes);
    Buffer *buffer = free[sizeClass];
    if (!buffer) {
      return Ref(obtain(sizeClass));
    }
    free[sizeClass] = buffer->next;
    buffer->users = 1;
    return Ref(buffer);
  }
  /// The same, zeroed.
  Ref allocateZeroed(size_t bytes);

private:
  friend class Ref;
  void recycle(Buffer *buffer) {
    buffer->next = free[buffer->sizeClass];
    free[buffer->sizeClass] = buffer;
  }
  /// Class c holds 64 << c bytes.
  static uint32_t classOf(size_t bytes) {
    return bytes <= 64 ? 0 : 64 - 6 - static_cast<uint32_t>(__builtin_clzll((bytes - 1)));
  }
  Buffer *obtain(uint32_t sizeClass);

  std::array<Buffer *, 60> free{};
  std::vector<void *> owned;
};

inline void Ref::drop() {
  if (buffer && --buffer->users == 0) {
    buffer->pool->recycle(buffer);
  }
}

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_BUFFER_H
