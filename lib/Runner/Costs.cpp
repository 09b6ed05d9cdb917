// Predicted costs of accesses beside counted ones. The two are made by different code from different things: layouts there,
// the addresses of a run here.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Costs.h"

#include "tessera/Conversion/AccessText.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace tessera;
using convert::AccessCost;
using convert::AccessCounts;

static constexpr int64_t sectorBytes = 32;

bool tessera::hasPlainArrays(const Launch &launch) {
  for (const LaunchArgument &argument : launch.arguments) {
    if (!argument.isView()) {
      continue;
    }
    const HostArray &array = argument.array;
    int64_t expected = 1, rank = int64_t(array.shape().size());
    for (int64_t axis = rank; axis-- > 0;) {
      if (array.shape()[axis] != 1 && array.strides()[axis] != expected) {
        return false;
      }
      expected *= array.shape()[axis];
    }
    int64_t row = rank > 1 ? array.shape().back() * int64_t(array.elementBytes()) : 0;
    if (row % sectorBytes != 0 || reinterpret_cast<uintptr_t>(array.data()) % sectorBytes != 0) {
      return false;
    }
  }
  return true;
}

void Costs::add(const sim::SimReport &run, llvm::StringRef entry, unsigned threads) {
  ++launches;
  entries.insert(entry);
  counted.resize(predicted.size());
  std::map<uint32_t, std::vector<const sim::SiteCounters *>> byAccess;
  for (const sim::SiteCounters &site : run.sites) {
    if (!site.touchesMemory) {
      continue;
    }
    if (site.access >= predicted.size() || predicted[site.access].entry != entry) {
      std::string text = site.site + ": `" + site.marker + "` belongs to no access";
      if (!llvm::is_contained(withoutPrediction, text)) {
        withoutPrediction.push_back(text);
      }
      continue;
    }
    byAccess[site.access].push_back(&site);
  }
  for (const auto &[number, sites] : byAccess) {
    addAccess(number, sites, threads);
  }
}

/// How often a CTA passed the access; nothing where not every part of it was passed equally often.
static std::optional<uint64_t> passesOf(const AccessCost &access, const AccessCounts &sums,
                                        llvm::ArrayRef<const sim::SiteCounters *> sites,
                                        unsigned threads) {
  // Lanes that take no part in an instruction do not execute it: what was moved tells.
  bool isInstruction = llvm::StringRef(sites.front()->marker).starts_with("i.");
  uint64_t all = 0, one = 0;
  if (isInstruction) {
    all = uint64_t(sums.bytes);
    one = access.counts ? uint64_t(access.counts->bytes) : 0;
  } else {
    for (const sim::SiteCounters *site : sites) {
      all += site->executed;
    }
    one = uint64_t(access.instructions) * threads;
  }
  return one != 0 && all % one == 0 ? std::optional<uint64_t>(all / one) : std::nullopt;
}

/// `6 sectors` for each pass.
static std::string perPass(int64_t sum, uint64_t passes, const char *unit) {
  std::string text = std::to_string(sum / int64_t(passes));
  if (sum % int64_t(passes) != 0) {
    text = std::to_string(sum) + " in " + std::to_string(passes) + " passes:";
  }
  return text + " " + unit;
}

/// What a pass was predicted to cost and did not.
static std::string difference(const AccessCost &access, const AccessCounts &sums, uint64_t passes) {
  const AccessCounts &one = *access.counts;
  std::string text;
  auto compare = [&](const char *unit, int64_t predicted, int64_t sum) {
    if (predicted * int64_t(passes) != sum) {
      text += (text.empty() ? "" : ", ") + ("counted " + perPass(sum, passes, unit)) + ", not " +
              std::to_string(predicted);
    }
  };
  compare("warp instructions", one.warpInstructions, sums.warpInstructions);
  compare("bytes", one.bytes, sums.bytes);
  compare("wavefronts", one.wavefronts, sums.wavefronts);
  compare("wavefronts without conflicts", one.idealWavefronts, sums.idealWavefronts);
  compare("sectors", one.sectors, sums.sectors);
  if (one.degree != sums.degree) {
    text += (text.empty() ? "" : ", ") + ("counted degree " + std::to_string(sums.degree)) +
            ", not " + std::to_string(one.degree);
  }
  return text;
}

void Costs::addAccess(uint32_t number, llvm::ArrayRef<const sim::SiteCounters *> sites,
                      unsigned threads) {
  const AccessCost &access = predicted[number];
  Counted &into = counted[number];
  AccessCounts sums;
  for (const sim::SiteCounters *site : sites) {
    sums.warpInstructions += int64_t(site->warpExecutions);
    sums.bytes += int64_t(site->bytes);
    sums.wavefronts += int64_t(site->wavefronts);
    sums.idealWavefronts += int64_t(site->idealWavefronts);
    sums.degree = std::max(sums.degree, int64_t(site->degree));
    sums.sectors += int64_t(site->sectors);
    sums.idealSectors += int64_t(site->idealSectors);
  }
  std::string problem;
  std::optional<uint64_t> passes = passesOf(access, sums, sites, access.isElected ? 1 : threads);
  if (int64_t(sites.size()) != access.instructions) {
    problem = "the code has " + std::to_string(sites.size()) + " instructions, not " +
              std::to_string(access.instructions);
  } else if (access.counts) {
    problem = passes ? difference(access, sums, *passes)
                     : "the instructions of a pass were not run by all threads equally often";
  }
  if (into.problem.empty()) {
    into.problem = std::move(problem);
  }
  into.passes += passes.value_or(1);
}

Costs::Summary Costs::print(llvm::raw_ostream &os) const {
  Summary summary;
  os << "costs of accesses, " << convert::accessAssumptions() << ":\n";
  std::vector<std::string> lines;
  for (auto [number, access] : llvm::enumerate(predicted)) {
    if (!entries.contains(access.entry)) {
      continue;
    }
    llvm::raw_string_ostream line(lines.emplace_back());
    convert::printAccess(line, access);
    const Counted one = number < counted.size() ? counted[number] : Counted();
    if (one.passes == 0) {
      ++summary.notRun;
      line << "; not run";
    } else if (!one.problem.empty()) {
      ++summary.different;
      line << "; " << one.problem;
    } else if (!access.counts) {
      ++summary.unknown;
    } else {
      ++summary.equal;
      line << "; counted the same";
    }
  }
  for (const std::string &text : withoutPrediction) {
    lines.push_back("  " + text);
  }
  convert::printMerged(os, lines);
  summary.different += unsigned(withoutPrediction.size());
  os << summary.equal << " accesses cost what is predicted, " << summary.different << " do not, "
     << summary.unknown << " are not predicted, " << summary.notRun << " were not run; " << launches
     << " launches, " << leftOut << " with other arrays\n";
  return summary;
}
