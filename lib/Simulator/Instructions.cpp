// Reading the attributes of declared instructions; gathering and scattering fragments.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instructions.h"

#include "tessera/Layout/Notation.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cstring>

using namespace tessera;
using namespace tessera::sim;

using Attribute = llvm::function_ref<llvm::StringRef(llvm::StringRef)>;

static llvm::Error malformed(llvm::StringRef name, const llvm::Twine &what) {
  return llvm::createStringError("instruction `" + name + "`: " + what);
}

uint64_t Operand::elements() const {
  uint64_t count = 1;
  for (int64_t extent : shape) {
    count *= uint64_t(extent);
  }
  return count;
}

void Operand::gather(llvm::ArrayRef<const char *> lanes, char *dense) const {
  size_t width = byteSize(type);
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    for (unsigned value = 0; value < values; ++value) {
      std::memcpy(dense + elementOf[lane * values + value] * width, lanes[lane] + value * width,
                  width);
    }
  }
}

void Operand::scatter(const char *dense, llvm::ArrayRef<char *> lanes) const {
  size_t width = byteSize(type);
  for (size_t lane = 0; lane < lanes.size(); ++lane) {
    for (unsigned value = 0; value < values; ++value) {
      std::memcpy(lanes[lane] + value * width, dense + elementOf[lane * values + value] * width,
                  width);
    }
  }
}

/// Present bytes of a lane's address: all of shared memory.
LaneAddress sim::addressOf(const Operand &operand, const char *in) {
  LaneAddress lane{0, operand.laneBytes};
  std::memcpy(&lane.address, in + operand.inOffset, sizeof(lane.address));
  if (operand.kind == OperandKind::view) {
    uint32_t present;
    std::memcpy(&present, in + operand.inOffset + 8, sizeof(present));
    lane.present = std::min<uint64_t>(present, operand.laneBytes);
  }
  return lane;
}

/// `16x16`, or one number.
static bool parseShape(llvm::StringRef text, llvm::SmallVectorImpl<int64_t> &shape) {
  llvm::SmallVector<llvm::StringRef, 2> parts;
  text.split(parts, 'x');
  shape.clear();
  for (llvm::StringRef part : parts) {
    int64_t extent;
    if (part.trim().getAsInteger(10, extent) || extent < 1 || extent > 65536) {
      return false;
    }
    shape.push_back(extent);
  }
  return true;
}

/// The text of `name` in `name=text;…`.
static std::optional<llvm::StringRef> entryOf(llvm::StringRef list, llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 4> entries;
  list.split(entries, ';', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef entry : entries) {
    auto [key, text] = entry.split('=');
    if (key.trim() == name) {
      return text.trim();
    }
  }
  return std::nullopt;
}

/// `name:kind:direction:elements:dtype`.
static llvm::Expected<Operand> parseOperand(llvm::StringRef name, llvm::StringRef text,
                                            Attribute attribute) {
  llvm::SmallVector<llvm::StringRef, 5> parts;
  text.trim().split(parts, ':');
  if (parts.size() != 5) {
    return malformed(name, "`" + text +
                               "` in tessera.operands is not "
                               "name:kind:direction:elements:dtype");
  }
  Operand operand;
  operand.name = parts[0].str();
  auto kind = llvm::StringSwitch<std::optional<OperandKind>>(parts[1])
                  .Case("frag", OperandKind::fragment)
                  .Case("smem", OperandKind::shared)
                  .Case("view", OperandKind::view)
                  .Cases({"scalar", "predicate"}, OperandKind::scalar)
                  .Default(std::nullopt);
  std::optional<DType> type = parseDType(parts[4]);
  bool directionKnown = parts[2] == "in" || parts[2] == "out" || parts[2] == "inout";
  std::optional<llvm::StringRef> shape = entryOf(attribute("tessera.shapes"), operand.name);
  if (!kind || !type || !directionKnown || !parseShape(shape ? *shape : parts[3], operand.shape)) {
    return malformed(name, "`" + text +
                               "` in tessera.operands has an unknown kind, direction, "
                               "number of elements or dtype");
  }
  operand.kind = *kind;
  operand.type = *type;
  // Positions along columns and elements along rows are the same for a vector only, so nothing is guessed.
  bool hasShape = shape || parts[3].contains('x');
  if (!hasShape && *kind != OperandKind::scalar && attribute("tessera.scope") != "thread") {
    return malformed(name, "give the shape of `" + operand.name +
                               "` in tessera.operands (16x16), not only its number of elements");
  }
  operand.isRead = parts[2] != "out";
  operand.isWritten = parts[2] != "in";
  return operand;
}

/// Positions in layouts count the first axis fastest, bodies the last.
static uint32_t rowMajor(uint64_t position, llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<uint64_t, 4> index;
  for (int64_t extent : shape) {
    index.push_back(position % uint64_t(extent));
    position /= uint64_t(extent);
  }
  uint64_t element = 0;
  for (size_t axis = 0; axis < index.size(); ++axis) {
    element = element * uint64_t(shape[axis]) + index[axis];
  }
  return uint32_t(element);
}

static llvm::Error readFragment(llvm::StringRef name, Operand &operand, unsigned group,
                                Attribute attribute) {
  std::optional<llvm::StringRef> text = entryOf(attribute("tessera.maps"), operand.name);
  if (!text) {
    return malformed(name, "tessera.maps has no layout for `" + operand.name + "`");
  }
  llvm::Expected<Layout> layout = parseLayout(*text);
  if (!layout) {
    return malformed(name,
                     "the layout of `" + operand.name + "`: " + llvm::toString(layout.takeError()));
  }
  size_t inputs = layout->ins().size();
  if (inputs < 1 || inputs > 2 || layout->outs().size() != 1 || group == 0 ||
      layout->ins()[0].size() != int64_t(group)) {
    return malformed(name, "the layout of `" + operand.name + "` is not one of (" +
                               llvm::Twine(group) + " lanes, values)");
  }
  operand.values = inputs == 2 ? unsigned(layout->ins()[1].size()) : 1;
  for (int64_t lane = 0; lane < int64_t(group); ++lane) {
    for (int64_t value = 0; value < int64_t(operand.values); ++value) {
      int64_t position = layout->at(lane + value * int64_t(group));
      if (position < 0 || position >= int64_t(operand.elements())) {
        return malformed(name, "the layout of `" + operand.name + "` leaves its tile of " +
                                   llvm::Twine(operand.elements()) + " elements");
      }
      operand.elementOf.push_back(TESSERA_MUTANT(324, "positions count along rows",
                                                 rowMajor(uint64_t(position), operand.shape),
                                                 uint32_t(position)));
    }
  }
  return llvm::Error::success();
}

/// Where the addresses of lanes point to: `tessera.addresses` has a layout from lanes to positions; without one lane l has
/// row l % rows, and the lanes of each further round the next columns, as those of ldmatrix and stmatrix.
static llvm::Error readAddresses(llvm::StringRef name, Operand &operand, Attribute attribute) {
  std::optional<llvm::StringRef> text = entryOf(attribute("tessera.lane_bytes"), operand.name);
  unsigned lanes = 0;
  auto [bytesText, lanesText] =
      text ? text->split(',') : std::pair<llvm::StringRef, llvm::StringRef>();
  size_t width = byteSize(operand.type);
  if (!text || bytesText.trim().getAsInteger(10, operand.laneBytes) ||
      lanesText.trim().getAsInteger(10, lanes) || operand.laneBytes % width ||
      uint64_t(lanes) * operand.laneBytes != operand.bytes()) {
    return malformed(name, "tessera.lane_bytes must give `" + operand.name +
                               "=bytes,rows` whose product is the operand's " +
                               llvm::Twine(operand.bytes()) + " bytes");
  }
  std::optional<Layout> addresses;
  if (std::optional<llvm::StringRef> given =
          entryOf(attribute("tessera.addresses"), operand.name)) {
    llvm::Expected<Layout> layout = parseLayout(*given);
    if (!layout) {
      return malformed(name, "the addresses of `" + operand.name +
                                 "`: " + llvm::toString(layout.takeError()));
    }
    if (layout->outs().size() != 1 || layout->size() < int64_t(lanes)) {
      return malformed(name, "the addresses of `" + operand.name + "` are not those of " +
                                 llvm::Twine(lanes) + " lanes");
    }
    addresses = std::move(*layout);
  }
  uint64_t perLane = operand.laneBytes / width;
  uint64_t columns = uint64_t(operand.shape.back()), rows = operand.elements() / columns;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    uint64_t element =
        TESSERA_MUTANT(325, "lanes go on in the next rows",
                       (lane % rows) * columns + (lane / rows) * perLane, lane * perLane);
    if (addresses) {
      element = rowMajor(uint64_t(addresses->at(lane)), operand.shape);
    }
    if (element % columns + perLane > columns && perLane <= columns) {
      return malformed(name, "the address of lane " + llvm::Twine(lane) + " in `" + operand.name +
                                 "` covers more than its row");
    }
    if (element + perLane > operand.elements()) {
      return malformed(name, "the address of lane " + llvm::Twine(lane) + " leaves `" +
                                 operand.name + "`");
    }
    operand.firstElement.push_back(uint32_t(element));
  }
  return llvm::Error::success();
}

static llvm::Error readOperand(Instruction &instruction, Operand &operand, Attribute attribute) {
  if (operand.kind == OperandKind::fragment) {
    return readFragment(instruction.name, operand, instruction.group, attribute);
  }
  if (operand.isMemory() && instruction.group == 1) {
    operand.laneBytes = unsigned(operand.bytes());
    operand.firstElement = {0};
    return llvm::Error::success();
  }
  return operand.isMemory() ? readAddresses(instruction.name, operand, attribute)
                            : llvm::Error::success();
}

/// Every value begins at a multiple of 16 bytes.
static void placeOperands(Instruction &instruction) {
  auto place = [](unsigned &end, unsigned bytes) {
    unsigned begin = end;
    end += (bytes + 15) / 16 * 16;
    return begin;
  };
  for (Operand &operand : instruction.operands) {
    bool isFragment = operand.kind == OperandKind::fragment;
    if (!isFragment || operand.isRead) {
      operand.inOffset = place(instruction.inBytes, isFragment ? operand.registerBytes() : 16);
    }
    if (isFragment && operand.isWritten) {
      operand.outOffset = place(instruction.outBytes, operand.registerBytes());
    }
  }
  instruction.participatesOffset = place(instruction.inBytes, 16);
}

llvm::Expected<Instruction> sim::parseInstruction(llvm::StringRef name, Attribute attribute) {
  Instruction instruction;
  instruction.name = name.str();
  auto group = llvm::StringSwitch<std::optional<unsigned>>(attribute("tessera.scope"))
                   .Case("thread", 1)
                   .Case("warp", 32)
                   .Case("wg", 128)
                   .Case("cta", 0)
                   .Default(std::nullopt);
  llvm::StringRef via = attribute("tessera.via");
  if (!group) {
    return malformed(name, "tessera.scope is none of thread, warp, wg, cta");
  }
  if (!via.empty() && via != "generic" && via != "cp_async") {
    return malformed(name, "tessera.via `" + via + "` is not simulated; generic and cp_async are");
  }
  instruction.group = *group;
  instruction.isAsync = via == "cp_async";
  instruction.body = attribute("tessera.body").str();
  if (instruction.body.empty()) {
    return malformed(name, "tessera.body names no function; the simulator runs it");
  }
  if (instruction.isAsync && instruction.group != 1) {
    return malformed(name, "a copy via cp_async has the scope of a thread");
  }
  llvm::SmallVector<llvm::StringRef, 4> texts;
  attribute("tessera.operands").split(texts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef text : texts) {
    llvm::Expected<Operand> operand = parseOperand(name, text, attribute);
    if (!operand) {
      return operand.takeError();
    }
    if (llvm::Error error = readOperand(instruction, *operand, attribute)) {
      return std::move(error);
    }
    instruction.operands.push_back(std::move(*operand));
  }
  placeOperands(instruction);
  return instruction;
}
