// The driver's classes over a fake library: calls, errors in their words, and that all is given back.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuntimeTesting.h"

using namespace tessera::runtime;
using namespace tessera::runtime::testing;
using ::testing::HasSubstr;

namespace {
class DriverTest : public WithFake {
protected:
  Result<Context> context() {
    Result<Driver> driver = Driver::open();
    return driver ? driver->context() : Result<Context>(driver.error());
  }
};

TEST_F(DriverTest, NoLibrary) {
  setenv("TESSERA_LIBCUDA", "/nowhere/libcuda.so", 1);
  Result<Driver> driver = Driver::open();
  ASSERT_FALSE(bool(driver));
  EXPECT_THAT(driver.error().message(),
              HasSubstr("the CUDA driver does not open: /nowhere/libcuda.so"));
  EXPECT_THAT(driver.error().remedy, HasSubstr("TESSERA_LIBCUDA"));
}

TEST_F(DriverTest, ALibraryOfSomethingElse) {
  setenv("TESSERA_LIBCUDA", "libdl.so.2", 1);
  Result<Driver> driver = Driver::open();
  ASSERT_FALSE(bool(driver));
  EXPECT_THAT(driver.error().message(), HasSubstr("has no entry point `cu"));
}

TEST_F(DriverTest, Device) {
  Result<Context> c = context();
  ASSERT_TRUE(bool(c)) << c.error().message();
  EXPECT_EQ(c->deviceName(), "Fake \"GPU\"");
  EXPECT_EQ(c->capability(), 90u);
  EXPECT_EQ(c->maxSharedBytes(), 232448u);
  EXPECT_EQ(*Driver::open()->deviceCount(), 1);
  EXPECT_THAT(Driver::open()->context(3).error().text, HasSubstr("device 3: CUDA_ERROR_FAKE"));
}

TEST_F(DriverTest, EveryStepCanFail) {
  for (const char *step :
       {"cuInit:100", "cuDeviceGet:101", "cuDeviceGetName:1", "cuDeviceGetAttribute:1",
        "cuDevicePrimaryCtxRetain:2", "cuCtxSetCurrent:201"}) {
    fail(step);
    Result<Context> c = context();
    EXPECT_FALSE(bool(c)) << step;
    EXPECT_THAT(c.error().text, HasSubstr("CUDA_ERROR_FAKE (as was asked for)"));
  }
  fail("cuInit:12345");
  EXPECT_THAT(context().error().text, HasSubstr("the CUDA driver does not start: error 12345"));
  fail("cuInit:100");
  EXPECT_THAT(context().error().remedy, HasSubstr("nvidia-smi"));
}

TEST_F(DriverTest, Launch) {
  Result<Context> c = context();
  Result<Module> module = c->load(".version 8.0");
  ASSERT_TRUE(bool(module)) << module.error().message();
  float values[6] = {1, 2, 3, 4, 5, 6};
  std::vector<DeviceMemory> memories;
  std::vector<Argument> arguments;
  for (int i = 0; i < 3; ++i) {
    memories.push_back(std::move(*c->allocate(sizeof values)));
    EXPECT_FALSE(memories[size_t(i)].copyFrom(values, sizeof values).has_value());
    arguments.push_back(Argument::dense(memories[size_t(i)].address(), {6}));
  }
  Result<LaunchPlan> plan = launch(addition(), *module, arguments);
  ASSERT_TRUE(bool(plan)) << plan.error().message();
  EXPECT_FALSE(c->synchronize().has_value());
  float sums[6] = {};
  EXPECT_FALSE(memories[2].copyTo(sums, sizeof sums).has_value());
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(sums[i], 2 * values[i]);
  }
  // 6 elements take the version for all, which needs more shared memory than is given unasked.
  EXPECT_THAT(
      calls(),
      HasSubstr("cuFuncSetAttribute 8 65536\ncuLaunchKernel add_any 1 1 1 256 1 1 65536\n"));
}

TEST_F(DriverTest, LittleSharedMemoryIsNotAskedFor) {
  Result<Context> c = context();
  Result<Module> module = c->load("");
  LaunchPlan plan = *planLaunch(
      addition(), {Argument::dense(0, {0}), Argument::dense(0, {0}), Argument::dense(0, {0})});
  EXPECT_FALSE(module->launch(addition(), plan).has_value());
  EXPECT_THAT(calls(), ::testing::Not(HasSubstr("cuLaunchKernel"))) << "a grid of 0";
  LaunchRecord record = addition();
  record.versions[0].symbol = "other";
  plan.grid = 3;
  plan.version = 0;
  EXPECT_FALSE(module->launch(record, plan).has_value());
  EXPECT_THAT(calls(), HasSubstr("cuLaunchKernel other 3 1 1 128 1 1 0\n"));
  EXPECT_THAT(calls(), ::testing::Not(HasSubstr("cuFuncSetAttribute")));
}

TEST_F(DriverTest, ErrorsOfLaunches) {
  Result<Context> c = context();
  Result<Module> module = c->load("");
  LaunchRecord record = addition();
  LaunchPlan plan;
  plan.version = 1;
  plan.grid = 1;
  fail("cuFuncSetAttribute:1");
  EXPECT_THAT(
      module->launch(record, plan)->text,
      HasSubstr("kernel `add`, version `add_any` needs 65536 bytes of shared memory: CUDA"));
  plan.version = 0;
  record.versions[0].symbol = "wrong";
  fail("cuLaunchKernel:701");
  Failure failure = module->launch(record, plan);
  EXPECT_THAT(failure->text, HasSubstr("with 1 CTAs does not start"));
  EXPECT_THAT(failure->remedy, HasSubstr("registers or shared memory"));
  record.versions[0].symbol = "missing";
  EXPECT_THAT(module->launch(record, plan)->text,
              HasSubstr("version `missing` is not in the module"));
  fail("cuCtxSynchronize:700");
  EXPECT_THAT(c->synchronize()->remedy, HasSubstr("outside its arrays"));
}

TEST_F(DriverTest, ModulesThatDoNotLoad) {
  Result<Context> c = context();
  fail("cuModuleLoadDataEx:218");
  Result<Module> module = c->load("bad");
  ASSERT_FALSE(bool(module));
  EXPECT_THAT(module.error().text, HasSubstr("the driver's compiler says: ptxas: no good"));
  EXPECT_THAT(module.error().remedy, HasSubstr("older than the PTX"));
}

TEST_F(DriverTest, Memory) {
  Result<Context> c = context();
  Result<DeviceMemory> memory = c->allocate(4), none = c->allocate(0);
  ASSERT_TRUE(memory && none) << "an empty array has an address, too";
  char data[8] = {};
  EXPECT_THAT(memory->copyFrom(data, 8)->text, HasSubstr("8 bytes with memory of 4"));
  EXPECT_TRUE(memory->copyTo(data, 5).has_value());
  EXPECT_FALSE(none->copyFrom(data, 0).has_value());
  EXPECT_FALSE(memory->fill(0x41).has_value());
  EXPECT_FALSE(memory->copyTo(data, 4).has_value());
  EXPECT_STREQ(data, "AAAA");
  fail("cuMemAlloc_v2:2");
  EXPECT_THAT(c->allocate(77).error().message(), HasSubstr("77 bytes on Fake"));
  EXPECT_THAT(c->allocate(77).error().remedy, HasSubstr("use smaller ones"));
}

TEST_F(DriverTest, Events) {
  Result<Context> c = context();
  Result<Event> start = c->event(), stop = c->event();
  EXPECT_FALSE(start->record() || stop->record() || stop->wait());
  EXPECT_EQ(*stop->since(*start), 0.25f);
  fail("cuEventElapsedTime:600");
  EXPECT_FALSE(bool(stop->since(*start)));
}

TEST_F(DriverTest, AllIsGivenBack) {
  int before = living();
  {
    Result<Context> c = context();
    Result<Module> module = c->load("");
    Result<DeviceMemory> memory = c->allocate(100);
    DeviceMemory moved = std::move(*memory);
    moved = std::move(*c->allocate(50));
    Result<Event> event = c->event();
    EXPECT_GT(living(), before);
  }
  EXPECT_EQ(living(), before);
}
} // namespace
