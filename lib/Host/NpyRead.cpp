// From a .npy file to an array: which stored types stand for which element type, and whether the data fit the shape.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Host/HostError.h"
#include "tessera/Host/Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace tessera;

namespace {
struct DescrRow {
  DType dtype;
  /// The first one is written; all are read.
  const char *descrs[4];
  /// How a user converts to the type.
  const char *conversion;
};

// In the order of DType.
constexpr DescrRow descrRows[numDTypes] = {
    {DType::i1, {"|b1"}, "a.astype(bool)"},
    {DType::i8, {"|i1"}, "a.astype(numpy.int8)"},
    {DType::i16, {"<i2"}, "a.astype(numpy.int16)"},
    {DType::i32, {"<i4"}, "a.astype(numpy.int32)"},
    {DType::i64, {"<i8"}, "a.astype(numpy.int64)"},
    {DType::ui8, {"|u1"}, "a.astype(numpy.uint8)"},
    {DType::ui16, {"<u2"}, "a.astype(numpy.uint16)"},
    {DType::ui32, {"<u4"}, "a.astype(numpy.uint32)"},
    {DType::ui64, {"<u8"}, "a.astype(numpy.uint64)"},
    {DType::bf16, {"<u2", "|V2", "<V2"}, "a.astype(ml_dtypes.bfloat16)"},
    {DType::f16, {"<f2"}, "a.astype(numpy.float16)"},
    {DType::f32, {"<f4"}, "a.astype(numpy.float32)"},
    {DType::f64, {"<f8"}, "a.astype(numpy.float64)"},
    {DType::f8E4M3FN, {"|u1", "|V1", "<V1", "<f1"}, "a.astype(ml_dtypes.float8_e4m3fn)"},
    {DType::f8E5M2, {"|u1", "|V1", "<V1", "<f1"}, "a.astype(ml_dtypes.float8_e5m2)"},
};

const DescrRow &row(DType dtype) { return descrRows[static_cast<unsigned>(dtype)]; }

/// Number of bytes a simple descr gives after byte order and kind, 0 where it gives none.
unsigned descrBytes(llvm::StringRef descr) {
  unsigned bytes = 0;
  return descr.size() > 2 && !descr.drop_front(2).getAsInteger(10, bytes) ? bytes : 0;
}

llvm::Error wrongType(llvm::StringRef path, const NpyHeader &header, DType expected) {
  llvm::StringRef descr = header.descr;
  std::string choices = npyDescrChoices(expected);
  std::string conversion = std::string("`") + row(expected).conversion + "`";
  std::string wanted = name(expected).str() + " (" + choices + ")";
  if (header.structured) {
    return hostError(HostDiag::npy_structured, path, wanted);
  }
  if (descr == "O" || descr == "|O" || descr.starts_with("|O")) {
    return hostError(HostDiag::npy_object, path, descr, wanted);
  }
  if (descr.starts_with(">") && descrBytes(descr) > 1) {
    return hostError(HostDiag::npy_big_endian, path, descr);
  }
  bool known = llvm::any_of(allDTypes, [&](DType dtype) { return npyDescrFits(descr, dtype); });
  if (known) {
    return hostError(HostDiag::npy_dtype_mismatch, path, descr, name(expected), choices,
                     conversion);
  }
  std::string printable;
  llvm::raw_string_ostream os(printable);
  llvm::printEscapedString(descr, os);
  return hostError(HostDiag::npy_dtype_unknown, path, printable, wanted, conversion);
}

llvm::Error checkBools(llvm::StringRef path, const HostArray &array) {
  int64_t bad = -1, count = array.numElements();
  // The file holds the elements without gaps, whatever their order.
  const std::byte *bytes = array.data();
  for (int64_t position = 0; position < count && bad < 0; ++position) {
    bad = std::to_integer<unsigned>(bytes[position]) > 1 ? position : -1;
  }
  if (bad < 0) {
    return llvm::Error::success();
  }
  return hostError(HostDiag::npy_bad_bool, path, bad, std::to_integer<unsigned>(bytes[bad]));
}

/// The data at an address that suits the elements: as mapped if possible, else copied.
llvm::Expected<HostArray> placeData(std::shared_ptr<HostMemory> file, const NpyHeader &header,
                                    DType dtype, const HostLayout &layout) {
  if (header.dataOffset % byteSize(dtype) == 0 || !layout.hasElements()) {
    return HostArray::view(std::move(file), dtype, layout.shape, layout.strides, header.dataOffset);
  }
  llvm::Expected<HostArray> copy = HostArray::allocateStrided(dtype, layout.shape, layout.strides);
  if (copy) {
    std::memcpy(copy->data(), file->data() + header.dataOffset, file->size() - header.dataOffset);
  }
  return copy;
}
} // namespace

llvm::StringRef tessera::npyDescr(DType dtype) { return row(dtype).descrs[0]; }

bool tessera::npyDescrFits(llvm::StringRef descr, DType dtype) {
  return llvm::any_of(row(dtype).descrs,
                      [&](const char *known) { return known && descr == known; });
}

std::string tessera::npyDescrChoices(DType dtype) {
  llvm::SmallVector<llvm::StringRef, 4> known;
  for (const char *descr : row(dtype).descrs) {
    if (descr) {
      known.push_back(descr);
    }
  }
  std::string text;
  for (auto [index, descr] : llvm::enumerate(known)) {
    text += index == 0 ? "" : index + 1 == known.size() ? " or " : ", ";
    text += "`" + descr.str() + "`";
  }
  return text;
}

llvm::Expected<HostArray> tessera::readNpy(llvm::StringRef path, DType expected) {
  llvm::Expected<std::shared_ptr<HostMemory>> file = HostMemory::mapFile(path);
  if (!file) {
    return file.takeError();
  }
  llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>((*file)->data()),
                                (*file)->size());
  llvm::Expected<NpyHeader> header = parseNpyHeader(bytes, path);
  if (!header) {
    return header.takeError();
  }
  if (!npyDescrFits(header->descr, expected)) {
    return wrongType(path, *header, expected);
  }
  // Not through HostLayout::get, whose strides fail first where the shape is absurd.
  HostLayout sizes{header->shape, header->shape};
  Int128 wanted = sizes.numElements() * static_cast<Int128>(byteSize(expected));
  Int128 found = bytes.size() - header->dataOffset;
  if (wanted != found) {
    return hostError(wanted > found ? HostDiag::npy_data_short : HostDiag::npy_data_long, path,
                     joinNumbers(header->shape), header->descr, printDecimal(wanted),
                     printDecimal(found));
  }
  std::optional<HostLayout> layout =
      HostLayout::get(header->shape, header->fortranOrder ? ArrayOrder::col : ArrayOrder::row);
  // The elements are in memory already, so their strides cannot exceed 64 bits.
  llvm::Expected<HostArray> array = placeData(std::move(*file), *header, expected, *layout);
  if (array && expected == DType::i1) {
    if (llvm::Error error = checkBools(path, *array)) {
      return error;
    }
  }
  return array;
}
