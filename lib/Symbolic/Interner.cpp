// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hash-consing table and the order of expressions.
#include "Node.h"
#include <algorithm>
#include <cctype>
#include <deque>
#include <mutex>

namespace tilewright::symbolic {

namespace {

size_t mix(size_t seed, size_t value) {
  seed ^= value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2);
  return seed * 0xff51afd7ed558ccdull;
}

bool same(const Node &a, const Node &b) {
  return a.hash == b.hash && a.op == b.op && a.value == b.value && a.name == b.name &&
         a.operands == b.operands;
}

/// Open addressing over nodes that live as long as the process.
class Table {
public:
  const Node *find(Node key) {
    std::lock_guard lock(mutex);
    if ((nodes.size() + 1) * 2 > slots.size())
      grow();
    size_t i = place(key);
    if (!slots[i]) {
      nodes.push_back(std::move(key));
      slots[i] = &nodes.back();
    }
    return slots[i];
  }

private:
  size_t place(const Node &key) const {
    size_t i = key.hash & (slots.size() - 1);
    while (slots[i] && !same(*slots[i], key))
      i = (i + 1) & (slots.size() - 1);
    return i;
  }
  void grow() {
    slots.assign(slots.empty() ? 1024 : slots.size() * 2, nullptr);
    for (const Node &node : nodes)
      slots[place(node)] = &node;
  }

  std::mutex mutex;
  std::deque<Node> nodes;
  std::vector<const Node *> slots;
};

Table &table() {
  static Table *instance = new Table; // never destroyed: handles may outlive static destructors
  return *instance;
}

bool isNameStart(char c) {
  return std::isalpha((unsigned char)c) || c == '_' || c == '$' || c == '@';
}
bool isNameRest(char c) {
  return isNameStart(c) || std::isdigit((unsigned char)c) || c == '.' || c == '#';
}

int rank(Op op) {
  return op == Op::Constant ? 100 : int(op); // constants go last
}

} // namespace

Expr Interner::intern(Node key) {
  size_t hash = mix(size_t(key.op) + 1, size_t(key.value));
  for (char c : key.name)
    hash = mix(hash, (unsigned char)c);
  for (const Expr &operand : key.operands)
    hash = mix(hash, operand.node->hash);
  key.hash = hash;
  return Expr::wrap(table().find(std::move(key)));
}

Expr Interner::constant(int64_t value) {
  Node key;
  key.value = value;
  return intern(std::move(key));
}

Expr Interner::symbol(std::string_view name) {
  bool good =
      !name.empty() && isNameStart(name[0]) && std::all_of(name.begin(), name.end(), isNameRest);
  if (!good)
    throw Error(
        Kind::User, "symbolic.symbol-name", "\"" + std::string(name) + "\" is not a symbol name",
        "use letters, digits, \"_\", \".\", \"#\", \"$\" or \"@\", not starting with a digit");
  Node key;
  key.op = Op::Symbol;
  key.name = name;
  return intern(std::move(key));
}

Expr Interner::make(Op op, std::span<const Expr> operands) {
  Node key;
  key.op = op;
  key.operands.assign(operands.begin(), operands.end());
  for (const Expr &operand : operands)
    key.depth = std::max(key.depth, operand.node->depth + 1);
  if (key.depth > maxDepth)
    throw Error(Kind::User, "symbolic.depth",
                "expression is nested " + std::to_string(key.depth) + " levels deep, limit " +
                    std::to_string(maxDepth),
                "split the expression");
  return intern(std::move(key));
}

Expr Expr::wrap(const Node *n) {
  static_assert(std::is_trivially_copyable_v<Expr>);
  Expr e{Unset{}};
  e.node = n;
  return e;
}

Expr::Expr() {
  static const Expr zero = Interner::constant(0);
  node = zero.node;
}
Expr::Expr(int64_t value) : Expr(Interner::constant(value)) {}
Expr Expr::symbol(std::string_view name) {
  return Interner::symbol(name);
}

Op Expr::op() const {
  return node->op;
}
int64_t Expr::value() const {
  return node->value;
}
const std::string &Expr::name() const {
  return node->name;
}
std::span<const Expr> Expr::operands() const {
  return node->operands;
}

int Expr::compare(const Expr &a, const Expr &b) {
  if (a == b)
    return 0;
  if (a.op() != b.op())
    return rank(a.op()) < rank(b.op()) ? -1 : 1;
  if (a.isConstant())
    return a.value() < b.value() ? -1 : 1;
  if (a.op() == Op::Symbol)
    return a.name() < b.name() ? -1 : 1;
  std::span<const Expr> x = a.operands(), y = b.operands();
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    if (x[i] != y[i]) // interned: unequal handles differ in structure, so this pair decides
      return compare(x[i], y[i]);
  return x.size() < y.size() ? -1 : 1;
}

void throwOverflow(std::string_view what) {
  throw Error(Kind::User, "symbolic.overflow", std::string(what) + " does not fit in 64 bits",
              "use smaller sizes");
}

int64_t narrow(Wide value, std::string_view what) {
  if (!fits(value))
    throwOverflow(what);
  return int64_t(value);
}

} // namespace tilewright::symbolic
