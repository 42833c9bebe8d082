// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building execution graphs, and their text.
#include "tilewright/Model/Model.h"

namespace tilewright::model {

Graph Graph::compute(std::string name, std::vector<Term> terms) {
  Graph graph;
  graph.name = std::move(name);
  graph.terms = std::move(terms);
  return graph;
}

Graph Graph::sequence(std::string name, std::vector<Graph> children) {
  Graph graph;
  graph.kind = Kind::Sequence;
  graph.name = std::move(name);
  graph.children = std::move(children);
  return graph;
}

Graph Graph::loop(std::string name, Expr trip, Graph body) {
  Graph graph;
  graph.kind = Kind::For;
  graph.name = std::move(name);
  graph.trip = trip;
  graph.children.push_back(std::move(body));
  return graph;
}

Graph Graph::pipe(std::string name, Expr trip, std::vector<Term> load, Graph body,
                  std::vector<Term> store, Expr loadKnob, Expr storeKnob) {
  Graph graph = loop(std::move(name), trip, std::move(body));
  graph.kind = Kind::Pipe;
  graph.load = std::move(load);
  graph.store = std::move(store);
  graph.loadKnob = loadKnob;
  graph.storeKnob = storeKnob;
  return graph;
}

static void printTerms(const std::vector<Term> &terms, const std::string &indent, const char *stage,
                       std::string &text) {
  for (const Term &term : terms)
    text += indent + stage + term.name + " on " + term.resource + ": " + term.cycles.str() + "\n";
}

static std::string header(const Graph &graph) {
  switch (graph.kind) {
  case Graph::Kind::Compute:
    return "compute " + graph.name;
  case Graph::Kind::Sequence:
    return "sequence " + graph.name;
  case Graph::Kind::For:
    return "for " + graph.name + ", " + graph.trip.str() + " times";
  case Graph::Kind::Pipe:
    return "pipe " + graph.name + ", " + graph.trip.str() + " times, overlap load " +
           graph.loadKnob.str() + ", store " + graph.storeKnob.str();
  }
  return "";
}

static void print(const Graph &graph, const std::string &indent, std::string &text) {
  text += indent + header(graph) + "\n";
  std::string inner = indent + "  ";
  printTerms(graph.load, inner, "load: ", text);
  printTerms(graph.terms, inner, "", text);
  for (const Graph &child : graph.children)
    print(child, inner, text);
  printTerms(graph.store, inner, "store: ", text);
}

std::string str(const Graph &graph) {
  std::string text;
  print(graph, "", text);
  return text;
}

} // namespace tilewright::model
