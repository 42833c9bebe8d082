// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 64-bit TilingKey (AdaptCore paper, section 3.2): which kernel to launch. Every field that
// changes generated code is in it; sizes are run-time parameters and are not.
//
//   bits   field                          values
//   0-3    template                       Template
//   4      layout of A                    0 row, 1 column
//   5      layout of B                    0 row, 1 column
//   6-7    dtype                          0 fp16, 1 bf16
//   8-9    padding of A                   0 none, 1 nd, 2 nz
//   10-11  padding of B                   0 none, 1 nd, 2 nz
//   12-13  padding of C                   0 none, 1 nd
//   14-15  L1 resident                    0 none, 1 A, 2 B
//   16-17  L1 buffering                   0 single, 1 double, 2 preload
//   18     shuffleK
//   19     small-M copy
//   20     eliminate scalar
//   21     atomic reduction
//   22     two output tiles in L0C
//   23     A is copied row by row
//   24     B is copied row by row
//   25-26  form                           0 single, 1 batch, 2 groups
//   27-55  reserved                       0
//   56-63  version                        1
#pragma once

#include "tilewright/MatMul/Planner.h"

namespace tilewright::matmul {

enum class Form : uint8_t { Single, Batch, Groups };

struct KeyFields {
  Template kind = Template::Common;
  Layout layoutA = Layout::Row, layoutB = Layout::Row;
  Dtype dtype = Dtype::Fp16;
  Modules modules;
  bool doubleL0c = false, rowwiseA = false, rowwiseB = false;
  Form form = Form::Single;
  bool operator==(const KeyFields &) const = default;
};

uint64_t encode(const KeyFields &fields);
/// Error "matmul.key" (User) for another version, a reserved bit or a value that no field has.
KeyFields decode(uint64_t key);
KeyFields keyFields(const Target &target, const Shape &shape, const Choice &choice);
inline uint64_t tilingKey(const Target &target, const Shape &shape, const Choice &choice) {
  return encode(keyFields(target, shape, choice));
}
/// The kernel's name, one to one with the key: "tw_matmul_common_rc_fp16_pb2_double".
std::string kernelName(uint64_t key);

} // namespace tilewright::matmul
