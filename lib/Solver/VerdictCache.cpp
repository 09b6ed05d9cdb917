//===- VerdictCache.cpp - answers kept between compiles -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line: `v1 <key> <P|R|U> <cause> <limit> <s|-> <numbers|-> <checksum>`. Appending takes an exclusive lock on
// `<file>.lock` and writes whole lines; a file that ends in the middle of a line gets a line end first, so a cut record
// costs itself only. Rewriting goes through a new file and a rename under the same lock.
//
//===----------------------------------------------------------------------===//

#include "tessera/Solver/VerdictCache.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tessera::solver {

static constexpr llvm::StringLiteral header = "# answers of proofs, one a line; safe to delete\n";

std::string VerdictCache::key(llvm::StringRef text, llvm::StringRef solver,
                              llvm::StringRef options) {
  llvm::TruncatedBLAKE3<16> hasher;
  for (llvm::StringRef part : {text, solver, options}) {
    hasher.update(part);
    hasher.update(llvm::StringRef("\0", 1));
  }
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

static std::string checksum(llvm::StringRef body) {
  uint64_t hash = llvm::xxh3_64bits(llvm::arrayRefFromStringRef(body));
  return llvm::utohexstr(hash & 0xffffffff, /*LowerCase=*/true, /*Width=*/8);
}

std::string VerdictCache::formatLine(llvm::StringRef key, const CachedAnswer &answer) {
  const char outcome[] = {'P', 'R', 'U'};
  std::string body = "v1 " + key.str() + " " + outcome[static_cast<int>(answer.outcome)] + " " +
                     std::to_string(static_cast<int>(answer.cause)) + " " +
                     std::to_string(answer.rlimit) + (answer.smallest ? " s " : " - ");
  if (answer.numbers.empty()) {
    body += "-";
  }
  for (size_t i = 0; i < answer.numbers.size(); ++i) {
    body += (i ? "," : "") + toString(answer.numbers[i]);
  }
  return body + " " + checksum(body) + "\n";
}

std::optional<std::pair<std::string, CachedAnswer>> VerdictCache::parseLine(llvm::StringRef line) {
  line.consume_back("\n");
  auto [body, sum] = line.rsplit(' ');
  llvm::SmallVector<llvm::StringRef, 8> fields;
  body.split(fields, ' ');
  constexpr size_t keyLength = 32;
  if (checksum(body) != sum || fields.size() != 7 || fields[0] != "v1" ||
      fields[1].size() != keyLength || fields[2].size() != 1) {
    return std::nullopt;
  }
  CachedAnswer answer;
  size_t outcome = llvm::StringRef("PRU").find(fields[2][0]);
  unsigned cause = 0;
  if (outcome == llvm::StringRef::npos || fields[3].getAsInteger(10, cause) ||
      cause > static_cast<unsigned>(UnknownCause::Failure) ||
      fields[4].getAsInteger(10, answer.rlimit)) {
    return std::nullopt;
  }
  answer.outcome = static_cast<Outcome>(outcome);
  answer.cause = static_cast<UnknownCause>(cause);
  answer.smallest = fields[5] == "s";
  if (fields[6] != "-") {
    llvm::SmallVector<llvm::StringRef, 8> numbers;
    fields[6].split(numbers, ',');
    for (llvm::StringRef number : numbers) {
      std::optional<Int> value = parseInt(number);
      if (!value) {
        return std::nullopt;
      }
      answer.numbers.push_back(*value);
    }
  }
  return std::pair(fields[1].str(), std::move(answer));
}

bool VerdictCache::keep(llvm::StringRef key, const CachedAnswer &answer) {
  auto [slot, isNew] = answers.try_emplace(key, answer);
  if (isNew) {
    return true;
  }
  CachedAnswer &old = slot->second;
  bool better = old.outcome == Outcome::Unknown &&
                (answer.outcome != Outcome::Unknown || answer.rlimit > old.rlimit);
  // Where proof and refutation meet, one of the lines is wrong; the later one stands and a witness is evaluated anyway.
  bool differs = answer.outcome != Outcome::Unknown && answer.outcome != old.outcome;
  if (better || differs) {
    old = answer;
    return true;
  }
  return false;
}

static std::string describe(llvm::StringRef what, llvm::StringRef path, llvm::StringRef why) {
  return ("cannot " + what + " the cache of proofs `" + path + "`: " + why).str();
}

void VerdictCache::loadText(llvm::StringRef rest, bool isWritable) {
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    llvm::StringRef line = rest.take_front(end);
    rest = end == llvm::StringRef::npos ? "" : rest.drop_front(end + 1);
    if (line.empty() || line.starts_with("#")) {
      continue;
    }
    // A line without its end may have been cut inside a number that still reads well; the checksum knows.
    auto entry = parseLine(line);
    if (!entry) {
      ++damaged;
    } else if (keep(entry->first, entry->second) && !isWritable) {
      lent.insert(entry->first);
    } else if (isWritable) {
      lent.erase(entry->first);
    }
  }
}

std::optional<std::string> VerdictCache::load(llvm::StringRef path, bool isWritable) {
  if (!llvm::sys::fs::exists(path)) {
    return std::nullopt;
  }
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                  /*IsVolatile=*/true);
  if (!buffer) {
    return describe("read", path, buffer.getError().message());
  }
  loadText((*buffer)->getBuffer(), isWritable);
  return std::nullopt;
}

std::optional<std::string> VerdictCache::addReadOnly(llvm::StringRef path) {
  return load(path, /*isWritable=*/false);
}

void VerdictCache::addReadOnlyText(llvm::StringRef text) { loadText(text, /*isWritable=*/false); }

std::optional<std::string> VerdictCache::openWritable(llvm::StringRef path) {
  if (std::optional<std::string> problem = load(path, /*isWritable=*/true)) {
    return problem;
  }
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty()) {
    if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
      return describe("make the folder of", path, error.message());
    }
  }
  writablePath = path.str();
  return std::nullopt;
}

std::optional<CachedAnswer> VerdictCache::find(llvm::StringRef key) const {
  auto found = answers.find(key);
  return found == answers.end() ? std::nullopt : std::optional<CachedAnswer>(found->second);
}

namespace {

/// An exclusive lock beside a file, held for a scope. The lock's file stays: removing it would race.
class FileLock {
public:
  explicit FileLock(const std::string &path) {
    descriptor = ::open((path + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    while (descriptor >= 0 && ::flock(descriptor, LOCK_EX) != 0) {
      if (errno != EINTR) {
        ::close(descriptor);
        descriptor = -1;
      }
    }
  }
  ~FileLock() {
    if (descriptor >= 0) {
      ::close(descriptor);
    }
  }
  bool held() const { return descriptor >= 0; }

private:
  int descriptor = -1;
};

bool writeAll(int descriptor, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes = bytes.drop_front(static_cast<size_t>(written));
  }
  return true;
}

/// Whether the file has bytes and the last one is not a line end.
bool endsInsideLine(int descriptor) {
  off_t size = ::lseek(descriptor, 0, SEEK_END);
  char last = '\n';
  return size > 0 && ::pread(descriptor, &last, 1, size - 1) == 1 && last != '\n';
}

} // namespace

std::optional<std::string> VerdictCache::add(llvm::StringRef key, const CachedAnswer &answer) {
  bool isNew = keep(key, answer);
  isNew |= lent.erase(key);
  if (!isNew || writablePath.empty()) {
    return std::nullopt;
  }
  FileLock lock(writablePath);
  if (!lock.held()) {
    return describe("lock", writablePath, std::strerror(errno));
  }
  int descriptor = ::open(writablePath.c_str(), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    return describe("open", writablePath, std::strerror(errno));
  }
  llvm::scope_exit closing([&] { ::close(descriptor); });
  std::string lines = formatLine(key, answer);
  if (::lseek(descriptor, 0, SEEK_END) == 0) {
    lines = header.str() + lines;
  } else if (endsInsideLine(descriptor)) {
    lines = "\n" + lines;
  }
  if (!writeAll(descriptor, lines)) {
    return describe("append to", writablePath, std::strerror(errno));
  }
  return std::nullopt;
}

std::optional<std::string> VerdictCache::compact() {
  if (writablePath.empty()) {
    return std::nullopt;
  }
  FileLock lock(writablePath);
  if (!lock.held()) {
    return describe("lock", writablePath, std::strerror(errno));
  }
  VerdictCache current;
  if (std::optional<std::string> problem = current.load(writablePath, /*isWritable=*/true)) {
    return problem;
  }
  std::string text = header.str();
  std::vector<std::string> keys;
  for (const auto &entry : current.answers) {
    keys.push_back(entry.getKey().str());
  }
  std::sort(keys.begin(), keys.end());
  for (const std::string &key : keys) {
    text += formatLine(key, current.answers[key]);
    keep(key, current.answers[key]);
  }
  std::string fresh = writablePath + ".new" + std::to_string(::getpid());
  std::error_code error;
  llvm::raw_fd_ostream os(fresh, error);
  if (error) {
    return describe("rewrite", writablePath, error.message());
  }
  os << text;
  os.close();
  if (os.has_error()) {
    os.clear_error();
    ::unlink(fresh.c_str());
    return describe("rewrite", writablePath, "the new file could not be written");
  }
  if (::rename(fresh.c_str(), writablePath.c_str()) != 0) {
    std::string why = std::strerror(errno);
    ::unlink(fresh.c_str());
    return describe("replace", writablePath, why);
  }
  return std::nullopt;
}

} // namespace tessera::solver
