"""The probes of tile-instr against the PTX manual: each is executed here by the manual's formulas for fragments, ldmatrix and
stmatrix, which share nothing with the layout library; what comes out must be what the probe expects of a device. A probe
with another map must not pass."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TESSERA_BUILD_DIR", os.path.join(ROOT, "build"))
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "device"))
import fragments  # noqa: E402


def e4m3(byte):
    sign, exponent, mantissa = byte >> 7, byte >> 3 & 15, byte & 7
    value = mantissa / 512 if exponent == 0 else (1 + mantissa / 8) * 2.0 ** (exponent - 7)
    return -value if sign else value


DECODE = {
    "bf16": (2, lambda b: struct.unpack("<f", b"\0\0" + b)[0]), "f16": (2, lambda b: struct.unpack("<e", b)[0]),
    "e4m3": (1, lambda b: e4m3(b[0])), "e5m2": (1, lambda b: struct.unpack("<e", b"\0" + b)[0]),
    "s8": (1, lambda b: struct.unpack("b", b)[0]), "u8": (1, lambda b: b[0]),
}


def a16(lane, i):  # m16n8k16 and, with half the values, m16n8k8
    return (lane >> 2) + 8 * (i in (2, 3, 6, 7)), lane % 4 * 2 + (i & 1) + 8 * (i >= 4)


def b16(lane, i):
    return lane % 4 * 2 + (i & 1) + 8 * (i >= 2), lane >> 2


def a8(lane, i):  # m16n8k32 and, with half the values, m16n8k16
    return (lane >> 2) + 8 * (i // 4 % 2), lane % 4 * 4 + (i & 3) + 16 * (i >= 8)


def b8(lane, i):
    return lane % 4 * 4 + (i & 3) + 16 * (i >= 4), lane >> 2


def c32(lane, i):
    return (lane >> 2) + 8 * (i >= 2), lane % 4 * 2 + (i & 1)


def gather(data, decode, values, place):
    """(row, column) -> element, of a fragment's words."""
    size, read = decode
    tile = {}
    for lane in range(32):
        for i in range(values):
            at = (lane * values + i) * size
            tile[place(lane, i)] = read(data[at:at + size])
    return tile


def product(name, data, c_place=c32):
    depth, kind = int(name.split("k")[1].split("_")[0]), name.split("_")[2]
    size = DECODE[kind][0]
    count_a, count_b = 16 * depth // 32, depth * 8 // 32
    split_a = count_a * 32 * size
    split_b = split_a + count_b * 32 * size
    a = gather(data[:split_a], DECODE[kind], count_a, a8 if size == 1 else a16)
    b = gather(data[split_a:split_b], DECODE[kind], count_b, b8 if size == 1 else b16)
    number = "i" if kind in ("s8", "u8") else "f"
    c = gather(data[split_b:], (4, lambda word: struct.unpack("<" + number, word)[0]), 4, c_place)
    out = b""
    for lane in range(32):
        for i in range(4):
            row, col = c_place(lane, i)
            total = c[row, col] + sum(a[row, k] * b[k, col] for k in range(depth))
            out += struct.pack("<" + number, total if number == "f" else int(total))
    return out


def move(name, data):
    """ldmatrix and stmatrix: row r of matrix m lies at the address of lane 8m + r."""
    matrices, transposed = int(name.split("_x")[1][0]), name.endswith("_trans")
    store = name.startswith("st")
    offsets = struct.unpack("<32I", data[:128])
    rest = data[128:]
    memory, words = bytearray(128 * matrices) if store else rest, bytearray() if not store else rest
    for lane in range(32):
        for register in range(matrices):
            for half in range(2):
                row, col = lane // 4, lane % 4 * 2 + half
                if transposed:
                    row, col = col, row
                at = offsets[8 * register + row] + 2 * col
                if store:
                    word = (lane * matrices + register) * 4 + 2 * half
                    memory[at:at + 2] = words[word:word + 2]
                else:
                    words += memory[at:at + 2]
    return bytes(memory if store else words)


class Fragments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temp = tempfile.TemporaryDirectory()
        subprocess.run([os.path.join(BUILD, "bin", "tile-instr"), "--probe=" + cls.temp.name, "--target=sm_90a"],
                       check=True)
        with open(os.path.join(cls.temp.name, "fragments.txt"), encoding="utf-8") as file:
            cls.probes = list(fragments.probes(file.read()))

    @classmethod
    def tearDownClass(cls):
        cls.temp.cleanup()

    def differing(self, execute, chosen):
        """The maps, `NAME.operand`, that `execute` shows to be others than the declared ones."""
        wrong = set()
        for name, _, size_in, size, _, labels in self.probes:
            if chosen in name:
                data, expected = (self.read(name + suffix) for suffix in (".in", ".expected"))
                got = b"".join(execute(name, data[i * size_in:(i + 1) * size_in]) for i in range(len(labels)))
                found = fragments.differences(labels, size, got, expected)
                wrong |= {name + "." + label for label in found if found[label]}
        return wrong

    def read(self, name):
        with open(os.path.join(self.temp.name, name), "rb") as file:
            return file.read()

    def test_products(self):
        names = {probe[0] for probe in self.probes if probe[0].startswith("mma_")}
        self.assertEqual(len(names), 9)
        self.assertEqual(self.differing(product, "mma_"), set())

    def test_moves(self):
        self.assertEqual(len([1 for probe in self.probes if "matrix" in probe[0]]), 7)
        self.assertEqual(self.differing(move, "matrix_x"), set())

    def test_other_maps_are_seen(self):
        """Hardware whose B has its values the other way round, whose C has its halves swapped, that loads other rows."""
        global b16
        manual = b16
        b16 = lambda lane, i: manual(lane, i ^ 1)
        try:
            wrong = self.differing(product, "mma_m16n8k16_bf16")
            self.assertLessEqual({"mma_m16n8k16_bf16.a", "mma_m16n8k16_bf16.b"}, wrong)
        finally:
            b16 = manual
        swapped = lambda name, data: product(name, data, lambda lane, i: c32(lane, i ^ 2))
        self.assertIn("mma_m16n8k32_s8.c", self.differing(swapped, "mma_m16n8k32_s8"))
        turned = lambda name, data: move(name.replace("_trans", ""), data)
        self.assertEqual(self.differing(turned, "ldmatrix_x4"), {"ldmatrix_x4_trans.dst"})


if __name__ == "__main__":
    unittest.main()
