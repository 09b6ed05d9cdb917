// The calls by which one thread's LLVM module reaches what LLVM has no word for: thread numbers, barriers, shuffles, guarded
// accesses, conversions of small floats, declared instructions. Lowering emits them; PTX expansion turns each into an
// intrinsic or inline assembly, the simulator into a call of its own. A module has no other access to memory of the device.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_DEVICE_MARKERS_H
#define TESSERA_DEVICE_MARKERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace llvm {
class CallInst;
class Function;
class IRBuilderBase;
class Module;
class Type;
class Value;
} // namespace llvm

namespace tessera::device {

/// Address spaces of pointers; hosts see one flat space.
inline constexpr unsigned globalSpace = 1, sharedSpace = 3;

/// The symbol of a CTA's dynamic shared memory, `[0 x i8]` in `sharedSpace`, aligned to 1024.
inline constexpr llvm::StringLiteral sharedSymbol = "tessera.smem";

/// On a function that is an entry (i32 as text): threads of a CTA; bytes of dynamic shared memory.
inline constexpr llvm::StringLiteral threadsAttr = "tessera.threads",
                                     sharedBytesAttr = "tessera.shared_bytes";

/// Every marker is a declaration named `tessera.WORD` or `tessera.WORD.REST`. T below is one of i8 i16 i32 i64 v2i32 v4i32,
/// spelt so in the name.
///
///   i32  tessera.tid                       thread in its CTA, 0 up to threads - 1
///   i32  tessera.ctaid, tessera.nctaid     CTA in the launch (one axis), number of CTAs
///   void tessera.bar.cta                   barrier of all threads of the CTA
///   void tessera.bar.named(i32 id, i32 threads)   barrier `id` (1 to 15) of so many threads
///   void tessera.bar.warp                  barrier of the warp
///   i32  tessera.shfl.bfly(i32 v, i32 mask)     v of lane XOR mask; all lanes of the warp call it together
///   i32  tessera.shfl.idx(i32 v, i32 lane)      v of a lane
///   T    tessera.ld.global.T(ptr addrspace(1), i64 offset, i1 p, T other)   p ? the T at ptr + offset bytes : other
///   T    tessera.ld.shared.T(ptr addrspace(3), i64 offset, i1 p, T other)
///   T    tessera.ld.shared.part.T(ptr addrspace(3), i64 offset, i1 p, T other, i32 used)   the same; only bytes i whose bit is
///                                          set in `used` are used, others may never have been written
///   void tessera.st.global.T(ptr addrspace(1), i64 offset, T v, i1 p)       the same for stores; addresses are multiples of T's
///   void tessera.st.shared.T(ptr addrspace(3), i64 offset, T v, i1 p)       size. A constant offset is an immediate of the
///                                                                           access: pointers carry what differs by thread.
///   I    tessera.atom.KIND.TYPE.ORDER.SCOPE(ptr addrspace(1), I v, i1 p)    KIND add max min and or xor xchg; TYPE s32 u32 s64
///                                          u64 f32 f64 f16 bf16; I is i16, i32 or i64; the value before, 0 if not p
///   I    tessera.atom.cas.TYPE.ORDER.SCOPE(ptr addrspace(1), I expected, I v, i1 p)
///   void tessera.cp.commit                 ends the thread's group of cp.async
///   void tessera.cp.wait(i32 n)            at most n of the thread's groups are not complete; n is constant
///   i16  tessera.cvt.MODE.TO.FROM(x)       float conversions: MODE rn rz ru rd; TO/FROM f16 bf16 (i16), e4m3 e5m2 (i8), f32,
/// f64;
///                                          e4m3, e5m2 with suffix .sat saturate, without give NaN or infinity
///   i32  tessera.pack.rn.bf16x2(float low, float high), tessera.pack.rn.f16x2   two conversions, low in the low half
///   i16  tessera.pack.rn.e4m3x2(float low, float high), tessera.pack.rn.e5m2x2  the same, saturating
///   i16  tessera.fma.rn.T(i16 a, i16 b, i16 c)   a * b + c of bf16 or f16, rounded once
///   float tessera.fast.F(float)            accuracy = fast: F is ex2 lg2 rcp rsqrt sqrt sin cos tanh
///   float tessera.start.rcp(float)         where strict quotients begin: for |x| in [1, 2) within 2^-23 of 1 / x, and the same
///                                          for powers of two times such x while x and 1 / x are normal; else of no meaning
///   void tessera.assert(i1 p, ptr text)    the condition must hold; text is a constant C string, host only
///   void tessera.trap(ptr text)            never reached
///   R    tessera.i.NAME(...)               a declared instruction (tile.instr), string attributes as below
///
/// A declared instruction takes, operand by operand in the declaration's order: `frag` in or inout: the lane's elements in value
/// order, packed into i32, <n x i32> (i32 where n is 1; f32 elements as i32 bits); `smem`: ptr addrspace(3); `view`: ptr
/// addrspace(1), and i32 present bytes; `scalar`, `predicate`: as it is. Then, for all of them together, i1: whether this lane
/// takes part (constant true where scope is more than a thread). It gives the inout and out `frag` operands: nothing, one
/// vector or a struct of them.
///
///   "tessera.ptx"       the declaration's text
///   "tessera.operands"  `name:kind:direction:elements:dtype,…`, direction in, out or inout; elements as the shape, `16x16`
///   "tessera.scope"     thread, warp, wg, cta
///   "tessera.via"       generic, cp_async, tma, bulk, wgmma
///   "tessera.body"      name of a function of the module, void(ptr…): what it means on whole operands, one pointer to the
///                       dense row-major elements of each operand (out ones written); host only, dropped for PTX
///   "tessera.maps"      for each frag operand `name=layout;…` in layout notation, (lane, value) to column-major position
///   "tessera.lane_bytes"  for smem and view operands of scope warp: `name=bytes,rows;…`: what each lane's address covers and how
///                       many of the lanes' addresses count
///   "tessera.addresses"  of those, `name=layout;…`, lane to the column-major position of its address; without it lane l has row
///                       l % rows of the tile, the lanes of each further round the next columns
inline constexpr llvm::StringLiteral markerPrefix = "tessera.", instrPrefix = "tessera.i.";

/// The declaration of a marker, made where the module has none.
llvm::Function *declareMarker(llvm::Module &module, llvm::StringRef name, llvm::Type *result,
                              llvm::ArrayRef<llvm::Type *> parameters);

/// A call of it at the builder's point, with the builder's debug location.
llvm::CallInst *callMarker(llvm::IRBuilderBase &builder, llvm::StringRef name, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> arguments);

/// The name after `tessera.` where a call is of a marker.
std::optional<llvm::StringRef> markerName(const llvm::CallInst &call);

/// `i32`, `v4i32`: how a type is spelt in a marker's name; a type of 1, 2, 4, 8 or 16 bytes that registers hold.
std::string accessName(llvm::Type *type);
/// The type that moves so many bytes (1, 2, 4, 8, 16).
llvm::Type *accessType(llvm::Module &module, unsigned bytes);

} // namespace tessera::device

#endif // TESSERA_DEVICE_MARKERS_H
