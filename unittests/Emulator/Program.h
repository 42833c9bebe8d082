// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hand-written directories for the tests: kernels as text, the manifest as a JSON value.
#pragma once

#include "tilewright/Emulator/TTMetal.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

namespace tilewright::emulator::test {

using nlohmann::json;

/// The Wormhole of machines/wormhole.yaml.
const MachineModel &wormhole();

struct Program {
  json manifest;
  std::string reader = "#include \"api/dataflow/dataflow_api.h\"\nvoid kernel_main() {}\n";
  std::string writer = reader;
  std::string compute = "#include \"api/compute/common.h\"\nvoid kernel_main() {}\n";

  /// A program on gridX x gridY cores without tensors, buffers or arguments.
  explicit Program(int gridX = 1, int gridY = 1);
  Program &tensor(const std::string &name, bool output, const std::string &dtype, int rows,
                  int columns);
  Program &cb(int index, const std::string &name, const std::string &dtype, int pages,
              int blockPages = 1);
  Program &semaphore(int id, int initial = 0);
  /// kernel: 0 reader, 1 compute, 2 writer. The same arguments on every core.
  Program &compileArgs(int kernel, json args);
  Program &runtimeArgs(int kernel, json args);
  Program &coreArgs(int kernel, int x, int y, json args);

  /// Body of a data-movement kernel_main, with the API included.
  static std::string dataMovement(const std::string &body);
  /// Body of a compute kernel_main, with the headers of a GEMM included.
  static std::string computing(const std::string &body);

  /// Writes the directory; removed when the test process ends.
  std::string write() const;
  EmulationReport run(const std::vector<HostTensor> &inputs = {},
                      const EmulationOptions &options = {}) const;
};

/// Runs and returns the id of the Error; "" when there is none. `text`, when given, gets the
/// message.
std::string errorOf(const Program &program, const std::vector<HostTensor> &inputs = {},
                    std::string *text = nullptr, const EmulationOptions &options = {});

/// Deterministic values in [-1, 1), rounded to the dtype.
HostTensor randomTensor(const std::string &name, const std::string &dtype, int rows, int columns,
                        unsigned seed);

/// An address argument, an accessor, a virtual coordinate.
json address(const std::string &tensor);
json accessor(const std::string &tensor);
json nocX(int x, int y);
json nocY(int x, int y);

} // namespace tilewright::emulator::test
