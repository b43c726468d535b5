#include <algorithm>
#include <deque>
#include <filesystem>
#include <iostream>
#include <vector>

#include "api/answer_model_file.h"
#include "base/json_read.h"
#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/command.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace fs = std::filesystem;
namespace {

constexpr double kFirstBytes = 1048576;

/// The beginnings of files, each as long as its header.
class FileParts {
 public:
  explicit FileParts(const Catalog& catalog) : catalog_(catalog) {}

  /// False after a message when the file cannot be read.
  bool add(const fs::path& path) {
    std::optional<std::ifstream> file = open_file(path.string());
    if (!file) return false;
    std::error_code failed;
    const auto size = fs::file_size(path, failed);
    if (failed) {
      std::cerr << "podwright: the size of " << path.string() << " cannot be determined.\n";
      return false;
    }
    // Weights may have any name, so that only what calls itself JSON is read whole at once.
    const bool json = path.extension() == ".json";
    const double whole = static_cast<double>(size);
    FilePart part{.name = path.filename().string(), .text = {}, .file_bytes = whole};
    texts_.emplace_back();
    for (double wanted = json ? whole : std::min(kFirstBytes, whole); wanted > 0;) {
      extend(*file, texts_.back(), wanted);
      part.text = texts_.back();
      wanted = static_cast<double>(part.text.size()) < wanted ? 0 : bytes_needed(catalog_, part);
    }
    parts_.push_back(part);
    return true;
  }

  /// The files that an index names stand in its folder.
  bool add_files_of_indices(const std::vector<std::string>& paths) {
    const std::vector<FilePart> given = parts_;
    for (std::size_t i = 0; i < given.size(); ++i)
      for (const std::string& name : files_of_index(given[i]))
        if (fs::path(name).filename() == name && !has(name) && !add(fs::path(paths[i]).parent_path() / name))
          return false;
    return true;
  }

  /// The config.json beside a checkpoint of which only weights are named.
  bool add_config(const fs::path& beside) {
    for (const FilePart& part : parts_)
      if (part.name.size() > 5 && part.name.substr(part.name.size() - 5) == ".gguf") return true;
    const fs::path config = beside.parent_path() / "config.json";
    std::error_code failed;
    return has("config.json") || !fs::is_regular_file(config, failed) || add(config);
  }

  const std::vector<FilePart>& parts() const { return parts_; }

 private:
  bool has(const std::string& name) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const FilePart& part) { return part.name == name; });
  }

  static void extend(std::ifstream& file, std::string& text, double wanted) {
    const std::size_t before = text.size();
    text.resize(static_cast<std::size_t>(wanted));
    file.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(file.gcount()));
  }

  const Catalog& catalog_;
  std::deque<std::string> texts_;  // the parts view into it
  std::vector<FilePart> parts_;
};

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
  FileParts parts(catalog);
  for (const std::string& file : files)
    if (!parts.add(file)) return kWrongInput;
  if (!parts.add_files_of_indices(files) || !parts.add_config(files.front())) return kWrongInput;
  return show_answer(answer_model_files(catalog, parts.parts()), json, model_text);
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
