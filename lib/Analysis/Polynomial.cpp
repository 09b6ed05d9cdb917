// Sums of products of names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Analysis/Polynomial.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace tessera;

Polynomial Polynomial::of(std::string name) {
  Polynomial made;
  made.add({std::move(name)}, 1);
  return made;
}

void Polynomial::add(const Names &names, double number) {
  auto [term, isNew] = terms.try_emplace(names, 0);
  term->second += number;
  if (term->second == 0) {
    terms.erase(term);
  }
}

std::optional<double> Polynomial::number() const {
  if (terms.empty()) {
    return 0;
  }
  return terms.size() == 1 && terms.begin()->first.empty()
             ? std::optional<double>(terms.begin()->second)
             : std::nullopt;
}

static std::string textOf(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", number);
  return text;
}

std::string Polynomial::text() const {
  std::string sum;
  // Numbers come last.
  for (auto term = terms.rbegin(); term != terms.rend(); ++term) {
    const auto &[names, number] = *term;
    std::string product = number == 1 && !names.empty() ? "" : textOf(number);
    for (const std::string &name : names) {
      product += (product.empty() ? "" : " * ") + name;
    }
    sum += (sum.empty() ? "" : " + ") + product;
  }
  return sum.empty() ? "0" : sum;
}

namespace tessera {

Polynomial operator+(const Polynomial &a, const Polynomial &b) {
  Polynomial sum = a;
  for (const auto &[names, number] : b.terms) {
    sum.add(names, number);
  }
  return sum;
}

Polynomial operator-(const Polynomial &a, const Polynomial &b) { return a + Polynomial(-1) * b; }

Polynomial operator*(const Polynomial &a, const Polynomial &b) {
  Polynomial product;
  for (const auto &[left, x] : a.terms) {
    for (const auto &[right, y] : b.terms) {
      Polynomial::Names names = left;
      names.insert(names.end(), right.begin(), right.end());
      std::sort(names.begin(), names.end());
      product.add(names, x * y);
    }
  }
  return product;
}

Polynomial floorDiv(const Polynomial &a, const Polynomial &b) {
  std::optional<double> x = a.number(), y = b.number();
  if (x && y) {
    return *y == 0 ? 0 : std::floor(*x / *y);
  }
  return Polynomial::of("(" + a.text() + " // " + b.text() + ")");
}

} // namespace tessera
