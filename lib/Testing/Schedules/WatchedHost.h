// A host that judges another one: after each call that edits it looks whether what must hold does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_LIB_TESTING_SCHEDULES_WATCHEDHOST_H
#define TESSERA_LIB_TESTING_SCHEDULES_WATCHEDHOST_H

#include "Subject.h"

#include "tessera/Check/Random.h"

namespace tessera::schedulefuzz {

using script::HostCall;
using script::Value;

class WatchedHost : public script::Host {
public:
  WatchedHost(Subject &subject, const ScheduleFuzzOptions &options, ScheduleCounts &counts,
              uint64_t seed)
      : subject(subject), options(options), counts(counts), random(seed),
        inner(subject.host(options)) {}

  schedule::ScheduleHost &host() { return *inner; }
  /// The first thing that did not hold.
  const std::string &problem() const { return found; }
  /// Every size in order, and the adversary where the kernel is sealed.
  void judgeEnd();

  // script::Host
  llvm::ArrayRef<script::Signature> primitives() const override { return inner->primitives(); }
  llvm::ArrayRef<script::Signature> instructions() const override { return inner->instructions(); }
  Value self() const override { return inner->self(); }
  std::optional<Value> resolveName(llvm::StringRef name) const override {
    return inner->resolveName(name);
  }
  llvm::Expected<Value> call(const HostCall &call) override;
  llvm::Expected<Value> inspect(const HostCall &call) const override {
    return inner->inspect(call);
  }
  llvm::Expected<Value> navigate(const script::Cursor &cursor, llvm::StringRef member,
                                 SourceRange range) const override {
    return inner->navigate(cursor, member, range);
  }
  llvm::Error assume(const Value &fact, SourceRange range) override {
    return inner->assume(fact, range);
  }
  llvm::Error expect(const Value &fact, SourceRange range) override {
    return inner->expect(fact, range);
  }
  llvm::Error enterTrust(llvm::StringRef reason, SourceRange range) override {
    return inner->enterTrust(reason, range);
  }
  void leaveTrust() override { inner->leaveTrust(); }
  uint64_t mark() override { return inner->mark(); }
  void rollback(uint64_t mark) override { inner->rollback(mark); }
  void commit(uint64_t mark) override { inner->commit(mark); }

private:
  /// All that a refused call leaves as it was, as numbers that are the same for a copy.
  struct State {
    std::vector<uint64_t> module, cursors;
    uint64_t ledger = 0;
    bool operator==(const State &other) const {
      return module == other.module && ledger == other.ledger && cursors == other.cursors;
    }
  };
  State state() const;
  void report(const HostCall &call, const std::string &problem);
  void judgeAccepted(const HostCall &call);
  void judgeRefused(const HostCall &call, const script::HostError &error, const State &before);
  void probe(const HostCall &call, PrimitiveCounts &primitive, const State &before);
  void sync();
  bool holds();
  /// Which of the small sizes differ from the source, in order and under the adversary.
  std::string smallRuns();

  Subject &subject;
  const ScheduleFuzzOptions &options;
  ScheduleCounts &counts;
  Random random;
  std::unique_ptr<schedule::ScheduleHost> inner;
  std::vector<Value> seen; ///< cursors that calls were given
  std::string found;
  unsigned probes = 0, tried = 0;
  std::optional<bool> held; ///< of the kernel as it stands
};

} // namespace tessera::schedulefuzz

#endif // TESSERA_LIB_TESTING_SCHEDULES_WATCHEDHOST_H
