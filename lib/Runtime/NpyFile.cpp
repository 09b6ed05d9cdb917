// .npy files: the three keys of the header, then the elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Runtime/NpyFile.h"

#include "tessera/Runtime/LaunchRecord.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

using namespace tessera::runtime;

static constexpr std::string_view magic("\x93NUMPY", 6);

Result<std::string> tessera::runtime::readWholeFile(const std::string &file) {
  std::FILE *stream = std::fopen(file.c_str(), "rb");
  if (!stream) {
    return Error{"`" + file + "` does not open: " + std::strerror(errno), ""};
  }
  std::string bytes;
  char buffer[1 << 16];
  size_t count;
  while ((count = std::fread(buffer, 1, sizeof buffer, stream)) > 0) {
    bytes.append(buffer, count);
  }
  bool failed = std::ferror(stream) != 0;
  std::fclose(stream);
  if (failed) {
    return Error{"`" + file + "` cannot be read", ""};
  }
  return bytes;
}

Failure tessera::runtime::writeWholeFile(const std::string &file, std::string_view bytes) {
  std::FILE *stream = std::fopen(file.c_str(), "wb");
  bool fine = stream && std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size();
  if (stream) {
    fine = std::fclose(stream) == 0 && fine;
  }
  return fine ? Failure() : Error{"`" + file + "` cannot be written: " + std::strerror(errno), ""};
}

static bool isOneOf(std::string_view text, std::initializer_list<std::string_view> list) {
  for (std::string_view item : list) {
    if (text == item) {
      return true;
    }
  }
  return false;
}

std::string tessera::runtime::npyDescr(std::string_view dtype) {
  unsigned bytes = dtypeBytes(dtype);
  if (bytes == 0) {
    return "";
  }
  if (isOneOf(dtype, {"bool", "i1"})) {
    return "|b1";
  }
  bool isPlainFloat = isOneOf(dtype, {"f16", "f32", "f64"});
  char kind = isPlainFloat ? 'f' : isSignedDtype(dtype) ? 'i' : 'u';
  return std::string(1, bytes == 1 ? '|' : '<') + kind + std::to_string(bytes);
}

bool tessera::runtime::npyHolds(std::string_view descr, std::string_view dtype) {
  if (dtype == "bf16") {
    return isOneOf(descr, {"<u2", "|V2", "<V2"});
  }
  if (dtype.substr(0, 2) == "f8") {
    return isOneOf(descr, {"|u1", "|V1", "<V1", "<f1"});
  }
  std::string code = npyDescr(dtype);
  // The order of one byte is written in several ways.
  return !code.empty() && (descr == code || (code[0] == '|' && descr.size() == 3 &&
                                             descr.substr(1) == code.substr(1) && descr[0] != '>'));
}

namespace {
class HeaderReader {
public:
  HeaderReader(std::string_view header, const std::string &file) : header(header), file(file) {}

  Failure run(NpyArray &array) {
    std::string_view descr = value("descr"), order = value("fortran_order"), shape = value("shape");
    if (descr.empty() || order.empty() || shape.empty()) {
      return problem("has not the keys descr, fortran_order and shape");
    }
    if (descr.size() < 4 || (descr[0] != '\'' && descr[0] != '"')) {
      return problem("has records, not numbers");
    }
    array.descr = descr.substr(1, descr.find(descr[0], 1) - 1);
    if (order.substr(0, 5) != "False") {
      return problem("is in Fortran order", "write it by numpy.ascontiguousarray");
    }
    return sizes(shape, array.shape);
  }

private:
  std::string_view header;
  const std::string &file;

  Failure problem(const std::string &text, const std::string &remedy = "") const {
    return Error{"`" + file + "` " + text, remedy};
  }

  /// What follows `'key':`.
  std::string_view value(const std::string &key) const {
    size_t at = header.find("'" + key + "'");
    at = at == std::string_view::npos ? at : header.find(':', at);
    at = at == std::string_view::npos ? at : header.find_first_not_of(" :", at);
    return at == std::string_view::npos ? std::string_view() : header.substr(at);
  }

  Failure sizes(std::string_view text, std::vector<int64_t> &shape) const {
    size_t close = text.find(')');
    if (text[0] != '(' || close == std::string_view::npos) {
      return problem("has no shape");
    }
    text = text.substr(1, close - 1);
    while (true) {
      size_t at = text.find_first_not_of(" ,");
      if (at == std::string_view::npos) {
        return {};
      }
      text.remove_prefix(at);
      int64_t size = 0;
      auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
      if (error != std::errc() || size < 0 || shape.size() == 64) {
        return problem("has a shape that is no list of sizes");
      }
      shape.push_back(size);
      text.remove_prefix(size_t(end - text.data()));
    }
  }
};
} // namespace

/// Where the header begins and ends.
static bool headerOf(std::string_view bytes, size_t &begin, size_t &end) {
  if (bytes.size() < 12 || bytes.substr(0, 6) != magic) {
    return false;
  }
  auto byte = [&](size_t at) { return size_t(uint8_t(bytes[at])); };
  size_t length = byte(8) | byte(9) << 8;
  begin = 10;
  if (byte(6) >= 2) {
    length |= byte(10) << 16 | byte(11) << 24;
    begin = 12;
  }
  end = begin + length;
  return end <= bytes.size();
}

Result<NpyArray> tessera::runtime::parseNpy(std::string_view bytes, const std::string &file) {
  size_t begin = 0, end = 0;
  if (!headerOf(bytes, begin, end)) {
    return Error{"`" + file + "` is no .npy file, or is cut off", ""};
  }
  NpyArray array;
  if (Failure failure = HeaderReader(bytes.substr(begin, end - begin), file).run(array)) {
    return *failure;
  }
  int64_t width = 0;
  std::string_view digits =
      std::string_view(array.descr).substr(std::min<size_t>(2, array.descr.size()));
  auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), width);
  if (error != std::errc() || stop != digits.data() + digits.size() || array.descr[0] == '>' ||
      width < 1 || width > 8) {
    return Error{"`" + file + "` has elements of the code `" + array.descr + "`",
                 "write little-endian numbers of 1 to 8 bytes"};
  }
  // Counted down from what is there, so that no product overflows.
  uint64_t present = bytes.size() - end, count = uint64_t(width);
  bool isEmpty = false;
  for (int64_t size : array.shape) {
    isEmpty = isEmpty || size == 0;
  }
  for (int64_t size : array.shape) {
    if (!isEmpty && uint64_t(size) > present / count) {
      return Error{"`" + file + "` is cut off: it has fewer elements than its shape says", ""};
    }
    count = isEmpty ? 0 : count * uint64_t(size);
  }
  if (count > present) {
    return Error{"`" + file + "` is cut off: it has fewer elements than its shape says", ""};
  }
  array.data.assign(bytes.begin() + long(end), bytes.begin() + long(end + count));
  return array;
}

Result<NpyArray> tessera::runtime::readNpy(const std::string &file) {
  Result<std::string> bytes = readWholeFile(file);
  return bytes ? parseNpy(*bytes, file) : Result<NpyArray>(bytes.error());
}

std::string tessera::runtime::printNpy(const NpyArray &array) {
  std::string header = "{'descr': '" + array.descr + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.shape) {
    header += std::to_string(size) + ", ";
  }
  if (array.shape.size() > 1) {
    header.resize(header.size() - 2);
  }
  header += "), }";
  // Elements begin at a multiple of 64.
  header.append(63 - (header.size() + 10) % 64, ' ');
  header += '\n';
  std::string bytes(magic);
  bytes += '\1';
  bytes += '\0';
  bytes += char(header.size() & 255);
  bytes += char(header.size() >> 8);
  bytes += header;
  return bytes.append(array.data.begin(), array.data.end());
}

Failure tessera::runtime::writeNpy(const std::string &file, const NpyArray &array) {
  return writeWholeFile(file, printNpy(array));
}
