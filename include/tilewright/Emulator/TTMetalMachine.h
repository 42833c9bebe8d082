// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the TT-Metal emulator needs to know about a machine, as plain numbers. They come from a
// machine file; the emulator invents none.
#pragma once

#include "tilewright/Machine/Machine.h"
#include <cstdint>
#include <string>

namespace tilewright::emulator {

/// Cycles and bytes per cycle of the simple timing (docs/emulator.md, Time).
struct TimingModel {
  int64_t call = 0;                            ///< cycles of one API call on a RISC-V core
  int64_t nocReadIssue = 0, nocWriteIssue = 0; ///< cycles to issue one NoC transaction
  int64_t nocLatency = 0;                      ///< cycles of a write, one way, without hops
  int64_t nocHop = 0;                          ///< cycles for each core of distance
  int64_t readLatency = 0;                     ///< cycles from issue to data, L1 of another core
  int64_t nocBytesPerCycle = 1;                ///< of one NoC port
  int64_t multicastSetup = 0;    ///< cycles to reserve the path of an unlinked multicast
  int64_t dramLatency = 0;       ///< cycles from request to first byte
  int64_t dramBytesPerCycle = 1; ///< of one bank
  int64_t productPhase = 1;      ///< cycles per 32x32x32 product and fidelity phase
  int64_t eltwiseTile = 1;       ///< cycles per tile of an elementwise matrix-engine operation
  int64_t sfpuTile = 1;          ///< cycles per tile of a vector-engine operation
  int64_t unpackBytesPerCycle = 1, packBytesPerCycle = 1;
};

struct MachineModel {
  std::string name;
  int64_t gridX = 0, gridY = 0;  ///< worker cores
  int64_t l1Base = 0, l1End = 0; ///< bytes: circular buffers lie in [l1Base, l1End)
  int64_t dramBanks = 0, dramBankBytes = 0;
  int64_t alignL1 = 0, alignDramRead = 0; ///< bytes: source and destination agree modulo these
  int64_t nocBurst = 0;                   ///< bytes of one packet
  int64_t cbLimit = 0, semaphoreLimit = 0, runtimeArgLimit = 0;
  int64_t dstTiles16 = 0, dstTiles32 = 0; ///< half-sync DST capacity in tiles
  int64_t virtualX = 0, virtualY = 0;     ///< virtual coordinate of logical core 0,0
  TimingModel timing;
};

/// Takes the numbers from a machine of family "tenstorrent". Errors: "machine.missing-number",
/// "emulator.machine-family".
MachineModel machineModel(const machine::Machine &machine);

} // namespace tilewright::emulator
