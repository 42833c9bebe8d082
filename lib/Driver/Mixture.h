// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A seeded mixture of matrix products as recommendation and language models have them.
#pragma once

#include "tilewright/MatMul/Shape.h"
#include "tilewright/Support/Random.h"
#include <string>

namespace tilewright::driver {

struct MixedShape {
  const char *stratum;
  matmul::Shape shape;
};

/// Weights in per cent: 25 log-uniform sizes of 1 to 100,000; 20 layers of recommendation models
/// with a log-normal batch of median 2048; 15 their weight gradients (K is the batch); 20 dense
/// layers of language models; 10 experts with few rows; 5 sizes next to powers of two and limits; 5
/// views with gaps between rows. Layer sizes are those of DLRM and DLRM-DCNv2 (MLPerf), DCN v2,
/// MMoE and ESMM (EasyRec's Taobao configurations), RankMixer, Mixtral 8x7B, DeepSeek-V3,
/// Qwen3-14B. Products with more than 2^42 multiplications or 2^34 elements are drawn again.
MixedShape drawShape(Random &random);

} // namespace tilewright::driver
