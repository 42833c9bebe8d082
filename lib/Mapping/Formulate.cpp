// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From program and machine to execution graph, latency, footprint and problem.
#include "tilewright/Mapping/Formulate.h"
#include "tilewright/Support/Checked.h"
#include <algorithm>

namespace tilewright::mapping {

using solver::Constraint;
using solver::Problem;
using solver::Variable;

std::string coresName(const Axis &axis) {
  return "cores_" + axis.symbol;
}

std::string sharersName(const Program &program, size_t load) {
  auto loads = program.allLoads();
  std::string name = "sharers_" + loads[load]->tensor;
  size_t earlier = 0;
  for (size_t i = 0; i < load; ++i)
    earlier += loads[i]->tensor == loads[load]->tensor;
  return earlier ? name + "_" + std::to_string(earlier) : name;
}

std::string knobName(const std::string &scopeSymbol, const char *end) {
  return "pipe_" + (scopeSymbol.empty() ? "grid" : scopeSymbol) + "_" + end;
}

std::string subblockName(size_t contraction, bool rows) {
  std::string name = rows ? "sub_m" : "sub_n";
  return contraction ? name + "_" + std::to_string(contraction) : name;
}

namespace {
class Formulator {
public:
  Formulator(const Program &program, const machine::Machine &machine, const Request &request)
      : program(program), machine(machine), request(request), loads(program.allLoads()),
        tileRows(machine.number("tile.rows")), tileColumns(machine.number("tile.columns")) {}

  Formulation run() {
    Formulation result;
    result.problem.name = program.name;
    addBlockVariables(result.problem);
    addMappingVariables(result.problem);
    result.graph = graphOf(program.body, gridTrip(), result.problem);
    result.latency = model::assemble(result.graph);
    result.footprint = footprint();
    addMemoryConstraint(result);
    applyFixed(result.problem);
    result.floor = max(floorOf(result.graph, result.problem, result.guess),
                       overlapped(result.latency.total, result.problem));
    result.problem.objective = max(result.latency.total, result.floor);
    return result;
  }

private:
  static Expr sym(const std::string &name) { return Expr::symbol(name); }

  //===--- Variables
  //---------------------------------------------------------------------------------===//

  void addBlockVariables(Problem &problem) {
    for (const BlockSymbol &symbol : program.symbols) {
      Variable variable{symbol.name, {}, "block size '" + symbol.name + "' (elements)"};
      // A block that covers the extent may reach beyond it: the rest of its last tile is padding.
      bool covers = symbol.upper >= symbol.extent;
      int64_t last = covers ? ceilDiv(symbol.extent, tileRows) * tileRows : symbol.upper;
      for (int64_t value = ceilDiv(symbol.lower, tileRows) * tileRows; value <= last;
           value += tileRows)
        variable.domain.push_back(value);
      if (variable.domain.empty())
        throw Error(Kind::DoesNotFit, "mapping.misaligned-symbol",
                    "block size '" + symbol.name + "' is limited to [" +
                        std::to_string(symbol.lower) + ", " + std::to_string(symbol.upper) +
                        "], which holds no multiple of the machine's tile of " +
                        std::to_string(tileRows) + " elements",
                    "choose a multiple of " + std::to_string(tileRows), symbol.location);
      problem.variables.push_back(std::move(variable));
    }
  }

  static std::vector<int64_t> range(int64_t last) {
    std::vector<int64_t> values;
    for (int64_t value = 1; value <= last; ++value)
      values.push_back(value);
    return values;
  }

  void addMappingVariables(Problem &problem) {
    int64_t cores = machine.grid.x * machine.grid.y;
    for (const Axis &axis : program.axes)
      problem.variables.push_back(
          {coresName(axis), range(cores), "cores along '" + axis.symbol + "'"});
    for (size_t i = 0; i < loads.size(); ++i)
      problem.variables.push_back({sharersName(program, i), range(cores),
                                   "cores that share one read of '" + loads[i]->label + "'"});
  }

  Expr knob(Problem &problem, const std::string &scope, const char *end, const std::string &what) {
    std::string name = knobName(scope, end);
    problem.variables.push_back({name, {0, 1}, "double buffering of " + what});
    return sym(name);
  }

  //===--- Trip counts
  //-------------------------------------------------------------------------------===//

  /// Blocks that one core runs through: for each axis the waves over its cores.
  Expr gridTrip() {
    Expr trip = 1;
    for (const Axis &axis : program.axes)
      trip = trip * ceildiv(Expr(axis.extent), sym(axis.symbol) * sym(coresName(axis)));
    return trip;
  }
  Expr totalCores() {
    Expr cores = 1;
    for (const Axis &axis : program.axes)
      cores = cores * sym(coresName(axis));
    return cores;
  }

  //===--- Execution graph
  //---------------------------------------------------------------------------===//

  size_t loadIndex(const Access &access) const {
    return std::find_if(loads.begin(), loads.end(),
                        [&](const Access *load) { return load->order == access.order; }) -
           loads.begin();
  }

  model::Graph graphOf(const Scope &scope, Expr trip, Problem &problem) {
    std::vector<model::Term> loadTerms, storeTerms;
    for (const Access &access : scope.loads)
      loadTerms.push_back(loadTerm(access, problem));
    for (const Access &access : scope.stores)
      storeTerms.push_back(storeTerm(access, problem));
    std::string where = scope.symbol.empty() ? "the grid" : "the loop over '" + scope.symbol + "'";
    Expr loadKnob =
        loadTerms.empty() ? Expr(0) : knob(problem, scope.symbol, "load", "the loads in " + where);
    std::vector<model::Graph> parts;
    for (const Scope::Item &item : scope.items)
      parts.push_back(item.loop >= 0
                          ? loopGraph(scope.loops[item.loop], problem)
                          : model::Graph::compute(scope.work[item.work].label,
                                                  workTerms(scope.work[item.work], problem)));
    Expr storeKnob = storeTerms.empty()
                         ? Expr(0)
                         : knob(problem, scope.symbol, "store", "the stores in " + where);
    return model::Graph::pipe(scope.symbol.empty() ? "grid" : scope.symbol, trip,
                              std::move(loadTerms),
                              model::Graph::sequence("body", std::move(parts)),
                              std::move(storeTerms), loadKnob, storeKnob);
  }

  model::Graph loopGraph(const Scope &loop, Problem &problem) {
    return graphOf(loop, ceildiv(Expr(loop.extent), sym(loop.symbol)), problem);
  }

  using Arguments = std::map<std::string, Expr, std::less<>>;

  /// A primitive's cycles; its validity range becomes constraints where the domains do not imply it
  /// (the paper's ValidPrimitive).
  Expr cyclesOf(Problem &problem, const std::string &name, const Arguments &arguments) {
    const machine::Cost &cost = machine.cost(name);
    symbolic::Box box;
    for (const Variable &variable : problem.variables)
      box[variable.name] = {variable.domain.front(), variable.domain.back()};
    for (const auto &[parameter, argument] : arguments) {
      auto valid = cost.domain.find(parameter);
      if (valid == cost.domain.end())
        continue;
      auto range = symbolic::bounds(argument, box);
      std::string source = "'" + name + "' is known for '" + parameter + "' from " +
                           std::to_string(valid->second.lo) + " to " +
                           std::to_string(valid->second.hi);
      if (range.hi > valid->second.hi)
        addConstraint(problem, name + "." + parameter, argument, Expr(valid->second.hi), source);
      if (range.lo < valid->second.lo)
        addConstraint(problem, name + "." + parameter + ".least", Expr(valid->second.lo), argument,
                      source);
    }
    return cost.cycles(arguments);
  }

  static void addConstraint(Problem &problem, const std::string &name, Expr lhs, Expr rhs,
                            std::string source) {
    for (const Constraint &known : problem.constraints)
      if (known.lhs == lhs && known.rhs == rhs)
        return;
    problem.constraints.push_back(
        {name, lhs, Constraint::Relation::Le, rhs, "", std::move(source)});
  }

  model::Term loadTerm(const Access &access, Problem &problem) {
    Expr sharers = sym(sharersName(program, loadIndex(access)));
    Expr readers = floordiv(totalCores(), sharers);
    Expr bounded = max(Expr(1), min(readers, Expr(machine.grid.x * machine.grid.y)));
    Expr read = cyclesOf(problem, "dram_read",
                         {{"bytes", access.bytes}, {"pages", access.tiles}, {"readers", bounded}});
    // The cost's domain starts at one receiver; the arm is not taken for a unicast.
    Expr send = cyclesOf(problem, "multicast",
                         {{"bytes", access.bytes},
                          {"receivers", max(Expr(1), sharers - 1)},
                          {"concurrent", bounded}});
    return {"load " + access.label, machine.cost("dram_read").resource,
            read + select(gt(sharers, Expr(1)), send, Expr(0)), access.tensor};
  }

  model::Term storeTerm(const Access &access, Problem &problem) {
    Expr writers = min(totalCores(), Expr(machine.grid.x * machine.grid.y));
    Expr cycles =
        cyclesOf(problem, "dram_write",
                 {{"bytes", access.bytes}, {"pages", access.tiles}, {"writers", writers}});
    return {"store " + access.label, machine.cost("dram_write").resource, cycles, access.tensor};
  }

  Expr tilesOf(Expr elements, int64_t unit) { return floordiv(elements, Expr(unit)); }

  std::vector<model::Term> workTerms(const Work &work, Problem &problem) {
    if (work.kind == Work::Kind::Set)
      return {}; // a zero start is the first block's missing reload; see docs/model.md
    if (work.kind == Work::Kind::Contract)
      return {contractTerm(work, problem)};
    return mapTerms(work, problem);
  }

  model::Term contractTerm(const Work &work, Problem &problem) {
    int64_t limit = machine.number("compute.dst_tiles_fp32");
    std::string m = subblockName(contractions, true), n = subblockName(contractions, false);
    ++contractions;
    problem.variables.push_back(
        {m, range(limit), "rows of a sub-block of '" + work.label + "' (tiles)"});
    problem.variables.push_back(
        {n, range(limit), "columns of a sub-block of '" + work.label + "' (tiles)"});
    auto add = [&](const char *name, Expr lhs, Constraint::Relation relation, Expr rhs,
                   const char *unit, std::string source) {
      problem.constraints.push_back(
          {name + std::string(".") + m, lhs, relation, rhs, unit, std::move(source)});
    };
    add("dst", sym(m) * sym(n), Constraint::Relation::Le, Expr(limit), "tiles",
        "a sub-block '" + m + "' x '" + n + "' stays in the accumulation registers");
    add("rows", mod(work.rows, Expr(tileRows) * sym(m)), Constraint::Relation::Eq, Expr(0),
        "elements", "sub-blocks of '" + m + "' tiles cut the block's rows evenly");
    add("columns", mod(work.columns, Expr(tileColumns) * sym(n)), Constraint::Relation::Eq, Expr(0),
        "elements", "sub-blocks of '" + n + "' tiles cut the block's columns evenly");
    std::string name = "matmul_block_" + work.operations.front();
    Expr cycles = cyclesOf(problem, name,
                           {{"tiles_m", tilesOf(work.rows, tileRows)},
                            {"tiles_n", tilesOf(work.columns, tileColumns)},
                            {"tiles_k", tilesOf(work.depth, tileColumns)},
                            {"sub_m", sym(m)},
                            {"sub_n", sym(n)}});
    return {work.label, machine.cost(name).resource, cycles, "matmul"};
  }

  /// Costs of a map's operations by class; which class a name belongs to is the machine file's
  /// business.
  std::vector<model::Term> mapTerms(const Work &work, Problem &problem) {
    Expr tiles = tilesOf(work.rows, tileRows) * tilesOf(work.columns, tileColumns);
    std::vector<model::Term> terms;
    auto add = [&](const std::string &name, const std::string &costName) {
      Expr cycles = cyclesOf(problem, costName, {{"tiles", tiles}});
      terms.push_back(
          {name + " in " + work.label, machine.cost(costName).resource, cycles, "epilogue"});
    };
    for (const std::string &operation : work.operations)
      if (operation.starts_with("unary.") || operation.starts_with("binary."))
        add(operation, machine.text("compute.cost_of." + operation));
    add("move", "map_move");
    return terms;
  }

  //===--- Memory
  //------------------------------------------------------------------------------------===//

  model::Footprint footprint() {
    std::vector<model::Buffer> buffers;
    for (const Storage &storage : program.storage) {
      Expr copies = 1;
      if (storage.role == Storage::Role::Load)
        copies = Expr(1) + sym(knobName(storage.scope, "load"));
      if (storage.role == Storage::Role::Store)
        copies = Expr(1) + sym(knobName(storage.scope, "store"));
      buffers.push_back({storage.label, storage.bytes, copies});
    }
    return model::footprint(std::move(buffers));
  }

  void addMemoryConstraint(Formulation &formulation) {
    int64_t available = machine.number("l1.capacity") - machine.number("l1.reserved");
    std::string names;
    for (const auto &buffer : formulation.footprint.buffers)
      names += (names.empty() ? "" : ", ") + buffer.name;
    formulation.problem.constraints.push_back(
        {"l1", formulation.footprint.total, Constraint::Relation::Le, Expr(available), "bytes",
         "the buffers of one core (" + names + ") fit in its local memory"});
  }

  //===--- Bounds and requests
  //-----------------------------------------------------------------------===//

  /// What no choice of blocks avoids. Whatever the pipes overlap, their time is at least that of
  /// all loads, of all computation, or of all stores, plus one block of the other two; and n blocks
  /// of a load, a computation or a store cost at least as much as one block n times as large,
  /// because their formulas are subadditive (checked by a test on every machine file).
  Expr floorOf(const model::Graph &graph, const Problem &problem, Expr &guess) {
    Totals whole = totals(graph, shares()), once = leastTotals(graph, problem);
    guess = whole.load + whole.compute + whole.store;
    return max(whole.load + once.compute + once.store,
               max(once.load + whole.compute + once.store, once.load + once.compute + whole.store));
  }

  struct Totals {
    Expr load = 0, compute = 0, store = 0;
  };

  /// Every block size replaced by all that one core has to do along that dimension.
  std::map<std::string, Expr, std::less<>> shares() {
    std::map<std::string, Expr, std::less<>> result;
    for (const BlockSymbol &symbol : program.symbols)
      result[symbol.name] = ceilDiv(symbol.extent, tileRows) * tileRows;
    for (const Axis &axis : program.axes)
      result[axis.symbol] =
          ceildiv(Expr(ceilDiv(axis.extent, tileRows)), sym(coresName(axis))) * tileRows;
    return result;
  }

  /// The least over all sub-blocks: an interval would combine the best of one with the best of
  /// another.
  Expr fastestSubblock(Expr cycles) const {
    int64_t limit = machine.number("compute.dst_tiles_fp32");
    for (size_t i = 0; i < contractions; ++i) {
      std::string m = subblockName(i, true), n = subblockName(i, false);
      auto names = symbolic::symbols(cycles);
      if (!std::binary_search(names.begin(), names.end(), m))
        continue;
      std::optional<Expr> least;
      for (int64_t rows = 1; rows <= limit; ++rows)
        for (int64_t columns = 1; rows * columns <= limit; ++columns) {
          Expr one = symbolic::substitute(cycles, {{m, Expr(rows)}, {n, Expr(columns)}});
          least = least ? min(*least, one) : one;
        }
      cycles = *least;
    }
    return cycles;
  }

  Totals totals(const model::Graph &graph,
                const std::map<std::string, Expr, std::less<>> &replacements) {
    Totals sum;
    auto add = [&](Expr &total, const std::vector<model::Term> &terms) {
      for (const model::Term &term : terms)
        total = total + symbolic::substitute(term.cycles, replacements);
    };
    add(sum.load, graph.load);
    for (const model::Term &term : graph.terms)
      sum.compute = sum.compute + fastestSubblock(symbolic::substitute(term.cycles, replacements));
    add(sum.store, graph.store);
    for (const model::Graph &child : graph.children) {
      Totals inner = totals(child, replacements);
      sum.load = sum.load + inner.load;
      sum.compute = sum.compute + inner.compute;
      sum.store = sum.store + inner.store;
    }
    return sum;
  }

  /// One block of everything at its cheapest: the lower ends of the terms' intervals.
  Totals leastTotals(const model::Graph &graph, const Problem &problem) {
    symbolic::Box box;
    for (const Variable &variable : problem.variables)
      box[variable.name] = {variable.domain.front(), variable.domain.back()};
    Totals sum = totals(graph, {});
    return {symbolic::bounds(sum.load, box).lo, symbolic::bounds(sum.compute, box).lo,
            symbolic::bounds(sum.store, box).lo};
  }

  /// The latency with every knob at 1: double buffering never costs time, and without knobs the
  /// solver's relaxation sees through the formula.
  static Expr overlapped(Expr latency, const Problem &problem) {
    std::map<std::string, Expr, std::less<>> on;
    for (const Variable &variable : problem.variables)
      if (variable.name.starts_with("pipe_"))
        on.emplace(variable.name, Expr(1));
    return symbolic::substitute(latency, on);
  }

  void applyFixed(Problem &problem) {
    for (const auto &[name, value] : request.fixed) {
      auto variable = std::find_if(problem.variables.begin(), problem.variables.end(),
                                   [&, &name = name](const Variable &v) { return v.name == name; });
      if (variable == problem.variables.end())
        unknown(problem, name);
      if (!std::binary_search(variable->domain.begin(), variable->domain.end(), value))
        badValue(*variable, value);
      variable->domain = {value};
    }
  }

  [[noreturn]] static void unknown(const Problem &problem, const std::string &name) {
    std::string known;
    for (const Variable &variable : problem.variables)
      known += (known.empty() ? "'" : ", '") + variable.name + "'";
    throw Error(Kind::User, "mapping.unknown-symbol",
                "--fix names no symbol of this kernel: '" + name + "'", "choose one of " + known);
  }

  [[noreturn]] void badValue(const Variable &variable, int64_t value) const {
    bool block = std::any_of(program.symbols.begin(), program.symbols.end(),
                             [&](const BlockSymbol &s) { return s.name == variable.name; });
    std::string legal =
        std::to_string(variable.domain.front()) + " to " + std::to_string(variable.domain.back());
    if (block)
      legal = "multiples of " + std::to_string(tileRows) + " from " + legal;
    throw Error(Kind::User, "mapping.fixed-value",
                "'" + variable.name + "' cannot be " + std::to_string(value) + ": its values are " +
                    legal,
                "choose one of these");
  }

  const Program &program;
  const machine::Machine &machine;
  const Request &request;
  std::vector<const Access *> loads;
  int64_t tileRows, tileColumns;
  size_t contractions = 0;
};

size_t indexOf(const Problem &problem, const std::string &name) {
  for (size_t i = 0; i < problem.variables.size(); ++i)
    if (problem.variables[i].name == name)
      return i;
  throw Error(Kind::Internal, "mapping.variable", "the problem has no variable '" + name + "'");
}
} // namespace

Formulation formulate(const Program &program, const machine::Machine &machine,
                      const Request &request) {
  return Formulator(program, machine, request).run();
}

solver::Pins pinsOf(const Formulation &formulation, const Program &program,
                    const Candidate &candidate) {
  solver::Pins pins;
  for (size_t axis = 0; axis < program.axes.size(); ++axis)
    pins.push_back({indexOf(formulation.problem, coresName(program.axes[axis])),
                    candidate.placement.cores(axis)});
  for (size_t load = 0; load < candidate.sharing.size(); ++load)
    pins.push_back({indexOf(formulation.problem, sharersName(program, load)),
                    candidate.sharing[load].cores()});
  return pins;
}

std::vector<std::pair<size_t, std::vector<int64_t>>> usefulBlocks(const Formulation &formulation,
                                                                  const Program &program,
                                                                  const machine::Machine &machine,
                                                                  const Candidate &candidate) {
  std::vector<std::pair<size_t, std::vector<int64_t>>> result;
  int64_t unit = machine.number("tile.rows"), subblocks = machine.number("compute.dst_tiles_fp32");
  for (const BlockSymbol &symbol : program.symbols) {
    int64_t cores = 1;
    for (size_t axis = 0; axis < program.axes.size(); ++axis)
      if (program.axes[axis].symbol == symbol.name)
        cores = candidate.placement.cores(axis);
    size_t index = indexOf(formulation.problem, symbol.name);
    std::set<std::pair<int64_t, int64_t>>
        seen; // (waves, sub-block) that a smaller block already offers
    std::vector<int64_t> values;
    for (int64_t value : formulation.problem.variables[index].domain) {
      int64_t waves = ceilDiv(symbol.extent, value * cores);
      bool useful = false;
      for (int64_t sub = 1; sub <= subblocks; ++sub)
        if (value % (unit * sub) == 0)
          useful |= seen.insert({waves, sub}).second;
      if (useful)
        values.push_back(value);
    }
    result.push_back({index, std::move(values)});
  }
  return result;
}

solver::Problem problemOf(const Formulation &formulation, const Program &program,
                          const Candidate &candidate) {
  solver::Problem problem = formulation.problem;
  for (auto [index, value] : pinsOf(formulation, program, candidate))
    problem.variables[index].domain = {value};
  return problem;
}

} // namespace tilewright::mapping
