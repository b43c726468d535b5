#pragma once
/// The rules of docs/method/architecture_bands.md in words, for the answer.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/architecture_need.h"
#include "architecture/judged_band.h"
#include "catalog/catalog.h"

namespace podwright {

/// A rule of the method that shaped the design.
struct FiredRule {
  int number = 0;  ///< in docs/method/architecture_bands.md
  std::string text;
  std::string source;  ///< ids of sources, separated by "; "
};

/// What the site was found to give; absent where the need sets no limit that the system could break.
std::optional<FiredRule> rule_site(const ArchitectureNeed& need, const DesignParts& parts);
FiredRule rule_no_compute_fabric();
/// A replica and the GPUs that the system joins.
FiredRule rule_replica(const System& system, double replica_gpus);
FiredRule rule_ownership(const ArchitectureBand& band, Ownership asked);
FiredRule rule_tenancy(const ArchitectureBand& band, Tenancy asked);
FiredRule rule_fabric(const ArchitectureNeed& need, const ArchitectureBand& band);
FiredRule rule_size(const ArchitectureBand& band, double nodes);
/// `now` and `later` are the bands of the nodes bought now and of the horizon.
/// With the titles of both designs.
FiredRule rule_growth(const ArchitectureBand& now, const std::string& now_title, const ArchitectureBand& later,
                      const std::string& later_title);
FiredRule rule_superpod_services();
FiredRule rule_enterprise_services();
FiredRule rule_partner_services();
FiredRule rule_sovereignty(Sovereignty asked, const ReferenceArchitecture* architecture);
FiredRule rule_one_gpu();
/// Why the first design stands before the second; `titles` are those of the runners-up.
FiredRule rule_order(const BandRank& first, const BandRank& second, const ArchitectureBand& first_band,
                     const ArchitectureBand& second_band, const std::vector<std::string>& titles);

/// "4 to 12 nodes", "1 node", "129 nodes and more".
std::string node_range_text(double min_nodes, std::optional<double> max_nodes);
/// "infiniband or roce"
std::string joined_words(const std::vector<std::string>& words);
/// "Dell Federal" of "dell federal".
std::string maker_name(std::string_view maker);

}  // namespace podwright
