// Conditions of places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Places.h"

#include "tessera/Schedule/Dims.h"
#include "tessera/Support/Mutants.h"

#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;
using tile::Place;

bool schedule::isParallel(Place place) {
  switch (place) {
  case Place::grid:
  case Place::cluster:
  case Place::wg:
  case Place::warp:
  case Place::lane:
    return true;
  case Place::reg:
  case Place::vec:
  case Place::seq:
  case Place::atom:
  case Place::open:
    break;
  }
  return false;
}

static std::string quoted(PrimitiveContext &context, mlir::Operation *op, StringRef dim) {
  return "`" + context.text(op) + "." + context.dimName(op, dim) + "`";
}

//===-- Order and numbers ------------------------------------------------------------------------------------------===//

llvm::Error schedule::checkFactors(PrimitiveContext &context, mlir::Operation *op, StringRef dim,
                                   llvm::ArrayRef<tile::IterFactor> factors) {
  constexpr int64_t most = int64_t(1) << 31;
  unsigned last = 0;
  int64_t product = 1;
  for (const tile::IterFactor &factor : factors) {
    unsigned rank = factor.place == Place::atom ? 2 : factor.place == Place::vec ? 1 : 0;
    if (rank < last) {
      return context.refuse(
          "place_order",
          quoted(context, op, dim) + " would be `" + tile::IterAttr::text(factors) +
              "`: `vec` and then `atom` are the innermost factors of a dim",
          "split the dim so that the vector is its innermost part", {{op, "here"}});
    }
    last = rank;
    if (factor.steps > most / product) {
      return context.refuse("split_factor",
                            quoted(context, op, dim) + " would be `" +
                                tile::IterAttr::text(factors) + "`, which is too large",
                            "the factors of a dim have at most 2^31 points together",
                            {{op, "here"}});
    }
    product *= factor.steps;
  }
  return llvm::Error::success();
}

static llvm::Error checkNumbers(PrimitiveContext &context, mlir::Operation *op,
                                tile::IterAttr next) {
  const TargetRecord &target = context.target();
  auto tooMany = [&](Place place, int64_t found, int64_t most, const llvm::Twine &what) {
    return context.refuse("place_count",
                          "`" + context.text(op) + "` would be spread over " + llvm::Twine(found) +
                              " " + what + "; there are at most " + llvm::Twine(most),
                          "bind smaller factors to `" + tile::stringifyPlace(place) + "`",
                          {{op, "here"}});
  };
  constexpr int64_t lanes = 32, warpsOfGroup = 4;
  if (int64_t found = next.getSteps(Place::lane); found > lanes) {
    return tooMany(Place::lane, found, lanes, "lanes of a warp");
  }
  int64_t warps = next.getSteps(Place::warp), groups = next.getSteps(Place::wg);
  int64_t most = target.threads / lanes;
  if (groups > 1 && target.version < 90) {
    return context.refuse("place_target",
                          "`" + target.arch + "` has no warpgroups, they come with sm_90",
                          "bind to `warp`", {{op, "here"}});
  }
  if (groups > most / warpsOfGroup) {
    return tooMany(Place::wg, groups, most / warpsOfGroup, "warpgroups of a CTA");
  }
  // Warps beside warpgroups are those of one group.
  int64_t room = groups > 1 ? warpsOfGroup : most;
  if (warps > room) {
    return tooMany(Place::warp, warps, room,
                   groups > 1 ? "warps of a warpgroup" : "warps of a CTA");
  }
  // In a role only its own warps come.
  auto roles = op->getParentOfType<tile::KernelOp>()->getAttrOfType<mlir::DictionaryAttr>(
      tile::rolesAttrName);
  StringRef role;
  for (auto section = op->getParentOfType<tile::SectionOp>(); section && role.empty();
       section = section->getParentOfType<tile::SectionOp>()) {
    role = section.getRole().value_or("");
  }
  role = roles ? role : "";
  if (auto entry = role.empty() ? nullptr : roles.getAs<mlir::DictionaryAttr>(role)) {
    auto own = entry.getAs<mlir::IntegerAttr>("warps");
    int64_t needed = groups > 1 ? groups * warpsOfGroup : warps;
    if (own && needed > own.getInt()) {
      return context.require(
          false, "role `" + role + "` has the warps that `" + context.text(op) + "` is spread over",
          {"place_role",
           "`" + context.text(op) + "` would be spread over " + std::to_string(needed) +
               " warps, and role `" + role.str() + "` has " + std::to_string(own.getInt()),
           "bind smaller factors to `warp`, or give the role as many in `roles`",
           {{op, "here"}}});
    }
  }
  if (int64_t found = next.getSteps(Place::cluster); found > target.cluster) {
    return tooMany(Place::cluster, found, target.cluster, "CTAs of a cluster");
  }
  return llvm::Error::success();
}

//===-- What runs where --------------------------------------------------------------------------------------------===//

static bool holdsRegisters(mlir::Operation *op) {
  auto isTile = [](mlir::Type type) { return llvm::isa<mlir::RankedTensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTile) || llvm::any_of(op->getResultTypes(), isTile);
}

static llvm::Error checkPlaceOfDim(PrimitiveContext &context, mlir::Operation *op,
                                   const tile::IterDim &dim, Place place) {
  std::string name = quoted(context, op, dim.name);
  if (place == Place::grid) {
    return context.refuse("place_grid", name + " is a dim of one op; CTAs run whole statements",
                          "make a loop of it with `realize`, and bind the loop", {{op, "here"}});
  }
  if (place == Place::seq && holdsRegisters(op)) {
    return context.refuse(
        "place_seq", name + " lies in registers, which a loop of the lowered code cannot index",
        "bind it to `reg`, or `stage` the tile to memory first", {{op, "here"}});
  }
  return llvm::Error::success();
}

/// What would be wrong with a factor of a reduced dim; `below` points lie inside of it.
static std::optional<Refusal> reductionFault(mlir::Operation *op, const std::string &name,
                                             tile::IterKind kind,
                                             llvm::ArrayRef<tile::IterFactor> factors,
                                             const tile::IterFactor &factor, int64_t below) {
  if (factor.place == Place::cluster) {
    return Refusal{"reduce_place",
                   name + " is reduced; its parts cannot be combined across CTAs here",
                   "bind it to `lane` or `warp`, or use `split_k`",
                   {{op, "it is reduced here"}}};
  }
  if (TESSERA_MUTANT(139, "scans may be spread", kind == tile::IterKind::scan, false)) {
    return Refusal{"reduce_class",
                   name + " runs as a scan: each step needs the one before",
                   "leave it in registers",
                   {{op, "it is scanned here"}}};
  }
  bool isPower =
      TESSERA_MUTANT(138, "tree sums by any factor",
                     llvm::isPowerOf2_64(factor.steps) && llvm::isPowerOf2_64(below), true);
  if (kind == tile::IterKind::tree && !isPower) {
    return Refusal{"reduce_class",
                   name + " is summed in the fixed tree order; `" + tile::IterAttr::text(factors) +
                       "` would group other elements, and the bits change",
                   "spread it by powers of two, or write `order = any` in the kernel",
                   {{op, "it is summed here"}}};
  }
  return std::nullopt;
}

/// How the class of a reduction limits the places of its dim.
static llvm::Error checkReduction(PrimitiveContext &context, mlir::Operation *op,
                                  const tile::IterDim &dim,
                                  llvm::ArrayRef<tile::IterFactor> factors) {
  if (dim.kind == tile::IterKind::parallel) {
    return llvm::Error::success();
  }
  std::string name = quoted(context, op, dim.name);
  int64_t inner = 1;
  for (const tile::IterFactor &factor : llvm::reverse(factors)) {
    int64_t below = inner;
    inner *= factor.steps;
    if (!isParallel(factor.place) || factor.steps == 1) {
      continue;
    }
    std::optional<Refusal> wrong = reductionFault(op, name, dim.kind, factors, factor, below);
    if (wrong) {
      if (llvm::Error error =
              context.require(false, "the reduction along " + name + " allows its parts", *wrong)) {
        return error;
      }
      continue;
    }
    context.note("the " + llvm::Twine(classOf(dim.kind)) + " reduction along " + name + " allows " +
                 llvm::Twine(factor.steps) + " " + tile::stringifyPlace(factor.place) + " parts");
  }
  return llvm::Error::success();
}

//===-- Points and cells -------------------------------------------------------------------------------------------===//

PointTerms schedule::pointTerms(PrimitiveContext &context, mlir::Operation *op,
                                tile::IterAttr iter) {
  PointTerms terms;
  terms.box = context.values().axesAround(op);
  terms.shared = terms.box.axes.size();
  solver::SpaceBuilder space = context.space();
  llvm::SmallVector<solver::Expr> claims;
  for (const tile::IterDim &dim : dimsOf(op)) {
    std::string name = context.dimName(op, dim.name);
    llvm::SmallVector<tile::IterFactor> factors = iter.getFactors(dim.name);
    if (factors.empty()) {
      factors.push_back({Place::open, dim.extent});
    }
    solver::Expr point = context.terms().constant(0);
    int64_t product = 1;
    for (const tile::IterFactor &factor : factors) {
      std::string label = name + " " + tile::stringifyPlace(factor.place).str();
      solver::Expr digit =
          context.terms().local(label, solver::Range::between(0, factor.steps - 1));
      // Two factors of one place differ by a number.
      for (unsigned i = 2; llvm::any_of(
               terms.box.axes, [&](const solver::Axis &axis) { return axis.variable == digit; });
           ++i) {
        digit = context.terms().local(label + " " + std::to_string(i),
                                      solver::Range::between(0, factor.steps - 1));
      }
      terms.box.axes.push_back(
          {digit, context.terms().constant(0), context.terms().constant(factor.steps)});
      point = point * factor.steps + digit;
      product *= factor.steps;
    }
    terms.points.push_back(point);
    if (product > dim.extent) {
      claims.push_back(point < dim.extent);
    }
  }
  terms.inside = context.terms().conjunction(claims);
  (void)space;
  return terms;
}

std::optional<solver::Access> schedule::accessOf(PrimitiveContext &context,
                                                 const tile::Window &window,
                                                 const PointTerms &points, StringRef name) {
  solver::Access access;
  access.name = name.str();
  llvm::SmallVector<solver::Expr> guards{points.inside};
  unsigned dim = 0;
  for (const tile::WindowAxis &axis : window.axes) {
    switch (axis.kind) {
    case tile::WindowAxis::scalar:
      access.coordinates.push_back(context.values().value(axis.index));
      break;
    case tile::WindowAxis::span: {
      if (dim >= points.points.size()) {
        return std::nullopt;
      }
      SpanTerms span = context.values().span(axis.index);
      solver::Expr cell = span.start + points.points[dim++];
      access.coordinates.push_back(cell);
      guards.push_back(cell < span.stop);
      break;
    }
    case tile::WindowAxis::whole:
      if (dim >= points.points.size()) {
        return std::nullopt;
      }
      access.coordinates.push_back(points.points[dim++]);
      break;
    case tile::WindowAxis::gather:
      return std::nullopt;
    }
  }
  access.guard = context.terms().conjunction(guards);
  return access;
}

static bool hasGather(const tile::Window &window) {
  return llvm::any_of(window.axes, [](const tile::WindowAxis &axis) {
    return axis.kind == tile::WindowAxis::gather;
  });
}

bool schedule::hasOrder(mlir::Operation *op) {
  auto store = llvm::dyn_cast<tile::StoreOp>(op);
  return store && store.getConflict() == tile::Conflict::last &&
         llvm::any_of(llvm::cast<tile::TileIterOpInterface>(op).getWindows(), hasGather);
}

/// Two instances of the op never write one cell.
static llvm::Error checkWrites(PrimitiveContext &context, mlir::Operation *op,
                               tile::IterAttr next) {
  auto points = llvm::cast<tile::TileIterOpInterface>(op);
  std::string text = "`" + context.text(op) + "`";
  for (const tile::Window &window : points.getWindows()) {
    if (window.kind == tile::Window::read) {
      continue;
    }
    std::string title = "instances of " + text + " write different cells";
    if (window.kind == tile::Window::atomic) {
      context.note("instances of " + text + " combine with memory in one step each");
      continue;
    }
    if (hasGather(window)) {
      if (hasOrder(op)) {
        Refusal refusal{"bind_order",
                        text + " lets the last of two elements for one cell win; side by "
                               "side there is no last one",
                        "leave it in registers, or write `conflict = error` in the kernel",
                        {{op, "it writes here"}}};
        if (llvm::Error error =
                context.require(false, "the last of two elements for one cell wins", refusal)) {
          return error;
        }
        continue;
      }
      context.noteProgram(title, "two elements for one cell are a checked error of the kernel");
      continue;
    }
    PointTerms terms = pointTerms(context, op, next);
    std::optional<solver::Access> access = accessOf(context, window, terms, "write of " + text);
    Refusal refusal{"bind_cells",
                    "two instances of " + text + " would write one cell",
                    "bind another dim",
                    {{op, "it writes here"}}};
    if (!access) {
      refusal.message = "the cells that " + text + " writes are not known";
      refusal.help = "index the array by spans";
      if (llvm::Error error = context.require(false, title, refusal)) {
        return error;
      }
      continue;
    }
    solver::Obligation obligation = context.space().disjoint(
        title, terms.box, *access, *access, solver::Pairs::Different, terms.shared);
    if (llvm::Error error = context.prove(std::move(obligation), op, refusal)) {
      return error;
    }
  }
  return llvm::Error::success();
}

//===-- All --------------------------------------------------------------------------------------------------------===//

llvm::Error schedule::checkPlaces(PrimitiveContext &context, mlir::Operation *op,
                                  tile::IterAttr next, llvm::ArrayRef<std::string> dims) {
  bool isSpread = false;
  for (const std::string &name : dims) {
    tile::IterDim dim = dimsOf(op)[*findDim(op, name)];
    llvm::SmallVector<tile::IterFactor> factors = next.getFactors(name);
    for (const tile::IterFactor &factor : factors) {
      if (llvm::Error error = checkPlaceOfDim(context, op, dim, factor.place)) {
        return error;
      }
      isSpread |= isParallel(factor.place) && factor.steps > 1;
    }
    if (llvm::Error error = checkReduction(context, op, dim, factors)) {
      return error;
    }
    bool isVector = llvm::any_of(factors, [](const tile::IterFactor &factor) {
      return factor.place == Place::vec && factor.steps > 1;
    });
    if (isVector) {
      if (llvm::Error error = checkVectors(context, op, next, name)) {
        return error;
      }
    }
  }
  if (llvm::Error error = checkNumbers(context, op, next)) {
    return error;
  }
  return isSpread ? checkWrites(context, op, next) : llvm::Error::success();
}

void schedule::growWarps(PrimitiveContext &context, mlir::Operation *op) {
  auto kernel = op->getParentOfType<tile::KernelOp>();
  tile::IterAttr iter = context.iter(op);
  int64_t needed = iter.getSteps(Place::warp);
  int64_t groups = iter.getSteps(Place::wg);
  needed = groups > 1 ? groups * 4 : needed;
  auto known = kernel->getAttrOfType<mlir::IntegerAttr>(tile::warpsAttrName);
  bool isSet = known && known.getInt() >= needed;
  if (isSet || needed <= 1 || kernel->hasAttr(tile::rolesAttrName)) {
    return;
  }
  mlir::RewriterBase &rewriter = context.rewriter();
  rewriter.modifyOpInPlace(
      kernel, [&] { kernel->setAttr(tile::warpsAttrName, rewriter.getI64IntegerAttr(needed)); });
}
