// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of a source file: what a statement assigns, what is alike, what a file binds at its top
// level.
#pragma once

#include "Values.h"
#include <set>

namespace tilewright::frontend {

/// Names that the statements assign, in source order without repetition; bodies of nested functions
/// do not count.
std::vector<std::string> assignedNames(const std::vector<const Node *> &body);

/// The candidate that differs least from `name`, or "" when none is close.
std::string nearestName(const std::string &name, const std::vector<std::string> &candidates);
/// "did you mean 'bias'?", or `otherwise` when nothing is close.
std::string suggestion(const std::string &name, const std::vector<std::string> &candidates,
                       const std::string &otherwise);
/// "'a', 'b' and 'c'".
std::string listed(const std::vector<std::string> &names);
/// Only letters, digits and underscores: fit for a label and for generated code.
std::string plainName(const std::string &name);

/// What one file binds at module level. Values are found when they are used.
class ModuleScope {
public:
  struct Binding {
    enum Kind : uint8_t { Package, Function, Assigned, Unknown };
    Kind kind = Unknown;
    std::string path;           ///< of a Package item
    const Node *node = nullptr; ///< a FunctionDef, or the assigned expression
    std::string unknown;        ///< what else bound the name, in words
  };

  explicit ModuleScope(std::shared_ptr<const SourceTree> tree);

  const Binding *find(const std::string &name) const;
  std::vector<std::string> names() const;
  const SourceTree &source() const { return *tree; }
  Location at(const Node &node) const { return tree->at(node); }
  /// Path of the package item that an expression names ("helion.kernel" for `h.kernel`), through
  /// aliases and calls; empty when it is none.
  std::string packagePath(const Node &expression, unsigned depth = 0) const;
  /// Module-level functions decorated with helion.kernel or a relative, in source order.
  std::vector<const Node *> kernels() const;

  /// Values of module-level assignments that were evaluated already.
  std::map<std::string, Value> values;
  std::set<std::string> evaluating;

private:
  void bind(const std::vector<const Node *> &body, unsigned depth);
  void bindStatement(const Node &node, unsigned depth);
  void bindImport(const Node &node);
  bool isKernel(const Node &function) const;

  std::shared_ptr<const SourceTree> tree;
  std::map<std::string, Binding> bindings;
  std::vector<const Node *> functions;
};

} // namespace tilewright::frontend
