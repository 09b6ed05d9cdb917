//===- SystemTable.h - a number system as a table of functions ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter is a template over the number system (tessera/Numeric/NumberSystem.h). As every member of a system is
// a static function that hands out kernels, the template is one table of pointers; no op of the interpreter is compiled
// per system, and a further system is one class.
//
// What the interpreter asks of a system beyond NumberSystem.h: integers and `bool` are held natively (indices and
// conditions are read directly), and the element whose bytes are all zero is the type's zero.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_INTERPRETER_SYSTEMTABLE_H
#define TESSERA_INTERPRETER_SYSTEMTABLE_H

#include "tessera/Numeric/NumberSystem.h"

namespace tessera {

struct SystemTable {
  llvm::StringRef name;
  size_t (*elementSize)(DType);
  Kernel1 (*unary)(ScalarOp, DType, Accuracy);
  Kernel2 (*binary)(ScalarOp, DType, Accuracy);
  Kernel3 (*ternary)(ScalarOp, DType, Accuracy);
  Kernel2 (*compare)(CmpPredicate, DType);
  Kernel2 (*ranksAbove)(DType);
  SelectKernel (*select)(DType);
  CastKernel (*cast)(DType, DType, Round, Overflow);
  Kernel1 (*bits)(DType);
  Kernel1 (*fromBits)(DType);
  Kernel1 (*load)(DType);
  Kernel1 (*store)(DType);
  bool (*identity)(ReduceKind, DType, void *);
  Kernel2 (*combine)(ReduceKind, DType);
  Kernel1 (*prepare)(ReduceKind, DType);
  Kernel1 (*finish)(ReduceKind, DType);
  MmaKernel (*mma)(DType, DType, MmaPrecision);

  /// Every float type is held as f64 is: written arrays may then be f64 in memory.
  bool holdsFloatsAlike() const { return elementSize(DType::bf16) == elementSize(DType::f64); }
};

template <class System> const SystemTable &systemTable() {
  static const SystemTable table = {
      System::name(),   System::elementSize, System::unary,  System::binary,   System::ternary,
      System::compare,  System::ranksAbove,  System::select, System::cast,     System::bits,
      System::fromBits, System::load,        System::store,  System::identity, System::combine,
      System::prepare,  System::finish,      System::mma};
  return table;
}

} // namespace tessera

#endif // TESSERA_INTERPRETER_SYSTEMTABLE_H
