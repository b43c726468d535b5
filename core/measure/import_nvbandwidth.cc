#include <algorithm>

#include "base/json_read.h"
#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"

namespace podwright {
namespace {

constexpr ForeignProgram kNvbandwidth{"nvbandwidth --json"};

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

std::string end_of(HardwareProfile& profile, bool host, std::size_t index) {
  return host ? "host" : imported_device(profile, static_cast<int>(index)).id;
}

/// One cell: a rate in GB/s as text or number; "N/A" where the pair was not measured.
void read_cell(const JsonNode& cell, const std::string& path, const LinkTest& test, std::size_t row, std::size_t column,
               HardwareProfile& profile, Errors& errors) {
  if (cell.is_text() && trimmed(cell.text) == "N/A") return;
  const auto rate = cell.is_number() ? std::optional<double>(cell.number) : number_of_text(cell.text);
  if (!rate || *rate < 0) {
    errors.push_back(kNvbandwidth.error("wrong-type", path,
                                        "A rate in GB/s is expected, found \"" + cell.text.substr(0, 40) + "\"."));
    return;
  }
  if (*rate == 0) return;
  ProfileLink link;
  link.from = end_of(profile, test.from_host, test.to_host ? column : row);
  link.to = end_of(profile, test.to_host, column);
  link.type = test.from_host || test.to_host ? "host" : std::string(test.name);
  link.bytes_per_s = *rate * 1e9;
  profile.links.push_back(link);
}

void read_matrix(const JsonNode& matrix, const std::string& path, const LinkTest& test, HardwareProfile& profile,
                 Errors& errors) {
  for (std::size_t row = 0; row < matrix.items.size(); ++row) {
    const std::string at = path + "/" + std::to_string(row);
    if (!matrix.items[row].is_list()) {
      errors.push_back(kNvbandwidth.error("wrong-type", at, "A row of rates is expected."));
      continue;
    }
    const std::vector<JsonNode>& cells = matrix.items[row].items;
    for (std::size_t column = 0; column < cells.size(); ++column)
      read_cell(cells[column], at + "/" + std::to_string(column), test, row, column, profile, errors);
  }
}

void read_test(const JsonNode& test, const std::string& path, HardwareProfile& profile, Errors& errors) {
  const JsonNode* name = test.find("name");
  const JsonNode* status = test.find("status");
  if (name == nullptr || !name->is_text()) {
    errors.push_back(kNvbandwidth.error("missing", path + "/name", "\"name\" is missing: which test it is."));
    return;
  }
  const LinkTest* known = link_test(name->text);
  if (known == nullptr) return;
  if (status == nullptr || status->text != "Passed") {
    profile.limits.push_back(name->text + " did not pass" +
                             (status == nullptr ? "" : ": " + status->text.substr(0, 40)) + ".");
    return;
  }
  const JsonNode* matrix = test.find("bandwidth_matrix");
  if (matrix == nullptr || !matrix->is_list()) {
    errors.push_back(kNvbandwidth.error("missing", path + "/bandwidth_matrix", "\"bandwidth_matrix\" is missing."));
    return;
  }
  read_matrix(*matrix, path + "/bandwidth_matrix", *known, profile, errors);
}

}  // namespace

Result<HardwareProfile> import_nvbandwidth(std::string_view text) {
  const auto document = parse_json(text);
  if (!document) return failure(document.error());
  const JsonNode* root = document->find("nvbandwidth");
  if (root == nullptr || !root->is_object())
    return failure(kNvbandwidth.error("missing", "/nvbandwidth",
                                      "\"nvbandwidth\" is missing: this is not a result of that program."));
  const JsonNode* tests = root->find("testcases");
  if (tests == nullptr || !tests->is_list())
    return failure(
        kNvbandwidth.error("missing", "/nvbandwidth/testcases", "\"testcases\" is missing: no test was run."));
  HardwareProfile profile = imported_profile("nvbandwidth");
  if (const JsonNode* driver = root->find("Driver Version")) profile.environment.driver = driver->text;
  Errors errors;
  for (std::size_t i = 0; i < tests->items.size(); ++i)
    read_test(tests->items[i], "/nvbandwidth/testcases/" + std::to_string(i), profile, errors);
  if (errors.empty() && profile.links.empty())
    errors.push_back(kNvbandwidth.error("missing", "/nvbandwidth/testcases", "No test of a link passed."));
  if (!errors.empty()) return failure(std::move(errors));
  return profile;
}

FileFields nvbandwidth_fields(std::string_view text) {
  FileFields fields;
  const auto document = parse_json(text);
  const JsonNode* root = document ? document->find("nvbandwidth") : nullptr;
  const JsonNode* tests = root == nullptr ? nullptr : root->find("testcases");
  if (tests == nullptr) return fields;
  for (const std::string& key : root->keys)
    if (key != "testcases") (key == "Driver Version" ? fields.used : fields.ignored).push_back(key);
  for (const JsonNode& test : tests->items) {
    const JsonNode* name = test.find("name");
    if (name == nullptr) continue;
    const JsonNode* status = test.find("status");
    const bool passed = status != nullptr && status->text == "Passed";
    (link_test(name->text) != nullptr && passed ? fields.used : fields.ignored).push_back(name->text);
  }
  for (const LinkTest& test : kLinkTests)
    if (std::find(fields.used.begin(), fields.used.end(), test.name) == fields.used.end())
      fields.missing.emplace_back(test.name);
  return fields;
}

}  // namespace podwright
