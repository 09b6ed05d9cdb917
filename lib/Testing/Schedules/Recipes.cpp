// The recipes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Recipes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace tessera;
using namespace tessera::schedulefuzz;

namespace {
/// `stage:product` is a call and its hint; a word in parentheses is mostly left out.
struct Recipe {
  const char *calls;
};
} // namespace

static const Recipe recipes[] = {
    // A pipeline.
    {"stage:product stage:product sections ring (set_lead) (set_lag) auto_sync seal"},
    {"stage:product stage:product sections:one ring set_lead set_lag auto_sync seal"},
    {"stage sections ring (overlay) auto_sync (seal)"},
    // Copies that do not wait, and instructions on what they bring.
    {"versions:aligned stage:product stage:product replace:cp_async replace:cp_async sections "
     "ring auto_sync"},
    {"stage:product stage:product replace:ldmatrix replace:ldmatrix replace:mma sections "
     "(auto_sync)"},
    {"replace:mma stage:store replace"},
    {"versions:aligned stage replace elect"},
    // Roles.
    {"stage:product stage:product sections:one ring:mbarrier persistent roles auto_sync seal"},
    {"stage sections:one ring:mbarrier roles auto_sync"},
    {"persistent stage:product stage:product sections:one ring:mbarrier roles (order_tiles)"},
    {"stage:product stage:product sections:one ring:mbarrier set_lead set_lag (roles)"},
    {"stage sections:one ring:mbarrier persistent set_lag roles"},
    {"persistent stage sections:one ring:mbarrier roles auto_sync"},
    {"persistent cluster:some stage:bulk stage:bulk replace:tma replace:tma sections:one "
     "ring:mbarrier multicast multicast"},
    {"cluster:some stage:bulk replace:tma ring:mbarrier multicast (auto_sync)"},
    {"cluster:some stage:bulk stage:bulk replace:tma replace:tma ring:mbarrier multicast "
     "multicast"},
    {"stage:bulk stage:bulk replace:tma replace:tma cluster:some ring:mbarrier multicast "
     "multicast"},
    {"fuse (sections) (stage) (auto_sync)"},
    {"peel fuse stage (ring)"},
    // Memory that is used again.
    {"stage:store stage:product stage:product overlay auto_sync (seal)"},
    {"stage stage overlay (set_layout) auto_sync"},
    {"stage stage:store overlay (elect) auto_sync seal"},
    {"stage:product hoist stage:store overlay auto_sync"},
    {"stage:product stage:product stage:store sections ring overlay auto_sync seal"},
    // Orders of tiles.
    {"persistent order_tiles cluster (sections)"},
    {"cluster persistent order_tiles"},
    {"persistent:grouped sections order_tiles"},
    // Values elsewhere.
    {"compute_at (compute_at) (sections)"},
    {"sections compute_at (explicit_pads)"},
    {"stage hoist hoist (auto_sync)"},
    {"hoist compute_at hoist"},
    {"stage compute_at (compute_at) peel:edge"},
    // Absence.
    {"stage:fill drop_fill (drop_fill)"},
    {"explicit_pads stage:fill drop_fill drop_fill"},
    {"sections explicit_pads (set_lead)"},
    {"drop_fill stage drop_fill"},
    {"stage:product stage:product drop_fill (explicit_pads) drop_fill"},
    {"explicit_pads stage drop_fill drop_fill"},
    {"peel:keep_if peel:edge (stage) (auto_sync)"},
    {"peel:edge stage sections ring"},
    // Points and their places.
    {"versions:aligned split:memory bind vectorize pin"},
    {"split:memory split:memory reorder bind vectorize"},
    {"split:reduce bind reduce_plan (pin)"},
    {"split realize unroll"},
    {"split:product realize (unroll) (stage:product)"},
    {"split bind:reg realize (hoist)"},
    {"split split reorder reorder"},
    {"bind bind reorder (pin)"},
    {"stage elect insert_barrier auto_sync remove_barrier"},
    {"stage:store elect (seal)"}};

static bool fits(llvm::StringRef calls, const Traits &traits) {
  bool needsLoop = llvm::any_of(llvm::ArrayRef({"ring", "roles", "peel", "hoist", "compute_at"}),
                                [&](const char *call) { return calls.contains(call); });
  return (traits.hasLoop || !needsLoop) &&
         (traits.hasProduct || !(calls.contains(":product") || calls.contains(":bulk"))) &&
         (traits.hasPair || !calls.contains("fuse")) &&
         (traits.hasClusters || !calls.contains("multicast"));
}

static llvm::StringRef drawCalls(Random &random, const Traits &traits) {
  // What few kernels can do, or what needs many steps, comes often enough only if it is asked for.
  unsigned percent = traits.hasPair ? 45 : traits.hasProduct && traits.hasClusters ? 35 : 20;
  bool isRare = random.below(100) < percent;
  for (unsigned tries = 0; tries < 64; ++tries) {
    llvm::StringRef calls = recipes[random.below(std::size(recipes))].calls;
    bool isAsked = traits.hasPair && calls.contains("fuse");
    isAsked |= !traits.hasPair && (calls.contains("multicast") || calls.contains("roles"));
    if (fits(calls, traits) && (isAsked || !isRare)) {
      return calls;
    }
  }
  return "";
}

std::deque<Wish> schedulefuzz::drawRecipe(Random &random, const Traits &traits) {
  std::deque<Wish> wishes;
  if (random.below(100) < 25) {
    return wishes;
  }
  llvm::StringRef rest = drawCalls(random, traits);
  while (!rest.empty()) {
    auto [word, tail] = rest.split(' ');
    rest = tail;
    bool isOptional = word.consume_front("(") && word.consume_back(")");
    if (word.empty() || random.below(100) < (isOptional ? 60 : 4)) {
      continue;
    }
    auto [primitive, hint] = word.split(':');
    wishes.push_back({primitive.str(), hint.str()});
  }
  return wishes;
}
