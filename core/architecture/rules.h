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

/// Those that fired for a band that was taken: in the order of the method, with what the site was found to give and
/// what is bought now. `title` is that of the design; `now` is the band of the nodes bought now where that is another
/// one than the horizon's, null where there is none, with its title.
std::vector<FiredRule> rules_of(const ArchitectureNeed& need, const JudgedBand& judged, const std::string& title,
                                const ArchitectureBand* now, const std::string& now_title);
FiredRule rule_one_gpu();
/// Why the first design stands before the second; `titles` are those of the runners-up.
FiredRule rule_order(const BandRank& first, const BandRank& second, const ArchitectureBand& first_band,
                     const ArchitectureBand& second_band, const std::vector<std::string>& titles);

/// "4 to 12 nodes", "1 node", "129 nodes and more".
std::string node_range_text(double min_nodes, std::optional<double> max_nodes);
/// An Enterprise RA.
inline bool is_enterprise(const ArchitectureBand& band) { return band.architecture_id.rfind("era-", 0) == 0; }
/// "Dell Federal" of "dell federal".
std::string maker_name(std::string_view maker);

}  // namespace podwright
