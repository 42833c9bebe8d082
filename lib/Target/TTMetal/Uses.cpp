// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How each buffer is read decides its unpack mode: the matrix engine's source registers keep 10
// mantissa bits of f32, the way straight into DST keeps all; a buffer has one mode for the whole
// kernel.
#include "Compute.h"

using namespace mlir;

namespace tilewright::ttmetal {

static bool isCopy(const DstOp &op) {
  return op.kind == DstOp::Copy || op.kind == DstOp::Broadcast;
}

/// Buffers that maps read through the matrix engine, and contraction operands.
std::set<int> ComputeBuilder::fpuReaders() const {
  std::set<int> readers;
  for (const auto &[op, mapPlan] : maps)
    for (const DstOp &dst : mapPlan.ops)
      if (dst.kind == DstOp::FpuBinary || dst.kind == DstOp::FpuReuse) {
        auto inputs = cast<tw::MapOp>(op).getInputs();
        readers.insert(plan.buffer(inputs[dst.input]));
        if (dst.kind == DstOp::FpuBinary)
          readers.insert(plan.buffer(inputs[dst.other]));
      }
  return readers;
}

std::set<int> ComputeBuilder::copyReaders() const {
  std::set<int> readers;
  for (const auto &[op, mapPlan] : maps)
    for (const DstOp &dst : mapPlan.ops)
      if (isCopy(dst))
        readers.insert(plan.buffer(cast<tw::MapOp>(op).getInputs()[dst.input]));
  return readers;
}

/// Maps are planned with the matrix engine first. An f32 buffer that some map must copy is then
/// copied by all of them, so that one exact mode serves every reader.
void ComputeBuilder::planMaps() {
  std::set<int> copied;
  for (bool changed = true; changed;) {
    maps.clear();
    plan.grid.walk([&](tw::MapOp map) {
      maps[map] = planMap(
          plan, map, [&](int input) { return !copied.count(plan.buffer(map.getInputs()[input])); });
    });
    changed = false;
    for (int buffer : copyReaders())
      if (plan.buffers[buffer].dtype == Dtype::F32 && fpuReaders().count(buffer))
        changed |= copied.insert(buffer).second;
  }
}

/// The last step of an accumulation in f32 goes to a second face of the same memory when the matrix
/// engine reads the result: partial sums are reloaded exactly, the sum itself is read as TF32.
void ComputeBuilder::addFinalFaces() {
  std::set<int> readers = fpuReaders(), done;
  std::vector<tw::ContractOp> contracts;
  plan.grid.walk([&](tw::ContractOp contract) { contracts.push_back(contract); });
  for (tw::ContractOp contract : llvm::reverse(contracts)) {
    auto it = plan.accumulations.find(contract);
    if (it == plan.accumulations.end() || !done.insert(it->second.buffer).second)
      continue;
    int source = it->second.buffer;
    if (plan.buffers[source].dtype != Dtype::F32 || !readers.count(source) || !reloads(contract))
      continue;
    Buffer face = plan.buffers[source];
    face.name += "_final";
    face.holds += ", complete";
    face.aliasOf = face.aliasOf >= 0 ? face.aliasOf : source;
    it->second.finalBuffer = plan.buffers.size();
    plan.buffers.push_back(face);
  }
}

void ComputeBuilder::planUnpackModes() {
  std::set<int> copied, computed;
  plan.grid.walk([&](tw::ContractOp contract) {
    computed.insert(plan.buffer(contract.getLhs()));
    computed.insert(plan.buffer(contract.getRhs()));
    if (reloads(contract))
      copied.insert(plan.buffer(contract.getAccumulator()));
  });
  for (const auto &[op, mapPlan] : maps)
    for (const DstOp &dst : mapPlan.ops) {
      auto inputs = cast<tw::MapOp>(op).getInputs();
      if (isCopy(dst))
        copied.insert(readBuffer(inputs[dst.input]));
      if (dst.kind == DstOp::FpuBinary || dst.kind == DstOp::FpuReuse)
        computed.insert(readBuffer(inputs[dst.input]));
      if (dst.kind == DstOp::FpuBinary)
        computed.insert(readBuffer(inputs[dst.other]));
    }
  for (int buffer : copied)
    plan.buffers[buffer].unpackToDest =
        plan.buffers[buffer].dtype == Dtype::F32 && !computed.count(buffer);
}

/// Whether elements of `view` beyond the tensor along its dim `position` are 0.
static bool zeroBeyond(const Plan &plan, Value view, Attribute label, bool &mapped) {
  auto dims = cast<tw::ViewType>(view.getType()).getDims();
  if (!llvm::is_contained(dims, label))
    return false;
  Value buffer = virtualBuffer(view);
  for (Operation *user : buffer.getUsers())
    if (auto reserve = dyn_cast<tw::VBReserveOp>(user))
      for (Operation *writer : reserve.getView().getUsers()) {
        if (auto map = dyn_cast<tw::MapOp>(writer)) {
          mapped = true;
          auto zero = [&](int i) { return zeroBeyond(plan, map.getInputs()[i], label, mapped); };
          if (!mapsZeroToZero(map, zero))
            return false;
        } else if (!isa<tw::CopyOp>(writer)) {
          return false;
        }
      }
  return true;
}

/// Elements beyond K inside its last tile take part in products: they must be 0.
void ComputeBuilder::checkZeroTails() {
  plan.grid.walk([&](tw::ContractOp contract) {
    Attribute label = cast<tw::ViewType>(contract.getLhs().getType()).getDims()[1];
    int64_t extent = blockSides(plan, {label})[1].elements;
    for (Operation *op = contract->getParentOp(); op; op = op->getParentOp())
      if (auto loop = dyn_cast<tw::LoopOp>(op); loop && loop.getLabelAttr() == label)
        extent = loop.getExtent();
    if (extent % plan.limits.tileSide == 0)
      return;
    for (Value operand : {contract.getLhs(), contract.getRhs()}) {
      bool mapped = false;
      if (!zeroBeyond(plan, operand, label, mapped) && mapped)
        unsupported("ttmetal.k-tail",
                    "an operation before a matmul changes the zeros beyond K = " +
                        std::to_string(extent),
                    fmt::format("make K a multiple of {}", plan.limits.tileSide), contract);
    }
  });
}

ComputeBuilder::ComputeBuilder(Plan &plan) : plan(plan) {
  planMaps();
  for (auto &[op, mapPlan] : maps)
    usesRelu |= mapPlan.packerRelu;
  addFinalFaces();
  planUnpackModes();
  checkZeroTails();
}

} // namespace tilewright::ttmetal
