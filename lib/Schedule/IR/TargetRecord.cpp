// The targets. Numbers are those of the vendor's table of technical specifications per compute capability; `sms` of the
// usual data-centre or workstation device.
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
};
constexpr Row rows[] = {{75, 64, 40, 1},  {80, 163, 108, 1}, {86, 99, 84, 1},
                        {89, 99, 142, 1}, {90, 227, 132, 8}, {100, 227, 148, 8}};
} // namespace

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
