#include <vector>

#include "base/json_read.h"
#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/command.h"
#include "cli/model_files.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

std::vector<std::string> total_row(std::string name, const JsonNode& row) {
  const auto cell = [&](std::string_view key, double times, int digits) {
    const JsonNode* node = row.find(key);
    return node == nullptr ? "-" : human_number(node->number * times, digits);
  };
  constexpr double kGibPerByte = 0x1p-30;
  return {std::move(name),      cell("tensors", 1, 9), cell("bytes", kGibPerByte, 4),
          cell("bytes", 1, 15), cell("weights", 1, 4), cell("bits_per_weight", 1, 4)};
}

std::string totals_table(const JsonNode& answer, std::string_view list, std::string_view key) {
  const std::vector<JsonNode>& rows = items_of(answer, list);
  if (rows.empty()) return "";
  std::vector<std::vector<std::string>> table{{std::string(key), "tensors", "GiB", "bytes", "weights", "bits"}};
  for (const JsonNode& row : rows) table.push_back(total_row(member_text(row, key), row));
  if (const JsonNode* total = answer.find("total")) table.push_back(total_row("total", *total));
  return text_table(table) + "\n";
}

std::string model_text(const JsonNode& answer) {
  std::string out = totals_table(answer, "by_class", "class") + totals_table(answer, "by_type", "type");
  section(out, "Parameters", answer.find("parameters"));
  section(out, "Model", answer.find("model"));
  sentences(out, "Notes", answer.find("notes"));
  return out;
}

int describe_files(const Catalog& catalog, const std::vector<std::string>& files, bool json) {
  const std::optional<Answer> answer = read_model_files(catalog, files);
  return answer ? show_answer(*answer, json, model_text) : kWrongInput;
}

}  // namespace

void add_model_command(CommandLine& line) {
  struct Options {
    std::vector<std::string> files;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  Command command(line, line.app, "model", "Shape and exact weights of a model, read from the headers of its files",
                  "podwright model llama-3.1-8b-q4_k_m.gguf --json");
  command
      ->add_option("FILE", options->files,
                   "GGUF or safetensors files of one model, model.safetensors.index.json or config.json")
      ->required();
  command->add_flag("--json", options->json, "Print the answer for programs; model and weights fit a serving request");
  command.run([options](const Catalog& catalog) { return describe_files(catalog, options->files, options->json); });
}

}  // namespace podwright::cli
