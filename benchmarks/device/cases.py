# What bench.py runs kernels on: arguments, what is right, how many bytes must move, who the peer is.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import math
from dataclasses import dataclass
from typing import Callable, Optional

import torch
import torch.nn.functional as F


@dataclass
class Case:
    name: str
    what: str
    make: Callable
    error: Callable
    limit: float
    bytes: int = 0
    flops: float = 0
    peer: Optional[Callable] = None


def normal(*shape, dtype=torch.bfloat16):
    return torch.randn(*shape, device="cuda", dtype=torch.float32).to(dtype)


def relative(out, want):
    """Norm of the difference over the norm of what is right; any NaN counts as wrong."""
    want = want.double()
    error = ((out.double() - want).norm() / want.norm()).item()
    return error if math.isfinite(error) else math.inf


def vector_add(n, name="vector_add"):
    def make():
        x, y = normal(n, dtype=torch.float32), normal(n, dtype=torch.float32)
        z = torch.empty_like(x)
        return [x, y, z], [z]

    return Case(name, f"f32 {n}", make, lambda a, o: float((o[0] != a[0] + a[1]).sum()), 0, bytes=12 * n,
                peer=lambda a: lambda: torch.add(a[0], a[1], out=torch.empty_like(a[0])))


def softmax(m, n, name="softmax"):
    def make():
        x = normal(m, n)
        return [x, torch.empty_like(x)], None

    def both():
        args, _ = make()
        return args, [args[1]]

    return Case(name, f"bf16 {m}x{n}", both,
                lambda a, o: relative(o[0], torch.softmax(a[0].float(), 1)), 3e-3, bytes=4 * m * n,
                peer=lambda a: lambda: torch.softmax(a[0], 1))


def rmsnorm(m, n):
    def make():
        x, w = normal(m, n), normal(n)
        y = torch.empty_like(x)
        return [x, w, 1e-6, y], [y]

    def right(a):
        x = a[0].float()
        return x * torch.rsqrt((x * x).mean(1, keepdim=True) + a[2]) * a[1].float()

    return Case("rmsnorm", f"bf16 {m}x{n}", make, lambda a, o: relative(o[0], right(a)), 3e-3, bytes=4 * m * n)


def swiglu(tokens, h, group=128):
    def make():
        x = normal(tokens, 2 * h)
        y = torch.empty(tokens, h, device="cuda", dtype=torch.uint8)
        sf = torch.empty(tokens, h // group, device="cuda", dtype=torch.float32)
        return [x, y, sf], [y, sf]

    def error(a, o):
        z = F.silu(a[0][:, :h].float()) * a[0][:, h:].float()
        amax = z.view(tokens, h // group, group).abs().amax(2).clamp(min=1e-4)
        values = o[0].view(torch.float8_e4m3fn).float().view(tokens, h // group, group) * o[1][:, :, None]
        return max(relative(values, z.view_as(values)) - 0.03, relative(o[1], amax / 448.0))

    return Case("swiglu_cast", f"bf16 {tokens}x{h}", make, error, 1e-4,
                bytes=tokens * h * 5 + tokens * h // group * 4)


def gemm(m, n, k, name="gemm"):
    def make():
        a, b = normal(m, k), normal(k, n)
        d = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
        return [a, b, d], [d]

    return Case(name, f"bf16 {m}x{n}x{k}", make,
                lambda a, o: relative(o[0], a[0].float() @ a[1].float()), 4e-3, flops=2 * m * n * k,
                peer=lambda a: lambda: torch.matmul(a[0], a[1]))


def attention(b, h, s, d, causal, name):
    def make():
        q, k, v = (normal(b, h, s, d) for _ in range(3))
        o = torch.empty_like(q)
        lse = torch.empty(b, h, s, device="cuda", dtype=torch.float32)
        return [q, k, v, 1 / math.sqrt(d), o, lse], [o, lse]

    def error(a, o):
        want = F.scaled_dot_product_attention(a[0][:1].float(), a[1][:1].float(), a[2][:1].float(), is_causal=causal)
        return relative(o[0][:1], want)

    return Case(name, f"bf16 b{b} h{h} s{s} d{d}{' causal' if causal else ''}", make, error, 6e-3,
                flops=4 * b * h * s * s * d * (0.5 if causal else 1),
                peer=lambda a: lambda: F.scaled_dot_product_attention(a[0], a[1], a[2], is_causal=causal))


# ---- second kernels of the families (second/*.tile): the schedules that the first ones have


def axpby(n):
    def make():
        x, y = normal(n, dtype=torch.float32), normal(n, dtype=torch.float32)
        z = torch.empty_like(x)
        return [x, y, 0.5, -3.0, z], [z]

    return Case("axpby", f"f32 {n}", make, lambda a, o: float((o[0] != a[0] * a[2] + a[1] * a[3]).sum()), 0, bytes=12 * n)


def log_softmax(m, n):
    def make():
        x = normal(m, n)
        y = torch.empty_like(x)
        return [x, y], [y]

    return Case("log_softmax", f"bf16 {m}x{n}", make,
                lambda a, o: relative(o[0], torch.log_softmax(a[0].float(), 1)), 3e-3, bytes=4 * m * n,
                peer=lambda a: lambda: torch.log_softmax(a[0], 1))


def unit_rows(m, n):
    def make():
        x, g = normal(m, n), normal(n)
        y = torch.empty_like(x)
        return [x, g, 1e-6, y], [y]

    return Case("unit_rows", f"bf16 {m}x{n}", make,
                lambda a, o: relative(o[0], F.normalize(a[0].float(), dim=1, eps=a[2]) * a[1].float()), 3e-3, bytes=4 * m * n)


def gate_cast(tokens, h, group=128):
    def make():
        x = normal(tokens, 2 * h)
        y = torch.empty(tokens, h, device="cuda", dtype=torch.uint8)
        sf = torch.empty(tokens, h // group, device="cuda", dtype=torch.float32)
        return [x, y, sf], [y, sf]

    def error(a, o):
        z = (a[0][:, :h].float() + a[0][:, h:].float()) * torch.sigmoid(a[0][:, :h].float())
        amax = z.view(tokens, h // group, group).abs().amax(2).clamp(min=1e-4)
        values = o[0].view(torch.float8_e4m3fn).float().view(tokens, h // group, group) * o[1][:, :, None]
        return max(relative(values, z.view_as(values)) - 0.03, relative(o[1], amax / 448.0))

    return Case("gate_cast", f"bf16 {tokens}x{h}", make, error, 1e-4,
                bytes=tokens * h * 5 + tokens * h // group * 4)


def gemm_scaled(m, n, k):
    def make():
        a, b, c = normal(m, k), normal(k, n), normal(m, n)
        rows, cols = normal(m, dtype=torch.float32), normal(n, dtype=torch.float32)
        d = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
        return [a, b, rows, cols, c, d], [d]

    return Case("gemm_scaled", f"bf16 {m}x{n}x{k}", make,
                lambda a, o: relative(o[0], (a[0].float() @ a[1].float()) * a[2][:, None] * a[3] + a[4].float()), 4e-3,
                flops=2 * m * n * k, peer=lambda a: lambda: torch.matmul(a[0], a[1]))


def attention_bias(b, h, s, d):
    def make():
        q, k, v = (normal(b, h, s, d) for _ in range(3))
        bias = normal(b, s, dtype=torch.float32)
        bias[:, -s // 16:] = -math.inf  # padding
        o = torch.empty_like(q)
        lse = torch.empty(b, h, s, device="cuda", dtype=torch.float32)
        return [q, k, v, bias, 1 / math.sqrt(d), o, lse], [o, lse]

    def error(a, o):
        scores = a[0][:1].float() @ a[1][:1].float().mT * a[4] + a[3][:1, None, None, :]
        return max(relative(o[0][:1], torch.softmax(scores, 3) @ a[2][:1].float()),
                   relative(o[1][:1], torch.logsumexp(scores, 3)))

    def peer(a):
        mask = a[3].bfloat16()[:, None, None, :]
        return lambda: F.scaled_dot_product_attention(a[0], a[1], a[2], mask)

    return Case("attention_bias", f"bf16 b{b} h{h} s{s} d{d}", make, error, 6e-3, flops=4 * b * h * s * s * d,
                peer=peer)


def second():
    return [axpby(1 << 26), log_softmax(16384, 4096), unit_rows(8192, 8192), gate_cast(16384, 7168),
            gemm_scaled(4096, 4096, 4096), attention_bias(4, 32, 2048, 128)]


def cases():
    found = [vector_add(1 << 26), softmax(16384, 4096), softmax(1024, 65536, "softmax_long"),
             softmax(1024, 65536, "softmax_long_any"), rmsnorm(8192, 8192), vector_add((1 << 31) + 1000, "vector_add_huge"),
             swiglu(16384, 7168), gemm(4096, 4096, 4096)]
    found += [attention(4, 32, 2048, 128, False, "attention"), attention(4, 32, 2048, 128, True, "attention_causal")]
    return found + second()
