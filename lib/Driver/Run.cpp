// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compile, execute, compare.
#include "tilewright/Driver/Run.h"
#include "tilewright/Driver/Folder.h"
#include "tilewright/Emulator/TTMetalMachine.h"
#include "tilewright/Support/Npy.h"
#include "tilewright/Support/Random.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace fs = std::filesystem;

namespace tilewright::driver {

//===--- Inputs
//--------------------------------------------------------------------------------------===//

static int64_t countOf(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

static std::string shapeText(const std::vector<int64_t> &shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

/// Values of one input: from its file, or normally distributed from the seed and the tensor's name.
static std::vector<float> valuesOf(const std::string &name, const std::string &dtype,
                                   const std::vector<int64_t> &shape, uint64_t seed,
                                   const std::map<std::string, std::string> &files) {
  auto file = files.find(name);
  if (file == files.end())
    return normalValues(seedFor(seed, name), countOf(shape), dtype == "bf16");
  NpyArray array = readNpy(file->second);
  if (array.shape != shape)
    throw Error(Kind::User, "driver.input-shape",
                "input '" + name + "' has shape " + shapeText(array.shape) + " in '" +
                    file->second + "' where " + shapeText(shape) + " is expected",
                "save the array with that shape", {file->second});
  if (dtype == "bf16")
    std::transform(array.values.begin(), array.values.end(), array.values.begin(), roundToBf16);
  return array.values;
}

static void checkInputNames(const std::map<std::string, std::string> &files,
                            const std::vector<std::string> &names) {
  for (const auto &[name, file] : files)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error(Kind::User, "driver.unknown-input", "the kernel has no input '" + name + "'",
                  "its inputs are: " + fmt::format("{}", fmt::join(names, ", ")));
}

//===--- The two sides of the comparison
//-------------------------------------------------------------===//

static std::vector<reference::Tensor> makeInputs(mlir::func::FuncOp program,
                                                 const RunOptions &options) {
  std::vector<reference::Tensor> inputs;
  std::vector<std::string> names;
  for (auto [i, type] : llvm::enumerate(program.getArgumentTypes())) {
    if (program.getArgAttrOfType<mlir::StringAttr>(i, tw::roleAttr).getValue() != "input")
      continue;
    auto tensor = mlir::cast<mlir::MemRefType>(type);
    reference::Tensor input{tw::argumentName(program.getArgument(i)),
                            tensor.getElementType().isF32() ? "f32" : "bf16",
                            tensor.getShape().vec(),
                            {}};
    names.push_back(input.name);
    inputs.push_back(std::move(input));
  }
  checkInputNames(options.inputFiles, names);
  for (auto &input : inputs)
    input.values = valuesOf(input.name, input.dtype, input.shape, options.seed, options.inputFiles);
  return inputs;
}

/// The device's arithmetic in numbers (docs/numerics.md), from the machine's description.
static reference::Precision precisionOf(const machine::Machine &machine) {
  auto phases = [&](const char *dtype) {
    return (int)machine.number("compute.fidelity_phases." +
                               machine.text(std::string("compute.math_fidelity.") + dtype));
  };
  int srcA = machine.number("compute.srca_high_bits"),
      srcB = machine.number("compute.srcb_high_bits");
  int tf32 = machine.number("compute.tf32_significand_bits");
  auto precision = reference::Precision::ofMultiplier(phases("bf16"), srcA, srcB, 8);
  auto wide = reference::Precision::ofMultiplier(phases("f32"), srcA, srcB, tf32);
  precision.fidelityLossF32 = wide.fidelityLossF32;
  precision.fpuTruncation = wide.fpuTruncation;
  double approximation = std::ldexp(1.0, -(int)machine.number("compute.sfpu_accurate_bits"));
  for (unsigned kind = 0; kind <= tw::getMaxEnumValForUnaryKind(); ++kind)
    if (auto unary = tw::symbolizeUnaryKind(kind); unary && *unary != tw::UnaryKind::Relu)
      precision.sfpu[*unary] = {approximation, approximation};
  precision.divide = {approximation, 0};
  return precision;
}

static std::map<std::string, int64_t> blockSizes(const Compilation &compilation) {
  std::map<std::string, int64_t> sizes;
  for (const auto &symbol : compilation.facts.symbols)
    sizes[symbol.name] = compilation.schedule.value(symbol.name);
  return sizes;
}

static std::vector<reference::Tensor>
emulateOutputs(const std::string &folder, const machine::Machine &machine,
               const std::vector<reference::Tensor> &inputs, emulator::EmulationReport &report,
               const emulator::EmulationOptions &options = {}) {
  std::vector<emulator::HostTensor> device;
  for (const auto &input : inputs)
    device.push_back({input.name, input.dtype, input.shape, input.values});
  report = emulator::emulate(folder, emulator::loadManifest(folder),
                             emulator::machineModel(machine), device, options);
  std::vector<reference::Tensor> outputs;
  for (const auto &output : report.outputs)
    outputs.push_back({output.name, output.dtype, output.shape, output.values});
  return outputs;
}

static void save(const std::string &folder, const std::vector<reference::Tensor> &outputs) {
  if (folder.empty())
    return;
  std::map<std::string, std::string> files;
  for (const auto &output : outputs)
    files[output.name + ".npy"] = formatNpy(output.shape, output.values);
  saveFiles(folder, files);
}

static std::string comparisonLine(const reference::Output &expected,
                                  const reference::Comparison &c) {
  std::string text = fmt::format(
      "{} {}{}: max abs error {:.3g}, max rel error {:.3g}, PCC {:.7f}\n", expected.tensor.name,
      expected.tensor.dtype, shapeText(expected.tensor.shape), c.maxAbs, c.maxRel, c.pcc);
  if (c.pass)
    return text +
           fmt::format("  every element within its bound; nearest: |{:.6g} - {:.6g}| <= {:.3g}\n",
                       c.got, c.expected, c.bound);
  if (c.undecided)
    text += fmt::format("  {} elements undecided: an overflow, a pole or the end of a domain is "
                        "within reach, so they have no bound\n",
                        c.undecided);
  if (c.mismatches)
    return text + fmt::format("  {} elements beyond their bound; worst: element {}: {:.6g} where "
                              "{:.6g} +- {:.3g} is expected\n",
                              c.mismatches, c.worst, c.got, c.expected, c.bound);
  return text + fmt::format("  one of them: element {}: {:.6g} where {:.6g} is expected\n", c.worst,
                            c.got, c.expected);
}

RunResult run(const RunOptions &options) {
  auto compilation = compile(options.compile);
  RunResult result{true, report(*compilation, true)};
  auto program = compilation->function(*compilation->tile);
  auto inputs = makeInputs(program, options);
  auto expected =
      reference::run(program, inputs, blockSizes(*compilation), precisionOf(compilation->machine));
  TemporaryFolder folder(compilation->emitted.files);
  emulator::EmulationReport emulation;
  auto actual = emulateOutputs(folder.path(), compilation->machine, inputs, emulation);
  result.text +=
      fmt::format("emulated   {} events, {} cycles on an uncalibrated clock, in emulation\n",
                  emulation.events, emulation.cycles);
  if (actual.size() != expected.size())
    throw Error(Kind::Internal, "driver.outputs",
                "the emulation produced another number of outputs");
  for (size_t i = 0; i < expected.size(); ++i) {
    auto comparison = reference::compare(expected[i], actual[i]);
    result.pass &= comparison.pass;
    result.text += comparisonLine(expected[i], comparison);
  }
  save(options.saveFolder, actual);
  result.text += result.pass ? "PASS (in emulation)\n" : "FAIL (in emulation)\n";
  return result;
}

//===--- A folder alone
//------------------------------------------------------------------------------===//

static uint64_t fingerprint(const std::vector<float> &values) {
  uint64_t hash = 0xcbf29ce484222325u; // FNV-1a over the bytes
  for (size_t i = 0; i < values.size() * sizeof(float); ++i)
    hash = (hash ^ reinterpret_cast<const unsigned char *>(values.data())[i]) * 0x100000001b3u;
  return hash;
}

/// Runs once more with cores that start far apart: a missing handshake that happened to go well
/// shows.
static void checkSkewed(const std::string &folder, const machine::Machine &machine,
                        const std::vector<reference::Tensor> &inputs,
                        const std::vector<reference::Tensor> &expected) {
  constexpr uint64_t exaggeration =
      32; // times the machine's launch skew: longer than a block takes to arrive
  emulator::EmulationOptions options;
  options.startSkew = exaggeration * machine.number("launch.skew_cycles");
  emulator::EmulationReport report;
  auto outputs = emulateOutputs(folder, machine, inputs, report, options);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (fingerprint(outputs[i].values) != fingerprint(expected[i].values))
      throw Error(Kind::User, "driver.timing-dependent",
                  "output '" + outputs[i].name + "' changes when the cores start at other times",
                  "a handshake between cores is missing in the kernels of '" + folder + "'");
}

std::string emulateFolder(const std::string &folder, uint64_t seed,
                          const std::map<std::string, std::string> &files,
                          const std::string &saveFolder) {
  auto manifest = emulator::loadManifest(folder);
  std::vector<reference::Tensor> inputs;
  std::vector<std::string> names;
  for (const auto &tensor : manifest.tensors)
    if (!tensor.output) {
      inputs.push_back(
          {tensor.name, tensor.dtype == emulator::Dtype::F32 ? "f32" : "bf16", tensor.shape, {}});
      names.push_back(tensor.name);
    }
  checkInputNames(files, names);
  for (auto &input : inputs)
    input.values = valuesOf(input.name, input.dtype, input.shape, seed, files);
  emulator::EmulationReport emulation;
  auto machine = machine::find(manifest.machine);
  auto outputs = emulateOutputs(folder, machine, inputs, emulation);
  checkSkewed(folder, machine, inputs, outputs);
  std::string text =
      fmt::format("emulated   {} events, {} cycles on an uncalibrated clock, in emulation\n",
                  emulation.events, emulation.cycles);
  for (const auto &output : outputs)
    text += fmt::format("{} {}{}: fingerprint {:016x}\n", output.name, output.dtype,
                        shapeText(output.shape), fingerprint(output.values));
  save(saveFolder, outputs);
  return text;
}

//===--- The vendor's runtime on a simulated chip
//----------------------------------------------------===//

RunResult runOnSimulator(const RunOptions &options) {
  auto compilation = compile(options.compile);
  RunResult result{true, report(*compilation, true)};
  auto program = compilation->function(*compilation->tile);
  auto inputs = makeInputs(program, options);
  TemporaryFolder folder(compilation->emitted.files);
  std::vector<std::string> arguments;
  for (const auto &input : inputs) {
    std::string file = folder.path() + "/input_" + input.name + ".npy";
    writeNpy(file, input.shape, input.values);
    arguments.insert(arguments.end(), {"--input", input.name + "=" + file});
  }
  std::string saved = options.saveFolder.empty() ? folder.path() + "/saved" : options.saveFolder;
  arguments.insert(arguments.end(), {"--save", saved});
  result.pass = runSimulator(folder.path(), arguments) == 0;
  if (!result.pass)
    return result.text += "FAIL (on the simulated chip)\n", result;
  auto expected =
      reference::run(program, inputs, blockSizes(*compilation), precisionOf(compilation->machine));
  for (const auto &output : expected) {
    NpyArray array = readNpy(saved + "/" + output.tensor.name + ".npy");
    reference::Tensor actual{output.tensor.name, output.tensor.dtype, array.shape, array.values};
    auto comparison = reference::compare(output, actual);
    result.pass &= comparison.pass;
    result.text += comparisonLine(output, comparison);
  }
  result.text += result.pass ? "PASS (on the simulated chip)\n" : "FAIL (on the simulated chip)\n";
  return result;
}

} // namespace tilewright::driver
