// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mapping needs to know about a stage-3 program: its accesses, buffers, loops and compute
// operations, as expressions over its symbols.
#pragma once

#include "tilewright/IR/Tw.h"
#include <set>

namespace tilewright::mapping {

using symbolic::Expr;

/// A symbol of the program (tw.sym).
struct BlockSymbol {
  std::string name;
  int64_t extent = 0, lower = 0, upper = 0; ///< elements
  Location location;
};

/// An axis of the grid.
struct Axis {
  std::string symbol;
  int64_t extent = 0;
};

/// A block moved between global memory and a core.
struct Access {
  std::string label;  ///< "x[tile_m, tile_k]"
  std::string tensor; ///< source name
  bool isLoad = true;
  int order = 0;      ///< position among all copies in program order
  std::set<int> axes; ///< grid axes that the block depends on; the others can share it
  Expr tiles;         ///< hardware tiles per block
  Expr bytes;         ///< bytes per block, whole tiles
};

/// One compute operation on blocks.
struct Work {
  enum class Kind { Set, Contract, Map };
  Kind kind = Kind::Set;
  std::string label;
  Expr rows, columns,
      depth = 1; ///< in elements, padded to tiles; depth is a contraction's inner dim
  std::vector<std::string>
      operations;          ///< of a map: names of dialect operations and kinds, in order
  std::string elementType; ///< of the target
};

/// A scope is the grid's body or a loop's: loads, then items in program order, then stores.
struct Scope {
  struct Item {
    int loop = -1; ///< index into `loops`, or -1
    int work = -1; ///< index into `work`, or -1
  };
  std::string symbol; ///< of a loop; empty for the grid
  int64_t extent = 0;
  std::vector<Access> loads, stores;
  std::vector<Item> items;
  std::vector<Scope> loops;
  std::vector<Work> work;
};

/// Memory of one tw.mem.alloc.
struct Storage {
  std::string label; ///< of the virtual buffers that live there, joined by " / "
  Expr bytes;        ///< one block, whole tiles
  enum class Role { Local, Load, Store } role = Role::Local;
  std::string scope; ///< of a load: symbol of the loop it is in, empty for the grid
};

struct Program {
  std::string name, source;
  std::vector<BlockSymbol> symbols;
  std::vector<Axis> axes;
  Scope body;
  std::vector<Storage> storage;
  std::vector<const Access *> allLoads() const; ///< program order (of tw.copy in)
};

/// Reads a stage-3 function. `tileRows` and `tileColumns` are the machine's tile. Errors:
/// "mapping.*".
Program analyze(mlir::func::FuncOp function, int64_t tileRows, int64_t tileColumns);

} // namespace tilewright::mapping
