#!/usr/bin/env python3
# Measures kernels on a GPU beside a device copy and PyTorch, in one process: outputs checked, L2 flushed, contenders interleaved.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench.py DIR [--only NAME,…] [--rounds N] [--json FILE]

DIR holds NAME.ptx (or NAME.cubin) and NAME.launch as tile-opt writes them; cases.py beside this file says what to run them on.
NAME@VARIANT is another code for the case NAME.
A row: name, version taken, microseconds (median of device events), GB/s or TFLOP/s, ratio to the peer in the same run, error.
"""
import argparse
import ctypes
import json
import random
import statistics
import struct
import sys
from pathlib import Path

import torch

import cases as all_cases

CUDA = ctypes.CDLL("libcuda.so.1")


def check(result, what):
    if result != 0:
        text = ctypes.c_char_p()
        CUDA.cuGetErrorString(result, ctypes.byref(text))
        raise RuntimeError(f"{what}: {text.value.decode() if text.value else result}")


# ---- launch records


def parse(text):
    """An expression as nested lists."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()

    def read():
        token = tokens.pop(0)
        if token != "(":
            return int(token) if token.lstrip("-").isdigit() else token
        items = []
        while tokens[0] != ")":
            items.append(read())
        tokens.pop(0)
        return items

    return read()


class Record:
    def __init__(self, path):
        self.views, self.extents, self.versions = [], [], []
        for line in Path(path).read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word == "view":
                self.views.append((rest.split()[0], True))
            elif word == "scalar":
                self.views.append((rest.split()[0], False))
            elif word == "extent":
                name, _, expr = rest.partition(" ")
                self.extents.append((name, parse(expr)))
            elif word == "version":
                self.versions.append({"symbol": rest, "conditions": []})
            elif word in ("threads", "shared"):
                self.versions[-1][word] = int(rest)
            elif word == "condition":
                self.versions[-1]["conditions"].append(parse(rest[rest.rindex('"') + 1:]))
            elif word == "grid":
                self.versions[-1]["grid"] = parse(rest)

    def evaluate(self, expr, arguments, extents):
        if isinstance(expr, int):
            return expr
        kind = expr[0]
        if kind == "extent":
            return extents[expr[1]]
        if kind == "scalar":
            return arguments[expr[1]]
        if kind == "real":
            return struct.unpack("<q", struct.pack("<d", arguments[expr[1]]))[0]
        if kind in ("size", "stride", "aligned"):
            tensor = arguments[expr[1]]
            if kind == "size":
                return tensor.shape[expr[2]]
            if kind == "stride":
                return tensor.stride(expr[2])
            strides = [s * tensor.element_size() for s in tensor.stride()[:-1]] + [tensor.data_ptr()]
            return int(all(s % expr[2] == 0 for s in strides) and tensor.stride(-1) == 1)
        v = [self.evaluate(e, arguments, extents) for e in expr[1:]]
        if kind in ("feq", "fne", "flt", "fle", "fgt", "fge"):  # of the bits of doubles
            v = [struct.unpack("<d", struct.pack("<q", x))[0] for x in v]
            kind = kind[1:]
        return int({
            "add": lambda: v[0] + v[1], "sub": lambda: v[0] - v[1], "mul": lambda: v[0] * v[1],
            "floordiv": lambda: v[0] // v[1] if v[1] else 0, "mod": lambda: v[0] % v[1] if v[1] else v[0],
            "min": lambda: min(v), "max": lambda: max(v), "neg": lambda: -v[0], "eq": lambda: v[0] == v[1],
            "ne": lambda: v[0] != v[1], "lt": lambda: v[0] < v[1], "le": lambda: v[0] <= v[1],
            "gt": lambda: v[0] > v[1], "ge": lambda: v[0] >= v[1], "and": lambda: v[0] and v[1],
            "or": lambda: v[0] or v[1], "not": lambda: not v[0], "select": lambda: v[1] if v[0] else v[2],
        }[kind]())


class Kernel:
    def __init__(self, folder, name):
        self.record = Record(folder / f"{name}.launch")
        code = folder / f"{name}.cubin"
        image = code.read_bytes() if code.exists() else (folder / f"{name}.ptx").read_bytes() + b"\0"
        self.module = ctypes.c_void_p()
        log = ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(5, 6)  # error log buffer, its size
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), 8192)
        result = CUDA.cuModuleLoadDataEx(ctypes.byref(self.module), image, 2, options, values)
        if result != 0:
            raise RuntimeError(f"{name}: {log.value.decode()}")

    def prepare(self, arguments):
        """A function that launches on these arguments, and the version that it takes."""
        named = {name: a for (name, _), a in zip(self.record.views, arguments)}
        extents = {}
        for name, expr in self.record.extents:
            extents[name] = self.record.evaluate(expr, named, extents)
        version = next(v for v in self.record.versions
                       if all(self.record.evaluate(c, named, extents) for c in v["conditions"]))
        grid = self.record.evaluate(version["grid"], named, extents)
        function = ctypes.c_void_p()
        symbol = version["symbol"].encode()
        check(CUDA.cuModuleGetFunction(ctypes.byref(function), self.module, symbol), version["symbol"])
        if version["shared"] > 48 * 1024:
            check(CUDA.cuFuncSetAttribute(function, 8, version["shared"]), "dynamic shared memory")
        words = [ctypes.c_int64(e) for e in extents.values()]
        for (_, is_view), argument in zip(self.record.views, arguments):
            if is_view:
                words.append(ctypes.c_uint64(argument.data_ptr()))
                words += [ctypes.c_int64(s) for s in argument.stride()]
            else:
                words.append(ctypes.c_float(argument) if isinstance(argument, float) else ctypes.c_int64(argument))
        pointers = (ctypes.c_void_p * len(words))(*[ctypes.addressof(w) for w in words])

        def launch(keep=words):
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            check(CUDA.cuLaunchKernel(function, grid, 1, 1, version["threads"], 1, 1, version["shared"], stream,
                                      pointers, None), version["symbol"])

        return launch, version["symbol"]


# ---- time


FLUSH = None


def interleaved(contenders, rounds):
    """Median microseconds of each; L2 flushed before every launch, order of contenders random in every round."""
    global FLUSH
    if FLUSH is None:
        FLUSH = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    times = {name: [] for name in contenders}
    for name, run in contenders.items():
        for _ in range(3):
            run()
    torch.cuda.synchronize()
    for _ in range(rounds):
        order = list(contenders)
        random.shuffle(order)
        events = []
        for name in order:
            FLUSH.zero_()
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            contenders[name]()
            end.record()
            events.append((name, begin, end))
        torch.cuda.synchronize()
        for name, begin, end in events:
            times[name].append(begin.elapsed_time(end) * 1e3)
    return {name: statistics.median(values) for name, values in times.items()}


def copy_of(count):
    """A device copy that moves so many bytes in all."""
    half = max(count // 2, 1)
    a = torch.empty(half, dtype=torch.uint8, device="cuda").random_(0, 255)
    b = torch.empty_like(a)
    return lambda: b.copy_(a)


def measure(folder, case, name, rounds):
    kernel = Kernel(folder, name)
    arguments, outputs = case.make()
    launch, version = kernel.prepare(arguments)
    for out in outputs:
        out.view(torch.uint8).fill_(0xFF)
    launch()
    torch.cuda.synchronize()
    error = case.error(arguments, outputs)
    contenders = {"ours": launch}
    if case.bytes:
        contenders["copy"] = copy_of(case.bytes)
    if case.peer:
        contenders["peer"] = case.peer(arguments)
    times = interleaved(contenders, rounds)
    row = {"name": name, "what": case.what, "version": version, "error": error, "limit": case.limit,
           "us": {k: round(t, 2) for k, t in times.items()}}
    row["right"] = bool(error <= case.limit)
    if case.bytes:
        row["gbs"] = round(case.bytes / times["ours"] / 1e3, 1)
        row["of_copy"] = round(times["copy"] / times["ours"], 3)
    if case.flops:
        row["tflops"] = round(case.flops / times["ours"] / 1e6, 1)
    if case.peer:
        row["of_peer"] = round(times["peer"] / times["ours"], 3)
    return row


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=Path)
    options.add_argument("--only", default="")
    options.add_argument("--rounds", type=int, default=40)
    options.add_argument("--json", default="")
    args = options.parse_args()
    torch.manual_seed(1)
    torch.zeros(1, device="cuda")
    print(torch.cuda.get_device_name(), "torch", torch.__version__, flush=True)
    rows, failed = [], 0
    for case in all_cases.cases():
        if args.only and case.name not in args.only.split(","):
            continue
        for name in sorted(path.stem for path in args.folder.glob(f"{case.name}*.launch")):
            if name.partition("@")[0] != case.name:
                continue
            try:
                row = measure(args.folder, case, name, args.rounds)
            except Exception as problem:  # the next one still runs
                row = {"name": name, "problem": str(problem)}
                failed += 1
            failed += row.get("right") is False
            rows.append(row)
            print(json.dumps(row), flush=True)
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
