// SVG text for fragments of instructions and for the addresses that lanes give.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Drawing.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <vector>

using namespace tessera;

namespace {
constexpr int64_t maxCells = 4096;
constexpr int64_t cellWidth = 48, cellHeight = 20;
constexpr int64_t left = 52, top = 58, bottom = 46, right = 14;
constexpr int64_t minWidth = 560; // the legend has to fit

/// Lanes in groups of four, which most instructions share rows among: a hue for each group, a shade for each lane of it.
std::string colourOf(int64_t lane) {
  return llvm::formatv("hsl({0},65%,{1}%)", lane / 4 % 8 * 45, 92 - lane % 4 * 6).str();
}

class Sheet {
public:
  Sheet(llvm::ArrayRef<int64_t> shape, const FragmentCaption &caption)
      : rows(shape[0]), cols(shape.size() == 2 ? shape[1] : 1), caption(caption) {}

  /// A box of one row, `width` cells wide, in a lane's colour.
  void box(int64_t lane, int64_t row, int64_t col, int64_t width, std::string text) {
    boxes[lane].push_back({row, col, width, std::move(text)});
  }
  std::string svg(llvm::ArrayRef<std::string> legend) const;

private:
  struct Box {
    int64_t row, col, width;
    std::string text;
  };
  void writeAxes(llvm::raw_ostream &os) const;
  void writeBoxes(llvm::raw_ostream &os) const;

  int64_t rows, cols;
  const FragmentCaption &caption;
  std::map<int64_t, std::vector<Box>> boxes;
};
} // namespace

static std::string escape(llvm::StringRef text) {
  std::string escaped;
  for (char c : text) {
    escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return escaped;
}

void Sheet::writeAxes(llvm::raw_ostream &os) const {
  auto text = [&os](int64_t x, int64_t y, const llvm::Twine &words, llvm::StringRef more = "") {
    os << "<text x=\"" << x << "\" y=\"" << y << "\"" << more << ">" << words << "</text>\n";
  };
  os << "<g fill=\"#333\">\n";
  text(left, 18, escape(caption.title), " class=\"t\"");
  if (!caption.colAxis.empty()) {
    text(left + cols * cellWidth / 2, top - 20, escape(caption.colAxis) + " \u2192",
         " class=\"a\"");
  }
  text(left - 24, top - 20, escape(caption.rowAxis) + " \u2193", " class=\"a\"");
  for (int64_t col = 0; col < cols && !caption.colAxis.empty(); ++col) {
    text(left + col * cellWidth + cellWidth / 2, top - 5, llvm::Twine(col));
  }
  for (int64_t row = 0; row < rows; ++row) {
    text(left - 12, top + row * cellHeight + 14, llvm::Twine(row));
  }
  os << "</g>\n";
}

void Sheet::writeBoxes(llvm::raw_ostream &os) const {
  for (const auto &[lane, list] : boxes) {
    os << "<path fill=\"" << colourOf(lane) << "\" d=\"";
    for (const Box &box : list) {
      int64_t width = box.width * cellWidth;
      os << 'M' << left + box.col * cellWidth << ' ' << top + box.row * cellHeight << 'h' << width
         << 'v' << cellHeight << "h-" << width << 'z';
    }
    os << "\"/>\n";
  }
  for (const auto &[lane, list] : boxes) {
    for (const Box &box : list) {
      os << "<text x=\"" << left + box.col * cellWidth + box.width * cellWidth / 2 << "\" y=\""
         << top + box.row * cellHeight + 14 << "\">" << box.text << "</text>\n";
    }
  }
}

std::string Sheet::svg(llvm::ArrayRef<std::string> legend) const {
  int64_t width = std::max(left + cols * cellWidth + right, minWidth);
  int64_t height = top + rows * cellHeight + bottom;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
     << "\" viewBox=\"0 0 " << width << ' ' << height << "\">\n"
     << "<style>text{font:11px sans-serif;text-anchor:middle}path{stroke:#555;stroke-width:.5}"
     << ".t{font-weight:bold;text-anchor:start}.a{font-style:italic}.l{text-anchor:start}</style>\n"
     << "<title>" << escape(caption.title) << "</title>\n<rect width=\"" << width << "\" height=\""
     << height << "\" fill=\"white\"/>\n";
  writeAxes(os);
  writeBoxes(os);
  for (auto [line, words] : llvm::enumerate(legend)) {
    os << "<text class=\"l\" x=\"" << left << "\" y=\""
       << top + rows * cellHeight + 18 + int64_t(line) * 16 << "\">" << escape(words)
       << "</text>\n";
  }
  os << "</svg>\n";
  return text;
}

static llvm::Error checkShape(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty() || shape.size() > 2) {
    return layoutError(LayoutDiag::drawing_dims, "a tile",
                       llvm::formatv("{0} axes", shape.size()).str());
  }
  int64_t cols = shape.size() == 2 ? shape[1] : 1;
  if (shape[0] < 1 || cols < 1 || cols > maxCells / shape[0]) {
    return layoutError(LayoutDiag::drawing_size, llvm::formatv("{0} x {1}", shape[0], cols).str(),
                       maxCells);
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> tessera::drawFragment(const Layout &map, llvm::ArrayRef<int64_t> shape,
                                                  const FragmentCaption &caption) {
  if (llvm::Error error = checkShape(shape)) {
    return std::move(error);
  }
  int64_t elements = shape[0] * (shape.size() == 2 ? shape[1] : 1);
  if (map.ins().size() != 2 || map.outs().size() != 1 || map.size() != elements) {
    return layoutError(
        LayoutDiag::drawing_dims,
        llvm::formatv("{0} inputs of {1} points", map.ins().size(), map.size()).str(),
        llvm::formatv("a tile of {0} elements", elements).str());
  }
  Sheet sheet(shape, caption);
  int64_t lanes = map.ins()[0].size(), values = map.ins()[1].size();
  for (int64_t lane = 0; lane < lanes; ++lane) {
    for (int64_t value = 0; value < values; ++value) {
      const int64_t at[] = {lane, value};
      int64_t position = map.evaluate(at)[0];
      sheet.box(lane, position % shape[0], position / shape[0], 1,
                llvm::formatv("T{0} v{1}", lane, value).str());
    }
  }
  int64_t perRegister = std::max<int64_t>(4 / caption.elementBytes, 1);
  std::string registers = perRegister == 1
                              ? "register r holds value r"
                              : llvm::formatv("register r holds values {0}r to {0}r + {1}",
                                              perRegister, perRegister - 1)
                                    .str();
  std::string legend[] = {"T5 v1: lane 5 of " + std::to_string(lanes) + ", its value 1 of " +
                              std::to_string(values) + "; " + registers + ".",
                          "Hue: lanes in groups of four (T0-T3, T4-T7, \u2026); shade: the lane "
                          "within its group."};
  return sheet.svg(legend);
}

llvm::Expected<std::string> tessera::drawAddresses(llvm::ArrayRef<Coords> origins, int64_t width,
                                                   llvm::ArrayRef<int64_t> shape,
                                                   const FragmentCaption &caption) {
  if (llvm::Error error = checkShape(shape)) {
    return std::move(error);
  }
  std::map<Coords, std::vector<int64_t>> lanesAt;
  for (auto [lane, origin] : llvm::enumerate(origins)) {
    int64_t col = origin.size() == 2 ? origin[1] : 0;
    if (origin.size() != shape.size() || origin[0] < 0 || origin[0] >= shape[0] || col < 0 ||
        (shape.size() == 2 ? col + width > shape[1] : width != 1)) {
      return layoutError(
          LayoutDiag::drawing_dims,
          llvm::formatv("a row of {0} elements at the address of lane {1}", width, lane).str(),
          "a tile that it leaves");
    }
    lanesAt[origin].push_back(lane);
  }
  Sheet sheet(shape, caption);
  for (const auto &[origin, lanes] : lanesAt) {
    std::string text = "T" + std::to_string(lanes.front());
    for (size_t i = 1; i < lanes.size(); ++i) {
      text += ", T" + std::to_string(lanes[i]);
    }
    sheet.box(lanes.front(), origin[0], origin.size() == 2 ? origin[1] : 0, width, text);
  }
  std::string legend[] = {
      "T5: the row of " + std::to_string(width * caption.elementBytes) +
          " bytes that begins at the address which lane 5 gives.",
      std::string("Hue: lanes in groups of four") +
          (lanesAt.size() < origins.size() ? "; lanes behind a comma repeat the address." : ".")};
  return sheet.svg(legend);
}
