// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bottom-up assembly of latency, its parts, and busy time (Loom paper section 2.6).
#include "tilewright/Model/Model.h"
#include "tilewright/Model/Overlap.h"
#include "tilewright/Support/Diagnostic.h"
#include <map>

namespace tilewright::model {

namespace {
using Busy = std::map<std::string, Expr>;

struct Assembly {
  Expr total = 0;
  std::vector<Term> parts;
  Busy busy;
};

void append(Assembly &result, const std::vector<Term> &parts, Expr times) {
  for (Term part : parts) {
    part.cycles = part.cycles * times;
    result.parts.push_back(std::move(part));
  }
}

void addBusy(Busy &busy, const Busy &more, Expr times) {
  for (const auto &[resource, cycles] : more) {
    Expr &sum = busy[resource];
    sum = sum + cycles * times;
  }
}

Assembly stage(const std::vector<Term> &terms) {
  Assembly result;
  result.parts = terms;
  for (const Term &term : terms) {
    result.total = result.total + term.cycles;
    Expr &sum = result.busy[term.resource];
    sum = sum + term.cycles;
  }
  return result;
}

/// Times that a stage is on the critical path: always without overlap, else once and, if it is the
/// slowest, in each further round.
struct Shares {
  Expr total, load, body, store;
};

Expr rounds(Expr n, Expr wins) {
  return Expr(1) + (n - 1) * wins;
}

/// Stages `one` and `two` overlap; `one` wins a tie.
std::pair<Expr, Expr> winners(Expr one, Expr two) {
  Expr first = ge(one, two);
  return {first, Expr(1) - first};
}

Shares serial(Expr n, Expr l, Expr m, Expr s) {
  return {n * (l + m + s), n, n, n};
}

Shares storeOverlapped(Expr n, Expr l, Expr m, Expr s) {
  auto [front, back] = winners(l + m, s);
  return {pipelined(n, max(l + m, s), l + m + s), rounds(n, front), rounds(n, front),
          rounds(n, back)};
}

Shares loadOverlapped(Expr n, Expr l, Expr m, Expr s) {
  auto [back, front] = winners(m + s, l);
  return {pipelined(n, max(l, m + s), l + m + s), rounds(n, front), rounds(n, back),
          rounds(n, back)};
}

Shares bothOverlapped(Expr n, Expr l, Expr m, Expr s) {
  Expr body = ge(m, max(l, s)), load = gt(l, m) * ge(l, s), store = gt(s, max(l, m));
  return {pipelined(n, max(max(l, m), s), l + m + s), rounds(n, load), rounds(n, body),
          rounds(n, store)};
}

Shares choose(Expr knob, const Shares &on, const Shares &off) {
  return {select(knob, on.total, off.total), select(knob, on.load, off.load),
          select(knob, on.body, off.body), select(knob, on.store, off.store)};
}

const Graph &onlyChild(const Graph &graph) {
  if (graph.children.size() != 1)
    throw Error(Kind::Internal, "model.graph",
                "'" + graph.name + "' repeats " + std::to_string(graph.children.size()) +
                    " bodies, expected 1",
                "wrap them in a sequence");
  return graph.children.front();
}

Assembly build(const Graph &graph);

Assembly buildLoop(const Graph &graph) {
  Assembly body = build(onlyChild(graph)), result;
  result.total = graph.trip * body.total;
  append(result, body.parts, graph.trip);
  addBusy(result.busy, body.busy, graph.trip);
  return result;
}

Assembly buildPipe(const Graph &graph) {
  Assembly load = stage(graph.load), body = build(onlyChild(graph)), store = stage(graph.store);
  Expr n = graph.trip, l = load.total, m = body.total, s = store.total;
  Shares shares =
      choose(graph.loadKnob,
             choose(graph.storeKnob, bothOverlapped(n, l, m, s), loadOverlapped(n, l, m, s)),
             choose(graph.storeKnob, storeOverlapped(n, l, m, s), serial(n, l, m, s)));
  Assembly result;
  result.total = shares.total;
  append(result, load.parts, shares.load);
  append(result, body.parts, shares.body);
  append(result, store.parts, shares.store);
  for (const Assembly *part : {&load, &body, &store})
    addBusy(result.busy, part->busy, n);
  return result;
}

Assembly buildSequence(const Graph &graph) {
  Assembly result;
  for (const Graph &child : graph.children) {
    Assembly part = build(child);
    result.total = result.total + part.total;
    append(result, part.parts, 1);
    addBusy(result.busy, part.busy, 1);
  }
  return result;
}

Assembly build(const Graph &graph) {
  bool repeats = graph.kind == Graph::Kind::For || graph.kind == Graph::Kind::Pipe;
  if (repeats && graph.trip == Expr(0)) {
    onlyChild(graph);
    return {};
  }
  switch (graph.kind) {
  case Graph::Kind::Compute:
    return stage(graph.terms);
  case Graph::Kind::Sequence:
    return buildSequence(graph);
  case Graph::Kind::For:
    return buildLoop(graph);
  case Graph::Kind::Pipe:
    return buildPipe(graph);
  }
  return {};
}
} // namespace

Latency assemble(const Graph &graph) {
  Assembly assembly = build(graph);
  Latency latency{assembly.total, std::move(assembly.parts), {}};
  for (const auto &[resource, cycles] : assembly.busy)
    latency.busy.push_back({resource, resource, cycles, ""});
  return latency;
}

Footprint footprint(std::vector<Buffer> buffers) {
  Footprint result;
  for (const Buffer &buffer : buffers)
    result.total = result.total + buffer.blockBytes * buffer.copies;
  result.buffers = std::move(buffers);
  return result;
}

} // namespace tilewright::model
