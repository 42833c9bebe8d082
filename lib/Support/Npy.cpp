// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A strict reader and a writer of .npy files.
#include "tilewright/Support/Npy.h"
#include "tilewright/Support/Checked.h"
#include "tilewright/Support/Diagnostic.h"
#include "tilewright/Support/File.h"
#include <bit>
#include <cstring>
#include <fstream>
#include <optional>

namespace tilewright {

static_assert(std::endian::native == std::endian::little,
              "bytes are copied as they are in the file");

namespace {

constexpr size_t maxRank = 32; // NumPy's own limit before version 2

/// The header is a Python dict literal with three known keys, so a parser for just that is enough.
class Parser {
public:
  Parser(std::string_view bytes, const std::string &name) : bytes(bytes), name(name) {}
  NpyArray parse();

private:
  [[noreturn]] void fail(const std::string &what) const {
    throw Error(Kind::User, "npy.malformed",
                "'" + name + "' is not a valid .npy file: " + what + " at byte " +
                    std::to_string(at),
                "write the array again with numpy.save", {name});
  }
  void parsePreamble();
  void parseHeader();
  void parseEntry();
  void parseShape();
  void checkHeader();
  std::string parseString();
  int64_t parseInteger();
  bool accept(std::string_view text);
  void expect(std::string_view text);
  NpyArray parseData();
  float element(size_t index) const;
  std::vector<float> reordered() const;

  std::string_view bytes;
  const std::string &name;
  size_t at = 0, end = 0;
  std::string descr;
  bool fortranOrder = false, haveOrder = false, haveShape = false;
  std::vector<int64_t> shape;
  size_t width = 0;
};

void Parser::parsePreamble() {
  constexpr std::string_view magic("\x93NUMPY", 6);
  if (bytes.substr(0, 6) != magic)
    fail("the magic string is missing");
  at = 6;
  if (bytes.size() < 10)
    fail("the file ends before its header");
  unsigned major = (unsigned char)bytes[6], minor = (unsigned char)bytes[7];
  if ((major != 1 && major != 2) || minor != 0)
    fail("version " + std::to_string(major) + "." + std::to_string(minor) + ", not 1.0 or 2.0,");
  size_t lengthBytes = major == 1 ? 2 : 4;
  at = 8;
  if (bytes.size() < 8 + lengthBytes)
    fail("the file ends before its header");
  size_t length = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    length |= size_t((unsigned char)bytes[8 + i]) << (8 * i);
  at = 8 + lengthBytes;
  if (length > bytes.size() - at)
    fail("a header of " + std::to_string(length) + " bytes in a file of " +
         std::to_string(bytes.size()));
  end = at + length;
}

bool Parser::accept(std::string_view text) {
  while (at < end && (bytes[at] == ' ' || bytes[at] == '\n'))
    ++at;
  if (text.size() > end - at || bytes.substr(at, text.size()) != text)
    return false;
  at += text.size();
  return true;
}

void Parser::expect(std::string_view text) {
  if (!accept(text))
    fail("'" + std::string(text) + "' expected");
}

std::string Parser::parseString() {
  char quote = accept("'") ? '\'' : accept("\"") ? '"' : '\0';
  if (!quote)
    fail("a string expected");
  size_t close = bytes.substr(0, end).find(quote, at);
  if (close == std::string_view::npos)
    fail("a string without end");
  std::string text(bytes.substr(at, close - at));
  at = close + 1;
  return text;
}

int64_t Parser::parseInteger() {
  accept("");
  size_t start = at;
  int64_t value = 0;
  for (; at < end && bytes[at] >= '0' && bytes[at] <= '9'; ++at) {
    auto shifted = checkedMul(value, 10);
    auto sum = shifted ? checkedAdd(*shifted, bytes[at] - '0') : std::nullopt;
    if (!sum)
      fail("a dimension that does not fit in 64 bits");
    value = *sum;
  }
  if (at == start)
    fail("a dimension expected");
  return value;
}

void Parser::parseShape() {
  expect("(");
  shape.clear();
  while (!accept(")")) {
    shape.push_back(parseInteger());
    if (shape.size() > maxRank)
      fail("more than " + std::to_string(maxRank) + " dimensions");
    if (accept(","))
      continue;
    expect(")");
    if (shape.size() == 1)
      fail("a number where a tuple is expected");
    break;
  }
  haveShape = true;
}

void Parser::parseEntry() {
  std::string key = parseString();
  expect(":");
  if (key == "shape")
    return parseShape();
  if (key == "fortran_order") {
    fortranOrder = accept("True");
    if (!fortranOrder)
      expect("False");
    haveOrder = true;
    return;
  }
  if (key != "descr")
    fail("an unknown key '" + key + "'");
  if (accept("["))
    throw Error(Kind::Unsupported, "npy.type", "'" + name + "' holds records, not numbers",
                "save one plain float32 array", {name});
  descr = parseString();
}

void Parser::parseHeader() {
  expect("{");
  while (!accept("}")) {
    parseEntry();
    if (accept(","))
      continue;
    expect("}");
    break;
  }
  accept("");
  if (at != end)
    fail("text after the header's end");
  checkHeader();
}

void Parser::checkHeader() {
  if (descr.empty() || !haveOrder || !haveShape)
    fail("a header without 'descr', 'fortran_order' or 'shape'");
  width = descr == "<f4" ? 4 : descr == "<f8" ? 8 : 0;
  if (!width)
    throw Error(Kind::Unsupported, "npy.type",
                "'" + name + "' has elements of type '" + descr + "', not '<f4' or '<f8'",
                "convert it with array.astype(numpy.float32)", {name});
}

float Parser::element(size_t index) const {
  const char *from = bytes.data() + at + index * width;
  if (width == 4) {
    float value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  double value;
  std::memcpy(&value, from, sizeof value);
  return float(value);
}

/// Column-major to row-major: walks the row-major positions and keeps the column-major offset.
std::vector<float> Parser::reordered() const {
  std::vector<int64_t> index(shape.size(), 0), strides(shape.size(), 1);
  size_t count = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    strides[d] = count;
    count *= shape[d];
  }
  std::vector<float> values(count);
  size_t offset = 0;
  for (float &value : values) {
    value = element(offset);
    for (size_t d = shape.size(); d-- > 0;) {
      offset += strides[d];
      if (++index[d] < shape[d])
        break;
      offset -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
  return values;
}

NpyArray Parser::parseData() {
  bool empty = false;
  for (int64_t size : shape)
    empty |= size == 0;
  std::optional<int64_t> count = empty ? 0 : 1;
  for (int64_t size : shape)
    count = count ? checkedMul(*count, size) : count;
  auto needed = count ? checkedMul(*count, int64_t(width)) : std::nullopt;
  if (!needed)
    fail("a shape whose size does not fit in 64 bits");
  if (uint64_t(*needed) != bytes.size() - at)
    fail(std::to_string(bytes.size() - at) + " bytes of data where the shape needs " +
         std::to_string(*needed) + ",");
  NpyArray array{shape, {}};
  if (fortranOrder && !empty) {
    array.values = reordered();
    return array;
  }
  array.values.resize(*count);
  for (int64_t i = 0; i < *count; ++i)
    array.values[i] = element(i);
  return array;
}

NpyArray Parser::parse() {
  parsePreamble();
  parseHeader();
  return parseData();
}

} // namespace

NpyArray parseNpy(std::string_view bytes, const std::string &name) {
  return Parser(bytes, name).parse();
}

NpyArray readNpy(const std::string &path) {
  std::string why;
  auto bytes = readFile(path, why);
  if (!bytes)
    throw Error(Kind::User, "npy.open", "'" + path + "' cannot be read: " + why, "check the path",
                {path});
  return parseNpy(*bytes, path);
}

std::string formatNpy(const std::vector<int64_t> &shape, const std::vector<float> &values) {
  std::string dims;
  int64_t count = 1;
  for (int64_t size : shape) {
    dims += std::to_string(size) + ", ";
    count *= size;
  }
  if (count != int64_t(values.size()))
    throw Error(Kind::Internal, "npy.shape",
                "a shape of " + std::to_string(count) + " elements for " +
                    std::to_string(values.size()) + " values");
  if (shape.size() != 1 && !dims.empty())
    dims.resize(dims.size() - 2);
  else if (!dims.empty())
    dims.pop_back();
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + dims + "), }";
  header.append((64 - (10 + header.size() + 1) % 64) % 64,
                ' '); // the data starts at a multiple of 64
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += char(header.size() & 0xff);
  bytes += char(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float));
  return bytes;
}

void writeNpy(const std::string &path, const std::vector<int64_t> &shape,
              const std::vector<float> &values) {
  std::string bytes = formatNpy(shape, values);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), std::streamsize(bytes.size()));
  file.close();
  if (!file)
    throw Error(Kind::User, "npy.open", "'" + path + "' cannot be written", "check the path",
                {path});
}

} // namespace tilewright
