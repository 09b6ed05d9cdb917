// Command lines of `tile-device`, and scalars and contents that come from no file.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/DeviceCommand.h"

#include <charconv>
#include <cmath>
#include <cstring>

using namespace tessera::runtime;

std::vector<std::string> tessera::runtime::splitWords(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool isOpen = false, isQuoted = false;
  for (char c : line) {
    bool isBlank = c == ' ' || c == '\t' || c == '\r';
    if (c == '#' && !isOpen) {
      break;
    }
    if (c == '"') {
      isQuoted = !isQuoted;
      isOpen = true;
    } else if (isBlank && !isQuoted) {
      if (isOpen) {
        words.push_back(std::move(word));
        word.clear();
      }
      isOpen = false;
    } else {
      word += c;
      isOpen = true;
    }
  }
  if (isOpen) {
    words.push_back(std::move(word));
  }
  return words;
}

template <typename T> static bool parseNumber(std::string_view text, T &value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

static bool parseShape(std::string_view text, std::vector<int64_t> &shape) {
  while (!text.empty()) {
    size_t end = std::min(text.find_first_of("x,"), text.size());
    int64_t size = 0;
    if (!parseNumber(text.substr(0, end), size) || size < 0 || end + 1 == text.size()) {
      return false;
    }
    shape.push_back(size);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

/// An option with a value; false with `error` where it does not fit.
static bool readOption(DeviceCommand &command, const std::string &option, const std::string &value,
                       std::string &error) {
  if (option == "--label") {
    command.label = value;
    return true;
  }
  if (option == "--time" || option == "--seed") {
    bool fine = option == "--time" ? parseNumber(value, command.launches)
                                   : parseNumber(value, command.seed);
    error = "`" + value + "` is no number";
    return fine;
  }
  size_t equals = value.find('=');
  if (equals == std::string::npos || equals == 0) {
    error = "`" + option + " " + value + "` is not of the form NAME=…";
    return false;
  }
  std::string name = value.substr(0, equals), rest = value.substr(equals + 1);
  if (option == "--in" || option == "--out") {
    (option == "--in" ? command.in : command.out)[name] = rest;
    return true;
  }
  error = "`" + rest + "` is no shape; write sizes as in 128x64";
  return parseShape(rest, (option == "--random" ? command.random : command.shape)[name]);
}

Result<DeviceCommand> tessera::runtime::parseDeviceCommand(const std::vector<std::string> &words) {
  DeviceCommand command;
  std::vector<std::string> files;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word == "--flush") {
      command.flush = true;
      continue;
    }
    if (word.substr(0, 2) != "--") {
      files.push_back(word);
      continue;
    }
    bool isKnown = word == "--in" || word == "--out" || word == "--random" || word == "--shape" ||
                   word == "--time" || word == "--seed" || word == "--label";
    if (!isKnown) {
      return Error{"unknown option `" + word + "`",
                   "there are --in --out --random --shape --time --flush --seed --label"};
    }
    if (i + 1 == words.size()) {
      return Error{"`" + word + "` needs a value", ""};
    }
    std::string error;
    if (!readOption(command, word, words[++i], error)) {
      return Error{error, ""};
    }
  }
  if (files.size() != 2) {
    return Error{
        "expected two files, RECORD.launch and MODULE, found " + std::to_string(files.size()), ""};
  }
  command.record = files[0];
  command.module = files[1];
  return command;
}

/// To nearest even, by adding half of the last place kept.
static uint16_t toBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if (std::isnan(value)) {
    return uint16_t(bits >> 16 | 0x40);
  }
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// To nearest even: f32 itself rounds to the step of the binade, by a sum with a number that has no smaller bits.
static uint16_t toF16(float value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  float magnitude = std::fabs(value);
  if (std::isnan(value)) {
    return 0x7e00;
  }
  if (magnitude == 0) {
    return sign;
  }
  if (magnitude >= 65520.0f) {
    return sign | 0x7c00;
  }
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  int step = std::max(exponent - 11, -24);
  auto units = uint32_t(std::nearbyint(std::ldexp(magnitude, -step)));
  return uint16_t(sign | (uint32_t(step + 24) * 1024 + units));
}

Result<Argument> tessera::runtime::scalarArgument(std::string_view text, const std::string &dtype) {
  Error refused{"`" + std::string(text) + "` is no " + dtype, ""};
  if (isIntegerDtype(dtype)) {
    text = text == "true" ? "1" : text == "false" ? "0" : text;
    int64_t value = 0;
    uint64_t natural = 0;
    bool isNatural = parseNumber(text, natural);
    if (!isNatural && !parseNumber(text, value)) {
      return refused;
    }
    value = isNatural ? int64_t(natural) : value;
    unsigned bits = dtype == "bool" || dtype == "i1" ? 1 : 8 * dtypeBytes(dtype);
    bool isSigned = isSignedDtype(dtype);
    bool fits = bits == 64 ? (isSigned ? !isNatural || value >= 0 : isNatural)
                : isSigned ? value >= -(int64_t(1) << (bits - 1)) &&
                                 value < int64_t(1) << (bits - 1) && (!isNatural || value >= 0)
                           : isNatural && natural < uint64_t(1) << bits;
    return fits ? Result<Argument>(Argument::ofScalar(value)) : refused;
  }
  char *end = nullptr;
  std::string copy(text);
  double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != 0) {
    return refused;
  }
  if (dtype == "f64") {
    return Argument::ofScalar(value);
  }
  if (dtype == "f32") {
    return Argument::ofScalar(float(value));
  }
  if (dtype == "bf16" || dtype == "f16") {
    return Argument::ofScalar(dtype == "f16" ? toF16(float(value)) : toBF16(float(value)));
  }
  return Error{"scalars of " + dtype + " are not written as numbers",
               "give a .npy file with their bits"};
}

namespace {
/// splitmix64: every seed gives a good sequence.
struct Generator {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// The sum of four uniform numbers, with deviation 1.
  float normal() {
    uint64_t bits = next();
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
      sum += int(bits >> (16 * i) & 0xffff);
    }
    return (float(sum) / 65536.0f - 2.0f) * 1.7320508f;
  }
};

template <typename T> void put(std::vector<uint8_t> &bytes, size_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof value, &value, sizeof value);
}
} // namespace

/// Magnitudes up to 1.75 of both 8-bit formats; the sign is the top bit.
static uint8_t smallFloat(const std::string &dtype, uint64_t bits) {
  uint8_t magnitude = dtype.substr(0, 4) == "f8e4" || dtype.substr(0, 4) == "f8E4"
                          ? uint8_t(0x20 + (bits & 0x1f))
                          : uint8_t(0x30 + (bits & 0x0f));
  return uint8_t(magnitude | (bits >> 8 & 0x80));
}

std::vector<uint8_t> tessera::runtime::randomContents(const std::string &dtype, size_t elements,
                                                      uint64_t seed) {
  unsigned width = dtypeBytes(dtype);
  std::vector<uint8_t> bytes(elements * width);
  Generator random{seed};
  bool isBool = dtype == "bool" || dtype == "i1";
  for (size_t i = 0; i < elements; ++i) {
    if (isIntegerDtype(dtype)) {
      int64_t value = int64_t(random.next() & (isBool ? 1 : 15)) - (isSignedDtype(dtype) ? 8 : 0);
      std::memcpy(bytes.data() + i * width, &value, width);
    } else if (width == 1) {
      bytes[i] = smallFloat(dtype, random.next());
    } else if (width == 2) {
      float value = random.normal();
      put(bytes, i, dtype == "f16" ? toF16(value) : toBF16(value));
    } else if (width == 4) {
      put(bytes, i, random.normal());
    } else {
      put(bytes, i, double(random.normal()));
    }
  }
  return bytes;
}
