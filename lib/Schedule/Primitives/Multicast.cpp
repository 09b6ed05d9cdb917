// multicast: a bulk copy of one CTA fills the slots of all CTAs of its cluster.
//
// In order of the program nothing changes: each CTA would copy the same box to its own slot. That it is the same box is what
// is checked: nothing that decides whether the copy runs, from where and how much, comes from the axis along which the CTAs
// of the cluster differ. A slot must be free in every CTA before it is filled: the barriers of the ring count them all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Places.h"
#include "Sections.h"

#include "tessera/Dialect/Tile/ClusterAttrs.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

namespace {
/// The copy and what makes it one for a cluster.
class Multicast {
public:
  explicit Multicast(PrimitiveContext &context) : context(context) {}
  llvm::Expected<Value> run(const HostCall &call);

private:
  llvm::Error match(mlir::Operation *op);
  llvm::Error matchCluster();
  mlir::Operation *dependsOnAxis();

  PrimitiveContext &context;
  tile::CopyOp copy;
  std::string text;
  int64_t ctas = 1;
  mlir::BlockArgument axis;
};
} // namespace

llvm::Error Multicast::match(mlir::Operation *op) {
  text = quoted(context, op);
  op->walk([&](tile::CopyOp inner) { copy = inner; });
  auto apply = copy ? copy->getParentOfType<tile::ApplyOp>() : tile::ApplyOp();
  if (!apply || apply.getVia() != tile::Proxy::tma) {
    return context.refuse("multicast_bulk", text + " is no bulk copy to shared memory",
                          "`replace` it by an instruction via `tma`, as `tma_load_2d`, before",
                          {{op, "here"}});
  }
  tile::RingOp ring = tile::ringOf(copy.getBuf());
  if (!ring || ring.getProtocol() != tile::Protocol::mbarrier) {
    return context.refuse("multicast_ring",
                          text + " fills no ring whose barriers count the CTAs of a cluster",
                          "make `ring(bufs, slots, protocol = mbarrier)` before", {{op, "here"}});
  }
  if (copy->hasAttr(tile::multicastAttrName)) {
    return context.refuse("multicast_twice", text + " fills all CTAs already", "say it once",
                          {{op, "here"}});
  }
  return matchCluster();
}

llvm::Error Multicast::matchCluster() {
  tile::KernelOp kernel = context.kernel();
  auto count = kernel->getAttrOfType<mlir::IntegerAttr>(tile::clusterAttrName);
  auto number = kernel->getAttrOfType<mlir::IntegerAttr>(tile::clusterAxisAttrName);
  mlir::Operation *domain = copy->getParentOfType<tile::TasksOp>();
  domain = domain ? domain : copy->getParentOfType<tile::GridOp>().getOperation();
  if (!count || count.getInt() < 2 || !number || !domain) {
    return context.refuse(
        "multicast_cluster", text + " runs in a CTA that has no neighbours in a cluster",
        "make `cluster(t.m, 2)` before, where `t` are the tasks or the grid", {{copy, "here"}});
  }
  ctas = count.getInt();
  axis = domain->getRegion(0).getArgument(number.getInt());
  return llvm::Error::success();
}

/// The op by which the copy hangs on the axis; null where it does not.
mlir::Operation *Multicast::dependsOnAxis() {
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Value>> from = {{copy, copy.getView()}};
  for (mlir::Value index : copy.getIndices()) {
    from.push_back({copy, index});
  }
  for (mlir::Operation *at = copy; at != axis.getOwner()->getParentOp(); at = at->getParentOp()) {
    bool decides = llvm::isa<tile::ForOp, mlir::scf::IfOp, mlir::scf::WhileOp>(at);
    for (mlir::Value operand : at->getOperands()) {
      bool isScalar = operand.getType().isIntOrIndex();
      if (decides && isScalar) {
        from.push_back({at, operand});
      }
    }
  }
  mlir::Operation *found = nullptr;
  followValues(from, [&](mlir::Operation *user, mlir::Value value) {
    found = value == axis && !found ? user : found;
    return true;
  });
  return found;
}

llvm::Expected<Value> Multicast::run(const HostCall &call) {
  llvm::Expected<mlir::Operation *> op = context.op(call.arg("copy"));
  if (!op) {
    return op.takeError();
  }
  if (llvm::Error error = match(*op)) {
    return std::move(error);
  }
  std::string name = SymbolicValues::sourceName(axis);
  if (mlir::Operation *user = dependsOnAxis()) {
    return context.refuse("multicast_window",
                          text + " is another one in each CTA of the cluster: it depends on `" +
                              name + "`",
                          "make the cluster along an axis that the copy does not depend on, or "
                          "copy in each CTA",
                          {{copy, "the copy"}, {user, "depends on the axis"}});
  }
  context.note("all " + llvm::Twine(ctas) + " CTAs along `" + name + "` copy one box: " + text);
  mlir::Builder builder(context.mlir());
  context.rewriter().modifyOpInPlace(
      copy, [&] { copy->setAttr(tile::multicastAttrName, builder.getI64IntegerAttr(ctas)); });
  return Value();
}

static llvm::Expected<Value> runMulticast(PrimitiveContext &context, const HostCall &call) {
  return Multicast(context).run(call);
}

void schedule::addMulticast(PrimitiveRegistry &registry) {
  script::Signature signature;
  signature.name = "multicast";
  signature.params = {parameter("copy", ValueKind::Op),
                      parameter("over", ValueKind::Name, Value::name("cluster"), {"cluster"})};
  signature.group = "Time and roles";
  signature.doc =
      "A bulk copy is done once for all CTAs of a cluster and fills the slots of each. Refused "
      "where "
      "it is no bulk copy, where its buf has no ring with the protocol `mbarrier`, whose barriers "
      "count the CTAs, where the kernel has no cluster, and where the copy depends on the axis of "
      "the "
      "cluster, so that each CTA needs another one.";
  signature.before = "tile.apply @tma_load_2d via tma { tile.copy %b[%k, %n] to %buf slot %s }";
  signature.after = "tile.apply @tma_load_2d via tma { tile.copy %b[%k, %n] to %buf slot %s "
                    "{tile.multicast = 2} }";
  registry.add({std::move(signature), runMulticast});
}
