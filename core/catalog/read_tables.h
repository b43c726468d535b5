#pragma once
/// The tables of prices, energy, failures and resale values. Rows are added; errors have the path "<path>:<line>".
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/price_tables.h"

namespace podwright {

void read_cloud_prices(std::string_view path, std::string_view text, std::vector<CloudPrice>& prices, Errors& errors);
/// Rows without a price are left out: they record that none was found.
void read_purchase_prices(std::string_view path, std::string_view text, std::vector<PurchasePrice>& prices,
                          Errors& errors);
void read_energy_regions(std::string_view path, std::string_view text, std::vector<EnergyRegion>& regions,
                         Errors& errors);
void read_failure_rates(std::string_view path, std::string_view text, std::vector<FailureRate>& rates, Errors& errors);
void read_resale_values(std::string_view path, std::string_view text, std::vector<ResaleValue>& values, Errors& errors);
void read_gpu_hour_costs(std::string_view path, std::string_view text, std::vector<GpuHourCost>& costs, Errors& errors);
void read_price_history(std::string_view path, std::string_view text, std::vector<PricePoint>& points, Errors& errors);

}  // namespace podwright
