// Bodies of one small kernel, put together from snippets.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Snippets.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::sealtest;

const std::string sealtest::head = R"(
tile.instr @copies on "sm_80" scope thread order exact via cp_async operands [
    {name = "dst", kind = "smem", out}, {name = "src", kind = "view"}] ptx "" {
^bb0(%dst: tensor<32xf32>, %src: tensor<32xf32>):
  %zero = tile.constant 0.0 : f32 tensor<32xf32>
  %0 = tile.fill_absent %src, %zero : tensor<32xf32>
  tile.yield %0 : tensor<32xf32>
}
tile.kernel @k[%N "N", %R "R"](%x "x": !tile.view<?xf32, in> shape ()[s0, s1] -> (s0),
    %y "y": !tile.view<?xf32, inout> shape ()[s0, s1] -> (s0),
    %i "i": !tile.view<?xi64, in> shape ()[s0, s1] -> (s1),
    %w "w": !tile.view<?x8xf32, inout> shape ()[s0, s1] -> (s1, 8))
    attributes {tile.warps = 4 : i64} body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %c2 = tile.constant 2 : i64
  %c32 = tile.constant 32 : i64
  %zero = tile.constant 0.0 : f32 tensor<32xf32>
)";

Outcome sealtest::sealOf(const std::string &body, const SealOptions &given) {
  return sealOfText(head + body + "\n}\n", given);
}

Outcome sealtest::sealOfText(const std::string &text, const SealOptions &given) {
  Parsed parsed(text);
  EXPECT_TRUE(parsed.module) << parsed.problems << text;
  Outcome outcome;
  if (!parsed.module) {
    return outcome;
  }
  SealOptions options = given;
  options.emit = false;
  solver::ExprContext context;
  solver::Solver solver(context);
  SealReport report = seal(parsed.kernel(), solver, options);
  EXPECT_TRUE(solver.facts().empty());
  for (const SealEntry &entry : report.entries) {
    outcome.programs += entry.status == SealStatus::program;
    outcome.proved += entry.status == SealStatus::proved;
    if (entry.isOpen()) {
      outcome.codes.push_back(sealDiagCode(*entry.diagnostic).str());
      if (outcome.text.empty()) {
        outcome.text =
            entry.message + "; " + entry.missing + "; " + entry.witness + "; " + entry.help;
      }
    }
  }
  return outcome;
}

std::string sealtest::codes(const std::string &body) {
  std::string all;
  for (const std::string &code : sealOf(body).codes) {
    all += (all.empty() ? "" : " ") + code;
  }
  return all;
}

std::string sealtest::grid(const std::string &body) {
  return "tile.grid (%m = tiles(%c0 to %N by 32)) {\n" + body + "\n}";
}
