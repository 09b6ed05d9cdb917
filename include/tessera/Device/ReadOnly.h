// What a thread's module says of the memory that it reads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DEVICE_READONLY_H
#define TESSERA_DEVICE_READONLY_H

namespace llvm {
class Value;
} // namespace llvm

namespace tessera::device {

/// True where no thread of the launch writes what the pointer leads to: the argument that it comes from says that it is only
/// read, and that nothing else names these bytes.
bool isReadOnly(const llvm::Value *pointer);

} // namespace tessera::device

#endif // TESSERA_DEVICE_READONLY_H
