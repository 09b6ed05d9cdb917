// Headers of .npy files: every way to be wrong has its error, and random damage never crashes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostTesting.h"

#include "tessera/Host/Npy.h"

#include <random>

using namespace tessera;

namespace {
llvm::Expected<NpyHeader> parse(const std::string &bytes) {
  // A copy of exactly the size, so that a sanitizer sees a read past the end.
  std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  return parseNpyHeader(copy, "f.npy");
}

struct BadHeader {
  const char *dict;
  const char *code;
  /// Part of the text.
  const char *says;
};

const BadHeader badHeaders[] = {
    {"", "T0812", "expected `{`"},
    {"[]", "T0812", "found `[`"},
    {"{", "T0812", "a string in quotes, found the end of the header"},
    {"{}", "T0813", "no key `descr`"},
    {"{'descr'", "T0812", "expected `:`"},
    {"{'descr':", "T0812", "expected a value"},
    {"{'descr': '<f4'", "T0812", "`,` or `}`"},
    {"{'descr': '<f4' 'shape': ()}", "T0812", "`,` or `}`, found `'`"},
    {"{'descr': '<f4', 'fortran_order': False}", "T0813", "no key `shape`"},
    {"{'descr': '<f4', 'shape': ()}", "T0813", "no key `fortran_order`"},
    {"{'fortran_order': False, 'shape': ()}", "T0813", "no key `descr`"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (), 'extra': 1}", "T0814", "`extra`"},
    {"{'Descr': '<f4'}", "T0814", "`Descr`"},
    {"{'\t': 1}", "T0814", "`\\09`"},
    {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}", "T0815",
     "`descr` twice"},
    {"{'shape': (), 'shape': ()}", "T0815", "`shape` twice"},
    {"{descr: '<f4'}", "T0812", "a string in quotes, found `d`"},
    {"{1: '<f4'}", "T0812", "a string in quotes"},
    {"{'descr\": '<f4'}", "T0812", "expected `:`, found `<`"},
    {"{'descr: 1}", "T0812", "a closing quote"},
    {"{'de\\x73cr': '<f4'}", "T0812", "no escapes, found `\\\\`"},
    {"{'descr': '<f4\n'}", "T0812", "a closing quote and no escapes, found `\\0A`"},
    {"{'descr': <f4}", "T0812", "a string, number, tuple, list, True or False"},
    {"{'descr': b'<f4'}", "T0812", "found `b`"},
    {"{'descr': 4}", "T0816", "key `descr`: expected the name of a type, found an integer"},
    {"{'descr': True}", "T0816", "found a bool"},
    {"{'descr': None}", "T0816", "found None"},
    {"{'descr': 1.5}", "T0816", "found a number"},
    {"{'descr': ''}", "T0816", "found an empty string"},
    {"{'descr': '<f4', 'fortran_order': 0}", "T0816", "expected True or False, found an integer"},
    {"{'fortran_order': 'False'}", "T0816", "found a string"},
    {"{'fortran_order': false}", "T0812", "found `f`"},
    {"{'fortran_order': Falsely}", "T0812", "found `F`"},
    {"{'fortran_order': None}", "T0816", "found None"},
    {"{'shape': 3}", "T0816", "expected a tuple of integers, found an integer"},
    {"{'shape': (3)}", "T0816", "found an integer"},
    {"{'shape': [3]}", "T0816", "found a list"},
    {"{'shape': '3'}", "T0816", "found a string"},
    {"{'shape': None}", "T0816", "found None"},
    {"{'shape': (3.0,)}", "T0816", "a number in the tuple"},
    {"{'shape': (3e2,)}", "T0816", "a number in the tuple"},
    {"{'shape': (0x10,)}", "T0816", "a number in the tuple"},
    {"{'shape': (1_0,)}", "T0816", "a number in the tuple"},
    {"{'shape': (True,)}", "T0816", "a bool in the tuple"},
    {"{'shape': (None,)}", "T0816", "None in the tuple"},
    {"{'shape': ('3',)}", "T0816", "a string in the tuple"},
    {"{'shape': ((3,),)}", "T0816", "a tuple in the tuple"},
    {"{'shape': (-,)}", "T0812", "a number after the sign"},
    {"{'shape': (-1,)}", "T0817", "extent -1 of axis 0"},
    {"{'shape': (2, -9223372036854775808)}", "T0817", "of axis 1 is negative"},
    {"{'shape': (-99999999999999999999999,)}", "T0817", "negative"},
    {"{'shape': (9223372036854775808,)}", "T0818",
     "extent `9223372036854775808` of axis 0 exceeds"},
    {"{'shape': (1, 340282366920938463463374607431768211456)}", "T0818", "of axis 1 exceeds"},
    {"{'shape': (1 2)}", "T0812", "`,` or `)`, found `2`"},
    {"{'shape': (1,,2)}", "T0812", "found `,`"},
    {"{'shape': (1,", "T0812", "expected a value"},
    {"{'shape': (1, 2]}", "T0812", "`,` or `)`, found `]`"},
    {"{'shape': [1, 2)}", "T0812", "`,` or `]`, found `)`"},
    {"{'shape': ()} {}", "T0812", "only spaces after `}`, found `{`"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': ()}x", "T0812",
     "only spaces after `}`, found `x`"},
    {"{'shape': ((((((((((((((((((((((1,),),),),),),),),),),),),),),),),),),),),)}", "T0812",
     "nested brackets"},
    {"{'shape': __import__('os')}", "T0812", "found `_`"},
    {"{'descr': {'a': 1}}", "T0812", "found `{`"},
    {"\x80\x81", "T0812", "expected `{`, found `\\80`"},
};
} // namespace

TEST(NpyHeader, EveryKindOfBadDictionaryHasItsError) {
  static_assert(std::size(badHeaders) >= 60);
  for (const BadHeader &bad : badHeaders) {
    for (int version : {1, 2, 3}) {
      std::string text = textOf(parse(npyBytes(bad.dict, "", version)));
      EXPECT_EQ(text.substr(0, 14), std::string(bad.code) + ": `f.npy`") << bad.dict;
      EXPECT_NE(text.find(bad.says), std::string::npos) << bad.dict << "\n" << text;
    }
  }
}

TEST(NpyHeader, PositionsOfErrorsCountFromTheStartOfTheFile) {
  EXPECT_EQ(
      textOf(parse(npyBytes("{'descr' '<f4'}", ""))),
      "T0812: `f.npy`: header, byte 19: expected `:`, found `'`; write it again with `numpy.save`");
}

TEST(NpyHeader, TooManyAxes) {
  std::string shape = "(";
  for (int axis = 0; axis < 65; ++axis) {
    shape += "1, ";
  }
  EXPECT_EQ(textOf(parse(npyBytes(npyDict("<f4", shape + ")"), ""))),
            "T0819: `f.npy`: the array has more than 64 axes; reshape it before saving");
}

TEST(NpyHeader, BeginningsThatAreNotNpy) {
  std::string good = npyBytes(npyDict("<f4", "()"), "");
  auto code = [](const std::string &bytes) { return textOf(parse(bytes)).substr(0, 5); };
  EXPECT_EQ(code(""), "T0806");
  EXPECT_EQ(code("\x93NUM"), "T0806");
  EXPECT_EQ(code("PK\x03\x04rest of a zip"), "T0808");
  EXPECT_EQ(code(std::string("\x80\x04\x95\x00", 4)), "T0809");
  EXPECT_EQ(code("hello, world"), "T0807");
  EXPECT_EQ(textOf(parse("x,y\n1,2\n")),
            "T0807: `f.npy`: not a .npy file: expected the bytes `\\x93NUMPY`, found "
            "`x,y\\0A1,`; write it with `numpy.save`");
  for (int version : {0, 4, 9, 255}) {
    EXPECT_EQ(code(npyBytes(npyDict("<f4", "()"), "", version)), "T0810");
  }
  std::string minor = good;
  minor[7] = 1;
  EXPECT_EQ(textOf(parse(minor)), "T0810: `f.npy`: .npy version 1.1 is unknown, expected 1.0, 2.0 "
                                  "or 3.0; write it again with `numpy.save`");
}

TEST(NpyHeader, LengthsThatCannotBe) {
  std::string dict = npyDict("<f4", "()");
  EXPECT_EQ(textOf(parse(npyBytes(dict, "", 2, 0xFFFFFFFF))),
            "T0811: `f.npy`: the header claims 4294967295 bytes, at most 1048576 bytes are "
            "plausible; the file is "
            "damaged, write it again with `numpy.save`");
  EXPECT_EQ(textOf(parse(npyBytes(dict, "", 1, 65535))).substr(0, 5), "T0806");
  EXPECT_EQ(textOf(parse(npyBytes(dict, "", 3, 1000))).substr(0, 5), "T0806");
  EXPECT_EQ(textOf(parse(npyBytes(dict, "", 1, 0))).substr(0, 5), "T0812");
  EXPECT_EQ(textOf(parse(npyBytes(dict, "", 1, 20))).substr(0, 5), "T0812");
}

TEST(NpyHeader, EveryPrefixOfAValidFileIsRefused) {
  for (int version : {1, 2, 3}) {
    std::string good = npyBytes(npyDict("<f4", "(3, 4)"), "", version);
    EXPECT_EQ(textOf(parse(good)), "");
    for (size_t length = 0; length < good.size(); ++length) {
      EXPECT_EQ(textOf(parse(good.substr(0, length))).substr(0, 5), "T0806") << length;
    }
  }
}

TEST(NpyHeader, SpellingsOfValidHeaders) {
  NpyHeader header =
      must(parse(npyBytes("{\"shape\":(2L,3),'fortran_order':True,\t'descr' : \"<i8\"}   ", "")));
  EXPECT_EQ(header.shape, (IndexVector{2, 3}));
  EXPECT_TRUE(header.fortranOrder);
  EXPECT_EQ(header.descr, "<i8");
  header = must(parse(npyBytes(npyDict("|V2", "( ( 7 ) , )"), "", 3)));
  EXPECT_EQ(header.shape, (IndexVector{7}));
  EXPECT_EQ(header.version, 3u);
  header = must(parse(npyBytes(npyDict("<f4", "(-0, 9223372036854775807)"), "", 2)));
  EXPECT_EQ(header.shape, (IndexVector{0, INT64_MAX}));
  header = must(parse(npyBytes(
      "{'descr': [('a', '<f4'), ('b', '<i4', (2,))], 'fortran_order': False, 'shape': ()}", "")));
  EXPECT_TRUE(header.structured);
}

TEST(NpyHeader, RandomDamageNeverCrashes) {
  std::mt19937 random(11);
  const std::string seeds[] = {
      npyBytes(npyDict("<f4", "(3, 4)"), std::string(48, 'x')),
      npyBytes(npyDict("|V2", "(1, 2, 3)", true), std::string(12, 'x'), 2),
      npyBytes("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234", 3),
  };
  const std::string pieces[] = {"(",    ")",   "[",  "]",
                                "{",    "}",   "'",  "\"",
                                ",",    ":",   "-",  "9223372036854775807",
                                "True", "L",   "\\", std::string(1, '\0'),
                                "1e9",  "None"};
  unsigned accepted = 0, refused = 0;
  for (unsigned round = 0; round < 60000; ++round) {
    std::string bytes = seeds[random() % 3];
    unsigned changes = 1 + random() % 4;
    for (unsigned change = 0; change < changes; ++change) {
      size_t place = random() % bytes.size();
      switch (random() % 4) {
      case 0:
        bytes[place] = static_cast<char>(random());
        break;
      case 1:
        bytes.erase(place, 1 + random() % 5);
        break;
      case 2:
        bytes.insert(place, pieces[random() % std::size(pieces)]);
        break;
      default:
        bytes[place] ^= static_cast<char>(1 << random() % 8);
      }
      if (bytes.empty()) {
        bytes = "x";
      }
    }
    std::string text = textOf(parse(bytes));
    ++(text.empty() ? accepted : refused);
    ASSERT_TRUE(text.empty() || text.substr(0, 3) == "T08") << text;
  }
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(refused, 10000u);
}
