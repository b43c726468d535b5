#pragma once
/// Fits the constants of the step model of serving on published runs. docs/method/serving_time.md#fit.
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calibration/least_squares.h"
#include "calibration/measured_serving.h"
#include "catalog/catalog.h"

namespace podwright {

/// Kind of a figure by which groups have levels: ttft, tpot, prompt (tokens of prompts alone) or throughput.
std::string_view serving_metric_class(const MeasuredServingRow& row, std::string_view metric);

/// False where the constant is of other engines or other models than the row's: no prediction of it can move.
bool may_move(ServingConstant constant, const MeasuredServingRow& row);

/// One fit on all rows. Parameters are the constants, the factors of engines and periods, and a level for each group of
/// runs and class of figures: what a box, a model and a setting that no one gave have to themselves. Levels keep one
/// group from bending what all share; predictions take of them what serving_levels() keeps.
///
/// Fits without some rows start at the whole fit: their least squares are solved with its derivatives, which a group of
/// rows hardly changes, so that a refit costs seconds.
class ServingFit {
 public:
  /// `catalog` and `rows` must outlive the fit. Rows without an estimate at the priors are passed over. Priors, spreads
  /// and periods are those of the catalog; its constants and factors do not matter.
  ServingFit(const Catalog& catalog, const std::vector<const MeasuredServingRow*>& rows);

  /// The catalog with the constants, factors and support of all rows.
  const Catalog& whole() const { return whole_; }
  /// False where a step of the fit had no solution: it must not be used.
  bool solved() const { return point_.solved; }
  /// The same of some of the rows. Error "not-solved" where a step of the refit has no solution.
  Result<Catalog> without(const std::vector<const MeasuredServingRow*>& remaining) const;
  /// Rows with a figure that is fitted.
  int fitted_rows() const { return static_cast<int>(runs_.size()); }

 private:
  struct Observation {
    std::size_t run;     ///< in runs_
    std::string metric;  ///< column
    double log_measured;
    double weight;
    std::size_t level = 0;  ///< parameter: what its group has to itself
  };
  struct Run {
    const MeasuredServingRow* row;
    std::vector<std::size_t> observations;
  };
  struct Factor {
    std::size_t software;  ///< in the catalog's rows
    std::size_t which;
  };

  /// A prediction that leaves the model's reach at a point is NaN there.
  static constexpr double kUntold = std::numeric_limits<double>::quiet_NaN();

  void choose_observations(const std::vector<const MeasuredServingRow*>& rows);
  void choose_parameters();
  void choose_levels();
  void solve();
  /// `moved` is what derivatives move, and lives as long as the problem.
  LeastSquaresProblem problem(LeastSquaresWeights weights, Catalog& moved) const;
  std::size_t first_level() const { return kServingConstants + factors_.size(); }
  bool concerns(std::size_t parameter, const Run& run) const;
  void set(Catalog& catalog, std::size_t parameter, double value) const;
  Catalog at_priors() const;
  Catalog at(const std::vector<double>& parameters) const;
  void residuals_of(const Catalog& catalog, const std::vector<double>& parameters, const Run& run,
                    std::vector<double>& residuals) const;
  void all_residuals(const std::vector<double>& parameters, std::vector<double>& residuals) const;
  void derivative_of(const std::vector<double>& parameters, const std::vector<double>& at, std::size_t parameter,
                     Catalog& moved, std::vector<double>& derivative) const;
  LeastSquaresPoint refitted(const std::set<const MeasuredServingRow*>& kept) const;
  /// With the support of these rows, and what their levels tell.
  Catalog supported(const std::vector<double>& parameters, const std::set<const MeasuredServingRow*>& kept) const;

  const Catalog& catalog_;
  std::vector<Run> runs_;
  std::vector<Observation> observations_;
  std::vector<Factor> factors_;
  LeastSquaresWeights weights_;
  LeastSquaresPoint point_;                       ///< of the whole fit
  std::vector<std::vector<double>> derivatives_;  ///< there
  Catalog whole_;
};

/// The catalog's tables besides that of the constants as text, ready to be written.
std::string serving_software_csv(const ServingEfficiency& efficiency);
std::string serving_support_csv(const ServingEfficiency& efficiency);
std::string serving_levels_csv(const ServingEfficiency& efficiency);

}  // namespace podwright
