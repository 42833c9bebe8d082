// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Csv.h"
#include "tilewright/Support/File.h"
#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

namespace tilewright::driver {

int64_t parseInteger(const std::string &text, const std::string &what, Location location) {
  int64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc::result_out_of_range)
    throw Error(Kind::User, "matmul.number",
                "'" + what + "' is " + text + ", which does not fit in 64 bits",
                "give a smaller number", location);
  if (code != std::errc() || end != text.data() + text.size() || text.empty())
    throw Error(Kind::User, "matmul.number", "'" + what + "' is '" + text + "', not an integer",
                "write a decimal number", location);
  return value;
}

static std::string trimmed(const std::string &text) {
  size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

static std::vector<std::string> cellsOf(const std::string &line) {
  std::vector<std::string> cells;
  for (size_t begin = 0;;) {
    size_t end = line.find(',', begin);
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    if (end == std::string::npos)
      return cells;
    begin = end + 1;
  }
}

static Error csvError(const std::string &message, const std::string &hint, Location location) {
  return {Kind::User, "matmul.csv", message, hint, std::move(location)};
}

static void checkHeader(const std::vector<std::string> &header,
                        const std::vector<std::string> &required,
                        const std::vector<std::string> &optional, Location location) {
  std::set<std::string> known(required.begin(), required.end()), seen;
  known.insert(optional.begin(), optional.end());
  for (const std::string &name : header) {
    if (!known.contains(name))
      throw csvError("unknown column '" + name + "'", "docs/matmul.md lists the columns", location);
    if (!seen.insert(name).second)
      throw csvError("column '" + name + "' is there twice", "leave one out", location);
  }
  for (const std::string &name : required)
    if (!seen.contains(name))
      throw csvError("there is no column '" + name + "'", "add it to the first line", location);
}

std::vector<CsvRow> readCsv(const std::string &path, const std::vector<std::string> &required,
                            const std::vector<std::string> &optional,
                            std::vector<Diagnostic> &bad) {
  std::string why = "it is empty";
  auto text = readFile(path, why);
  if (!text || text->empty())
    throw csvError("cannot read the file: " + why, "check the path", {path, 0, 0});
  std::istringstream stream(*text);
  std::vector<std::string> header;
  std::vector<CsvRow> rows;
  std::string line;
  for (unsigned number = 1; std::getline(stream, line); ++number) {
    Location location{path, number, 1};
    if (std::string text = trimmed(line); text.empty() || text[0] == '#')
      continue;
    std::vector<std::string> cells = cellsOf(line);
    if (header.empty()) {
      checkHeader(cells, required, optional, location);
      header = cells;
    } else if (cells.size() != header.size()) {
      bad.push_back(csvError("the row has " + std::to_string(cells.size()) + " cells, the header " +
                                 std::to_string(header.size()),
                             "correct the row", location)
                        .diagnostic());
    } else {
      CsvRow &row = rows.emplace_back(CsvRow{location, {}});
      for (size_t i = 0; i < cells.size(); ++i)
        row.cells[header[i]] = cells[i];
    }
  }
  if (header.empty())
    throw csvError("the file has no header line", "begin with 'm,n,k'", {path, 1, 1});
  return rows;
}

static matmul::Shape shapeOf(const CsvRow &row) {
  matmul::Shape s;
  auto number = [&](const char *column, int64_t &value) {
    if (auto cell = row.cells.find(column); cell != row.cells.end())
      value = parseInteger(cell->second, column, row.location);
  };
  number("m", s.m), number("n", s.n), number("k", s.k), number("batch", s.batch);
  number("lda", s.lda), number("ldb", s.ldb), number("ldc", s.ldc);
  int64_t deterministic = 0;
  number("deterministic", deterministic);
  s.deterministic = deterministic != 0;
  if (auto cell = row.cells.find("layout_a"); cell != row.cells.end())
    s.layoutA = matmul::parseLayout(cell->second);
  if (auto cell = row.cells.find("layout_b"); cell != row.cells.end())
    s.layoutB = matmul::parseLayout(cell->second);
  if (auto cell = row.cells.find("dtype"); cell != row.cells.end())
    s.dtype = matmul::parseDtype(cell->second);
  check(s);
  return s;
}

std::vector<std::pair<Location, matmul::Shape>> readShapes(const std::string &path,
                                                           std::vector<Diagnostic> &bad) {
  std::vector<std::pair<Location, matmul::Shape>> shapes;
  for (const CsvRow &row : readCsv(
           path, {"m", "n", "k"},
           {"layout_a", "layout_b", "dtype", "lda", "ldb", "ldc", "batch", "deterministic"}, bad)) {
    try {
      shapes.emplace_back(row.location, shapeOf(row));
    } catch (const Error &error) {
      Diagnostic diagnostic = error.diagnostic();
      diagnostic.location = row.location;
      bad.push_back(std::move(diagnostic));
    }
  }
  return shapes;
}

} // namespace tilewright::driver
