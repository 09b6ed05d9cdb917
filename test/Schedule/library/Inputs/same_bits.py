"""Runs a scheduled example against its source: in order, and under the adversary.

usage: same_bits.py EXAMPLE.tile SCHEDULED.mlir FOLDER

Prints one line for each kernel of the scheduled file that was run; stops with the first difference.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import re
import subprocess
import sys

import numpy as np

SEEDS = (1, 2, 3)

# Arrays of a launch by example: name -> (type, shape over the sizes); what is left over; outputs. Sizes that vectors of 16
# bytes divide come last: they are run on the versions for them, too.
EXAMPLES = {
    "softmax": ({"x": ("bf16", "M N")}, {}, ["y"], [{"M": 5, "N": 250}, {"M": 3, "N": 64}]),
    "gemm": ({"a": ("bf16", "M K"), "b": ("bf16", "K N")}, {}, ["d"],
             [{"M": 70, "K": 65, "N": 33}, {"M": 65, "K": 104, "N": 40}]),
    "attention": ({"q": ("bf16", "B HQ SQ D"), "k": ("bf16", "B HK SK D"), "v": ("bf16", "B HK SK D")},
                  {"scale": "0.125"}, ["o", "lse"],
                  [{"B": 1, "HQ": 2, "HK": 1, "SQ": 70, "SK": 200, "D": 128}]),
    "topk_gate": ({"s": ("f32", "TOK E")}, {}, ["idx", "w"], [{"TOK": 5, "E": 72}]),
    "swiglu_cast": ({"x": ("bf16", "TOK W")}, {}, ["y", "sf"], [{"TOK": 3, "W": 512}]),
    "cumsum_reverse": ({"x": ("f32", "M N")}, {}, ["y"], [{"M": 3, "N": 701}, {"M": 2, "N": 516}]),
    "ngram_hash": ({"ids": ("i32", "TOK G"), "mult": ("i64", "G"), "vocab": ("i32", "P TAB"),
                    "offset": ("i32", "P TAB")}, {}, ["slot"], [{"TOK": 45, "G": 3, "P": 2, "TAB": 8}]),
    "vector_add": ({"x": ("f32", "N"), "y": ("f32", "N")}, {}, ["z"], [{"N": 1201}, {"N": 700}]),
    "rmsnorm": ({"x": ("bf16", "M N"), "w": ("bf16", "N")}, {"eps": "1e-5"}, ["y"],
                [{"M": 5, "N": 250}, {"M": 3, "N": 64}]),
    "layernorm": ({"x": ("bf16", "M N"), "w": ("bf16", "N")}, {"eps": "1e-5"}, ["y", "mean", "rstd"],
                  [{"M": 5, "N": 250}, {"M": 3, "N": 64}]),
    "transpose": ({"x": ("f32", "M N")}, {}, ["y"], [{"M": 33, "N": 65}, {"M": 20, "N": 36}]),
    "cross_entropy": ({"x": ("bf16", "M V"), "target": ("i32", "M")}, {}, ["loss", "lse"],
                      [{"M": 5, "V": 1001}, {"M": 3, "V": 1032}]),
    "fp8_cast": ({"x": ("bf16", "TOK H")}, {}, ["y", "scale"], [{"TOK": 5, "H": 250}, {"TOK": 3, "H": 64}]),
    "int8_gemm": ({"a": ("i8", "M K"), "b": ("i8", "N K"), "sa": ("f32", "M"), "sb": ("f32", "N")}, {}, ["d"],
                  [{"M": 70, "K": 65, "N": 33}, {"M": 65, "K": 112, "N": 40}]),
}


def array(rng, kind, shape):
    if kind == "bf16":
        return (rng.standard_normal(shape).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if kind == "f32":
        return rng.standard_normal(shape).astype(np.float32)
    if kind == "i8":
        return rng.integers(-128, 128, shape, np.int8)
    return rng.integers(1, 1000, shape).astype({"i32": np.int32, "i64": np.int64}[kind])


def run(source, folder, inputs, outputs, options):
    names = {name: os.path.join(folder, "out." + name + ".npy") for name in outputs}
    command = ["tile-run", source] + options
    for name, value in inputs.items():
        command += ["--in", "%s=%s" % (name, value)]
    for name, path in names.items():
        command += ["--out", "%s=%s" % (name, path)]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stdout))
    return {name: np.load(path).tobytes() for name, path in names.items()}


def main(example, scheduled, folder):
    arrays, scalars, outputs, launches = EXAMPLES[os.path.basename(example)[:-len(".tile")]]
    with open(scheduled, encoding="utf-8") as file:
        kernels = re.findall(r"tile\.kernel @([\w.]+)", file.read())
    runs = dict.fromkeys(kernels, 0)
    for number, sizes in enumerate(launches):
        rng = np.random.default_rng(number)
        inputs = dict(scalars)
        for name, (kind, shape) in arrays.items():
            inputs[name] = os.path.join(folder, name + ".npy")
            np.save(inputs[name], array(rng, kind, [sizes[axis] for axis in shape.split()]))
        wanted = run(example, folder, inputs, outputs, [])
        for kernel in kernels:
            is_version = "." in kernel
            if is_version and number + 1 < len(launches):
                continue
            for seed in [None] + list(SEEDS):
                options = ["--kernel=" + kernel] + ([] if seed is None else ["--adversarial=%d" % seed])
                found = run(scheduled, folder, inputs, outputs, options)
                for name in outputs:
                    if found[name] != wanted[name]:
                        sys.exit("%s: `%s` differs with %s and %s" % (kernel, name, sizes, options))
                runs[kernel] += 1
    for kernel, count in runs.items():
        print("%s: %d runs give the bits of the source" % (kernel, count))


main(*sys.argv[1:])
