// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tilewright/MatMul/Formulate.h"
#include "Enumerate.h"
#include "tilewright/Solver/Verify.h"
#include <algorithm>

namespace tilewright::matmul {

using symbolic::Expr;

static void addVariable(solver::Problem &problem, const char *name,
                        const std::vector<int64_t> &domain, const char *what) {
  problem.variables.push_back({name, domain, what});
}

static TilesOf<Expr> addVariables(solver::Problem &p, const Setting &s, const Domains &d) {
  auto symbol = [](const char *name) { return Expr::symbol(name); };
  addVariable(p, "m1", d.m1, "rows of one output tile");
  addVariable(p, "n1", d.n1, "columns of one output tile");
  addVariable(p, "kA", d.kA, "depth of A's buffer in L1");
  addVariable(p, "kB", d.kB, "depth of B's buffer in L1");
  addVariable(p, "k0", d.k0, "depth of one step in L0");
  addVariable(p, "split", d.split, "parts of K");
  addVariable(p, "swizzle", d.swizzle, "rows of tiles that are worked on together");
  TilesOf<Expr> x{symbol("m1"), symbol("n1"), symbol("kA"),    symbol("kB"),     symbol("m1"),
                  symbol("n1"), symbol("k0"), symbol("split"), symbol("swizzle")};
  if (!onChip(s.kind)) {
    addVariable(p, "m0", d.m0, "rows of one sub-block in L0C");
    addVariable(p, "n0", d.n0, "columns of one sub-block in L0C");
    x.m0 = symbol("m0"), x.n0 = symbol("n0");
  }
  return x;
}

solver::Problem formulate(const Target &target, const Shape &shape, Template kind,
                          const Modules &modules) {
  Setting s(target, shape, kind, modules);
  solver::Problem problem;
  problem.name = "matmul " + shape.str() + " " + name(kind);
  TilesOf<Expr> x = addVariables(problem, s, domains(s));
  constraints<Expr>(
      s, x, layOut(s, x), [&](const char *what, Expr lhs, Expr rhs, bool equal, const char *unit) {
        auto relation = equal ? solver::Constraint::Relation::Eq : solver::Constraint::Relation::Le;
        problem.constraints.push_back({what, lhs, relation, rhs, unit, what});
      });
  problem.objective = estimate<Expr>(s, x).total;
  return problem;
}

std::vector<std::pair<Template, Modules>> structuresOf(const Target &target, const Shape &shape) {
  std::vector<std::pair<Template, Modules>> all;
  for (const Structure &structure : structures(target, shape))
    for (const Modules &modules : variants(target, shape, structure))
      all.push_back({structure.kind, modules});
  return all;
}

static solver::Solution solutionOf(const solver::Problem &problem, const Plan &plan) {
  const Tiles &t = plan.choice.tiles;
  std::map<std::string, int64_t> values = {
      {"m1", t.m1}, {"n1", t.n1}, {"kA", t.kA},       {"kB", t.kB},          {"m0", t.m0},
      {"n0", t.n0}, {"k0", t.k0}, {"split", t.split}, {"swizzle", t.swizzle}};
  solver::Solution solution{{}, plan.cycles};
  for (const solver::Variable &variable : problem.variables)
    solution.values.push_back(values.at(variable.name));
  return solution;
}

std::vector<std::string> verify(const Target &target, const Shape &shape, const Plan &plan) {
  check(shape);
  checkMemory(target, shape);
  const Choice &choice = plan.choice;
  if (std::optional<Plan> trivial = trivialPlan(target, shape)) {
    if (trivial->choice == choice && trivial->cycles == plan.cycles)
      return {};
    return {"the plan of an empty product must be " + trivial->choice.str()};
  }
  auto all = structuresOf(target, shape);
  if (!std::count(all.begin(), all.end(), std::pair(choice.kind, choice.modules)))
    return {"template and modules of '" + choice.str() + "' do not apply to " + shape.str()};
  if (onChip(choice.kind) &&
      (choice.tiles.m0 != choice.tiles.m1 || choice.tiles.n0 != choice.tiles.n1))
    return {"on chip m0 and n0 must equal m1 and n1"};
  solver::Problem problem = formulate(target, shape, choice.kind, choice.modules);
  return solver::verify(problem, solutionOf(problem, plan));
}

} // namespace tilewright::matmul
