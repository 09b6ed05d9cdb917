// Two scheduled kernels that are the same program, and near misses: one word of the text changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Dialect/Tile/Equivalence.h"

#include "DialectTesting.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera {
namespace {

constexpr char base[] = R"(
tile.instr @copy on "sm_80" scope thread order exact via cp_async
    operands [{name = "d", kind = "smem", out}, {name = "s", kind = "view"}] ptx "cp" {
^bb0(%d: tensor<8xf32>, %s: tensor<8xf32>):
  tile.yield %s : tensor<8xf32>
}
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
    attributes {tile.roles = {p = {warps = 1 : i64}, q = {warps = 4 : i64}}, tile.warps = 5 : i64} body {
  %c0 = tile.constant 0 : i64
  %zero = tile.constant 0.0 : f32 tensor<8xf32>
  %a = tile.alloc : !tile.buf<8xf32, shared, slots = 3>
  %r = tile.ring %a protocol cp_async : !tile.buf<8xf32, shared, slots = 3> -> !tile.ring<3>
  tile.tasks (%m = range(%c0 to %N), %h = range(%c0 to %N)) grouped 4 {
    %sum = tile.for %k in tiles(%c0 to %N by 8) carry(%acc = %zero : tensor<8xf32>) {
      tile.section @load lead 2 role @p {
        %s = tile.acquire %r : !tile.ring<3>
        tile.apply @copy via cp_async {
          tile.copy %x[%k] to %a slot %s fill zero {tile.iter = #tile.iter<d0 = lane 2 * vec 4>}
            : !tile.view<?xf32, in>, !tile.span<8> to !tile.buf<8xf32, shared, slots = 3>
        }
        tile.commit %r : !tile.ring<3>
      }
      %u = tile.section @use role @q -> tensor<8xf32> {
        %s = tile.await %r : !tile.ring<3>
        %t = tile.read %a slot %s span[%k] : !tile.buf<8xf32, shared, slots = 3>, !tile.span<8> -> tensor<8xf32>
        tile.release %r : !tile.ring<3>
        %p = tile.add %acc, %t : tensor<8xf32>
        tile.yield %p : tensor<8xf32>
      }
      tile.yield %u : tensor<8xf32>
    }
    tile.section @out role @q {
      tile.elect {
        tile.print "sum", %sum : tensor<8xf32>
      }
      tile.barrier cta
    }
  }
})";

struct Change {
  const char *name;
  const char *from, *to;
  /// Part of the difference's text; null where the kernels stay equivalent.
  const char *expected;
};

class Scheduled : public DialectTest, public testing::WithParamInterface<Change> {};

TEST_P(Scheduled, difference) {
  Change change = GetParam();
  std::string text = base;
  size_t at = text.find(change.from);
  ASSERT_NE(at, std::string::npos) << change.from;
  text.replace(at, StringRef(change.from).size(), change.to);
  OwningOpRef<ModuleOp> one = parse(base), two = parse(text);
  ASSERT_TRUE(one && two);
  auto found = findDifference(first<KernelOp>(*one), first<KernelOp>(*two));
  ASSERT_EQ(found.has_value(), change.expected != nullptr) << (found ? found->text : "");
  if (found) {
    EXPECT_NE(found->text.find(change.expected), std::string::npos) << found->text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Words, Scheduled,
    testing::Values(
        Change{"Same", "%u", "%u", nullptr},
        Change{"Lead", "lead 2", "lead 1", "attributes of `tile.section`"},
        Change{"Role", "@load lead 2 role @p", "@load lead 2 role @q",
               "attributes of `tile.section`"},
        Change{"Fill", "fill zero", "fill undef", "attributes of `tile.copy`"},
        Change{"Iter", "lane 2 * vec 4", "lane 8", "`tile.copy` is spread over other places"},
        Change{"NoIter", "{tile.iter = #tile.iter<d0 = lane 2 * vec 4>}", "",
               "`tile.copy` is spread over other places"},
        Change{"Roles", "q = {warps = 4 : i64}}, tile.warps = 5 : i64", "q = {warps = 4 : i64}}",
               "other warps, clusters or roles"},
        Change{"Cluster", "tile.warps = 5", "tile.cluster = 2 : i64, tile.warps = 5",
               "other warps, clusters or roles"},
        Change{"ClusterAxis", "tile.warps = 5",
               "tile.cluster = 2 : i64, tile.cluster_axis = 1 : i64, tile.warps = 5",
               "other warps, clusters or roles"},
        Change{"Grouped", "grouped 4", "grouped 2", "attributes of `tile.tasks`"},
        Change{"Protocol", "%a protocol cp_async", "%a protocol mbarrier",
               "attributes of `tile.ring`"},
        Change{"Span", "span[%k] : !tile.buf<8xf32, shared, slots = 3>, !tile.span<8>",
               "span[:] : !tile.buf<8xf32, shared, slots = 3>", "attributes of `tile.read`"},
        Change{"Body", "tile.add %acc", "tile.sub %acc", "`tile.add` against `tile.sub`"},
        Change{"Yield", "tile.yield %p", "tile.yield %t", "operand 0 of `tile.yield`"},
        Change{"InElect", "tile.print \"sum\"", "tile.print \"all\"", "attributes of `tile.print`"},
        Change{"Barrier", "tile.barrier cta", "", "`tile.barrier` against `tile.yield`"},
        // What an instruction is declared to be, not only its name; where it stands is no matter.
        Change{"Text", "ptx \"cp\"", "ptx \"cp2\"", "`@copy` is declared in another way"},
        Change{"Meaning", "tile.yield %s : tensor<8xf32>", "tile.yield %d : tensor<8xf32>",
               "`@copy` is declared in another way"},
        Change{"Beside", "tile.kernel @k",
               "tile.instr @other on \"sm_80\" scope thread order exact via generic operands [] "
               "ptx \"\" {\n}\ntile.kernel @k",
               nullptr}),
    [](const testing::TestParamInfo<Change> &info) { return std::string(info.param.name); });

} // namespace
} // namespace tessera
