// seal: closes a schedule. Everything that can be proved without layouts is proved on the kernel as it stands
// (include/tessera/Schedule/Seal.h); what steps left open for it is discharged once every version is sealed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/Seal.h"

#include "tessera/Schedule/Primitive.h"
#include "tessera/Schedule/ScheduleHost.h"

#include "llvm/ADT/StringSet.h"

using namespace tessera;
using namespace tessera::schedule;
using script::ValueKind;

namespace {

/// What only the layouts tell stays open until they are known.
bool isForLayouts(llvm::StringRef kind) {
  static const llvm::StringSet<> kinds = {"layout", "expect", "alignment", "bank"};
  return kinds.contains(kind);
}

Refusal refusalOf(const SealEntry &entry, unsigned others) {
  Refusal refusal;
  refusal.code =
      entry.diagnostic ? sealDiagName(*entry.diagnostic).str() : std::string("seal_open");
  refusal.message = entry.message.empty() ? entry.title : entry.message;
  if (!entry.witness.empty()) {
    refusal.message += "; smallest case: " + entry.witness;
  }
  if (others) {
    refusal.message += llvm::formatv("; {0} more conditions do not hold", others).str();
  }
  refusal.help = entry.help;
  if (entry.first) {
    refusal.places.push_back({entry.first, "here"});
  }
  if (entry.second && entry.second != entry.first) {
    refusal.places.push_back({entry.second, "and here"});
  }
  return refusal;
}

bool areAllSealed(PrimitiveContext &context) {
  return llvm::all_of(context.kernels(),
                      [](tile::KernelOp kernel) { return ScheduleHost::isSealed(kernel); });
}

/// What seal proved, by its kinds; what depends on data is the program's own.
void recordEntries(PrimitiveContext &context, const SealReport &report) {
  static constexpr const char *names[] = {"bounds",     "values",    "order",   "rings",
                                          "uniformity", "instances", "outputs", "resources"};
  for (const SealEntry &entry : report.entries) {
    if (entry.isOpen()) {
      continue; // believed, which its own entry says
    }
    Entry made;
    made.kind = names[unsigned(entry.kind) - 1];
    made.title = made.kind + ": " + entry.title;
    made.queries = entry.queries;
    made.standing = Standing::Proved;
    if (entry.status == SealStatus::program) {
      made.standing = Standing::Program;
      made.reason = "depends on data, as in the source";
    }
    context.record(std::move(made));
  }
}

llvm::Expected<Value> runSeal(PrimitiveContext &context, const HostCall &call) {
  tile::KernelOp kernel = context.kernel();
  if (!call.arg("kernel").isNone()) {
    llvm::Expected<tile::KernelOp> given =
        context.opOf<tile::KernelOp>(call.arg("kernel"), "a kernel");
    if (!given) {
      return given.takeError();
    }
    kernel = *given;
  }
  SealOptions options;
  options.target = context.target().arch;
  options.emit = false;
  SealReport report = seal(kernel, context.solver(), options);
  std::vector<const SealEntry *> open;
  for (const SealEntry &entry : report.entries) {
    if (entry.isOpen()) {
      open.push_back(&entry);
    }
  }
  if (!open.empty() && !context.trusted()) {
    return context.refuse(refusalOf(*open.front(), unsigned(open.size() - 1)));
  }
  for (const SealEntry *entry : open) {
    if (llvm::Error error =
            context.require(false, entry->title, refusalOf(*entry, 0), entry->queries)) {
      return std::move(error);
    }
  }
  recordEntries(context, report);
  context.setSealed(kernel);
  if (areAllSealed(context)) {
    for (Entry *entry : context.host.ledger().entries(Standing::Open)) {
      if (!isForLayouts(entry->kind)) {
        entry->standing = open.empty() ? Standing::Proved : Standing::Trusted;
        entry->reason = "at seal";
      }
    }
  }
  return Value();
}

} // namespace

void schedule::addSeal(PrimitiveRegistry &registry) {
  Primitive primitive;
  primitive.signature.name = "seal";
  primitive.signature.before = "tile.kernel @k … { … }";
  primitive.signature.after = "tile.kernel @k … attributes {tile.sealed} { … }";
  primitive.signature.params = {parameter("kernel", ValueKind::Kernel, Value())};
  primitive.signature.group = "Synchronisation";
  primitive.signature.doc = "Proves that every interleaving of the kernel gives what its source "
                            "gives, as far as this does not depend on "
                            "layouts: bounds, values of bufs and pads, order of accesses, rings, "
                            "uniformity, instances, resources. Refused "
                            "with the first condition that does not hold, the two ops and the edge "
                            "that is missing between them. No "
                            "primitive edits the kernel afterwards.";
  primitive.run = runSeal;
  registry.add(std::move(primitive));
}
