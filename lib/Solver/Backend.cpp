//===- Backend.cpp - the one place that calls Z3 --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled with exceptions: Z3's C++ interface reports errors by throwing, and none may leave this file.
//
// The library is opened at the first check. Most runs find their answers in a cache, and to map it and to resolve its
// symbols is a good part of what a small kernel takes. The interface calls functions by their plain names, inside of its
// namespace: the pointers that stand there are found before the functions of the C header.
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <dlfcn.h>
#include <z3.h>

namespace z3 {
#define TESSERA_Z3_ENTRY(NAME) static decltype(&::NAME) NAME = nullptr;
#include "Z3Entries.def"
} // namespace z3

#include <z3++.h>
#include <z3_version.h>

namespace tessera::solver {

/// Why Z3 cannot be called; empty where it can.
static std::string openLibrary() {
  void *library = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return std::string(dlerror()) + "; install Z3 " Z3_FULL_VERSION
                                    ", or add its folder to LD_LIBRARY_PATH";
  }
  const char *missing = nullptr;
#define TESSERA_Z3_ENTRY(NAME)                                                                     \
  z3::NAME = reinterpret_cast<decltype(z3::NAME)>(dlsym(library, #NAME));                          \
  missing = z3::NAME ? missing : #NAME;
#include "Z3Entries.def"
  if (missing) {
    return "libz3.so.4 has no function `" + std::string(missing) + "`; install Z3 " Z3_FULL_VERSION;
  }
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  z3::Z3_get_version(&major, &minor, &build, &revision);
  // Answers are kept by the version that this was built with.
  if (major != Z3_MAJOR_VERSION || minor != Z3_MINOR_VERSION || build != Z3_BUILD_NUMBER) {
    return "libz3.so.4 is of version " + std::to_string(major) + "." + std::to_string(minor) + "." +
           std::to_string(build) + "; install Z3 " Z3_FULL_VERSION ", or build this program anew";
  }
  return "";
}

struct Backend::State {
  z3::context context;
  std::optional<z3::solver> solver;
  std::vector<z3::expr> constants; ///< of the open query's atoms
  uint64_t spent = 0;              ///< the context's running count at the last check
};

Backend::Backend() = default;
Backend::~Backend() = default;

std::string Backend::version() { return "z3 " Z3_FULL_VERSION; }

namespace {

/// Limits the memory of the process' solver while a query is read or solved. Not longer: where Z3's interface fails to
/// make an object it hands out null, and its C++ side uses that without looking.
class MemoryLimit {
public:
  explicit MemoryLimit(unsigned mebibytes) : limited(mebibytes != 0) { set(mebibytes); }
  ~MemoryLimit() { set(0); }
  MemoryLimit(const MemoryLimit &) = delete;
  MemoryLimit &operator=(const MemoryLimit &) = delete;

private:
  void set(unsigned mebibytes) {
    if (limited) {
      z3::Z3_global_param_set("memory_max_size", std::to_string(mebibytes).c_str());
    }
  }
  bool limited;
};

} // namespace

static UnknownCause causeOf(llvm::StringRef words) {
  if (words.contains("memory") || words.contains("memout")) {
    return UnknownCause::Memory;
  }
  if (words.contains("resource") || words.contains("canceled") || words.contains("cancelled")) {
    return UnknownCause::Budget;
  }
  return UnknownCause::Incomplete;
}

template <typename Body> CheckAnswer Backend::guarded(Body body) {
  CheckAnswer failed;
  try {
    return body();
  } catch (const z3::exception &e) {
    failed.detail = e.msg();
    failed.cause = causeOf(failed.detail);
    if (failed.cause == UnknownCause::Incomplete) {
      failed.cause = UnknownCause::Failure;
    }
  } catch (const std::exception &e) {
    failed.detail = e.what();
    failed.cause = UnknownCause::Memory;
  }
  try {
    state.reset();
  } catch (...) {
    // Nothing is left to release: the context was being destroyed.
    failed.detail += "; its context could not be released";
  }
  return failed;
}

/// Resource units that the context has spent since it was made.
static uint64_t spentSoFar(z3::solver &solver) {
  z3::stats stats = solver.statistics();
  for (unsigned i = 0; i < stats.size(); ++i) {
    if (stats.key(i) == "rlimit count" && stats.is_uint(i)) {
      return stats.uint_value(i);
    }
  }
  return 0;
}

static std::optional<Int> valueOf(const z3::expr &value) {
  if (value.is_bool()) {
    return value.is_true();
  }
  return value.is_numeral() ? parseInt(z3::Z3_get_numeral_string(value.ctx(), value))
                            : std::nullopt;
}

static void readModel(z3::solver &solver, const std::vector<z3::expr> &constants,
                      CheckAnswer &answer) {
  z3::model model = solver.get_model();
  for (const z3::expr &constant : constants) {
    std::optional<Int> value = valueOf(model.eval(constant, /*model_completion=*/true));
    if (!value) {
      answer.result = CheckResult::Unknown;
      answer.cause = UnknownCause::Incomplete;
      answer.detail = "the instance found has numbers beyond 2^120";
      return;
    }
    answer.values.push_back(*value);
  }
}

static void setLimit(z3::context &context, z3::solver &solver, uint64_t rlimit) {
  z3::params params(context);
  params.set("rlimit", static_cast<unsigned>(std::clamp<uint64_t>(rlimit, 1, UINT32_MAX)));
  solver.set(params);
}

static CheckAnswer run(z3::solver &solver, unsigned memory, uint64_t rlimit, uint64_t &spent,
                       const std::vector<z3::expr> &constants) {
  CheckAnswer answer;
  z3::check_result result = z3::unknown;
  {
    MemoryLimit limit(memory);
    result = solver.check();
  }
  uint64_t now = spentSoFar(solver);
  answer.rlimit = now >= spent ? now - spent : now;
  spent = now;
  switch (result) {
  case z3::sat:
    answer.result = CheckResult::Sat;
    readModel(solver, constants, answer);
    break;
  case z3::unsat:
    answer.result = CheckResult::Unsat;
    break;
  case z3::unknown:
    answer.detail = solver.reason_unknown();
    // Where the limit is met while the query is read in, the solver has no reason to give.
    answer.cause = answer.rlimit >= rlimit ? UnknownCause::Budget : causeOf(answer.detail);
    break;
  }
  return answer;
}

CheckAnswer Backend::check(const SmtQuery &query, uint64_t rlimit) {
  static const std::string problem = openLibrary();
  if (!problem.empty()) {
    CheckAnswer closed;
    closed.cause = UnknownCause::Failure;
    closed.detail = problem;
    return closed;
  }
  return guarded([&] {
    if (!state) {
      state = std::make_unique<State>();
    }
    z3::context &context = state->context;
    state->constants.clear();
    state->solver.emplace(context, z3::solver::simple());
    z3::solver &solver = *state->solver;
    z3::expr_vector parsed(context);
    {
      MemoryLimit limit(memoryMebibytes);
      parsed = context.parse_string(query.text.c_str());
    }
    if (parsed.size() != query.definitions + query.conditions) {
      throw z3::exception("the query was not read back assertion by assertion");
    }
    for (unsigned i = 0; i < parsed.size(); ++i) {
      if (i < query.definitions) {
        solver.add(parsed[i]);
      } else {
        solver.add(parsed[i], ("k!" + std::to_string(i - query.definitions)).c_str());
      }
    }
    for (const auto &[atom, name] : query.atoms) {
      std::string plain = llvm::StringRef(name).trim('|').str();
      state->constants.push_back(atom.isBool() ? context.bool_const(plain.c_str())
                                               : context.int_const(plain.c_str()));
    }
    setLimit(context, solver, rlimit);
    CheckAnswer answer = run(solver, memoryMebibytes, rlimit, state->spent, state->constants);
    if (answer.result == CheckResult::Unsat) {
      for (const z3::expr &label : solver.unsat_core()) {
        llvm::StringRef name(z3::Z3_get_symbol_string(context, label.decl().name()));
        unsigned position = 0;
        if (name.consume_front("k!") && !name.getAsInteger(10, position)) {
          answer.core.push_back(position);
        }
      }
      llvm::sort(answer.core);
    }
    if (answer.result != CheckResult::Sat) {
      state->solver.reset();
    }
    return answer;
  });
}

CheckAnswer Backend::tighten(llvm::ArrayRef<std::pair<unsigned, Range>> bounds, uint64_t rlimit) {
  return guarded([&] {
    if (!state || !state->solver) {
      CheckAnswer closed;
      closed.cause = UnknownCause::Failure;
      closed.detail = "no query is open";
      return closed;
    }
    z3::solver &solver = *state->solver;
    solver.push();
    for (const auto &[position, range] : bounds) {
      const z3::expr &constant = state->constants[position];
      if (range.lo) {
        solver.add(constant >= state->context.int_val(toString(*range.lo).c_str()));
      }
      if (range.hi) {
        solver.add(constant <= state->context.int_val(toString(*range.hi).c_str()));
      }
    }
    setLimit(state->context, solver, rlimit);
    CheckAnswer answer = run(solver, memoryMebibytes, rlimit, state->spent, state->constants);
    solver.pop();
    return answer;
  });
}

} // namespace tessera::solver
