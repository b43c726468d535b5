#include "export/focus_csv.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "base/civil_day.h"
#include "base/csv_write.h"
#include "base/number_text.h"
#include "export/format_text.h"

namespace podwright {
namespace {

/// The columns of the table, in its order.
constexpr std::string_view kColumns =
    "AllocatedMethodDetails,AllocatedMethodId,AllocatedResourceId,AllocatedResourceName,AllocatedTags,"
    "AvailabilityZone,BilledCost,BillingAccountId,BillingAccountName,BillingAccountType,BillingCurrency,"
    "BillingPeriodEnd,BillingPeriodStart,CapacityReservationId,CapacityReservationStatus,ChargeCategory,"
    "ChargeClass,ChargeDescription,ChargeFrequency,ChargePeriodEnd,ChargePeriodStart,CommitmentDiscountCategory,"
    "CommitmentDiscountId,CommitmentDiscountName,CommitmentDiscountQuantity,CommitmentDiscountStatus,"
    "CommitmentDiscountType,CommitmentDiscountUnit,ConsumedQuantity,ConsumedUnit,ContractApplied,ContractedCost,"
    "ContractedUnitPrice,EffectiveCost,HostProviderName,InvoiceId,InvoiceIssuerName,ListCost,ListUnitPrice,"
    "PricingCategory,"
    "PricingCurrency,PricingCurrencyContractedUnitPrice,PricingCurrencyEffectiveCost,"
    "PricingCurrencyListUnitPrice,PricingQuantity,PricingUnit,ProviderName,PublisherName,RegionId,RegionName,"
    "ResourceId,ResourceName,ResourceType,ServiceCategory,ServiceName,ServiceProviderName,ServiceSubcategory,SkuId,"
    "SkuMeter,"
    "SkuPriceDetails,SkuPriceId,SubAccountId,SubAccountName,SubAccountType,Tags,x_CostClass";
constexpr std::size_t kColumnCount = 66;

/// A column by its name, which the compiler looks up.
struct Column {
  std::size_t index = 0;

  consteval Column(const char* name) {
    for (std::size_t begin = 0; cell_at(begin) != name; ++index) begin += cell_at(begin).size() + 1;
  }
  static constexpr std::string_view cell_at(std::size_t begin) {
    return kColumns.substr(begin, kColumns.find(',', begin) - begin);
  }
};

/// A cell of a row: a text, which no spreadsheet runs, or a number.
struct FocusCell {
  Column column;
  std::string text;

  FocusCell(Column of, const std::string& words) : column(of), text(inert_cell(words)) {}
  FocusCell(Column of, const char* words) : column(of), text(words) {}
  FocusCell(Column of, double number) : column(of), text(shortest_number(rounded_for_display(number))) {}
};

/// A row. Cells that are not set are empty: nulls.
class Charge {
 public:
  Charge(std::initializer_list<FocusCell> cells) { set(cells); }

  void set(std::initializer_list<FocusCell> cells) {
    for (const FocusCell& cell : cells) cells_[cell.column.index] = cell.text;
  }
  void copy(Column from, Column to) { cells_[to.index] = cells_[from.index]; }
  const std::array<std::string, kColumnCount>& cells() const { return cells_; }

 private:
  std::array<std::string, kColumnCount> cells_;
};

constexpr Seconds kDay = days(1);
constexpr const char* kGpuHours = "GPU-Hours";

std::string midnight(std::int64_t day) { return iso_date(day) + "T00:00:00Z"; }
double amount(UsdPerSecond rate) { return rate * kDay / usd(1); }
double hourly(UsdPerSecond rate) { return rate / usd_per_hour(1); }
double gpu_hours(double gpus) { return gpus * (kDay / hours(1)); }
double used_share(double utilization) { return std::min(1.0, std::max(0.0, utilization)); }

/// The rows of a plan, day by day.
class FocusTable {
 public:
  explicit FocusTable(const FocusPlan& plan) : plan_(plan), text_(std::string(kColumns) + "\r\n") {
    for (day_ = plan.first_day; day_ < plan.first_day + plan.days; ++day_) {
      for (const OwnedResource& resource : plan.owned) add_owned(resource);
      for (const OverheadCost& overhead : plan.overheads) add_overhead(overhead);
      for (const RentedResource& resource : plan.rented)
        committed(resource) ? add_commitment(resource) : add_flexible(resource);
      for (const RentedService& service : plan.services) add_service(service);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  /// A row with what is the same in all of the day.
  void add(Charge charge) {
    charge.set({{"BillingAccountId", plan_.account_id},
                {"BillingAccountName", plan_.account_name},
                {"BillingAccountType", "Planned"},
                {"BillingCurrency", "USD"},
                {"BillingPeriodEnd", midnight(next_month_start(day_))},
                {"BillingPeriodStart", midnight(month_start(day_))},
                {"ChargePeriodEnd", midnight(day_ + 1)},
                {"ChargePeriodStart", midnight(day_)},
                {"PricingCurrency", "USD"}});
    charge.copy("ContractedUnitPrice", "PricingCurrencyContractedUnitPrice");
    charge.copy("EffectiveCost", "PricingCurrencyEffectiveCost");
    charge.copy("ListUnitPrice", "PricingCurrencyListUnitPrice");
    charge.copy("ServiceProviderName", "InvoiceIssuerName");
    // Deprecated, but a table of FOCUS 1.3 still has them; what joined by them keeps working.
    charge.copy("ServiceProviderName", "ProviderName");
    charge.copy("ServiceProviderName", "PublisherName");
    add_csv_row(text_, std::vector<std::string_view>(charge.cells().begin(), charge.cells().end()));
  }

  /// Usage of GPUs: quantity, unit and the costs that follow from prices of one GPU-hour.
  static Charge gpu_charge(double gpus, UsdPerSecond paid, UsdPerSecond list) {
    return {{"BilledCost", "0"},
            {"ChargeCategory", "Usage"},
            {"ChargeFrequency", "Usage-Based"},
            {"ContractedCost", amount(gpus * paid)},
            {"ContractedUnitPrice", hourly(paid)},
            {"EffectiveCost", amount(gpus * paid)},
            {"ListCost", amount(gpus * list)},
            {"ListUnitPrice", hourly(list)},
            {"PricingQuantity", gpu_hours(gpus)},
            {"PricingUnit", kGpuHours},
            {"ServiceCategory", "Compute"},
            {"SkuMeter", "GPU time"}};
  }
  static void consume(Charge& charge, double gpus) {
    charge.set({{"ConsumedQuantity", gpu_hours(gpus)}, {"ConsumedUnit", kGpuHours}});
  }

  void add_owned(const OwnedResource& resource) {
    const double used = used_share(resource.utilization) * resource.gpus;
    const struct {
      const char* cost_class;
      const char* what;
      double gpus;
    } parts[] = {{"Workload", "GPUs of one's own in use", used},
                 {"Idle", "Owned GPUs, available", resource.gpus - used}};
    for (const auto& part : parts) {
      Charge charge = gpu_charge(part.gpus, resource.cost_per_gpu, resource.rent.value_or(resource.cost_per_gpu));
      if (!resource.rent) charge.set({{"ListUnitPrice", ""}});
      consume(charge, part.gpus);
      charge.set({{"ChargeDescription", part.what},
                  {"PricingCategory", "Other"},
                  {"HostProviderName", plan_.owner},
                  {"ServiceProviderName", plan_.owner},
                  {"RegionId", resource.region_id},
                  {"RegionName", resource.region_name},
                  {"ResourceId", resource.id},
                  {"ResourceName", resource.name},
                  {"ResourceType", resource.type},
                  {"ServiceName", "GPUs of one's own"},
                  {"ServiceSubcategory", "Other (Compute)"},
                  {"SkuId", resource.type},
                  {"SkuPriceId", resource.type + "/owned"},
                  {"x_CostClass", part.cost_class}});
      add(std::move(charge));
    }
  }

  /// A day of something that all machines share, at one price.
  static Charge day_charge(const std::string& id, const std::string& name, const std::string& category,
                           UsdPerSecond cost) {
    return {{"BilledCost", "0"},
            {"ChargeCategory", "Usage"},
            {"ChargeFrequency", "Recurring"},
            {"ConsumedQuantity", 1},
            {"ConsumedUnit", "Days"},
            {"ContractedCost", amount(cost)},
            {"ContractedUnitPrice", amount(cost)},
            {"EffectiveCost", amount(cost)},
            {"ListCost", amount(cost)},
            {"ListUnitPrice", amount(cost)},
            {"PricingQuantity", 1},
            {"PricingUnit", "Days"},
            {"ResourceId", id},
            {"ResourceName", name},
            {"ServiceCategory", category},
            {"ServiceName", name},
            {"ServiceSubcategory", "Other (" + category + ")"},
            {"SkuId", id},
            {"SkuMeter", "Day"}};
  }

  void add_overhead(const OverheadCost& overhead) {
    Charge charge = day_charge(overhead.id, overhead.name, overhead.service_category, overhead.cost);
    charge.set({{"ChargeDescription", "Serves all machines of one's own"},
                {"PricingCategory", "Other"},
                {"HostProviderName", overhead.hosted ? plan_.owner : ""},
                {"ServiceProviderName", plan_.owner},
                {"ResourceType", "Shared cost"},
                {"SkuPriceId", overhead.id + "/owned"},
                {"x_CostClass", "Overhead"}});
    add(std::move(charge));
  }

  void add_service(const RentedService& service) {
    Charge charge = day_charge(service.id, service.name, service.service_category, service.cost);
    charge.set({{"BilledCost", amount(service.cost)},
                {"ChargeDescription", "Billed in addition to the rented GPUs"},
                {"PricingCategory", "Standard"},
                {"HostProviderName", service.hosted ? service.provider : ""},
                {"ServiceProviderName", service.provider},
                {"ResourceType", service.name},
                {"SkuPriceId", service.id + "/on-demand"},
                {"x_CostClass", "Workload"}});
    add(std::move(charge));
  }

  static Charge rented_charge(const RentedResource& resource, double gpus, UsdPerSecond list) {
    Charge charge = gpu_charge(gpus, resource.price, list);
    charge.set({{"HostProviderName", resource.provider},
                {"ServiceProviderName", resource.provider},
                {"RegionId", resource.region_id},
                {"RegionName", resource.region_name},
                {"ResourceId", resource.id},
                {"ResourceName", resource.name},
                {"ResourceType", resource.instance},
                {"ServiceName", "Rented GPUs"},
                {"ServiceSubcategory", "Virtual Machines"},
                {"SkuId", resource.instance}});
    return charge;
  }

  void add_flexible(const RentedResource& resource) {
    const bool spot = resource.kind == RentTerm::spot;
    const double used = used_share(resource.utilization) * resource.gpus;
    Charge charge = rented_charge(resource, used, resource.list_price);
    consume(charge, used);
    charge.set({{"BilledCost", amount(used * resource.price)},
                {"ChargeDescription", spot ? "Rented GPUs that may be taken back" : "GPUs rented by the hour"},
                {"PricingCategory", spot ? "Dynamic" : "Standard"},
                {"SkuPriceId", resource.instance + (spot ? "/spot" : "/on-demand")},
                {"x_CostClass", "Workload"}});
    add(std::move(charge));
  }

  void add_commitment(const RentedResource& resource) {
    const bool one_year = resource.kind == RentTerm::reserved_1y;
    const std::string term = one_year ? "1 year" : "3 years";
    const auto of_commitment = [&](double gpus, UsdPerSecond list) {
      Charge charge = rented_charge(resource, gpus, list);
      charge.set({{"ChargeDescription", "Commitment of " + term},
                  {"CommitmentDiscountCategory", "Usage"},
                  {"CommitmentDiscountId", resource.id + "/commitment"},
                  {"CommitmentDiscountName", resource.name + ", " + term},
                  {"CommitmentDiscountQuantity", gpu_hours(gpus)},
                  {"CommitmentDiscountType", "Reservation"},
                  {"CommitmentDiscountUnit", kGpuHours},
                  {"SkuPriceId", resource.instance + (one_year ? "/reserved-1y" : "/reserved-3y")}});
      return charge;
    };
    // The bill of the day; what it covers follows as usage that carries its cost.
    Charge bill = of_commitment(resource.gpus, resource.price);
    bill.set({{"BilledCost", amount(resource.gpus * resource.price)},
              {"ChargeCategory", "Purchase"},
              {"ChargeDescription", "Commitment of " + term + ", billed whether used or not"},
              {"ChargeFrequency", "Recurring"},
              {"EffectiveCost", "0"},
              {"PricingCategory", "Standard"},
              {"ResourceId", resource.id + "/commitment"},
              {"ResourceName", resource.name + ", " + term}});
    add(std::move(bill));

    const double used = used_share(resource.utilization) * resource.gpus;
    const struct {
      const char* cost_class;
      const char* status;
      double gpus;
      bool consumed;
    } parts[] = {{"Workload", "Used", used, true}, {"Idle", "Unused", resource.gpus - used, false}};
    for (const auto& part : parts) {
      if (!(part.gpus > 0)) continue;
      Charge charge = of_commitment(part.gpus, resource.list_price);
      if (part.consumed) consume(charge, part.gpus);
      charge.set({{"CommitmentDiscountStatus", part.status},
                  {"PricingCategory", "Committed"},
                  {"x_CostClass", part.cost_class}});
      add(std::move(charge));
    }
  }

  static bool committed(const RentedResource& resource) {
    return resource.kind == RentTerm::reserved_1y || resource.kind == RentTerm::reserved_3y;
  }

  const FocusPlan& plan_;
  std::int64_t day_ = 0;
  std::string text_;
};

}  // namespace

std::string focus_csv(const FocusPlan& plan) { return FocusTable(plan).take(); }

bool add_owned_cluster(FocusPlan& plan, const OwnedTerms<NoTrace>& inputs, OwnedResource resource) {
  NoTrace trace;
  const OwningCost<NoTrace> cost = owning_cost(trace, inputs);
  if (!cost.total || !inputs.utilization) return false;
  const Horizon<NoTrace> horizon = horizon_of<NoTrace>(inputs.horizon_years, inputs.discount_rate);
  const double residual = inputs.fabric_residual_fraction.amount.value_or(0.0);
  const auto capital_of = [&](const CostPart<NoTrace, Usd>& part) {
    const Usd price = part.amount.value_or(Usd(0));
    return level_capital(price, fabric_residual_value(price, residual), horizon);
  };
  UsdPerSecond shared;
  const auto share = [&](const char* id, const char* name, const char* category, UsdPerSecond rate,
                         bool hosted = true) {
    if (!(rate > UsdPerSecond(0))) return;
    shared += rate;
    plan.overheads.push_back(
        {.id = resource.id + "/" + id, .name = name, .service_category = category, .hosted = hosted, .cost = rate});
  };
  share("network", "Network", "Networking", capital_of(inputs.network));
  share("storage", "Storage", "Storage", capital_of(inputs.storage));
  share("staff", "Staff", "Management and Governance", cost.operation->staff, false);
  share("facility", "Building", "Other", cost.operation->facility);
  share("connection", "Lines and data that leaves", "Networking", cost.operation->connection);
  resource.gpus = inputs.gpu_count;
  resource.utilization = *inputs.utilization;
  resource.cost_per_gpu = (cost.total->yearly - shared) / inputs.gpu_count;
  plan.owned.push_back(std::move(resource));
  return true;
}

}  // namespace podwright
