#pragma once
/// How a program is started, whatever it does: its arguments, the words to write them with, and the nodes it takes.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.h"
#include "memory/serving_run.h"

namespace podwright::sizing {

/// A variable that a program or its arguments read.
struct LaunchVariable {
  std::string name;
  std::string value;   ///< of what only the user knows, what it is
  bool asked = false;  ///< only the user knows it

  bool operator==(const LaunchVariable&) const = default;
};

/// `what` comes to people's terminals, and so is one line.
LaunchVariable asked_variable(std::string name, std::string_view what);

/// As a shell reads it after "export": "PORT=5600", or "MODEL='<what it is>'" for the user to fill in.
std::string assignment_of(const LaunchVariable& variable);
std::vector<std::string> assignments_of(const std::vector<LaunchVariable>& environment);

/// Arguments for one program; empty, with what it cannot express, where the layout cannot be started there.
struct LaunchArguments {
  std::string program;  ///< "megatron-lm", "vllm serve" ...; of a file its name
  std::string form;     ///< "command-line", "toml" or "yaml"
  std::vector<LaunchVariable> environment;
  std::vector<std::string> arguments;  ///< one option each, with its value; lines of the file for toml and yaml
  std::vector<std::string> cannot;

  /// "prefill", "decode" or "router", which the variable POOL says; empty: the one that does all.
  std::string_view role() const {
    for (const LaunchVariable& one : environment)
      if (one.name == kRoleVariable) return one.value;
    return {};
  }

  static constexpr std::string_view kRoleVariable = "POOL";
};

/// A command line as it grows.
class LaunchOptions {
 public:
  /// `out` must outlive the options.
  explicit LaunchOptions(std::vector<std::string>& out) : out_(out) {}
  void add(std::string_view name) { out_.emplace_back(name); }
  void add(std::string_view name, std::string_view value) {
    out_.push_back(std::string(name) + " " + std::string(value));
  }
  void add(std::string_view name, double value) { add(name, shortest_number(value)); }
  void add_above_one(std::string_view name, double value) {
    if (value > 1) add(name, value);
  }
  void add_known(std::string_view name, const std::optional<double>& value) {
    if (value) add(name, *value);
  }

 private:
  std::vector<std::string>& out_;
};

/// Nodes over which a replica spreads.
inline double nodes_of_replica(const ServingParallelism& parallelism, double node_gpus) {
  const double gpus = parallelism.tensor * parallelism.pipeline * parallelism.attention_data;
  return std::ceil(gpus / std::max(1.0, node_gpus));
}
/// A pool of a disaggregated deployment; `whole`: one engine does both.
enum class Pool { whole, prefill, decode };

}  // namespace podwright::sizing
