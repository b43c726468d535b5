#include "cli/fleet_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <utility>

#include "base/characters.h"
#include "cli/common.h"
#include "cli/profiles.h"
#include "measure/node_names.h"

namespace podwright::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostExpected = 1000000;
constexpr std::size_t kFleetLimit = std::size_t{1} << 30;  // of the profiles of all nodes in one stream

/// A text that was read, or why it was not.
struct NodeSource {
  std::string name;
  std::string path;  ///< "-" of standard input
  std::optional<std::string> text;
};

std::string without_json(const std::string& name) {
  return name.size() > 5 && name.ends_with(".json") ? name.substr(0, name.size() - 5) : name;
}

std::optional<std::string> text_of(const std::string& path) {
  std::error_code failed;
  if (path != "-" && fs::is_directory(path, failed)) return std::nullopt;
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  std::istream& in = path == "-" ? std::cin : file;
  if (!in) return std::nullopt;
  return whole_text(in, path == "-" ? kFleetLimit : kMostTextBytes);
}

void add_text(std::vector<NodeSource>& sources, const std::string& name, const std::string& path) {
  auto text = text_of(path);
  auto several = text ? node_texts(*text) : std::nullopt;
  if (!several) {
    sources.push_back({name, path, std::move(text)});
    return;
  }
  for (NodeText& one : *several) sources.push_back({std::move(one.name), path, std::move(one.text)});
}

void add_place(std::vector<NodeSource>& sources, const std::string& place) {
  std::error_code failed;
  if (place == "-") return add_text(sources, "stdin", place);
  if (fs::is_directory(place, failed)) {
    const std::vector<std::string> files = json_files_in(place);
    for (const std::string& file : files) add_text(sources, node_name_of(file), file);
    const auto others = std::count_if(fs::directory_iterator(place, failed), fs::directory_iterator(), [](auto& entry) {
      std::error_code unknown;
      return entry.is_regular_file(unknown) && entry.path().extension() != ".json";
    });
    if (files.empty()) std::cerr << "podwright: " << line_of(place) << " has no file *.json.\n";
    if (others > 0)
      std::cerr << "podwright: of " << line_of(place) << " only files *.json are read; name the others (" << others
                << ") that are files of nodes.\n";
    return;
  }
  const std::size_t sign = place.find('=');
  if (sign != std::string::npos && sign > 0 && !fs::exists(place, failed))
    return add_text(sources, place.substr(0, sign), place.substr(sign + 1));
  add_text(sources, node_name_of(place), place);
}

/// Files of one name in several folders are told apart by their paths.
void tell_apart(std::vector<NodeSource>& sources) {
  std::map<std::string, int> counts;
  for (const NodeSource& one : sources) ++counts[one.name];
  for (NodeSource& one : sources)
    if (counts[one.name] > 1 && one.path != "-" && one.name == node_name_of(one.path))
      one.name = without_json(one.path);
}

std::string problem_of(const Errors& errors) {
  const Error& error = errors.front();
  return (error.path.empty() ? "" : error.path + ": ") + error.message;
}

FleetNode node_of(const Catalog& catalog, NodeSource source, const std::vector<ChosenGpu>& gpus) {
  FleetNode node{.name = whole_characters(source.name), .read = {}, .problem = ""};
  if (!source.text) {
    std::error_code failed;
    node.problem = fs::is_directory(source.path, failed)
                       ? line_of(source.path) + " is a folder: a name is of one file; give the folder without a name."
                       : "The file " + line_of(source.path) + " cannot be read.";
    return node;
  }
  auto read = read_machine_file(*source.text, source.path);
  if (!read) {
    node.problem = "The file holds no profile: " + problem_of(read.error());
    return node;
  }
  if (const Errors errors = choose_gpus(catalog, gpus, read->profile); !errors.empty()) {
    node.problem = "--gpu names no GPU of it: " + problem_of(errors);
    return node;
  }
  if (read->format != FileFormat::profile) judge_imported(catalog, read->readings, read->profile);
  node.read = ReadProfile{std::move(read->profile), std::move(read->digest)};
  return node;
}

}  // namespace

std::vector<std::string> json_files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (!entry.is_directory(failed) && entry.path().extension() == ".json") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string node_name_of(const std::string& path) {
  const std::string name = without_json(fs::path(path).filename().string());
  return name.empty() ? path : name;
}

std::optional<std::vector<NodeText>> node_texts(std::string_view text) {
  std::vector<NodeText> nodes;
  std::vector<NodeText> remarks;  // what a node says instead of a profile, or besides it
  std::size_t number = 0;
  bool named = false;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty()) continue;
    // What follows the name is the profile, in which the same signs may be.
    const std::size_t brace = line.find('{');
    const std::size_t sign = line.substr(0, brace).find(": ");
    const bool has_name = sign != std::string_view::npos && sign > 0;
    const std::string name = has_name ? std::string(line.substr(0, sign)) : "line " + std::to_string(number);
    const std::string_view rest = has_name ? line.substr(sign + 2) : line;
    if (!rest.starts_with('{')) {
      if (!has_name) return std::nullopt;
      remarks.push_back({name, std::string(rest)});
      continue;
    }
    // A document of several lines begins with a line that is none by itself.
    if (!has_name && !rest.ends_with('}')) return std::nullopt;
    named = named || has_name;
    nodes.push_back({name, std::string(rest)});
  }
  if (nodes.empty() || (nodes.size() == 1 && !named)) return std::nullopt;
  for (NodeText& one : remarks) {
    const bool known =
        std::any_of(nodes.begin(), nodes.end(), [&](const NodeText& node) { return node.name == one.name; });
    if (!known) nodes.push_back(std::move(one));
  }
  return nodes;
}

std::vector<FleetNode> read_fleet(const Catalog& catalog, const std::vector<std::string>& places,
                                  const std::vector<std::string>& gpus) {
  std::vector<NodeSource> sources;
  for (const std::string& place : places) add_place(sources, place);
  tell_apart(sources);
  const std::vector<ChosenGpu> chosen = chosen_gpus(gpus);
  std::vector<FleetNode> nodes;
  for (NodeSource& source : sources) nodes.push_back(node_of(catalog, std::move(source), chosen));
  return nodes;
}

std::optional<ExpectedNodes> expected_nodes(const std::string& said) {
  ExpectedNodes expected;
  if (said.empty()) return expected;
  if (said.size() < 8 && std::all_of(said.begin(), said.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    expected.count = static_cast<std::size_t>(std::stoul(said));
    if (*expected.count <= kMostExpected) return expected;
    std::cerr << "podwright: --expect takes at most a million nodes.\n";
    return std::nullopt;
  }
  std::string text = said;
  if (said.front() == '@') {
    const auto file = read_text(said.substr(1));
    if (!file) return std::nullopt;
    text = *file;
  }
  auto names = node_names(text);
  if (!names) {
    for (Error error : names.error()) {
      error.path = "--expect";
      print_errors({error});
    }
    return std::nullopt;
  }
  for (const std::string& name : *names) expected.names.push_back(whole_characters(name));
  if (!expected.names.empty()) return expected;
  std::cerr << "podwright: --expect names no node.\n";
  return std::nullopt;
}

}  // namespace podwright::cli
