// tessera-scalars-probe: scalars for a device, as a folder that benchmarks/device/scalars.py runs there.
//
//   tessera-scalars-probe DIR [--target=sm_90a] [--only=TEXT]   writes DIR: modules of kernels, operands, hashes of results
//   tessera-scalars-probe --compare NAME FILE                   FILE: results of a row that differed; its first wrong element
//
// scalars.txt has a line `row NAME MODULE INPUTS ARITY OUT COUNT` for each row, in the order in which expected.bin has their
// hashes. Operands are INPUTS.0, INPUTS.1, … in native storage.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarProbe.h"

#include "tessera/Device/Markers.h"
#include "tessera/Numeric/Value.h"
#include "tessera/Target/PTX/EmitPTX.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace tessera;
using namespace tessera::testing;
using llvm::Value;

namespace {
constexpr unsigned threads = 256;

llvm::Type *memoryType(llvm::IRBuilderBase &b, DType type) {
  return isBool(type) ? b.getInt8Ty() : convert::registerType(b.getContext(), type);
}

/// A kernel `name(in0, in1, in2, out, count)`, one thread an element; false where the scalar has no code for a device.
bool addKernel(llvm::Module &module, convert::ScalarLowering &scalars, const ProbeRow &row) {
  llvm::LLVMContext &c = module.getContext();
  llvm::IRBuilder<> b(c);
  llvm::Type *pointer = b.getPtrTy(device::globalSpace);
  auto *type = llvm::FunctionType::get(b.getVoidTy(),
                                       {pointer, pointer, pointer, pointer, b.getInt64Ty()}, false);
  auto *function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, row.name, module);
  function->addFnAttr(device::threadsAttr, std::to_string(threads));
  function->addFnAttr(device::sharedBytesAttr, "0");
  auto *entry = llvm::BasicBlock::Create(c, "entry", function);
  auto *work = llvm::BasicBlock::Create(c, "work", function);
  auto *end = llvm::BasicBlock::Create(c, "end", function);
  b.SetInsertPoint(entry);
  Value *cta = device::callMarker(b, "ctaid", b.getInt32Ty(), {});
  Value *tid = device::callMarker(b, "tid", b.getInt32Ty(), {});
  Value *i = b.CreateAdd(b.CreateMul(b.CreateZExt(cta, b.getInt64Ty()), b.getInt64(threads)),
                         b.CreateZExt(tid, b.getInt64Ty()));
  b.CreateCondBr(b.CreateICmpULT(i, function->getArg(4)), work, end);
  b.SetInsertPoint(work);
  llvm::SmallVector<Value *> operands;
  for (unsigned k = 0; k < row.in.size(); ++k) {
    llvm::Type *held = memoryType(b, row.in[k]);
    Value *x = b.CreateLoad(held, b.CreateGEP(held, function->getArg(k), i));
    operands.push_back(isBool(row.in[k]) ? b.CreateTrunc(x, b.getInt1Ty()) : x);
  }
  llvm::Expected<Value *> result = row.emit(scalars, b, operands);
  if (!result) {
    llvm::consumeError(result.takeError());
    function->eraseFromParent();
    return false;
  }
  Value *value = isBool(row.out) ? b.CreateZExt(*result, b.getInt8Ty()) : *result;
  b.CreateStore(value, b.CreateGEP(value->getType(), function->getArg(3), i));
  b.CreateBr(end);
  b.SetInsertPoint(end);
  b.CreateRetVoid();
  return true;
}

class Folder {
public:
  Folder(std::string path, ptx::Arch arch) : path(std::move(path)), arch(arch), index(text) {}
  llvm::Error add(llvm::ArrayRef<const ProbeRow *> rows);
  llvm::Error finish();

private:
  llvm::Error write(const std::string &name, llvm::StringRef bytes);
  llvm::Error operands(const ProbeRow &row);

  std::string path;
  ptx::Arch arch;
  std::string text, expected;
  llvm::raw_string_ostream index;
  std::map<std::string, std::vector<Elements>> inputs;
};
} // namespace

llvm::Error Folder::write(const std::string &name, llvm::StringRef bytes) {
  return llvm::writeToOutput(path + "/" + name, [&](llvm::raw_ostream &os) {
    os << bytes;
    return llvm::Error::success();
  });
}

llvm::Error Folder::operands(const ProbeRow &row) {
  std::vector<Elements> &columns = inputs[row.inputs()];
  if (!columns.empty()) {
    return llvm::Error::success();
  }
  columns = probeInputs(row.in[0], row.in.size());
  for (auto [k, column] : llvm::enumerate(columns)) {
    llvm::StringRef bytes(reinterpret_cast<const char *>(column.data()), column.bytes.size());
    if (llvm::Error error = write(row.inputs() + "." + std::to_string(k), bytes)) {
      return error;
    }
  }
  return llvm::Error::success();
}

/// The rows of one module.
llvm::Error Folder::add(llvm::ArrayRef<const ProbeRow *> rows) {
  llvm::LLVMContext context;
  llvm::Module module("scalars", context);
  convert::ScalarLowering scalars(module);
  bool isEmpty = true;
  for (const ProbeRow *row : rows) {
    if (!addKernel(module, scalars, *row)) {
      index << "# " << row->name << " has no code for a device\n";
      continue;
    }
    isEmpty = false;
    if (llvm::Error error = operands(*row)) {
      return error;
    }
    const std::vector<Elements> &in = inputs[row->inputs()];
    Elements out(row->out, in[0].size());
    row->exact(in, out);
    for (uint64_t sum : hashes(out)) {
      expected.append(reinterpret_cast<const char *>(&sum), sizeof(sum));
    }
    index << "row " << row->name << " " << row->module << " " << row->inputs() << " "
          << row->in.size() << " " << irName(row->out) << " " << out.size() << "\n";
  }
  if (isEmpty) {
    return llvm::Error::success();
  }
  ptx::TargetOptions options;
  options.arch = arch;
  llvm::Expected<std::string> code = ptx::emitPTX(module, options);
  return code ? write(rows[0]->module + ".ptx", *code) : code.takeError();
}

llvm::Error Folder::finish() {
  if (llvm::Error error = write("expected.bin", expected)) {
    return error;
  }
  return write("scalars.txt", text);
}

static llvm::Error writeFolder(const std::string &path, ptx::Arch arch, llvm::StringRef only) {
  if (std::error_code problem = llvm::sys::fs::create_directories(path)) {
    return llvm::createStringError(path + ": " + problem.message());
  }
  std::vector<ProbeRow> rows = probeRows();
  std::vector<std::string> order;
  std::map<std::string, std::vector<const ProbeRow *>> modules;
  for (const ProbeRow &row : rows) {
    if (llvm::StringRef(row.name).contains(only)) {
      std::vector<const ProbeRow *> &list = modules[row.module];
      if (list.empty()) {
        order.push_back(row.module);
      }
      list.push_back(&row);
    }
  }
  Folder folder(path, arch);
  for (const std::string &name : order) {
    if (llvm::Error error = folder.add(modules[name])) {
      return error;
    }
  }
  return folder.finish();
}

/// Prints the first element of a device's results that is not what the exact system gives.
static llvm::Error compare(llvm::StringRef name, llvm::StringRef path) {
  for (const ProbeRow &row : probeRows()) {
    if (row.name != name) {
      continue;
    }
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, false);
    std::vector<Elements> in = probeInputs(row.in[0], row.in.size());
    Elements expected(row.out, in[0].size()), got(row.out);
    if (!buffer || (*buffer)->getBufferSize() != expected.bytes.size()) {
      return llvm::createStringError(path + " cannot be read or has not " +
                                     llvm::Twine(expected.bytes.size()) + " bytes");
    }
    row.exact(in, expected);
    got.bytes.assign((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
    size_t wrong = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      if (!sameElement(row.out, got.at(i), expected.at(i)) && wrong++ < 10) {
        llvm::outs() << name << " of";
        for (const Elements &column : in) {
          llvm::outs() << " 0x" << llvm::utohexstr(column.pattern(i));
        }
        llvm::outs() << " is 0x" << llvm::utohexstr(got.pattern(i)) << ", expected 0x"
                     << llvm::utohexstr(expected.pattern(i)) << " (element " << i << ")\n";
      }
    }
    llvm::outs() << wrong << " of " << got.size() << " differ\n";
    return llvm::Error::success();
  }
  return llvm::createStringError("no row is called `" + name + "`");
}

static int usage(int status) {
  (status ? llvm::errs() : llvm::outs())
      << "usage: tessera-scalars-probe DIR [--target=sm_90a] [--only=TEXT] | --compare NAME FILE\n";
  return status;
}

int main(int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef> words(argv + 1, argv + argc);
  std::string folder, target = "sm_90a", only;
  llvm::Error error = llvm::Error::success();
  llvm::cantFail(std::move(error));
  if (words.size() == 3 && words[0] == "--compare") {
    error = compare(words[1], words[2]);
  } else {
    for (llvm::StringRef word : words) {
      if (word.consume_front("--target=")) {
        target = word.str();
      } else if (word.consume_front("--only=")) {
        only = word.str();
      } else if (word.starts_with("-") || !folder.empty()) {
        return usage(word == "--help" ? 0 : 2);
      } else {
        folder = word.str();
      }
    }
    std::optional<ptx::Arch> arch = ptx::parseArch(target);
    if (folder.empty() || !arch) {
      return usage(2);
    }
    error = writeFolder(folder, *arch, only);
  }
  if (error) {
    llvm::errs() << "tessera-scalars-probe: error: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
