//===- SanitizerOptions.cpp - Defaults of sanitized programs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked into every program of a sanitized build. The packaged LLVM is not instrumented: our inlined copy of its bump
// allocator poisons memory that its copy never unpoisons, so user poisoning must be off. Everything else stays on, and
// ASAN_OPTIONS still overrides.
//
//===------------------------------------------------------------------------===//

extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0:detect_leaks=1"; }
extern "C" const char *__ubsan_default_options() { return "print_stacktrace=1"; }
