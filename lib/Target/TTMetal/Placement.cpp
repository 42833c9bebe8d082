// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which core runs which blocks, and which cores share a read.
#include "Plan.h"
#include "tilewright/Support/Checked.h"

using namespace mlir;

namespace tilewright::ttmetal {

/// Mixed-radix coordinates (TwDialect.td): position along x and y, inner factors first, gives each
/// axis its digits, those of x below those of y.
static std::vector<int64_t> coordinates(tw::PlacementAttr placement, size_t axes, int64_t x,
                                        int64_t y) {
  std::vector<int64_t> value(axes, 0), weight(axes, 1);
  auto take = [&](ArrayRef<int64_t> owners, ArrayRef<int64_t> extents, int64_t position) {
    for (auto [axis, extent] : llvm::zip(owners, extents)) {
      value[axis] += position % extent * weight[axis];
      weight[axis] *= extent;
      position /= extent;
    }
  };
  take(placement.getXAxes(), placement.getXExtents(), x);
  take(placement.getYAxes(), placement.getYExtents(), y);
  return value;
}

static int64_t product(ArrayRef<int64_t> factors) {
  int64_t p = 1;
  for (int64_t f : factors)
    p *= f;
  return p;
}

static void placeCores(Plan &plan) {
  tw::PlacementAttr placement = plan.grid.getPlacementAttr();
  plan.coresX = product(placement.getXExtents());
  plan.coresY = product(placement.getYExtents());
  if (plan.coresX > plan.limits.gridX || plan.coresY > plan.limits.gridY)
    throw Error(Kind::DoesNotFit, "ttmetal.placement",
                fmt::format("the placement needs {} x {} cores, \"{}\" has {} x {}", plan.coresX,
                            plan.coresY, plan.machine, plan.limits.gridX, plan.limits.gridY),
                "choose a smaller sub-mesh");
  for (int64_t y = 0; y < plan.coresY; ++y)
    for (int64_t x = 0; x < plan.coresX; ++x)
      plan.cores.push_back({x, y, coordinates(placement, plan.axes.size(), x, y)});
}

static void placeAxes(Plan &plan) {
  tw::PlacementAttr placement = plan.grid.getPlacementAttr();
  auto multiply = [&](ArrayRef<int64_t> owners, ArrayRef<int64_t> extents) {
    for (auto [axis, extent] : llvm::zip(owners, extents))
      plan.axes[axis].spatial *= extent;
  };
  multiply(placement.getXAxes(), placement.getXExtents());
  multiply(placement.getYAxes(), placement.getYExtents());
  for (Axis &axis : plan.axes)
    axis.waves = ceilDiv(axis.blocks, axis.spatial);
  plan.order.assign(placement.getOrder().begin(), placement.getOrder().end());
}

/// Grid axes whose block numbers select what a copy moves.
static std::vector<int64_t> usedAxes(Plan &plan, tw::CopyOp copy) {
  std::vector<int64_t> used;
  for (Value index : copy.getIndices())
    if (auto argument = dyn_cast<BlockArgument>(index))
      if (argument.getOwner() == &plan.grid.getBody().front())
        used.push_back(argument.getArgNumber());
  return used;
}

/// All cores of a sharing rectangle must want the block that its upper left core reads.
static void checkMulticast(Plan &plan, tw::CopyOp copy, const Multicast &cast) {
  if (cast.x < 1 || cast.y < 1 || plan.coresX % cast.x || plan.coresY % cast.y)
    internal("ttmetal.multicast",
             fmt::format("rectangles of {} x {} cores do not tile {} x {}", cast.x, cast.y,
                         plan.coresX, plan.coresY),
             copy);
  for (const Core &core : plan.cores) {
    int64_t sx = core.x / cast.x * cast.x, sy = core.y / cast.y * cast.y;
    const Core &sender = plan.cores[sy * plan.coresX + sx];
    for (int64_t axis : usedAxes(plan, copy))
      if (core.coordinates[axis] != sender.coordinates[axis])
        internal("ttmetal.multicast",
                 fmt::format("cores ({}, {}) and ({}, {}) share \"{}\" but need different blocks",
                             core.x, core.y, sx, sy, cast.name),
                 copy);
  }
}

static void planMulticasts(Plan &plan) {
  int next = 0;
  plan.grid.walk([&](tw::CopyOp copy) {
    if (copy.getDirection() != tw::Direction::In)
      return;
    tw::TransferAttr transfer = copy.getTransferAttr();
    if (!transfer)
      internal("ttmetal.schedule", "a copy of \"" + plan.copyNames[copy] + "\" has no transfer",
               copy);
    if (transfer.getX() * transfer.getY() == 1)
      return;
    Multicast cast{plan.copyNames[copy], transfer.getX(), transfer.getY(), next, next + 1};
    next += 2;
    checkMulticast(plan, copy, cast);
    plan.multicasts[copy] = cast;
  });
  if (next > plan.limits.semaphores)
    throw Error(Kind::DoesNotFit, "ttmetal.semaphores",
                fmt::format("{} multicast operands need {} semaphores, a core has {}", next / 2,
                            next, plan.limits.semaphores),
                "let some operands be read by every core");
}

void planPlacement(Plan &plan) {
  placeCores(plan);
  placeAxes(plan);
  planMulticasts(plan);
}

} // namespace tilewright::ttmetal
