// Generated kernels of the kinds that schedules are written for: products with a carried sum, chains of two products,
// rows whose absent elements are filled, kept or weighted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Check/Random.h"
#include "tessera/Testing/KernelGenerator.h"
#include "tessera/Testing/ScheduleFuzz.h"

using namespace tessera;

namespace {

class Family {
public:
  explicit Family(uint64_t seed) : random(seed) {}

  ScheduleKernel product();
  ScheduleKernel chain();
  ScheduleKernel rows();
  ScheduleKernel pair();

private:
  std::string pick(std::initializer_list<const char *> words) {
    return words.begin()[random.below(words.size())];
  }
  bool chance(unsigned percent) { return random.below(100) < percent; }
  std::vector<std::map<std::string, int64_t>> sizes(std::initializer_list<const char *> names,
                                                    int64_t most = 40);

  Random random;
};

} // namespace

/// Two small launches, one with an empty axis, two of any size up to `most`.
std::vector<std::map<std::string, int64_t>> Family::sizes(std::initializer_list<const char *> names,
                                                          int64_t most) {
  static constexpr int64_t whole[] = {8, 16, 32};
  std::vector<std::map<std::string, int64_t>> all(5);
  size_t empty = random.below(names.size()), at = 0;
  for (const char *name : names) {
    all[0][name] = 1 + random.below(8);
    all[1][name] = at++ == empty ? 0 : 1 + random.below(8);
    all[2][name] = 8;
    all[3][name] = 1 + random.below(most);
    all[4][name] = std::min(most, whole[random.below(std::size(whole))]);
  }
  return all;
}

/// What is added, multiplied or cut off behind the loop; steps of 8 or 16 along each axis.
ScheduleKernel Family::product() {
  std::string type = pick({"bf16", "bf16", "f16", "f32"}), out = pick({"f32", "f32", "bf16"});
  std::string m = pick({"16", "16", "32"}), n = pick({"8", "16"}),
              k = pick({"8", "16", "16", "32"});
  bool isTurned = chance(30), hasBias = chance(40);
  std::string text = "kernel product(a: in view<[M, K], " + type + ">, b: in view<" +
                     (isTurned ? "[N, K], " : "[K, N], ") + type + ">,\n    " +
                     (hasBias ? "w: in view<[N], f32>, " : "") + "d: out view<[M, N], " + out +
                     ">) {\n  grid m in tiles(M, " + m + "), n in tiles(N, " + n + ")\n";
  text += hasBias ? "  let bias = w[n] * 2.0\n" : "";
  text += "  var acc = zeros(f32, [" + m + ", " + n + "])\n  for k in tiles(K, " + k + ") {\n";
  std::string left = "a[m, k]";
  if (chance(30)) {
    text += "    let h = max(a[m, k], 0.0)\n";
    left = "h";
  }
  text += "    acc = mma(" + left + ", " + (isTurned ? "b[n, k].T" : "b[k, n]") + ", acc)\n  }\n";
  std::string value = hasBias ? "acc + bias[_, :]" : "acc";
  value = chance(30) ? "max(" + value + ", 0.0)" : value;
  text += "  d[m, n] = " + (out == "f32" ? value : "(" + value + ") as " + out) + "\n}";
  return {"product", text, sizes({"M", "N", "K"}), RunContents::integers};
}

/// Queries against keys against values, with a mask or without, a running maximum and a sum of any order.
ScheduleKernel Family::chain() {
  std::string type = pick({"bf16", "f16"}), width = pick({"16", "16", "32"});
  bool isMasked = chance(60), hasSum = chance(60);
  std::string text = "kernel chain(q: in view<[S, 16], " + type + ">, k: in view<[T, 16], " + type +
                     ">, v: in view<[T, 16], " + type +
                     ">,\n    o: out view<[S, 16], f32>) {\n  grid m in tiles(S, 16)\n"
                     "  let qt = q[m, :]\n  var acc = zeros(f32, [16, 16])\n"
                     "  var top = full(f32, [16], 0.0)\n";
  text += hasSum ? "  var total = zeros(f32, [16])\n" : "";
  text += "  for n in tiles(T, " + width + ") {\n    let s = mma(qt, k[n, :].T)\n";
  text += isMasked ? "    let t = s.keep_if(n.index[_, :] <= m.index[:, _])\n"
                     "    let u = t ?? 0.0\n"
                   : "    let u = s\n";
  text += "    top = max(top, max(u, axis = 1))\n    let p = min(max(u, 0.0), 4.0)\n";
  text += hasSum ? "    total = total + sum(p, axis = 1, order = any)\n" : "";
  text += "    acc = mma(p as " + type + ", v[n, :], acc)\n  }\n";
  text += std::string("  o[m, :] = acc + ") + (hasSum ? "(top + total)" : "top") + "[:, _]\n}";
  return {"chain", text, sizes({"S", "T"}), RunContents::integers};
}

/// Absent elements become something: a fill that a store, a sum or a maximum sees or does not see.
ScheduleKernel Family::rows() {
  std::string width = pick({"16", "32", "40"}), height = pick({"4", "8"});
  std::string fill = pick({"0.0", "0.0", "0.0", "1.0", "-2.0"});
  std::string text = "kernel rows(x: in view<[M, N], f32>, w: in view<[N], f32>, s: out view<[M], "
                     "f32>,\n    y: out view<[M, N], f32>) where N <= " +
                     width + " {\n  let c = whole(N, width = " + width +
                     ")\n  grid r in tiles(M, " + height + ")\n  let t = x[r, c]\n";
  std::string source = "t";
  if (chance(30)) {
    text += "  let kept = t.keep_if(t > 0.0)\n";
    source = "kept";
  } else if (chance(40)) {
    text += "  let scaled = t * w[c][_, :]\n";
    source = "scaled";
  }
  text += "  let f = " + source + " ?? " + fill + "\n";
  text += "  s[r] = " + pick({"sum", "max", "sum", "min"}) + "(" +
          pick({"f", "f", "t", "f * 2.0"}) + ", axis = 1)\n";
  text += "  y[r, c] = " + pick({"f", "t", "f * 3.0", "f + t"}) + " + 1.0\n}";
  return {"rows", text, sizes({"M", "N"}, std::stoll(width)), RunContents::integers};
}

/// Two loops one after the other, of equal steps or not; the second one reads what the first one wrote, or something
/// else.
ScheduleKernel Family::pair() {
  std::string width = pick({"8", "8", "16"}), other = chance(75) ? width : pick({"4", "8"});
  std::string read = pick({"y[r, d]", "y[r, d]", "x[r, d]"});
  bool hasSum = chance(40);
  std::string text = "kernel pair(x: in view<[M, N], f32>, y: inout view<[M, N], f32>, z: out "
                     "view<[M, N], f32>,\n    s: out view<[M], f32>) {\n  grid r in tiles(M, 4)\n"
                     "  var total = zeros(f32, [4])\n  for c in tiles(N, " +
                     width + ") { y[r, c] = x[r, c] * 2.0 }\n  for d in tiles(N, " + other +
                     ") {\n    let t = " + read + "\n    z[r, d] = t + 1.0\n";
  text += hasSum ? "    total = total + sum(t, axis = 1, order = any)\n" : "";
  text += "  }\n  s[r] = total\n}";
  return {"pair", text, sizes({"M", "N"}), RunContents::integers};
}

ScheduleKernel tessera::generatedScheduleKernel(uint64_t seed) {
  Family family(deriveSeed(seed, "family"));
  switch (mixBits(seed) % 6) {
  case 0:
    return family.product();
  case 1:
    return family.chain();
  case 2:
    return family.rows();
  case 3:
    return family.pair();
  default: {
    GeneratedKernel generated = generateKernel(seed);
    return {generated.name, generated.text, {generated.extents}, RunContents::integers};
  }
  }
}
