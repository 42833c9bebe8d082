// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data-movement kernels: arguments, circular buffers, NoC transfers, multicasts, semaphores. Names
// and argument orders are those of TT-Metal as shipped in ttnn 0.81.1.
#pragma once

#ifndef NOC_INDEX
#error "data-movement API used in a compute kernel"
#endif

#include "../tensor/tensor_accessor.h"
#include "circular_buffer_functions.h"

constexpr uint8_t noc_index = NOC_INDEX;
constexpr uint32_t NOC_UNICAST_WRITE_VC = 1;
constexpr uint32_t NOC_MULTICAST_WRITE_VC = 4;
constexpr uint32_t NOC_MAX_BURST_SIZE = TILEWRIGHT_NOC_BURST;

namespace tilewright_kernel {
inline tilewright_bridge::Transfer transfer(uint64_t remote, uint32_t local, uint32_t bytes,
                                            uint32_t noc, uint32_t vc) {
  tilewright_bridge::Transfer t;
  t.remote = remote, t.local = local, t.bytes = bytes, t.noc = noc, t.vc = vc;
  return t;
}
inline uint64_t l1Of(volatile uint32_t *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}
} // namespace tilewright_kernel

// Addresses.
inline uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t = noc_index) {
  return tilewright_kernel::bridge().nocAddress(x, y, address);
}
inline uint64_t get_noc_addr(uint32_t address, uint8_t = noc_index) {
  return tilewright_kernel::bridge().ownAddress(address);
}
inline uint64_t get_noc_multicast_addr(uint32_t xStart, uint32_t yStart, uint32_t xEnd,
                                       uint32_t yEnd, uint32_t address, uint8_t = noc_index) {
  return tilewright_kernel::bridge().multicastAddress(xStart, yStart, xEnd, yEnd, address);
}

// Reads.
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool trace = true>
inline void noc_async_read(uint64_t src, uint32_t dst, uint32_t size, uint8_t noc = noc_index,
                           uint32_t vc = NOC_UNICAST_WRITE_VC) {
  const auto t = tilewright_kernel::transfer(src, dst, size, noc, vc);
  tilewright_kernel::bridge().read(&t);
}
inline void noc_async_read_one_packet(uint64_t src, uint32_t dst, uint32_t size,
                                      uint8_t noc = noc_index, uint32_t vc = NOC_UNICAST_WRITE_VC) {
  noc_async_read(src, dst, size, noc, vc);
}
template <typename AddrGen>
inline void noc_async_read_page(uint32_t id, const AddrGen &generator, uint32_t dst,
                                uint32_t offset = 0, uint8_t noc = noc_index) {
  noc_async_read(generator.get_noc_addr(id, offset), dst,
                 generator.get_aligned_page_size() - offset, noc);
}

// Writes.
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool trace = true, bool posted = false>
inline void noc_async_write(uint32_t src, uint64_t dst, uint32_t size, uint8_t noc = noc_index,
                            uint32_t vc = NOC_UNICAST_WRITE_VC) {
  auto t = tilewright_kernel::transfer(dst, src, size, noc, vc);
  t.posted = posted;
  tilewright_kernel::bridge().write(&t);
}
inline void noc_async_write_one_packet(uint32_t src, uint64_t dst, uint32_t size,
                                       uint8_t noc = noc_index,
                                       uint32_t vc = NOC_UNICAST_WRITE_VC) {
  noc_async_write(src, dst, size, noc, vc);
}
template <typename AddrGen>
inline void noc_async_write_page(uint32_t id, const AddrGen &generator, uint32_t src,
                                 uint32_t size = 0, uint32_t offset = 0, uint8_t noc = noc_index) {
  noc_async_write(src, generator.get_noc_addr(id, offset),
                  size ? size : generator.get_aligned_page_size() - offset, noc);
}
inline void noc_inline_dw_write(uint64_t address, uint32_t value, uint8_t be = 0xF,
                                uint8_t noc = noc_index, uint8_t vc = NOC_UNICAST_WRITE_VC) {
  const auto t = tilewright_kernel::transfer(address, 0, 4, noc, vc);
  tilewright_kernel::bridge().writeWord(&t, value);
}

// Multicasts.
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1>
inline void noc_async_write_multicast(uint32_t src, uint64_t dst, uint32_t size, uint32_t num_dests,
                                      bool linked = false, uint8_t noc = noc_index,
                                      uint8_t vc = NOC_MULTICAST_WRITE_VC) {
  auto t = tilewright_kernel::transfer(dst, src, size, noc, vc);
  t.destinations = num_dests, t.linked = linked;
  tilewright_kernel::bridge().multicast(&t);
}
inline void noc_async_write_multicast_one_packet(uint32_t src, uint64_t dst, uint32_t size,
                                                 uint32_t num_dests, bool linked = false,
                                                 uint8_t noc = noc_index) {
  noc_async_write_multicast(src, dst, size, num_dests, linked, noc);
}
inline void noc_async_write_multicast_loopback_src(uint32_t src, uint64_t dst, uint32_t size,
                                                   uint32_t num_dests, bool linked = false,
                                                   uint8_t noc = noc_index) {
  auto t = tilewright_kernel::transfer(dst, src, size, noc, NOC_MULTICAST_WRITE_VC);
  t.destinations = num_dests, t.linked = linked, t.loopback = true;
  tilewright_kernel::bridge().multicast(&t);
}

// Barriers.
inline void noc_async_read_barrier(uint8_t noc = noc_index) {
  tilewright_kernel::bridge().fence(tilewright_bridge::Fence::Reads, noc);
}
inline void noc_async_write_barrier(uint8_t noc = noc_index) {
  tilewright_kernel::bridge().fence(tilewright_bridge::Fence::Writes, noc);
}
inline void noc_async_writes_flushed(uint8_t noc = noc_index) {
  tilewright_kernel::bridge().fence(tilewright_bridge::Fence::WritesFlushed, noc);
}
inline void noc_async_posted_writes_flushed(uint8_t noc = noc_index) {
  noc_async_writes_flushed(noc);
}
inline void noc_async_atomic_barrier(uint8_t noc = noc_index) {
  tilewright_kernel::bridge().fence(tilewright_bridge::Fence::Atomics, noc);
}
inline void noc_async_full_barrier(uint8_t noc = noc_index) {
  tilewright_kernel::bridge().fence(tilewright_bridge::Fence::All, noc);
}

// Semaphores.
inline uint32_t get_semaphore(uint32_t id) {
  return tilewright_kernel::bridge().semaphoreAddress(id);
}
inline void noc_semaphore_set(volatile tt_l1_ptr uint32_t *semaphore, uint32_t value) {
  tilewright_kernel::bridge().semaphoreSet(tilewright_kernel::l1Of(semaphore), value);
}
inline void noc_semaphore_wait(volatile tt_l1_ptr uint32_t *semaphore, uint32_t value) {
  tilewright_kernel::bridge().semaphoreWait(tilewright_kernel::l1Of(semaphore), value, 0);
}
inline void noc_semaphore_wait_min(volatile tt_l1_ptr uint32_t *semaphore, uint32_t value) {
  tilewright_kernel::bridge().semaphoreWait(tilewright_kernel::l1Of(semaphore), value, 1);
}
template <bool posted = false>
inline void noc_semaphore_inc(uint64_t address, uint32_t increment, uint8_t noc = noc_index,
                              uint8_t vc = NOC_UNICAST_WRITE_VC) {
  auto t = tilewright_kernel::transfer(address, 0, 4, noc, vc);
  t.posted = posted;
  tilewright_kernel::bridge().atomicAdd(&t, increment);
}
inline void noc_semaphore_set_remote(uint32_t src, uint64_t dst, uint8_t noc = noc_index) {
  noc_async_write(src, dst, 4, noc);
}
inline void noc_semaphore_set_multicast(uint32_t src, uint64_t dst, uint32_t num_dests,
                                        bool linked = false, uint8_t noc = noc_index,
                                        uint8_t vc = NOC_MULTICAST_WRITE_VC) {
  noc_async_write_multicast(src, dst, 4, num_dests, linked, noc, vc);
}
inline void noc_semaphore_set_multicast_loopback_src(uint32_t src, uint64_t dst, uint32_t num_dests,
                                                     bool linked = false, uint8_t noc = noc_index) {
  noc_async_write_multicast_loopback_src(src, dst, 4, num_dests, linked, noc);
}
template <bool posted = false>
inline void noc_semaphore_inc_multicast(uint64_t dst, uint32_t increment, uint32_t num_dests,
                                        uint8_t noc = noc_index,
                                        uint8_t vc = NOC_MULTICAST_WRITE_VC) {
  auto t = tilewright_kernel::transfer(dst, 0, 4, noc, vc);
  t.destinations = num_dests, t.posted = posted;
  tilewright_kernel::bridge().atomicAddMulticast(&t, increment);
}
