#pragma once
/// What a search returns: ranked layouts, the rejected ones by reason, and the layouts that nothing beats in both of
/// two goals.
#include <cstddef>
#include <string>
#include <vector>

#include "base/infeasible.h"
#include "memory/serving_run.h"
#include "memory/training_run.h"

namespace podwright::sizing {

/// Layouts that one reason excludes; the reason is that of the layout which missed least.
struct Rejection {
  Infeasible reason;
  std::string layout;  ///< of that one, for people: "fp8, tensor 2, pipeline 1"
  double count = 0;
};

/// Keeps one entry a code; `count` layouts are excluded for it.
void reject(std::vector<Rejection>& rejected, Infeasible reason, const std::string& layout, double count = 1);

/// Indices of the points that no other point beats: smaller is better in both; by rising `x`. Equal points count once.
std::vector<std::size_t> pareto_front(const std::vector<double>& x, const std::vector<double>& y);

/// A part of a step, with its name for people.
struct StepPart {
  const char* name = nullptr;
  double seconds = 0;
};

/// The part that shrinks and the one that grows most from one step to another; without a name where none does.
struct StepShifts {
  StepPart less;  ///< by so much
  StepPart more;
  double more_before = 0;  ///< s of that part
  double more_after = 0;
};
/// `scale` brings the other step to the size of the first.
StepShifts step_shifts(const std::vector<StepPart>& from, const std::vector<StepPart>& to, double scale = 1);
/// "3 ms less in attention, but 4 ms more in recompute"; what changes by no more than `least` seconds is left out.
std::string text_of(const StepShifts& shifts, double least);

std::string layout_text(const ServingRun& run);
std::string layout_text(const TrainingRun& run);

}  // namespace podwright::sizing
