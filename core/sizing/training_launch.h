#pragma once
/// How a layout is started: arguments of Megatron-LM, a torchtitan job and torchrun. docs/method/search.md#launch.
/// Names as in megatron/training/arguments.py of Megatron-Core 0.14, JobConfig of torchtitan 0.1 and torchrun of
/// PyTorch 2.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/gpu.h"
#include "catalog/model.h"
#include "memory/training_run.h"
#include "sizing/launch_options.h"

namespace podwright::sizing {

/// Training software by what it can spread how. `other`: nothing is known, everything counts as possible.
enum class Launcher { megatron, torchtitan, deepspeed, fsdp, other };

/// Of a framework id of the catalog.
Launcher launcher_of(std::string_view framework);

/// Whether the layout of a run can be started; its method and precision do not count. Allocates nothing.
bool launches(Launcher launcher, const Model& model, const TrainingRun& run);
/// What stands against it, one sentence each.
std::vector<std::string> launch_obstacles(Launcher launcher, const Model& model, const TrainingRun& run);

/// Steps of the optimizer that see so many tokens.
double optimizer_steps(double tokens, const TrainingRun& run);

/// How long a run goes on, as far as it is known; the user says the rest.
struct TrainingLength {
  std::optional<double> tokens = {};      ///< of the whole run
  std::optional<double> save_steps = {};  ///< from one checkpoint to the next
  std::optional<Seconds> longest = {};    ///< upper end of its time; not that of a single job where a limit stops it
};

LaunchArguments megatron_arguments(const Model& model, const Gpu& gpu, const TrainingRun& run,
                                   const TrainingLength& length = {});
LaunchArguments torchtitan_arguments(const Model& model, const Gpu& gpu, const TrainingRun& run,
                                     const TrainingLength& length = {});
/// GPUs that one torchrun starts: those of a node, or of a tray where a system is a rack. The largest system of the
/// catalog that holds the GPU counts where none is given.
double host_gpus(const Catalog& catalog, const Gpu& gpu, const System* system);
/// `node_gpus` per node; the rendezvous address is the user's.
LaunchArguments torchrun_arguments(double gpus, double node_gpus);

}  // namespace podwright::sizing
