#include "memory/training_stages.h"

#include <algorithm>
#include <utility>

#include "model/linear_weights.h"

namespace podwright {
namespace {

bool covers(const TrainingStage& earlier, const std::vector<double>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (earlier.layers[i] < layers[i]) return false;
  return true;
}

void measure_weights(const Model& model, const LayerStack& stack, TrainingStage& stage) {
  std::vector<std::pair<double, double>> seen;
  for (std::size_t i = 0; i < stack.kinds.size(); ++i) {
    if (stage.layers[i] <= 0) continue;
    for (const LinearWeight& weight : linear_weights(model, stack.kinds[i])) {
      stage.largest_weight = std::max(stage.largest_weight, weight.parameters());
      const std::pair<double, double> shape(weight.in, weight.out);
      if (weight.role == LinearRole::expert || std::find(seen.begin(), seen.end(), shape) != seen.end()) continue;
      seen.push_back(shape);
      stage.distinct_weights += weight.parameters();
    }
  }
  if (stage.last) stage.distinct_weights += model.vocab_size * model.hidden_size;
}

}  // namespace

std::vector<TrainingStage> training_stages(const Model& model, const LayerStack& stack, const StageSplit& split) {
  const int count = std::max(1, static_cast<int>(split.pipeline));
  std::vector<TrainingStage> stages;
  std::vector<double> layers;
  for (int place = 0; place < count; ++place) {
    count_stage_layers(stack, split, place, layers);
    const bool last = place + 1 == count;
    if (!last && std::any_of(stages.begin(), stages.end(),
                             [&](const TrainingStage& earlier) { return covers(earlier, layers); }))
      continue;
    TrainingStage stage;
    stage.place = place;
    stage.layers = layers;
    stage.first = place == 0;
    stage.last = last;
    measure_weights(model, stack, stage);
    stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace podwright
