// Declarations and debug locations for kernels of tests.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimTesting.h"

#include "tessera/Device/Markers.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace tessera;

static constexpr const char *declarations = R"(
@tessera.smem = external addrspace(3) global [0 x i8], align 1024
declare i32 @tessera.tid()
declare i32 @tessera.ctaid()
declare i32 @tessera.nctaid()
declare void @tessera.bar.cta() convergent
declare void @tessera.bar.warp() convergent
declare void @tessera.bar.named(i32, i32) convergent
declare i32 @tessera.shfl.bfly(i32, i32) convergent
declare i32 @tessera.shfl.idx(i32, i32) convergent
declare i8 @tessera.ld.global.i8(ptr addrspace(1), i64, i1, i8)
declare i16 @tessera.ld.global.i16(ptr addrspace(1), i64, i1, i16)
declare i32 @tessera.ld.global.i32(ptr addrspace(1), i64, i1, i32)
declare i64 @tessera.ld.global.i64(ptr addrspace(1), i64, i1, i64)
declare <2 x i32> @tessera.ld.global.v2i32(ptr addrspace(1), i64, i1, <2 x i32>)
declare <4 x i32> @tessera.ld.global.v4i32(ptr addrspace(1), i64, i1, <4 x i32>)
declare void @tessera.st.global.i8(ptr addrspace(1), i64, i8, i1)
declare void @tessera.st.global.i16(ptr addrspace(1), i64, i16, i1)
declare void @tessera.st.global.i32(ptr addrspace(1), i64, i32, i1)
declare void @tessera.st.global.v4i32(ptr addrspace(1), i64, <4 x i32>, i1)
declare <4 x i32> @tessera.ld.shared.part.v4i32(ptr addrspace(3), i64, i1, <4 x i32>, i32)
declare i8 @tessera.ld.shared.i8(ptr addrspace(3), i64, i1, i8)
declare i16 @tessera.ld.shared.i16(ptr addrspace(3), i64, i1, i16)
declare i32 @tessera.ld.shared.i32(ptr addrspace(3), i64, i1, i32)
declare <2 x i32> @tessera.ld.shared.v2i32(ptr addrspace(3), i64, i1, <2 x i32>)
declare <4 x i32> @tessera.ld.shared.v4i32(ptr addrspace(3), i64, i1, <4 x i32>)
declare void @tessera.st.shared.i16(ptr addrspace(3), i64, i16, i1)
declare void @tessera.st.shared.i32(ptr addrspace(3), i64, i32, i1)
declare void @tessera.st.shared.v4i32(ptr addrspace(3), i64, <4 x i32>, i1)
declare i32 @tessera.atom.add.u32.relaxed.gpu(ptr addrspace(1), i32, i1)
declare i32 @tessera.atom.add.u32.release.cta(ptr addrspace(1), i32, i1)
declare i32 @tessera.atom.add.u32.acquire.cta(ptr addrspace(1), i32, i1)
declare i32 @tessera.atom.max.s32.relaxed.gpu(ptr addrspace(1), i32, i1)
declare i32 @tessera.atom.xchg.u32.relaxed.gpu(ptr addrspace(1), i32, i1)
declare i32 @tessera.atom.add.f32.relaxed.gpu(ptr addrspace(1), i32, i1)
declare i16 @tessera.atom.add.bf16.relaxed.gpu(ptr addrspace(1), i16, i1)
declare i32 @tessera.atom.cas.u32.relaxed.gpu(ptr addrspace(1), i32, i32, i1)
declare void @tessera.cp.commit()
declare void @tessera.cp.wait(i32)
declare i16 @tessera.cvt.rn.bf16.f32(float)
declare i16 @tessera.cvt.rz.f16.f32(float)
declare float @tessera.cvt.rn.f32.f16(i16)
declare i8 @tessera.cvt.rn.e4m3.f32(float)
declare i8 @tessera.cvt.rn.e4m3.sat.f32(float)
declare i32 @tessera.pack.rn.bf16x2(float, float)
declare i16 @tessera.pack.rn.e4m3x2(float, float)
declare i16 @tessera.fma.rn.bf16(i16, i16, i16)
declare i16 @tessera.fma.rn.f16(i16, i16, i16)
declare float @tessera.fast.ex2(float)
declare float @tessera.fast.rsqrt(float)
declare void @tessera.assert(i1, ptr)
declare void @tessera.trap(ptr)
attributes #0 = { "tessera.threads"="64" "tessera.shared_bytes"="1024" }
)";

/// Gives the marker calls of a function the lines 1, 2, ….
static void addLocations(llvm::Function &function, llvm::DIBuilder &builder, llvm::DIFile *file) {
  auto *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  auto *program =
      builder.createFunction(file, function.getName(), "", file, 1, type, 1, llvm::DINode::FlagZero,
                             llvm::DISubprogram::SPFlagDefinition);
  function.setSubprogram(program);
  unsigned line = 0;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && device::markerName(*call)) {
      call->setDebugLoc(llvm::DILocation::get(function.getContext(), ++line, 1, program));
    }
  }
}

llvm::Expected<std::unique_ptr<sim::Simulator>> simtest::compile(llvm::StringRef functions) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  std::string all = declarations + functions.str();
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(all, diagnostic, *context);
  if (!module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    diagnostic.print("test", os);
    return llvm::createStringError(text);
  }
  module->addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  llvm::DIBuilder builder(*module);
  llvm::DIFile *file = builder.createFile("k.tile", ".");
  builder.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), file, "test", false,
                            "", 0);
  for (llvm::Function &function : *module) {
    if (!function.isDeclaration()) {
      addLocations(function, builder, file);
    }
  }
  builder.finalize();
  return sim::Simulator::create(std::move(module),
                                llvm::orc::ThreadSafeContext(std::move(context)));
}

static void stop(llvm::Error error) {
  llvm::errs() << llvm::toString(std::move(error)) << '\n';
  std::abort();
}

simtest::Kernel::Kernel(llvm::StringRef functions) {
  auto made = compile(functions);
  if (!made) {
    stop(made.takeError());
  }
  simulator = std::move(*made);
}

sim::SimReport simtest::Kernel::run(const sim::SimLaunch &launch, llvm::StringRef entry) {
  auto report = simulator->run(entry, launch);
  if (!report) {
    stop(report.takeError());
  }
  return std::move(*report);
}

simtest::Kernel simtest::kernelOf(llvm::StringRef parameters, llvm::StringRef body) {
  return Kernel(("define void @k(" + parameters + ") #0 {\n  %tid = call i32 @tessera.tid()\n" +
                 body + "\n  ret void\n}\n")
                    .str());
}

std::vector<sim::ErrorKind> simtest::kinds(const sim::SimReport &report) {
  std::vector<sim::ErrorKind> found;
  for (const sim::SimError &error : report.errors) {
    found.push_back(error.kind);
  }
  return found;
}

std::string simtest::text(const sim::SimReport &report) {
  std::string result;
  llvm::raw_string_ostream os(result);
  report.print(os);
  return result;
}
