#pragma once
/// What a site allows and who builds and runs its machines, in the words of requests and of the size bands.
#include <array>
#include <string_view>

#include "base/words.h"

namespace podwright {

/// Who builds and owns the machines.
enum class Ownership { any, dgx, oem, pcie, cloud };
inline constexpr std::array<std::string_view, 5> kOwnershipWords{"any", "dgx", "oem", "pcie", "cloud"};

/// Machines of one's own, not any that do.
constexpr bool asks_for_machines(Ownership asked) { return asked != Ownership::any && asked != Ownership::cloud; }

/// The network between the nodes.
enum class FabricFamily { any, infiniband, spectrum_x, roce };
inline constexpr std::array<std::string_view, 4> kFabricFamilyWords{"any", "infiniband", "spectrum-x", "roce"};

/// Where data may be, from free to bound.
enum class Sovereignty { none, in_country, on_premises, air_gapped };
inline constexpr std::array<std::string_view, 4> kSovereigntyWords{"none", "in-country", "on-premises", "air-gapped"};

/// No cloud will do.
constexpr bool stays_on_own_ground(Sovereignty where) { return where >= Sovereignty::on_premises; }

/// Who runs the machines.
enum class Services { self, partner, nvidia };
inline constexpr std::array<std::string_view, 3> kServicesWords{"self", "partner", "nvidia"};

/// Who shares the machines.
enum class Tenancy { one_team, several_teams, several_tenants };
inline constexpr std::array<std::string_view, 3> kTenancyWords{"one-team", "several-teams", "several-tenants"};

constexpr std::string_view word_of(Ownership value) { return word_of(value, kOwnershipWords); }
constexpr std::string_view word_of(FabricFamily value) { return word_of(value, kFabricFamilyWords); }
constexpr std::string_view word_of(Sovereignty value) { return word_of(value, kSovereigntyWords); }
constexpr std::string_view word_of(Services value) { return word_of(value, kServicesWords); }
constexpr std::string_view word_of(Tenancy value) { return word_of(value, kTenancyWords); }

}  // namespace podwright
