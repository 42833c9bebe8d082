// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorAccessor: page addresses of a tensor in interleaved DRAM.
#pragma once

#include "tensor_accessor_args.h"

template <typename Args> struct TensorAccessor {
  uint32_t base;
  uint32_t page_size;
  TensorAccessor(const Args &, uint32_t bankBase, uint32_t pageBytes = Args::AlignedPageSize)
      : base(bankBase), page_size(pageBytes) {}
  uint32_t get_aligned_page_size() const { return page_size; }
  uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0, uint8_t = 0) const {
    return tilewright_kernel::bridge().pageAddress(base, page, page_size, offset);
  }
};
