// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The JSON form of a problem and its consistency.
#include "tilewright/Solver/Problem.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace tilewright::solver {

using Json = nlohmann::ordered_json;

[[noreturn]] static void fail(const std::string &where, const std::string &what) {
  throw Error(Kind::User, "solver.problem-json", where.empty() ? what : where + ": " + what,
              "write the file with Problem::toJson and change single values");
}

std::string Problem::toJson() const {
  Json root;
  root["name"] = name;
  root["variables"] = Json::array();
  for (const Variable &v : variables) {
    Json entry{{"name", v.name}, {"domain", v.domain}, {"source", v.source}};
    if (!v.unpinned.empty())
      entry["unpinned"] = v.unpinned;
    root["variables"].push_back(std::move(entry));
  }
  root["constraints"] = Json::array();
  for (const Constraint &c : constraints)
    root["constraints"].push_back(
        {{"name", c.name},
         {"lhs", c.lhs.str()},
         {"relation", c.relation == Constraint::Relation::Le ? "<=" : "=="},
         {"rhs", c.rhs.str()},
         {"unit", c.unit},
         {"source", c.source}});
  root["objective"] = objective.str();
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

/// An object whose keys are all known and, but for the optional ones, all present.
void checkKeys(const Json &object, const std::string &where, std::set<std::string> required,
               const std::set<std::string> &optional = {}) {
  if (!object.is_object())
    fail(where, "expected an object");
  for (const auto &[key, value] : object.items())
    if (!required.erase(key) && !optional.count(key))
      fail(where, "unknown key \"" + key + "\"");
  if (!required.empty())
    fail(where, "missing key \"" + *required.begin() + "\"");
}

std::string readText(const Json &object, const char *key, const std::string &where) {
  if (!object[key].is_string())
    fail(where + "." + key, "expected a string");
  return object[key];
}

Expr readExpr(const Json &object, const char *key, const std::string &where) {
  std::string text = readText(object, key, where);
  try {
    return symbolic::parse(text);
  } catch (const Error &e) {
    fail(where + "." + key, e.diagnostic().message);
  }
}

std::vector<int64_t> readIntegers(const Json &list, const std::string &where) {
  if (!list.is_array())
    fail(where, "expected a list of integers");
  std::vector<int64_t> values;
  for (const Json &item : list) {
    bool large = item.is_number_unsigned() && item.get<uint64_t>() > uint64_t(INT64_MAX);
    if (!item.is_number_integer() || large)
      fail(where + "[" + std::to_string(values.size()) + "]", "expected a 64-bit integer");
    values.push_back(item.get<int64_t>());
  }
  return values;
}

Variable readVariable(const Json &entry, const std::string &where) {
  checkKeys(entry, where, {"name", "domain", "source"}, {"unpinned"});
  Variable v;
  v.name = readText(entry, "name", where);
  v.domain = readIntegers(entry["domain"], where + ".domain");
  v.source = readText(entry, "source", where);
  if (entry.contains("unpinned"))
    v.unpinned = readIntegers(entry["unpinned"], where + ".unpinned");
  return v;
}

Constraint readConstraint(const Json &entry, const std::string &where) {
  checkKeys(entry, where, {"name", "lhs", "relation", "rhs", "unit", "source"});
  Constraint c;
  c.name = readText(entry, "name", where);
  c.lhs = readExpr(entry, "lhs", where);
  std::string relation = readText(entry, "relation", where);
  if (relation != "<=" && relation != "==")
    fail(where + ".relation", "expected \"<=\" or \"==\", found \"" + relation + "\"");
  c.relation = relation == "<=" ? Constraint::Relation::Le : Constraint::Relation::Eq;
  c.rhs = readExpr(entry, "rhs", where);
  c.unit = readText(entry, "unit", where);
  c.source = readText(entry, "source", where);
  return c;
}

const Json &readList(const Json &root, const char *key) {
  if (!root[key].is_array())
    fail(key, "expected a list");
  return root[key];
}

Problem readProblem(const Json &root) {
  checkKeys(root, "problem", {"name", "variables", "constraints", "objective"});
  Problem problem;
  problem.name = readText(root, "name", "problem");
  for (const Json &entry : readList(root, "variables"))
    problem.variables.push_back(
        readVariable(entry, "variables[" + std::to_string(problem.variables.size()) + "]"));
  for (const Json &entry : readList(root, "constraints"))
    problem.constraints.push_back(
        readConstraint(entry, "constraints[" + std::to_string(problem.constraints.size()) + "]"));
  problem.objective = readExpr(root, "objective", "problem");
  return problem;
}

[[noreturn]] void inconsistent(const std::string &what) {
  throw Error(Kind::Internal, "solver.problem", what,
              "the builder of the problem has to see to it");
}

void checkDomain(const std::vector<int64_t> &domain, const Variable &v) {
  bool increasing =
      std::adjacent_find(domain.begin(), domain.end(), std::greater_equal<>()) == domain.end();
  if (!increasing)
    inconsistent("domain of variable \"" + v.name + "\" is not sorted or has duplicates");
}

void checkSymbols(Expr e, const std::set<std::string> &known, const std::string &where) {
  for (const std::string &symbol : symbolic::symbols(e))
    if (!known.count(symbol))
      inconsistent("unknown symbol \"" + symbol + "\" in " + where);
}

} // namespace

void Problem::check() const {
  std::set<std::string> known;
  for (const Variable &v : variables) {
    if (v.domain.empty())
      inconsistent("domain of variable \"" + v.name + "\" is empty");
    checkDomain(v.domain, v);
    checkDomain(v.unpinned, v);
    if (!v.unpinned.empty() && v.domain.size() != 1)
      inconsistent("pinned variable \"" + v.name + "\" has more than one value");
    if (!known.insert(v.name).second)
      inconsistent("two variables have the name \"" + v.name + "\"");
  }
  for (const Constraint &c : constraints) {
    checkSymbols(c.lhs, known, "constraint \"" + c.name + "\"");
    checkSymbols(c.rhs, known, "constraint \"" + c.name + "\"");
  }
  checkSymbols(objective, known, "the objective");
}

Problem Problem::fromJson(const std::string &text) {
  Json root;
  try {
    root = Json::parse(text);
  } catch (const Json::parse_error &e) {
    fail("", "malformed JSON at byte " + std::to_string(e.byte));
  } catch (const Json::exception &) {
    fail("", "malformed JSON");
  }
  Problem problem = readProblem(root);
  try {
    problem.check();
  } catch (const Error &e) {
    fail("problem", e.diagnostic().message);
  }
  return problem;
}

} // namespace tilewright::solver
