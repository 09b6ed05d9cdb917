// Declared instructions: whole tiles cut into the pieces that one execution takes, and a marker for each.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instructions.h"

#include "tessera/Dialect/Tile/DTypes.h"
#include "tessera/Layout/Notation.h"
#include "tessera/Schedule/Assign.h"
#include "tessera/Schedule/Placement.h"
#include "tessera/Support/Mutants.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/TypeUtilities.h"

using namespace tessera;
using namespace tessera::convert;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::success;

//===- declarations -------------------------------------------------------===//

StringRef InstrOperand::word(StringRef key) const {
  auto text = info.getAs<mlir::StringAttr>(key);
  return text ? text.getValue() : StringRef();
}

Instr::Instr(tile::InstrOp op) : op(op) {
  for (auto [attr, argument] : llvm::zip(op.getOperandInfo(), op.getBody().getArguments())) {
    InstrOperand operand;
    operand.info = llvm::cast<mlir::DictionaryAttr>(attr);
    operand.type = argument.getType();
    operand.name = operand.word("name");
    operand.kind = operand.word("kind");
    if (auto tile = llvm::dyn_cast<mlir::RankedTensorType>(operand.type)) {
      operand.shape.assign(tile.getShape().begin(), tile.getShape().end());
    }
    operands.push_back(std::move(operand));
  }
}

static StringRef directionOf(const InstrOperand &operand) {
  return operand.info.get("inout") ? "inout" : operand.info.get("out") ? "out" : "in";
}

static int64_t elementsOf(const InstrOperand &operand) {
  int64_t elements = 1;
  for (int64_t extent : operand.shape) {
    elements *= extent;
  }
  return elements;
}

std::optional<SmallVector<Coords, 5>> convert::addressBits(mlir::AffineMap map) {
  auto at = [&](int64_t lane) {
    SmallVector<mlir::Attribute> folded;
    mlir::Attribute number = mlir::IntegerAttr::get(mlir::IndexType::get(map.getContext()), lane);
    Coords coords;
    if (failed(
            map.constantFold(SmallVector<mlir::Attribute>(map.getNumInputs(), number), folded))) {
      return coords;
    }
    for (mlir::Attribute coord : folded) {
      coords.push_back(llvm::cast<mlir::IntegerAttr>(coord).getInt());
    }
    return coords;
  };
  SmallVector<Coords, 5> bits;
  for (int64_t bit = 1; bit < 32; bit *= 2) {
    bits.push_back(at(bit));
  }
  for (int64_t lane = 0; lane < 32; ++lane) {
    Coords sum(map.getNumResults(), 0);
    for (auto [number, bit] : llvm::enumerate(bits)) {
      for (size_t axis = 0; axis < sum.size() && axis < bit.size(); ++axis) {
        sum[axis] += lane >> number & 1 ? bit[axis] : 0;
      }
    }
    if (at(lane) != sum) {
      return std::nullopt;
    }
  }
  return bits;
}

/// Of memory that a warp addresses: what each lane's address covers, how many lanes' addresses count, and where they point to.
static void describeAddresses(Lowering &l, const InstrOperand &operand, std::string &bytes,
                              std::string &addresses) {
  auto lines = operand.info.getAs<mlir::IntegerAttr>("rows");
  // Without an address for each lane there is one for the whole piece.
  int64_t elements = elementsOf(operand), row = lines ? lines.getInt() : elements;
  int64_t size = l.elementBytes(mlir::getElementTypeOrSelf(operand.type));
  bytes += (bytes.empty() ? "" : ";") + operand.name.str() + "=" + std::to_string(row * size) +
           "," + std::to_string(elements / row);
  auto map = operand.info.getAs<mlir::AffineMapAttr>("address");
  std::optional<SmallVector<Coords, 5>> bits = map ? addressBits(map.getValue()) : std::nullopt;
  if (!bits) {
    return;
  }
  std::string extents, strides;
  for (const Coords &bit : *bits) {
    int64_t position = 0, below = 1;
    for (auto [axis, coord] : llvm::enumerate(bit)) {
      position += coord * below;
      below *= operand.shape[axis];
    }
    extents += extents.empty() ? "2" : ", 2";
    strides += (strides.empty() ? "" : ", ") + std::to_string(position);
  }
  addresses += (addresses.empty() ? "" : ";") + operand.name.str() + "=((" + extents + ")) : ((" +
               strides + "))";
}

/// `{cp_async}, thread`: the attributes by which PTX expansion and the simulator know the marker.
static void describe(Lowering &l, llvm::Function &marker, const Instr &instr) {
  if (marker.hasFnAttribute("tessera.ptx")) {
    return;
  }
  std::string operands, maps, bytes, addresses;
  for (const InstrOperand &operand : instr.operands) {
    mlir::Type element = mlir::getElementTypeOrSelf(operand.type);
    std::string shape;
    for (int64_t extent : operand.shape) {
      shape += (shape.empty() ? "" : "x") + std::to_string(extent);
    }
    operands += (operands.empty() ? "" : ",") +
                (operand.name + ":" + operand.kind + ":" + directionOf(operand) + ":").str() +
                (shape.empty() ? "1" : shape) + ":" + name(dtypeOf(element)).str();
    if (operand.kind == "frag") {
      maps += (maps.empty() ? "" : ";") + operand.name.str() + "=" + operand.word("layout").str();
    } else if (operand.kind == "smem" || operand.kind == "view") {
      describeAddresses(l, operand, bytes, addresses);
    }
  }
  marker.addFnAttr("tessera.ptx", instr.op.getPtx());
  marker.addFnAttr("tessera.operands", operands);
  marker.addFnAttr("tessera.scope", tile::stringifyExecScope(instr.op.getScope()));
  marker.addFnAttr("tessera.via", tile::stringifyProxy(instr.op.getVia()));
  marker.addFnAttr("tessera.maps", maps);
  marker.addFnAttr("tessera.lane_bytes", bytes);
  marker.addFnAttr("tessera.addresses", addresses);
  marker.addFnAttr("tessera.body", bodyOf(l, instr));
}

llvm::CallInst *convert::callInstr(Lowering &l, const Instr &instr, llvm::Type *result,
                                   ArrayRef<llvm::Value *> arguments) {
  llvm::CallInst *call = l.marker(("i." + instr.op.getSymName()).str(), result, arguments);
  describe(l, *call->getCalledFunction(), instr);
  return call;
}

//===- fragments ----------------------------------------------------------===//

Fragment::Fragment(const Dist &dist, ArrayRef<int64_t> shape, int64_t bytes)
    : dist(dist), shape(shape.begin(), shape.end()), bytes(bytes) {}

llvm::Expected<Fragment> convert::fragmentOf(Lowering &l, const InstrOperand &operand) {
  llvm::Expected<Layout> map = parseLayout(operand.word("layout"));
  if (!map) {
    return map.takeError();
  }
  SmallVector<int64_t> shape(operand.shape);
  llvm::Expected<Dist> dist =
      Dist::ofFragment(*map, shape.size() == 1 ? SmallVector<int64_t>{shape[0], 1} : shape);
  if (!dist) {
    return dist.takeError();
  }
  Fragment made(*dist, shape, l.elementBytes(mlir::getElementTypeOrSelf(operand.type)));
  // Values in the order of the instruction's registers.
  unsigned values = 1 < map->ins().size() ? map->ins()[1].size() : 1;
  int64_t rows = shape.front();
  for (unsigned value = 0; value < values; ++value) {
    const int64_t at[] = {
        0, TESSERA_MUTANT(502, "the two middle registers of A are exchanged", int64_t(value),
                          values == 8 ? (value & 1) | (value & 2) << 1 | (value & 4) >> 1 : value)};
    int64_t position = map->evaluate(
        map->ins().size() > 1 ? ArrayRef<int64_t>(at) : ArrayRef<int64_t>(at).take_front(1))[0];
    Coords coords{position % rows};
    if (shape.size() > 1) {
      coords.push_back(position / rows);
    }
    made.values.push_back(std::move(coords));
  }
  return made;
}

/// The registers of a tile that one piece's value coordinates name.
static llvm::Expected<SmallVector<int64_t>>
registersAt(const TileValue &tile, const Fragment &fragment, ArrayRef<int64_t> origin) {
  SmallVector<int64_t> regs;
  for (const Coords &value : fragment.values) {
    Coords at(origin.begin(), origin.end());
    for (auto [axis, more] : llvm::enumerate(value)) {
      at[axis] += more;
    }
    std::optional<int64_t> reg = tile.dist.regAt(at);
    if (!reg) {
      return llvm::createStringError("no thread's registers hold a fragment of the instruction");
    }
    regs.push_back(*reg);
  }
  return regs;
}

llvm::Expected<llvm::Value *> convert::gatherFragment(Lowering &l, const TileValue &tile,
                                                      const Fragment &fragment,
                                                      ArrayRef<int64_t> origin) {
  llvm::Expected<SmallVector<int64_t>> regs = registersAt(tile, fragment, origin);
  if (!regs) {
    return regs.takeError();
  }
  size_t perWord = std::max<int64_t>(4 / fragment.bytes, 1);
  SmallVector<llvm::Value *> words;
  for (size_t first = 0; first < regs->size(); first += perWord) {
    Registers elements;
    for (size_t i = first; i < std::min(first + perWord, regs->size()); ++i) {
      elements.push_back(tile.regs[(*regs)[i]]);
    }
    llvm::Value *packed = l.pack(elements);
    if (packed->getType()->isVectorTy()) { // 64 bits are two words
      words.push_back(l.b.CreateExtractElement(packed, uint64_t(0)));
      words.push_back(l.b.CreateExtractElement(packed, uint64_t(1)));
    } else {
      words.push_back(l.b.CreateZExt(packed, l.b.getInt32Ty()));
    }
  }
  if (words.size() == 1) {
    return words.front();
  }
  return l.vectorOf(words);
}

llvm::Error convert::scatterFragment(Lowering &l, llvm::Value *packed, TileValue &tile,
                                     const Fragment &fragment, ArrayRef<int64_t> origin,
                                     llvm::Type *element) {
  llvm::Expected<SmallVector<int64_t>> regs = registersAt(tile, fragment, origin);
  if (!regs) {
    return regs.takeError();
  }
  if (!packed->getType()->isVectorTy()) {
    Registers values = l.unpack(
        l.b.CreateTrunc(packed,
                        l.b.getIntNTy(std::min<uint64_t>(regs->size() * fragment.bytes * 8, 32))),
        element, regs->size());
    for (auto [reg, value] : llvm::zip(*regs, values)) {
      tile.regs[reg] = value;
    }
    return llvm::Error::success();
  }
  for (auto [reg, value] : llvm::zip(*regs, l.unpack(packed, element, regs->size()))) {
    tile.regs[reg] = value;
  }
  return llvm::Error::success();
}

llvm::Type *convert::wordsType(Lowering &l, const Fragment &fragment) {
  int64_t words = llvm::divideCeil(int64_t(fragment.values.size()) * fragment.bytes, 4);
  return words == 1
             ? l.b.getInt32Ty()
             : static_cast<llvm::Type *>(llvm::FixedVectorType::get(l.b.getInt32Ty(), words));
}

SmallVector<Coords> convert::originsOf(const Dist &dist, ArrayRef<int64_t> atoms) {
  SmallVector<Coords> origins;
  for (int64_t reg = 0; reg < dist.regs(); ++reg) {
    Coords coords = dist.regCoords(reg, atoms.size());
    for (auto [at, atom] : llvm::zip(coords, atoms)) {
      at = at / atom * atom;
    }
    if (!llvm::is_contained(origins, coords)) {
      origins.push_back(std::move(coords));
    }
  }
  return origins;
}

//===- ops ----------------------------------------------------------------===//

static LogicalResult lowerApply(Lowering &l, Operation *op) {
  auto apply = llvm::cast<tile::ApplyOp>(op);
  Instr instr(schedule::instrOf(apply));
  if (schedule::isPlainProduct(apply)) {
    return applyProduct(l, apply, instr, llvm::cast<tile::MmaOp>(schedule::pointsOf(apply)));
  }
  return applyPieces(l, apply, instr);
}

LowerOp convert::instructionOp(Operation *op) {
  return llvm::isa<tile::ApplyOp>(op) ? lowerApply : nullptr;
}
