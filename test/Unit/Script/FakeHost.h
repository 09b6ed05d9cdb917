// A host with a small kernel in memory: a tree of ops that can be split, staged, unrolled and removed. Enough to see
// everything that a script can do to a host, roll-back included.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_SCRIPT_FAKEHOST_H
#define TESSERA_TEST_UNIT_SCRIPT_FAKEHOST_H

#include "tessera/Schedule/ScriptHost.h"

#include <map>

namespace tessera::testing {

class FakeHost : public script::Host {
public:
  FakeHost();

  llvm::ArrayRef<script::Signature> primitives() const override { return table; }
  script::Value self() const override;
  std::optional<script::Value> resolveName(llvm::StringRef name) const override;
  llvm::Expected<script::Value> call(const script::HostCall &call) override;
  llvm::Expected<script::Value> inspect(const script::HostCall &call) const override;
  llvm::Expected<script::Value> navigate(const script::Cursor &cursor, llvm::StringRef member,
                                         SourceRange range) const override;
  llvm::Error assume(const script::Value &fact, SourceRange range) override;
  llvm::Error expect(const script::Value &fact, SourceRange range) override;
  llvm::Error enterTrust(llvm::StringRef reason, SourceRange range) override;
  void leaveTrust() override;
  uint64_t mark() override;
  void rollback(uint64_t mark) override;
  void commit(uint64_t mark) override;

  /// What was done, one call a line.
  std::string log() const;
  bool trustForbidden = false;
  size_t openMarks() const { return saved.size(); }

private:
  struct Node {
    script::ValueKind kind;
    std::string text;
    bool alive = true;
    std::string consumer;
    SourceRange consumedAt;
    std::vector<std::string>
        heirs; ///< after a split or a clone: roles, where the cursor is ambiguous
  };
  struct State {
    std::vector<Node> nodes;
    std::map<std::string, uint64_t> members; ///< "id.member" -> node
    std::vector<std::string> log;
    bool sealed = false;
    unsigned trust = 0;
  };

  script::Value make(script::ValueKind kind, const std::string &text);
  script::Value node(uint64_t id) const;
  llvm::Error check(const script::Value &value) const;
  llvm::Error checkAll(const script::HostCall &call) const;
  void consume(const script::Value &value, const script::HostCall &call);
  llvm::Expected<script::Value> split(const script::HostCall &call);
  llvm::Expected<script::Value> stage(const script::HostCall &call);
  llvm::Expected<script::Value> versions(const script::HostCall &call);
  llvm::Expected<script::Value> find(const script::HostCall &call);

  std::vector<script::Signature> table;
  State state;
  std::vector<State> saved;
};

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_SCRIPT_FAKEHOST_H
