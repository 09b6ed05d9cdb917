// Stacks, and the switch between them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fibers.h"

#include "llvm/Support/Errno.h"

#include <sys/mman.h>
#include <unistd.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define TESSERA_FIBERS_ASAN 1
#endif
#endif

using namespace tessera::sim;

static constexpr size_t stackBytes = 256 * 1024;

#if defined(__x86_64__)
// Saves what a call preserves, stores the stack pointer at *rdi, continues on the stack rsi.
asm(R"(
  .text
  .p2align 4
  .local tesseraSwitchStack
  .type tesseraSwitchStack, @function
tesseraSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size tesseraSwitchStack, .-tesseraSwitchStack
)");
extern "C" void tesseraSwitchStack(void **save, void *to) __asm__("tesseraSwitchStack");
#endif

namespace {
struct Context {
#if defined(__x86_64__)
  void *pointer = nullptr;
#else
  ucontext_t context;
#endif
};

struct Stack {
  char *low = nullptr;
  char *mapping = nullptr;
  size_t mapped = 0;
};
} // namespace

struct Fibers::Impl {
  Context scheduler;
  std::vector<Context> contexts;
  /// Stack of each fiber that has begun, ~0u otherwise.
  std::vector<unsigned> stackOf;
  std::vector<Stack> stacks;
  std::vector<unsigned> freeStacks;
  unsigned running = 0;
  Entry entry = nullptr;
  void *argument = nullptr;
  bool ended = false;
#ifdef TESSERA_FIBERS_ASAN
  void *schedulerFake = nullptr;
  const void *schedulerLow = nullptr;
  size_t schedulerSize = 0;
  std::vector<void *> fakes;
#endif

  llvm::Expected<unsigned> takeStack();
  void prepare(unsigned index);
  void toFiber(unsigned index);
  void toScheduler();
  [[noreturn]] void body();
};

/// The fibers whose stack is switched to: a fresh fiber has no argument registers.
static thread_local Fibers::Impl *starting = nullptr;

static void beginFiber() { starting->body(); }

void Fibers::Impl::body() {
#ifdef TESSERA_FIBERS_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &schedulerLow, &schedulerSize);
#endif
  entry(argument);
  ended = true;
  toScheduler();
  // The scheduler does not resume a fiber that has ended.
  _exit(70);
}

llvm::Expected<unsigned> Fibers::Impl::takeStack() {
  if (!freeStacks.empty()) {
    unsigned stack = freeStacks.back();
    freeStacks.pop_back();
    return stack;
  }
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  Stack stack;
  stack.mapped = stackBytes + page;
  void *memory = mmap(nullptr, stack.mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return llvm::createStringError("no memory for the stack of a simulated thread: " +
                                   llvm::sys::StrError());
  }
  stack.mapping = static_cast<char *>(memory);
  stack.low = stack.mapping + page;
  // What overruns its stack ends here instead of in another thread's variables.
  mprotect(memory, page, PROT_NONE);
  stacks.push_back(stack);
  return unsigned(stacks.size() - 1);
}

void Fibers::Impl::prepare(unsigned index) {
  const Stack &stack = stacks[stackOf[index]];
  // Stacks that begin at the same offset of a page would meet in few sets of the cache.
  size_t colour = (stackOf[index] * 576) % 8192;
  char *top = stack.low + stackBytes - colour;
#ifdef TESSERA_FIBERS_ASAN
  __asan_unpoison_memory_region(stack.low, stackBytes);
#endif
#if defined(__x86_64__)
  top = reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t(15));
  auto **words = reinterpret_cast<void **>(top);
  // As after a call: the return address of `beginFiber` is at a multiple of 16, minus 8.
  words[-1] = nullptr;
  words[-2] = reinterpret_cast<void *>(&beginFiber);
  for (int saved = 3; saved <= 8; ++saved) {
    words[-saved] = nullptr;
  }
  contexts[index].pointer = words - 8;
#else
  ucontext_t &context = contexts[index].context;
  getcontext(&context);
  context.uc_stack.ss_sp = stack.low;
  context.uc_stack.ss_size = size_t(top - stack.low);
  context.uc_link = nullptr;
  makecontext(&context, &beginFiber, 0);
#endif
}

void Fibers::Impl::toFiber(unsigned index) {
  starting = this;
#ifdef TESSERA_FIBERS_ASAN
  __sanitizer_start_switch_fiber(&schedulerFake, stacks[stackOf[index]].low, stackBytes);
#endif
#if defined(__x86_64__)
  tesseraSwitchStack(&scheduler.pointer, contexts[index].pointer);
#else
  swapcontext(&scheduler.context, &contexts[index].context);
#endif
#ifdef TESSERA_FIBERS_ASAN
  __sanitizer_finish_switch_fiber(schedulerFake, nullptr, nullptr);
#endif
}

void Fibers::Impl::toScheduler() {
  unsigned index = running;
#ifdef TESSERA_FIBERS_ASAN
  __sanitizer_start_switch_fiber(ended ? nullptr : &fakes[index], schedulerLow, schedulerSize);
#endif
#if defined(__x86_64__)
  tesseraSwitchStack(&contexts[index].pointer, scheduler.pointer);
#else
  swapcontext(&contexts[index].context, &scheduler.context);
#endif
#ifdef TESSERA_FIBERS_ASAN
  __sanitizer_finish_switch_fiber(fakes[index], &schedulerLow, &schedulerSize);
#endif
}

Fibers::Fibers() : impl(std::make_unique<Impl>()) {}

Fibers::~Fibers() {
  for (const Stack &stack : impl->stacks) {
    munmap(stack.mapping, stack.mapped);
  }
}

llvm::Error Fibers::reset(unsigned count) {
  for (unsigned index = 0; index < states.size(); ++index) {
    if (impl->stackOf[index] != ~0u) {
      impl->freeStacks.push_back(impl->stackOf[index]);
    }
  }
  states.assign(count, State::fresh);
  impl->contexts.resize(count);
  impl->stackOf.assign(count, ~0u);
#ifdef TESSERA_FIBERS_ASAN
  impl->fakes.assign(count, nullptr);
#endif
  return llvm::Error::success();
}

llvm::Error Fibers::resume(unsigned index, Entry entry, void *argument) {
  impl->running = index;
  if (states[index] == State::fresh) {
    llvm::Expected<unsigned> stack = impl->takeStack();
    if (!stack) {
      return stack.takeError();
    }
    impl->stackOf[index] = *stack;
    impl->entry = entry;
    impl->argument = argument;
    states[index] = State::begun;
    impl->prepare(index);
  }
  impl->ended = false;
  impl->toFiber(index);
  if (impl->ended) {
    states[index] = State::ended;
    impl->freeStacks.push_back(impl->stackOf[index]);
    impl->stackOf[index] = ~0u;
  }
  return llvm::Error::success();
}

void Fibers::yield() { impl->toScheduler(); }
