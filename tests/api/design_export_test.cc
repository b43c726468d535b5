// The files of an `architecture` request, over designs of many sizes.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include "base/csv_read.h"
#include "support/ask.h"

namespace podwright::design_export_test {
namespace {

/// Files of the first design by name; empty where none fits.
std::map<std::string, std::string> files_of(const std::string& gpu, double gpus, const std::string& exports) {
  const JsonNode answer = ask(R"({"kind":"architecture","gpu":")" + gpu + R"(","gpu_count":)" +
                              std::to_string(static_cast<int>(gpus)) + R"(,"exports":[)" + exports + "]}")
                              .answer;
  std::map<std::string, std::string> files;
  const JsonNode* designs = answer.find("designs");
  if (designs == nullptr || designs->items.empty()) return files;
  const JsonNode* list = designs->items[0].find("exports");
  if (list == nullptr) return files;
  for (const JsonNode& file : list->items)
    EXPECT_TRUE(files.emplace(file.find("name")->text, file.find("text")->text).second) << file.find("name")->text;
  return files;
}

const std::string kAll = R"("netbox","slurm","ansible")";

TEST(DesignExport, ARackOfNvlinkIsABlockOfItsName) {
  const auto files = files_of("gb200", 1152, kAll);
  const std::string& conf = files.find("slurm/topology-block.conf")->second;
  std::istringstream lines(conf);
  std::size_t blocks = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("BlockName=", 0) != 0) continue;
    ++blocks;
    const std::string name = line.substr(10, line.find(' ') - 10);
    EXPECT_EQ(line, "BlockName=" + name + " Nodes=" + name + "-compute-[01-18]");
  }
  EXPECT_EQ(blocks, 16u);
  EXPECT_NE(conf.find("BlockSizes=18,144\n"), std::string::npos);
  EXPECT_EQ(files_of("h100-sxm5-80gb", 1016, kAll).count("slurm/topology-block.conf"), 0u);
}

/// Sum of transceivers in the bill of a network, at the nodes.
double in_bill(const CsvTable& bill, const std::string& network) {
  double count = 0;
  for (const CsvTable::Row& row : bill.rows)
    if (bill.cell(row, "category") == "transceiver" && bill.cell(row, "name") == "at the nodes" &&
        bill.cell(row, "use") == network)
      count += std::stod(bill.cell(row, "count"));
  return count;
}

TEST(DesignExport, TransceiversOfNodesAreThoseOfTheBill) {
  const auto files = files_of("h100-sxm5-80gb", 1016, kAll + R"(,"bill-csv")");
  const CsvTable bill = *parse_csv(files.find("bill_of_materials.csv")->second);
  const CsvTable modules = *parse_csv(files.find("netbox/06-modules.csv")->second);
  std::map<std::string, double> at_nodes;
  for (const CsvTable::Row& row : modules.rows)
    if (modules.cell(row, "device")[0] == 'n') {
      const std::string bay = modules.cell(row, "module_bay");
      ++at_nodes[bay.substr(0, bay.find('-'))];
    }
  EXPECT_EQ(at_nodes["compute"], in_bill(bill, "compute"));
  EXPECT_EQ(at_nodes["storage"], in_bill(bill, "storage"));
  EXPECT_GT(at_nodes["compute"], 0);
}

TEST(DesignExport, NamesAreTheSameInAllFiles) {
  constexpr const char* kGpus[] = {"h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm",      "b300-sxm",
                                   "gb200",          "gb300",           "a100-sxm4-80gb"};
  std::mt19937_64 random(17);
  int written = 0;
  for (int round = 0; round < 200 && !testing::Test::HasFailure(); ++round) {
    const std::string gpu = kGpus[random() % std::size(kGpus)];
    const double unit = gpu[0] == 'g' ? 72 : 8;
    const double count = unit * (1 + static_cast<double>(random() % (round % 10 == 0 ? 128 : 24)));
    const auto files = files_of(gpu, count, kAll);
    const auto devices = files.find("netbox/05-devices.csv");
    const auto inventory = files.find("ansible/inventory.yaml");
    if (devices == files.end() || inventory == files.end()) continue;
    ++written;
    std::set<std::string> names;
    const CsvTable table = *parse_csv(devices->second);
    for (const CsvTable::Row& row : table.rows) names.insert(table.cell(row, "name"));
    std::set<std::string> hosts;
    std::istringstream lines(inventory->second);
    for (std::string line; std::getline(lines, line);)
      if (line.rfind("        \"", 0) == 0) hosts.insert(line.substr(9, line.size() - 11));
    EXPECT_EQ(hosts, names) << gpu << " " << count;
    if (const auto tree = files.find("slurm/topology.conf"); tree != files.end()) {
      EXPECT_NE(tree->second.find("SwitchName="), std::string::npos);
    }
  }
  EXPECT_GT(written, 100);
}

}  // namespace
}  // namespace podwright::design_export_test
