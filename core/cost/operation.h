#pragma once
/// What owned machines cost while they run, beside their electricity and the building. All are money per time, shown
/// per year at 8,760 hours.
#include "base/formula.h"
#include "base/units.h"
#include "cost/capital.h"

namespace podwright {

/// A support contract, or a fleet's own repairs, as a share of the servers' price per year.
constexpr UsdPerSecond support_cost(Usd servers, double support_fraction) {
  return servers * support_fraction / years(1);
}
inline constexpr Formula<support_cost> kSupportCost{.id = "cost.support_cost",
                                                    .inputs = {"servers", "support_fraction"},
                                                    .equation = "servers * support_fraction / 31536000",
                                                    .source = "docs/method/ownership.md#operation"};

constexpr UsdPerSecond licence_cost(double gpu_count, UsdPerSecond licence_per_gpu) {
  return gpu_count * licence_per_gpu;
}
inline constexpr Formula<licence_cost> kLicenceCost{.id = "cost.licence_cost",
                                                    .inputs = {"gpu_count", "licence_per_gpu"},
                                                    .equation = "gpu_count * licence_per_gpu",
                                                    .source = "docs/method/ownership.md#operation"};

/// Price per time of a licence that is paid once for a term.
constexpr UsdPerSecond licence_rate(Usd price, double term_years) { return price / years(term_years); }
inline constexpr Formula<licence_rate> kLicenceRate{.id = "cost.licence_rate",
                                                    .inputs = {"price", "term_years"},
                                                    .equation = "price / (term_years * 31536000)",
                                                    .source = "definition"};

/// Servers of eight GPUs, the unit in which people are counted.
constexpr double servers_of_eight(double gpu_count) { return gpu_count / 8.0; }
inline constexpr Formula<servers_of_eight> kServersOfEight{.id = "cost.servers_of_eight",
                                                           .inputs = {"gpu_count"},
                                                           .equation = "gpu_count / 8",
                                                           .source = "unit of the row on staff"};

/// People as full-time equivalents: those that come with each server, and those that any cluster needs.
constexpr double staff_count(double servers, double staff_per_server, double fixed_staff) {
  return servers * staff_per_server + fixed_staff;
}
inline constexpr Formula<staff_count> kStaffCount{.id = "cost.staff_count",
                                                  .inputs = {"servers", "staff_per_server", "fixed_staff"},
                                                  .equation = "servers * staff_per_server + fixed_staff",
                                                  .source = "docs/method/ownership.md#operation"};

constexpr UsdPerSecond staff_cost(double staff, UsdPerSecond salary) { return staff * salary; }
inline constexpr Formula<staff_cost> kStaffCost{.id = "cost.staff_cost",
                                                .inputs = {"staff", "salary"},
                                                .equation = "staff * salary",
                                                .source = "docs/method/ownership.md#operation"};

/// Data that leaves the site, at one price per byte.
constexpr UsdPerSecond outgoing_data_cost(BytesPerSecond outgoing, UsdPerByte price) { return outgoing * price; }
inline constexpr Formula<outgoing_data_cost> kOutgoingDataCost{.id = "cost.outgoing_data_cost",
                                                               .inputs = {"outgoing", "price"},
                                                               .equation = "outgoing * price",
                                                               .source = "docs/method/ownership.md#operation"};

/// What is not tied to the servers or to power: lines, ports, data that leaves.
constexpr UsdPerSecond connection_cost(UsdPerSecond lines, UsdPerSecond outgoing_data) { return lines + outgoing_data; }
inline constexpr Formula<connection_cost> kConnectionCost{.id = "cost.connection_cost",
                                                          .inputs = {"lines", "outgoing_data"},
                                                          .equation = "lines + outgoing_data",
                                                          .source = "docs/method/ownership.md#operation"};

/// Where the machines stand: electricity and building.
constexpr UsdPerSecond site_cost(UsdPerSecond energy, UsdPerSecond facility) { return energy + facility; }
inline constexpr Formula<site_cost> kSiteCost{.id = "cost.site_cost",
                                              .inputs = {"energy", "facility"},
                                              .equation = "energy + facility",
                                              .source = "docs/method/ownership.md#operation"};

/// What keeps the machines useful: support, software, people.
constexpr UsdPerSecond care_cost(UsdPerSecond support, UsdPerSecond licences, UsdPerSecond staff) {
  return support + licences + staff;
}
inline constexpr Formula<care_cost> kCareCost{.id = "cost.care_cost",
                                              .inputs = {"support", "licences", "staff"},
                                              .equation = "support + licences + staff",
                                              .source = "docs/method/ownership.md#operation"};

constexpr UsdPerSecond operation_cost(UsdPerSecond site, UsdPerSecond care, UsdPerSecond connection) {
  return site + care + connection;
}
inline constexpr Formula<operation_cost> kOperationCost{.id = "cost.operation_cost",
                                                        .inputs = {"site", "care", "connection"},
                                                        .equation = "site + care + connection",
                                                        .source = "docs/method/ownership.md#operation"};

constexpr UsdPerSecond ownership_cost(UsdPerSecond capital, UsdPerSecond operation) { return capital + operation; }
inline constexpr Formula<ownership_cost> kOwnershipCost{.id = "cost.ownership_cost",
                                                        .inputs = {"capital", "operation"},
                                                        .equation = "capital + operation",
                                                        .source = "docs/method/ownership.md#levelised-cost"};

}  // namespace podwright
