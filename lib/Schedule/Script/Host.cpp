// What hosts share, and the documentation of their primitives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Schedule/ScriptHost.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::script;
using llvm::StringRef;

char HostError::ID = 0;

const Value &HostCall::arg(StringRef name) const {
  static const Value none;
  for (size_t i = 0; i < primitive.params.size() && i < args.size(); ++i) {
    if (primitive.params[i].name == name) {
      return args[i];
    }
  }
  return none;
}

const Signature *Host::lookupPrimitive(StringRef name) const {
  auto isNamed = [&](const Signature &signature) { return signature.name == name; };
  const Signature *primitive = llvm::find_if(primitives(), isNamed);
  if (primitive != primitives().end()) {
    return primitive;
  }
  const Signature *instruction = llvm::find_if(instructions(), isNamed);
  return instruction != instructions().end() ? instruction : nullptr;
}

std::string script::str(const Signature &signature) {
  std::string out = (signature.takesScope ? "[scope.]" : "") + signature.name + "(";
  for (const Parameter &param : signature.params) {
    out += &param == signature.params.data() ? "" : ", ";
    out += param.name;
    if (!param.words.empty()) {
      out += " in {";
      for (const std::string &word : param.words) {
        out += (&word == param.words.data() ? "" : ", ") + word;
      }
      out += "}";
    } else if (param.kind != ValueKind::Any) {
      out += ": " + kindNames()[static_cast<unsigned>(param.kind)];
    }
    out += param.isVariadic ? ", …" : "";
    out += param.fallback && !param.fallback->isNone() ? " = " + param.fallback->str() : "";
    out += param.fallback && param.fallback->isNone() ? "?" : "";
  }
  return out + ")" + (signature.result.empty() ? "" : " -> " + signature.result);
}

static void printExample(llvm::raw_ostream &os, StringRef title, StringRef text) {
  os << title << ":\n\n```\n" << text.rtrim('\n') << "\n```\n\n";
}

void script::printPrimitives(llvm::raw_ostream &os, llvm::ArrayRef<Signature> primitives) {
  // Groups in the order of their first member.
  std::vector<StringRef> groups;
  for (const Signature &signature : primitives) {
    if (std::find(groups.begin(), groups.end(), signature.group) == groups.end()) {
      groups.push_back(signature.group);
    }
  }
  for (StringRef group : groups) {
    os << "## " << (group.empty() ? "Primitives" : group) << "\n\n";
    for (const Signature &signature : primitives) {
      if (signature.group != group) {
        continue;
      }
      os << "### `" << str(signature) << "`\n\n";
      os << (signature.isPure ? "Looks only. " : "") << signature.doc << "\n\n";
      if (!signature.before.empty() || !signature.after.empty()) {
        printExample(os, "before", signature.before);
        printExample(os, "after", signature.after);
      }
    }
  }
}
