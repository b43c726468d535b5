#include "cli/common.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <iostream>

#include "api/host_calibration_text.h"
#include "base/nearest.h"
#include "cli/output.h"
#include "cli/text_table.h"
#include "files/write_whole.h"

namespace podwright::cli {
namespace fs = std::filesystem;

std::optional<std::ifstream> open_file(const std::string& path) {
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    std::cerr << "podwright: " << path << " is a folder, not a file.\n";
    return {};
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (path.find("://") != std::string::npos)
      std::cerr << "podwright: " << path
                << " is an address, and podwright uses no network: download the file and give its path, or pipe it "
                   "in: curl -L ADDRESS | podwright ... -\n";
    else
      std::cerr << "podwright: cannot read " << path << ".\n";
    return {};
  }
  return file;
}

std::optional<std::string> whole_text(std::istream& in, std::size_t limit) {
  std::string text;
  char piece[65536];
  while (text.size() <= limit && (in.read(piece, sizeof piece), in.gcount() > 0))
    text.append(piece, static_cast<std::size_t>(in.gcount()));
  if (text.size() > limit || in.bad()) return {};
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text;
}

std::optional<std::string> read_text(const std::string& path) {
  std::optional<std::ifstream> file;
  if (path == "-") {
    static bool taken = false;
    if (taken) {
      std::cerr << "podwright: standard input (-) can be read only once; give a file for the other.\n";
      return {};
    }
    taken = true;
  } else if (file = open_file(path); !file) {
    return {};
  }
  std::istream& in = file ? *file : std::cin;
  auto text = whole_text(in);
  if (text) return text;
  const std::string name = path == "-" ? "standard input" : path;
  if (in.bad())
    std::cerr << "podwright: cannot read " << name << ".\n";
  else
    print_errors({{"out-of-range", name, "The text is longer than 64 MiB, the most that is read whole.",
                   "Requests one a line have no limit together: podwright estimate --jsonl."}});
  return {};
}

std::optional<JsonNode> read_document(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return {};
  auto node = parse_json(*text);
  if (node) return std::move(*node);
  print_errors(node.error(), path);
  return {};
}

std::optional<std::vector<MeasuredFile>> read_tables(const std::vector<std::string>& paths) {
  std::vector<MeasuredFile> tables;
  for (const std::string& path : paths) {
    auto text = read_text(path);
    if (!text) return {};
    tables.push_back({path == "-" ? "standard input" : fs::path(path).filename().string(), std::move(*text)});
  }
  return tables;
}

namespace {

/// All files of a folder in the order of their paths; nothing after a message. Links to folders are not followed.
std::optional<std::vector<fs::path>> files_below(const std::string& folder) {
  std::vector<fs::path> paths;
  std::error_code failed;
  fs::recursive_directory_iterator entry(folder, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    std::error_code unknown;  // a link that leads nowhere, or to itself
    const bool file = entry->is_regular_file(unknown);
    if (file && !unknown) paths.push_back(entry->path());
  }
  if (failed) {
    std::cerr << "podwright: the folder " << folder << " cannot be read whole: " << failed.message() << ".\n";
    return {};
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

const Catalog* load_catalog(const std::string& override_folder) {
  if (override_folder.empty()) return &embedded_catalog_facts();
  std::error_code failed;
  if (!fs::is_directory(override_folder, failed)) {
    std::cerr << "podwright: --catalog " << override_folder << " is not a folder.\n";
    return nullptr;
  }
  static std::deque<std::string> texts;  // the catalog's files view into it
  const auto embedded = embedded_catalog();
  std::vector<EmbeddedText> files(embedded.begin(), embedded.end());
  const auto paths = files_below(override_folder);
  if (!paths) return nullptr;
  for (const fs::path& path : *paths) {
    auto text = read_text(path.string());
    if (!text) return nullptr;
    texts.push_back(path.lexically_relative(override_folder).generic_string());
    const std::string& name = texts.back();
    texts.push_back(std::move(*text));
    files.push_back({name, texts.back()});
  }
  static Catalog catalog;
  auto read = read_catalog(files);
  if (!read) {
    print_errors(read.error());
    return nullptr;
  }
  catalog = std::move(*read);
  std::vector<std::string> names;
  for (const fs::path& path : *paths) names.push_back(path.lexically_relative(override_folder).generic_string());
  if (!names.empty())
    std::cerr << "podwright: facts of " << visible(override_folder)
              << " stand above those of the catalog: " << visible(first_of(names, 5)) << ".\n";
  return &catalog;
}

const Catalog* load_calibrated(const Catalog& catalog, const std::string& file) {
  const auto document = read_document(file);
  if (!document) return nullptr;
  static std::optional<Catalog> calibrated;
  auto made = calibrated_catalog(catalog, *document, "");
  if (!made) {
    print_errors(made.error(), file + " is not a usable calibration");
    return nullptr;
  }
  calibrated = std::move(*made);
  return &*calibrated;
}

bool write_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cerr << "podwright: -o names a file, and - is none; ./- is one of this name.\n";
    return false;
  }
  const std::string why = write_whole(path, text);
  if (!why.empty()) std::cerr << "podwright: cannot write " << path << ": " << why << ".\n";
  return why.empty();
}

void show_progress(const std::string& line) {
  if (isatty(STDERR_FILENO) != 1) return;
  std::cerr.flush();
  const std::string shown =
      "\r\033[K" + visible(line, false, true);  // the only order to a terminal, past what makes them visible
  if (write(STDERR_FILENO, shown.data(), shown.size()) < 0) return;
}

void show_fit(const std::string& left_out) {
  show_progress("fitting " + (left_out.empty() ? "on all rows" : "without " + left_out));
}

int exit_code_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::answer:
      return kAnswer;
    case Outcome::infeasible:
      return kInfeasible;
    case Outcome::wrong_input:
      return kWrongInput;
  }
  return kInternal;
}

std::string exit_codes_text() {
  std::string text = "Exit codes:";
  for (const ExitMeaning& one : kExitMeanings)
    text += "\n  " + std::to_string(one.code) + "  " + wrapped(one.meaning, kTextWidth, 5);
  return text;
}

int refuse_size_of_answer() {
  print_errors({{"out-of-range", "", "The answer is larger than 64 MiB or 2,000,000 values, the most that is read.",
                 "Ask for fewer files at once with --export, or for the JSON alone with --json."}});
  return kWrongInput;
}

int show_answer(const Answer& answer, bool json, const std::function<std::string(const JsonNode&)>& text,
                const PathNotes& notes) {
  if (json)
    std::cout << answer.text << '\n';
  else if (answer.outcome == Outcome::wrong_input)
    print_error_answer(answer.text, notes);
  else {
    const auto parsed = parse_json(answer.text);
    if (!parsed) return refuse_size_of_answer();
    std::cout << text(*parsed);
  }
  return exit_code_of(answer.outcome);
}

void print_errors(const Errors& errors, const std::string& of) {
  if (!of.empty()) std::cerr << "podwright: " << of << ":\n";
  for (const Error& error : shortened(errors, errors.size())) {
    std::cerr << "podwright: " << (error.path.empty() ? "" : error.path + ": ") << error.message;
    if (!error.hint.empty()) std::cerr << ' ' << error.hint;
    std::cerr << '\n';
  }
}

namespace {

/// "--rate, --users": flags of the fields that a message about several of one object names in quotes.
std::string flags_of_named(const Error& error, const PathNotes& notes) {
  if (error.code != "conflict") return "";
  const std::string object = error.path.substr(0, error.path.rfind('/') + 1);
  std::vector<std::string> flags;
  for (std::size_t from = error.message.find('"'); from != std::string::npos;) {
    const std::size_t to = error.message.find('"', from + 1);
    if (to == std::string::npos) break;
    const std::string flag = notes.flags_of(object + error.message.substr(from + 1, to - from - 1));
    if (!flag.empty() && std::find(flags.begin(), flags.end(), flag) == flags.end()) flags.push_back(flag);
    from = error.message.find('"', to + 1);
  }
  return joined(flags);
}

}  // namespace

void print_error_answer(std::string_view answer_json, const PathNotes& notes) {
  const auto parsed = parse_json(answer_json);
  if (!parsed) return;
  const JsonNode* list = parsed->find("errors");
  if (list == nullptr) return;
  Errors errors;
  const auto text_of = [](const JsonNode& node, std::string_view key) {
    const JsonNode* value = node.find(key);
    return value == nullptr ? std::string() : value->text;
  };
  for (const JsonNode& node : list->items) {
    Error error{text_of(node, "code"), text_of(node, "path"), text_of(node, "message"), text_of(node, "hint")};
    const std::string flags = notes.flags_of && error.code == "missing" ? notes.flags_of(error.path) : "";
    if (const std::string named = notes.flags_of && flags.empty() ? flags_of_named(error, notes) : ""; !named.empty())
      error.hint += (error.hint.empty() ? "" : " ") + std::string("As flags: ") + named + ".";
    const std::string given = notes.given_by && flags.empty() ? notes.given_by(error.path) : "";
    if (!flags.empty()) error.hint = "Give it with " + flags + ", or with --set.";
    // What a file would be told, to write no quotes, is not about flags.
    if (!given.empty() && error.code == "wrong-type") error.hint.clear();
    error.path += given;
    errors.push_back(std::move(error));
  }
  print_errors(errors);
}

}  // namespace podwright::cli
