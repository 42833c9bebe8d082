// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's .npy files, versions 1.0 and 2.0 (format: numpy.org/doc/stable, "numpy.lib.format").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// An array in row-major order; the shape () is one value.
struct NpyArray {
  std::vector<int64_t> shape;
  std::vector<float> values;
};

/// Reads little-endian float32 and float64 (rounded to nearest); column-major data is reordered.
/// The file must hold exactly one array. Throws npy.open, npy.malformed (both User) and npy.type
/// (Unsupported); the message says at which byte.
NpyArray readNpy(const std::string &path);
/// The same for a file's bytes; `name` is used in messages.
NpyArray parseNpy(std::string_view bytes, const std::string &name);

/// A version 1.0 file of float32. `values` has as many elements as the shape says (else npy.shape,
/// Internal).
std::string formatNpy(const std::vector<int64_t> &shape, const std::vector<float> &values);
/// Throws npy.open when the file cannot be written.
void writeNpy(const std::string &path, const std::vector<int64_t> &shape,
              const std::vector<float> &values);

} // namespace tilewright
