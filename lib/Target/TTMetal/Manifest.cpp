// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// manifest.json: what a launcher needs beside the sources.
#include "Outputs.h"
#include <nlohmann/json.hpp>

using namespace mlir;
using Json = nlohmann::ordered_json;

namespace tilewright::ttmetal {

static Json tensorJson(const Tensor &t) {
  return {{"name", t.name},
          {"role", t.output ? "output" : "input"},
          {"dtype", dtypeName(t.dtype)},
          {"shape", t.shape},
          {"layout", t.layout},
          {"tiles", {t.rows, t.columns}},
          {"page_bytes", t.pageBytes}};
}

static Json bufferJson(const Plan &plan, const Buffer &b) {
  int64_t page = bufferBytes(plan, b) / (b.depth * b.blockTiles());
  Json json = {{"index", b.index},
               {"name", b.name},
               {"dtype", dtypeName(b.dtype)},
               {"page_bytes", page},
               {"pages", b.depth * b.blockTiles()},
               {"block_pages", b.blockTiles()},
               {"bytes", bufferBytes(plan, b)},
               {"unpack_to_dest_fp32", b.unpackToDest},
               {"holds", b.holds}};
  if (b.aliasOf >= 0)
    json["alias_of"] = plan.buffers[b.aliasOf].index;
  return json;
}

static Json coreJson(int64_t x, int64_t y) {
  return {x, y};
}

static Json argumentValue(const RuntimeArgument &argument, const Core &core) {
  using A = RuntimeArgument;
  if (argument.kind == A::Coordinate)
    return core.coordinates[argument.axis];
  if (argument.kind == A::Address)
    return {{"kind", "address"}, {"tensor", argument.tensor->name}};
  int64_t width = argument.cast->x, height = argument.cast->y;
  int64_t x = core.x / width * width, y = core.y / height * height;
  if (argument.kind == A::Sender)
    return core.x == x && core.y == y ? 1 : 0;
  bool last = argument.kind == A::LastX || argument.kind == A::LastY;
  bool first = argument.kind == A::FirstX || argument.kind == A::FirstY;
  if (first && (width == 1 || height == 1)) // a row or column begins behind its sender
    x += height == 1, y += width == 1;
  bool alongX =
      argument.kind == A::SenderX || argument.kind == A::FirstX || argument.kind == A::LastX;
  return {{"kind", alongX ? "noc_x" : "noc_y"},
          {"core", last ? coreJson(core.x / width * width + width - 1,
                                   core.y / height * height + height - 1)
                        : coreJson(x, y)}};
}

static Json moverJson(const Plan &plan, const DataMovement &moves, bool reader) {
  Json accessors = Json::array(), names = Json::array(), cores = Json::array();
  for (const Tensor *t : moves.tensors)
    accessors.push_back({{"kind", "accessor"}, {"tensor", t->name}});
  for (const RuntimeArgument &argument : moves.arguments)
    names.push_back(argument.name);
  for (const Core &core : plan.cores) {
    Json args = Json::array();
    for (const RuntimeArgument &argument : moves.arguments)
      args.push_back(argumentValue(argument, core));
    cores.push_back({{"core", coreJson(core.x, core.y)}, {"args", args}});
  }
  return {{"role", reader ? "reader" : "writer"},
          {"file", reader ? "reader.cpp" : "writer.cpp"},
          {"processor", reader ? "RISCV_1" : "RISCV_0"},
          {"noc", reader ? 0 : 1},
          {"compile_time_args", accessors},
          {"names", names},
          {"runtime_args", cores}};
}

static Json computeJson(const Plan &plan) {
  Json cores = Json::array();
  for (const Core &core : plan.cores)
    cores.push_back({{"core", coreJson(core.x, core.y)}, {"args", Json::array()}});
  return {{"role", "compute"},
          {"file", "compute.cpp"},
          {"compile_time_args", Json::array()},
          {"names", Json::array()},
          {"runtime_args", cores}};
}

static Json semaphoresJson(const Plan &plan) {
  std::map<int, std::string> named;
  for (const auto &[copy, cast] : plan.multicasts) {
    named[cast.ready] = cast.name + "_ready";
    named[cast.valid] = cast.name + "_valid";
  }
  Json list = Json::array();
  for (const auto &[id, name] : named)
    list.push_back({{"id", id}, {"name", name}, {"initial", 0}});
  return list;
}

/// The operations in program order, for people.
static Json stepsJson(const Plan &plan) {
  Json steps = Json::array();
  tw::GridOp(plan.grid).walk([&](Operation *op) {
    if (auto contract = dyn_cast<tw::ContractOp>(op))
      steps.push_back(fmt::format("{} += {} * {}",
                                  plan.buffers[plan.buffer(contract.getTarget())].holds,
                                  plan.buffers[plan.buffer(contract.getLhs())].holds,
                                  plan.buffers[plan.buffer(contract.getRhs())].holds));
    else if (auto unary = dyn_cast<tw::UnaryOp>(op))
      steps.push_back(tw::stringifyUnaryKind(unary.getKind()).str());
    else if (auto binary = dyn_cast<tw::BinaryOp>(op))
      steps.push_back(tw::stringifyBinaryKind(binary.getKind()).str());
    else if (auto cast = dyn_cast<tw::CastOp>(op))
      steps.push_back(std::string("round to ") + (cast.getType().isBF16() ? "bf16" : "f32"));
  });
  return steps;
}

std::string emitManifest(const Plan &plan, const DataMovement &reader, const DataMovement &writer,
                         int64_t l1Bytes) {
  Json tensors = Json::array(), buffers = Json::array(), outputs = Json::array();
  for (const Tensor &t : plan.tensors) {
    tensors.push_back(tensorJson(t));
    if (t.output)
      outputs.push_back({{"tensor", t.name}, {"steps", stepsJson(plan)}});
  }
  for (const Buffer &b : plan.buffers)
    if (!b.unused)
      buffers.push_back(bufferJson(plan, b));
  Json manifest = {
      {"format", "tilewright-ttmetal"},
      {"version", 1},
      {"kernel", plan.kernel},
      {"source", plan.source},
      {"machine", plan.machine},
      {"grid", {{"x", plan.coresX}, {"y", plan.coresY}}},
      {"tensors", tensors},
      {"circular_buffers", buffers},
      {"semaphores", semaphoresJson(plan)},
      {"kernels",
       {moverJson(plan, reader, true), computeJson(plan), moverJson(plan, writer, false)}},
      {"compute",
       {{"math_fidelity", plan.fidelity},
        {"fp32_dest_acc_en", true},
        {"dst_full_sync_en", false},
        {"math_approx_mode", false}}},
      {"l1", {{"used", l1Bytes}, {"available", plan.limits.l1Bytes}}},
      {"check", {{"outputs", outputs}}}};
  return manifest.dump(1) + "\n";
}

} // namespace tilewright::ttmetal
