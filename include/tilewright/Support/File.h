// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files as bytes.
#pragma once

#include <optional>
#include <string>

namespace tilewright {

/// The bytes of a regular file. Anything else is not opened: a pipe would wait for its writer and a
/// device need not end. Nothing is returned when it cannot be read; `why` then says the reason.
std::optional<std::string> readFile(const std::string &path, std::string &why);

} // namespace tilewright
