/// nvbandwidth --json, of one node and of several: https://github.com/NVIDIA/nvbandwidth, json_output.cpp, version 0.8.
/// Copies in one direction by the copy engines are links; every other test is kept as rows under its own name.
#include <algorithm>
#include <cmath>

#include "base/json_read.h"
#include "base/number_text.h"
#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"

namespace podwright {
namespace {

constexpr ForeignProgram kNvbandwidth{"nvbandwidth --json"};
constexpr double kGigabyte = 1e9, kNanosecond = 1e-9;
/// GB/s or ns, where it is not 0.
constexpr Range kFigure{1e-9, 1e12};
/// Matrices of more ranks are kept by their rows: those of a whole rack have more than five thousand cells each.
constexpr std::size_t kMostCellsByThemselves = 16;
constexpr std::size_t kMostColumns = 4096;

/// Where a test's matrix goes: rows are sources and columns targets, or the one row is the host.
struct LinkTest {
  std::string_view name;
  bool from_host;
  bool to_host;
};
constexpr LinkTest kLinkTests[] = {{"host_to_device_memcpy_ce", true, false},
                                   {"device_to_host_memcpy_ce", false, true},
                                   {"device_to_device_memcpy_read_ce", false, false},
                                   {"device_to_device_memcpy_write_ce", false, false}};

const LinkTest* link_test(std::string_view name) {
  for (const LinkTest& test : kLinkTests)
    if (test.name == name) return &test;
  return nullptr;
}

bool names(std::string_view test, std::string_view part) { return test.find(part) != std::string_view::npos; }

std::string end_of(HardwareProfile& profile, bool host, std::size_t index) {
  return host ? "host" : imported_device(profile, static_cast<int>(index)).id;
}

/// A part of a matrix: tests in both directions put three below each other.
struct MatrixPart {
  std::string suffix;
  std::size_t first_row = 0;
  std::size_t rows = 0;
};

std::vector<MatrixPart> parts_of(std::string_view test, std::size_t rows, std::size_t columns) {
  if (!names(test, "bidirectional") || columns < 2 || rows != 3 * columns) return {{"", 0, rows}};
  const std::string way = names(test, "write") ? "write" : "read";
  return {{"." + way + "1", 0, columns}, {"." + way + "2", columns, columns}, {".total", 2 * columns, columns}};
}

/// Names of the devices: "0: NVIDIA H100 80GB HBM3 (00000000:18:00): (node-1)". Several processes count from 0 each, so
/// that a number which is there already names another machine's device.
void take_names(const JsonNode& root, HardwareProfile& profile) {
  const JsonNode* list = root.find("GPU Device list");
  if (list == nullptr || !list->is_list()) return;
  for (const JsonNode& one : list->items) {
    const std::string_view line = one.text;
    const std::size_t colon = line.find(": ");
    const std::size_t end = line.find(" (");
    if (!one.is_text() || colon == std::string_view::npos || end == std::string_view::npos || end < colon + 2) continue;
    const auto number = number_of_text(line.substr(0, colon));
    for (ProfileDevice& device : profile.devices)
      if (number && device.name.empty() && device.id == "d" + shortest_number(*number))
        device.name = beginning_of(trimmed(line.substr(colon + 2, end - colon - 2)), 80);
  }
}

class NvbandwidthReader {
 public:
  explicit NvbandwidthReader(HardwareProfile& profile) : profile_(profile) {}

  void read_test(const JsonNode& test, const std::string& path) {
    const JsonNode* name = test.find("name");
    const JsonNode* status = test.find("status");
    if (name == nullptr || !name->is_text()) {
      error("missing", path + "/name", "\"name\" is missing: which test it is.");
      return;
    }
    test_ = beginning_of(name->text, 80);
    if (status == nullptr || status->text != "Passed") {
      profile_.limits.push_back(test_ + " did not pass" + (status == nullptr ? "" : ": " + status->text.substr(0, 40)) +
                                ".");
      return;
    }
    const JsonNode* matrix = test.find("bandwidth_matrix");
    if (matrix == nullptr || !matrix->is_list()) {
      // Of a test without a matrix there is nothing to keep.
      if (link_test(test_) == nullptr)
        profile_.limits.push_back(test_ + " passed and gives no matrix.");
      else
        error("missing", path + "/bandwidth_matrix", "\"bandwidth_matrix\" is missing.");
      return;
    }
    ++passed_;
    read_matrix(*matrix, path + "/bandwidth_matrix");
  }

  int passed() const { return passed_; }
  Errors& errors() { return errors_; }

 private:
  void error(std::string code, std::string path, std::string message) {
    errors_.push_back(kNvbandwidth.error(std::move(code), std::move(path), std::move(message)));
  }

  /// The cell's figure; absent where the pair was not measured.
  std::optional<double> figure_of(const JsonNode& cell, const std::string& path) {
    if (cell.is_text() && trimmed(cell.text) == "N/A") return std::nullopt;
    const auto figure = cell.is_number() ? std::optional<double>(cell.number) : number_of_text(cell.text);
    if (figure && (*figure == 0 || (*figure >= kFigure.min && *figure <= kFigure.max))) return figure;
    const std::string found = cell.is_number() ? shortest_number(cell.number) : cell.text.substr(0, 40);
    error(figure ? "out-of-range" : "wrong-type", path,
          std::string(latency() ? "A latency in ns" : "A rate in GB/s") + " is expected, found \"" + found + "\".");
    return std::nullopt;
  }

  bool latency() const { return names(test_, "latency"); }

  void read_matrix(const JsonNode& matrix, const std::string& path) {
    std::vector<std::vector<std::optional<double>>> cells;
    std::size_t columns = 0;
    for (std::size_t row = 0; row < matrix.items.size(); ++row) {
      const std::string at = path + "/" + std::to_string(row);
      if (!matrix.items[row].is_list()) {
        error("wrong-type", at, "A row of rates is expected.");
        return;
      }
      cells.emplace_back();
      const auto& items = matrix.items[row].items;
      for (std::size_t column = 0; column < items.size(); ++column)
        cells.back().push_back(figure_of(items[column], at + "/" + std::to_string(column)));
      if (row > 0 && items.size() != columns)
        error("conflict", at,
              "The row has " + std::to_string(items.size()) + " cells, the first " + std::to_string(columns) + ".");
      columns = row == 0 ? items.size() : columns;
      if (columns > kMostColumns) error("out-of-range", at, "A matrix has at most 4,096 columns.");
    }
    if (!errors_.empty()) return;
    if (const LinkTest* link = link_test(test_)) return add_links(*link, cells);
    for (const MatrixPart& part : parts_of(test_, cells.size(), columns)) add_rows(part, cells);
  }

  void add_links(const LinkTest& test, const std::vector<std::vector<std::optional<double>>>& cells) {
    int zeros = 0;
    for (std::size_t row = 0; row < cells.size(); ++row)
      for (std::size_t column = 0; column < cells[row].size(); ++column) {
        const auto& rate = cells[row][column];
        const bool pair = !test.from_host && !test.to_host;
        if (rate && *rate == 0 && !(pair && row == column)) ++zeros;
        if (!rate || *rate == 0) continue;
        ProfileLink link;
        link.from = end_of(profile_, test.from_host, test.to_host ? column : row);
        link.to = end_of(profile_, test.to_host, column);
        link.type = test.from_host || test.to_host ? "host" : std::string(test.name);
        link.bytes_per_s = *rate * kGigabyte;
        profile_.links.push_back(link);
      }
    say_zeros(zeros);
  }

  void say_zeros(int zeros) {
    if (zeros > 0)
      profile_.limits.push_back(test_ + " has " + std::to_string(zeros) + " cells of 0, which are left out.");
  }

  /// The devices of a cell: both of a pair, else the one of its column, or of its row where that has one cell.
  std::vector<std::string> devices_of(std::size_t row, std::size_t column, std::size_t rows, std::size_t columns) {
    if (rows > 1 && columns > 1) return {end_of(profile_, false, row), end_of(profile_, false, column)};
    return {end_of(profile_, false, columns > 1 ? column : row)};
  }

  void add_row(const std::string& probe, std::vector<std::string> devices, const std::vector<double>& figures) {
    ProbeResult result;
    result.probe = probe;
    result.devices = std::move(devices);
    std::vector<double> times;
    for (const double figure : figures) times.push_back(latency() ? figure * kNanosecond : 1 / figure);
    if (!latency()) result.counted.bytes = kGigabyte;
    result.time_s = summary_of(times);
    profile_.results.push_back(std::move(result));
    has_rates_ = has_rates_ || !latency();
  }

  void add_rows(const MatrixPart& part, const std::vector<std::vector<std::optional<double>>>& cells) {
    const std::string probe = "nvbandwidth." + test_ + part.suffix;
    const std::size_t columns = cells.empty() ? 0 : cells.front().size();
    const bool by_row = part.rows > 1 && columns > kMostCellsByThemselves;
    int zeros = 0;
    for (std::size_t row = 0; row < part.rows; ++row) {
      std::vector<double> of_row;
      for (std::size_t column = 0; column < columns; ++column) {
        const auto& figure = cells[part.first_row + row][column];
        if (figure && *figure == 0 && (row != column || columns == 1)) ++zeros;
        if (!figure || *figure == 0) continue;
        if (by_row)
          of_row.push_back(*figure);
        else
          add_row(probe, devices_of(row, column, part.rows, columns), {*figure});
      }
      if (!of_row.empty()) add_row(probe, {end_of(profile_, false, row)}, of_row);
    }
    if (by_row) profile_.limits.push_back(test_ + " has more than 16 columns: its rows are kept, not its cells.");
    say_zeros(zeros);
  }

 public:
  void say_what_rows_are() {
    if (has_rates_)
      profile_.limits.emplace_back(
          "Rows of nvbandwidth are the time of 1 GB at the printed rate: the file does not "
          "say how large its buffer was.");
  }

 private:
  HardwareProfile& profile_;
  std::string test_;
  int passed_ = 0;
  bool has_rates_ = false;
  Errors errors_;
};

}  // namespace

Result<HardwareProfile> import_nvbandwidth(std::string_view text) {
  const auto document = parse_told(text);
  if (!document) return failure(document.error());
  const JsonNode* root = document->find("nvbandwidth");
  if (root == nullptr || !root->is_object())
    return failure(kNvbandwidth.error("missing", "/nvbandwidth",
                                      "\"nvbandwidth\" is missing: this is not a result of that program."));
  const JsonNode* problem = root->find("error");
  const JsonNode* tests = root->find("testcases");
  if (tests == nullptr || !tests->is_list())
    return failure(
        kNvbandwidth.error("missing", "/nvbandwidth/testcases",
                           problem != nullptr && problem->is_text()
                               ? "No test was run; the program says \"" + problem->text.substr(0, 120) + "\"."
                               : std::string("\"testcases\" is missing: no test was run.")));
  HardwareProfile profile = imported_profile("nvbandwidth");
  if (const JsonNode* driver = root->find("Driver Version")) profile.environment.driver = driver->text.substr(0, 40);
  NvbandwidthReader reader(profile);
  for (std::size_t i = 0; i < tests->items.size(); ++i)
    reader.read_test(tests->items[i], "/nvbandwidth/testcases/" + std::to_string(i));
  if (reader.errors().empty() && profile.links.empty() && profile.results.empty())
    reader.errors().push_back(
        kNvbandwidth.error("missing", "/nvbandwidth/testcases", "No test passed that measured something."));
  if (!reader.errors().empty()) return failure(std::move(reader.errors()));
  if (problem != nullptr) profile.limits.emplace_back("nvbandwidth ended with an error: tests may be missing.");
  take_names(*root, profile);
  reader.say_what_rows_are();
  return profile;
}

FileFields nvbandwidth_fields(std::string_view text) {
  FileFields fields;
  const auto document = parse_told(text);
  const JsonNode* root = document ? document->find("nvbandwidth") : nullptr;
  const JsonNode* tests = root == nullptr ? nullptr : root->find("testcases");
  if (tests == nullptr) return fields;
  for (const std::string& key : root->keys)
    if (key != "testcases")
      (key == "Driver Version" || key == "GPU Device list" || key == "error" ? fields.used : fields.ignored)
          .push_back(key);
  for (const JsonNode& test : tests->items) {
    const JsonNode* name = test.find("name");
    if (name == nullptr) continue;
    const JsonNode* status = test.find("status");
    const bool passed = status != nullptr && status->text == "Passed" && test.find("bandwidth_matrix") != nullptr;
    (passed ? fields.used : fields.ignored).push_back(name->text);
  }
  for (const LinkTest& test : kLinkTests)
    if (std::find(fields.used.begin(), fields.used.end(), test.name) == fields.used.end())
      fields.missing.emplace_back(test.name);
  return fields;
}

}  // namespace podwright
