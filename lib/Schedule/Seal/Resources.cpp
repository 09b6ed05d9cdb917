//===- Resources.cpp - what a CTA takes of its target ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Paths.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tessera::tile;

namespace tessera::sealing {
namespace {

/// What a CTA may have: bytes of shared memory, threads, named barriers, registers of an SM. From the CUDA programming
/// guide's table of compute capabilities.
struct Target {
  StringRef name;
  unsigned version;
  int64_t sharedBytes;
  int64_t threads = 1024;
  int64_t barriers = 16;
  int64_t registers = 65536;
};
constexpr int64_t KiB = 1024;
const Target targets[] = {
    {"sm_70", 70, 96 * KiB},  {"sm_75", 75, 64 * KiB},    {"sm_80", 80, 163 * KiB},
    {"sm_86", 86, 99 * KiB},  {"sm_87", 87, 163 * KiB},   {"sm_89", 89, 99 * KiB},
    {"sm_90", 90, 227 * KiB}, {"sm_100", 100, 227 * KiB}, {"sm_120", 120, 99 * KiB},
};

/// `sm_90a` is `sm_90` with what only that one has.
const Target *findTarget(StringRef name) {
  name.consume_back("a");
  const Target *found = llvm::find_if(targets, [&](const Target &t) { return t.name == name; });
  return found == std::end(targets) ? nullptr : found;
}

class ResourceCheck {
public:
  ResourceCheck(Sealer &sealer, const Target &target) : sealer(sealer), target(target) {}

  void run();

private:
  void checkShared();
  void checkThreads();
  void checkSpread();
  void checkBarriers();
  void checkRegisters();
  void checkInstructions();
  void checkWarpgroups();
  int64_t warps() const;
  DictionaryAttr roles() const {
    return sealer.kernel->getAttrOfType<DictionaryAttr>(rolesAttrName);
  }
  int64_t entry(NamedAttribute role, StringRef key) const {
    auto number = cast<DictionaryAttr>(role.getValue()).getAs<IntegerAttr>(key);
    return number ? number.getInt() : 0;
  }

  Sealer &sealer;
  const Target &target;
};

} // namespace

/// 0: the kernel does not say.
int64_t ResourceCheck::warps() const {
  if (auto warps = sealer.kernel->getAttrOfType<IntegerAttr>(warpsAttrName)) {
    return warps.getInt();
  }
  int64_t sum = 0;
  if (DictionaryAttr all = roles()) {
    for (NamedAttribute role : all) {
      sum += entry(role, "warps");
    }
  }
  return sum;
}

void ResourceCheck::checkShared() {
  int64_t bytes = 0;
  Operation *largest = nullptr;
  int64_t most = 0;
  sealer.kernel.getBody().walk([&](AllocOp alloc) {
    BufType type = alloc.getResult().getType();
    if (type.getStorage() != Storage::shared || !alloc.getOver().empty()) {
      return; // memory that it takes over is counted already
    }
    int64_t times = type.getPer() == ExecScope::warp ? std::max<int64_t>(warps(), 1)
                    : type.getPer() == ExecScope::wg ? std::max<int64_t>(warps() / 4, 1)
                                                     : 1;
    // Each buf starts where the widest vectors may.
    int64_t mine = llvm::alignTo(type.getBytes() * times, 16);
    bytes += mine;
    if (mine > most) {
      most = mine;
      largest = alloc;
    }
  });
  if (!largest) {
    return;
  }
  std::string title = std::to_string(bytes) + " of " + std::to_string(target.sharedBytes) +
                      " bytes of shared memory";
  if (bytes <= target.sharedBytes) {
    sealer.prove(SealKind::resources, title, sealer.kernel);
    return;
  }
  sealer.refuse(SealKind::resources, title,
                {SealDiag::seal_shared_bytes,
                 {std::to_string(bytes), target.name.str(), std::to_string(target.sharedBytes)},
                 std::to_string(bytes - target.sharedBytes) + " bytes; the largest buf takes " +
                     std::to_string(most),
                 "fewer slots, smaller tiles, or `over` for bufs that do not live at one time"},
                largest);
}

void ResourceCheck::checkThreads() {
  int64_t threads = warps() * 32;
  if (threads == 0) {
    return;
  }
  std::string title = std::to_string(threads) + " threads";
  if (threads <= target.threads) {
    sealer.prove(SealKind::resources, title, sealer.kernel);
    return;
  }
  sealer.refuse(SealKind::resources, title,
                {SealDiag::seal_threads,
                 {std::to_string(threads), std::to_string(target.threads)},
                 std::to_string(threads - target.threads) + " threads",
                 "state at most " + std::to_string(target.threads / 32) + " warps"},
                sealer.kernel);
}

/// An op of a role is spread over the role's warps at most: no others come.
void ResourceCheck::checkSpread() {
  DictionaryAttr all = roles();
  sealer.kernel.getBody().walk([&](Operation *op) {
    auto iter = op->getAttrOfType<IterAttr>(iterAttrName);
    StringRef role = iter && all ? roleOf(op) : "";
    std::optional<NamedAttribute> own = role.empty() ? std::nullopt : all.getNamed(role);
    if (!own) {
      return;
    }
    int64_t groups = iter.getSteps(Place::wg), needed = iter.getSteps(Place::warp);
    needed = groups > 1 ? groups * 4 : needed;
    if (needed <= entry(*own, "warps")) {
      return;
    }
    std::string name = "role `" + role.str() + "`";
    sealer.refuse(
        SealKind::resources, "the warps of " + name,
        {SealDiag::seal_threads,
         {std::to_string(needed * 32), std::to_string(entry(*own, "warps") * 32) + " of " + name},
         std::to_string(needed - entry(*own, "warps")) + " warps of " + name,
         "give the role as many warps, or bind smaller factors to `warp`"},
        op);
  });
}

/// Barrier 0 is the CTA's; each role with a barrier of its own needs one, and each warpgroup that waits in itself.
void ResourceCheck::checkBarriers() {
  llvm::StringSet<> named;
  Operation *last = nullptr;
  int64_t count = 0;
  bool all = false, groups = false;
  sealer.kernel.getBody().walk([&](BarrierOp barrier) {
    StringRef role = roleOf(barrier);
    last = barrier;
    if (barrier.getScope() == ExecScope::wg) {
      groups = true;
    } else if (barrier.getScope() == ExecScope::cta && !role.empty()) {
      named.insert(role);
    } else {
      all |= barrier.getScope() == ExecScope::cta;
    }
  });
  if (!last) {
    return;
  }
  count = named.size() + (all ? 1 : 0) + (groups ? std::max<int64_t>(warps() / 4, 1) : 0);
  std::string title =
      std::to_string(count) + " of " + std::to_string(target.barriers) + " named barriers";
  if (count <= target.barriers) {
    sealer.prove(SealKind::resources, title, sealer.kernel);
    return;
  }
  sealer.refuse(SealKind::resources, title,
                {SealDiag::seal_named_barriers,
                 {std::to_string(count), std::to_string(target.barriers)},
                 std::to_string(count - target.barriers) + " barriers",
                 "let fewer roles have barriers of their own"},
                last);
}

void ResourceCheck::checkRegisters() {
  DictionaryAttr all = roles();
  int64_t registers = 0;
  for (NamedAttribute role : all ? all : DictionaryAttr::get(sealer.kernel.getContext())) {
    registers += entry(role, "warps") * 32 * entry(role, "regs");
  }
  if (registers == 0) {
    return;
  }
  std::string title =
      std::to_string(registers) + " of " + std::to_string(target.registers) + " registers";
  if (registers <= target.registers) {
    sealer.prove(SealKind::resources, title, sealer.kernel);
    return;
  }
  sealer.refuse(SealKind::resources, title,
                {SealDiag::seal_registers,
                 {std::to_string(registers), std::to_string(target.registers)},
                 std::to_string(registers - target.registers) + " registers",
                 "fewer registers for a role, or fewer warps"},
                sealer.kernel);
}

/// The number in `sm_90a`; 0 for something else.
static unsigned versionOf(StringRef arch) {
  unsigned version = 0;
  arch.consume_front("sm_");
  arch.consumeInteger(10, version);
  return version;
}

void ResourceCheck::checkInstructions() {
  llvm::StringSet<> seen;
  sealer.kernel.getBody().walk([&](ApplyOp apply) {
    auto instr = SymbolTable::lookupNearestSymbolFrom<InstrOp>(apply, apply.getInstrAttr());
    if (!instr || !seen.insert(apply.getInstr()).second) {
      return;
    }
    std::string title = "`@" + apply.getInstr().str() + "` is of the target";
    if (versionOf(instr.getArch()) <= target.version) {
      sealer.prove(SealKind::resources, title, apply);
      return;
    }
    sealer.refuse(SealKind::resources, title,
                  {SealDiag::seal_arch,
                   {apply.getInstr().str(), instr.getArch().str(), target.name.str()},
                   "an instruction that the target has",
                   "seal for `" + instr.getArch().str() + "`, or use another instruction"},
                  apply, instr);
  });
}

void ResourceCheck::checkWarpgroups() {
  if (warps() == 0 || warps() % 4 == 0) {
    return;
  }
  Operation *user = nullptr;
  sealer.kernel.getBody().walk([&](Operation *op) {
    auto barrier = dyn_cast<BarrierOp>(op);
    auto par = dyn_cast<ParOp>(op);
    auto alloc = dyn_cast<AllocOp>(op);
    bool wants = (barrier && barrier.getScope() == ExecScope::wg) ||
                 (par && par.getPlace() == Place::wg) ||
                 (alloc && alloc.getResult().getType().getPer() == ExecScope::wg);
    user = wants && !user ? op : user;
  });
  if (user) {
    sealer.refuse(SealKind::resources, "warpgroups are whole",
                  {SealDiag::seal_warpgroup,
                   {nameOf(user), std::to_string(warps())},
                   "4 warps for each warpgroup",
                   "state a multiple of 4 as `tile.warps`"},
                  user);
  }
}

void ResourceCheck::run() {
  checkShared();
  checkThreads();
  checkSpread();
  checkBarriers();
  checkRegisters();
  checkInstructions();
  checkWarpgroups();
}

void checkResources(Sealer &sealer) {
  const Target *target = findTarget(sealer.options.target);
  if (!target) {
    std::string names;
    for (const Target &known : targets) {
      names += (names.empty() ? "" : ", ") + known.name.str();
    }
    sealer.refuse(SealKind::resources, "the target is known",
                  {SealDiag::seal_target,
                   {sealer.options.target, names},
                   "the target's limits",
                   "name one of them"},
                  sealer.kernel);
    return;
  }
  ResourceCheck(sealer, *target).run();
}

} // namespace tessera::sealing
