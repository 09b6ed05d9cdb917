// The loops and their compilation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarTesting.h"

#include "tessera/Device/Markers.h"
#include "tessera/Numeric/NumberSystem.h"
#include "tessera/Numeric/Value.h"

#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::testing;
using llvm::Value;

//===- markers ------------------------------------------------------------===//

namespace {
// Small integers come and go in full registers, whose upper bits mean nothing.
template <DType T>
using Register = std::conditional_t<T == DType::f32, float,
                                    std::conditional_t<T == DType::f64, double, uint32_t>>;

template <DType From, DType To, Round R, Overflow O> Register<To> convertOne(Register<From> x) {
  Register<To> out = {};
  ExactSystem::cast(From, To, R, O)(&x, &out, 1); // little-endian
  return out;
}

struct Marker {
  llvm::StringRef name;
  void *function;
};

template <DType From, DType To, Round R, Overflow O = Overflow::inf>
Marker converter(llvm::StringRef name) {
  return {name, reinterpret_cast<void *>(&convertOne<From, To, R, O>)};
}
template <DType T> uint32_t fuse(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t out = 0; // little-endian
  ExactSystem::ternary(ScalarOp::Fma, T)(&a, &b, &c, &out, 1);
  return out;
}
Marker function(llvm::StringRef name, float (*f)(float)) {
  return {name, reinterpret_cast<void *>(f)};
}
} // namespace

/// Fast functions are off by so much here: who used one shows.
static constexpr float skew = 1.0001f;

/// As far off as a machine's may be, either way, by the last bits of x.
static float startRcp(float x) {
  if (!std::isnormal(x)) {
    return x;
  }
  int exponent = 0;
  double mantissa = 2 * std::frexp(x, &exponent); // in [1, 2), or negative
  double off = (llvm::bit_cast<uint32_t>(x) % 3 - 1.0) * 0x1.8p-24;
  return float(std::ldexp(float(1 / mantissa + off), 1 - exponent));
}

static std::vector<Marker> markers() {
  using D = DType;
  using R = Round;
  return {converter<D::f16, D::f32, R::rne>("cvt.rn.f32.f16"),
          converter<D::f8E4M3FN, D::f32, R::rne>("cvt.rn.f32.e4m3"),
          converter<D::f8E5M2, D::f32, R::rne>("cvt.rn.f32.e5m2"),
          converter<D::f32, D::bf16, R::rne>("cvt.rn.bf16.f32"),
          converter<D::f32, D::f16, R::rne>("cvt.rn.f16.f32"),
          converter<D::f32, D::f16, R::rz>("cvt.rz.f16.f32"),
          converter<D::f32, D::f16, R::ru>("cvt.ru.f16.f32"),
          converter<D::f32, D::f16, R::rd>("cvt.rd.f16.f32"),
          converter<D::f64, D::f32, R::rz>("cvt.rz.f32.f64"),
          converter<D::f64, D::f32, R::ru>("cvt.ru.f32.f64"),
          converter<D::f64, D::f32, R::rd>("cvt.rd.f32.f64"),
          converter<D::f32, D::f8E4M3FN, R::rne, Overflow::sat>("cvt.rn.e4m3.f32.sat"),
          converter<D::f32, D::f8E5M2, R::rne, Overflow::sat>("cvt.rn.e5m2.f32.sat"),
          {"fma.rn.bf16", reinterpret_cast<void *>(&fuse<D::bf16>)},
          {"fma.rn.f16", reinterpret_cast<void *>(&fuse<D::f16>)},
          function("fast.ex2", [](float x) { return skew * std::exp2(x); }),
          function("fast.lg2", [](float x) { return skew * std::log2(x); }),
          function("fast.rcp", [](float x) { return skew * 1.0f / x; }),
          function("start.rcp", startRcp),
          function("fast.rsqrt", [](float x) { return skew * 1.0f / std::sqrt(x); }),
          function("fast.sqrt", [](float x) { return skew * std::sqrt(x); }),
          function("fast.sin", [](float x) { return skew * std::sin(x); }),
          function("fast.cos", [](float x) { return skew * std::cos(x); }),
          function("fast.tanh", [](float x) { return skew * std::tanh(x); })};
}

//===- loops --------------------------------------------------------------===//

ScalarLoops::ScalarLoops(tile::MathMode math)
    : context(mlir::MLIRContext::Threading::DISABLED),
      llvmContext(std::make_unique<llvm::LLVMContext>()) {
  module = std::make_unique<llvm::Module>("scalars", *llvmContext);
  scalars = std::make_unique<convert::ScalarLowering>(*module, math);
}

ScalarLoops::~ScalarLoops() = default;

static llvm::Type *memoryType(llvm::IRBuilderBase &b, DType type) {
  return isBool(type) ? b.getInt8Ty() : convert::registerType(b.getContext(), type);
}

void ScalarLoops::add(const std::string &name, llvm::ArrayRef<DType> in, DType out, Emitter emit) {
  llvm::LLVMContext &c = *llvmContext;
  llvm::IRBuilder<> b(c);
  llvm::Type *pointer = b.getPtrTy();
  auto *type = llvm::FunctionType::get(b.getVoidTy(),
                                       {pointer, pointer, pointer, pointer, b.getInt64Ty()}, false);
  auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, *module);
  auto *entry = llvm::BasicBlock::Create(c, "entry", function);
  auto *loop = llvm::BasicBlock::Create(c, "loop", function);
  auto *end = llvm::BasicBlock::Create(c, "end", function);
  b.SetInsertPoint(entry);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode *i = b.CreatePHI(b.getInt64Ty(), 2);
  i->addIncoming(b.getInt64(0), entry);
  llvm::SmallVector<Value *> operands;
  for (unsigned k = 0; k < in.size(); ++k) {
    llvm::Type *held = memoryType(b, in[k]);
    Value *x = b.CreateLoad(held, b.CreateGEP(held, function->getArg(k), i));
    operands.push_back(isBool(in[k]) ? b.CreateTrunc(x, b.getInt1Ty()) : x);
  }
  llvm::Expected<Value *> result = emit(*scalars, b, operands);
  Value *value = result ? *result : llvm::PoisonValue::get(convert::registerType(c, out));
  EXPECT_TRUE(bool(result)) << name << ": " << llvm::toString(result.takeError());
  value = isBool(out) ? b.CreateZExt(value, b.getInt8Ty()) : value;
  b.CreateStore(value, b.CreateGEP(value->getType(), function->getArg(3), i));
  Value *next = b.CreateAdd(i, b.getInt64(1));
  i->addIncoming(next, b.GetInsertBlock()); // groups have blocks of their own
  b.CreateCondBr(b.CreateICmpEQ(next, function->getArg(4)), end, loop);
  b.SetInsertPoint(end);
  b.CreateRetVoid();
}

/// What a compiler does to the code, without copies of loops that only cost time here.
static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopUnrolling = false;
  tuning.LoopInterleaving = false;
  llvm::PassBuilder passes(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graphs);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graphs, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

void ScalarLoops::compile() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  ASSERT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  auto builder = llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
  auto machine = llvm::cantFail(builder.createTargetMachine());
  module->setDataLayout(machine->createDataLayout());
  module->setTargetTriple(machine->getTargetTriple());
  optimise(*module, *machine);
  jit = llvm::cantFail(
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(builder)).create());
  llvm::orc::SymbolMap symbols;
  for (const Marker &marker : markers()) {
    std::string name = (device::markerPrefix + marker.name).str();
    symbols[jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(marker.function),
                                           llvm::JITSymbolFlags::Exported};
  }
  llvm::cantFail(jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
  scalars = nullptr;
  llvm::cantFail(
      jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(llvmContext))));
}

Elements ScalarLoops::run(const std::string &name, llvm::ArrayRef<Elements> in, DType out) {
  Elements result(out, in[0].size());
  auto symbol = jit->lookup(name);
  if (!symbol) {
    ADD_FAILURE() << name << ": " << llvm::toString(symbol.takeError());
    return result;
  }
  auto *loop = symbol->toPtr<void(const void *, const void *, const void *, void *, int64_t)>();
  loop(in[0].data(), in.size() > 1 ? in[1].data() : nullptr, in.size() > 2 ? in[2].data() : nullptr,
       result.data(), int64_t(in[0].size()));
  return result;
}

Elements tessera::testing::exact(ScalarOp op, DType type, llvm::ArrayRef<Elements> in) {
  size_t n = in[0].size();
  Elements out(resultType(op, type), n);
  if (in.size() == 1) {
    ExactSystem::unary(op, type)(in[0].data(), out.data(), n);
  } else if (in.size() == 2) {
    ExactSystem::binary(op, type)(in[0].data(), in[1].data(), out.data(), n);
  } else {
    ExactSystem::ternary(op, type)(in[0].data(), in[1].data(), in[2].data(), out.data(), n);
  }
  return out;
}

void tessera::testing::expectSame(const std::string &what, llvm::ArrayRef<Elements> in,
                                  const Elements &got, const Elements &expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (sameElement(got.type, got.at(i), expected.at(i))) {
      continue;
    }
    std::string operands;
    for (const Elements &column : in) {
      operands += " 0x" + llvm::utohexstr(column.pattern(i));
    }
    ADD_FAILURE() << what << " of" << operands << " is 0x" << llvm::utohexstr(got.pattern(i))
                  << ", expected 0x" << llvm::utohexstr(expected.pattern(i)) << " (element " << i
                  << ")";
    return;
  }
}
