// A host over IR that a test gives as text, called without a script.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_SCHEDULE_IRTESTING_H
#define TESSERA_TEST_UNIT_SCHEDULE_IRTESTING_H

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tessera/Schedule/ScheduleHost.h"

#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

namespace tessera::testing {

using schedule::Value;

/// The host's kernel is the first one of the module.
class OnIR {
public:
  explicit OnIR(llvm::StringRef text, llvm::StringRef target = "sm_80",
                schedule::Replayer replayer = {})
      : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<tile::TileDialect, mlir::scf::SCFDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text.str();
    schedule::addAllPrimitives(registry);
    schedule::ScheduleHost::Options options;
    options.target = *schedule::TargetRecord::named(target);
    options.registry = &registry;
    options.replayer = std::move(replayer);
    std::string kernel = (*module->getOps<tile::KernelOp>().begin()).getSymName().str();
    made = llvm::cantFail(schedule::ScheduleHost::create(*module, kernel, std::move(options)));
  }

  schedule::ScheduleHost &host() { return *made; }

  /// What the primitive refuses with, as `code: message`; empty where it did it. Its result is in `result`.
  std::string call(llvm::StringRef name, std::vector<Value> args) {
    const script::Signature *signature = made->lookupPrimitive(name);
    EXPECT_TRUE(signature) << name.str();
    for (size_t i = args.size(); i < signature->params.size(); ++i) {
      const script::Parameter &param = signature->params[i];
      args.push_back(param.isVariadic ? Value::list({})
                     : param.fallback ? *param.fallback
                                      : Value());
    }
    schedule::HostCall call{*signature, made->self(), std::move(args), {}};
    llvm::Expected<Value> given = signature->isPure ? made->inspect(call) : made->call(call);
    if (given) {
      result = *given;
      return "";
    }
    return words(given.takeError());
  }
  /// What could be done and would be wrong: refused, nothing changed, and a run shows it.
  void expectUnsafe(llvm::StringRef name, std::vector<Value> args, llvm::StringRef code,
                    llvm::StringRef message) {
    std::string before = text(), found = call(name, std::move(args));
    EXPECT_EQ(llvm::StringRef(found).split(": ").first, code) << found;
    EXPECT_NE(found.find(message.str()), std::string::npos) << found;
    EXPECT_NE(found.find("; confirmed by a run: "), std::string::npos) << found;
    EXPECT_EQ(text(), before);
  }
  Value look(llvm::StringRef name, std::vector<Value> args) {
    EXPECT_EQ(call(name, std::move(args)), "");
    return result;
  }
  std::string words(llvm::Error error) {
    std::string text;
    llvm::handleAllErrors(std::move(error), [&](const script::HostError &e) {
      text = e.code + (e.code.empty() ? "" : ": ") + e.message;
      EXPECT_TRUE(e.kind != script::HostError::Kind::Refused || !e.help.empty()) << e.message;
      for (const std::string &candidate : e.candidates) {
        text += " | " + candidate;
      }
    });
    return text;
  }

  template <class Op> Op first() {
    Op found;
    made->getModule().walk([&](Op op) { found = found ? found : op; });
    EXPECT_TRUE(found);
    return found;
  }
  Value buf() {
    return made->getCursors().op(first<tile::AllocOp>(), script::ValueKind::Buf, "buf a");
  }
  Value layout(llvm::StringRef notation) { return look("layout", {Value::string(notation)}); }
  std::string text() {
    std::string out;
    llvm::raw_string_ostream os(out);
    made->getModule().print(os);
    return out;
  }

  Value result;

private:
  mlir::MLIRContext context;
  schedule::PrimitiveRegistry registry;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<schedule::ScheduleHost> made;
};

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_SCHEDULE_IRTESTING_H
