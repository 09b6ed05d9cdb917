//===- KernelsCompare.cpp - comparison, selection and copies ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison of every DType, the order of argmax, selection by a `bool` array and plain copies.
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"
#include "IntOps.h"
#include "Kernels.h"
#include "Loops.h"

namespace tessera::numeric {

template <DType T> static Kernel2 floatCompare(CmpPredicate p) {
  switch (p) {
  case CmpPredicate::eq:
    return Loop2<FloatTest2<T, Eq>>::kernel();
  case CmpPredicate::ne:
    return Loop2<FloatTest2<T, Ne>>::kernel();
  case CmpPredicate::lt:
    return Loop2<FloatTest2<T, Lt>>::kernel();
  case CmpPredicate::le:
    return Loop2<FloatTest2<T, Le>>::kernel();
  case CmpPredicate::gt:
    return Loop2<FloatTest2<T, Gt>>::kernel();
  case CmpPredicate::ge:
    return Loop2<FloatTest2<T, Ge>>::kernel();
  }
  return nullptr;
}

template <class I> static Kernel2 intCompare(CmpPredicate p) {
  switch (p) {
  case CmpPredicate::eq:
    return &Loop2<Int2<I, integer::Eq, uint8_t>>::plain;
  case CmpPredicate::ne:
    return &Loop2<Int2<I, integer::Ne, uint8_t>>::plain;
  case CmpPredicate::lt:
    return &Loop2<Int2<I, integer::Lt, uint8_t>>::plain;
  case CmpPredicate::le:
    return &Loop2<Int2<I, integer::Le, uint8_t>>::plain;
  case CmpPredicate::gt:
    return &Loop2<Int2<I, integer::Gt, uint8_t>>::plain;
  case CmpPredicate::ge:
    return &Loop2<Int2<I, integer::Ge, uint8_t>>::plain;
  }
  return nullptr;
}

template <DType T> static Kernel2 compareOf(CmpPredicate p) {
  if constexpr (isFloat(T)) {
    return floatCompare<T>(p);
  } else {
    return intCompare<Storage<T>>(p);
  }
}

template <DType T> static Kernel2 ranksAboveOf() {
  if constexpr (isFloat(T)) {
    return Loop2<FloatTest2<T, RanksAbove>>::kernel();
  } else {
    return intCompare<Storage<T>>(CmpPredicate::gt);
  }
}

#define TESSERA_CASE(TYPE, EXPR)                                                                   \
  case DType::TYPE: {                                                                              \
    constexpr DType T = DType::TYPE;                                                               \
    return EXPR;                                                                                   \
  }
#define TESSERA_BY_TYPE(TYPE, EXPR)                                                                \
  switch (TYPE) {                                                                                  \
    TESSERA_CASE(i1, EXPR)                                                                         \
    TESSERA_CASE(i8, EXPR)                                                                         \
    TESSERA_CASE(i16, EXPR)                                                                        \
    TESSERA_CASE(i32, EXPR)                                                                        \
    TESSERA_CASE(i64, EXPR)                                                                        \
    TESSERA_CASE(ui8, EXPR)                                                                        \
    TESSERA_CASE(ui16, EXPR)                                                                       \
    TESSERA_CASE(ui32, EXPR)                                                                       \
    TESSERA_CASE(ui64, EXPR)                                                                       \
    TESSERA_CASE(bf16, EXPR)                                                                       \
    TESSERA_CASE(f16, EXPR)                                                                        \
    TESSERA_CASE(f32, EXPR)                                                                        \
    TESSERA_CASE(f64, EXPR)                                                                        \
    TESSERA_CASE(f8E4M3FN, EXPR)                                                                   \
    TESSERA_CASE(f8E5M2, EXPR)                                                                     \
  }                                                                                                \
  return nullptr;

static Kernel2 compareFor(CmpPredicate p, DType t) { TESSERA_BY_TYPE(t, compareOf<T>(p)) }
static Kernel2 ranksAboveFor(DType t) { TESSERA_BY_TYPE(t, ranksAboveOf<T>()) }

template <class U> struct Selection {
  static void run(const uint8_t *cond, const void *a, const void *b, void *out, size_t n) {
    const U *x = static_cast<const U *>(a);
    const U *z = static_cast<const U *>(b);
    U *y = static_cast<U *>(out);
    TESSERA_ELEMENTWISE_LOOP
    for (size_t i = 0; i < n; ++i) {
      U first = x[i], second = z[i];
      y[i] = cond[i] ? first : second;
    }
  }
};

SelectKernel selectKernel(size_t size) {
  switch (size) {
  case 1:
    return &Selection<uint8_t>::run;
  case 2:
    return &Selection<uint16_t>::run;
  case 4:
    return &Selection<uint32_t>::run;
  default:
    return &Selection<uint64_t>::run;
  }
}

template <size_t Size> static void copyElements(const void *a, void *out, size_t n) {
  if (n != 0) {
    std::memmove(out, a, n * Size);
  }
}

Kernel1 copyKernel(size_t size) {
  switch (size) {
  case 1:
    return &copyElements<1>;
  case 2:
    return &copyElements<2>;
  case 4:
    return &copyElements<4>;
  default:
    return &copyElements<8>;
  }
}

} // namespace tessera::numeric

namespace tessera {

Kernel2 ExactSystem::compare(CmpPredicate p, DType t) { return numeric::compareFor(p, t); }
Kernel2 ExactSystem::ranksAbove(DType t) { return numeric::ranksAboveFor(t); }
SelectKernel ExactSystem::select(DType t) { return numeric::selectKernel(byteSize(t)); }

} // namespace tessera
