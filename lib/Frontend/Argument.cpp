// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of `-a` options. Errors are located by column in the option's own text.
#include "Dtype.h"
#include "tilewright/Frontend/Frontend.h"
#include "tilewright/Support/Checked.h"
#include <charconv>
#include <cmath>

namespace tilewright::frontend {

namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) { argument.text = std::string(text); }

  Argument run() {
    size_t equals = text.find('=');
    if (equals == std::string_view::npos)
      fail(0, "frontend.argument", "argument '" + std::string(text) + "' has no value");
    parseName(text.substr(0, equals));
    valueStart = equals + 1;
    std::string_view value = text.substr(valueStart);
    if (value.empty())
      fail(valueStart, "frontend.argument", "argument '" + argument.name + "' has an empty value");
    if (!parseQuoted(value) && !parseCallable(value) && !parseTensor(value))
      parseScalar(value);
    return argument;
  }

private:
  static constexpr const char *forms =
      "write NAME=DTYPE[DIMS], NAME=VALUE or NAME=FILE.py:FUNCTION";

  [[noreturn]] void fail(size_t at, const char *id, const std::string &message,
                         const std::string &hint = forms, Kind kind = Kind::User) const {
    throw Error(kind, id, message, hint,
                {"argument '" + std::string(text) + "'", 1, unsigned(at) + 1});
  }

  static bool isIdentifier(std::string_view name) {
    auto letter = [](char c) {
      return std::isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
    };
    if (name.empty() || !letter(name[0]))
      return false;
    return llvm::all_of(name, [&](char c) { return letter(c) || std::isdigit((unsigned char)c); });
  }

  void parseName(std::string_view name) {
    if (!isIdentifier(name))
      fail(0, "frontend.argument",
           name.empty() ? "an argument has no name" : "'" + std::string(name) + "' is not a name");
    argument.name = name;
  }

  bool parseQuoted(std::string_view value) {
    char quote = value[0];
    if (quote != '"' && quote != '\'')
      return false;
    if (value.size() < 2 || value.back() != quote)
      fail(valueStart, "frontend.argument", "a string has no closing quote");
    argument.value = std::string(value.substr(1, value.size() - 2));
    return true;
  }

  /// FILE.py:FUNCTION; a colon never occurs in the other forms.
  bool parseCallable(std::string_view value) {
    size_t colon = value.rfind(':');
    if (colon == std::string_view::npos)
      return false;
    std::string_view file = value.substr(0, colon), function = value.substr(colon + 1);
    if (file.empty() || !isIdentifier(function))
      fail(valueStart, "frontend.argument",
           "'" + std::string(value) + "' names no function of a file");
    argument.kind = Argument::Callable;
    argument.file = file;
    argument.function = function;
    return true;
  }

  bool parseTensor(std::string_view value) {
    size_t open = value.find('[');
    if (open == std::string_view::npos) {
      if (auto dtype = spelledDtype(value);
          dtype && value != "bool" && value != "int" && value != "float")
        fail(text.size(), "frontend.argument",
             "dtype '" + std::string(value) + "' is followed by no dims",
             "write them in brackets, as in " + argument.name + "=" + std::string(value) +
                 "[512,512]");
      return false;
    }
    argument.kind = Argument::Tensor;
    parseDtype(value.substr(0, open));
    if (value.back() != ']')
      fail(text.size(), "frontend.argument", "']' is missing after the dims");
    parseDims(value.substr(open + 1, value.size() - open - 2), valueStart + open + 1);
    return true;
  }

  void parseDtype(std::string_view name) {
    std::optional<Dtype> dtype = spelledDtype(name);
    if (!dtype)
      fail(valueStart, "frontend.dtype", "unknown dtype '" + std::string(name) + "'",
           std::string(takenDtypes));
    if (!dtype->isElement())
      fail(valueStart, "frontend.dtype", "dtype '" + std::string(name) + "'",
           std::string(takenDtypes), Kind::Unsupported);
    argument.dtype = dtype->name;
  }

  void parseDims(std::string_view list, size_t start) {
    size_t at = 0;
    while (!list.empty()) {
      size_t comma = std::min(list.find(',', at), list.size());
      argument.dims.push_back(parseDim(list.substr(at, comma - at), start + at));
      if (comma == list.size())
        break;
      at = comma + 1;
    }
    if (argument.dims.empty() || argument.dims.size() > 2)
      fail(start, "frontend.dim",
           "tensor '" + argument.name + "' with " + std::to_string(argument.dims.size()) + " dims",
           "tensors with one or two dims are supported", Kind::Unsupported);
    checkSize(start);
  }

  int64_t parseDim(std::string_view digits, size_t at) {
    while (!digits.empty() && digits.front() == ' ') {
      digits.remove_prefix(1);
      ++at;
    }
    while (!digits.empty() && digits.back() == ' ')
      digits.remove_suffix(1);
    int64_t dim = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), dim);
    std::string shown = "'" + std::string(digits) + "'";
    if (error == std::errc::result_out_of_range)
      fail(at, "frontend.dim",
           "dim " + shown + " of '" + argument.name + "' does not fit in 64 bits",
           "use a smaller dim");
    if (error != std::errc() || end != digits.data() + digits.size())
      fail(at, "frontend.dim", "dim " + shown + " of '" + argument.name + "' is not an integer",
           "write dims as in [512,512]");
    if (dim < 1)
      fail(at, "frontend.dim", "dim " + shown + " of '" + argument.name + "' is below 1 element",
           "a dim is at least 1 element");
    return dim;
  }

  /// The byte count of a tensor must be a 64-bit number, or no later computation on it is safe.
  void checkSize(size_t start) {
    std::optional<int64_t> bytes = 8;
    for (int64_t dim : argument.dims)
      bytes = bytes ? checkedMul(*bytes, dim) : bytes;
    if (!bytes)
      fail(start, "frontend.dim",
           "the size of '" + argument.name + "' in bytes does not fit in 64 bits",
           "use smaller dims");
  }

  void parseScalar(std::string_view value) {
    const char *begin = value.data(), *end = begin + value.size();
    if (value == "None" || value == "True" || value == "False") {
      if (value != "None")
        argument.value = value == "True";
      return;
    }
    int64_t integer = 0;
    if (auto [last, error] = std::from_chars(begin, end, integer); last == end) {
      if (error == std::errc::result_out_of_range)
        fail(valueStart, "frontend.argument",
             "integer '" + std::string(value) + "' does not fit in 64 bits");
      argument.value = integer;
      return;
    }
    double real = 0;
    if (auto [last, error] = std::from_chars(begin, end, real); last == end) {
      if (error == std::errc::result_out_of_range)
        fail(valueStart, "frontend.argument",
             "number '" + std::string(value) + "' is out of range");
      argument.value = real;
      return;
    }
    if (!isIdentifier(value))
      fail(valueStart, "frontend.argument",
           "value '" + std::string(value) + "' of '" + argument.name +
               "' is neither a number, a word nor a quoted string");
    argument.value = std::string(value);
  }

  std::string_view text;
  size_t valueStart = 0;
  Argument argument;
};

} // namespace

Argument parseArgument(std::string_view text) {
  return Parser(text).run();
}

} // namespace tilewright::frontend
