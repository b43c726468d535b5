#include "cli/write_exports.h"

#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "cli/answer_lines.h"
#include "files/write_whole.h"

namespace podwright::cli {
namespace {

/// The name; where a file system may take it for one of `taken`, which it joins, with a number: "a-2.yaml".
std::filesystem::path name_of_its_own(const std::filesystem::path& name, std::set<std::string>& taken) {
  const auto joins = [&](const std::filesystem::path& path) {
    std::string folded = path.string();
    for (char& c : folded) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return taken.insert(folded).second;
  };
  std::filesystem::path own = name;
  for (int number = 2; !joins(own); ++number)
    own.replace_filename(name.stem().string() + "-" + std::to_string(number) + name.extension().string());
  if (own != name)
    std::cerr << "podwright: two files are called " << name.string() << "; the second is written as " << own.string()
              << ".\n";
  return own;
}

}  // namespace

bool write_exports(const JsonNode& holder, const std::filesystem::path& folder) {
  std::set<std::string> taken;
  std::vector<std::string> paths;
  WholeFiles files;
  for (const JsonNode& file : items_of(holder, "exports")) {
    paths.push_back((folder / name_of_its_own(file.find("name")->text, taken)).string());
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path(paths.back()).parent_path(), failed);
    const std::string why = failed ? failed.message() : files.add(paths.back(), file.find("text")->text);
    if (!why.empty()) {
      std::cerr << "podwright: cannot write " << paths.back() << ": " << why << ". No file is written.\n";
      return false;
    }
    if (HeldSignals::waiting()) return false;
  }
  const std::string why = files.place();
  for (const std::string& path : files.placed()) std::cerr << path << '\n';
  if (!why.empty())
    std::cerr << "podwright: cannot write " << paths[files.placed().size()] << ": " << why
              << ". The files above are written, the others are not.\n";
  return why.empty();
}

}  // namespace podwright::cli
