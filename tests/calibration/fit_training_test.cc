#include "calibration/fit_training.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/math.h"
#include "base/number_text.h"
#include "calibration/calibration.h"
#include "calibration/training_spread.h"

namespace podwright::fit_training_test {
namespace {

/// Runs of one framework on one GPU; `source` of every second row is another one.
std::string table() {
  std::string csv = "id,source,gpu_id,model_id,seq_len,num_gpus,tp,pp,micro_batch,global_batch,framework,step_time_s\n";
  int id = 0;
  for (const char* model : {"llama-3-8b", "llama-2-7b", "llama-2-13b"})
    for (const int sequence : {2048, 4096, 8192})
      for (const int tensor : {1, 2, 4, 8}) {
        csv += std::to_string(id) + "," + (id % 2 == 0 ? "even" : "odd") + ",h100-sxm5-80gb," + model + "," +
               std::to_string(sequence) + ",16," + std::to_string(tensor) + ",1,1," + std::to_string(64) +
               ",Megatron-Core,1\n";
        ++id;
      }
  return csv;
}

class TrainingFit : public ::testing::Test {
 protected:
  void SetUp() override {
    auto read = read_measured_training(catalog_, table(), "runs.csv");
    ASSERT_TRUE(read);
    measured_ = std::move(*read);
    runs_ = timed_runs(catalog_, measured_);
    ASSERT_GE(runs_.size(), 30u);
  }
  /// Sets the measured times to what the model says with constants of its own.
  void measure_with(const TrainingEfficiency& truth) {
    const std::vector<double> seconds = predicted_seconds(catalog_, truth, runs_);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      ASSERT_GT(seconds[i], 0);
      runs_[i].seconds = seconds[i];
    }
  }
  /// Constants at their priors, no factor of software.
  TrainingEfficiency at_priors() const {
    TrainingEfficiency efficiency = catalog_.training_efficiency;
    for (EfficiencyConstant& constant : efficiency.constants) constant.value = constant.prior;
    efficiency.software.clear();
    return efficiency;
  }

  const Catalog& catalog_ = embedded_catalog_facts();
  MeasuredTraining measured_;
  std::vector<TimedRun> runs_;
};

TEST_F(TrainingFit, RecoversTheTimesOfKnownConstants) {
  TrainingEfficiency truth = at_priors();
  constexpr auto kProducts = static_cast<std::size_t>(Efficiency::gemm_16_bit);
  truth.constants[kProducts].value *= 0.9;
  measure_with(truth);
  const TrainingEfficiency fit = fit_training(catalog_, runs_);
  const std::vector<double> again = predicted_seconds(catalog_, fit, runs_);
  for (std::size_t i = 0; i < runs_.size(); ++i) EXPECT_NEAR(again[i] / runs_[i].seconds, 1, 0.02) << i;
  // Slower products are told by their constant and the factors of the software together; priors and what streams
  // beside the products keep a part of it.
  double slower = -math::log(fit.constants[kProducts].value / fit.constants[kProducts].prior);
  for (const SoftwareFactor& factor : fit.software) slower += factor.compute;
  EXPECT_GT(slower, 0.5 * -math::log(0.9));
  EXPECT_LT(slower, -math::log(0.9));
}

TEST_F(TrainingFit, KeepsThePriorOfWhatNoRunSpeaksOf) {
  measure_with(at_priors());
  const TrainingEfficiency fit = fit_training(catalog_, runs_);
  for (const Efficiency constant : {Efficiency::gemm_4_bit, Efficiency::all_to_all_rate, Efficiency::grouped_products})
    EXPECT_NEAR(fit[constant].value, fit[constant].prior, 1e-9 * fit[constant].prior)
        << word_of(constant, kEfficiencyWords);
}

TEST_F(TrainingFit, DoesNotSeeWhatIsLeftOut) {
  TrainingEfficiency truth = at_priors();
  measure_with(truth);
  const auto silent = [](const std::string&) {};
  const std::vector<LeftOut> before = leave_out(catalog_, runs_, "source", silent);
  // Times of one source change: predictions of that source by the other must not.
  for (TimedRun& run : runs_)
    if (run.row->source == "odd") run.seconds *= 3;
  const std::vector<LeftOut> after = leave_out(catalog_, runs_, "source", silent);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (runs_[i].row->source == "odd")
      EXPECT_EQ(after[i].seconds, before[i].seconds);
    else
      EXPECT_GT(after[i].seconds, 1.2 * before[i].seconds);
  }
}

TEST_F(TrainingFit, KnowsLessWithoutTheFramework) {
  measure_with(at_priors());
  const std::vector<LeftOut> without = leave_out(catalog_, runs_, "source", [](const std::string&) {});
  for (const LeftOut& one : without) EXPECT_EQ(one.knowledge.software, SoftwareKnowledge::run);
  EXPECT_TRUE(training_support(catalog_, {}).empty());
  Catalog nothing = catalog_;
  nothing.training_support.clear();
  const MeasuredTrainingRow& row = *runs_.front().row;
  EXPECT_EQ(training_knowledge(nothing, row.model, *row.gpu, row.run).software, SoftwareKnowledge::none);
}

TEST_F(TrainingFit, LeavesNothingOutWhereNothingWouldRemain) {
  measure_with(at_priors());
  int fits = 0;
  const std::vector<LeftOut> none = leave_out(catalog_, runs_, "gpu_id", [&](const std::string&) { fits += 1; });
  EXPECT_EQ(fits, 0);
}

TEST_F(TrainingFit, WritesTablesThatTheCatalogReads) {
  measure_with(at_priors());
  TrainingEfficiency fit = fit_training(catalog_, runs_);
  Catalog again;
  Errors errors;
  read_table("training_constants.csv", constants_csv(fit.constants), again, errors);
  read_table("training_software.csv", training_software_csv(fit), again, errors);
  read_table("training_spreads.csv", training_spreads_csv(catalog_.training_efficiency.spreads), again, errors);
  read_table("training_support.csv", training_support_csv(training_support(catalog_, runs_)), again, errors);
  const TrainingEfficiency& read = again.training_efficiency;
  const std::vector<TrainingSupport>& support = again.training_support;
  for (const Error& error : errors) ADD_FAILURE() << error.path << ": " << error.message;
  for (std::size_t i = 0; i < kEfficiencies; ++i) {
    EXPECT_NEAR(read.constants[i].value, fit.constants[i].value, 1e-4 * fit.constants[i].value);
    EXPECT_EQ(read.constants[i].prior, fit.constants[i].prior);
  }
  EXPECT_EQ(read.software.size(), fit.software.size());
  EXPECT_EQ(read.spreads.size(), catalog_.training_efficiency.spreads.size());
  double rows = 0;
  for (const TrainingSupport& entry : support) rows += entry.rows;
  EXPECT_EQ(rows, static_cast<double>(runs_.size()));
  // What was read is written as the same bytes.
  EXPECT_EQ(constants_csv(read.constants), constants_csv(fit.constants));
  EXPECT_EQ(training_support_csv(support), training_support_csv(training_support(catalog_, runs_)));
}

TEST(ConstantsTable, KeepsTheNotesOfTheOneItReplaces) {
  const std::string fresh = "id,value\na,1\nb,2\n";
  EXPECT_EQ(with_notes(fresh, "id,value,note\nb,7,\"of b, once\"\n"), "id,value,note\na,1,\nb,2,\"of b, once\"\n");
  EXPECT_EQ(with_notes(fresh, "id,value\na,3\n"), fresh);
  EXPECT_EQ(with_notes(fresh, ""), fresh);
}

TEST_F(TrainingFit, IsTheSameTwice) {
  measure_with(at_priors());
  EXPECT_EQ(constants_csv(fit_training(catalog_, runs_).constants),
            constants_csv(fit_training(catalog_, runs_).constants));
}

TEST_F(TrainingFit, SpreadsCoverNineTenthsAndNeverShrinkWithLessKnowledge) {
  std::vector<double> fitted;
  std::vector<LeftOut> left_out;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    runs_[i].seconds = 1;
    const double miss = 0.01 * static_cast<double>(i + 1);
    fitted.push_back(math::exp(miss));
    LeftOut one;
    one.seconds = math::exp(miss / 2);
    one.knowledge.software = SoftwareKnowledge::framework;
    left_out.push_back(one);
  }
  const std::vector<PredictionSpread> transfer = catalog_.training_efficiency.spreads;
  TrainingEfficiency efficiency;
  efficiency.spreads = training_spreads(runs_, fitted, {left_out}, transfer);
  const auto width = [&](const char* knowledge) { return efficiency.spread(knowledge, "dense")->half_width; };
  int covered = 0;
  for (const double seconds : fitted) covered += math::log(seconds) <= width("run") ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(covered) / static_cast<double>(fitted.size()), 0.9, 0.03);
  EXPECT_LE(width("run"), width("period"));
  EXPECT_LE(width("period"), width("framework"));
  EXPECT_LE(width("framework"), width("none"));
  ASSERT_NE(efficiency.spread("gpu-generation", "any"), nullptr);
  EXPECT_EQ(efficiency.spread("gpu-generation", "any")->half_width,
            catalog_.training_efficiency.spread("gpu-generation", "any")->half_width);
}

}  // namespace
}  // namespace podwright::fit_training_test
