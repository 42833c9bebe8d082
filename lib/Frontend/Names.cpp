// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes of names, found from syntax alone.
#include "Names.h"
#include <algorithm>

namespace tilewright::frontend {

//===--- Assigned names
//------------------------------------------------------------------------------===//

namespace {
class Assignments {
public:
  std::vector<std::string> names;

  void statements(const std::vector<const Node *> &body) {
    for (const Node *node : body)
      statement(*node);
  }

private:
  void statement(const Node &node) {
    if (node.kind == Syntax::FunctionDef)
      return add(node.text);
    bool assigns = node.kind == Syntax::Assign || node.kind == Syntax::AugAssign ||
                   node.kind == Syntax::AnnAssign || node.kind == Syntax::For;
    if (assigns)
      for (size_t i = node.bare ? 0 : 1; i < node.operands.size(); ++i)
        target(*node.operands[i]);
    statements(node.body);
    statements(node.orelse);
  }
  void target(const Node &node) {
    if (node.kind == Syntax::Name)
      return add(node.text);
    if (node.kind == Syntax::Tuple || node.kind == Syntax::List || node.kind == Syntax::Starred)
      for (const Node *operand : node.operands)
        target(*operand);
  }
  void add(const std::string &name) {
    if (seen.insert(name).second)
      names.push_back(name);
  }
  std::set<std::string> seen;
};
} // namespace

std::vector<std::string> assignedNames(const std::vector<const Node *> &body) {
  Assignments assignments;
  assignments.statements(body);
  return assignments.names;
}

//===--- Alike names
//---------------------------------------------------------------------------------===//

static size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string nearestName(const std::string &name, const std::vector<std::string> &candidates) {
  std::string best;
  size_t limit = std::max<size_t>(1, name.size() / 3) + 1;
  if (name.size() > 100)
    return best;
  for (const std::string &candidate : candidates)
    if (candidate.size() <= name.size() + limit && candidate != name)
      if (size_t distance = editDistance(name, candidate); distance < limit) {
        best = candidate;
        limit = distance;
      }
  return best;
}

std::string suggestion(const std::string &name, const std::vector<std::string> &candidates,
                       const std::string &otherwise) {
  std::string nearest = nearestName(name, candidates);
  return nearest.empty() ? otherwise : "did you mean '" + nearest + "'?";
}

std::string listed(const std::vector<std::string> &names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
  return text;
}

std::string plainName(const std::string &name) {
  std::string plain;
  for (char c : name)
    plain += std::isalnum((unsigned char)c) && (unsigned char)c < 0x80 ? c : '_';
  return plain;
}

//===--- Module level
//--------------------------------------------------------------------------------===//

ModuleScope::ModuleScope(std::shared_ptr<const SourceTree> source) : tree(std::move(source)) {
  bind(tree->body, 0);
}

void ModuleScope::bind(const std::vector<const Node *> &body, unsigned depth) {
  for (const Node *node : body)
    bindStatement(*node, depth);
}

/// A name that is bound inside `if` or `try` counts when it is a function or an import; a value
/// that depends on which branch runs is unknown here.
void ModuleScope::bindStatement(const Node &node, unsigned depth) {
  switch (node.kind) {
  case Syntax::FunctionDef:
    bindings[node.text] = {Binding::Function, "", &node, ""};
    functions.push_back(&node);
    return;
  case Syntax::Import:
  case Syntax::ImportFrom:
    return bindImport(node);
  case Syntax::Block:
    if (node.bare)
      bindings[node.text.substr(6)] = {Binding::Unknown, "", &node, "a class"};
    [[fallthrough]];
  case Syntax::If:
    bind(node.body, depth + 1);
    return bind(node.orelse, depth + 1);
  default:
    break;
  }
  bool simple =
      depth == 0 && (node.kind == Syntax::Assign || (node.kind == Syntax::AnnAssign && !node.bare));
  for (const std::string &name : assignedNames({&node})) {
    bool direct = false;
    for (size_t i = 1; simple && i < node.operands.size(); ++i)
      direct |= node.operands[i]->kind == Syntax::Name && node.operands[i]->text == name;
    bindings[name] = direct ? Binding{Binding::Assigned, "", node.operands[0], ""}
                            : Binding{Binding::Unknown, "", &node,
                                      "module-level code that is not a plain assignment"};
  }
}

void ModuleScope::bindImport(const Node &node) {
  bool from = node.kind == Syntax::ImportFrom;
  for (const Alias &alias : node.aliases) {
    std::string path = from ? node.text + "." + alias.path : alias.path;
    std::string name = alias.name.empty() ? alias.path : alias.name;
    if (!from && alias.name.empty()) // `import a.b` binds a
      path = name = alias.path.substr(0, alias.path.find('.'));
    bindings[name] = {Binding::Package, path, &node, ""};
  }
}

const ModuleScope::Binding *ModuleScope::find(const std::string &name) const {
  auto found = bindings.find(name);
  return found == bindings.end() ? nullptr : &found->second;
}

std::vector<std::string> ModuleScope::names() const {
  std::vector<std::string> names;
  for (const auto &[name, binding] : bindings)
    names.push_back(name);
  return names;
}

std::string ModuleScope::packagePath(const Node &expression, unsigned depth) const {
  if (depth > 16) // aliases that lead in a circle
    return {};
  if (expression.kind == Syntax::Call)
    return packagePath(*expression.operands[0], depth + 1);
  if (expression.kind == Syntax::Attribute) {
    std::string path = packagePath(*expression.operands[0], depth + 1);
    return path.empty() ? path : path + "." + expression.text;
  }
  const Binding *binding = expression.kind == Syntax::Name ? find(expression.text) : nullptr;
  if (binding && binding->kind == Binding::Package)
    return binding->path;
  if (binding && binding->kind == Binding::Assigned)
    return packagePath(*binding->node, depth + 1);
  return {};
}

bool ModuleScope::isKernel(const Node &function) const {
  return llvm::any_of(function.decorators, [&](const Node *decorator) {
    std::string path = packagePath(*decorator);
    std::string name = path.substr(path.rfind('.') + 1);
    return path.rfind("helion.", 0) == 0 &&
           (name == "kernel" || name == "jit" || name == "aot_kernel");
  });
}

std::vector<const Node *> ModuleScope::kernels() const {
  std::vector<const Node *> found;
  for (const Node *function : functions) {
    const Binding *binding = find(function->text);
    bool current =
        binding && binding->node == function; // a later definition replaces an earlier one
    if (current && isKernel(*function))
      found.push_back(function);
  }
  return found;
}

} // namespace tilewright::frontend
