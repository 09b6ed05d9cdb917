// A record of a vector addition, and the fake driver, for tests of the runtime.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TESSERA_TEST_UNIT_RUNTIME_RUNTIMETESTING_H
#define TESSERA_TEST_UNIT_RUNTIME_RUNTIMETESTING_H

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Runtime/DeviceCommand.h"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace tessera::runtime::testing {

/// y = a + b over N elements: a version for aligned arrays of whole vectors and one for all.
inline LaunchRecord addition() {
  LaunchRecord record;
  record.kernel = "add";
  record.target = "sm_90a";
  record.extents = {{"N", Expr::size(0, 0)}};
  Expr n = Expr::extent(0);
  for (const char *name : {"a", "b"}) {
    record.arguments.push_back({name, true, "f32", Mode::in, {n}});
  }
  record.arguments.push_back({"y", true, "f32", Mode::out, {n}});
  using K = Expr::Kind;
  record.checks = {{Expr::make(K::lt, {n, Expr::constant(1000000)}), "N < 1000000"}};
  VersionRecord fast, any;
  fast.symbol = "add_fast";
  fast.conditions = {
      {Expr::make(K::eq, {Expr::make(K::mod, {n, Expr::constant(4)}), Expr::constant(0)}),
       "N % 4 == 0"},
      {Expr::aligned(0, 16), "a is aligned"}};
  fast.threads = 128;
  fast.grid = Expr::make(K::floordiv, {n + Expr::constant(511), Expr::constant(512)});
  fast.bytes = n * Expr::constant(12);
  any = fast;
  any.symbol = "add_any";
  any.conditions = {};
  any.threads = 256;
  any.sharedBytes = 65536;
  record.versions = {fast, any};
  return record;
}

/// The build puts the fake beside the programs, in `lib`.
inline std::string fakePath() {
  char path[4096] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) {
    return "";
  }
  std::string folder(path);
  folder.resize(folder.rfind('/'));
  return folder + "/../lib/libtessera-fake-cuda.so";
}

/// The environment names the fake while a test runs.
class WithFake : public ::testing::Test {
protected:
  void SetUp() override {
    setenv("TESSERA_LIBCUDA", fakePath().c_str(), 1);
    unsetenv("TESSERA_FAKE_FAIL");
    library = dlopen(fakePath().c_str(), RTLD_NOW);
    ASSERT_TRUE(library) << dlerror();
    call<void>("tesseraFakeReset");
  }
  void TearDown() override {
    unsetenv("TESSERA_LIBCUDA");
    unsetenv("TESSERA_FAKE_FAIL");
  }

  std::string calls() { return call<const char *>("tesseraFakeCalls"); }
  int living() { return call<int>("tesseraFakeLiving"); }
  void fail(const char *what) { setenv("TESSERA_FAKE_FAIL", what, 1); }

private:
  void *library = nullptr;

  template <typename T> T call(const char *name) {
    return reinterpret_cast<T (*)()>(dlsym(library, name))();
  }
};

} // namespace tessera::runtime::testing

#endif // TESSERA_TEST_UNIT_RUNTIME_RUNTIMETESTING_H
