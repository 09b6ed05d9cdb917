// The adversary of a schedule: one of the many ways in which the threads of a CTA may run it, chosen by a seed. Every
// access to a buf or to a view that is written is done by some warp (an *agent*); vector clocks say which accesses are
// ordered; asynchronous ops read and write at a moment of the adversary's choice; sections run ahead, roles run in
// turns. Nothing here is part of a sequential run.
//
// The clock rules are those of happens-before race detection (Flanagan and Freund, FastTrack, PLDI 2009), with the last
// write of a cell as one epoch and its reads as one epoch for each agent.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_ADVERSARY_H
#define TESSERA_LIB_INTERPRETER_ADVERSARY_H

#include "AdversaryCells.h"
#include "AdversaryFlows.h"
#include "Machine.h"

#include <functional>
#include <map>

namespace tessera::interp {

struct Box;
struct BufSlot;

/// Which agent does which element of an op, as far as `tile.iter` says.
struct OwnerPlan {
  enum Kind : uint8_t { unknown, warp, wg } kind = unknown;
  /// For each element of the op's box, row-major: the number of its warp or warpgroup.
  std::vector<uint8_t> of;
};

/// What a piece of memory is asked for.
struct PieceSide {
  bool isAsked = false;
  int64_t align = 0; ///< bytes; 0: none
  int64_t rows = 0;  ///< neighbours in each row of a piece; 0: not said
  bool isRow = false;
  bool isWhole = false; ///< present as a whole or not at all
  bool isTold = false;  ///< how many of the first elements are present
  bool hasFamilies = false;
};

/// How an op accesses memory several elements at once: vectors of its `tile.iter`, or the pieces of an instruction.
struct PiecePlan {
  Shape shape, pieces; ///< of the op's box
  int64_t size = 1;    ///< elements of a piece
  PieceSide view, buf;
  bool reachesPast = false;    ///< its pieces may not end behind the tile in a buf
  std::vector<int64_t> places; ///< of the buf's elements, by its layout; empty: it has none
  int64_t bufElementBytes = 1;
  std::string what;
};

/// An asynchronous op between its start and its completion.
struct AsyncOp {
  struct Place {
    unsigned buf = 0, owner = 0;
    int64_t slot = 0;
  };
  struct Touched {
    CellTable *table;
    int64_t cell;
    uint8_t agent;
  };
  uint32_t id = 0, op = 0;
  tile::Proxy via = tile::Proxy::generic;
  uint64_t context = 0;
  llvm::SmallVector<unsigned, 8> agents;
  /// Number of the group that it was committed to.
  std::optional<uint64_t> group;
  std::optional<Place> readsBuf, writesBuf;
  std::vector<Touched> reads, writes;
  /// What happens at its moments; each is called once, in this order.
  std::function<void()> fetch, land, done;
};

class Adversary {
public:
  Adversary(Machine &machine, uint64_t seed);
  ~Adversary();

  Machine &machine;
  Random random;

  //===- structure --------------------------------------------------------===//
  void beginCta();
  /// What must be over when a CTA ends. False, with an error, if it is not.
  bool endCta();
  /// Who runs what is run now.
  AgentContext &context() { return current; }
  /// A section of another role.
  bool skips(llvm::StringRef role) const { return !role.empty() && role != current.role; }
  void narrowToStep(tile::Place place, uint64_t step, uint64_t steps);
  void narrowToOne();
  /// Whether all threads of the group come here; false, with an error, where only a part does.
  bool comesWhole(tile::ExecScope group, llvm::StringRef what);

  /// Runs `body` once for each role, in turns; afterwards the values of `results` are those of the role beside them.
  void fork(const std::function<void()> &body,
            llvm::ArrayRef<std::pair<SlotRef, std::string>> results);
  bool isForked() const { return flows != nullptr; }
  bool isFirstFlow() const { return !flows || flows->number() == 0; }

  void enterSection(mlir::Operation *section, uint64_t lag);
  void leaveSection() { current.section = nullptr; }
  /// What the sections released, and is not free yet, becomes free.
  void endSections(llvm::ArrayRef<mlir::Operation *> sections);

  //===- order ------------------------------------------------------------===//
  void barrier(tile::ExecScope scope);
  void fence();
  void groupCommit(tile::Proxy via);
  void groupWait(tile::Proxy via, uint64_t pending);
  /// The slot; nothing, with an error, if the op cannot go on.
  std::optional<uint64_t> acquire(unsigned ring);
  void commit(unsigned ring);
  std::optional<uint64_t> await(unsigned ring);
  void release(unsigned ring);
  /// The buf is about to take memory from `from`, or to get it back. False, with an error, if that is too early.
  bool takeOver(unsigned buf, unsigned from);

  //===- for AgentAccess --------------------------------------------------===//
  /// Time passes: asynchronous ops may do a part of theirs.
  void moveOn() { tick(); }
  const OwnerPlan &ownerPlan(uint32_t op);
  const PiecePlan &piecePlan(uint32_t op);
  CellTable &cellsOfBuf(unsigned buf, unsigned owner);
  CellTable &cellsOfArray(unsigned argument);
  VectorClocks &clocks() { return order; }
  bool isPending(uint32_t id) const { return id && pending.count(id); }
  const AsyncOp *findPending(uint32_t id) const;
  uint32_t nextAsync() { return ++lastAsync; }
  void start(std::unique_ptr<AsyncOp> op);
  /// `warp 3 (producer)`
  std::string describeAgent(unsigned agent) const;

private:
  friend class Flows;
  using Slots = std::map<std::pair<unsigned, uint64_t>, Stamp>; // (ring, owner and slot)
  struct PendingRelease {
    unsigned ring, owner;
    uint64_t number;
    uint64_t step = 0; ///< of the section
    bool lags = false;
  };
  struct SectionTime {
    uint64_t step = 0;
    std::vector<PendingRelease> releases;
  };
  struct Groups {
    uint64_t committed = 0;
  };

  void readRoles();
  void tick();
  void advance(AsyncOp &op);
  void complete(uint32_t id);
  /// Completes the pending ops that `which` names, oldest first.
  void completeIf(llvm::function_ref<bool(const AsyncOp &)> which);
  /// `atEnd`: the end of a loop waits for what still reads the slot.
  void freeSlot(const PendingRelease &release, bool atEnd = false);
  bool waitFor(const std::function<bool()> &ready, llvm::StringRef what, unsigned ring);
  std::string describeWait(llvm::StringRef what, unsigned ring) const;
  Stamp &stamp(Slots &slots, unsigned ring, unsigned owner, uint64_t slot) {
    return slots[{ring, uint64_t(owner) << 32 | slot}];
  }
  bool sameSlot(const std::optional<AsyncOp::Place> &place, unsigned ring, unsigned owner,
                uint64_t slot) const;
  bool overInFlight(unsigned buf, unsigned from);

  uint64_t seed;
  std::vector<AgentRole> roles;
  unsigned warps = 4;
  VectorClocks order;
  AgentContext current;
  std::unique_ptr<Flows> flows;
  std::vector<std::unique_ptr<OwnerPlan>> plans;      // by memory op
  std::vector<std::unique_ptr<PiecePlan>> piecePlans; // by memory op
  std::map<std::pair<unsigned, unsigned>, std::unique_ptr<CellTable>> bufCells;
  std::vector<std::unique_ptr<CellTable>> arrayCells;
  std::map<uint32_t, std::unique_ptr<AsyncOp>> pending; // oldest first
  uint32_t lastAsync = 0;
  std::map<std::pair<uint64_t, tile::Proxy>, Groups> groups;
  std::map<std::pair<std::string, mlir::Operation *>, SectionTime> sections;
  Slots filled, freed;
  uint64_t ctas = 0;
};

/// One memory op, as the agents do it. Made where the op runs; the checks come before the data moves.
class AgentAccess {
public:
  AgentAccess(Adversary &adversary, uint32_t op, int64_t elements);

  /// Whether the accesses may be made now; false with an error. `more` and `mask` say which elements are meant.
  bool readView(const Box &box, const uint8_t *more = nullptr);
  bool writeView(const Box &box, const uint8_t *more);
  bool atomicView(const Box &box, const uint8_t *more);
  bool readBuf(const BufSlot &slot, const uint8_t *mask);
  bool writeBuf(const BufSlot &slot, const uint8_t *mask);

  bool isAsync() const { return async != nullptr; }
  /// The op is under way: the three are called at moments of the adversary's choice, `done` when it is waited for.
  void start(std::function<void()> fetch, std::function<void()> land, std::function<void()> done);
  /// The same for an op whose data moved already and whose accesses are still open.
  void start() { start(nullptr, nullptr, nullptr); }

private:
  struct Memory {
    CellTable *table;
    std::optional<unsigned> argument;
    const BufSlot *buf;
    /// Who acts for all, where each warp has memory of its own.
    std::optional<unsigned> one;
  };
  unsigned agentOf(int64_t element, const Memory &memory);
  /// Whether the role has as many warps as the op is spread over.
  bool hasAllWarps();
  bool checkPieces(const Box &box, const uint8_t *more);
  bool checkPieces(const BufSlot &slot);
  bool failPiece(const Memory &memory, int64_t cell, llvm::StringRef why);
  bool read(const Memory &memory, int64_t cell, unsigned agent);
  bool write(const Memory &memory, int64_t cell, unsigned agent, WriteKind kind);
  template <class Fn> bool overBox(const Box &box, const uint8_t *more, Fn access);

  struct Element {
    std::string name;
    std::vector<int64_t> index;
  };
  Element describe(const Memory &memory, int64_t cell) const;
  bool failRace(const Memory &memory, int64_t cell, bool writes, unsigned agent, bool otherWrote,
                unsigned other, uint32_t otherOp);
  bool failInFlight(const Memory &memory, int64_t cell, bool writes, uint32_t id, bool otherWrites);
  bool failFence(const Memory &memory, int64_t cell, unsigned agent, const Cell &written);

  Adversary &adversary;
  uint32_t op;
  const OwnerPlan &plan;
  std::unique_ptr<AsyncOp> async;
};

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_ADVERSARY_H
