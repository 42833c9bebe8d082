// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of CPython's `_ast` objects into the project's syntax tree.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "tilewright/Frontend/Ast.h"

namespace tilewright::frontend {

/// Owns one reference to a Python object; may be null.
class Ref {
public:
  explicit Ref(PyObject *object = nullptr) : object(object) {}
  Ref(Ref &&other) noexcept : object(other.object) { other.object = nullptr; }
  Ref(const Ref &) = delete;
  Ref &operator=(const Ref &) = delete;
  ~Ref() { Py_XDECREF(object); }
  PyObject *get() const { return object; }
  explicit operator bool() const { return object != nullptr; }

private:
  PyObject *object;
};

/// Text of a Python string; lone surrogates become '?'.
std::string textOf(PyObject *object);

/// Fills `tree` from an `ast.Module`. Expressions nested deeper than a few hundred levels become
/// `OtherExpression`, so that walks over the tree stay within the stack.
void convertTree(PyObject *module, SourceTree &tree);

} // namespace tilewright::frontend
