// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the emitters share: the mapped program's tensors, buffers, axes and cores in tiles and
// names.
#pragma once

#include "tilewright/IR/Tw.h"
#include "tilewright/Machine/Machine.h"
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilewright::ttmetal {

/// Limits and constants of the machine that bound what is emitted.
struct Limits {
  int64_t tileSide;         ///< rows and columns of a tile
  int64_t buffers;          ///< circular buffers per core
  int64_t semaphores;       ///< per core
  int64_t runtimeArguments; ///< words per kernel and core
  int64_t dstTiles;         ///< tiles of a half-sync DST with f32 elements
  int64_t l1Bytes;          ///< bytes for circular buffers on one core
  int64_t gridX, gridY;
};
Limits readLimits(const machine::Machine &machine);

enum class Dtype { BF16, F32 };
const char *dtypeName(Dtype dtype);
int64_t dtypeBytes(Dtype dtype);

/// One dim of a block.
struct Side {
  std::string label; ///< of its symbol; empty for a constant
  int64_t elements = 1;
  int64_t tiles = 1;
  /// Its number of tiles in generated code: "tile_m_tiles" or "4".
  std::string code() const { return label.empty() ? std::to_string(tiles) : label + "_tiles"; }
};

struct Tensor {
  mlir::Value value;
  std::string name; ///< the source name, a valid identifier
  bool output = false;
  Dtype dtype = Dtype::BF16;
  std::vector<int64_t> shape;
  std::string layout;            ///< "matrix", "row" or "column" (docs/manifest.md)
  int64_t rows = 1, columns = 1; ///< in tiles
  int64_t pageBytes = 0;
};

enum class Role { None, Reader, Compute, Writer };

/// One circular buffer: a virtual buffer of the program, or the second face of an accumulator.
struct Buffer {
  int index = -1; ///< circular buffer number
  std::string name, holds;
  Dtype dtype = Dtype::BF16;
  Side rows, columns;
  int64_t depth = 1;
  Role producer = Role::None, consumer = Role::None;
  bool unused = false;       ///< folded away: no circular buffer
  bool unpackToDest = false; ///< f32 that only reaches DST: the unpacker keeps all bits
  int aliasOf = -1;          ///< position in Plan::buffers, or -1
  /// Tiles lie sub-block after sub-block of [rows, columns] tiles; {0, 0} means row-major.
  std::array<int64_t, 2> order = {0, 0};
  int64_t blockTiles() const { return rows.tiles * columns.tiles; }
  std::string blockCode() const;
};

/// One grid axis.
struct Axis {
  std::string name; ///< "m" for @tile_m, unique
  Side side;
  int64_t extent = 1, blocks = 1, spatial = 1, waves = 1;
};

/// One multicast operand: rectangles of x by y cores; the upper left core reads and sends.
struct Multicast {
  std::string name; ///< of the copy
  int64_t x = 1, y = 1;
  int ready = -1, valid = -1; ///< semaphore ids
};

struct Core {
  int64_t x, y;
  std::vector<int64_t> coordinates; ///< per axis
};

/// How an in-place contraction carries its accumulator.
struct Accumulation {
  int buffer = -1; ///< holds partial sums
  int finalBuffer =
      -1; ///< receives the last step; equal to `buffer` unless a second face is needed
  std::vector<mlir::Operation *> loops; ///< tw.loops between the first value and the contraction
  bool startsAtZero = true;
  int64_t trips = 1;
};

struct Plan {
  mlir::func::FuncOp func;
  tw::GridOp grid;
  Limits limits;
  std::string kernel, source, machine, fidelity;
  std::map<std::string, Side> symbols; ///< by label
  std::vector<Tensor> tensors;         ///< inputs first, each in argument order
  std::vector<Buffer> buffers;
  std::vector<Axis> axes;
  std::vector<int64_t> order; ///< temporal loops over axes, outermost first
  int64_t coresX = 1, coresY = 1;
  std::vector<Core> cores;                            ///< row by row
  std::map<mlir::Operation *, std::string> copyNames; ///< tw.copy: unique, from the tensor's name
  std::map<mlir::Operation *, Multicast> multicasts;  ///< tw.copy in with more than one core
  std::map<mlir::Operation *, Accumulation> accumulations; ///< tw.contract in place
  std::set<mlir::Operation *> silent; ///< protocol ops and sets that the emitters fold into others
  llvm::DenseMap<mlir::Value, int> bufferOf;           ///< !tw.vb to position in `buffers`
  llvm::DenseMap<mlir::Value, std::string> indexNames; ///< block numbers: "block_m"

  const Tensor &tensor(mlir::Value global) const;
  int buffer(mlir::Value viewOrBuffer) const;
};

/// Reads the program. Everything that does not depend on how maps use their inputs is final.
Plan buildPlan(mlir::func::FuncOp func, const machine::Machine &machine);
/// Sub-mesh, coordinates, multicast groups ("ttmetal.placement", "ttmetal.multicast").
void planPlacement(Plan &plan);
/// In-place contractions, buffers that are never touched, folded protocol ops.
void planAccumulations(Plan &plan);
/// Gives out circular buffer indices and checks the limits on buffers; returns bytes of L1 in use.
int64_t assignBuffers(Plan &plan);
int64_t bufferBytes(const Plan &plan, const Buffer &buffer);

/// The virtual buffer behind a view.
mlir::Value virtualBuffer(mlir::Value view);
/// Rows and columns of a shaped type's dims; 1-D is one row.
std::array<Side, 2> blockSides(const Plan &plan, llvm::ArrayRef<mlir::Attribute> dims);
Dtype elementType(mlir::Operation *op, mlir::Type type);
/// `name` as an identifier of C++ and Python.
std::string identifier(llvm::StringRef name);
/// "m" for "tile_m".
std::string shortName(llvm::StringRef label);
/// Constant value of an index operand, if it has one.
std::optional<int64_t> constantIndex(mlir::Value index);
[[noreturn]] void unsupported(const char *id, std::string message, std::string hint,
                              mlir::Operation *op = nullptr);
[[noreturn]] void internal(const char *id, std::string message, mlir::Operation *op = nullptr);

} // namespace tilewright::ttmetal
