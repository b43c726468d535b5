#include "api/training_exports.h"

#include <algorithm>
#include <cmath>

#include "memory/training_memory.h"

namespace podwright {

void describe_training_exports(FieldVisitor& v, const std::string& of, std::vector<std::string>& exports,
                               sizing::TrainingNames& names) {
  std::vector<std::string> words(kTrainingExportWords.begin(), kTrainingExportWords.end());
  words.emplace_back("all");
  v.words({"exports", "Files that start " + of +
                          ": torchrun; slurm, a batch script; kubeflow, a TrainJob; megatron, arguments of "
                          "Megatron-LM; memory-proof, a script that proves its memory on one GPU; or all"},
          exports, words);
  v.enter({"deploy", "What these files name; absent: scripts ask for it, other files have it in angle brackets"});
  v.text({"data", "Prefix of the files that Megatron-LM's tools/preprocess_data.py wrote"}, names.data);
  v.text({"tokenizer", "Folder or Hugging Face name of the tokenizer"}, names.tokenizer);
  v.text({"megatron_lm", "Folder of Megatron-LM"}, names.megatron_lm);
  v.text({"checkpoints", "Folder of the checkpoints, which all nodes share"}, names.checkpoints);
  v.text({"image", "Container image, with its tag"}, names.image);
  v.text({"namespace", "Namespace of Kubernetes"}, names.name_space);
  v.text({"runtime", "ClusterTrainingRuntime of Kubeflow; absent: torch-distributed"}, names.runtime);
  v.text({"partition", "Partition of Slurm; absent: the default one"}, names.partition);
  v.text({"account", "Account of Slurm; absent: the user's"}, names.account);
  v.leave();
}

sizing::TrainingLength length_of(const std::optional<double>& tokens, const TrainingEstimate<NoTrace>& estimate,
                                 const std::optional<Calendar<NoTrace>>& calendar) {
  sizing::TrainingLength length{.tokens = tokens, .save_steps = {}, .longest = {}};
  if (!calendar || !calendar->run_time || !estimate.step) return length;
  length.save_steps = std::max(1.0, std::floor(calendar->goodput.interval / estimate.step->total));
  length.longest = *calendar->run_time;
  if (estimate.step_bounds)
    length.longest = estimate.step_bounds->factors.of("perf.run_time_bound", *calendar->run_time).high;
  return length;
}

ExportFiles files_of_training(const Catalog& catalog, const std::vector<std::string>& exports, TrainingJob job) {
  std::vector<TrainingExport> wanted;
  for (std::size_t i = 0; i < kTrainingExportWords.size(); ++i)
    for (const std::string& word : exports)
      if (word == "all" || word == kTrainingExportWords[i]) wanted.push_back(static_cast<TrainingExport>(i));
  NoTrace none;
  if (const auto memory =
          training_memory(none, job.model, job.gpu, job.run, training_recipe(catalog.training_recipes, job.run)))
    job.fullest_stage = memory->stage;
  return training_files(job, wanted);
}

}  // namespace podwright
