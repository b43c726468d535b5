#pragma once
/// The rules of docs/method/architecture_bands.md in words, for the answer.
#include <string>
#include <string_view>

#include "catalog/catalog.h"

namespace podwright {

struct FiredRule;

FiredRule rule_no_compute_fabric();
FiredRule rule_ownership(const ArchitectureBand& band, std::string_view asked);
FiredRule rule_fabric(const ArchitectureBand& band, std::string_view asked);
FiredRule rule_size(const ArchitectureBand& band, double nodes);
/// `now` and `later` are the bands of the nodes bought now and of the horizon.
FiredRule rule_growth(const ArchitectureBand& now, const ArchitectureBand& later);
FiredRule rule_racks(const System& system);
FiredRule rule_superpod_services();
FiredRule rule_enterprise_services();
FiredRule rule_sovereignty(std::string_view asked);
FiredRule rule_one_gpu();

}  // namespace podwright
