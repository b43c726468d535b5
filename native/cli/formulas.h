#pragma once
/// The formula sheet: every named number of explained answers with its equation, inputs, unit and source.
#include <string>
#include <string_view>
#include <vector>

#include "base/json_read.h"

namespace podwright::cli {

struct FormulaInput {
  std::string name;  ///< in the equation
  std::string id;    ///< "perf.stage_time", "catalog/gpus/h100-sxm5-80gb/memory_gb", "request/load/concurrency"
  std::string unit;
};

struct Formula {
  std::string id;  ///< "perf.pipeline_bubble"
  std::string equation;
  std::string unit;
  std::string source;
  std::vector<FormulaInput> inputs;
  std::string example;  ///< the first request whose answer shows it
};

/// The request with "explain": true.
std::string explained(const JsonNode& request);

/// Adds the formulas of an answer's trace. A number that is computed in several ways is told once for each way.
void add_formulas(const JsonNode& answer, const std::string& example, std::vector<Formula>& formulas);

/// Those that hold all the words, in order of their ids. "_", "-", "." and case make no difference, nor do "s" and "z".
std::vector<Formula> choose_formulas(std::vector<Formula> formulas, std::string_view words);

std::string formulas_text(const std::vector<Formula>& formulas);
std::string formulas_json(const std::vector<Formula>& formulas);

}  // namespace podwright::cli
