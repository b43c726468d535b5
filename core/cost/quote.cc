#include "cost/quote.h"

#include "base/stable_sort.h"

namespace podwright {
namespace {

CloudPrice rent_row(const Quote& quote, const RentQuote& rent, const std::string& origin) {
  CloudPrice row;
  row.id = quote.name;
  row.name = quote.name;
  row.origin = origin;
  row.provider = quote.provider;
  row.instance = quote.name;
  row.country = rent.country;
  row.segment = CloudSegment::quote;
  row.gpu_id = quote.gpu;
  row.gpu_count = rent.gpus_per_machine;
  row.machine_gpus = rent.gpus_per_machine;
  if (rent.cluster_network) row.network = "quoted";
  row.min_gpus = rent.min_gpus;
  row.as_of = quote.as_of;
  if (rent.contract_days_least) row.contract_least = days(*rent.contract_days_least);
  if (rent.contract_days_most) row.contract_most = days(*rent.contract_days_most);
  set_price(row, rent.term, usd_per_hour(rent.usd_per_gpu_hour) * rent.gpus_per_machine);
  return row;
}

}  // namespace

bool holds_on(const Quote& quote, std::string_view as_of) {
  return quote.valid_until.empty() || price_age_days(as_of, quote.valid_until).value_or(0) >= 0;
}

std::string origin_of_quote(std::size_t place) { return std::string(kQuoteOrigin) + std::to_string(place); }

Catalog with_quotes(const Catalog& catalog, const std::vector<Quote>& quotes, std::string_view as_of) {
  Catalog quoted = catalog;
  std::vector<std::size_t> servers;
  for (std::size_t i = 0; i < quotes.size(); ++i) {
    if (!holds_on(quotes[i], as_of)) continue;
    if (const RentQuote* rent = quotes[i].rent())
      quoted.cloud_prices.push_back(rent_row(quotes[i], *rent, origin_of_quote(i)));
    else
      servers.push_back(i);
  }
  sort_stably(servers, [&](std::size_t a, std::size_t b) {
    return quotes[a].server()->usd_per_system < quotes[b].server()->usd_per_system;
  });
  std::vector<ServerPrice> links;
  for (const std::size_t i : servers) {
    const Quote& quote = quotes[i];
    const Usd price = usd(quote.server()->usd_per_system);
    PurchasePrice row;
    row.id = origin_of_quote(i);
    row.name = quote.name;
    row.origin = row.id;
    row.item = quote.name;
    row.currency = "USD";
    row.as_of = quote.as_of;
    row.price = {.low = price, .typical = price, .high = price};
    ServerPrice link;
    link.system_id = quote.server()->system;
    link.gpu_id = quote.gpu;
    link.price_item = row.id;
    link.caution = quote.provider + " quotes it (" + quote.name + ", " + quote.as_of + ").";
    quoted.purchase_prices.push_back(std::move(row));
    links.push_back(std::move(link));
  }
  quoted.server_prices.insert(quoted.server_prices.begin(), links.begin(), links.end());
  return quoted;
}

}  // namespace podwright
