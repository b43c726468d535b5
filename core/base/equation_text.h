#pragma once
/// How a recorded expression is written for people.
#include <vector>

#include "base/trace_node.h"

namespace podwright {

/// Equation, source, inputs and their names of an expression (`node` as in Traced); id, unit and value stay open.
/// An input is called by the last word of its id without its unit, since equations are in base units; of equal words
/// the one before is added. Sources are those of the outermost citations.
TraceNode equation_of(NodeId node, const std::vector<Term>& terms, const std::vector<TraceNode>& nodes);

}  // namespace podwright
