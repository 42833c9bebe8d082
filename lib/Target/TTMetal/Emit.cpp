// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole emission, file by file.
#include "tilewright/Target/TTMetal/Emit.h"
#include "Compute.h"
#include "Outputs.h"

using namespace mlir;

namespace tilewright::ttmetal {

static std::vector<std::string> headerLines(const Plan &plan, const EmitInfo &info) {
  std::vector<std::string> lines = {
      fmt::format("{} for {}, from {}.", plan.kernel, plan.machine, plan.source)};
  if (!info.version.empty())
    lines.push_back("Written by " + info.version + ".");
  if (!info.schedule.empty())
    lines.push_back("");
  lines.insert(lines.end(), info.schedule.begin(), info.schedule.end());
  return lines;
}

static void emitComment(const std::vector<std::string> &lines, CodeWriter &out) {
  for (const std::string &line : lines)
    out.line(std::string_view(line.empty() ? "//" : "// " + line));
  out.line();
}

/// Fidelity of the matrix engine: that of the widest operand of a matmul.
static std::string fidelity(const Plan &plan, const machine::Machine &machine) {
  bool f32 = false;
  tw::GridOp(plan.grid).walk([&](tw::ContractOp contract) {
    for (Value operand : {contract.getLhs(), contract.getRhs()})
      f32 |= plan.buffers[plan.buffer(operand)].dtype == Dtype::F32;
  });
  return machine.text(f32 ? "compute.math_fidelity.f32" : "compute.math_fidelity.bf16");
}

static std::string computeKernel(const Plan &plan, ComputeBuilder &builder,
                                 const std::vector<std::string> &header) {
  CodeWriter out;
  emitComment(header, out);
  out.line("#include <cstdint>");
  for (const std::string &include : builder.includes())
    out.line("#include \"{}\"", include);
  out.line();
  emitSymbols(plan, out);
  emitTrips(plan, out);
  emitBuffers(plan, Role::Compute, out);
  out.line();
  builder.emit(out);
  return out.take();
}

static std::string mover(const Plan &plan, Role role, const DataMovement &moves,
                         const std::vector<std::string> &header) {
  CodeWriter out;
  emitComment(header, out);
  emitDataMovement(plan, role, moves, out);
  return out.take();
}

Emitted emit(func::FuncOp mapped, const machine::Machine &machine, const EmitInfo &info) {
  Plan plan = buildPlan(mapped, machine);
  plan.fidelity = fidelity(plan, machine);
  ComputeBuilder builder(plan);
  Emitted emitted;
  emitted.l1Bytes = assignBuffers(plan);
  builder.build();
  DataMovement reader = planDataMovement(plan, Role::Reader),
               writer = planDataMovement(plan, Role::Writer);
  std::vector<std::string> header = headerLines(plan, info);
  emitted.files["compute.cpp"] = computeKernel(plan, builder, header);
  emitted.files["reader.cpp"] = mover(plan, Role::Reader, reader, header);
  emitted.files["writer.cpp"] = mover(plan, Role::Writer, writer, header);
  emitted.files["manifest.json"] = emitManifest(plan, reader, writer, emitted.l1Bytes);
  emitted.files["run.py"] = emitScript(plan, machine, header);
  return emitted;
}

} // namespace tilewright::ttmetal
