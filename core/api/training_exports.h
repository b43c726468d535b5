#pragma once
/// Files that start a training run, in requests and answers of searches and plans.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "export/training_files.h"
#include "perf/calendar.h"
#include "perf/estimate_training.h"
#include "sizing/launch_names.h"

namespace podwright {

/// `exports`, words of kTrainingExportWords or "all", and `deploy`, what the files name. `of`: "the first layout".
void describe_training_exports(FieldVisitor& v, const std::string& of, std::vector<std::string>& exports,
                               sizing::TrainingNames& names);

/// How long a run of so many tokens goes on, by its estimate and its calendar.
sizing::TrainingLength length_of(const std::optional<double>& tokens, const TrainingEstimate<NoTrace>& estimate,
                                 const std::optional<Calendar<NoTrace>>& calendar);

/// The files that `exports` asks for. What a job's memory is fullest of is found here.
ExportFiles files_of_training(const Catalog& catalog, const std::vector<std::string>& exports, TrainingJob job);

}  // namespace podwright
