#pragma once
/// Profiles of the nodes of a fleet, from files, folders and standard input. docs/operator.md#a-fleet-by-files.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/judge_fleet.h"
#include "catalog/catalog.h"

namespace podwright::cli {

/// Name of the node of a file: "runs/gpu07.json" is gpu07.
std::string node_name_of(const std::string& path);

/// One text of many nodes: a profile on each line, behind "NAME: " as pdsh and clush print them; absent where the text
/// is a single document.
struct NodeText {
  std::string name;
  std::string text;
};
std::optional<std::vector<NodeText>> node_texts(std::string_view text);

/// Files *.json of a folder, by name.
std::vector<std::string> json_files_in(const std::string& folder);

/// The nodes of `places`: files, NAME=FILE, folders (all their files *.json), "-". Files that cannot be read, or are no
/// profile, are nodes with a problem.
std::vector<FleetNode> read_fleet(const Catalog& catalog, const std::vector<std::string>& places,
                                  const std::vector<std::string>& gpus);

/// What `--expect` says: a number, names with ranges, or @FILE with names. Empty after a message.
std::optional<ExpectedNodes> expected_nodes(const std::string& said);

}  // namespace podwright::cli
