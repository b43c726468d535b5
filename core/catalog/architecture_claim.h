#pragma once
/// Statements about reference architectures found in study material, each compared with what the documents say.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/item.h"

namespace podwright {

/// wrong: the documents say otherwise. misleading: the number is right, what it is taken for is not. incomplete: true
/// of a part. conditional: right under the condition that `verified` names. unconfirmed: no document says so.
enum class StudyVerdict { wrong, misleading, incomplete, conditional, unconfirmed };
inline constexpr std::array<std::string_view, 5> kStudyVerdictWords{"wrong", "misleading", "incomplete", "conditional",
                                                                    "unconfirmed"};

/// `source` of the item says where `verified` comes from.
struct ArchitectureClaim : CatalogItem {
  double number = 0;     ///< from 1, without gaps
  std::string document;  ///< source id of the study material
  std::string claim;
  std::string verified;
  std::string quantity;  ///< what the two values are of; empty where the claim has no number
  std::optional<double> claimed_value;
  std::optional<double> verified_value;
  std::string unit;
  StudyVerdict verdict = StudyVerdict::wrong;
};

/// What study material calls a cluster of some size. `source` of the item says where `correction` comes from. Bands may
/// overlap, as they do in the material.
struct StudyBand : CatalogItem {
  std::string size_name;  ///< single node, BasePOD, DGX POD, SuperPOD, custom; empty: the material leaves a gap
  double min_gpus = 1;
  std::optional<double> max_gpus;  ///< absent: no upper end
  std::string statement;           ///< of the material, in other words
  std::string correction;
  std::vector<double> claims;  ///< numbers of architecture claims that say more
  std::string document;        ///< source id of the study material
};

}  // namespace podwright
