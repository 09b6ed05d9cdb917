// Roles as threads of the host that run one at a time: a flow runs until it waits or hands on, and the seed says who is
// next. Values of the frame, the grid point and the acting warps belong to the flow.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_LIB_INTERPRETER_ADVERSARYFLOWS_H
#define TESSERA_LIB_INTERPRETER_ADVERSARYFLOWS_H

#include "Machine.h"

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace tessera::interp {

class Adversary;

struct AgentRole {
  std::string name;
  llvm::SmallVector<unsigned, 8> agents;
};

/// Who runs what is run now.
struct AgentContext {
  llvm::SmallVector<unsigned, 8> agents;
  std::string role; ///< empty outside of roles
  /// The agent that acts for all where each warp has memory of its own; it stays in `elect`.
  unsigned representative = 0;
  /// Distinguishes those whose groups of asynchronous ops are counted together.
  uint64_t key = 0;
  tile::Proxy via = tile::Proxy::generic;
  /// The largest group of threads that is here as a whole.
  tile::ExecScope whole = tile::ExecScope::cluster;
  /// Of the instruction that is at work: in which order it combines.
  std::optional<tile::OrderClass> order;
  mlir::Operation *section = nullptr;
  uint64_t lag = 0;
};

class Flows {
public:
  Flows(Adversary &adversary, llvm::ArrayRef<AgentRole> roles);

  void run(const std::function<void()> &body);
  void collect(llvm::ArrayRef<std::pair<SlotRef, std::string>> results);

  unsigned number() const { return running; }
  /// Another flow may run now.
  void pause();
  /// Returns when `ready` holds; false if the run ends.
  bool waitFor(std::function<bool()> ready, std::string what);

private:
  struct Flow {
    AgentRole role;
    Frame frame;
    AgentContext context;
    std::function<bool()> ready; ///< null: it can go on
    std::string what;
    mlir::Operation *at = nullptr;
    bool done = false;
    std::condition_variable wake;
    std::thread thread;
  };
  void enter(unsigned flow);
  void leave();
  void give(std::unique_lock<std::mutex> &lock, unsigned flow);
  void handBack(std::unique_lock<std::mutex> &lock);
  std::optional<unsigned> choose();
  void failDeadlock();

  static constexpr unsigned scheduler = ~0u;
  Adversary &adversary;
  std::vector<std::unique_ptr<Flow>> all;
  std::mutex mutex;
  std::condition_variable schedulerWakes;
  unsigned baton = scheduler, running = 0;
  Frame outer;
  AgentContext outerContext;
  std::exception_ptr thrown;
};

} // namespace tessera::interp

#endif // TESSERA_LIB_INTERPRETER_ADVERSARYFLOWS_H
