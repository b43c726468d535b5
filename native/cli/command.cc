#include "cli/command.h"

#include <array>
#include <cctype>
#include <utility>

#include "api/kinds.h"
#include "base/nearest.h"
#include "base/number_text.h"

namespace podwright::cli {
namespace {

/// What a command can be asked without a file.
struct FlagExample {
  std::string_view verb;
  std::string_view line;
};
constexpr std::array<FlagExample, 9> kFlagExamples{
    {{"plan", "podwright plan --model llama-3.1-70b --rate 50 --ttft 2 --tpot 0.05 --gpu b200-sxm,h200"},
     {"estimate",
      "podwright estimate --model llama-3.1-70b --gpu h200 --gpu-count 4 --tensor 4 --engine vllm "
      "--weight-precision fp8 --rate 2"},
     {"search", "podwright search --model llama-3.1-70b --rate 10 --ttft 2 --tpot 0.05 --gpu h200,b200-sxm"},
     {"replay",
      "podwright replay --model llama-3.1-8b --gpu h200 --gpu-count 1 --engine vllm --weight-precision bf16 --rate 5"},
     {"mig",
      "podwright mig --gpu h200 --model llama-3.1-8b --weight-precision fp8 --engine vllm --input-tokens 1000 "
      "--output-tokens 200"},
     {"architecture", "podwright architecture --gpu h200 --gpu-count 256"},
     {"cost",
      "podwright cost --gpu h100-sxm5-80gb --gpu-count 8 --utilization 0.6 --servers-usd 300000 --term on-demand"},
     {"rule-of-thumb", "podwright rule-of-thumb --model llama-3.1-70b --bits-per-weight 4"},
     {"explain",
      "podwright explain --model llama-3.1-8b --gpu h200 --gpu-count 1 --weight-precision fp8 "
      "--tokens-per-s-per-user 900"}}};

}  // namespace

CLI::Validator number_within(double low, double high) {
  const std::string range = shortest_number(low) + " - " + shortest_number(high);
  const auto problem = [=](std::string& word) {
    double value = 0;
    const bool is_number = CLI::detail::lexical_cast(word, value);
    return is_number && value >= low && value <= high ? "" : "Value " + word + " not in range " + range;
  };
  return {problem, "FLOAT in [" + range + "]", "number_within"};
}

namespace {

/// What the kinds that a command asks are for: those of its own name, or all of them where none has it.
std::string help_of(std::string_view verb) {
  const bool is_named = kind_of_command(verb).word == verb;
  std::string text;
  for (const RequestKind& kind : request_kinds()) {
    if (kind.verb != verb || (is_named && kind.word != verb)) continue;
    std::string help(kind.help);
    if (!text.empty()) help.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(help.front())));
    text += (text.empty() ? "" : "; ") + help;
  }
  return text;
}

}  // namespace

const RequestKind& kind_of_command(std::string_view verb) {
  const RequestKind* found = nullptr;
  for (const RequestKind& kind : request_kinds())
    if (kind.verb == verb && (found == nullptr || (kind.word == verb && found->word != verb))) found = &kind;
  PODWRIGHT_ASSERT(found != nullptr);
  return *found;
}

std::vector<std::string> examples_of(std::string_view verb) {
  std::vector<std::string> examples;
  for (const RequestKind& kind : request_kinds())
    if (kind.verb == verb) examples.emplace_back(kind.example);
  for (const FlagExample& example : kFlagExamples)
    if (example.verb == verb) examples.emplace_back(example.line);
  return examples;
}

Command::Command(CommandLine& line, CLI::App& parent, std::string_view verb)
    : Command(line, parent, std::string(verb.substr(verb.rfind(' ') + 1)), help_of(verb),
              joined(examples_of(verb), "\n  ")) {
  if (kind_of_command(verb).takes_calibration) take_calibration();
}

Command::Command(CommandLine& line, CLI::App& parent, const std::string& name, const std::string& help,
                 const std::string& example)
    : line_(line), app_(parent.add_subcommand(name, help)), facts_(std::make_shared<Facts>()) {
  app_->footer("Example:\n  " + example);
  app_->add_option("--catalog", facts_->catalog, "Folder whose files come on top of the built-in catalog")
      ->type_name("DIR");
}

void Command::take_calibration() {
  app_->add_option("--calibration", facts_->calibration,
                   "Rates measured on a host, as calibrate PROFILE -o FILE writes them")
      ->type_name("FILE");
}

void Command::run(std::function<int(const Catalog&)> action) {
  app_->callback([&line = line_, facts = facts_, action = std::move(action)] {
    const Catalog* catalog = load_catalog(facts->catalog);
    if (catalog != nullptr && !facts->calibration.empty()) catalog = load_calibrated(*catalog, facts->calibration);
    line.exit_code = catalog == nullptr ? kWrongInput : action(*catalog);
  });
}

}  // namespace podwright::cli
