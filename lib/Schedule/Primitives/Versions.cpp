// versions: one kernel as two, one of which knows a condition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/LaunchFacts.h"
#include "tessera/Schedule/Primitive.h"
#include "tessera/Schedule/ScriptHost.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

static llvm::Expected<Value> runVersions(PrimitiveContext &context, const HostCall &call) {
  tile::KernelOp kernel = context.kernel();
  const Value &fact = call.arg("pred");
  llvm::Expected<solver::Expr> condition = context.condition(fact, kernel);
  if (!condition) {
    return condition.takeError();
  }
  solver::Obligation never{"`" + fact.str() + "` never holds", {}, !*condition};
  if (context.ask(std::move(never), kernel).proved()) {
    return context.refuse("versions_never",
                          "`" + fact.str() +
                              "` contradicts what is known, so its version would "
                              "never be launched",
                          "remove the version, or correct the condition", {{kernel, "the kernel"}});
  }
  context.note("the launch takes the version `yes` where `" + fact.str() + "`, else `no`");
  mlir::RewriterBase &rewriter = context.rewriter();
  tile::KernelOp yes = context.forkKernel(kernel, "yes", "no");
  rewriter.modifyOpInPlace(yes, [&] {
    llvm::SmallVector<mlir::Attribute> when;
    if (auto known = kernel->getAttrOfType<mlir::ArrayAttr>(versionWhenAttr)) {
      when.append(known.begin(), known.end());
    }
    when.push_back(rewriter.getStringAttr(fact.str()));
    yes->setAttr(versionWhenAttr, rewriter.getArrayAttr(when));
    auto of = kernel->getAttrOfType<mlir::FlatSymbolRefAttr>(versionOfAttr);
    yes->setAttr(versionOfAttr, of ? of : mlir::FlatSymbolRefAttr::get(kernel.getSymNameAttr()));
  });
  context.assumeIn(yes, fact, *condition);
  return Value::record({{"yes", context.cursor(yes, ValueKind::Kernel)},
                        {"no", context.cursor(kernel, ValueKind::Kernel)}});
}

void schedule::addVersions(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "versions";
  signature.params = {parameter("pred", ValueKind::Fact)};
  signature.takesScope = true;
  signature.result = "{yes, no}";
  signature.group = "Facts";
  signature.doc = "A copy of the kernel that is launched where the condition holds; it is known "
                  "there. The kernel "
                  "itself serves all other launches. Cursors made before are ambiguous between the "
                  "two. Refused "
                  "where the condition can never hold.";
  signature.before = "tile.kernel @k …";
  signature.after =
      "tile.kernel @k.yes … attributes {tile.version_of = @k, tile.when = [\"N % 8 == 0\"]}\n"
      "tile.kernel @k …";
  registry.add({std::move(signature), runVersions});
}
