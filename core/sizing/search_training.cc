#include "sizing/search_training.h"

#include <algorithm>

#include "base/number_text.h"
#include "sizing/formulas.h"
#include "sizing/layouts.h"

namespace podwright::sizing {
namespace {

/// Cluster sizes looked at after the first that meets the deadline, so that the front shows what more GPUs buy.
constexpr int kSizesBeyond = 2;

std::string days_text(Seconds time) { return human_number(time / days(1), 3) + " days"; }

class Search {
 public:
  Search(const Catalog& catalog, const Model& model, const Gpu& gpu, const TrainingWorkload& workload,
         const SearchConstraints& constraints)
      : catalog_(catalog),
        model_(model),
        gpu_(gpu),
        workload_(workload),
        constraints_(constraints),
        stack_(layer_stack(model)) {}

  TrainingSearch go() {
    int beyond = 0;
    // Where even the ceiling of arithmetic asks for more GPUs than allowed, the largest cluster tells by how much it is
    // late.
    const double fewest = std::min(lower_bound(), constraints_.max_gpus);
    for (const double gpus : gpu_counts(node_gpus(catalog_, gpu_), fewest, constraints_.max_gpus)) {
      std::vector<TrainingCandidate> fitting;
      for (const TrainingRun& run : training_layouts(catalog_, model_, gpu_, workload_, gpus))
        try_run(run, gpus, fitting);
      std::stable_sort(fitting.begin(), fitting.end(),
                       [](const TrainingCandidate& a, const TrainingCandidate& b) { return a.run_time < b.run_time; });
      if (fitting.empty()) continue;
      add_point(fitting.front());
      if (fitting.front().run_time > workload_.deadline) {
        too_late(fitting.front());
        continue;
      }
      for (TrainingCandidate& candidate : fitting)
        if (candidate.run_time <= workload_.deadline && static_cast<double>(search_.best.size()) < constraints_.top)
          search_.best.push_back(std::move(candidate));
      if (++beyond > kSizesBeyond) break;
    }
    TrainingRun plain;
    plain.method = workload_.method;
    search_.not_modelled = training_not_modelled(plain);
    keep_front();
    return std::move(search_);
  }

 private:
  double lower_bound() {
    NoTrace none;
    std::vector<std::string> ignored;
    const std::string precision = gemm_precision(gpu_, training_gemm_precision(workload_.precision));
    const auto gemm = gemm_ceiling(none, catalog_, gpu_, precision, ignored);
    if (!gemm) return 1;
    const FlopsPerToken<NoTrace> flops =
        flops_per_token(none, model_, stack_, FlopsConvention{}, workload_.sequence_length);
    const Flops matmul = flops.mixer_projections + flops.mlp;
    return fewest_gpus(
        (workload_.method == TrainingMethod::full ? matmul : frozen_weight_work(matmul)) * workload_.tokens, *gemm,
        workload_.deadline);
  }

  void try_run(const TrainingRun& run, double gpus, std::vector<TrainingCandidate>& fitting) {
    search_.evaluated += 1;
    NoTrace none;
    const std::string text = layout_text(run);
    const auto memory =
        training_memory(none, model_, stack_, gpu_, run, training_recipe(catalog_.training_recipes, run));
    if (!memory) {
      for (const Error& error : memory.error())
        reject(search_.rejected,
               {.code = error.code, .message = error.message, .shortfall = 0, .unit = "", .ways_out = {}}, text);
      return;
    }
    if (!memory->fits())
      return reject(search_.rejected, training_shortfall(model_, run, gpu_, memory->total, memory->capacity), text);
    std::vector<Infeasible> reasons;
    std::vector<std::string> assumptions;
    const auto step = training_step(none, catalog_, gpu_, model_, stack_, run, nullptr, assumptions, reasons);
    for (const std::string& sentence : assumptions)
      if (std::find(search_.assumptions.begin(), search_.assumptions.end(), sentence) == search_.assumptions.end())
        search_.assumptions.push_back(sentence);
    if (!step) {
      for (Infeasible& reason : reasons) reject(search_.rejected, std::move(reason), text);
      return;
    }
    TrainingCandidate candidate;
    candidate.run = run;
    candidate.gpus = gpus;
    candidate.step = step->total;
    candidate.run_time = run_time_of_tokens(workload_.tokens, step->tokens_per_s);
    candidate.tokens_per_s = step->tokens_per_s;
    candidate.mfu = step->mfu;
    candidate.memory_per_gpu = memory->total;
    candidate.binding = step->binding;
    fitting.push_back(std::move(candidate));
  }

  void too_late(const TrainingCandidate& candidate) {
    const Seconds missed = candidate.run_time - workload_.deadline;
    reject(search_.rejected,
           {.code = "deadline",
            .message = human_number(candidate.gpus, 6) + " GPUs take " + days_text(candidate.run_time) +
                       ", the deadline is " + days_text(workload_.deadline) + ".",
            .shortfall = missed.base_units(),
            .unit = "s",
            .ways_out = {merge_patch("deadline_days", candidate.run_time / days(1))}},
           layout_text(candidate.run));
  }

  void add_point(const TrainingCandidate& candidate) {
    points_.gpus.push_back(candidate.gpus);
    points_.run_time_days.push_back(candidate.run_time / days(1));
    points_.layout.push_back(layout_text(candidate.run));
  }

  void keep_front() {
    for (const std::size_t i : pareto_front(points_.gpus, points_.run_time_days)) {
      search_.pareto.gpus.push_back(points_.gpus[i]);
      search_.pareto.run_time_days.push_back(points_.run_time_days[i]);
      search_.pareto.layout.push_back(points_.layout[i]);
    }
  }

  const Catalog& catalog_;
  const Model& model_;
  const Gpu& gpu_;
  const TrainingWorkload& workload_;
  const SearchConstraints& constraints_;
  LayerStack stack_;
  TrainingSearch search_;
  TrainingPareto points_;
};

}  // namespace

TrainingSearch search_training(const Catalog& catalog, const Model& model, const Gpu& gpu,
                               const TrainingWorkload& workload, const SearchConstraints& constraints) {
  return Search(catalog, model, gpu, workload, constraints).go();
}

}  // namespace podwright::sizing
