#pragma once
/// What a trace records: numbers, and the operations that lead from one to the next.
#include <cstdint>
#include <string>
#include <vector>

namespace podwright {

using NodeId = std::int32_t;

/// One explained number, in base units unless `unit` says otherwise.
struct TraceNode {
  std::string id;
  std::string called;    ///< what equations call it; empty: the last word of the id
  std::string equation;  ///< empty for leaves
  std::string source;
  std::string unit;
  double value = 0.0;
  std::vector<NodeId> inputs;
  std::vector<std::string> names;  ///< the equation's name of each input
  std::vector<std::string> at;     ///< JSON Pointers of the answer that show this number
};

/// Part of an expression: an operation; or, without a sign, a literal (no `a`) or a citation.
struct Term {
  const char* sign = nullptr;
  NodeId a = -1;
  NodeId b = -1;
  double literal = 0.0;
  std::string source;
};

}  // namespace podwright
