#include <vector>

#include "base/json_read.h"
#include "base/number_text.h"
#include "cli/answer_format.h"
#include "cli/answer_lines.h"
#include "cli/command.h"
#include "cli/model_files.h"

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

void totals_table(Page& out, const JsonNode& answer, std::string_view list, std::string_view key) {
  const std::vector<JsonNode>& rows = items_of(answer, list);
  if (rows.empty()) return;
  std::vector<std::vector<std::string>> table{{std::string(key), "tensors", "GiB", "bytes", "weights", "bits"}};
  for (const JsonNode& row : rows) table.push_back(total_row(member_text(row, key), row));
  if (const JsonNode* total = answer.find("total")) table.push_back(total_row("total", *total));
  out.table(table);
  out.gap();
}

void model_text(Page& out, const JsonNode& answer) {
  totals_table(out, answer, "by_class", "class");
  totals_table(out, answer, "by_type", "type");
  section(out, "Parameters", answer.find("parameters"));
  section(out, "Model", answer.find("model"));
  sentences(out, "Notes", answer.find("notes"));
}

int describe_files(const Catalog& catalog, const std::vector<std::string>& files, const FormatOption& format) {
  const std::optional<Answer> answer = read_model_files(catalog, files);
  return answer ? show_answer(*answer, format, {model_text, csv_of_values}) : kWrongInput;
}

}  // namespace

void add_model_command(CommandLine& line) {
  struct Options {
    std::vector<std::string> files;
    FormatOption format;
  };
  const auto options = std::make_shared<Options>();
  Command command(line, line.app, "model", "Shape and exact weights of a model, read from the headers of its files",
                  "podwright model llama-3.1-8b-q4_k_m.gguf --json");
  command
      ->add_option(
          "FILE", options->files,
          "GGUF or safetensors files of one model, model.safetensors.index.json or config.json, - for standard "
          "input; with --json, model and weights fit a serving request")
      ->required();
  add_format(*command.operator->(), options->format);
  command.run([options](const Catalog& catalog) { return describe_files(catalog, options->files, options->format); });
}

}  // namespace podwright::cli
