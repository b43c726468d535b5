#include "export/training_files.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/shell_text.h"
#include "base/yaml_text.h"
#include "export/deployment_parts.h"
#include "sizing/kubernetes_manifest.h"
#include "sizing/launch_script.h"
#include "sizing/training_launch.h"

namespace podwright {
namespace {

constexpr std::string_view kShell = "text/x-shellscript";
/// Comes with Kubeflow Trainer: manifests/base/runtimes/torch_distributed.yaml.
constexpr std::string_view kTorchRuntime = "torch-distributed";
/// maxLength of trainer.image and runtimeRef.name in manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml.
constexpr std::size_t kMostImage = 500;
constexpr std::size_t kMostRuntime = 253;

/// A run with the programs that start it.
struct TrainingParts {
  const TrainingJob& job;
  sizing::LaunchArguments torchrun;
  sizing::LaunchArguments megatron;
  std::vector<sizing::TrainingStart> starts;
  double nodes = 1;
  double here = 8;  ///< GPUs of a node
};

/// A user's name and the variable that a program reads it from.
struct NamedVariable {
  std::string_view variable;
  std::string sizing::TrainingNames::*name;
};
constexpr NamedVariable kVariables[] = {{"DATA_PATH", &sizing::TrainingNames::data},
                                        {"TOKENIZER", &sizing::TrainingNames::tokenizer},
                                        {"MEGATRON_LM", &sizing::TrainingNames::megatron_lm},
                                        {"CHECKPOINTS", &sizing::TrainingNames::checkpoints}};

bool mention(std::span<const std::string> words, std::string_view variable) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word.find("$" + std::string(variable)) != std::string::npos;
  });
}

/// "export NAME='value'" of what the user has named and the words mention.
std::string named_variables(const sizing::TrainingNames& names, std::span<const std::string> words) {
  std::string text;
  for (const auto& [variable, name] : kVariables)
    if (!(names.*name).empty() && mention(words, variable))
      text += "export " + shell_assignment(variable, names.*name) + "\n";
  return text;
}

void add_torchrun(const TrainingParts& parts, ExportFiles& out) {
  for (const sizing::TrainingStart& start : parts.starts) {
    const std::vector<std::string> words = sizing::torchrun_words(parts.torchrun, start);
    out.files.push_back({"torchrun/train-" + start.program + ".sh", std::string(kShell),
                         sizing::script_head() + std::string(sizing::words_of_training()) +
                             sizing::torchrun_questions(parts.torchrun) + named_variables(parts.job.names, words) +
                             start.variables + start.file + "exec " +
                             sizing::command_with_rest(parts.torchrun.program, words)});
  }
}

// Slurm

/// sbatch ends an option at a space, a quote, a backslash or a number sign; names of Slurm have none of them.
bool is_slurm_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == ',';
  });
}

/// What keeps ranks that exchange much near one another: on systems of several nodes in one domain of links a segment
/// of their nodes, else few switches. A comment, as older versions of Slurm do not have --segment.
std::string topology_hint(const TrainingParts& parts) {
  if (parts.nodes <= 1) return "";
  const TrainingParallelism& p = parts.job.run.parallelism;
  const double domain = parts.job.gpu.link_domain_gpus.value_or(parts.here);
  if (domain <= parts.here) return "# sbatch --switches=N@MINUTES waits for nodes below at most N leaf switches.\n";
  const double near = std::min(std::max(p.tensor, p.expert * p.expert_tensor), domain);
  double segment = std::min(std::ceil(near / parts.here), parts.nodes);
  while (segment > 1 && std::fmod(parts.nodes, segment) != 0) segment -= 1;
  return "# With topology/block (Slurm 24.05 and later), sbatch --segment=" + shortest_number(segment) +
         " keeps the ranks that exchange most in one domain of links.\n";
}

std::string batch_options(const TrainingParts& parts) {
  std::string lines;
  const auto add = [&](std::string_view option) { lines += "#SBATCH --" + std::string(option) + "\n"; };
  add("job-name=" + sizing::object_name(parts.job.model));
  add("nodes=" + shortest_number(parts.nodes));
  add("ntasks-per-node=1");
  add("gpus-per-node=" + shortest_number(parts.here));
  if (parts.here >= parts.job.node_gpus) add("exclusive");
  add("output=%x-%j.log");
  if (const std::optional<Seconds>& longest = parts.job.length.longest) {
    const double whole = std::ceil(*longest / hours(1));
    const std::string hour = shortest_number(std::fmod(whole, 24));
    add("time=" + shortest_number(std::floor(whole / 24)) + "-" + (hour.size() < 2 ? "0" : "") + hour + ":00:00");
  }
  const sizing::TrainingNames& names = parts.job.names;
  if (!names.partition.empty()) add("partition=" + names.partition);
  if (!names.account.empty()) add("account=" + names.account);
  if (parts.job.length.longest)
    lines +=
        "# The time is the upper end of the prediction. Where a partition ends jobs earlier, give its --time and "
        "submit "
        "the\n# job again: it goes on from the last checkpoint.\n";
  return lines + topology_hint(parts);
}

void add_slurm(const TrainingParts& parts, ExportFiles& out) {
  const std::size_t before = out.not_written.size();
  for (const std::string& name : {parts.job.names.partition, parts.job.names.account})
    if (!is_slurm_name(name))
      out.not_written.push_back(
          "Names of partitions and accounts of Slurm have letters, digits, points, commas, lines and dashes only.");
  if (out.not_written.size() > before) return;
  std::string rendezvous;
  if (parts.nodes > 1)
    rendezvous =
        "MASTER_ADDR=\"$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | sed -n 1p)\"\n"
        "export MASTER_ADDR MASTER_PORT=$((20000 + SLURM_JOB_ID % 10000)) JOB_ID=\"$SLURM_JOB_ID\"\n";
  for (const sizing::TrainingStart& start : parts.starts) {
    std::vector<std::string> words = sizing::torchrun_words(parts.torchrun, start);
    const std::string known = named_variables(parts.job.names, words);
    // One task a node starts all ranks, which need all of its cores.
    words.insert(words.begin(), {"--kill-on-bad-exit=1", "--cpu-bind=none", parts.torchrun.program});
    const std::string shared = start.file.empty() ? "" : "# The folder of the job must be one that all nodes share.\n";
    out.files.push_back({"slurm/train-" + start.program + ".sbatch", std::string(kShell),
                         sizing::script_head(batch_options(parts)) + std::string(sizing::words_of_training()) + known +
                             start.variables + rendezvous + shared + start.file +
                             sizing::command_with_rest("srun", words)});
  }
}

// Kubeflow

/// What is known of a program's variables, else what belongs there in angle brackets.
sizing::Variables values_of(const sizing::LaunchArguments& program, const sizing::TrainingNames& names) {
  sizing::Variables values = sizing::variables_of(program, {});
  values.emplace_back("MEGATRON_LM", "<folder of Megatron-LM>");
  for (auto& [variable, value] : values)
    for (const auto& [known, name] : kVariables)
      if (variable == known && !(names.*name).empty()) value = names.*name;
  return values;
}

/// "--name=value" of "--name" and "value": a job has at most 128 arguments.
std::vector<std::string> joined_options(std::span<const std::string> words) {
  std::vector<std::string> joined;
  for (const std::string& word : words)
    if (!joined.empty() && joined.back().starts_with("--") && joined.back().find('=') == std::string::npos &&
        !word.starts_with("--"))
      joined.back() += "=" + word;
    else
      joined.push_back(word);
  return joined;
}

/// Kubernetes puts variables of its own in place of a single dollar with a bracket.
std::string environment_of(const sizing::Variables& values, std::span<const std::string> words) {
  std::string lines;
  for (const auto& [name, value] : values)
    if (mention(words, name) || name == "CUDA_DEVICE_MAX_CONNECTIONS")
      lines += "  - name: " + name + "\n    value: " + yaml_text(sizing::with_doubled_dollars(value)) + "\n";
  return lines.empty() ? "" : "env:\n" + lines;
}

std::string train_job(const TrainingParts& parts, const sizing::TrainingStart& start,
                      const sizing::LaunchArguments& program) {
  const sizing::TrainingNames& names = parts.job.names;
  const sizing::Variables values = values_of(program, names);
  std::vector<std::string> command{parts.torchrun.program};
  std::vector<std::string> arguments;
  std::string environment;
  if (start.file.empty()) {
    arguments = joined_options(sizing::words_of({.arguments = start.words}, values));
    environment = environment_of(values, {});
  } else {
    command = {"/bin/bash", "-c"};
    arguments = {start.file + "exec " + sizing::command_with_rest(parts.torchrun.program, start.words), "train"};
    environment = environment_of(values, start.words);
  }
  return deployment_text(
      "trainjob.yaml",
      {{"app", sizing::object_name(parts.job.model)},
       {"namespace", names.name_space.empty() ? "" : "namespace: " + yaml_text(names.name_space)},
       {"runtime", yaml_text(names.runtime.empty() ? kTorchRuntime : std::string_view(names.runtime))},
       {"image", yaml_text(names.image.empty() ? "<image with " + start.program + ">:<tag>" : names.image)},
       {"nodes", shortest_number(parts.nodes)},
       {"processes", shortest_number(parts.here)},
       {"gpus", yaml_text(shortest_number(parts.here))},
       {"command", yaml_list(command)},
       {"arguments", yaml_list(arguments)},
       {"environment", environment}});
}

void add_kubeflow(const TrainingParts& parts, ExportFiles& out) {
  const TrainingJob& job = parts.job;
  if (job.gpu.vendor != "NVIDIA") {
    out.not_written.push_back("The resource of " + job.gpu.name + " in Kubernetes is not known here.");
    return;
  }
  if (job.names.image.size() > kMostImage || job.names.runtime.size() > kMostRuntime) {
    out.not_written.push_back("A TrainJob takes an image of at most " + std::to_string(kMostImage) +
                              " characters and a runtime of at most " + std::to_string(kMostRuntime) + ".");
    return;
  }
  for (const sizing::TrainingStart& start : parts.starts)
    out.files.push_back({"kubeflow/trainjob-" + start.program + ".yaml", "application/yaml",
                         train_job(parts, start,
                                   start.program == parts.megatron.program
                                       ? parts.megatron
                                       : sizing::torchtitan_arguments(job.model, job.gpu, job.run, job.length))});
}

// Megatron-LM

void add_megatron(const TrainingParts& parts, ExportFiles& out) {
  if (!parts.megatron.cannot.empty()) {
    for (const std::string& sentence : parts.megatron.cannot) out.not_written.push_back(sentence);
    return;
  }
  std::string text =
      "# Set DATA_PATH and TOKENIZER where they are not set here, then: . arguments.sh\n"
      "# torchrun ... pretrain_gpt.py \"${MEGATRON_ARGUMENTS[@]}\"\n" +
      named_variables(parts.job.names, parts.megatron.arguments) + "MEGATRON_ARGUMENTS=(\n";
  for (const std::string& argument : parts.megatron.arguments) text += "  " + argument + "\n";
  out.files.push_back({"megatron/arguments.sh", std::string(kShell), text + ")\n"});
}

/// What a proof leaves out: it runs on made-up data, for two steps, and keeps nothing.
bool is_of_run(std::string_view argument) {
  return argument.starts_with("--data-path ") || argument.starts_with("--tokenizer-") ||
         argument.starts_with("--train-iters ") || argument.starts_with("--vocab-size ") ||
         argument.starts_with("--save") || argument.starts_with("--load ");
}

std::vector<std::string> proof_arguments(const TrainingParts& parts) {
  std::vector<std::string> words{"\"$MEGATRON_LM/pretrain_gpt.py\""};
  for (const std::string& argument : parts.megatron.arguments)
    if (!is_of_run(argument)) words.push_back(argument);
  // Some versions of the null tokenizer add a token of their own; without one of them the padded size is the same.
  words.push_back("--vocab-size " + shortest_number(parts.job.model.vocab_size - 1));
  for (const char* word : {"--tokenizer-type NullTokenizer", "--mock-data", "--fake-process-group", "--train-iters 2",
                           "--log-interval 1", "--eval-iters 0", "--lr 1e-4"})
    words.emplace_back(word);
  // The estimate counts tokens that spread evenly over the experts, and an untrained router does not spread them.
  if (parts.job.model.experts > 0) words.emplace_back("--moe-router-force-load-balancing");
  return words;
}

void add_memory_proof(const TrainingParts& parts, ExportFiles& out) {
  const TrainingJob& job = parts.job;
  if (!parts.megatron.cannot.empty() || job.run.framework != kProofFramework || !job.fullest_stage) {
    out.not_written.push_back("Memory is proved with Megatron-LM: the framework must be " +
                              std::string(kProofFramework) + ", and the layout one that it can start.");
    return;
  }
  const TrainingParallelism& p = job.run.parallelism;
  const std::string rank = shortest_number(first_rank_of_stage(p, *job.fullest_stage));
  const std::string ranks = shortest_number(job.gpus);
  const std::vector<std::string> words = proof_arguments(parts);
  std::string environment = "WORLD_SIZE=" + ranks + " RANK=" + rank +
                            " LOCAL_RANK=0 MASTER_ADDR=localhost MASTER_PORT=29500 PYTHONUNBUFFERED=1";
  for (const sizing::LaunchVariable& one : parts.megatron.environment)
    if (!one.asked) environment += " " + sizing::assignment_of(one);
  out.files.push_back(
      {"memory-proof/prove-memory.sh", std::string(kShell),
       sizing::script_head("# One GPU of the run's type computes two steps of rank " + rank + " of " + ranks +
                           ", in pipeline stage " + shortest_number(*job.fullest_stage) +
                           " (from 0),\n# the fullest by the estimate. Collectives send nothing "
                           "(--fake-process-group: Megatron Core 0.16 or later, PyTorch 2.3\n# or later). podwright "
                           "verify REQUEST megatron.log compares the memory that it prints with the estimate.\n") +
           named_variables(job.names, words) +
           "need MEGATRON_LM 'folder of Megatron-LM'\n"
           "# The log begins with the command, so that it says which layout it is of.\n"
           "{\n  set -x\n  env " +
           environment + " " + sizing::command_with_rest("python3", words) + "} 2>&1 | tee megatron.log\n"});
}

/// A program would take a name for an option.
void check_names(const TrainingJob& job, std::vector<std::string>& not_written) {
  for (const std::string& name : {job.names.data, job.names.tokenizer, job.names.megatron_lm, job.names.checkpoints})
    if (name.starts_with('-')) not_written.push_back("The name of a file must not begin with a dash: " + name);
}

}  // namespace

ExportFiles training_files(const TrainingJob& job, std::span<const TrainingExport> wanted) {
  ExportFiles out;
  check_names(job, out.not_written);
  const sizing::LaunchArguments programs[] = {sizing::megatron_arguments(job.model, job.gpu, job.run, job.length),
                                              sizing::torchtitan_arguments(job.model, job.gpu, job.run, job.length)};
  const double here = std::min(job.gpus, job.node_gpus);
  const TrainingParts parts{.job = job,
                            .torchrun = sizing::torchrun_arguments(job.gpus, job.node_gpus),
                            .megatron = programs[0],
                            .starts = sizing::training_starts(programs),
                            .nodes = job.gpus / here,
                            .here = here};
  if (parts.starts.empty())
    for (const sizing::LaunchArguments& program : programs)
      for (const std::string& sentence : program.cannot) out.not_written.push_back(sentence);
  for (const std::string& sentence : parts.torchrun.cannot) out.not_written.push_back(sentence);
  if (!out.not_written.empty()) return out;
  constexpr std::array kWriters{add_torchrun, add_slurm, add_kubeflow, add_megatron, add_memory_proof};
  static_assert(kWriters.size() == kTrainingExportWords.size());
  for (std::size_t i = 0; i < kWriters.size(); ++i)
    if (std::find(wanted.begin(), wanted.end(), static_cast<TrainingExport>(i)) != wanted.end())
      kWriters[i](parts, out);
  return out;
}

}  // namespace podwright
