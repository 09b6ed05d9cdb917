// Declared instructions: fragments and addresses of lanes against the tables of the PTX ISA, written out here.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tessera::sim;
using namespace tessera::simtest;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
const char *copyBody = R"(
define internal void @copy512(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 512, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
)";

/// Shared memory holds 16 rows of 16 elements of 2 bytes, each its own number; %row is where the row of a lane's address begins.
const char *fillAndAddress = R"(
  %tid = call i32 @tessera.tid()
  %t = zext i32 %tid to i64
  %o = shl i64 %t, 4
  %mine = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %o
  %n8 = shl i32 %tid, 3
  %splat0 = insertelement <8 x i32> poison, i32 %n8, i32 0
  %splat = shufflevector <8 x i32> %splat0, <8 x i32> poison, <8 x i32> zeroinitializer
  %numbers = add <8 x i32> %splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %halves = trunc <8 x i32> %numbers to <8 x i16>
  %words = bitcast <8 x i16> %halves to <4 x i32>
  call void @tessera.st.shared.v4i32(ptr addrspace(3) %mine, i64 0, <4 x i32> %words, i1 true)
  call void @tessera.bar.cta()
  %r = and i64 %t, 15
  %half = lshr i64 %t, 4
  %rowOffset = shl i64 %r, 5
  %columnOffset = shl i64 %half, 4
  %at = add i64 %rowOffset, %columnOffset
  %row = getelementptr i8, ptr addrspace(3) @tessera.smem, i64 %at
  %oo = shl i64 %t, 4
  %out = getelementptr i8, ptr addrspace(1) %o1, i64 %oo
)";

std::string ldmatrix(llvm::StringRef map, llvm::StringRef more = "",
                     llvm::StringRef address = fillAndAddress) {
  return (R"(
declare <4 x i32> @tessera.i.ldmatrix(ptr addrspace(3), i1) #1
attributes #1 = { "tessera.operands"="dst:frag:out:256:bf16,src:smem:in:256:bf16" "tessera.scope"="warp"
  "tessera.shapes"="dst=16x16;src=16x16" "tessera.via"="generic" "tessera.body"="copy512"
  "tessera.maps"="dst=)" +
          map + R"(" "tessera.lane_bytes"="src=16,32" )" + more + "}\n" + copyBody +
          "define void @k(ptr addrspace(1) %o1) #0 {\n" + address + R"(
  %v = call <4 x i32> @tessera.i.ldmatrix(ptr addrspace(3) %row, i1 true)
  call void @tessera.st.global.v4i32(ptr addrspace(1) %out, i64 0, <4 x i32> %v, i1 true)
  ret void
})")
      .str();
}

std::vector<uint16_t> runWarp(Kernel &kernel, SimReport *given = nullptr) {
  std::vector<uint16_t> out(32 * 8);
  SimLaunch launch;
  launch.threads = 32;
  launch.arguments = {word(out.data())};
  launch.regions = {region("out", out, RegionMode::out)};
  SimReport report = kernel.run(launch);
  EXPECT_TRUE(report.clean()) << text(report);
  if (given) {
    *given = report;
  }
  return out;
}
} // namespace

TEST(SimulatorInstruction, LoadMatrix) {
  Kernel kernel(ldmatrix("((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))"));
  SimReport report;
  std::vector<uint16_t> out = runWarp(kernel, &report);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned value = 0; value < 8; ++value) {
      // Register m is of matrix m: rows 0-7, rows 8-15, then the same to the right.
      unsigned matrix = value / 2;
      unsigned row = lane / 4 + 8 * (matrix % 2),
               column = 2 * (lane % 4) + value % 2 + 8 * (matrix / 2);
      EXPECT_EQ(out[lane * 8 + value], row * 16 + column) << lane << " " << value;
    }
  }
  // Rows of 32 bytes: eight of them meet in every fourth bank group, two by two.
  for (const SiteCounters &site : report.sites) {
    if (site.marker == "i.ldmatrix(src)") {
      EXPECT_EQ(site.executed, 32u);
      EXPECT_EQ(site.wavefronts, 8u);
      EXPECT_EQ(site.idealWavefronts, 4u);
      EXPECT_EQ(site.degree, 2u);
    }
  }
}

TEST(SimulatorInstruction, LoadMatrixTransposed) {
  Kernel kernel(ldmatrix("((4, 8), (2, 2, 2)) : ((2, 16), (1, 8, 128))"));
  std::vector<uint16_t> out = runWarp(kernel);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned value = 0; value < 8; ++value) {
      unsigned matrix = value / 2;
      unsigned row = 2 * (lane % 4) + value % 2 + 8 * (matrix % 2),
               column = lane / 4 + 8 * (matrix / 2);
      EXPECT_EQ(out[lane * 8 + value], row * 16 + column) << lane << " " << value;
    }
  }
}

TEST(SimulatorInstruction, AddressesOfTheirOwn) {
  // Two neighbouring lanes give the two halves of a row.
  std::string address = fillAndAddress;
  auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
    size_t at = address.find(from.str());
    ASSERT_NE(at, std::string::npos);
    address.replace(at, from.size(), to.str());
  };
  replace("%r = and i64 %t, 15", "%r = lshr i64 %t, 1");
  replace("%half = lshr i64 %t, 4", "%half = and i64 %t, 1");
  const char *map = "((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))";
  Kernel usual(ldmatrix(map));
  Kernel own(ldmatrix(map, R"IR("tessera.addresses"="src=(2, 16) : (128, 1)" )IR", address));
  EXPECT_EQ(runWarp(own), runWarp(usual));
  Kernel wrong(ldmatrix(map, "", address));
  EXPECT_NE(runWarp(wrong), runWarp(usual));
}

TEST(SimulatorInstruction, StoreMatrix) {
  // Registers that hold their place of the A fragment come out as rows.
  Kernel kernel((R"IR(
declare void @tessera.i.stmatrix(ptr addrspace(3), <4 x i32>, i1) #1
attributes #1 = { "tessera.operands"="dst:smem:out:256:bf16,src:frag:in:256:bf16" "tessera.scope"="warp"
  "tessera.shapes"="dst=16x16;src=16x16" "tessera.via"="generic" "tessera.body"="copy512"
  "tessera.maps"="src=((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))" "tessera.lane_bytes"="dst=16,32" }
)IR" + std::string(copyBody) +
                 "define void @k(ptr addrspace(1) %o1) #0 {\n" + fillAndAddress + R"(
  call void @tessera.i.stmatrix(ptr addrspace(3) %row, <4 x i32> %words, i1 true)
  call void @tessera.bar.warp()
  %v = call <4 x i32> @tessera.ld.shared.v4i32(ptr addrspace(3) %mine, i64 0, i1 true, <4 x i32> zeroinitializer)
  call void @tessera.st.global.v4i32(ptr addrspace(1) %out, i64 0, <4 x i32> %v, i1 true)
  ret void
})"));
  std::vector<uint16_t> out = runWarp(kernel);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned value = 0; value < 8; ++value) {
      unsigned matrix = value / 2;
      unsigned row = lane / 4 + 8 * (matrix % 2),
               column = 2 * (lane % 4) + value % 2 + 8 * (matrix / 2);
      EXPECT_EQ(out[row * 16 + column], lane * 8 + value);
    }
  }
}

TEST(SimulatorInstruction, InOutFragment) {
  // c = a + c over 16 x 8, a scalar on top; each element also gets its place row by row, as the body sees it.
  Kernel kernel(R"IR(
declare <4 x i32> @tessera.i.acc(<4 x i32>, float, <4 x i32>, i1) #1
attributes #1 = { "tessera.operands"="a:frag:in:128:f32,s:scalar:in:1:f32,c:frag:inout:128:f32"
  "tessera.shapes"="a=16x8;c=16x8" "tessera.scope"="warp" "tessera.body"="add"
  "tessera.maps"="a=((4, 8), (2, 2)) : ((32, 1), (16, 8));c=((4, 8), (2, 2)) : ((32, 1), (16, 8))" }
define internal void @add(ptr %a, ptr %s, ptr %c) {
  br label %loop
loop:
  %i = phi i64 [0, %0], [%i1, %loop]
  %pa = getelementptr float, ptr %a, i64 %i
  %pc = getelementptr float, ptr %c, i64 %i
  %x = load float, ptr %pa
  %y = load float, ptr %pc
  %z = load float, ptr %s
  %n = uitofp i64 %i to float
  %xy = fadd float %x, %y
  %xyz = fadd float %xy, %z
  %all = fadd float %xyz, %n
  store float %all, ptr %pc
  %i1 = add i64 %i, 1
  %done = icmp eq i64 %i1, 128
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @k(ptr addrspace(1) %o1) #0 {
  %tid = call i32 @tessera.tid()
  %t = zext i32 %tid to i64
  %oo = shl i64 %t, 4
  %out = getelementptr i8, ptr addrspace(1) %o1, i64 %oo
  %f = uitofp i32 %tid to float
  %k = fmul float %f, 1000.0
  %w = bitcast float %k to i32
  %a = insertelement <4 x i32> zeroinitializer, i32 %w, i32 3
  %one = bitcast float 0.5 to i32
  %c = insertelement <4 x i32> zeroinitializer, i32 %one, i32 0
  %v = call <4 x i32> @tessera.i.acc(<4 x i32> %a, float 0.25, <4 x i32> %c, i1 true)
  call void @tessera.st.global.v4i32(ptr addrspace(1) %out, i64 0, <4 x i32> %v, i1 true)
  ret void
})IR");
  std::vector<float> out(128);
  SimLaunch launch;
  launch.threads = 32;
  launch.arguments = {word(out.data())};
  launch.regions = {region("out", out, RegionMode::out)};
  SimReport report = kernel.run(launch);
  EXPECT_TRUE(report.clean()) << text(report);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned value = 0; value < 4; ++value) {
      unsigned row = lane / 4 + 8 * (value / 2), column = 2 * (lane % 4) + value % 2;
      float expected = float(row * 8 + column) + 0.25f + (value == 0 ? 0.5f : 0) +
                       (value == 3 ? 1000.0f * float(lane) : 0);
      EXPECT_EQ(out[lane * 4 + value], expected) << lane << " " << value;
    }
  }
}

TEST(SimulatorInstruction, MalformedDeclarations) {
  auto refusal = [](std::string attributes) {
    auto made = compile("declare <4 x i32> @tessera.i.x(ptr addrspace(3), i1) #1\n" +
                        std::string(copyBody) + "attributes #1 = { " + attributes + R"( }
define void @k() #0 {
  %v = call <4 x i32> @tessera.i.x(ptr addrspace(3) @tessera.smem, i1 true)
  ret void
})");
    return made ? "" : llvm::toString(made.takeError());
  };
  std::string operands = R"("tessera.operands"="dst:frag:out:16x16:bf16,src:smem:in:16x16:bf16" )";
  std::string scope = R"("tessera.scope"="warp" )", body = R"("tessera.body"="copy512" )";
  std::string maps = R"IR("tessera.maps"="dst=((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))" )IR";
  std::string bytes = R"("tessera.lane_bytes"="src=16,32" )";
  EXPECT_EQ(refusal(operands + scope + body + maps + bytes), "");
  EXPECT_THAT(refusal(operands + body + maps + bytes), HasSubstr("tessera.scope"));
  EXPECT_THAT(refusal(R"("tessera.operands"="dst:frag:out:256:bf16,src:smem:in:256:bf16" )" +
                      scope + body + maps + bytes),
              HasSubstr("give the shape of `dst`"));
  EXPECT_THAT(refusal(operands + scope + maps + bytes), HasSubstr("tessera.body"));
  EXPECT_THAT(refusal(operands + scope + body + bytes), HasSubstr("no layout for `dst`"));
  EXPECT_THAT(refusal(operands + scope + body + maps), HasSubstr("tessera.lane_bytes"));
  EXPECT_THAT(refusal(operands + scope + body + maps + R"("tessera.lane_bytes"="src=16,16")"),
              HasSubstr("512 bytes"));
  EXPECT_THAT(
      refusal(operands + scope + body + bytes + R"IR("tessera.maps"="dst=(32, 8) : (8, 256)")IR"),
      HasSubstr("leaves its tile"));
  EXPECT_THAT(
      refusal(operands + scope + body + bytes + R"IR("tessera.maps"="dst=(16, 8) : (8, 1)")IR"),
      HasSubstr("32 lanes"));
  EXPECT_THAT(refusal(operands + scope + maps + bytes + R"("tessera.body"="none")"),
              HasSubstr("`none`"));
  EXPECT_THAT(refusal(operands + scope + body + maps + bytes + R"("tessera.via"="tma")"),
              HasSubstr("not simulated"));
  EXPECT_THAT(refusal(R"("tessera.operands"="dst:frag" )" + scope + body),
              HasSubstr("name:kind:direction"));
}

TEST(SimulatorInstruction, VectorsOfAThread) {
  // A load of a thread with some bytes absent, for some threads only.
  Kernel kernel(R"IR(
declare <4 x i32> @tessera.i.ld16(ptr addrspace(1), i32, i1) #1
attributes #1 = { "tessera.operands"="dst:frag:out:4:f32,src:view:in:4:f32" "tessera.scope"="thread"
  "tessera.body"="copy" "tessera.maps"="dst=(1, 4) : (0, 1)" }
define internal void @copy(ptr %dst, ptr %src) {
  %v = load <4 x i32>, ptr %src
  store <4 x i32> %v, ptr %dst
  ret void
}
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %present, i32 %threads) #0 {
  %tid = call i32 @tessera.tid()
  %t = zext i32 %tid to i64
  %o = shl i64 %t, 4
  %src = getelementptr i8, ptr addrspace(1) %in, i64 %o
  %dst = getelementptr i8, ptr addrspace(1) %out, i64 %o
  %p = icmp ult i32 %tid, %threads
  %v = call <4 x i32> @tessera.i.ld16(ptr addrspace(1) %src, i32 %present, i1 %p)
  call void @tessera.st.global.v4i32(ptr addrspace(1) %dst, i64 0, <4 x i32> %v, i1 %p)
  ret void
})IR");
  alignas(16) static float in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<float> out(16, -1);
  SimLaunch launch;
  launch.threads = 4;
  launch.arguments = {word(&in[0]), word(out.data()), 16, 2};
  launch.regions = {{"in", in, 4, {8}, {1}, RegionMode::in}, region("out", out, RegionMode::out)};
  EXPECT_TRUE(kernel.run(launch).clean());
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 9),
            (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, -1}));
  launch.arguments[2] = 12;
  EXPECT_TRUE(kernel.run(launch).clean());
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 8),
            (std::vector<float>{1, 2, 3, 0, 5, 6, 7, 0}));
  launch.arguments[3] = 3;
  EXPECT_THAT(kinds(kernel.run(launch)), ElementsAre(ErrorKind::outOfBounds));
}
