#pragma once
/// Arguments as files that run: a bash script for each program, which writes the files of options that the program
/// reads and asks for what only the user knows. docs/method/serving_launch.md#scripts.
#include <span>
#include <string>
#include <string_view>
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

/// A program of training as torchrun starts it, in parts of a script.
struct TrainingStart {
  std::string program;             ///< "megatron-lm"
  std::string variables;           ///< lines that set its variables or ask for them
  std::string file;                ///< lines that write the file that it reads; may be empty
  std::vector<std::string> words;  ///< after torchrun's own arguments, as a shell reads them
};
/// Of the programs that can start the run.
std::vector<TrainingStart> training_starts(std::span<const LaunchArguments> programs);

/// The first lines of a script, after which `need NAME 'what it is'` asks for a variable. `head`: comments.
std::string script_head(std::string_view head = "");
/// What the words that a script of training is given are for: a comment.
std::string_view words_of_training();
/// Asks for the variables that torchrun's arguments mention.
std::string torchrun_questions(const LaunchArguments& torchrun);
/// A program and its words, one a line, and the words that the script is given.
std::string command_with_rest(std::string_view program, std::span<const std::string> words);
/// Of torchrun's arguments and those of a program that it starts.
std::vector<std::string> torchrun_words(const LaunchArguments& torchrun, const TrainingStart& start);

/// Of torchrun's arguments and those of the programs that it starts.
std::vector<LaunchScript> training_scripts(const LaunchArguments& torchrun, std::span<const LaunchArguments> programs);

}  // namespace podwright::sizing
