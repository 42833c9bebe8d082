// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// emulate(): one run of a directory, and the machine's numbers.
#include "Kernels.h"
#include <fmt/format.h>

namespace tilewright::emulator {

static const HostTensor &inputFor(const ManifestTensor &t, const std::vector<HostTensor> &inputs) {
  for (const HostTensor &h : inputs) {
    if (h.name != t.name)
      continue;
    size_t elements = 1;
    for (int64_t d : h.shape)
      elements *= size_t(d);
    if (h.shape != t.shape || h.dtype != dtypeName(t.dtype) || h.values.size() != elements)
      throw Error(
          Kind::User, "emulator.input-tensor",
          fmt::format(
              "input \"{}\" has another dtype, shape or number of values than the manifest says",
              t.name),
          "inputs are row-major values of the tensor's own shape");
    return h;
  }
  throw Error(Kind::User, "emulator.input-tensor", fmt::format("input \"{}\" is missing", t.name),
              "give one tensor for every input of the manifest");
}

EmulationReport emulate(const std::string &dir, const Manifest &manifest,
                        const MachineModel &machine, const std::vector<HostTensor> &inputs,
                        const EmulationOptions &options) {
  // Order matters: threads are unwound (with the device) before their code is unloaded.
  std::unique_ptr<Kernels> kernels;
  Device device(manifest, machine, options);
  for (size_t i = 0; i < manifest.tensors.size(); ++i)
    if (!manifest.tensors[i].output)
      device.loadInput(i, inputFor(manifest.tensors[i], inputs));
  kernels = std::make_unique<Kernels>(dir, manifest, machine, options);
  BindDevice bound(device);
  device.spawn([&kernels](int role) { kernels->run(role); });
  device.engine().run();
  return device.report();
}

MachineModel machineModel(const machine::Machine &m) {
  if (m.family != "tenstorrent")
    throw Error(
        Kind::User, "emulator.machine-family",
        fmt::format("machine \"{}\" is of family \"{}\", not \"tenstorrent\"", m.name, m.family),
        "TT-Metal directories run on Tenstorrent machines");
  MachineModel r;
  r.name = m.name;
  r.gridX = m.grid.x, r.gridY = m.grid.y;
  r.l1Base = m.number("l1.reserved"), r.l1End = m.number("l1.capacity");
  r.dramBanks = m.number("dram.banks");
  r.dramBankBytes = m.number("dram.bytes_per_bank");
  r.alignL1 = m.number("noc.alignment.l1"), r.alignDramRead = m.number("noc.alignment.dram_read");
  r.nocBurst = m.number("noc.burst");
  r.cbLimit = m.number("cb.count"), r.semaphoreLimit = m.number("semaphore.count");
  r.runtimeArgLimit = m.number("kernel.runtime_args");
  r.dstTiles16 = m.number("compute.dst_tiles_16bit"),
  r.dstTiles32 = m.number("compute.dst_tiles_fp32");
  r.virtualX = m.number("core.translated_x"), r.virtualY = m.number("core.translated_y");
  TimingModel &t = r.timing;
  t.call = m.number("l1.load_cycles") + m.number("l1.store_cycles");
  t.nocReadIssue = m.number("noc.read_issue"), t.nocWriteIssue = m.number("noc.write_issue");
  t.nocLatency = m.number("noc.write_latency"), t.nocHop = m.number("noc.write_hop_cycles");
  t.readLatency = m.number("noc.read_latency");
  t.nocBytesPerCycle = m.number("noc.core_read_bytes_per_cycle");
  t.multicastSetup = m.number("multicast.setup");
  t.dramLatency = m.number("dram.read_round_trip"),
  t.dramBytesPerCycle = m.number("dram.bytes_per_cycle");
  t.productPhase = m.number("compute.math_cycles_per_phase");
  t.eltwiseTile = m.number("compute.fpu_eltwise_cycles"),
  t.sfpuTile = m.number("compute.sfpu_polynomial_cycles");
  t.unpackBytesPerCycle = m.number("compute.unpack_bytes_per_cycle");
  t.packBytesPerCycle = m.number("compute.pack_bytes_per_cycle");
  return r;
}

} // namespace tilewright::emulator
