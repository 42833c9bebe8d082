// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tw-verify-protocol: reports every violation that the abstract run finds.
#include "tilewright/Transforms/Passes.h"
#include "tilewright/Transforms/Protocol.h"

namespace tilewright::transforms {
#define GEN_PASS_DEF_VERIFYPROTOCOL
#include "tilewright/Transforms/Passes.h.inc"

namespace {
struct VerifyProtocol : impl::VerifyProtocolBase<VerifyProtocol> {
  void runOnOperation() override {
    for (const ProtocolViolation &violation : checkProtocol(getOperation())) {
      auto diagnostic = violation.op->emitOpError(violation.message) << " [" << violation.id << "]";
      if (violation.other)
        diagnostic.attachNote(violation.other->getLoc()) << violation.note;
      signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace tilewright::transforms
