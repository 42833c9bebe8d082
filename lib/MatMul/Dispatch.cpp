// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilewright/MatMul/Dispatch.h"
#include "Enumerate.h"
#include "tilewright/MatMul/TilingKey.h"
#include <cstring>

namespace tilewright::matmul {

tw_shape toDispatch(const Shape &s) {
  if (!s.groups.empty())
    throw Error(Kind::User, "matmul.groups",
                "a table holds no grouped shapes, here are " + std::to_string(s.groups.size()) +
                    " groups",
                "plan them one by one, or with 'tilewright matmul plan --groups'");
  tw_shape shape =
      tw_shape_dense(s.m, s.n, s.k, uint8_t(s.layoutA), uint8_t(s.layoutB), uint8_t(s.dtype));
  if (s.lda)
    shape.lda = s.lda;
  if (s.ldb)
    shape.ldb = s.ldb;
  if (s.ldc)
    shape.ldc = s.ldc;
  shape.batch = s.batch;
  shape.flags = s.deterministic ? TW_DETERMINISTIC : 0;
  return shape;
}

Shape fromDispatch(const tw_shape &s) {
  Shape shape;
  shape.m = s.m, shape.n = s.n, shape.k = s.k, shape.batch = s.batch;
  shape.lda = s.lda, shape.ldb = s.ldb, shape.ldc = s.ldc;
  shape.layoutA = Layout(s.layout_a), shape.layoutB = Layout(s.layout_b),
  shape.dtype = Dtype(s.dtype);
  shape.deterministic = s.flags & TW_DETERMINISTIC;
  return shape;
}

int64_t workspaceBytes(const Target &target, const Shape &shape, const Choice &choice) {
  if (choice.kind == Template::Fill || choice.kind == Template::Nothing)
    return 0;
  Setting s(target, shape, choice.kind, choice.modules);
  TilesOf<int64_t> x = tilesOf(choice.tiles);
  int64_t partial = 0;
  if (choice.kind != Template::Common)
    partial =
        max(choice.kind == Template::StreamK ? 0 : s.partialBytes, partialSums(s, layOut(s, x), x));
  int64_t matrices = memoryBytes(Setting(target, shape, Template::Common, {}));
  return memoryBytes(s) - matrices + partial;
}

tw_plan toDispatch(const Target &target, const Shape &shape, const Plan &plan, uint32_t kernel) {
  const Choice &c = plan.choice;
  const Tiles &t = c.tiles;
  tw_plan p;
  std::memset(&p, 0, sizeof p);
  p.workspace_bytes = uint64_t(workspaceBytes(target, shape, c));
  p.predicted_cycles = plan.cycles;
  p.key = tilingKey(target, shape, c);
  p.m1 = uint32_t(t.m1), p.n1 = uint32_t(t.n1), p.k1a = uint32_t(t.kA), p.k1b = uint32_t(t.kB);
  p.m0 = uint32_t(t.m0), p.n0 = uint32_t(t.n0), p.k0 = uint32_t(t.k0);
  p.split_k = uint32_t(t.split), p.swizzle = uint32_t(t.swizzle), p.kernel = kernel;
  if (c.kind == Template::Fill)
    p.block_dim = uint32_t(target.cores);
  else if (c.kind != Template::Nothing)
    p.block_dim = uint32_t(layOut(Setting(target, shape, c.kind, c.modules), tilesOf(t)).active);
  return p;
}

Choice choiceOf(const tw_plan &p) {
  KeyFields f = decode(p.key);
  Choice c{f.kind, f.modules, {}};
  c.tiles = {p.m1, p.n1, p.k1a, p.k1b, p.m0, p.n0, p.k0, p.split_k, p.swizzle};
  return c;
}

static uint64_t withoutTiles(KeyFields fields) {
  fields.doubleL0c = fields.rowwiseA = fields.rowwiseB = false;
  return encode(fields);
}

void OnlinePlanner::attach(const tw_dispatcher *dispatcher) {
  tw_table_info info;
  tw_info(dispatcher, &info);
  tw_shape shape;
  tw_plan plan;
  for (size_t slot = 0; slot < info.slots; ++slot)
    if (tw_table_entry(dispatcher, slot, &shape, &plan) == TW_OK) {
      kernelOfKey.emplace(plan.key, plan.kernel);
      structures.insert(withoutTiles(decode(plan.key)));
    }
}

tw_status OnlinePlanner::plan(void *user, const tw_shape *given, tw_plan *made) {
  auto *self = static_cast<OnlinePlanner *>(user);
  try {
    Shape shape = fromDispatch(*given);
    Pins pins;
    KeyFields fields;
    fields.layoutA = shape.layoutA, fields.layoutB = shape.layoutB, fields.dtype = shape.dtype;
    fields.form = shape.batch > 1 ? Form::Batch : Form::Single;
    pins.structure = [&](Template kind, const Modules &modules) {
      fields.kind = kind, fields.modules = modules;
      return self->structures.contains(encode(fields));
    };
    pins.choice = [&](const Choice &choice) {
      return self->kernelOfKey.contains(tilingKey(self->target, shape, choice));
    };
    Plan best = matmul::plan(self->target, shape, pins);
    auto kernel = self->kernelOfKey.find(tilingKey(self->target, shape, best.choice));
    if (kernel == self->kernelOfKey.end()) // an empty product whose kernel the table lacks
      return TW_NO_PLAN;
    *made = toDispatch(self->target, shape, best, kernel->second);
    return TW_OK;
  } catch (const std::exception &) { // C has no exceptions: the status says that there is no plan
    return TW_NO_PLAN;
  }
}

} // namespace tilewright::matmul
