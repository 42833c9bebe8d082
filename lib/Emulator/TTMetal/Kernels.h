// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles the kernels of a directory for the host and loads them.
#pragma once

#include "Device.h"
#include <array>
#include <string>

namespace tilewright::emulator {

/// Five shared objects, one per hardware thread, so that nothing of one is visible to another.
class Kernels {
public:
  /// Errors: "emulator.kernel-compile" with the compiler's text, "emulator.toolchain".
  Kernels(const std::string &dir, const Manifest &manifest, const MachineModel &machine,
          const EmulationOptions &options);
  ~Kernels();
  Kernels(const Kernels &) = delete;
  Kernels &operator=(const Kernels &) = delete;
  void run(int role) const { entries[size_t(role)](); }

private:
  struct Job {
    int role = 0;
    std::string command, log, object, key;
  };
  Job prepare(const std::string &dir, const Manifest &manifest, const MachineModel &machine,
              int role) const;
  bool fromCache(const Job &job) const;
  void toCache(const Job &job) const;
  void compile(const std::vector<Job> &jobs) const;
  void load(const Job &job);

  std::string folder;
  std::array<void *, RoleCount> handles{};
  std::array<void (*)(), RoleCount> entries{};
};

/// Table that kernels are bound to; it acts on the device set by BindDevice.
extern const tb::Bridge bridgeTable;

/// Makes `device` the one that kernels act on while this object lives. Does not nest.
struct BindDevice {
  explicit BindDevice(Device &device);
  ~BindDevice();
};

} // namespace tilewright::emulator
