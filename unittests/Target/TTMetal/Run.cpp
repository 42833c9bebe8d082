// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Run.h"
#include "tilewright/Support/Random.h"
#include "tilewright/Target/TTMetal/Emit.h"
#include <fstream>

namespace tilewright::test {

void writeCase(const Case &c, const std::filesystem::path &dir) {
  Parsed parsed = parse(c.text);
  ttmetal::Emitted emitted =
      ttmetal::emit(parsed.func, wormhole(), {"tilewright (test)", {c.name}});
  std::filesystem::create_directories(dir);
  for (const auto &[name, contents] : emitted.files)
    std::ofstream(dir / name) << contents;
}

EmulatedCase emulateCase(const std::filesystem::path &dir) {
  emulator::Manifest manifest = emulator::loadManifest(dir);
  EmulatedCase run;
  for (const emulator::ManifestTensor &t : manifest.tensors) {
    if (t.output)
      continue;
    int64_t count = 1;
    for (int64_t extent : t.shape)
      count *= extent;
    bool bf16 = t.dtype == emulator::Dtype::Bf16;
    run.inputs.push_back(
        {t.name, bf16 ? "bf16" : "f32", t.shape, normalValues(seedFor(1, t.name), count, bf16)});
  }
  run.outputs =
      emulator::emulate(dir, manifest, emulator::machineModel(wormhole()), run.inputs).outputs;
  return run;
}

} // namespace tilewright::test
