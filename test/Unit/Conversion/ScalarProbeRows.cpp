// The rows of the probe of scalars, their operands, and the hash of results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarProbe.h"

#include "tessera/Numeric/NumberSystem.h"
#include "tessera/Numeric/Value.h"

using namespace tessera;
using namespace tessera::testing;
using llvm::ArrayRef;
using llvm::Value;

namespace {
using Scalars = convert::ScalarLowering;
using Builder = llvm::IRBuilderBase;
using Values = ArrayRef<Value *>;

std::string moduleOf(llvm::StringRef kind, DType type) { return (kind + "_" + irName(type)).str(); }

ProbeRow tableRow(ScalarOp op, DType type) {
  ProbeRow row;
  row.name = (mnemonic(op) + "_" + irName(type)).str();
  row.module = moduleOf(info(op).hasAccuracy ? "function" : "row", type);
  row.in.assign(info(op).arity, type);
  row.out = resultType(op, type);
  row.emit = [=](Scalars &s, Builder &b, Values x) { return s.row(b, op, type, x); };
  row.exact = [=](ArrayRef<Elements> in, Elements &out) {
    if (in.size() == 1) {
      ExactSystem::unary(op, type)(in[0].data(), out.data(), out.size());
    } else if (in.size() == 2) {
      ExactSystem::binary(op, type)(in[0].data(), in[1].data(), out.data(), out.size());
    } else {
      ExactSystem::ternary(op, type)(in[0].data(), in[1].data(), in[2].data(), out.data(),
                                     out.size());
    }
  };
  return row;
}

ProbeRow castRow(DType from, DType to, Round round, Overflow overflow) {
  ProbeRow row;
  row.name = (irName(from) + "_" + irName(to) + "_" + name(round) + "_" + name(overflow)).str();
  row.module = moduleOf("cast", from);
  row.in = {from};
  row.out = to;
  row.emit = [=](Scalars &s, Builder &b, Values x) -> llvm::Expected<Value *> {
    return s.cast(b, x[0], from, to, round, overflow);
  };
  row.exact = [=](ArrayRef<Elements> in, Elements &out) {
    ExactSystem::cast(from, to, round, overflow)(in[0].data(), out.data(), out.size());
  };
  return row;
}

ProbeRow pairRow(std::string name, DType type, Kernel2 exact) {
  ProbeRow row;
  row.name = std::move(name);
  row.module = moduleOf("compare", type);
  row.in = {type, type};
  row.out = DType::i1;
  row.exact = [=](ArrayRef<Elements> in, Elements &out) {
    exact(in[0].data(), in[1].data(), out.data(), out.size());
  };
  return row;
}

void addComparisons(std::vector<ProbeRow> &rows, DType type) {
  for (CmpPredicate p : {CmpPredicate::eq, CmpPredicate::ne, CmpPredicate::lt, CmpPredicate::le,
                         CmpPredicate::gt, CmpPredicate::ge}) {
    rows.push_back(
        pairRow((name(p) + "_" + irName(type)).str(), type, ExactSystem::compare(p, type)));
    rows.back().emit = [=](Scalars &s, Builder &b, Values x) -> llvm::Expected<Value *> {
      return s.compare(b, p, type, x[0], x[1]);
    };
  }
  rows.push_back(pairRow(("ranks_" + irName(type)).str(), type, ExactSystem::ranksAbove(type)));
  rows.back().emit = [=](Scalars &s, Builder &b, Values x) -> llvm::Expected<Value *> {
    return s.ranksAbove(b, type, x[0], x[1]);
  };
}

void addReductions(std::vector<ProbeRow> &rows, DType type) {
  for (unsigned k = 0; k < numReduceKinds; ++k) {
    auto kind = static_cast<ReduceKind>(k);
    Kernel2 combine = ExactSystem::combine(kind, type);
    if (!combine) {
      continue;
    }
    ProbeRow row;
    row.name = ("reduce_" + name(kind) + "_" + irName(type)).str();
    row.module = moduleOf("reduce", type);
    row.in = {type, type};
    row.out = type;
    row.emit = [=](Scalars &s, Builder &b, Values x) -> llvm::Expected<Value *> {
      llvm::Expected<Value *> both =
          s.combine(b, kind, type, s.prepare(b, kind, type, x[0]), s.prepare(b, kind, type, x[1]));
      return both ? s.finish(b, kind, type, *both) : std::move(both);
    };
    row.exact = [=](ArrayRef<Elements> in, Elements &out) {
      Elements left = in[0], right = in[1];
      if (Kernel1 prepare = ExactSystem::prepare(kind, type)) {
        prepare(in[0].data(), left.data(), left.size());
        prepare(in[1].data(), right.data(), right.size());
      }
      combine(left.data(), right.data(), out.data(), out.size());
      if (Kernel1 finish = ExactSystem::finish(kind, type)) {
        left = out;
        finish(left.data(), out.data(), out.size());
      }
    };
    rows.push_back(std::move(row));
  }
}
} // namespace

std::vector<ProbeRow> testing::probeRows() {
  std::vector<ProbeRow> rows;
  for (DType type : allDTypes) {
    for (unsigned k = 0; k < numScalarOps; ++k) {
      if (auto op = static_cast<ScalarOp>(k); accepts(op, type)) {
        rows.push_back(tableRow(op, type));
      }
    }
    addComparisons(rows, type);
    addReductions(rows, type);
    for (DType to : allDTypes) {
      for (Round round : {Round::rne, Round::rz, Round::ru, Round::rd, Round::away}) {
        for (Overflow overflow : {Overflow::inf, Overflow::sat, Overflow::nan, Overflow::wrap}) {
          if (castAccepts(type, to, overflow)) {
            rows.push_back(castRow(type, to, round, overflow));
          }
        }
      }
    }
  }
  return rows;
}

std::vector<Elements> testing::probeInputs(DType type, unsigned arity) {
  if (arity > 1) {
    return samples(type, arity, 1 << 16);
  }
  std::vector<Elements> in = {castSamples(type, 1 << 17)};
  // Ordinary numbers, which random patterns of wide types seldom are.
  for (int i = 0; isFloat(type) && bitWidth(type) > 16 && i < 1 << 17; ++i) {
    double x = (i % 2 ? i : -i) * (i % 3 ? 0.00123 : 0.000077);
    Elements one(type, 1);
    fromDouble(type, x, Round::rne, Overflow::inf, one.data());
    in[0].push(one.pattern(0));
  }
  return in;
}

/// The finaliser of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::vector<uint64_t> testing::hashes(const Elements &results) {
  std::vector<uint64_t> sums((results.size() + hashChunk - 1) / hashChunk);
  for (size_t i = 0; i < results.size(); ++i) {
    bool isNaN = isNaNElement(results.type, results.at(i));
    uint64_t pattern = isNaN ? 0x7ff8dead0000beefu : results.pattern(i);
    sums[i / hashChunk] += mix(pattern + (i + 1) * 0x9e3779b97f4a7c15u);
  }
  return sums;
}
