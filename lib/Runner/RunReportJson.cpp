// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunReportJson.h"

#include "tessera/Host/HostError.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

using namespace tessera;

static llvm::Error writeJson(llvm::StringRef path, llvm::json::Value value) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error) {
    return hostError(HostDiag::file_create, path, path, error.message());
  }
  os << llvm::formatv("{0:2}", value) << "\n";
  os.close();
  if (os.has_error()) {
    const std::string reason = os.error().message();
    os.clear_error();
    llvm::sys::fs::remove(path);
    return hostError(HostDiag::file_write, path, reason);
  }
  return llvm::Error::success();
}

static llvm::StringRef kindName(CompareKind kind) {
  return kind == CompareKind::exact ? "exact" : kind == CompareKind::bounded ? "bounded" : "f64";
}

llvm::Error tessera::writeRunJson(llvm::StringRef path, llvm::StringRef kernel,
                                  const Launch &launch, const Verification &verification) {
  llvm::json::Object extents;
  for (auto [name, value] : llvm::zip(launch.extentNames, launch.extents)) {
    extents[name] = value;
  }
  llvm::json::Array checks;
  for (const OutputCheck &check : verification.checks()) {
    checks.push_back(llvm::json::Object{{"output", check.name},
                                        {"kind", kindName(check.kind)},
                                        {"compared", check.result.compared},
                                        {"failures", check.result.failures}});
  }
  return writeJson(path, llvm::json::Object{{"kernel", kernel.str()},
                                            {"extents", std::move(extents)},
                                            {"checks", std::move(checks)}});
}

llvm::Error tessera::writeTestJson(llvm::StringRef path, llvm::ArrayRef<TestSummary> tests) {
  llvm::json::Array list;
  uint64_t passed = 0, failed = 0;
  for (const TestSummary &test : tests) {
    passed += test.passed;
    failed += test.failed;
    list.push_back(llvm::json::Object{{"kernel", test.kernel},
                                      {"passed", static_cast<int64_t>(test.passed)},
                                      {"failed", static_cast<int64_t>(test.failed)},
                                      {"excluded", static_cast<int64_t>(test.excluded)},
                                      {"dropped", static_cast<int64_t>(test.dropped)},
                                      {"elements", static_cast<int64_t>(test.elements)},
                                      {"seconds", test.seconds}});
  }
  return writeJson(path, llvm::json::Object{{"tests", std::move(list)},
                                            {"passed", static_cast<int64_t>(passed)},
                                            {"failed", static_cast<int64_t>(failed)}});
}
