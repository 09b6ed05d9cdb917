//===- ElementwiseTable.td - the one table of elementwise ops -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row is one elementwise op of the tile dialect. From this table come the op definitions (TileOpsElementwise.td),
// the enum `ScalarOp` with its properties (tessera/Numeric/ScalarOps.def, made by scripts/elementwise-table), the
// interpreter's cases, the surface names and the generated tests. Nothing else lists these ops.
//
//===----------------------------------------------------------------------===//

#ifndef TESSERA_ELEMENTWISE_TABLE
#define TESSERA_ELEMENTWISE_TABLE

/// Element types an op accepts. `Float` is bf16, f16, f32, f64 (fp8 has no arithmetic); `Int` is i8…i64, ui8…ui64;
/// `Num` is Float and Int; `IntBool` is Int and i1.
class Domain<string s> { string name = s; }
def DomainFloat   : Domain<"Float">;
def DomainInt     : Domain<"Int">;
def DomainNum     : Domain<"Num">;
def DomainIntBool : Domain<"IntBool">;

/// Element type of the result: that of the operands, or i1.
class ResultKind<string s> { string name = s; }
def ResultSame : ResultKind<"Same">;
def ResultBool : ResultKind<"Bool">;

class Elementwise<string opName, int n, Domain d, ResultKind r, string sum, string text> {
  string mnemonic = opName;         // `tile.<mnemonic>` and, unless `surface` says otherwise, the function's name
  int arity = n;
  Domain domain = d;
  ResultKind result = r;
  string summary = sum;
  string meaning = text;            // the defining sentence(s), with every edge case
  string surface = opName;          // how `.tile` text spells it: an operator, or a function name
  bit isOperator = 0;               // `surface` is an infix or prefix operator
  bit commutative = 0;
  bit hasAccuracy = 0;              // takes {accuracy = strict|fast}
}
class Unary<string opName, Domain d, string sum, string text> : Elementwise<opName, 1, d, ResultSame, sum, text>;
class Binary<string opName, Domain d, string sum, string text> : Elementwise<opName, 2, d, ResultSame, sum, text>;
class Ternary<string opName, Domain d, string sum, string text> : Elementwise<opName, 3, d, ResultSame, sum, text>;
class Predicate<string opName, Domain d, string sum, string text> : Elementwise<opName, 1, d, ResultBool, sum, text>;
class Function<string opName, string sum, string text> : Unary<opName, DomainFloat, sum, text> { let hasAccuracy = 1; }

//===- arithmetic ---------------------------------------------------------===//

def EwAdd : Binary<"add", DomainNum, "sum of two elements",
  "Floats: IEEE sum, round to nearest even. Integers wrap.">
  { let surface = "+"; let isOperator = 1; let commutative = 1; }
def EwSub : Binary<"sub", DomainNum, "difference of two elements",
  "Floats: IEEE difference, round to nearest even. Integers wrap.">
  { let surface = "-"; let isOperator = 1; }
def EwMul : Binary<"mul", DomainNum, "product of two elements",
  "Floats: IEEE product, round to nearest even. Integers wrap.">
  { let surface = "*"; let isOperator = 1; let commutative = 1; }
def EwDiv : Binary<"div", DomainFloat, "quotient of two floats",
  "IEEE quotient, correctly rounded; x / 0 is an infinity, 0 / 0 is NaN.">
  { let surface = "/"; let isOperator = 1; }
def EwFloorDiv : Binary<"floordiv", DomainInt, "quotient rounded towards minus infinity",
  "x // 0 = 0; the least value // -1 is the least value.">
  { let surface = "//"; let isOperator = 1; }
def EwMod : Binary<"mod", DomainInt, "remainder of the floored quotient",
  "The result has the divisor's sign; x % 0 = x; x % -1 = 0.">
  { let surface = "%"; let isOperator = 1; }
def EwDivTrunc : Binary<"div_trunc", DomainInt, "quotient rounded towards zero",
  "div_trunc(x, 0) = 0; the least value by -1 is the least value.">;
def EwRemTrunc : Binary<"rem_trunc", DomainInt, "remainder of the truncated quotient",
  "The result has the dividend's sign; rem_trunc(x, 0) = x; rem_trunc(x, -1) = 0.">;
def EwNeg : Unary<"neg", DomainNum, "negation",
  "Floats: flips the sign bit, NaN included. Integers wrap, so the least value is its own negation.">
  { let surface = "-"; let isOperator = 1; }
def EwAbs : Unary<"abs", DomainNum, "absolute value",
  "Floats: clears the sign bit, NaN included. The least signed integer is its own absolute value.">;
def EwSign : Unary<"sign", DomainNum, "sign of an element",
  "-1, 0 or 1 in the operand's type; -0 gives -0, +0 gives +0, NaN gives NaN.">;
def EwCopySign : Binary<"copysign", DomainFloat, "first operand's magnitude with the second's sign",
  "Takes the sign bit of the second operand, NaN or not.">;
def EwFma : Ternary<"fma", DomainFloat, "a * b + c rounded once",
  "The exact product and sum, rounded once to nearest even in the element type.">;
def EwMin : Binary<"min", DomainNum, "smaller element, NaN wins",
  "Floats: IEEE 754-2019 minimum: NaN if either is NaN, -0 < +0.">
  { let commutative = 1; }
def EwMax : Binary<"max", DomainNum, "larger element, NaN wins",
  "Floats: IEEE 754-2019 maximum: NaN if either is NaN, -0 < +0.">
  { let commutative = 1; }
def EwMinNum : Binary<"min_num", DomainFloat, "smaller element, NaN loses",
  "IEEE 754-2019 minimumNumber: the other operand if one is NaN, NaN if both are, -0 < +0.">
  { let commutative = 1; }
def EwMaxNum : Binary<"max_num", DomainFloat, "larger element, NaN loses",
  "IEEE 754-2019 maximumNumber: the other operand if one is NaN, NaN if both are, -0 < +0.">
  { let commutative = 1; }
def EwClamp : Ternary<"clamp", DomainNum, "element limited to an interval",
  "clamp(x, lo, hi) = min(max(x, lo), hi), so NaN anywhere gives NaN and hi wins where lo > hi.">;

//===- bits ---------------------------------------------------------------===//

def EwAnd : Binary<"and", DomainIntBool, "bitwise and; logical and on i1", "Bit by bit.">
  { let isOperator = 1; let commutative = 1; }
def EwOr : Binary<"or", DomainIntBool, "bitwise or; logical or on i1", "Bit by bit.">
  { let isOperator = 1; let commutative = 1; }
def EwXor : Binary<"xor", DomainIntBool, "bitwise exclusive or", "Bit by bit.">
  { let isOperator = 1; let commutative = 1; }
def EwNot : Unary<"not", DomainIntBool, "bitwise complement; logical not on i1", "Bit by bit.">
  { let isOperator = 1; }
def EwShl : Binary<"shl", DomainInt, "shift left",
  "The amount is read as unsigned; an amount of the width or more gives 0.">
  { let surface = "<<"; let isOperator = 1; }
def EwShr : Binary<"shr", DomainInt, "shift right",
  "Arithmetic for signed, logical for unsigned types. The amount is read as unsigned; the width or more gives the "
  "sign (-1 or 0) or 0.">
  { let surface = ">>"; let isOperator = 1; }
def EwMulHi : Binary<"mulhi", DomainInt, "upper half of the double-width product",
  "The exact product shifted right by the width, signed or unsigned by type.">
  { let commutative = 1; }
def EwPopcount : Unary<"popcount", DomainInt, "number of one bits", "popcount(0) = 0.">;
def EwClz : Unary<"clz", DomainInt, "number of leading zero bits", "clz(0) is the width.">;
def EwCtz : Unary<"ctz", DomainInt, "number of trailing zero bits", "ctz(0) is the width.">;
def EwBrev : Unary<"brev", DomainInt, "bits in reverse order", "Bit i moves to bit width - 1 - i.">;

//===- predicates ---------------------------------------------------------===//

def EwIsNan : Predicate<"isnan", DomainFloat, "whether an element is NaN", "True for every NaN.">;
def EwIsInf : Predicate<"isinf", DomainFloat, "whether an element is an infinity", "True for both infinities.">;
def EwIsFinite : Predicate<"isfinite", DomainFloat, "whether an element is neither NaN nor infinite",
  "False for NaN and the infinities.">;

//===- functions ----------------------------------------------------------===//

def EwSqrt : Function<"sqrt", "square root", "Correctly rounded; sqrt(-0) = -0; a negative gives NaN.">;
def EwRsqrt : Function<"rsqrt", "reciprocal square root",
  "At most 1 ulp; rsqrt(+0) = inf, rsqrt(-0) = -inf, rsqrt(inf) = 0, a negative gives NaN.">;
def EwRcp : Function<"rcp", "reciprocal", "1 / x correctly rounded; rcp(+-0) = +-inf.">;
def EwExp : Function<"exp", "natural exponential", "exp(-inf) = 0, exp(inf) = inf.">;
def EwExp2 : Function<"exp2", "power of two", "exp2(-inf) = 0, exp2(inf) = inf; exact at integers.">;
def EwExpm1 : Function<"expm1", "exp(x) - 1 without cancellation", "expm1(+-0) = +-0, expm1(-inf) = -1.">;
def EwLog : Function<"log", "natural logarithm", "log(+-0) = -inf, log(1) = +0, a negative gives NaN.">;
def EwLog2 : Function<"log2", "binary logarithm",
  "log2(+-0) = -inf, exact at powers of two, a negative gives NaN.">;
def EwLog1p : Function<"log1p", "log(1 + x) without cancellation", "log1p(+-0) = +-0, log1p(-1) = -inf.">;
def EwSin : Function<"sin", "sine, radians", "sin(+-0) = +-0; an infinity gives NaN.">;
def EwCos : Function<"cos", "cosine, radians", "cos(0) = 1; an infinity gives NaN.">;
def EwTan : Function<"tan", "tangent, radians", "tan(+-0) = +-0; an infinity gives NaN.">;
def EwTanh : Function<"tanh", "hyperbolic tangent", "tanh(+-0) = +-0, tanh(+-inf) = +-1.">;
def EwErf : Function<"erf", "error function", "erf(+-0) = +-0, erf(+-inf) = +-1.">;
def EwErfc : Function<"erfc", "complementary error function", "erfc(inf) = +0, erfc(-inf) = 2.">;
def EwPow : Elementwise<"pow", 2, DomainFloat, ResultSame, "first operand to the power of the second",
  "pow(x, 0) = 1 for every x, NaN included; pow(1, y) = 1; other edge cases as IEEE 754 pow.">
  { let hasAccuracy = 1; }
def EwFloor : Unary<"floor", DomainFloat, "largest integral value not above", "Exact; the sign of zero is kept.">;
def EwCeil : Unary<"ceil", DomainFloat, "smallest integral value not below", "Exact; the sign of zero is kept.">;
def EwTrunc : Unary<"trunc", DomainFloat, "integral value towards zero", "Exact; the sign of zero is kept.">;
def EwRoundEven : Unary<"round_even", DomainFloat, "nearest integral value, ties to even",
  "Exact; the sign of zero is kept.">;
def EwRoundAway : Unary<"round_away", DomainFloat, "nearest integral value, ties away from zero",
  "Exact; the sign of zero is kept.">;

#endif // TESSERA_ELEMENTWISE_TABLE
