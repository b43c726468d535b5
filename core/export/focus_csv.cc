#include "export/focus_csv.h"

#include <algorithm>
#include <string_view>

#include "base/civil_day.h"
#include "base/number_text.h"
#include "export/csv_text.h"

namespace podwright {
namespace {

/// A row, cells named as the columns. Empty cells are nulls.
struct Charge {
  std::string billed_cost = "0";
  std::string charge_category = "Usage";
  std::string charge_description;
  std::string charge_frequency = "Usage-Based";
  std::string commitment_category;
  std::string commitment_id;
  std::string commitment_name;
  std::string commitment_quantity;
  std::string commitment_status;
  std::string commitment_type;
  std::string commitment_unit;
  std::string consumed_quantity;
  std::string consumed_unit;
  std::string contracted_cost;
  std::string contracted_unit_price;
  std::string effective_cost = "0";
  std::string invoice_issuer;
  std::string list_cost;
  std::string list_unit_price;
  std::string pricing_category;
  std::string pricing_quantity;
  std::string pricing_unit;
  std::string provider;
  std::string region_id;
  std::string region_name;
  std::string resource_id;
  std::string resource_name;
  std::string resource_type;
  std::string service_category = "Compute";
  std::string service_name;
  std::string service_subcategory;
  std::string sku_id;
  std::string sku_meter = "GPU time";
  std::string sku_price_id;
  std::string cost_class;  ///< Workload, Idle or Overhead; empty for a purchase that the usage rows spread
};

/// What all rows of a day share.
struct Day {
  std::string start;
  std::string end;
  std::string month_start;
  std::string month_end;
};

constexpr Seconds kDay = days(1);
constexpr std::string_view kGpuHours = "GPU-Hours";

std::string midnight(std::int64_t day) { return iso_date(day) + "T00:00:00Z"; }
std::string decimal(double number) { return shortest_number(rounded_for_display(number)); }
std::string amount(UsdPerSecond rate) { return decimal(rate * kDay / usd(1)); }
std::string hourly(UsdPerSecond rate) { return decimal(rate / usd_per_hour(1)); }
std::string gpu_hours(double gpus) { return decimal(gpus * (kDay / hours(1))); }
double used_share(double utilization) { return std::min(1.0, std::max(0.0, utilization)); }

void add_row(std::string& text, const FocusPlan& plan, const Day& day, const Charge& charge) {
  const std::string account_id = inert_cell(plan.account_id);
  const std::string account_name = inert_cell(plan.account_name);
  add_csv_row(text, {"",
                     charge.billed_cost,
                     account_id,
                     account_name,
                     "Planned",
                     "USD",
                     day.month_end,
                     day.month_start,
                     "",
                     "",
                     charge.charge_category,
                     "",
                     inert_cell(charge.charge_description),
                     charge.charge_frequency,
                     day.end,
                     day.start,
                     charge.commitment_category,
                     inert_cell(charge.commitment_id),
                     inert_cell(charge.commitment_name),
                     charge.commitment_quantity,
                     charge.commitment_status,
                     charge.commitment_type,
                     charge.commitment_unit,
                     charge.consumed_quantity,
                     charge.consumed_unit,
                     charge.contracted_cost,
                     charge.contracted_unit_price,
                     charge.effective_cost,
                     "",
                     inert_cell(charge.invoice_issuer),
                     charge.list_cost,
                     charge.list_unit_price,
                     charge.pricing_category,
                     "USD",
                     charge.contracted_unit_price,
                     charge.effective_cost,
                     charge.list_unit_price,
                     charge.pricing_quantity,
                     charge.pricing_unit,
                     inert_cell(charge.provider),
                     inert_cell(charge.provider),
                     inert_cell(charge.region_id),
                     inert_cell(charge.region_name),
                     inert_cell(charge.resource_id),
                     inert_cell(charge.resource_name),
                     inert_cell(charge.resource_type),
                     charge.service_category,
                     inert_cell(charge.service_name),
                     charge.service_subcategory,
                     inert_cell(charge.sku_id),
                     charge.sku_meter,
                     "",
                     inert_cell(charge.sku_price_id),
                     "",
                     "",
                     "",
                     "",
                     charge.cost_class});
}

/// Quantity, unit and the costs that follow from prices of one GPU-hour.
void price(Charge& charge, double gpus, UsdPerSecond paid, UsdPerSecond list) {
  charge.pricing_quantity = gpu_hours(gpus);
  charge.pricing_unit = kGpuHours;
  charge.contracted_unit_price = hourly(paid);
  charge.contracted_cost = amount(gpus * paid);
  charge.list_unit_price = hourly(list);
  charge.list_cost = amount(gpus * list);
}
void consume(Charge& charge, double gpus) {
  charge.consumed_quantity = gpu_hours(gpus);
  charge.consumed_unit = kGpuHours;
}

void add_owned(std::string& text, const FocusPlan& plan, const Day& day, const OwnedResource& resource) {
  const double used = used_share(resource.utilization) * resource.gpus;
  const struct {
    const char* cost_class;
    const char* what;
    double gpus;
  } parts[] = {{"Workload", "GPUs of one's own in use", used}, {"Idle", "Owned GPUs, available", resource.gpus - used}};
  for (const auto& part : parts) {
    Charge charge;
    charge.charge_description = part.what;
    charge.effective_cost = amount(part.gpus * resource.cost_per_gpu);
    price(charge, part.gpus, resource.cost_per_gpu, resource.rent.value_or(resource.cost_per_gpu));
    if (!resource.rent) charge.list_unit_price.clear();
    consume(charge, part.gpus);
    charge.pricing_category = "Other";
    charge.provider = plan.owner;
    charge.invoice_issuer = plan.owner;
    charge.region_id = resource.region_id;
    charge.region_name = resource.region_name;
    charge.resource_id = resource.id;
    charge.resource_name = resource.name;
    charge.resource_type = resource.type;
    charge.service_name = "GPUs of one's own";
    charge.service_subcategory = "Other (Compute)";
    charge.sku_id = resource.type;
    charge.sku_price_id = resource.type + "/owned";
    charge.cost_class = part.cost_class;
    add_row(text, plan, day, charge);
  }
}

/// A day of something that all machines share, at one price.
Charge day_charge(const std::string& id, const std::string& name, const std::string& category, UsdPerSecond cost) {
  Charge charge;
  charge.charge_frequency = "Recurring";
  charge.effective_cost = amount(cost);
  charge.contracted_cost = charge.effective_cost;
  charge.list_cost = charge.effective_cost;
  charge.contracted_unit_price = charge.effective_cost;
  charge.list_unit_price = charge.effective_cost;
  charge.pricing_quantity = "1";
  charge.pricing_unit = "Days";
  charge.consumed_quantity = "1";
  charge.consumed_unit = "Days";
  charge.resource_id = id;
  charge.resource_name = name;
  charge.service_category = category;
  charge.service_name = name;
  charge.service_subcategory = "Other (" + category + ")";
  charge.sku_id = id;
  charge.sku_meter = "Day";
  return charge;
}

void add_overhead(std::string& text, const FocusPlan& plan, const Day& day, const OverheadCost& overhead) {
  Charge charge = day_charge(overhead.id, overhead.name, overhead.service_category, overhead.cost);
  charge.charge_description = "Serves all machines of one's own";
  charge.pricing_category = "Other";
  charge.provider = plan.owner;
  charge.invoice_issuer = plan.owner;
  charge.resource_type = "Shared cost";
  charge.sku_price_id = overhead.id + "/owned";
  charge.cost_class = "Overhead";
  add_row(text, plan, day, charge);
}

void add_service(std::string& text, const FocusPlan& plan, const Day& day, const RentedService& service) {
  Charge charge = day_charge(service.id, service.name, service.service_category, service.cost);
  charge.charge_description = "Billed in addition to the rented GPUs";
  charge.billed_cost = charge.effective_cost;
  charge.pricing_category = "Standard";
  charge.provider = service.provider;
  charge.invoice_issuer = service.provider;
  charge.resource_type = service.name;
  charge.sku_price_id = service.id + "/on-demand";
  charge.cost_class = "Workload";
  add_row(text, plan, day, charge);
}

Charge rented_charge(const RentedResource& resource, std::string_view pricing) {
  Charge charge;
  charge.pricing_category = pricing;
  charge.provider = resource.provider;
  charge.invoice_issuer = resource.provider;
  charge.region_id = resource.region_id;
  charge.region_name = resource.region_name;
  charge.resource_id = resource.id;
  charge.resource_name = resource.name;
  charge.resource_type = resource.instance;
  charge.service_name = "Rented GPUs";
  charge.service_subcategory = "Virtual Machines";
  charge.sku_id = resource.instance;
  return charge;
}

void add_flexible(std::string& text, const FocusPlan& plan, const Day& day, const RentedResource& resource) {
  const bool spot = resource.kind == RentKind::spot;
  const double used = used_share(resource.utilization) * resource.gpus;
  Charge charge = rented_charge(resource, spot ? "Dynamic" : "Standard");
  charge.charge_description = spot ? "Rented GPUs that may be taken back" : "GPUs rented by the hour";
  price(charge, used, resource.price, resource.list_price);
  consume(charge, used);
  charge.billed_cost = charge.contracted_cost;
  charge.effective_cost = charge.contracted_cost;
  charge.sku_price_id = resource.instance + (spot ? "/spot" : "/on-demand");
  charge.cost_class = "Workload";
  add_row(text, plan, day, charge);
}

void add_commitment(std::string& text, const FocusPlan& plan, const Day& day, const RentedResource& resource) {
  const char* const term = resource.kind == RentKind::reserved_1y ? "1 year" : "3 years";
  const auto commit = [&](Charge& charge, double gpus) {
    charge.commitment_category = "Usage";
    charge.commitment_id = resource.id + "/commitment";
    charge.commitment_name = resource.name + ", " + term;
    charge.commitment_quantity = gpu_hours(gpus);
    charge.commitment_type = "Reservation";
    charge.commitment_unit = kGpuHours;
    charge.sku_price_id =
        resource.instance + (resource.kind == RentKind::reserved_1y ? "/reserved-1y" : "/reserved-3y");
  };
  // The bill of the day; what it covers follows as usage that carries its cost.
  Charge bill = rented_charge(resource, "Standard");
  bill.charge_category = "Purchase";
  bill.charge_description = std::string("Commitment of ") + term + ", billed whether used or not";
  bill.charge_frequency = "Recurring";
  price(bill, resource.gpus, resource.price, resource.price);
  bill.billed_cost = bill.contracted_cost;
  commit(bill, resource.gpus);
  bill.resource_id = bill.commitment_id;
  bill.resource_name = bill.commitment_name;
  add_row(text, plan, day, bill);

  const double used = used_share(resource.utilization) * resource.gpus;
  const struct {
    const char* cost_class;
    const char* status;
    double gpus;
  } parts[] = {{"Workload", "Used", used}, {"Idle", "Unused", resource.gpus - used}};
  for (const auto& part : parts) {
    if (!(part.gpus > 0)) continue;
    Charge charge = rented_charge(resource, "Committed");
    charge.charge_description = std::string("Commitment of ") + term;
    price(charge, part.gpus, resource.price, resource.list_price);
    charge.effective_cost = charge.contracted_cost;
    if (part.gpus == used) consume(charge, used);
    commit(charge, part.gpus);
    charge.commitment_status = part.status;
    charge.cost_class = part.cost_class;
    add_row(text, plan, day, charge);
  }
}

bool committed(const RentedResource& resource) {
  return resource.kind == RentKind::reserved_1y || resource.kind == RentKind::reserved_3y;
}

}  // namespace

std::string focus_csv(const FocusPlan& plan) {
  std::string text;
  add_csv_row(text, {"AvailabilityZone",
                     "BilledCost",
                     "BillingAccountId",
                     "BillingAccountName",
                     "BillingAccountType",
                     "BillingCurrency",
                     "BillingPeriodEnd",
                     "BillingPeriodStart",
                     "CapacityReservationId",
                     "CapacityReservationStatus",
                     "ChargeCategory",
                     "ChargeClass",
                     "ChargeDescription",
                     "ChargeFrequency",
                     "ChargePeriodEnd",
                     "ChargePeriodStart",
                     "CommitmentDiscountCategory",
                     "CommitmentDiscountId",
                     "CommitmentDiscountName",
                     "CommitmentDiscountQuantity",
                     "CommitmentDiscountStatus",
                     "CommitmentDiscountType",
                     "CommitmentDiscountUnit",
                     "ConsumedQuantity",
                     "ConsumedUnit",
                     "ContractedCost",
                     "ContractedUnitPrice",
                     "EffectiveCost",
                     "InvoiceId",
                     "InvoiceIssuerName",
                     "ListCost",
                     "ListUnitPrice",
                     "PricingCategory",
                     "PricingCurrency",
                     "PricingCurrencyContractedUnitPrice",
                     "PricingCurrencyEffectiveCost",
                     "PricingCurrencyListUnitPrice",
                     "PricingQuantity",
                     "PricingUnit",
                     "ProviderName",
                     "PublisherName",
                     "RegionId",
                     "RegionName",
                     "ResourceId",
                     "ResourceName",
                     "ResourceType",
                     "ServiceCategory",
                     "ServiceName",
                     "ServiceSubcategory",
                     "SkuId",
                     "SkuMeter",
                     "SkuPriceDetails",
                     "SkuPriceId",
                     "SubAccountId",
                     "SubAccountName",
                     "SubAccountType",
                     "Tags",
                     "x_CostClass"});
  for (std::int64_t i = 0; i < plan.days; ++i) {
    const std::int64_t date = plan.first_day + i;
    const Day day{.start = midnight(date),
                  .end = midnight(date + 1),
                  .month_start = midnight(month_start(date)),
                  .month_end = midnight(next_month_start(date))};
    for (const OwnedResource& resource : plan.owned) add_owned(text, plan, day, resource);
    for (const OverheadCost& overhead : plan.overheads) add_overhead(text, plan, day, overhead);
    for (const RentedResource& resource : plan.rented)
      committed(resource) ? add_commitment(text, plan, day, resource) : add_flexible(text, plan, day, resource);
    for (const RentedService& service : plan.services) add_service(text, plan, day, service);
  }
  return text;
}

std::size_t focus_rows(const FocusPlan& plan) {
  std::size_t rows = 2 * plan.owned.size() + plan.overheads.size() + plan.services.size();
  for (const RentedResource& resource : plan.rented) {
    const double used = used_share(resource.utilization);
    rows += committed(resource) ? 1 + (used > 0 ? 1 : 0) + (used < 1 ? 1 : 0) : 1;
  }
  return rows * static_cast<std::size_t>(std::max<std::int64_t>(0, plan.days));
}

}  // namespace podwright
