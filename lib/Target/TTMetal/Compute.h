// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the compute kernel's statements; configuration is added afterwards (ComputeTree.h).
#pragma once

#include "ComputeTree.h"
#include "MapPlan.h"
#include "Plan.h"

namespace tilewright::ttmetal {

class ComputeBuilder {
public:
  /// Decides how every map uses its inputs, gives accumulators their second face where needed and
  /// sets the unpack mode of every buffer in `plan`.
  explicit ComputeBuilder(Plan &plan);
  /// The kernel's source, behind `header` (comment lines and constants are the caller's).
  void emit(CodeWriter &out);
  const std::set<std::string> &includes() const { return headers; }
  void build();

private:
  Plan &plan;
  std::map<mlir::Operation *, MapPlan> maps;
  std::set<std::string> headers;
  std::vector<Step> body;
  EngineState start;
  std::string startup;
  bool usesRelu = false, usesSubBlockTile = false;

  // Uses.cpp: how buffers are read
  void planMaps();
  void planUnpackModes();
  void addFinalFaces();
  void checkZeroTails();
  std::set<int> fpuReaders() const;
  std::set<int> copyReaders() const;

  // Compute.cpp
  std::vector<Step> statements(mlir::Block &block);
  void statement(mlir::Operation &op, std::vector<Step> &out);
  void set(tw::SetOp op, std::vector<Step> &out);
  Need srcA(int buffer) const;
  Need srcB(int buffer) const;
  Need fpuInit(std::string line) const;
  Need copyInit(std::string line) const;
  Need sfpuInit(const std::string &header, std::string line);
  std::vector<Need> packNeeds(int buffer, bool relu);
  void firstUse(bool reverse, int a, int b, int target);
  void protocol(const char *call, int buffer, const std::string &count, std::vector<Step> &out);
  const std::string &name(int buffer) const { return plan.buffers[buffer].name; }
  /// The buffer that a read view stands for: an accumulator's last face once it is complete.
  int readBuffer(mlir::Value view) const;

  // ComputeContract.cpp
  void contract(tw::ContractOp op, std::vector<Step> &out);
  std::vector<Step> subBlock(tw::ContractOp op);
  std::vector<Step> reload(tw::ContractOp op);
  std::vector<Need> matmulNeeds(tw::ContractOp op);
  Step products(tw::ContractOp op, std::vector<Step> &out);
  void packPartial(tw::ContractOp op, std::vector<Step> &out);
  bool reloads(tw::ContractOp op) const;
  bool queues(tw::ContractOp op) const;

  // ComputeMap.cpp
  struct Walk;
  void map(tw::MapOp op, std::vector<Step> &out);
  Step dstOp(const Walk &walk, const DstOp &op);
  Step fpuOp(const Walk &walk, const DstOp &op);
  Step sfpuOp(const Walk &walk, const DstOp &op);
  Step packOp(const Walk &walk, tw::MapOp op);
  void walkTiles(const Walk &walk, std::vector<Step> tiles, std::vector<Step> &out);
  std::string index(const Walk &walk, int buffer, Spread spread, bool queue);
};

/// "for (uint32_t v = 0; v < bound; v += step)".
Step countingLoop(const char *variable, const std::string &bound, int64_t step,
                  std::vector<Step> body);

/// Constants, kernel heads and loops that all three kernels share (Kernels.cpp).
void emitSymbols(const Plan &plan, CodeWriter &out);
void emitBuffers(const Plan &plan, Role role, CodeWriter &out);
void emitTrips(const Plan &plan, CodeWriter &out);
std::string loopHead(const Plan &plan, tw::LoopOp loop);
int64_t loopTrips(const Plan &plan, tw::LoopOp loop);
/// "k" for the loop whose block number is "block_k".
std::string loopName(const Plan &plan, tw::LoopOp loop);

} // namespace tilewright::ttmetal
