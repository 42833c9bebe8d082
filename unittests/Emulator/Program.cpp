// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builder of test directories.
#include "Program.h"
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <random>
#include <unistd.h>

namespace tilewright::emulator::test {

const MachineModel &wormhole() {
  static const MachineModel model =
      machineModel(machine::load(std::string(TILEWRIGHT_SOURCE_DIR) + "/machines/wormhole.yaml"));
  return model;
}

Program::Program(int gridX, int gridY) {
  manifest = {{"format", "tilewright-ttmetal"},
              {"version", 1},
              {"kernel", "k"},
              {"source", "k.py:k"},
              {"machine", "wormhole"},
              {"grid", {{"x", gridX}, {"y", gridY}}},
              {"tensors", json::array()},
              {"circular_buffers", json::array()},
              {"semaphores", json::array()},
              {"compute",
               {{"math_fidelity", "HiFi4"},
                {"fp32_dest_acc_en", true},
                {"dst_full_sync_en", false},
                {"math_approx_mode", false}}},
              {"l1", {{"used", 0}, {"available", 1395424}}},
              {"check", {{"outputs", json::array()}}}};
  auto kernel = [](const char *role) {
    return json{{"role", role},
                {"file", std::string(role) + ".cpp"},
                {"compile_time_args", json::array()},
                {"runtime_args", json::array()}};
  };
  manifest["kernels"] = {kernel("reader"), kernel("compute"), kernel("writer")};
  manifest["kernels"][0].update({{"processor", "RISCV_1"}, {"noc", 0}});
  manifest["kernels"][2].update({{"processor", "RISCV_0"}, {"noc", 1}});
}

Program &Program::tensor(const std::string &name, bool output, const std::string &dtype, int rows,
                         int columns) {
  manifest["tensors"].push_back({{"name", name},
                                 {"role", output ? "output" : "input"},
                                 {"dtype", dtype},
                                 {"shape", {rows, columns}},
                                 {"layout", "matrix"},
                                 {"tiles", {(rows + 31) / 32, (columns + 31) / 32}},
                                 {"page_bytes", dtype == "bf16" ? 2048 : 4096}});
  return *this;
}

Program &Program::cb(int index, const std::string &name, const std::string &dtype, int pages,
                     int blockPages) {
  const int page = dtype == "bf16" ? 2048 : 4096;
  manifest["circular_buffers"].push_back({{"index", index},
                                          {"name", name},
                                          {"dtype", dtype},
                                          {"page_bytes", page},
                                          {"pages", pages},
                                          {"block_pages", blockPages},
                                          {"bytes", pages * page},
                                          {"unpack_to_dest_fp32", false},
                                          {"holds", "test"}});
  manifest["l1"]["used"] = manifest["l1"]["used"].get<int>() + pages * page;
  return *this;
}

Program &Program::semaphore(int id, int initial) {
  manifest["semaphores"].push_back(
      {{"id", id}, {"name", fmt::format("s{}", id)}, {"initial", initial}});
  return *this;
}

Program &Program::compileArgs(int kernel, json args) {
  manifest["kernels"][size_t(kernel)]["compile_time_args"] = std::move(args);
  return *this;
}

Program &Program::coreArgs(int kernel, int x, int y, json args) {
  manifest["kernels"][size_t(kernel)]["runtime_args"].push_back(
      {{"core", {x, y}}, {"args", std::move(args)}});
  return *this;
}

Program &Program::runtimeArgs(int kernel, json args) {
  for (int y = 0; y < manifest["grid"]["y"].get<int>(); ++y)
    for (int x = 0; x < manifest["grid"]["x"].get<int>(); ++x)
      coreArgs(kernel, x, y, args);
  return *this;
}

std::string Program::dataMovement(const std::string &body) {
  return "#include \"api/dataflow/dataflow_api.h\"\nvoid kernel_main() {\n" + body + "\n}\n";
}

std::string Program::computing(const std::string &body) {
  std::string text;
  for (const char *h :
       {"compute_kernel_hw_startup.h", "reg_api.h", "pack.h", "cb_api.h", "matmul.h", "bcast.h",
        "tile_move_copy.h", "eltwise_binary.h", "reconfig_data_format.h"})
    text += fmt::format("#include \"api/compute/{}\"\n", h);
  return text + "void kernel_main() {\n" + body + "\n}\n";
}

namespace {
struct Folder {
  std::filesystem::path path;
  int next = 0;
  Folder()
      : path(std::filesystem::temp_directory_path() /
             fmt::format("tilewright-emulator-test-{}", getpid())) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
};
} // namespace

std::string Program::write() const {
  static Folder folder;
  const auto dir = folder.path / std::to_string(folder.next++);
  std::filesystem::create_directories(dir);
  std::ofstream(dir / "manifest.json") << manifest.dump(1);
  std::ofstream(dir / "reader.cpp") << reader;
  std::ofstream(dir / "compute.cpp") << compute;
  std::ofstream(dir / "writer.cpp") << writer;
  return dir.string();
}

EmulationReport Program::run(const std::vector<HostTensor> &inputs,
                             const EmulationOptions &options) const {
  const std::string dir = write();
  return emulate(dir, loadManifest(dir), wormhole(), inputs, options);
}

std::string errorOf(const Program &program, const std::vector<HostTensor> &inputs,
                    std::string *text, const EmulationOptions &options) {
  try {
    program.run(inputs, options);
  } catch (const Error &e) {
    if (text)
      *text = e.what();
    return e.diagnostic().id;
  }
  return "";
}

HostTensor randomTensor(const std::string &name, const std::string &dtype, int rows, int columns,
                        unsigned seed) {
  HostTensor t{name, dtype, {rows, columns}, {}};
  std::mt19937 generator(seed);
  // 7 bits and a sign: exact in bf16.
  for (int i = 0; i < rows * columns; ++i)
    t.values.push_back(float(int(generator() % 256) - 128) / 128);
  return t;
}

json address(const std::string &tensor) {
  return {{"kind", "address"}, {"tensor", tensor}};
}
json accessor(const std::string &tensor) {
  return {{"kind", "accessor"}, {"tensor", tensor}};
}
json nocX(int x, int y) {
  return {{"kind", "noc_x"}, {"core", {x, y}}};
}
json nocY(int x, int y) {
  return {{"kind", "noc_y"}, {"core", {x, y}}};
}

} // namespace tilewright::emulator::test
