// From names by members to places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Places.h"

#include "tessera/Schedule/Dims.h"

using namespace tessera;
using namespace tessera::schedulefuzz;
using script::Value;
using script::ValueKind;

namespace {

constexpr size_t kMaxPlaces = 250;
constexpr unsigned kMaxMembers = 6;

/// Breadth first from the roots; a place that two ways lead to keeps the shorter one.
class Walk {
public:
  explicit Walk(schedule::ScheduleHost &host) : host(host), table(host.getCursors()) {}

  void addRoots(const Written &scope);
  void addResult(const Written &result);
  std::vector<Place> run();

private:
  bool add(Written written, unsigned depth);
  void addMembers(size_t index);
  void addMembersOfOp(size_t index, mlir::Operation *op);
  void addMember(size_t index, llvm::StringRef member, Value value);
  void addOp(size_t index, llvm::StringRef member, mlir::Operation *op);

  schedule::ScheduleHost &host;
  schedule::CursorTable &table;
  std::vector<Place> places;
  std::vector<unsigned> depths;
  std::set<uint64_t> seen;
};

} // namespace

std::optional<Value> schedulefuzz::look(schedule::ScheduleHost &host, llvm::StringRef primitive,
                                        const Value &scope, std::vector<Value> args) {
  const script::Signature *signature = host.lookupPrimitive(primitive);
  if (!signature) {
    return std::nullopt;
  }
  llvm::Expected<Value> found = host.inspect({*signature, scope, std::move(args), {}});
  if (!found) {
    llvm::consumeError(found.takeError());
    return std::nullopt;
  }
  return *found;
}

Written schedulefuzz::listOf(std::vector<Written> parts) {
  Written list;
  std::vector<Value> values;
  for (Written &part : parts) {
    list.text += (values.empty() ? "" : ", ") + part.text;
    list.uses.insert(part.uses.begin(), part.uses.end());
    values.push_back(part.value);
  }
  list.text = "[" + list.text + "]";
  list.value = Value::list(std::move(values));
  return list;
}

std::vector<std::string> schedulefuzz::namesOf(schedule::ScheduleHost &host) {
  std::set<std::string> names;
  auto add = [&](std::string name) {
    // Other names are no words of a script.
    bool isWord = !name.empty() &&
                  llvm::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (isWord) {
      names.insert(std::move(name));
    }
  };
  for (tile::KernelOp kernel : host.kernels()) {
    kernel.getBody().walk([&](mlir::Operation *op) {
      add(schedule::SymbolicValues::sourceName(op));
      for (mlir::Region &region : op->getRegions()) {
        for (mlir::Block &block : region) {
          for (mlir::BlockArgument argument : block.getArguments()) {
            add(schedule::SymbolicValues::sourceName(argument));
          }
        }
      }
    });
    for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
      add(kernel.getArgName(i).str());
    }
  }
  return {names.begin(), names.end()};
}

bool Walk::add(Written written, unsigned depth) {
  const script::Cursor *cursor = written.value.getCursor();
  if (!cursor || places.size() >= kMaxPlaces || !seen.insert(cursor->id).second) {
    return false;
  }
  llvm::Expected<schedule::Site> site = host.getCursors().resolve(written.value);
  if (!site) {
    llvm::consumeError(site.takeError());
    return false;
  }
  Place place;
  static_cast<Written &>(place) = std::move(written);
  place.kind = site->kind;
  place.op = site->op;
  place.dim = site->dim;
  place.factor = site->factor;
  place.operand = site->operand;
  places.push_back(std::move(place));
  depths.push_back(depth);
  return true;
}

void Walk::addResult(const Written &result) {
  if (const auto *fields = result.value.getRecord()) {
    for (const auto &[name, value] : *fields) {
      addResult({value, result.text + "." + name, result.uses});
    }
  } else if (const auto *elements = result.value.getList()) {
    for (size_t i = 0; i < elements->size(); ++i) {
      addResult({(*elements)[i], result.text + "[" + std::to_string(i) + "]", result.uses});
    }
  } else if (add(result, 0) && places.back().kind == ValueKind::Kernel) {
    Written scope = places.back();
    addRoots(scope);
  }
}

void Walk::addRoots(const Written &scope) {
  std::string prefix = scope.text == "self" ? "" : scope.text + ".";
  for (const std::string &name : namesOf(host)) {
    for (const char *finder : {"loop", "load", "store", "def"}) {
      if (std::optional<Value> found = look(host, finder, scope.value, {Value::name(name)})) {
        add({*found, prefix + finder + "(" + name + ")", scope.uses}, 0);
      }
    }
  }
  std::set<std::string> kinds;
  for (tile::KernelOp kernel : host.kernels()) {
    kernel.getBody().walk(
        [&](tile::TileIterOpInterface op) { kinds.insert(op->getName().stripDialect().str()); });
  }
  for (const std::string &kind : kinds) {
    script::OpPattern pattern, rest;
    rest.kind = script::OpPattern::Kind::Rest;
    pattern.kind = script::OpPattern::Kind::Op;
    pattern.name = kind;
    pattern.operands.push_back(rest);
    std::string text = kind + "(..)";
    if (std::optional<Value> found =
            look(host, "op", scope.value, {Value::pattern(std::move(pattern), text)})) {
      add({*found, prefix + "op(`" + text + "`)", scope.uses}, 0);
    }
  }
}

/// The cursor is what `navigate` would give, without looking for the member among all that there are.
void Walk::addMember(size_t index, llvm::StringRef member, Value value) {
  add({std::move(value), places[index].text + "." + member.str(), places[index].uses},
      depths[index] + 1);
}

void Walk::addOp(size_t index, llvm::StringRef member, mlir::Operation *op) {
  bool isLoop = llvm::isa<tile::ForOp, tile::ParOp, tile::GridOp, tile::TasksOp>(op);
  ValueKind kind = llvm::isa<tile::KernelOp>(op) ? ValueKind::Kernel
                   : isLoop                      ? ValueKind::Loop
                                                 : ValueKind::Op;
  addMember(index, member, table.op(op, kind));
}

void Walk::addMembers(size_t index) {
  llvm::Expected<schedule::Site> found = table.resolve(places[index].value);
  if (!found) {
    llvm::consumeError(found.takeError());
    return;
  }
  schedule::Site site = *found;
  switch (site.kind) {
  case ValueKind::Operand:
    if (mlir::Operation *source = site.op->getOperand(site.operand).getDefiningOp()) {
      addOp(index, "op", source);
    }
    return;
  case ValueKind::Block:
    if (!site.ops.empty()) {
      addOp(index, "first", site.ops.front());
      addOp(index, "last", site.ops.back());
      addMember(index, "after", table.gap(site.ops.back(), false));
    }
    return;
  case ValueKind::Dim:
  case ValueKind::Factor:
  case ValueKind::Gap:
  case ValueKind::Ops:
    return;
  default:
    return addMembersOfOp(index, site.op);
  }
}

void Walk::addMembersOfOp(size_t index, mlir::Operation *op) {
  llvm::SmallVector<std::string> names = schedule::dimNames(op);
  for (auto [name, dim] : llvm::zip(names, schedule::dimsOf(op))) {
    addMember(index, name, table.dim(op, dim.name));
  }
  if (llvm::isa<tile::GridOp, tile::TasksOp>(op)) {
    for (mlir::BlockArgument axis : op->getRegion(0).front().getArguments()) {
      if (std::string name = schedule::SymbolicValues::sourceName(axis); !name.empty()) {
        addMember(index, name, table.dim(op, name));
      }
    }
  }
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    std::string name = schedule::operandName(op, i);
    if (!name.empty() && !llvm::is_contained(names, name)) {
      addMember(index, name, table.operand(op, i));
    }
  }
  bool isKernel = llvm::isa<tile::KernelOp>(op);
  mlir::Region *body = isKernel              ? &llvm::cast<tile::KernelOp>(op).getBody()
                       : op->getNumRegions() ? &op->getRegion(0)
                                             : nullptr;
  if (body && !body->empty()) {
    addMember(index, "body", table.body(&body->front()));
  }
  if (!isKernel) {
    addOp(index, "parent", op->getParentOp());
    addMember(index, "before", table.gap(op, true));
    addMember(index, "after", table.gap(op, false));
  }
}

std::vector<Place> Walk::run() {
  for (size_t i = 0; i < places.size(); ++i) {
    if (depths[i] < kMaxMembers) {
      addMembers(i);
    }
  }
  return std::move(places);
}

std::vector<Place> schedulefuzz::placesOf(schedule::ScheduleHost &host,
                                          const std::vector<Written> &results) {
  Walk walk(host);
  for (const Written &result : results) {
    walk.addResult(result);
  }
  if (host.kernels().size() == 1) {
    walk.addResult({host.self(), "self", {}});
  }
  return walk.run();
}

void schedulefuzz::refresh(schedule::ScheduleHost &host, std::vector<Place> &places) {
  for (Place &place : places) {
    llvm::Expected<schedule::Site> site = host.getCursors().resolve(place.value);
    if (site) {
      place.op = site->op;
    } else {
      llvm::consumeError(site.takeError());
    }
  }
}
