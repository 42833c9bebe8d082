// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comma-separated tables with a header line, and numbers in text.
#pragma once

#include "tilewright/MatMul/Shape.h"
#include <map>
#include <string>
#include <vector>

namespace tilewright::driver {

/// A decimal integer of 64 bits. Error "matmul.number" (User) naming `what`.
int64_t parseInteger(const std::string &text, const std::string &what, Location location = {});

struct CsvRow {
  Location location;
  std::map<std::string, std::string> cells;
};

/// Cells without quotes or commas in them; spaces around them, empty lines and lines that begin
/// with
/// '#' are ignored. Rows with another number of cells than the header are findings in `bad`.
/// Errors: "matmul.csv" for an unreadable file, a missing or an unknown column.
std::vector<CsvRow> readCsv(const std::string &path, const std::vector<std::string> &required,
                            const std::vector<std::string> &optional, std::vector<Diagnostic> &bad);

/// Shapes of a file with the columns m, n, k and any of layout_a, layout_b, dtype, lda, ldb, ldc,
/// batch, deterministic. Rows that are no shape are findings in `bad`, the others are kept.
std::vector<std::pair<Location, matmul::Shape>> readShapes(const std::string &path,
                                                           std::vector<Diagnostic> &bad);

} // namespace tilewright::driver
