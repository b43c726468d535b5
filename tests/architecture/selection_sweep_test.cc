// The choice over every size, owner and many sites: always one first choice, changing only at the bounds of the bands;
// nothing is dropped without a reason; ways out lead out.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>

#include "architecture/rejections.h"
#include "architecture/selection.h"
#include "base/json_read.h"

namespace podwright::selection_sweep_test {
namespace {

// Under Node the tests are linked without optimisation: fewer of the same cases.
#ifdef __EMSCRIPTEN__
constexpr int kFewer = 10;
#else
constexpr int kFewer = 1;
#endif
constexpr double kMostGpus = 20000.0 / kFewer;

const Catalog& facts() { return embedded_catalog_facts(); }

const Gpu& gpu_of(const std::string& id) {
  const Result<const Gpu*> gpu = find_gpu(facts(), id);
  EXPECT_TRUE(gpu.has_value()) << id;
  return **gpu;
}

std::vector<std::string> gpus_with_bands() {
  std::set<std::string> ids;
  for (const ArchitectureBand& band : facts().architecture_bands) ids.insert(band.gpu_id);
  return {ids.begin(), ids.end()};
}

double gpus_per_node(const std::string& system_id) {
  for (const System& system : facts().systems)
    if (system.id == system_id) return system.gpu_count;
  ADD_FAILURE() << system_id;
  return 1;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const std::vector<std::string> kOwners{"any", "dgx", "oem", "pcie"};

/// GPU counts at which a band of the GPU begins, or is over.
std::set<double> documented_steps(const std::string& gpu) {
  std::set<double> steps;
  for (const ArchitectureBand& band : facts().architecture_bands) {
    if (band.gpu_id != gpu) continue;
    const double per_node = gpus_per_node(band.system_id);
    steps.insert((band.min_nodes - 1) * per_node + 1);
    if (band.max_nodes) steps.insert(*band.max_nodes * per_node + 1);
  }
  return steps;
}

bool is_offered(const std::string& gpu, const std::string& owner) {
  return std::any_of(facts().architecture_bands.begin(), facts().architecture_bands.end(),
                     [&](const ArchitectureBand& band) {
                       return band.gpu_id == gpu && (owner == "any" || has(band.ownership, owner));
                     });
}

TEST(SelectionSweep, EverySizeHasOneFirstChoiceThatChangesAtDocumentedSteps) {
  for (const std::string& gpu : gpus_with_bands()) {
    const std::set<double> steps = documented_steps(gpu);
    for (const std::string& owner : kOwners) {
      const bool offered = is_offered(gpu, owner);
      ArchitectureNeed need;
      need.ownership = *of_word<Ownership>(owner, kOwnershipWords);
      const ArchitectureBand* before = nullptr;
      for (double gpus = 1; gpus <= kMostGpus; ++gpus) {
        need.gpu_count = gpus;
        const ArchitectureBand* band = first_band(facts(), gpu, need);
        ASSERT_EQ(band != nullptr, offered) << gpu << " " << owner << " " << gpus;
        if (gpus > 1 && band != before) {
          ASSERT_TRUE(steps.count(gpus) == 1) << gpu << " " << owner << " " << gpus;
        }
        before = band;
      }
    }
  }
}

// At each step, one before and one after: the whole choice begins with that band, and says the same twice.
TEST(SelectionSweep, TheWholeChoiceBeginsWithTheFirstBand) {
  for (const std::string& id : gpus_with_bands())
    for (const std::string& owner : kOwners)
      for (const double step : documented_steps(id))
        for (const double gpus : {step - 1, step, step + 1}) {
          if (gpus < 1) continue;
          ArchitectureNeed need;
          need.gpu_count = gpus;
          need.ownership = *of_word<Ownership>(owner, kOwnershipWords);
          const ArchitectureChoice choice = choose_architecture(facts(), gpu_of(id), need);
          const ArchitectureChoice again = choose_architecture(facts(), gpu_of(id), need);
          ASSERT_EQ(choice.designs.size(), again.designs.size());
          ASSERT_EQ(choice.rejected.size(), again.rejected.size());
          const ArchitectureBand* first = first_band(facts(), id, need);
          if (first == nullptr) {
            EXPECT_TRUE(choice.designs.empty()) << id << " " << owner << " " << gpus;
            EXPECT_FALSE(choice.rejected.empty());
            continue;
          }
          ASSERT_FALSE(choice.designs.empty()) << id << " " << owner << " " << gpus;
          EXPECT_EQ(choice.designs.front().parts.band, first) << id << " " << owner << " " << gpus;
          EXPECT_EQ(again.designs.front().parts.band, first);
        }
}

// An owner whose family has no design with this GPU is told which owners have one.
TEST(SelectionSweep, OwnersWithoutAFamilyAreShownTheWayOut) {
  int seen = 0;
  for (const std::string& id : gpus_with_bands())
    for (const std::string& owner : kOwners) {
      if (is_offered(id, owner)) continue;
      ++seen;
      ArchitectureNeed need;
      need.gpu_count = 64;
      need.ownership = *of_word<Ownership>(owner, kOwnershipWords);
      const ArchitectureChoice choice = choose_architecture(facts(), gpu_of(id), need);
      ASSERT_FALSE(choice.rejected.empty()) << id << " " << owner;
      EXPECT_EQ(choice.rejected.front().code, "ownership") << id << " " << owner;
      EXPECT_FALSE(choice.rejected.front().ways_out.empty()) << id << " " << owner;
    }
  EXPECT_GT(seen, 5);
}

ArchitectureNeed random_need(std::mt19937_64& random) {
  const auto one_of = [&]<class T>(std::vector<T> values) {
    return values[static_cast<std::size_t>(random() % values.size())];
  };
  const auto often = [&](unsigned tenth) { return random() % 10 < tenth; };
  ArchitectureNeed need;
  need.gpu_count = 1 + static_cast<double>(random() % (often(5) ? 300 : 20000));
  if (often(3)) need.growth_gpu_count = need.gpu_count + static_cast<double>(random() % 3000);
  need.ownership = one_of(std::vector{Ownership::any, Ownership::any, Ownership::dgx, Ownership::oem, Ownership::pcie});
  need.fabric = one_of(std::vector{FabricFamily::any, FabricFamily::any, FabricFamily::infiniband,
                                   FabricFamily::spectrum_x, FabricFamily::roce});
  need.workload = one_of(std::vector{"training", "finetuning", "inference", "inference-one-node", "hpc", "mixed"});
  need.tenancy = one_of(std::vector{Tenancy::one_team, Tenancy::several_teams, Tenancy::several_tenants});
  need.services = one_of(std::vector{Services::self, Services::partner, Services::nvidia});
  need.sovereignty = one_of(
      std::vector{Sovereignty::none, Sovereignty::in_country, Sovereignty::on_premises, Sovereignty::air_gapped});
  if (often(4)) need.rack_power = kw(5 + static_cast<double>(random() % 160));
  if (often(3)) need.rack_units = 4 + static_cast<double>(random() % 45);
  if (often(2)) need.rack_load_kg = 50 + static_cast<double>(random() % 1500);
  if (often(2)) need.site_power = kw(5 + static_cast<double>(random() % 20000));
  if (often(3)) need.replica_gpus = 1 + static_cast<double>(random() % 100);
  need.liquid_cooling = often(6);
  return need;
}

std::optional<std::string> other_gpu(const Patch& patch) {
  const JsonNode node = patch.merge_patch();
  const JsonNode* gpu = node.find("gpu");
  return gpu == nullptr ? std::nullopt : std::optional(gpu->text);
}

TEST(SelectionSweep, WaysOutLeadOut) {
  std::mt19937_64 random(11);
  int infeasible = 0;
  for (int round = 0; round < 400 / kFewer; ++round)
    for (const std::string& id : gpus_with_bands()) {
      const ArchitectureNeed need = random_need(random);
      const ArchitectureChoice choice = choose_architecture(facts(), gpu_of(id), need);
      if (!choice.designs.empty()) {
        EXPECT_TRUE(choice.fallbacks.empty());
        continue;
      }
      ++infeasible;
      ASSERT_FALSE(choice.rejected.empty());
      ASSERT_EQ(choice.fallbacks.size(), 4u);
      std::size_t ways = 0;
      for (const RejectedDesign& rejected : choice.rejected) {
        for (const Patch& patch : rejected.ways_out) {
          ++ways;
          const std::optional<std::string> other = other_gpu(patch);
          EXPECT_FALSE(choose_architecture(facts(), gpu_of(other.value_or(id)), patched(need, patch)).designs.empty())
              << id << " " << patch.text() << " " << rejected.message.text();
        }
      }
      EXPECT_GT(ways, 0u) << id << " " << choice.rejected.front().message.text();
      for (const DesignAdvice& fallback : choice.fallbacks)
        for (const Patch& patch : fallback.ways_out)
          EXPECT_FALSE(choose_architecture(facts(), gpu_of(*other_gpu(patch)), need).designs.empty()) << patch.text();
    }
  EXPECT_GT(infeasible, 500 / kFewer);
}

TEST(SelectionSweep, WaysOutOfImpossibleCountsLeadOut) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 100 / kFewer; ++round)
    for (const std::string& id : gpus_with_bands()) {
      ArchitectureNeed need = random_need(random);
      if (round % 2 == 0)
        need.gpu_count = 0;
      else
        need.growth_gpu_count = need.gpu_count - 1;
      if (round % 4 == 0) need.growth_gpu_count.reset();
      if (need.gpu_count >= 1 && need.growth_gpu_count >= need.gpu_count) continue;
      const ArchitectureChoice choice = choose_architecture(facts(), gpu_of(id), need);
      EXPECT_TRUE(choice.designs.empty());
      ASSERT_FALSE(choice.rejected.empty());
      EXPECT_TRUE(choice.rejected.front().code == "gpu-count" || choice.rejected.front().code == "growth-below-now");
      for (const Patch& patch : choice.rejected.front().ways_out)
        EXPECT_FALSE(
            choose_architecture(facts(), gpu_of(other_gpu(patch).value_or(id)), patched(need, patch)).designs.empty())
            << id << " " << patch.text();
    }
}

using Key = std::pair<std::string, std::string>;

// Every design and system of the GPU's bands is shown or rejected, never both and never twice as rejected.
TEST(SelectionSweep, NothingIsDroppedWithoutAReason) {
  std::mt19937_64 random(12);
  for (int round = 0; round < 200 / kFewer; ++round)
    for (const std::string& id : gpus_with_bands()) {
      const ArchitectureChoice choice = choose_architecture(facts(), gpu_of(id), random_need(random));
      std::set<Key> all;
      for (const ArchitectureBand& band : facts().architecture_bands)
        if (band.gpu_id == id) all.emplace(band.architecture_id, band.system_id);
      std::set<Key> seen;
      for (const ArchitectureDesign& design : choice.designs)
        seen.emplace(design.architecture_id, design.parts.system->id);
      EXPECT_EQ(seen.size(), choice.designs.size());
      for (const RejectedDesign& rejected : choice.rejected) {
        EXPECT_TRUE(seen.emplace(rejected.architecture_id, rejected.system_id).second)
            << id << " " << rejected.architecture_id;
        EXPECT_FALSE(rejected.message.text().empty());
        EXPECT_FALSE(rejected.title.empty());
      }
      EXPECT_EQ(seen, all) << id;
    }
}

// What would make a rejected design possible does so, where nothing else is in the way.
TEST(SelectionSweep, WaysOutOfADesignMakeThatDesignPossible) {
  std::mt19937_64 random(13);
  int tried = 0;
  for (int round = 0; round < 60 / kFewer; ++round)
    for (const std::string& id : gpus_with_bands()) {
      ArchitectureNeed need = random_need(random);
      need.site_power.reset();  // its limit grows with the size that a way out names
      const ArchitectureChoice choice = choose_architecture(facts(), gpu_of(id), need);
      if (choice.designs.empty()) continue;
      for (const RejectedDesign& rejected : choice.rejected)
        for (const Patch& patch : rejected.ways_out) {
          ++tried;
          const ArchitectureChoice then = choose_architecture(facts(), gpu_of(id), patched(need, patch));
          bool possible = false;
          for (const ArchitectureDesign& design : then.designs)
            possible |=
                design.architecture_id == rejected.architecture_id && design.parts.system->id == rejected.system_id;
          for (const RejectedDesign& other : then.rejected)
            possible |= other.code == "order" && other.architecture_id == rejected.architecture_id &&
                        other.system_id == rejected.system_id;
          EXPECT_TRUE(possible) << id << " " << rejected.title << " " << patch.text() << " " << rejected.message.text();
        }
    }
  EXPECT_GT(tried, 1000 / kFewer);
}

TEST(SelectionSweep, TheHorizonDecidesAsIfItWereNow) {
  std::mt19937_64 random(14);
  for (const std::string& id : gpus_with_bands())
    for (int round = 0; round < 500 / kFewer; ++round) {
      ArchitectureNeed need = random_need(random);
      need.site_power.reset();
      need.growth_gpu_count = need.gpu_count + static_cast<double>(random() % 20000);
      ArchitectureNeed later = need;
      later.gpu_count = *need.growth_gpu_count;
      later.growth_gpu_count.reset();
      EXPECT_EQ(first_band(facts(), id, need), first_band(facts(), id, later)) << id;
    }
}

TEST(SelectionSweep, EachRuleFiresSomewhereAndNamesItsSource) {
  std::mt19937_64 random(15);
  std::map<int, int> fired;
  for (int round = 0; round < 200 / kFewer; ++round)
    for (const std::string& id : gpus_with_bands())
      for (const ArchitectureDesign& design : choose_architecture(facts(), gpu_of(id), random_need(random)).designs) {
        int before = 0;
        for (const FiredRule& rule : design.rules_fired) {
          ++fired[rule.number];
          EXPECT_FALSE(rule.source.empty()) << rule.number;
          EXPECT_GE(rule.number, before) << "rules stand in their order";
          before = rule.number;
        }
      }
  for (const int rule : {1, 2, 3, 4, 5, 6, 11, 12, 14}) EXPECT_GT(fired[rule], 0) << rule;
}

TEST(SelectionSweep, RandomNeedsHaveDesigns) {
  std::mt19937_64 random(16);
  std::vector<ArchitectureNeed> needs;
  for (int i = 0; i < 300; ++i) needs.push_back(random_need(random));
  const Gpu& gpu = gpu_of("h100-sxm5-80gb");
  std::size_t designs = 0;
  for (const ArchitectureNeed& need : needs) designs += choose_architecture(facts(), gpu, need).designs.size();
  EXPECT_GT(designs, needs.size() / 2);
}

struct BandRow {
  const char* gpu;
  const char* owner;
  double from_gpus;
  double to_gpus;
  const char* architecture;
};

void PrintTo(const BandRow& row, std::ostream* out) {
  *out << row.gpu << " " << row.owner << " " << row.from_gpus << " to " << row.to_gpus;
}

class SizeBands : public testing::TestWithParam<BandRow> {};

TEST_P(SizeBands, ChooseOneDesignFromEndToEnd) {
  const BandRow& row = GetParam();
  for (double gpus = row.from_gpus; gpus <= row.to_gpus; gpus += std::max(1.0, (row.to_gpus - row.from_gpus) / 7)) {
    ArchitectureNeed need;
    need.gpu_count = std::floor(gpus);
    need.ownership = *of_word<Ownership>(row.owner, kOwnershipWords);
    const ArchitectureBand* band = first_band(facts(), row.gpu, need);
    ASSERT_NE(band, nullptr);
    EXPECT_EQ(band->architecture_id, row.architecture) << need.gpu_count;
  }
}

constexpr const char* kH100 = "h100-sxm5-80gb";
INSTANTIATE_TEST_SUITE_P(
    Servers, SizeBands,
    testing::Values(
        BandRow{kH100, "dgx", 1, 8, "single-node"}, BandRow{kH100, "oem", 1, 8, "single-node"},
        BandRow{kH100, "dgx", 9, 16, "dgx-basepod-ndr400"}, BandRow{kH100, "oem", 9, 16, "era-2-8-9-400"},
        BandRow{kH100, "dgx", 17, 64, "dgx-basepod-ndr400"}, BandRow{kH100, "oem", 17, 64, "era-2-8-9-400"},
        BandRow{kH100, "dgx", 65, 128, "dgx-superpod-h100"}, BandRow{kH100, "oem", 65, 128, "era-2-8-9-400"},
        BandRow{kH100, "dgx", 129, 248, "dgx-superpod-h100"}, BandRow{kH100, "oem", 129, 248, "era-2-8-9-400"},
        BandRow{kH100, "dgx", 249, 256, "dgx-superpod-h100"}, BandRow{kH100, "oem", 249, 256, "era-2-8-9-400"},
        BandRow{kH100, "dgx", 257, 1016, "dgx-superpod-h100"}, BandRow{kH100, "oem", 257, 1016, "era-2-8-9-400"},
        BandRow{kH100, "dgx", 1017, 2048, "dgx-superpod-h100"}, BandRow{kH100, "oem", 1025, 2048, "ncp-dsx"},
        BandRow{kH100, "dgx", 2049, 16384, "dgx-superpod-h100"}, BandRow{kH100, "oem", 2049, 16384, "ncp-dsx"},
        BandRow{kH100, "dgx", 16385, 20000, "custom"}, BandRow{kH100, "oem", 16385, 20000, "ncp-dsx"},
        BandRow{"b200-sxm", "dgx", 17, 64, "dgx-basepod-ndr400"},
        BandRow{"b200-sxm", "dgx", 129, 1016, "dgx-superpod-b200"},
        BandRow{"h200-sxm5-141gb", "dgx", 129, 1016, "dgx-superpod-h200"},
        BandRow{"b300-sxm", "dgx", 576, 10368, "dgx-superpod-b300-xdr"},
        BandRow{"b300-sxm", "oem", 9, 1024, "era-2-8-9-800"}));
INSTANTIATE_TEST_SUITE_P(Racks, SizeBands,
                         testing::Values(BandRow{"gb300", "oem", 1, 504, "era-2-4-5-800-nvl72"},
                                         BandRow{"gb300", "dgx", 1, 504, "era-2-4-5-800-nvl72"},
                                         BandRow{"gb300", "oem", 505, 576, "era-2-4-5-800-nvl72"},
                                         BandRow{"gb300", "dgx", 505, 576, "dgx-superpod-gb300"},
                                         BandRow{"gb200", "dgx", 505, 576, "dgx-superpod-gb200"},
                                         BandRow{"gb200", "dgx", 1081, 9216, "dgx-superpod-gb200"},
                                         BandRow{"gb300", "dgx", 1081, 9216, "dgx-superpod-gb300"},
                                         BandRow{"gb200", "dgx", 9217, 20000, "custom"},
                                         BandRow{"gb300", "dgx", 9217, 20000, "custom"},
                                         BandRow{"gb300", "oem", 577, 20000, "ncp-dsx"},
                                         BandRow{"gb200", "oem", 1, 20000, "ncp-dsx"}));

}  // namespace
}  // namespace podwright::selection_sweep_test
