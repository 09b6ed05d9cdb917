// Turns of the roles.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adversary.h"

using namespace tessera;
using namespace tessera::interp;

Flows::Flows(Adversary &adversary, llvm::ArrayRef<AgentRole> roles) : adversary(adversary) {
  for (const AgentRole &role : roles) {
    auto flow = std::make_unique<Flow>();
    flow->role = role;
    all.push_back(std::move(flow));
  }
}

/// The flow's values and warps take the place of the machine's.
void Flows::enter(unsigned flow) {
  running = flow;
  std::swap(all[flow]->context, adversary.current);
  adversary.machine.swapFrame(all[flow]->frame);
}

void Flows::leave() {
  std::swap(all[running]->context, adversary.current);
  adversary.machine.swapFrame(all[running]->frame);
}

void Flows::give(std::unique_lock<std::mutex> &lock, unsigned flow) {
  enter(flow);
  baton = flow;
  all[flow]->wake.notify_one();
  schedulerWakes.wait(lock, [&] { return baton == scheduler; });
  leave();
}

void Flows::handBack(std::unique_lock<std::mutex> &lock) {
  unsigned self = running;
  baton = scheduler;
  schedulerWakes.notify_one();
  all[self]->wake.wait(lock, [&] { return baton == self; });
}

void Flows::pause() {
  if (adversary.machine.stopped() || !adversary.random.oneIn(2)) {
    return;
  }
  std::unique_lock<std::mutex> lock(mutex);
  handBack(lock);
}

bool Flows::waitFor(std::function<bool()> ready, std::string what) {
  Flow &flow = *all[running];
  while (!adversary.machine.stopped() && !ready()) {
    flow.ready = ready;
    flow.what = what;
    flow.at = adversary.machine.currentOp();
    std::unique_lock<std::mutex> lock(mutex);
    handBack(lock);
    flow.ready = nullptr;
  }
  return !adversary.machine.stopped();
}

/// One of the flows that can go on, at random; when the run ends they all can, to come to their ends.
std::optional<unsigned> Flows::choose() {
  llvm::SmallVector<unsigned, 4> able;
  for (unsigned i = 0; i < all.size(); ++i) {
    bool waits = all[i]->ready && !adversary.machine.stopped() && !all[i]->ready();
    if (!all[i]->done && !waits) {
      able.push_back(i);
    }
  }
  if (able.empty()) {
    return std::nullopt;
  }
  return able[adversary.random.below(able.size())];
}

void Flows::failDeadlock() {
  std::string text;
  for (const auto &flow : all) {
    if (!flow->done) {
      text += (text.empty() ? "`" : "; `") + flow->role.name + "` " + flow->what;
    }
  }
  RunError *error = adversary.machine.fail(RunDiag::run_deadlock, text);
  for (const auto &flow : all) {
    if (error && !flow->done && flow->at) {
      error->notes.push_back({flow->at->getLoc(), "`" + flow->role.name + "` waits here"});
    }
  }
}

void Flows::run(const std::function<void()> &body) {
  std::unique_lock<std::mutex> lock(mutex);
  for (unsigned i = 0; i < all.size(); ++i) {
    Flow &flow = *all[i];
    flow.frame = adversary.machine.copyFrame();
    flow.context = adversary.current;
    flow.context.role = flow.role.name;
    flow.context.agents = flow.role.agents;
    flow.context.representative = flow.role.agents.front();
    flow.context.key = adversary.current.key * 64 + i + 1;
    flow.thread = std::thread([this, i, &body] {
      std::unique_lock<std::mutex> own(mutex);
      all[i]->wake.wait(own, [&] { return baton == i; });
      own.unlock();
      try {
        body();
      } catch (...) {
        thrown = std::current_exception();
        adversary.machine.stopAll();
      }
      own.lock();
      all[i]->done = true;
      baton = scheduler;
      schedulerWakes.notify_one();
    });
  }
  auto isDone = [](const auto &flow) { return flow->done; };
  while (!llvm::all_of(all, isDone)) {
    if (std::optional<unsigned> next = choose()) {
      give(lock, *next);
    } else {
      failDeadlock();
    }
  }
  lock.unlock();
  for (auto &flow : all) {
    flow->thread.join();
  }
  if (thrown) {
    std::rethrow_exception(thrown);
  }
}

void Flows::collect(llvm::ArrayRef<std::pair<SlotRef, std::string>> results) {
  for (const auto &[slot, role] : results) {
    for (auto &flow : all) {
      if (flow->role.name == role || (role.empty() && flow == all.front())) {
        adversary.machine.takeFrom(flow->frame, slot);
      }
    }
  }
}
