// SVG text for layouts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tessera/Layout/Drawing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace tessera;

namespace {
constexpr int64_t maxCells = 16384;
constexpr int64_t cellWidth = 46;
constexpr int64_t cellHeight = 28;
constexpr int64_t margin = 40;
constexpr int64_t numBanks = 32;

struct Cell {
  std::string first; // upper line
  std::string second;
  int64_t colour = 0; // 0 to 31
  int64_t holders = 0;
};

struct Picture {
  std::string rowAxis;
  std::string colAxis;
  int64_t rows = 1;
  int64_t cols = 1;
  std::vector<Cell> cells;
};

std::string escape(llvm::StringRef text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '&':
      escaped += "&amp;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  }
  return escaped;
}

bool isDistributed(const Layout &layout) {
  return llvm::any_of(layout.ins(), [](const InDim &in) {
    return in.name == dims::reg || in.name == dims::lane || in.name == dims::warp ||
           in.name == dims::block;
  });
}

llvm::Error reserveCells(Picture &picture) {
  if (picture.cols > maxCells / picture.rows) {
    return layoutError(LayoutDiag::drawing_size,
                       llvm::formatv("{0} x {1}", picture.rows, picture.cols).str(), maxCells);
  }
  picture.cells.resize(picture.rows * picture.cols);
  return llvm::Error::success();
}

llvm::Expected<Picture> distributedPicture(const Layout &layout) {
  Picture picture;
  picture.rowAxis = layout.outs()[0].name;
  picture.rows = layout.outs()[0].size;
  if (layout.outs().size() == 2) {
    picture.colAxis = layout.outs()[1].name;
    picture.cols = layout.outs()[1].size;
  }
  if (llvm::Error error = reserveCells(picture)) {
    return std::move(error);
  }
  constexpr int64_t maxPoints = maxCells * 64;
  if (layout.size() > maxPoints) {
    return layoutError(LayoutDiag::drawing_size, layout.size(), maxPoints);
  }
  for (int64_t point = 0; point < layout.size(); ++point) {
    Coords coords = layout.coordsOf(point);
    Coords place = layout.evaluate(coords);
    Cell &cell = picture.cells[place[0] * picture.cols + (place.size() == 2 ? place[1] : 0)];
    if (cell.holders++) {
      continue;
    }
    for (unsigned in = 0; in < coords.size(); ++in) {
      llvm::StringRef name = layout.ins()[in].name;
      std::string part = name.take_front(1).str() + std::to_string(coords[in]);
      std::string &line = name == dims::reg ? cell.second : cell.first;
      line += (line.empty() ? "" : " ") + part;
      cell.colour = name == dims::lane ? coords[in] % numBanks : cell.colour;
    }
  }
  for (Cell &cell : picture.cells) {
    if (cell.holders > 1) {
      cell.second += " +" + std::to_string(cell.holders - 1);
    }
  }
  return picture;
}

llvm::Expected<Picture> memoryPicture(const Layout &layout, int64_t elementBytes) {
  Picture picture;
  picture.rowAxis = layout.ins()[0].name;
  picture.rows = layout.ins()[0].size();
  if (layout.ins().size() == 2) {
    picture.colAxis = layout.ins()[1].name;
    picture.cols = layout.ins()[1].size();
  }
  if (llvm::Error error = reserveCells(picture)) {
    return std::move(error);
  }
  for (int64_t row = 0; row < picture.rows; ++row) {
    for (int64_t col = 0; col < picture.cols; ++col) {
      Coords coords{row};
      if (layout.ins().size() == 2) {
        coords.push_back(col);
      }
      int64_t offset = layout.evaluate(coords).front();
      Cell &cell = picture.cells[row * picture.cols + col];
      cell.colour = (offset % (numBanks * 4)) * elementBytes / 4 % numBanks;
      cell.first = std::to_string(offset);
      cell.second = "b" + std::to_string(cell.colour);
      cell.holders = 1;
    }
  }
  return picture;
}

void writeCell(llvm::raw_ostream &os, const Cell &cell, int64_t x, int64_t y) {
  os << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << cellWidth << "\" height=\""
     << cellHeight << "\" fill=\"";
  if (cell.holders) {
    // Neighbouring numbers get distant hues.
    os << "hsl(" << cell.colour * 135 % 360 << ",60%," << 74 + cell.colour % 4 * 4 << "%)";
  } else {
    os << "white";
  }
  os << "\"/><text x=\"" << x + cellWidth / 2 << "\" y=\"" << y + 12 << "\">" << escape(cell.first)
     << "</text><text x=\"" << x + cellWidth / 2 << "\" y=\"" << y + 23 << "\">"
     << escape(cell.second) << "</text>\n";
}

std::string writePicture(const Picture &picture, llvm::StringRef title) {
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t width = margin * 2 + picture.cols * cellWidth;
  int64_t height = margin * 2 + picture.rows * cellHeight;
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
     << "\" viewBox=\"0 0 " << width << ' ' << height << "\">\n"
     << "<style>text{font:9px sans-serif;text-anchor:middle}rect{stroke:#555;stroke-width:.5}"
     << "</style>\n<title>" << escape(title) << "</title>\n";
  os << "<text x=\"" << width / 2 << "\" y=\"14\">" << escape(title) << "</text>\n";
  os << "<text x=\"" << margin / 2 << "\" y=\"30\">" << escape(picture.rowAxis)
     << (picture.colAxis.empty() ? "" : " / ") << escape(picture.colAxis) << "</text>\n";
  for (int64_t col = 0; col < picture.cols; ++col) {
    os << "<text x=\"" << margin + col * cellWidth + cellWidth / 2 << "\" y=\"" << margin - 4
       << "\">" << col << "</text>\n";
  }
  for (int64_t row = 0; row < picture.rows; ++row) {
    int64_t y = margin + row * cellHeight;
    os << "<text x=\"" << margin / 2 << "\" y=\"" << y + 18 << "\">" << row << "</text>\n";
    for (int64_t col = 0; col < picture.cols; ++col) {
      writeCell(os, picture.cells[row * picture.cols + col], margin + col * cellWidth, y);
    }
  }
  os << "</svg>\n";
  return text;
}
} // namespace

llvm::Expected<std::string> tessera::drawLayout(const Layout &layout, llvm::StringRef title,
                                                int64_t elementBytes) {
  bool distributed = isDistributed(layout);
  size_t axes = distributed ? layout.outs().size() : layout.ins().size();
  if (axes < 1 || axes > 2 || (!distributed && layout.outs().size() != 1)) {
    return layoutError(LayoutDiag::drawing_dims,
                       llvm::formatv("{0} inputs", layout.ins().size()).str(),
                       llvm::formatv("{0} outputs", layout.outs().size()).str());
  }
  if (!llvm::is_contained({1, 2, 4, 8, 16}, elementBytes)) {
    return layoutError(LayoutDiag::fragment_argument, "drawing", "the element", elementBytes,
                       "1, 2, 4, 8 or 16 bytes");
  }
  llvm::Expected<Picture> picture =
      distributed ? distributedPicture(layout) : memoryPicture(layout, elementBytes);
  if (!picture) {
    return picture.takeError();
  }
  return writePicture(*picture, title);
}
