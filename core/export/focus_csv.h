#pragma once
/// Planned cost as rows of the FinOps Open Cost and Usage Specification (FOCUS 1.3), so that a plan stands beside the
/// bills that follow it. docs/method/exports.md#focus.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "cost/owned_cluster.h"
#include "cost/rent.h"

namespace podwright {

/// GPUs of one's own. Prices are for one GPU and time.
struct OwnedResource {
  std::string id;
  std::string name;
  std::string type;  ///< the system, e.g. "DGX H100"
  std::string region_id;
  std::string region_name;
  double gpus = 0;
  double utilization = 0;            ///< share of the GPU-hours in use; what lies above 1 is not counted
  UsdPerSecond cost_per_gpu;         ///< capital and operation
  std::optional<UsdPerSecond> rent;  ///< on-demand price of the same GPU in a cloud
};

/// What serves all of one's own resources and none alone: network, storage, staff, building.
struct OverheadCost {
  std::string id;
  std::string name;
  std::string service_category;  ///< of FOCUS: "Networking", "Storage", "Management and Governance", "Other"
  bool hosted = true;            ///< false: runs on no infrastructure, as staff and licences
  UsdPerSecond cost;
};

/// Rented GPUs. Prices are for one GPU and time.
struct RentedResource {
  std::string id;
  std::string name;
  std::string provider;
  std::string instance;
  std::string region_id;
  std::string region_name;
  RentTerm kind = RentTerm::on_demand;
  double gpus = 0;
  double utilization = 0;   ///< a commitment bills every hour, else only hours in use are billed
  UsdPerSecond price;       ///< paid
  UsdPerSecond list_price;  ///< on-demand
};

/// What a cloud bills besides the GPUs: licences, storage, data that leaves, support.
struct RentedService {
  std::string id;
  std::string name;
  std::string provider;
  std::string service_category;  ///< of FOCUS
  bool hosted = true;            ///< false: runs on no infrastructure, as licences and support
  UsdPerSecond cost;
};

struct FocusPlan {
  std::string account_id;
  std::string account_name;
  std::string owner;           ///< who provides what is owned
  std::int64_t first_day = 0;  ///< days since 1970-01-01
  std::int64_t days = 0;
  std::vector<OwnedResource> owned;
  std::vector<OverheadCost> overheads;
  std::vector<RentedResource> rented;
  std::vector<RentedService> services;
};

/// One row for each resource, day and class of charge, days in order. Costs of a day add up: effective cost = workload
/// + idle + overhead, idle never below 0.
std::string focus_csv(const FocusPlan& plan);

// From what an owned cluster costs to the resources and shared costs of a FOCUS table.

/// Adds the cluster as `resource`, whose GPUs, utilization and price are taken from `inputs`: to the GPUs go the
/// servers with installation, spares and taking down, electricity, support and licences; network, storage, staff,
/// building and connection become shared costs. Together they are the level cost of owning. False, and nothing added,
/// where a part of the cost or the utilization is not known.
bool add_owned_cluster(FocusPlan& plan, const OwnedTerms<NoTrace>& inputs, OwnedResource resource);

}  // namespace podwright
