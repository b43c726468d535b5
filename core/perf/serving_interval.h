#pragma once
/// How sure a predicted serving figure is: half the width of the 90 % prediction interval of its logarithm, from how
/// near the published runs behind the constants stand. docs/method/accuracy.md#intervals.
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "memory/serving_run.h"
#include "perf/host_kernels.h"

namespace podwright {

/// What the published runs say of a deployment.
struct ServingKnowledge {
  std::string level;  ///< run: of this engine, GPU and model; engine: of this engine otherwise; none
  double rows = 0;    ///< of that level
  bool as_installed = false;
  bool gpu_known = true;  ///< its kernels are measured, or runs on it are in the fit
  bool vendor_known = true;
  MeasuredKernels measured_kernels;  ///< by the machine's own probes
  double told_kernels = 0;           ///< what the widths hold for kernels that other machines told
};
ServingKnowledge serving_knowledge(const Catalog& catalog, const Model& model, const Gpu& gpu, const ServingRun& run);

/// Half widths of the logarithms. Absent where no fit gives any.
struct ServingWidths {
  double ttft = 0;
  double tpot = 0;
  double throughput = 0;
  double prompt = 0;  ///< rates of prompts without answers
  double power = 0;   ///< mean of a GPU; 0: no run tells
  double energy = 0;  ///< of a token or a request; 0: no run tells
};
enum class ServingWidth { ttft, tpot, throughput, prompt, power, energy };
inline constexpr std::array<std::string_view, 6> kServingWidthWords{"ttft",   "tpot",  "throughput",
                                                                    "prompt", "power", "energy"};

/// What is said of a run: time to first token, time per output token, requests or tokens per second, what all places
/// together complete at most, mean power of a GPU, energy of a token or a request.
enum class ServingFigure { ttft, tpot, rate, most, power, energy };

/// Which width a figure of a run has, in answers and where answers are compared with published runs. A batch that
/// starts together has prompts first and answers then; with clients the rate follows from their times; a full engine,
/// offline or under more requests than it completes, has the width of its throughput.
constexpr ServingWidth serving_width(ServingFigure figure, const ServingRun& run) {
  if (figure == ServingFigure::power) return ServingWidth::power;
  if (figure == ServingFigure::energy) return ServingWidth::energy;
  const bool together = run.load.kind == LoadKind::static_batch;
  if (figure == ServingFigure::ttft) return together ? ServingWidth::prompt : ServingWidth::ttft;
  if (figure == ServingFigure::tpot) return together ? ServingWidth::throughput : ServingWidth::tpot;
  if (run.output_tokens <= 1) return ServingWidth::prompt;
  const bool clients = figure == ServingFigure::rate && run.load.kind == LoadKind::concurrency;
  return clients ? ServingWidth::tpot : ServingWidth::throughput;
}
constexpr double width_of(ServingFigure figure, const ServingRun& run, const ServingWidths& widths) {
  const double by_width[]{widths.ttft, widths.tpot, widths.throughput, widths.prompt, widths.power, widths.energy};
  return by_width[static_cast<std::size_t>(serving_width(figure, run))];
}

std::optional<ServingWidths> serving_widths(const ServingEfficiency& efficiency, const ServingKnowledge& knowledge,
                                            bool experts);

/// Which rows support the figures, and what widens their intervals: sentences for the reader of an answer.
std::vector<std::string> serving_interval_basis(const ServingKnowledge& knowledge, const Model& model, const Gpu& gpu,
                                                const ServingRun& run);

}  // namespace podwright
