// Layouts that scripts name: the notation of the layout library, and families that a buf makes concrete.
//
//   row_major, col_major    no gaps; the last axis, or the first, fastest
//   xor16(c)                rows as they are; the 16-byte chunk j of row r lies at j XOR (r mod c) within its group of c. Rows
//                           whose length is no power of two are cut into panels of the greatest one that divides it
//   sw128, sw64, sw32       the row of 128, 64 or 32 bytes is the unit: wider tiles are cut into panels of that width, one
//                           after the other, and chunks of 16 bytes are XORed with the row modulo 8, with row / 2 modulo 4,
//                           with row / 4 modulo 2
//   layout("…")             the notation
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Layout/Notation.h"
#include "tessera/Schedule/ScheduleHost.h"

#include "llvm/Support/MathExtras.h"

using namespace tessera;
using namespace tessera::schedule;
using llvm::StringRef;
using script::ValueKind;

static llvm::Error sentence(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// Elements of 16 bytes, where whole elements fill them.
static llvm::Expected<int64_t> chunkOf(tile::BufType type) {
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  int64_t bytes = (bits + 7) / 8;
  if (16 % bytes != 0) {
    return sentence("elements of " + llvm::Twine(bytes) + " bytes do not fill 16");
  }
  return 16 / bytes;
}

/// Names of the inputs, as the notation gives them: i0, i1, …
static std::string inputName(size_t axis) { return "i" + std::to_string(axis); }

static llvm::Expected<Layout> dense(tile::BufType type, bool lastFastest) {
  llvm::ArrayRef<int64_t> shape = type.getShape();
  std::vector<InDim> ins(shape.size());
  int64_t stride = 1;
  for (size_t n = 0; n < shape.size(); ++n) {
    size_t axis = lastFastest ? shape.size() - 1 - n : n;
    ins[axis] = {inputName(axis), {Mode{shape[axis], {{stride, false}}}}};
    stride *= shape[axis];
  }
  return Layout::get(ins, {{dims::offset.str(), 0}});
}

namespace {
/// Two-dimensional rows with XORed chunks. `width` elements make the unit of a row; `chunk` elements are moved together;
/// row bits from `firstBit` on, `bits` of them, are XORed into the chunk's number.
struct Xored {
  int64_t rows, columns, width, chunk;
  unsigned firstBit, bits;
};
} // namespace

/// The bits of a number of points as modes of extent 2, and one mode for what is left.
static void addModes(InDim &dim, int64_t extent, int64_t stride, unsigned bits,
                     llvm::function_ref<int64_t(unsigned)> extra) {
  unsigned bit = 0;
  for (; bit < bits && extent % 2 == 0; ++bit, extent /= 2, stride *= 2) {
    int64_t moved = extra(bit);
    dim.modes.push_back(Mode{2, {{stride ^ moved, moved != 0}}});
  }
  if (extent > 1) {
    dim.modes.push_back(Mode{extent, {{stride, false}}});
  }
}

static llvm::Expected<Layout> xored(const Xored &form) {
  if (form.columns % form.width != 0) {
    return sentence("rows of " + llvm::Twine(form.columns) + " elements are no multiple of " +
                    llvm::Twine(form.width));
  }
  unsigned needed = form.firstBit + form.bits;
  if (form.rows % (int64_t(1) << needed) != 0) {
    return sentence(llvm::Twine(form.rows) + " rows are no multiple of " +
                    llvm::Twine(int64_t(1) << needed));
  }
  InDim row{inputName(0), {}}, column{inputName(1), {}};
  addModes(row, form.rows, form.width, needed, [&](unsigned bit) {
    return bit < form.firstBit ? 0 : form.chunk << (bit - form.firstBit);
  });
  // Columns of a panel; what is left of them goes on in the next panel.
  unsigned columnBits = llvm::Log2_64(form.width);
  for (unsigned bit = 0; bit < columnBits; ++bit) {
    int64_t stride = int64_t(1) << bit;
    bool isChunk = stride >= form.chunk && stride < form.chunk << form.bits;
    column.modes.push_back(Mode{2, {{stride, isChunk}}});
  }
  if (form.columns > form.width) {
    column.modes.push_back(Mode{form.columns / form.width, {{form.rows * form.width, false}}});
  }
  return Layout::get({row, column}, {{dims::offset.str(), 0}});
}

/// xor16(c): the bits of a row's offset and of its chunks must not meet, so a panel has a power of two of elements: the row
/// itself, or the greatest that divides it.
static llvm::Expected<Layout> xor16(tile::BufType type, int64_t chunks) {
  llvm::Expected<int64_t> chunk = chunkOf(type);
  if (!chunk) {
    return chunk.takeError();
  }
  if (type.getRank() != 2 || !llvm::isPowerOf2_64(chunks)) {
    return sentence("it takes tiles of two axes and a power of two of chunks");
  }
  int64_t columns = type.getShape()[1], width = columns & -columns;
  if (*chunk * chunks > width) {
    return sentence(
        llvm::Twine(chunks) + " chunks of 16 bytes are more than " +
        (width == columns ? "a row of " : "the panels of ") + llvm::Twine(width) + " elements" +
        (width == columns ? "" : " that rows of " + llvm::Twine(columns) + " are cut into"));
  }
  return xored({type.getShape()[0], columns, width, *chunk, 0,
                static_cast<unsigned>(llvm::Log2_64(chunks))});
}

static llvm::Expected<Layout> panels(tile::BufType type, int64_t bytes) {
  llvm::Expected<int64_t> chunk = chunkOf(type);
  if (!chunk) {
    return chunk.takeError();
  }
  if (type.getRank() != 2) {
    return sentence("it takes tiles of two axes");
  }
  unsigned bits = llvm::Log2_64(bytes / 16);
  return xored(
      {type.getShape()[0], type.getShape()[1], *chunk * (bytes / 16), *chunk, 3 - bits, bits});
}

/// A layout of the notation has the buf's shape.
static llvm::Expected<Layout> fitted(const Layout &layout, tile::BufType type) {
  llvm::ArrayRef<int64_t> shape = type.getShape();
  bool fits = layout.ins().size() == shape.size();
  for (size_t i = 0; fits && i < shape.size(); ++i) {
    fits = layout.ins()[i].size() == shape[i];
  }
  if (!fits) {
    return sentence("its shape is not the buf's");
  }
  return layout;
}

std::optional<LayoutChoice> schedule::layoutNamed(StringRef name) {
  for (int64_t bytes : {128, 64, 32}) {
    if (name == "sw" + std::to_string(bytes)) {
      return LayoutChoice{name.str(), [bytes](tile::BufType type) { return panels(type, bytes); }};
    }
  }
  if (name == "row_major" || name == "col_major") {
    bool lastFastest = name == "row_major";
    return LayoutChoice{name.str(),
                        [lastFastest](tile::BufType type) { return dense(type, lastFastest); }};
  }
  return std::nullopt;
}

//===-- Calls ------------------------------------------------------------------------------------------------------===//

static llvm::Expected<Value> runXor16(PrimitiveContext &context, const HostCall &call) {
  int64_t chunks = *call.arg("chunks").getInteger();
  if (chunks < 1 || !llvm::isPowerOf2_64(chunks)) {
    return context.refuse("layout_fit", llvm::Twine(chunks) + " chunks are no power of two",
                          "a row of 64 bf16 has 8 chunks of 16 bytes: `xor16(8)`");
  }
  return context.host.addLayout({"xor16(" + std::to_string(chunks) + ")",
                                 [chunks](tile::BufType type) { return xor16(type, chunks); }});
}

static llvm::Expected<Value> runLayout(PrimitiveContext &context, const HostCall &call) {
  const std::string &text = *call.arg("text").getString();
  llvm::Expected<Layout> layout = parseLayout(text);
  if (!layout) {
    return context.refuse("layout_text",
                          "`" + text + "` is no layout: " + llvm::toString(layout.takeError()),
                          "write shape and strides: `layout(\"(128,32):(32,1)\")`");
  }
  Layout made = *layout;
  return context.host.addLayout(
      {"layout(\"" + text + "\")", [made](tile::BufType type) { return fitted(made, type); }});
}

void schedule::addLayouts(PrimitiveRegistry &registry) {
  script::Signature xor16;
  xor16.name = "xor16";
  xor16.params = {parameter("chunks", ValueKind::Int)};
  xor16.isPure = true;
  xor16.result = "layout";
  xor16.group = "Layouts";
  xor16.doc =
      "Rows one after the other; the 16-byte chunk j of row r lies at j XOR (r mod chunks). "
      "Rows whose length is no power of two are cut into panels of the greatest one that "
      "divides it.";
  registry.add({std::move(xor16), runXor16});
  script::Signature layout;
  layout.name = "layout";
  layout.params = {parameter("text", ValueKind::String)};
  layout.isPure = true;
  layout.result = "layout";
  layout.group = "Layouts";
  layout.doc = "A layout in shape and strides: `layout(\"(128,32):(32,1)\")`.";
  registry.add({std::move(layout), runLayout});
}
