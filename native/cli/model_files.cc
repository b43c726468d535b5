#include "cli/model_files.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <iostream>

#include "api/answer_model_file.h"
#include "base/json_read.h"
#include "cli/common.h"

namespace podwright::cli {
namespace fs = std::filesystem;
namespace {

constexpr double kFirstBytes = 1048576;
/// One more than is read, so that a larger file is told to be too large.
constexpr double kMostJsonBytes = static_cast<double>(JsonLimits::kBytes + 1);

/// The beginnings of files, each as long as its header.
class FileParts {
 public:
  explicit FileParts(const Catalog& catalog) : catalog_(catalog) {}

  /// False after a message when the file cannot be read.
  bool add(const fs::path& path) {
    if (path == "-") return add_standard_input();
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
    if (json && size > kMostTextBytes) {
      print_errors(
          {{"out-of-range", path.string(), "The JSON is longer than 64 MiB, the most that is read whole.", ""}});
      return false;
    }
    FilePart part{.name = path.filename().string(), .text = {}, .file_bytes = whole};
    texts_.emplace_back();
    for (double wanted = std::min(json ? kMostJsonBytes : kFirstBytes, whole); wanted > 0;) {
      extend(*file, texts_.back(), wanted);
      if (json && texts_.back().starts_with(kByteOrderMark)) texts_.back().erase(0, kByteOrderMark.size());
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
    if (beside == "-") return true;
    for (const FilePart& part : parts_)
      if (part.name.ends_with(".gguf") || is_config(part)) return true;
    const fs::path config = beside.parent_path() / "config.json";
    std::error_code failed;
    return has("config.json") || !fs::is_regular_file(config, failed) || add(config);
  }

  const std::vector<FilePart>& parts() const { return parts_; }

 private:
  bool has(const std::string& name) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const FilePart& part) { return part.name == name; });
  }

  bool add_standard_input() {
    auto text = read_text("-");
    if (!text) return false;
    texts_.push_back(std::move(*text));
    parts_.push_back(
        {.name = "standard input", .text = texts_.back(), .file_bytes = static_cast<double>(texts_.back().size())});
    return true;
  }

  /// JSON that names no files of weights describes the model itself, whatever its name.
  static bool is_config(const FilePart& part) {
    const std::size_t first = part.text.find_first_not_of(" \t\r\n");
    const bool braced = first != std::string_view::npos && part.text[first] == '{';
    return braced && !part.name.ends_with(".safetensors") && files_of_index(part).empty();
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

/// What of a checkpoint's folder says most: its index, else its config.json.
std::string file_of(const std::string& path) {
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return path;
  for (const char* name : {"model.safetensors.index.json", "model.safetensors", "config.json"})
    if (const fs::path file = fs::path(path) / name; fs::is_regular_file(file, failed)) return file.string();
  return path;
}

}  // namespace

std::optional<Answer> read_model_files(const Catalog& catalog, const std::vector<std::string>& files) {
  FileParts parts(catalog);
  std::vector<std::string> paths;
  for (const std::string& file : files) paths.push_back(file_of(file));
  for (const std::string& path : paths)
    if (!parts.add(path)) return {};
  if (!parts.add_files_of_indices(paths) || !parts.add_config(paths.front())) return {};
  return answer_model_files(catalog, parts.parts());
}

}  // namespace podwright::cli
