// Runs of kernels before and after a script, in order and under the adversary, for tests of primitives on memory and time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_SCHEDULE_MEMORYTESTING_H
#define TESSERA_TEST_UNIT_SCHEDULE_MEMORYTESTING_H

#include "ScheduleTesting.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera::testing {

/// A small product: a 16x16 tile of a, 16x8 of b in each step.
inline const char *const kSmallProduct = R"(
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], bf16>)
{
    grid m in tiles(M, 16), n in tiles(N, 8)
    var acc = zeros(f32, [16, 8])
    for k in tiles(K, 16) { acc = mma(a[m, k], b[k, n], acc) }
    d[m, n] = acc as bf16
}
)";

/// Rows of x, normalized; the maximum is taken of what a condition leaves.
inline const char *const kRowsOfSums = R"(
kernel sums(x: in view<[M, N], f32>, y: out view<[M, N], f32>)
    where N <= 16
{
    grid r in tiles(M, 4)
    let c = whole(N, width = 16)
    let t = x[r, c]
    let u = t * 3.0
    let v = u.keep_if(u > 0.0)
    let w = sum(v, axis = 1)
    y[r, c] = u + w[:, _]
}
)";

/// Loads that are the same in each step.
inline const char *const kSteps = R"(
kernel steps(x: in view<[M, 8], f32>, w: in view<[N], f32>, z: inout view<[M, 8], f32>, y: out view<[M, 8], f32>)
{
    grid r in tiles(M, 4)
    var acc = zeros(f32, [4, 8])
    for n in 0..N {
        let t = x[r, :] * 2.0
        acc = acc + t * w[n]
    }
    y[r, :] = acc
    z[r, :] = acc
}
)";

using Extents = std::map<std::string, int64_t>;

/// IR that was printed, parsed again.
class Parsed {
public:
  explicit Parsed(llvm::StringRef ir);
  ~Parsed();
  tile::KernelOp kernel();
  mlir::ModuleOp module() { return *owned; }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> owned;
};

/// The script was accepted, and its result computes what the kernel does: for each of the extents, on contents of two
/// seeds, with equal errors, if any.
void expectSame(const Scheduled &done, const std::vector<Extents> &all);
/// The result passes `seal`, and shows no fault in adversarial runs.
void expectSealed(llvm::StringRef ir, const std::vector<Extents> &all,
                  llvm::StringRef target = "sm_80");
/// Codes of what `seal` misses, each once: "T1210 T1211".
std::string missing(tile::KernelOp kernel, llvm::StringRef target = "sm_80");
/// Whether some adversarial run of the kernel shows a fault.
bool hasFault(tile::KernelOp kernel, const Extents &extents);

/// How often a word stands in a text.
unsigned count(llvm::StringRef text, llvm::StringRef word);

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_SCHEDULE_MEMORYTESTING_H
