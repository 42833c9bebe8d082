// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs an emitted TT-Metal directory (docs/manifest.md) on real numbers: the kernels themselves,
// compiled by the host compiler against API headers of our own. See docs/emulator.md.
#pragma once

#include "tilewright/Emulator/TTMetalMachine.h"
#include "tilewright/Support/Diagnostic.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::emulator {

enum class Dtype { Bf16, F32 };

struct ManifestTensor {
  std::string name;
  bool output = false;
  Dtype dtype = Dtype::Bf16;
  std::vector<int64_t> shape; ///< as in the source, rank 1 or 2
  std::string layout;         ///< "matrix", "row" or "column"
  int64_t tileRows = 0, tileColumns = 0;
  int64_t pageBytes = 0;
};

struct ManifestBuffer {
  int64_t index = 0;
  std::string name;
  Dtype dtype = Dtype::Bf16;
  int64_t pageBytes = 0, pages = 0, blockPages = 0, bytes = 0;
  bool unpackToDestFp32 = false;
  std::optional<int64_t> aliasOf; ///< lies at the same L1 address as the buffer of this index
};

struct ManifestSemaphore {
  int64_t id = 0;
  std::string name;
  int64_t initial = 0;
};

/// An integer, or something that is known only when memory and coordinates have been assigned.
struct ManifestArgument {
  enum class Kind { Integer, Accessor, Address, NocX, NocY } kind = Kind::Integer;
  uint32_t value = 0;           ///< Integer
  size_t tensor = 0;            ///< Accessor, Address: index into Manifest::tensors
  int64_t coreX = 0, coreY = 0; ///< NocX, NocY: logical core
};

struct ManifestCoreArguments {
  int64_t x = 0, y = 0;
  std::vector<ManifestArgument> args;
};

struct ManifestKernel {
  std::string role; ///< "reader", "compute" or "writer"
  std::string file;
  int64_t noc = -1; ///< -1 for compute
  std::vector<ManifestArgument> compileTimeArgs;
  std::vector<ManifestCoreArguments> runtimeArgs;
  std::vector<std::string> names; ///< of runtime arguments by position, may be empty
};

/// docs/manifest.md, checked.
struct Manifest {
  std::string file; ///< path of manifest.json
  std::string kernel, source, machine;
  int64_t gridX = 0, gridY = 0;
  std::vector<ManifestTensor> tensors;
  std::vector<ManifestBuffer> buffers;
  std::vector<ManifestSemaphore> semaphores;
  std::vector<ManifestKernel> kernels; ///< reader, compute, writer in this order
  int mathPhases = 4;                  ///< LoFi 1 .. HiFi4 4
  bool fp32DestAcc = false, dstFullSync = false, mathApprox = false;
  int64_t l1Used = 0, l1Available = 0;
};

/// Reads DIR/manifest.json. Every defect is an Error "emulator.manifest" (or
/// "emulator.manifest-version", "emulator.file") with line and column.
Manifest loadManifest(const std::string &dir);

/// Row-major logical values, already rounded to dtype ("bf16" or "f32").
struct HostTensor {
  std::string name, dtype;
  std::vector<int64_t> shape;
  std::vector<float> values;
};

struct EmulationOptions {
  uint64_t workLimit = 2'000'000'000; ///< events, API calls and control-flow edges; 0: none
  /// Cycles by which the last core starts after the first, the others in between in row order.
  /// Right handshakes give the same values for any skew.
  uint64_t startSkew = 0;
  bool keepObjects = false; ///< leave the temporary folder of compiled kernels in place
  /// DST tiles available in half-sync mode follow the machine; see MachineModel.
};

struct ThreadReport {
  int64_t x = 0, y = 0;
  std::string thread;    ///< "reader", "writer", "unpack", "math", "pack"
  uint64_t busy = 0;     ///< cycles
  uint64_t stalled = 0;  ///< cycles spent waiting for something
  uint64_t stalls = 0;   ///< number of waits that blocked
  uint64_t finished = 0; ///< cycle at which its kernel returned
};

struct EmulationReport {
  std::vector<HostTensor> outputs;
  uint64_t cycles = 0;
  uint64_t events = 0;
  std::vector<ThreadReport> threads; ///< core-major, five per core
};

/// Runs the directory. `inputs` are matched by name. Values and time are those of the emulation.
/// Errors: "emulator.<check>", listed in docs/emulator.md.
EmulationReport emulate(const std::string &dir, const Manifest &manifest,
                        const MachineModel &machine, const std::vector<HostTensor> &inputs,
                        const EmulationOptions &options = {});

} // namespace tilewright::emulator
