// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `for` over hl.tile: the outermost one is the grid, the others are loops that carry tiles.
#include "Evaluator.h"
#include <fmt/format.h>

namespace tilewright::frontend {

//===--- Tiles
//---------------------------------------------------------------------------------------===//

void Evaluator::executeFor(const Node &node) {
  Value iterable = evaluate(*node.operands[0]);
  auto range = iterable.as<TileRange>();
  if (!range)
    unsupported(node, "a 'for' over " + kindText(iterable),
                "loops over hl.tile(...) are supported");
  if (!node.orelse.empty())
    unsupported(node, "'else' after a loop", "move it behind the loop");
  if (frame != kernelFrame)
    unsupported(node, "a tile loop inside the function '" + frame->function + "'",
                "write tile loops in the kernel itself");
  if (deviceDepth == 0 && gridDone)
    unsupported(node, "a second outermost tile loop",
                "split the kernel into one kernel per outermost loop");
  std::vector<TileRef> tiles = makeTiles(node, *range);
  if (deviceDepth == 0)
    runGrid(node, *range, tiles);
  else
    runLoops(node, *range, tiles, 0);
}

/// One label per tile, from the loop's target.
std::vector<std::string> Evaluator::tileNames(const Node &node, const TileRange &range) {
  const Node &target = *node.operands[1];
  size_t count = range.extents.size();
  if (target.kind == Syntax::Name) {
    if (count == 1)
      return {target.text};
    std::vector<std::string> names;
    for (size_t i = 0; i < count; ++i)
      names.push_back(target.text + "_" + std::to_string(i));
    return names;
  }
  bool names = target.kind == Syntax::Tuple || target.kind == Syntax::List;
  if (!names ||
      !llvm::all_of(target.operands, [](const Node *item) { return item->kind == Syntax::Name; }))
    unsupported(target, "this target of a tile loop", "use a name or a tuple of names");
  if (!range.tuple)
    userError(target, "frontend.unpack", "hl.tile of one size yields one tile, not a tuple",
              "use a single name, or hl.tile([size])");
  if (target.operands.size() != count)
    userError(target, "frontend.unpack",
              fmt::format("{} tiles are unpacked into {} names", count, target.operands.size()),
              "use one name per tile");
  std::vector<std::string> result;
  for (const Node *item : target.operands)
    result.push_back(item->text);
  return result;
}

BlockSizeRef Evaluator::blockSize(const Node &node, const TileRange &range, size_t i,
                                  const std::string &name) {
  BlockSizeRef size = range.sizes[i];
  if (!size)
    size = std::make_shared<BlockSize>();
  program.name(*size, name, at(node));
  int64_t extent = range.extents[i];
  if (size->bound && int64_t(size->symbol.getExtent()) != extent)
    unsupported(node,
                fmt::format("one block size for extents of {} and {} elements",
                            size->symbol.getExtent(), extent),
                "register a block size for each");
  program.setExtent(*size, extent);
  return size;
}

std::vector<TileRef> Evaluator::makeTiles(const Node &node, const TileRange &range) {
  std::vector<std::string> names = tileNames(node, range);
  std::vector<TileRef> tiles;
  for (size_t i = 0; i < names.size(); ++i) {
    auto tile = std::make_shared<TileVariable>();
    tile->size = blockSize(node, range, i, names[i]);
    tile->extent = range.extents[i];
    tile->name = names[i];
    tile->grid = deviceDepth == 0;
    tiles.push_back(tile);
  }
  return tiles;
}

void Evaluator::bindTarget(const Node &node, const TileRange &range,
                           const std::vector<TileRef> &tiles) {
  const Node &target = *node.operands[1];
  ValueList values(tiles.begin(), tiles.end());
  if (target.kind != Syntax::Name)
    for (size_t i = 0; i < tiles.size(); ++i)
      assignName(*target.operands[i], target.operands[i]->text, values[i]);
  else
    assignName(target, target.text, range.tuple ? makeSequence(std::move(values)) : values[0]);
}

void Evaluator::runBody(const Node &node, const TileRange &range,
                        const std::vector<TileRef> &tiles) {
  bindTarget(node, range, tiles);
  execute(node.body);
}

//===--- The grid
//------------------------------------------------------------------------------------===//

void Evaluator::runGrid(const Node &node, const TileRange &range,
                        const std::vector<TileRef> &tiles) {
  std::vector<std::string> names = assignedNames({&node});
  std::map<std::string, unsigned> before = versions(names);
  llvm::SmallVector<mlir::Value> numbers = program.openGrid(tiles, at(node));
  for (size_t i = 0; i < tiles.size(); ++i)
    tiles[i]->number = numbers[i];
  gridTiles = tiles;
  ++deviceDepth;
  runBody(node, range, tiles);
  --deviceDepth;
  program.closeGrid();
  gridDone = true;
  expire(node, before, {}, tiles[0]->name);
}

std::map<std::string, unsigned> Evaluator::versions(const std::vector<std::string> &names) const {
  std::map<std::string, unsigned> result;
  for (const std::string &name : names) {
    auto slot = frame->slots.find(name);
    result[name] = slot == frame->slots.end() ? 0 : slot->second.version;
  }
  return result;
}

/// Names that got a value inside the loop hold none after it, unless the loop carried them.
void Evaluator::expire(const Node &node, const std::map<std::string, unsigned> &before,
                       const std::vector<std::string> &carried, const std::string &loop) {
  for (const auto &[name, version] : before) {
    auto slot = frame->slots.find(name);
    if (slot != frame->slots.end() && slot->second.version != version &&
        !llvm::is_contained(carried, name))
      slot->second.value = Expired{slot->second.at, loop};
  }
}

//===--- Inner loops
//---------------------------------------------------------------------------------===//

/// Tiles that exist before the loop and that its body assigns.
std::vector<std::string> Evaluator::carriedNames(const Node &node) {
  std::vector<std::string> names;
  for (const std::string &name : assignedNames(node.body)) {
    auto slot = frame->slots.find(name);
    if (slot != frame->slots.end() && slot->second.value.is<Block>())
      names.push_back(name);
  }
  return names;
}

static std::string typeText(mlir::Type type) {
  auto tile = mlir::cast<tw::TileType>(type);
  return dtypeOf(tile.getElementType()).name + " " + tw::dimsText(tile.getDims());
}

mlir::Value Evaluator::carriedValue(const Node &node, const std::string &name, mlir::Type type,
                                    const Location &before) {
  const Frame::Slot &slot = frame->slots[name];
  auto block = slot.value.as<Block>();
  if (block && block->value.getType() == type)
    return block->value;
  std::string now = block ? typeText(block->value.getType()) : kindText(slot.value);
  throw Error(Kind::User, "frontend.loop-carried",
              "'" + name + "' is " + typeText(type) + " before the loop and " + now +
                  " after one iteration",
              "keep shape and dtype, for example with .to(dtype)", slot.at)
      .note(before, "assigned here before the loop");
}

void Evaluator::runLoops(const Node &node, const TileRange &range,
                         const std::vector<TileRef> &tiles, size_t i) {
  if (i == tiles.size())
    return runBody(node, range, tiles);
  std::vector<std::string> names = assignedNames({&node}), carried = carriedNames(node), frozen;
  std::vector<std::string> inBody = assignedNames(node.body);
  std::map<std::string, unsigned> before = versions(names);
  llvm::SmallVector<mlir::Value> inits, yields;
  std::vector<Location> places;
  for (const std::string &name : carried) {
    inits.push_back(frame->slots[name].value.as<Block>()->value);
    places.push_back(frame->slots[name].at);
  }
  for (const std::string &name : inBody) {
    auto slot = frame->slots.find(name);
    bool host = slot != frame->slots.end() && !slot->second.value.is<Block>() &&
                !slot->second.value.is<Expired>();
    if (host && i == 0) {
      ++frame->frozen[name];
      frozen.push_back(name);
    }
  }
  tw::LoopOp loop = program.openLoop(*tiles[i], inits, at(node));
  tiles[i]->number = loop.getBody().getArgument(0);
  for (size_t c = 0; c < carried.size(); ++c)
    frame->slots[carried[c]].value = Block{loop.getBody().getArgument(unsigned(c) + 1)};
  ++deviceDepth;
  runLoops(node, range, tiles, i + 1);
  --deviceDepth;
  for (size_t c = 0; c < carried.size(); ++c)
    yields.push_back(carriedValue(node, carried[c], inits[c].getType(), places[c]));
  llvm::SmallVector<mlir::Value> results = program.closeLoop(loop, yields);
  for (size_t c = 0; c < carried.size(); ++c)
    frame->slots[carried[c]].value = Block{results[c]};
  for (const std::string &name : frozen)
    --frame->frozen[name];
  expire(node, before, carried, tiles[i]->name);
}

} // namespace tilewright::frontend
