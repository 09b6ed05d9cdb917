// Threads that compile modules as they come.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Target/PTX/Emission.h"

#include "Backend.h"
#include "Parts.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

using namespace tessera::ptx;

namespace {
struct Task {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::optional<llvm::Expected<std::string>> text;
  EmitTimes spent;
};
} // namespace

struct Emission::State {
  explicit State(const TargetOptions &given) : options(given) {
    unsigned machine = std::max(1u, std::thread::hardware_concurrency());
    // What passes measure of themselves is kept for the process.
    limit = llvm::TimePassesIsEnabled ? 1 : options.threads ? options.threads : machine;
  }

  /// Does one that nobody has begun; false if there is none.
  bool step() {
    Task *task = nullptr;
    {
      std::lock_guard<std::mutex> lock(guard);
      if (next == tasks.size()) {
        return false;
      }
      task = &tasks[next++];
    }
    task->text.emplace(emitWhole(*task->module, options, task->spent));
    // The module goes before its context.
    task->module.reset();
    task->context.reset();
    return true;
  }

  void work() {
    while (true) {
      while (step()) {
      }
      std::unique_lock<std::mutex> lock(guard);
      came.wait(lock, [&] { return isClosed || next < tasks.size(); });
      if (next == tasks.size()) {
        return;
      }
    }
  }

  void close(bool isDropped) {
    {
      std::lock_guard<std::mutex> lock(guard);
      isClosed = true;
      next = isDropped ? tasks.size() : next;
    }
    came.notify_all();
  }

  void join() {
    for (std::thread &thread : threads) {
      thread.join();
    }
    threads.clear();
  }

  TargetOptions options;
  KeptFatalErrors kept;
  unsigned limit = 1;
  std::mutex guard;
  std::condition_variable came;
  /// Their places stay where they are when more come.
  std::deque<Task> tasks;
  size_t next = 0;
  bool isClosed = false;
  std::vector<std::thread> threads;
};

Emission::Emission(const TargetOptions &options) : state(std::make_unique<State>(options)) {}

Emission::~Emission() {
  state->close(/*isDropped=*/true);
  state->join();
  for (Task &task : state->tasks) {
    if (task.text) {
      llvm::consumeError(task.text->takeError());
    }
  }
}

void Emission::add(std::unique_ptr<llvm::LLVMContext> context,
                   std::unique_ptr<llvm::Module> module) {
  {
    std::lock_guard<std::mutex> lock(state->guard);
    Task &task = state->tasks.emplace_back();
    task.context = std::move(context);
    task.module = std::move(module);
  }
  state->came.notify_one();
  // The caller's thread is one of them.
  if (state->threads.size() + 1 < state->limit && state->threads.size() < state->tasks.size()) {
    try {
      state->threads.emplace_back([this] { state->work(); });
    } catch (const std::system_error &) {
      state->limit =
          unsigned(state->threads.size()) + 1; // the work is done by those that are there
    }
  }
}

llvm::Expected<std::string> Emission::finish(EmitTimes *times) {
  state->close(/*isDropped=*/false);
  while (state->step()) {
  }
  state->join();
  EmitTimes all;
  std::vector<llvm::Expected<std::string>> texts;
  for (Task &task : state->tasks) {
    all.add(task.spent);
    texts.push_back(std::move(*task.text));
    task.text.reset();
  }
  if (times) {
    *times = all;
  }
  return joinResults(texts);
}
