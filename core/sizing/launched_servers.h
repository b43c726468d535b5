#pragma once
/// The programs of a deployment with what belongs to each, from what serving_launch.h gives.
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "memory/serving_run.h"
#include "sizing/launch_names.h"
#include "sizing/launch_options.h"

namespace podwright::sizing {

struct LaunchedServer {
  std::string role;  ///< "prefill", "decode", "router"; empty: the one that does all
  const LaunchArguments* command = nullptr;
  const LaunchArguments* options = nullptr;  ///< file of options that it reads
  double replicas = 1;
  double nodes = 1;  ///< of a replica
  double gpus = 0;   ///< of a replica in one node
  double port = 8000;
};

/// In the order of `launches`, which must outlive them and hold programs that start.
std::vector<LaunchedServer> launched_servers(const ServingRun& run, std::span<const LaunchArguments> launches,
                                             double node_gpus);

/// Values of variables, without the dollar.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// What the environment of a program sets, what the user's names say, else what belongs there in angle brackets.
Variables variables_of(const LaunchArguments& command, const LaunchNames& names);

/// A text with the known variables in place.
std::string with_variables(std::string_view text, const Variables& variables);

/// The words of the command line; one with a variable that is not known stays as a shell would read it.
std::vector<std::string> words_of(const LaunchArguments& command, const Variables& variables);

/// The lines of a file of options, each text with variables quoted as YAML wants it.
std::vector<std::string> lines_of_options(const LaunchArguments& file, const Variables& variables);

}  // namespace podwright::sizing
