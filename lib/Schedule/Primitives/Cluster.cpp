// cluster: CTAs of neighbouring tiles run together and reach each other's shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.h"
#include "Places.h"

#include "tessera/Dialect/Tile/ClusterAttrs.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

static llvm::Expected<Value> runCluster(PrimitiveContext &context, const HostCall &call) {
  llvm::Expected<Site> site = context.resolve(call.arg("axis"));
  if (!site) {
    return site.takeError();
  }
  bool isAxis = site->kind == ValueKind::Dim && llvm::isa<tile::GridOp, tile::TasksOp>(site->op);
  if (!isAxis) {
    return context.refuse("cluster_axis", "`" + site->text + "` is no axis of a grid or of tasks",
                          "write `t.m`, where `t` is what `persistent` returned");
  }
  int64_t count = *call.arg("ctas").getInteger();
  const TargetRecord &target = context.target();
  if (count < 1 || count > target.cluster) {
    return context.refuse("cluster_count",
                          "a cluster of " + llvm::Twine(count) + " CTAs; on `" + target.arch +
                              "` it has 1 to " + llvm::Twine(target.cluster),
                          target.cluster == 1 ? "clusters come with sm_90" : "use fewer CTAs");
  }
  tile::KernelOp kernel = context.kernel();
  if (kernel->hasAttr(tile::clusterAttrName)) {
    return context.refuse("cluster_twice",
                          quoted(context, kernel.getOperation()) + " has a cluster already",
                          "say it once", {{kernel, "the kernel"}});
  }
  // The axis is known by its place: it keeps that where the grid becomes tasks.
  int64_t number = 0;
  for (mlir::BlockArgument argument : site->op->getRegion(0).getArguments()) {
    bool isMeant = SymbolicValues::sourceName(argument) == site->dim;
    number = isMeant ? argument.getArgNumber() : number;
  }
  mlir::Builder builder(context.mlir());
  context.rewriter().modifyOpInPlace(kernel, [&] {
    kernel->setAttr(tile::clusterAttrName, builder.getI64IntegerAttr(count));
    kernel->setAttr(tile::clusterAxisAttrName, builder.getI64IntegerAttr(number));
  });
  context.note(llvm::Twine(count) + " neighbours along `" + site->text +
               "` run together: no value changes");
  return Value();
}

void schedule::addCluster(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "cluster";
  signature.params = {parameter("axis", ValueKind::Dim), parameter("ctas", ValueKind::Int)};
  signature.group = "Loops";
  signature.doc = "So many CTAs, neighbours along an axis of the grid or the tasks, run together "
                  "as a cluster. Refused for "
                  "more than the target allows, and a second time.";
  signature.before = "tile.kernel @k …";
  signature.after = "tile.kernel @k … attributes {tile.cluster = 2}";
  registry.add({std::move(signature), runCluster});
}
