#pragma once
/// Prices that somebody has been offered, beside those of the catalog. docs/method/prices.md#quotes.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catalog/catalog.h"
#include "cost/rent.h"

namespace podwright {

/// Rented machines.
struct RentQuote {
  double gpus_per_machine = 8;  ///< which one machine joins; whole machines are billed
  bool cluster_network = true;  ///< the machines reach each other
  std::string country;          ///< ISO 3166 alpha-3; empty: not said
  RentTerm term = RentTerm::on_demand;
  std::optional<double> contract_days_least;  ///< of the term contract, which has both
  std::optional<double> contract_days_most;
  double usd_per_gpu_hour = 0;
  double min_gpus = 1;  ///< smallest order
};

/// Bought systems.
struct ServerQuote {
  std::string system;  ///< id of the catalog
  double usd_per_system = 0;
};

inline constexpr std::array<std::string_view, 2> kQuoteTypeWords{"rent", "server"};

struct Quote {
  std::string name;      ///< as its paper is called
  std::string provider;  ///< who quotes; an id of the price tables has its prices of data there
  std::string gpu;       ///< id of the catalog
  std::string as_of;
  std::string valid_until;                         ///< empty: not said
  std::variant<RentQuote, ServerQuote> what = {};  ///< in the order of kQuoteTypeWords

  const RentQuote* rent() const { return std::get_if<RentQuote>(&what); }
  const ServerQuote* server() const { return std::get_if<ServerQuote>(&what); }
};

/// Why a plan takes a quote or does not.
enum class QuoteState { used, expired, does_not_fit, not_the_lowest };
inline constexpr std::array<std::string_view, 4> kQuoteStateWords{"used", "expired", "does-not-fit", "not-the-lowest"};

/// Is it still good on the day `as_of`?
bool holds_on(const Quote& quote, std::string_view as_of);

/// The catalog with a row for each quote of `quotes` that holds on the day: rents among the cloud prices, servers
/// before the catalog's prices, the lowest first.
Catalog with_quotes(const Catalog& catalog, const std::vector<Quote>& quotes, std::string_view as_of);

inline constexpr std::string_view kQuoteOrigin = "request/quotes/";
/// Where the row of the quote at this place stands: "request/quotes/0".
std::string origin_of_quote(std::size_t place);

}  // namespace podwright
