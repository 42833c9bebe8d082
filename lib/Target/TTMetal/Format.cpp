// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Format.h"
#include <bit>
#include <cmath>

using namespace mlir;

namespace tilewright::ttmetal {

std::string floatBits(double value) {
  return fmt::format("0x{:08x}u", std::bit_cast<uint32_t>(static_cast<float>(value)));
}

std::string floatLiteral(double value) {
  float rounded = static_cast<float>(value);
  if (std::isnan(rounded))
    return "__builtin_nanf(\"\")";
  if (std::isinf(rounded))
    return rounded > 0 ? "__builtin_inff()" : "-__builtin_inff()";
  std::string text = fmt::format("{}", rounded);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + "f";
}

Value matchingView(tw::VBReleaseOp release) {
  for (Operation *op = release->getPrevNode(); op; op = op->getPrevNode())
    if (auto acquire = dyn_cast<tw::VBAcquireOp>(op))
      if (acquire.getBuffer() == release.getBuffer())
        return acquire.getView();
  internal("ttmetal.protocol", "a release has no acquire before it in its block", release);
}

} // namespace tilewright::ttmetal
