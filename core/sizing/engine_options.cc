#include "sizing/engine_options.h"

#include <algorithm>

#include "base/append.h"
#include "base/csv_read.h"
#include "base/result.h"

namespace podwright::sizing {
namespace {

struct Option {
  std::string engine;
  std::string option;  ///< of a value "--option=value"
  std::string where;
  std::string versions;  ///< with spaces between them
  std::string instead;   ///< name in versions that do not have it
  std::string beside;    ///< option that needs it
};

CsvTable table_of(std::string_view path) {
  for (const EmbeddedText& file : engine_tables())
    if (file.path == path) {
      Result<CsvTable> table = parse_csv(file.text);
      PODWRIGHT_ASSERT(table.has_value());
      return std::move(*table);
    }
  return {};
}

const std::vector<Option>& options() {
  static const std::vector<Option> kOptions = [] {
    const CsvTable table = table_of("options.csv");
    std::vector<Option> all;
    for (const CsvTable::Row& row : table.rows)
      all.push_back({table.cell(row, "engine"), table.cell(row, "option"), table.cell(row, "where"),
                     table.cell(row, "versions"), table.cell(row, "instead"), table.cell(row, "beside")});
    return all;
  }();
  return kOptions;
}

bool is_in(const Option& option, std::string_view version) {
  const std::string padded = " " + option.versions + " ";
  return padded.find(" " + std::string(version) + " ") != std::string::npos;
}

const Option* find_option(std::string_view engine, std::string_view option, std::string_view where) {
  for (const Option& one : options())
    if (one.engine == engine && one.option == option && one.where == where) return &one;
  return nullptr;
}

/// What a version makes of the options of one program or file.
class Fit {
 public:
  Fit(std::string_view engine, std::string_view version, std::vector<std::string>& missing)
      : engine_(engine), version_(version), missing_(missing) {}

  /// The name in this version.
  std::string name(std::string_view option, std::string_view value, std::string_view where) {
    const Option* known = find_option(engine_, option, where);
    std::string name(option);
    if (known == nullptr || !is_in(*known, version_)) {
      if (known != nullptr && !known->instead.empty())
        name = known->instead;
      else
        add_once(missing_, name);
    }
    if (!has_value(option, value)) add_once(missing_, name + " " + std::string(value));
    return name;
  }

  /// What the version wants next to an option.
  std::vector<std::string> beside(std::string_view option) const {
    std::vector<std::string> more;
    for (const Option& one : options())
      if (one.engine == engine_ && one.beside == option && is_in(one, version_)) more.push_back(one.option);
    return more;
  }

 private:
  /// True where the values of the option are not listed.
  bool has_value(std::string_view option, std::string_view value) const {
    bool listed = false;
    const std::string start = std::string(option) + "=";
    for (const Option& one : options()) {
      if (one.engine != engine_ || one.where != "value" || !one.option.starts_with(start)) continue;
      if (one.option == start + std::string(value) && is_in(one, version_)) return true;
      listed = true;
    }
    return !listed;
  }

  std::string_view engine_;
  std::string_view version_;
  std::vector<std::string>& missing_;
};

void fit_arguments(Fit& fit, std::string_view where, std::vector<std::string>& arguments) {
  std::vector<std::string> fitted;
  for (const std::string& argument : arguments) {
    const auto [option, value] = split_option(argument);
    if (!option.starts_with('-')) {
      fitted.push_back(argument);
      continue;
    }
    fitted.push_back(fit.name(option, value, where) + argument.substr(option.size()));
    for (std::string& more : fit.beside(option)) fitted.push_back(std::move(more));
  }
  arguments = std::move(fitted);
}

/// Lines of a file in two levels, lists below the second.
void fit_file(Fit& fit, std::string_view where, const std::vector<std::string>& lines) {
  std::string above;
  for (const std::string& line : lines) {
    const std::size_t indent = line.find_first_not_of(' ');
    const std::size_t colon = line.find(':');
    if (line[indent] == '-' || colon == std::string::npos) continue;
    const std::string key = line.substr(indent, colon - indent);
    const std::string value = colon + 2 < line.size() ? line.substr(colon + 2) : "";
    if (indent == 0) above = key;
    if (indent == 0 && value.empty()) continue;
    fit.name(indent == 0 ? key : above + "." + key, value, where);
  }
}

}  // namespace

OptionAndValue split_option(std::string_view argument) {
  const std::size_t space = std::min(argument.find(' '), argument.size());
  return {argument.substr(0, space), argument.substr(std::min(space + 1, argument.size()))};
}

std::vector<EngineVersion> engine_versions(std::string_view engine) {
  const CsvTable table = table_of("versions.csv");
  std::vector<EngineVersion> versions;
  for (const CsvTable::Row& row : table.rows)
    if (table.cell(row, "engine") == engine)
      versions.push_back({table.cell(row, "name"), table.cell(row, "version"), table.cell(row, "image_tag"),
                          table.cell(row, "dynamo")});
  return versions;
}

bool has_option(std::string_view engine, std::string_view version, std::string_view option, std::string_view where) {
  const Option* known = find_option(engine, option, where);
  return known != nullptr && is_in(*known, version);
}

std::vector<std::string> fit_to_version(std::string_view engine, std::string_view version,
                                        std::vector<LaunchArguments>& launches) {
  std::vector<std::string> missing;
  Fit fit(engine, version, missing);
  bool router = false;
  for (LaunchArguments& one : launches) {
    if (one.form != "command-line") {
      fit_file(fit, router ? "router-file" : "file", one.arguments);
      continue;
    }
    router = one.role() == "router";
    fit_arguments(fit, router ? "router" : "argument", one.arguments);
  }
  return missing;
}

}  // namespace podwright::sizing
