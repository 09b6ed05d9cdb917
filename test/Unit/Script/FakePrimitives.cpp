// The primitives of the script tests' host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FakeHost.h"

using namespace tessera;
using namespace tessera::script;
using namespace tessera::testing;

namespace {

Parameter param(const char *name, ValueKind kind, std::optional<Value> fallback = std::nullopt,
                std::vector<std::string> words = {}, bool isVariadic = false) {
  return {name, kind, std::move(fallback), std::move(words), isVariadic};
}

Signature edit(const char *name, std::vector<Parameter> params, const char *result = "") {
  Signature signature;
  signature.name = name;
  signature.params = std::move(params);
  signature.result = result;
  signature.group = "Edits";
  signature.doc = std::string("Does ") + name + ".";
  return signature;
}

Signature look(const char *name, std::vector<Parameter> params, bool takesScope = false) {
  Signature signature = edit(name, std::move(params));
  signature.isPure = true;
  signature.takesScope = takesScope;
  signature.group = "Cursors and inspection";
  return signature;
}

} // namespace

FakeHost::FakeHost() {
  using K = ValueKind;
  const std::vector<std::string> places = {"grid", "cluster", "warp", "warpgroup",
                                           "lane", "reg",     "seq",  "vec"};
  const Value none = Value();
  table = {
      edit("split", {param("d", K::Dim), param("q", K::Int)}, "{outer, inner}"),
      edit("bind", {param("f", K::Dim), param("place", K::Name, std::nullopt, places)}),
      edit("vectorize", {param("f", K::Dim)}),
      edit("unroll", {param("l", K::Loop)}),
      edit("stage",
           {param("x", K::Operand), param("home", K::Name, std::nullopt, {"shared", "workspace"}),
            param("layout", K::Layout, none),
            param("per", K::Name, Value::name("cta"), {"cta", "warp"})},
           "{buf, copy, read, write}"),
      edit("replace", {param("ops", K::Ops), param("instr", K::Any)}),
      edit("sections", {param("l", K::Loop), param("parts", K::Record)}),
      edit("ring", {param("bufs", K::Any), param("slots", K::Int),
                    param("protocol", K::Name, Value::name("cp_async"),
                          {"cp_async", "mbarrier", "bulk", "cta_sync"})}),
      edit("overlay", {param("buf", K::Buf), param("over", K::Buf, std::nullopt, {}, true)}),
      edit("pin", {param("op", K::Op), param("like", K::Op, none)}),
      edit("hoist", {param("op", K::Op), param("l", K::Loop)}),
      edit("peel", {param("l", K::Loop), param("what", K::Name)}),
      edit("realize", {param("f", K::Record)}, "{outer, inner}"),
      edit("compute_at",
           {param("p", K::Op), param("l", K::Loop, none), param("before", K::Loop, none)}),
      edit("auto_sync", {param("k", K::Kernel)}),
      edit("seal", {param("k", K::Kernel, none)}),
      edit("versions", {param("pred", K::Fact)}, "{yes, no}"),
      edit("persistent", {param("k", K::Kernel), param("order", K::Layout)}, "loop"),
      edit("cluster", {param("d", K::Dim), param("n", K::Int)}),
      edit("multicast", {param("op", K::Op), param("over", K::Name)}),
      edit("set_lag", {param("section", K::Name), param("lag", K::Int)}),
      edit("roles", {param("roles", K::Record), param("warps", K::Record, none),
                     param("regs", K::Record, none)}),
      look("loop", {param("name", K::Name)}, true),
      look("load", {param("name", K::Name)}, true),
      look("store", {param("name", K::Name)}, true),
      look("def", {param("name", K::Name)}, true),
      look("call", {param("path", K::Name)}, true),
      look("op", {param("pattern", K::Pattern)}, true),
      look("extent", {param("d", K::Dim)}),
      look("provable", {param("fact", K::Fact)}),
      look("aligned", {param("view", K::Name), param("bytes", K::Int)}),
      look("bank_degree", {param("buf", K::Buf)}),
      look("xor16", {param("chunks", K::Int)}),
      look("grouped", {param("n", K::Int)}),
      look("wgmma_m64k16", {param("n", K::Int)}),
  };
  make(K::Kernel, "kernel");
}
