"""Kernels that load tiles in one distribution and store them in another: which way their elements take, and whether a run on the
simulator gives what the interpreter gives.

usage: convert.py TILE-OPT TILE-RUN FOLDER
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import subprocess
import sys

import numpy as np

KERNEL = """
tile.kernel @copy[%M "M", %N "N"](%x "x": !tile.view<?x?x{t}, in> shape ()[s0, s1] -> (s0, s1),
    %y "y": !tile.view<?x?x{t}, out> shape ()[s0, s1] -> (s0, s1)) attributes {{tile.warps = {warps} : i64}}
body {{
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %M by {rows})) {{
    %c = tile.span %c0, %N : !tile.span<{cols}>
    %t = tile.load %x[%r, %c] {{tile.iter = #tile.iter<{before}>}}
      : !tile.view<?x?x{t}, in>, !tile.span<{rows}>, !tile.span<{cols}> -> tensor<{rows}x{cols}x{t}>
    tile.store %t, %y[%r, %c] {{tile.iter = #tile.iter<{after}>}}
      : tensor<{rows}x{cols}x{t}>, !tile.view<?x?x{t}, out>, !tile.span<{rows}>, !tile.span<{cols}>
  }}
}} reference ["y"] {{
  %c0 = tile.constant 0 : i64
  %a = tile.map (%i in %c0 to %M, %j in %c0 to %N) -> tensor<?x?x{t}> {{
    %e = tile.at %x[%i, %j] : !tile.view<?x?x{t}, in> -> {t}
    tile.yield %e : {t}
  }}
  tile.yield %a : tensor<?x?x{t}>
}} tolerance exact
"""

# Name, type, warps, rows, columns, distribution before and after.
CASES = [
    ("pairs", "f32", 1, 1, 64, "d0 = reg 1, d1 = lane 32 * vec 2", "d0 = reg 1, d1 = reg 2 * lane 32"),
    ("pairs_of_warps", "f32", 4, 4, 64, "d0 = warp 4, d1 = lane 32 * vec 2", "d0 = warp 4, d1 = reg 2 * lane 32"),
    ("two_words", "i64", 2, 2, 64, "d0 = warp 2, d1 = lane 32 * vec 2", "d0 = warp 2, d1 = reg 2 * lane 32"),
    ("halves", "bf16", 2, 16, 16, "d0 = warp 2 * lane 8, d1 = lane 4 * vec 4",
     "d0 = warp 2 * reg 2 * lane 4, d1 = lane 8 * vec 2"),
    ("bytes", "i8", 2, 16, 64, "d0 = warp 2 * lane 8, d1 = lane 4 * vec 16",
     "d0 = warp 2 * reg 4 * lane 2, d1 = lane 16 * vec 4"),
    ("lanes_alone", "i32", 1, 8, 4, "d0 = lane 8, d1 = lane 4", "d0 = lane 4 * reg 2, d1 = lane 4"),
    ("copies", "f32", 2, 2, 32, "d0 = warp 2, d1 = lane 32", "d0 = warp 2, d1 = lane 8 * vec 4"),
    ("rows_of_three", "f32", 1, 3, 64, "d0 = reg 3, d1 = lane 32 * vec 2", "d0 = reg 3, d1 = reg 2 * lane 32"),
    ("other_warps", "f32", 2, 2, 64, "d0 = warp 2, d1 = reg 2 * lane 32", "d0 = reg 2, d1 = warp 2 * lane 32"),
    ("many", "f32", 1, 32, 32, "d0 = reg 32, d1 = lane 32", "d0 = lane 32, d1 = reg 32"),
]
NUMPY = {"f32": np.float32, "i64": np.int64, "i32": np.int32, "i8": np.int8, "bf16": np.uint16}


def output(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return done.stdout


def main():
    tile_opt, tile_run, folder = sys.argv[1:]
    random = np.random.default_rng(3)
    for name, dtype, warps, rows, cols, before, after in CASES:
        kernel = os.path.join(folder, name + ".mlir")
        with open(kernel, "w", encoding="utf-8") as file:
            file.write(KERNEL.format(t=dtype, warps=warps, rows=rows, cols=cols, before=before, after=after))
        code = output([tile_opt, kernel, "--emit=llvm", "--schedule=none"])
        ways = [way for way, call in (("shuffles", "call i32 @tessera.shfl"), ("shared memory", "@tessera.st.shared"))
                if call in code]
        # Whole tiles, and one that ends early along both axes.
        for shape in ((2 * rows, cols), (2 * rows - 1, cols - 1)):
            data = random.integers(-100, 100, shape).astype(np.int64)
            data = data.astype(np.float32).view(np.uint32) >> 16 if dtype == "bf16" else data
            np.save(os.path.join(folder, "x.npy"), data.astype(NUMPY[dtype]))
            report = output([tile_run, kernel, "--in", "x=%s/x.npy" % folder, "--out", "y=%s/y.npy" % folder, "--check",
                             "--device=sim", "--schedule=none"])
            same = np.array_equal(np.load(os.path.join(folder, "y.npy")), data.astype(NUMPY[dtype]))
            compared = "y: %d elements compared" % data.size in report
            print("%s: by %s%s" % (name, " and ".join(ways) or "registers", "" if same and compared else " DIFFERS\n" + report))


if __name__ == "__main__":
    main()
