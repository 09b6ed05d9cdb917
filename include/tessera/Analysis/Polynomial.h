// Amounts that depend on extents: sums of products of names, with numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_ANALYSIS_POLYNOMIAL_H
#define TESSERA_ANALYSIS_POLYNOMIAL_H

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// Coefficients are doubles: amounts of work are measured, not addressed with.
class Polynomial {
public:
  Polynomial() = default;
  Polynomial(double number) { add({}, number); }
  static Polynomial of(std::string name);

  bool isZero() const { return terms.empty(); }
  /// The number; nothing where a name stands in it.
  std::optional<double> number() const;
  /// "2 * K * M * N + 8192"; "0" without terms.
  std::string text() const;

  friend Polynomial operator+(const Polynomial &a, const Polynomial &b);
  friend Polynomial operator-(const Polynomial &a, const Polynomial &b);
  friend Polynomial operator*(const Polynomial &a, const Polynomial &b);
  /// Rounded down; x // 0 = 0. A name of its own, `(H // 128)`, where one of them is no number.
  friend Polynomial floorDiv(const Polynomial &a, const Polynomial &b);

private:
  using Names = std::vector<std::string>; ///< sorted
  std::map<Names, double> terms;          ///< no coefficient is 0
  void add(const Names &names, double number);
};

Polynomial floorDiv(const Polynomial &a, const Polynomial &b);

} // namespace tessera

#endif // TESSERA_ANALYSIS_POLYNOMIAL_H
