#include "cost/hygiene.h"

#include <algorithm>

#include "base/number_text.h"
#include "catalog/price_problems.h"

namespace podwright {
namespace {

// Beyond these a table has been misread: a price per MWh or in cents, tonnes for grams.
constexpr double kMostPerKwh = 2;
constexpr double kMostGramsPerKwh = 2000;

bool is_currency(std::string_view text) {
  return text.size() == 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

std::optional<Usd> in_usd(double amount, std::string_view currency, std::span<const ExchangeRate> rates) {
  if (currency == "USD") return usd(amount);
  const auto rate =
      std::find_if(rates.begin(), rates.end(), [&](const ExchangeRate& r) { return r.currency == currency; });
  if (!is_currency(currency) || rate == rates.end() || !(rate->usd_per_unit > 0)) return std::nullopt;
  return usd(amount * rate->usd_per_unit);
}

std::vector<std::string> offer_problems(const CloudPrice& row, std::string_view currency) {
  std::vector<std::string> problems;
  if (currency.empty())
    problems.emplace_back("The prices have no currency.");
  else if (currency != "USD")
    problems.push_back("The prices are in " + std::string(currency) + ", not in USD.");
  if (row.as_of.empty()) problems.emplace_back("The prices have no date.");
  for (std::string& problem : price_problems(row)) problems.push_back(std::move(problem));
  return problems;
}

std::vector<std::string> purchase_problems(const PurchasePrice& row) {
  std::vector<std::string> problems;
  const Price& price = row.price;
  if (row.as_of.empty()) problems.emplace_back("The price has no date.");
  if (price.low < Usd(0)) problems.emplace_back("The price is below 0.");
  if (price.low > price.typical || price.typical > price.high)
    problems.emplace_back("The typical price is outside its range.");
  const bool hardware = row.category == "gpu" || row.category == "system";
  if (hardware && !(price.low > Usd(0))) problems.emplace_back("The price of hardware is not above 0.");
  if (hardware && !is_currency(row.currency)) problems.emplace_back("The price has no currency.");
  return problems;
}

std::vector<std::string> energy_problems(const EnergyRegion& row) {
  std::vector<std::string> problems;
  if (row.electricity_price_kwh) {
    if (!is_currency(row.price_currency)) problems.emplace_back("The price of electricity has no currency.");
    if (!(*row.electricity_price_kwh > 0))
      problems.emplace_back("The price of electricity is not above 0.");
    else if (*row.electricity_price_kwh > kMostPerKwh)
      problems.push_back("The price of electricity of " + shortest_number(*row.electricity_price_kwh) +
                         " per kWh is above " + shortest_number(kMostPerKwh) + ".");
  }
  if (row.grid_gco2_per_kwh && (*row.grid_gco2_per_kwh < 0 || *row.grid_gco2_per_kwh > kMostGramsPerKwh))
    problems.push_back("The carbon of electricity of " + shortest_number(*row.grid_gco2_per_kwh) +
                       " g/kWh lies outside 0 to " + shortest_number(kMostGramsPerKwh) + ".");
  return problems;
}

}  // namespace podwright
