// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table that kernels call; every entry forwards to the device on whose behalf the thread runs.
#include "Kernels.h"
#include <fmt/format.h>

namespace tilewright::emulator {

static thread_local Device *device = nullptr;

BindDevice::BindDevice(Device &d) {
  device = &d;
}
BindDevice::~BindDevice() {
  device = nullptr;
}

constexpr uint64_t edgesPerSpin = 1024; ///< entry.h

const tb::Bridge bridgeTable = {
    .runtimeArg = [](int32_t i) { return device->runtimeArg(i); },
    .logicalX = [] { return uint32_t(device->here().x); },
    .logicalY = [] { return uint32_t(device->here().y); },
    .cbReserve = [](uint32_t cb, uint32_t n) { device->cbReserve(cb, n); },
    .cbPush = [](uint32_t cb, uint32_t n) { device->cbPush(cb, n); },
    .cbWait = [](uint32_t cb, uint32_t n) { device->cbWait(cb, n); },
    .cbPop = [](uint32_t cb, uint32_t n) { device->cbPop(cb, n); },
    .cbFree = [](uint32_t cb, uint32_t n) { return uint32_t(device->cbRoom(cb, n)); },
    .cbAvailable = [](uint32_t cb, uint32_t n) { return uint32_t(device->cbAvailable(cb, n)); },
    .cbWritePointer =
        [](uint32_t cb) {
          const Cb &c = device->cbAt(cb);
          return c.base + c.backPage() * c.pageBytes();
        },
    .cbReadPointer =
        [](uint32_t cb) {
          const Cb &c = device->cbAt(cb);
          return c.base + c.frontPage() * c.pageBytes();
        },
    .cbPageBytes = [](uint32_t cb) { return device->cbAt(cb).pageBytes(); },
    // Values of the vendor's DataFormat: Float16_b 5, Float32 0.
    .cbFormat =
        [](uint32_t cb) { return uint32_t(device->cbAt(cb).info->dtype == Dtype::Bf16 ? 5 : 0); },
    .nocAddress = [](uint32_t x, uint32_t y, uint32_t a) { return device->nocAddress(x, y, a); },
    .ownAddress =
        [](uint32_t a) {
          const Core &c = device->here();
          return device->nocAddress(device->resolve({ManifestArgument::Kind::NocX, 0, 0, c.x, c.y}),
                                    device->resolve({ManifestArgument::Kind::NocY, 0, 0, c.x, c.y}),
                                    a);
        },
    .multicastAddress = [](uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,
                           uint32_t a) { return device->multicastAddress(x0, y0, x1, y1, a); },
    .pageAddress = [](uint32_t base, uint32_t page, uint32_t bytes,
                      uint32_t offset) { return device->pageAddress(base, page, bytes, offset); },
    .read = [](const tb::Transfer *t) { device->read(*t); },
    .write = [](const tb::Transfer *t) { device->write(*t); },
    .multicast = [](const tb::Transfer *t) { device->multicast(*t); },
    .writeWord = [](const tb::Transfer *t, uint32_t v) { device->writeWord(*t, v); },
    .atomicAdd = [](const tb::Transfer *t, uint32_t v) { device->atomicAdd(*t, v, false); },
    .atomicAddMulticast = [](const tb::Transfer *t, uint32_t v) { device->atomicAdd(*t, v, true); },
    .fence = [](tb::Fence f, uint32_t noc) { device->fence(f, noc); },
    .semaphoreAddress = [](uint32_t id) { return device->semaphoreAddress(id); },
    .semaphoreSet = [](uint64_t a, uint32_t v) { device->semaphoreSet(a, v); },
    .semaphoreRead = [](uint64_t a) { return device->semaphoreRead(a); },
    .semaphoreWait = [](uint64_t a, uint32_t v,
                        uint32_t least) { device->semaphoreWait(a, v, least); },
    .configure = [](tb::Configure w, uint32_t a, uint32_t b,
                    uint32_t c) { device->configure(w, a, b, c); },
    .init = [](const tb::FpuOp *op) { device->init(*op); },
    .unpack = [](const tb::FpuOp *op) { device->unpack(*op); },
    .math = [](const tb::FpuOp *op) { device->math(*op); },
    .sfpuInit = [](tb::Sfpu code) { device->sfpuInit(code); },
    .sfpu = [](const tb::SfpuOp *op) { device->sfpu(*op); },
    .dstAcquire = [] { device->dstAcquire(); },
    .dstCommit = [] { device->dstCommit(); },
    .dstWait = [] { device->dstWait(); },
    .dstRelease = [] { device->dstRelease(); },
    .packTile = [](uint32_t dst, uint32_t cb, uint32_t outOfOrder,
                   uint32_t i) { device->packTile(dst, cb, outOfOrder, i); },
    .spin = [] { device->engine().work(edgesPerSpin); },
    .rawAccess =
        [](uint64_t at) {
          device->fail("emulator.raw-access",
                       fmt::format("the kernel dereferences the device address {:#x} itself", at),
                       "use noc_semaphore_set and noc_semaphore_wait");
        },
};

} // namespace tilewright::emulator
