// The targets. Numbers are those of the vendor's table of technical specifications per compute capability; `sms` of the
// usual data-centre or workstation device. Rates are those of the data sheets of A100 80GB SXM, H200 SXM and B200, without
// sparsity.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/TargetRecord.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::schedule;

namespace {
struct Row {
  unsigned version;
  int64_t kibibytes; ///< of shared memory that a CTA may ask for
  int64_t sms;
  int64_t cluster;
  int64_t memoryRate; ///< bytes a nanosecond
};
constexpr Row rows[] = {{75, 64, 40, 1, 0},  {80, 163, 108, 1, 2039}, {86, 99, 84, 1, 0},
                        {89, 99, 142, 1, 0}, {90, 227, 132, 8, 4800}, {100, 227, 148, 8, 8000}};

/// Tera-operations a second.
struct Rate {
  unsigned version;
  llvm::StringLiteral type;
  double products, others;
};
constexpr Rate rates[] = {
    {80, "f16", 312, 0},    {80, "bf16", 312, 0},    {80, "tf32", 156, 0},   {80, "i8", 624, 0},
    {80, "ui8", 624, 0},    {80, "f32", 19.5, 19.5}, {80, "f64", 19.5, 9.7}, {90, "f16", 989.5, 0},
    {90, "bf16", 989.5, 0}, {90, "tf32", 494.5, 0},  {90, "i8", 1979, 0},    {90, "ui8", 1979, 0},
    {90, "e4m3", 1979, 0},  {90, "e5m2", 1979, 0},   {90, "f32", 67, 67},    {90, "f64", 67, 34},
    {100, "f16", 2250, 0},  {100, "bf16", 2250, 0},  {100, "tf32", 1125, 0}, {100, "i8", 4500, 0},
    {100, "ui8", 4500, 0},  {100, "e4m3", 4500, 0},  {100, "e5m2", 4500, 0}, {100, "f32", 75, 75},
    {100, "f64", 37, 37}};
} // namespace

static Rate rateOf(unsigned version, llvm::StringRef type) {
  for (const Rate &rate : rates) {
    if (rate.version == version && rate.type == type) {
      return rate;
    }
  }
  return {version, "", 0, 0};
}

double TargetRecord::productRate(llvm::StringRef type) const {
  // `tf32x3` is three products of tf32.
  unsigned times = 1;
  auto [base, more] = type.rsplit('x');
  if (!more.empty() && !more.getAsInteger(10, times)) {
    type = base;
  }
  return rateOf(version, type).products * 1e3 / std::max(times, 1u);
}

double TargetRecord::otherRate(llvm::StringRef type) const {
  return rateOf(version, type).others * 1e3;
}

/// The version and suffix of `sm_90a`; nothing for other text.
static std::optional<std::pair<unsigned, char>> parseArch(llvm::StringRef arch) {
  if (!arch.consume_front("sm_")) {
    return std::nullopt;
  }
  unsigned version = 0;
  if (arch.consumeInteger(10, version) || arch.size() > 1 ||
      (arch.size() == 1 && !llvm::isAlpha(arch[0]))) {
    return std::nullopt;
  }
  return std::make_pair(version, arch.empty() ? char(0) : arch[0]);
}

std::optional<TargetRecord> TargetRecord::named(llvm::StringRef arch) {
  std::optional<std::pair<unsigned, char>> parsed = parseArch(arch);
  for (const Row &row : rows) {
    // Letters exist from sm_90 on.
    if (parsed && row.version == parsed->first && (!parsed->second || row.version >= 90)) {
      TargetRecord record;
      record.arch = arch.str();
      record.version = row.version;
      record.suffix = parsed->second;
      record.smem = row.kibibytes << 10;
      record.sms = row.sms;
      record.cluster = row.cluster;
      record.memoryRate = row.memoryRate;
      return record;
    }
  }
  return std::nullopt;
}

std::string TargetRecord::known() {
  std::string text;
  for (const Row &row : rows) {
    text += (text.empty() ? "sm_" : ", sm_") + std::to_string(row.version);
    text += row.version >= 90 ? ", sm_" + std::to_string(row.version) + "a" : "";
  }
  return text;
}

bool TargetRecord::supports(llvm::StringRef wanted) const {
  std::optional<std::pair<unsigned, char>> parsed = parseArch(wanted);
  if (!parsed) {
    return false;
  }
  // What has a letter belongs to that version alone.
  return parsed->second ? parsed->first == version && parsed->second == suffix
                        : parsed->first <= version;
}
