//===- Dump.cpp - casts and ops over raw elements ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: tessera-numeric-dump cast FROM TO ROUND OVERFLOW < elements > elements
//        tessera-numeric-dump OP TYPE < elements > elements
//
// Reads raw native elements from standard input and writes the results, for comparison with other libraries.
// Exit 0 done, 2 usage.
//
//===----------------------------------------------------------------------===//

#include "tessera/Numeric/NumberSystem.h"

#include <cstdio>
#include <vector>

using namespace tessera;

static std::vector<char> readAll() {
  std::vector<char> r;
  char buffer[65536];
  size_t count;
  while ((count = std::fread(buffer, 1, sizeof(buffer), stdin)) > 0) {
    r.insert(r.end(), buffer, buffer + count);
  }
  return r;
}

static int usage(const char *problem) {
  std::fprintf(stderr,
               "tessera-numeric-dump: %s\nusage: tessera-numeric-dump cast FROM TO ROUND OVERFLOW "
               "| OP TYPE\n",
               problem);
  return 2;
}

static int write(const std::vector<char> &out) {
  return std::fwrite(out.data(), 1, out.size(), stdout) == out.size() ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 6 && llvm::StringRef(argv[1]) == "cast") {
    auto from = parseDType(argv[2]), to = parseDType(argv[3]);
    auto round = parseRound(argv[4]);
    auto overflow = parseOverflow(argv[5]);
    if (!from || !to || !round || !overflow) {
      return usage("unknown element type or mode");
    }
    CastKernel kernel = ExactSystem::cast(*from, *to, *round, *overflow);
    if (!kernel) {
      return usage("the overflow mode does not fit the types");
    }
    std::vector<char> in = readAll();
    size_t n = in.size() / byteSize(*from);
    std::vector<char> out(n * byteSize(*to));
    kernel(in.data(), out.data(), n);
    return write(out);
  }
  if (argc == 3) {
    auto op = scalarOpByMnemonic(argv[1]);
    auto type = parseDType(argv[2]);
    Kernel1 kernel = op && type ? ExactSystem::unary(*op, *type) : nullptr;
    if (!kernel) {
      return usage("expected a unary op and an element type it takes");
    }
    std::vector<char> in = readAll();
    size_t n = in.size() / byteSize(*type);
    std::vector<char> out(n * byteSize(resultType(*op, *type)));
    kernel(in.data(), out.data(), n);
    return write(out);
  }
  return usage("expected a cast or an op");
}
