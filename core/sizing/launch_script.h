#pragma once
/// Arguments as files that run: a bash script for each program, which writes the files of options that the program
/// reads and asks for what only the user knows. docs/method/serving_launch.md#scripts.
#include <span>
#include <string>
#include <vector>

#include "sizing/launch_options.h"

namespace podwright::sizing {

struct LaunchScript {
  std::string name;  ///< "serve.sh", "serve-prefill.sh" of a pool, "train-megatron.sh"
  std::string text;
};

/// Of what serving_launch_arguments() gives. A program that cannot start the deployment has none.
std::vector<LaunchScript> serving_scripts(std::span<const LaunchArguments> launch);
/// A program's script in parts: `environment` sets its variables or asks for them, `command` starts it.
struct LaunchEnvironment {
  std::string head;
  std::string environment;
  std::string command;
};
/// `known` are lines that set variables, before those that ask.
LaunchEnvironment serving_start(const LaunchArguments& program, const std::string& known);

/// Of torchrun's arguments and those of the programs that it starts.
std::vector<LaunchScript> training_scripts(const LaunchArguments& torchrun, std::span<const LaunchArguments> programs);

}  // namespace podwright::sizing
