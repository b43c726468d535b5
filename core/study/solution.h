#pragma once
/// The worked solution of a question, read from the trace that the engine's formulas left.
#include <string>
#include <vector>

#include "base/trace.h"
#include "study/question.h"

namespace podwright {

/// One step for each formula behind the numbers shown, what goes in before what comes out.
std::vector<SolutionStep> solution_of(const Trace& trace);
/// The equation that gave the answer, before its conversion to the unit shown, as a sentence with its numbers.
std::string reason_of(const std::vector<SolutionStep>& steps);
/// Sources of the facts and formulas behind the numbers shown, each once, in the order of the solution.
std::vector<std::string> sources_of_solution(const Trace& trace);

}  // namespace podwright
