#include "calibration/training_spread.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/append.h"
#include "base/csv_write.h"
#include "base/math.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/fit_errors.h"
#include "catalog/architecture_word.h"

namespace podwright {
namespace {

/// Fewer rows give no quantile: docs/method/accuracy.md#fits.
constexpr std::size_t kLeastSpreadRows = 12;
constexpr const char* kFitSource = "training-time-fit";

PredictionSpread spread_of(std::string knowledge, std::string architecture, double half_width, std::size_t rows,
                           std::string note) {
  PredictionSpread spread;
  spread.knowledge = std::move(knowledge);
  spread.architecture = std::move(architecture);
  spread.half_width = half_width;
  spread.rows = static_cast<double>(rows);
  spread.source = kFitSource;
  spread.note = std::move(note);
  return spread;
}

/// The half width that knowledge of the software alone must have for the interval to just reach the measurement.
double needed_width(double miss, double other_width) {
  return std::sqrt(std::max(0.0, miss * miss - other_width * other_width));
}

}  // namespace

std::vector<PredictionSpread> training_spreads(const std::vector<TimedRun>& runs, const std::vector<double>& fitted,
                                               const std::vector<std::vector<LeftOut>>& left_out,
                                               const std::vector<PredictionSpread>& known) {
  std::vector<PredictionSpread> spreads;
  TrainingEfficiency widening;
  for (const PredictionSpread& spread : known)
    if (spread.source != kFitSource) widening.spreads.push_back(spread);
  const PredictionSpread* library = widening.spread("other-library", "any");
  for (const bool experts : {false, true}) {
    std::map<SoftwareKnowledge, std::vector<double>> needed;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if ((runs[i].row->model.experts > 0) != experts) continue;
      if (fitted[i] > 0) needed[SoftwareKnowledge::run].push_back(std::fabs(math::log(fitted[i] / runs[i].seconds)));
      for (const std::vector<LeftOut>& predictions : left_out) {
        const LeftOut& one = predictions[i];
        if (one.seconds > 0)
          needed[one.knowledge.software].push_back(needed_width(std::fabs(math::log(one.seconds / runs[i].seconds)),
                                                                transfer_width(widening, one.knowledge)));
      }
    }
    double before = 0;
    for (const SoftwareKnowledge level :
         {SoftwareKnowledge::run, SoftwareKnowledge::period, SoftwareKnowledge::framework, SoftwareKnowledge::none}) {
      std::vector<double>& misses = needed[level];
      const std::size_t rows = misses.size();
      std::string note = level == SoftwareKnowledge::run
                             ? "rows in the fit, and rows of sources and widths that fits did not see"
                             : "rows of sources and widths that fits did not see";
      double width = 0;
      if (rows >= kLeastSpreadRows) {
        width = math::quantile(std::move(misses), kCovered);
      } else {
        const double other = library == nullptr ? 0 : library->half_width;
        width = std::sqrt(before * before + other * other);
        note = "too few rows: the width of the level before and that of another library";
      }
      if (width < before) {
        width = before;
        note += "; not below the level before";
      }
      before = width;
      spreads.push_back(spread_of(std::string(word_of(level, kSoftwareKnowledgeWords)),
                                  std::string(architecture_word(experts)), width, rows, std::move(note)));
    }
  }
  append(spreads, widening.spreads);
  return spreads;
}

std::vector<PredictionSpread> memory_spreads(const Backtest& backtest) {
  std::map<std::string, std::vector<double>> misses;
  for (const BacktestCell& cell : backtest.cells) {
    if (cell.metric != "memory_gib_per_gpu") continue;
    const double miss = std::fabs(math::log(cell.predicted / cell.measured));
    misses[label_of(cell.labels, "stack")].push_back(miss);
    misses["any"].push_back(miss);
  }
  std::vector<PredictionSpread> spreads;
  for (auto& [name, of_stack] : misses) {
    const std::size_t rows = of_stack.size();
    if (rows >= kLeastSpreadRows)
      spreads.push_back(spread_of("memory", name, math::quantile(std::move(of_stack), kCovered), rows,
                                  "published memory of one GPU"));
  }
  return spreads;
}

std::string training_spreads_csv(const std::vector<PredictionSpread>& spreads) {
  std::string text = "knowledge,architecture,half_width,rows,source,note\n";
  for (const PredictionSpread& spread : spreads)
    text += csv_line({spread.knowledge, spread.architecture, fixed_number(spread.half_width, 4),
                      shortest_number(spread.rows), spread.source, spread.note});
  return text;
}

}  // namespace podwright
