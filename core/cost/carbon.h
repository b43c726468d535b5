#pragma once
/// Greenhouse gases of running machines and of having them made, in kg of CO2 equivalent. docs/method/carbon.md.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/formula.h"
#include "base/trace.h"
#include "catalog/catalog.h"
#include "cost/energy.h"

namespace podwright {

/// Of electricity at the meter (PUE included) from a grid of so many grams per kWh, in kg.
constexpr double operation_carbon(Joules energy, double grid_g_per_kwh) {
  return energy / kwh(1) * grid_g_per_kwh / 1000.0;
}
inline constexpr Formula<operation_carbon> kOperationCarbon{.id = "cost.operation_carbon",
                                                            .inputs = {"energy", "grid_g_per_kwh"},
                                                            .equation = "energy / 3600000 * grid_g_per_kwh / 1000",
                                                            .source = "docs/method/carbon.md#operation"};

/// Of making all GPUs with their share of the machines, in kg.
constexpr double embodied_carbon(double gpus, double kg_per_gpu) { return gpus * kg_per_gpu; }
inline constexpr Formula<embodied_carbon> kEmbodiedCarbon{.id = "cost.embodied_carbon",
                                                          .inputs = {"gpus", "kg_per_gpu"},
                                                          .equation = "gpus * kg_per_gpu",
                                                          .source = "docs/method/carbon.md#embodied"};

/// Part of a GPU's making that a time of use answers for: use over all the use that its life is assumed to see.
constexpr double embodied_share(Seconds used, double life_years, double utilization) {
  return used / (years(life_years) * utilization);
}
inline constexpr Formula<embodied_share> kEmbodiedShare{.id = "cost.embodied_share",
                                                        .inputs = {"used", "life_years", "utilization"},
                                                        .equation = "used / (life_years * 31536000 * utilization)",
                                                        .source = "docs/method/carbon.md#embodied"};

/// A year's part of what lasts `life_years`.
constexpr double yearly_part(double whole, double life_years) { return whole / life_years; }
inline constexpr Formula<yearly_part> kYearlyPart{.id = "cost.yearly_part",
                                                  .inputs = {"whole", "life_years"},
                                                  .equation = "whole / life_years",
                                                  .source = "definition"};

/// Grams for each of `count` pieces of work.
constexpr double grams_each(double kg, double count) { return kg * 1000.0 / count; }
inline constexpr Formula<grams_each> kGramsEach{
    .id = "cost.grams_each", .inputs = {"kg", "count"}, .equation = "kg * 1000 / count", .source = "definition"};

/// What a kWh of a region emits where it is generated, or why that is not known.
struct GridCarbon {
  const EnergyRegion* region = nullptr;
  std::optional<double> g_per_kwh;
  std::string absence;
};
GridCarbon grid_carbon(const Catalog& catalog, std::string_view region_id);

/// kg that making one GPU with its share of the machine took: of this GPU, else of the one of which a figure is known,
/// which `caution` then says. Null where the catalog has none.
struct EmbodiedCarbon {
  const PurchasePrice* figure = nullptr;
  std::string caution;
  std::string absence;
};
EmbodiedCarbon embodied_carbon_figure(const Catalog& catalog, const Gpu& gpu);

/// What carbon is counted from. Absent parts make what stands on them absent.
template <class Tracer>
struct CarbonInputs {
  typename Tracer::template Known<double> gpus{};
  typename Tracer::template Known<Joules> energy_per_year{};  ///< at the meter
  typename Tracer::template Known<double> life_years{};
  typename Tracer::template Known<double> utilization{};  ///< that the life of the machines is assumed to see
  std::optional<typename Tracer::template Known<double>> grid_g_per_kwh;      ///< location-based
  std::optional<typename Tracer::template Known<double>> contract_g_per_kwh;  ///< market-based, from supply contracts
  std::optional<typename Tracer::template Known<double>> embodied_kg_per_gpu;
};

template <class Tracer>
struct Carbon {
  using Number = typename Tracer::template Known<double>;
  std::optional<Number> operation_kg_per_year;         ///< location-based
  std::optional<Number> operation_kg_per_year_market;  ///< market-based; a second view, never added
  std::optional<Number> embodied_kg;                   ///< of all machines
  std::optional<Number> embodied_kg_per_year;
  std::optional<Number> kg_per_year;  ///< location-based operation and embodied part
};

template <class Tracer>
Carbon<Tracer> carbon_of(Tracer& trace, const CarbonInputs<Tracer>& inputs) {
  Carbon<Tracer> carbon;
  if (inputs.grid_g_per_kwh)
    carbon.operation_kg_per_year =
        trace.step("cost.carbon.operation", kOperationCarbon, inputs.energy_per_year, *inputs.grid_g_per_kwh);
  if (inputs.contract_g_per_kwh)
    carbon.operation_kg_per_year_market = trace.step("cost.carbon.operation_market", kOperationCarbon,
                                                     inputs.energy_per_year, *inputs.contract_g_per_kwh);
  if (inputs.embodied_kg_per_gpu) {
    carbon.embodied_kg = trace.step("cost.carbon.embodied", kEmbodiedCarbon, inputs.gpus, *inputs.embodied_kg_per_gpu);
    carbon.embodied_kg_per_year =
        trace.step("cost.carbon.embodied_per_year", kYearlyPart, *carbon.embodied_kg, inputs.life_years);
  }
  if (carbon.operation_kg_per_year && carbon.embodied_kg_per_year)
    carbon.kg_per_year =
        trace.sum("cost.carbon.per_year", std::vector{*carbon.operation_kg_per_year, *carbon.embodied_kg_per_year});
  return carbon;
}

/// Of one run: `energy` at the meter, `gpu_time` GPUs times their time, in kg. Absent where a part is.
template <class Tracer>
std::optional<typename Tracer::template Known<double>> carbon_of_run(
    Tracer& trace, const CarbonInputs<Tracer>& inputs, const typename Tracer::template Known<Joules>& energy,
    const typename Tracer::template Known<Seconds>& gpu_time) {
  if (!inputs.grid_g_per_kwh || !inputs.embodied_kg_per_gpu) return std::nullopt;
  const auto operation = trace.step("cost.carbon.run_operation", kOperationCarbon, energy, *inputs.grid_g_per_kwh);
  const auto share =
      trace.step("cost.carbon.run_share", kEmbodiedShare, gpu_time, inputs.life_years, inputs.utilization);
  const auto embodied = trace.step("cost.carbon.run_embodied", kEmbodiedCarbon, share, *inputs.embodied_kg_per_gpu);
  return trace.sum("cost.carbon.run", std::vector{operation, embodied});
}

}  // namespace podwright
