// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPython as a parser: an isolated interpreter that only ever builds syntax trees, and the checks
// on a file's bytes that come before it.
#include "PythonTree.h"
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>

namespace tilewright::frontend {

/// Larger files are not kernels; the limit keeps the syntax tree of a hostile file small.
static constexpr size_t maxBytes = 4u << 20;

//===--- The interpreter
//-----------------------------------------------------------------------------===//

static void check(PyStatus status) {
  if (PyStatus_Exception(status))
    throw Error(Kind::Internal, "frontend.python",
                std::string("the Python parser does not start: ") +
                    (status.err_msg ? status.err_msg : "unknown reason"),
                "check that libpython and its standard library belong together");
}

/// Warnings about the source (an odd escape sequence) are no business of ours and would go to
/// stderr.
static void silenceWarnings() {
  Ref module(PyImport_ImportModule("_warnings"));
  Ref filters(module ? PyObject_GetAttrString(module.get(), "filters") : nullptr);
  Ref ignore(Py_BuildValue("(sOOOi)", "ignore", Py_None, PyExc_Warning, Py_None, 0));
  if (filters && ignore && PyList_Check(filters.get()))
    PyList_Insert(filters.get(), 0, ignore.get());
  PyErr_Clear();
}

/// Isolated: no environment variables, no site packages, no signal handlers. Lives as long as the
/// process.
static void startPython() {
  PyConfig config;
  PyConfig_InitIsolatedConfig(&config);
  config.site_import = 0;
  config.install_signal_handlers = 0;
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, TILEWRIGHT_PYTHON);
  if (!PyStatus_Exception(status))
    status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  check(status);
  silenceWarnings();
  PyEval_SaveThread(); // each use takes the lock for itself
}

namespace {
class PythonLock {
public:
  PythonLock() {
    static std::once_flag started;
    std::call_once(started, startPython);
    state = PyGILState_Ensure();
  }
  ~PythonLock() { PyGILState_Release(state); }
  PythonLock(const PythonLock &) = delete;

private:
  PyGILState_STATE state;
};
} // namespace

//===--- Errors of the parser
//------------------------------------------------------------------------===//

static unsigned numberIn(PyObject *object, const char *field) {
  Ref value(PyObject_GetAttrString(object, field));
  long number = value && PyLong_Check(value.get()) ? PyLong_AsLong(value.get()) : 0;
  PyErr_Clear();
  return number > 0 ? unsigned(number) : 0;
}

static std::string textIn(PyObject *object, const char *field) {
  Ref value(PyObject_GetAttrString(object, field));
  PyErr_Clear();
  return textOf(value.get());
}

/// The pending Python exception as an Error; a parser that gives up on depth or size is the input's
/// fault.
static Error pendingError(const std::string &file) {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  Ref typeRef(type), valueRef(value), traceRef(trace);
  if (value && PyErr_GivenExceptionMatches(type, PyExc_SyntaxError)) {
    std::string message = textIn(value, "msg");
    Location place{file, numberIn(value, "lineno"), numberIn(value, "offset")};
    return Error(Kind::User, "frontend.syntax", "Python cannot parse this: " + message,
                 "fix the syntax; `python3 -m py_compile` on the file says the same", place);
  }
  Ref text(value ? PyObject_Str(value) : nullptr);
  PyErr_Clear();
  std::string reason = textOf(text.get());
  return Error(Kind::User, "frontend.syntax",
               "Python cannot parse this file: " +
                   (reason.empty() ? "the code is nested too deeply" : reason),
               "split long or deeply nested expressions", Location{file, 0, 0});
}

//===--- Bytes
//---------------------------------------------------------------------------------------===//

static void checkSize(const std::string &file, uintmax_t size) {
  if (size > maxBytes)
    throw Error(Kind::User, "frontend.too-large",
                "the file has " + std::to_string(size) + " bytes, over the limit of " +
                    std::to_string(maxBytes) + " bytes",
                "move the kernel into a file of its own", {file, 0, 0});
}

/// Length of the UTF-8 sequence at `text[i]`, or 0 when it is not one.
static size_t sequenceLength(std::string_view text, size_t i) {
  unsigned char lead = text[i];
  size_t length = lead < 0x80                   ? 1
                  : lead >= 0xc2 && lead < 0xe0 ? 2
                  : lead >= 0xe0 && lead < 0xf0 ? 3
                  : lead >= 0xf0 && lead < 0xf5 ? 4
                                                : 0;
  if (length == 0 || i + length > text.size())
    return 0;
  for (size_t j = 1; j < length; ++j)
    if ((static_cast<unsigned char>(text[i + j]) & 0xc0) != 0x80)
      return 0;
  unsigned char second = length > 1 ? text[i + 1] : 0x80;
  bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  bool outside = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90);
  return overlong || outside ? 0 : length;
}

static void checkBytes(const std::string &file, std::string_view text) {
  unsigned line = 1;
  size_t lineStart = 0;
  for (size_t i = 0; i < text.size();) {
    size_t length = sequenceLength(text, i);
    if (length == 0 || text[i] == '\0')
      throw Error(Kind::User, "frontend.encoding",
                  length ? "the file contains a NUL byte" : "the file is not valid UTF-8",
                  "save the file as UTF-8 text", {file, line, unsigned(i - lineStart) + 1});
    i += length;
    if (text[i - 1] == '\n') {
      ++line;
      lineStart = i;
    }
  }
}

//===--- Entry points
//--------------------------------------------------------------------------------===//

std::shared_ptr<const SourceTree> parsePython(const std::string &file, std::string_view text) {
  checkSize(file, text.size());
  checkBytes(file, text);
  if (text.substr(0, 3) == "\xef\xbb\xbf") // a byte order mark says nothing about UTF-8
    text.remove_prefix(3);
  auto tree = std::make_shared<SourceTree>();
  tree->file = file;
  PythonLock lock;
  PyCompilerFlags flags = {};
  flags.cf_flags = PyCF_ONLY_AST | PyCF_IGNORE_COOKIE;
  flags.cf_feature_version = PY_MINOR_VERSION;
  Ref module(
      Py_CompileStringExFlags(std::string(text).c_str(), "kernel", Py_file_input, &flags, -1));
  if (!module)
    throw pendingError(file);
  convertTree(module.get(), *tree);
  return tree;
}

std::shared_ptr<const SourceTree> parseFile(const std::string &path) {
  std::error_code error;
  std::filesystem::file_status status = std::filesystem::status(path, error);
  const char *problem = !std::filesystem::exists(status)            ? "does not exist"
                        : std::filesystem::is_directory(status)     ? "is a directory"
                        : !std::filesystem::is_regular_file(status) ? "is not a regular file"
                                                                    : nullptr;
  std::string text;
  if (!problem) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream content;
    uintmax_t size = std::filesystem::file_size(path, error);
    checkSize(path, error ? 0 : size);
    if (!stream || (size > 0 && !(content << stream.rdbuf())))
      problem = "cannot be read";
    else
      text = std::move(content).str();
  }
  if (problem)
    throw Error(Kind::User, "frontend.file", "kernel file '" + path + "' " + problem,
                "give the path of a Python file, as in kernels/matmul.py:matmul");
  return parsePython(path, text);
}

} // namespace tilewright::frontend
