// Finding ptxas and running it on a file in a folder of its own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Target/PTX/Ptxas.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace tessera::ptx;

llvm::Expected<std::string> tessera::ptx::findPtxas() {
  if (std::optional<std::string> named = llvm::sys::Process::GetEnv("TESSERA_PTXAS")) {
    if (llvm::sys::fs::can_execute(*named)) {
      return *named;
    }
    return llvm::createStringError("TESSERA_PTXAS is `" + *named +
                                   "`, which is no program; name the file ptxas of a CUDA toolkit, "
                                   "or unset the variable");
  }
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas")) {
    return *found;
  }
  std::optional<std::string> home = llvm::sys::Process::GetEnv("CUDA_HOME");
  for (std::string folder : {home ? *home + "/bin" : "", std::string("/usr/local/cuda/bin")}) {
    std::string file = folder + "/ptxas";
    if (!folder.empty() && llvm::sys::fs::can_execute(file)) {
      return file;
    }
  }
  return llvm::createStringError(
      "ptxas, the assembler of PTX, is not here: looked at TESSERA_PTXAS (not set), the folders of "
      "PATH, " +
      (home ? "`" + *home + "/bin`" : std::string("CUDA_HOME (not set)")) +
      " and `/usr/local/cuda/bin`; install a CUDA toolkit (12.8 or higher knows every target) or "
      "set TESSERA_PTXAS. PTX text needs none");
}

/// What went wrong, one line a message, at source lines where they are known.
static std::string errorText(const PtxasLog &log, bool strict) {
  std::string text;
  for (const PtxasMessage &m : log.messages) {
    bool counts = m.severity >= PtxasMessage::error || (strict && m.breaksPromise());
    if (!counts) {
      continue;
    }
    text += text.empty() ? "" : "\n";
    text += m.source.line ? m.source.text() + ": " : "";
    text += "ptxas" + (m.ptxLine ? ", line " + std::to_string(m.ptxLine) + " of the PTX: " : ": ") +
            (m.code.empty() ? "" : m.code + ": ") + m.text;
  }
  return text;
}

static std::string readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

namespace {
/// The run of one text: a folder with its three files, removed at the end.
class Run {
public:
  explicit Run(llvm::StringRef program) : program(program) {}
  ~Run() {
    if (!folder.empty()) {
      llvm::sys::fs::remove_directories(folder);
    }
  }

  llvm::Error prepare(llvm::StringRef ptx) {
    if (std::error_code code = llvm::sys::fs::createUniqueDirectory("tessera-ptxas", folder)) {
      return llvm::createStringError("cannot make a temporary folder for ptxas: " + code.message());
    }
    std::error_code code;
    llvm::raw_fd_ostream os(file("kernel.ptx"), code);
    if (!code) {
      os << ptx;
      os.close();
      code = os.error();
      os.clear_error();
    }
    return code ? llvm::createStringError("cannot write `" + file("kernel.ptx") +
                                          "` for ptxas: " + code.message())
                : llvm::Error::success();
  }

  /// The exit code; negative where it did not run, with the reason.
  int execute(const PtxasOptions &options, std::string &reason) {
    std::string arch = ("-arch=" + name(options.arch)).str(), input = file("kernel.ptx"),
                output = file("kernel.cubin"), log = file("log");
    llvm::SmallVector<llvm::StringRef> arguments{program, "-v", arch, input, "-o", output};
    if (options.lineInfo) {
      arguments.push_back("-lineinfo");
    }
    std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), llvm::StringRef(log),
                                                  llvm::StringRef(log)};
    return llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects, 0, 0, &reason);
  }

  std::string log() const { return readFile(file("log")); }
  std::string cubin() const { return readFile(file("kernel.cubin")); }

private:
  llvm::StringRef program;
  llvm::SmallString<64> folder;

  std::string file(llvm::StringRef name) const { return (folder + "/" + name).str(); }
};
} // namespace

llvm::Expected<Assembled> tessera::ptx::assemble(llvm::StringRef ptx, const PtxasOptions &options) {
  std::string program = options.program;
  if (program.empty()) {
    llvm::Expected<std::string> found = findPtxas();
    if (!found) {
      return found.takeError();
    }
    program = *found;
  }
  auto start = std::chrono::steady_clock::now();
  Run run(program);
  if (llvm::Error error = run.prepare(ptx)) {
    return error;
  }
  std::string reason;
  int code = run.execute(options, reason);
  std::string text = run.log();
  Assembled result;
  result.log = parsePtxasLog(text);
  for (PtxasMessage &m : result.log.messages) {
    if (m.ptxLine != 0) {
      m.source = sourceOfPtxLine(ptx, m.ptxLine);
    }
  }
  std::string errors = errorText(result.log, options.strict);
  if (code < 0) {
    return llvm::createStringError("`" + program + "` does not run: " + reason);
  }
  if (code != 0 && errors.empty()) {
    errors = "`" + program + "` ends with code " + std::to_string(code) + " and says:\n" + text;
  }
  if (!errors.empty()) {
    return llvm::createStringError(errors);
  }
  result.cubin = run.cubin();
  if (result.cubin.empty()) {
    return llvm::createStringError("`" + program +
                                   "` wrote no machine code and no error; its log:\n" + text);
  }
  auto passed = std::chrono::steady_clock::now() - start;
  result.milliseconds = std::chrono::duration<double, std::milli>(passed).count();
  return result;
}
