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
  explicit Walk(schedule::ScheduleHost &host) : host(host) {}

  void addRoots(const Written &scope);
  void addResult(const Written &result);
  std::vector<Place> run();

private:
  bool add(Written written, unsigned depth);
  void addMembers(size_t index);
  void addMember(size_t index, llvm::StringRef member);

  schedule::ScheduleHost &host;
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

void Walk::addMember(size_t index, llvm::StringRef member) {
  llvm::Expected<Value> found = host.navigate(*places[index].value.getCursor(), member, {});
  if (!found) {
    llvm::consumeError(found.takeError());
    return;
  }
  add({*found, places[index].text + "." + member.str(), places[index].uses}, depths[index] + 1);
}

void Walk::addMembers(size_t index) {
  Place place = places[index];
  switch (place.kind) {
  case ValueKind::Operand:
    addMember(index, "op");
    return;
  case ValueKind::Block:
    addMember(index, "first");
    addMember(index, "last");
    addMember(index, "after");
    return;
  case ValueKind::Dim:
  case ValueKind::Factor:
  case ValueKind::Gap:
  case ValueKind::Ops:
    return;
  default:
    break;
  }
  for (const std::string &dim : schedule::dimNames(place.op)) {
    addMember(index, dim);
  }
  for (unsigned i = 0; i < place.op->getNumOperands(); ++i) {
    if (std::string name = schedule::operandName(place.op, i); !name.empty()) {
      addMember(index, name);
    }
  }
  for (const char *member : {"body", "parent", "before", "after"}) {
    addMember(index, member);
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
