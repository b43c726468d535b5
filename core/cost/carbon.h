#pragma once
/// Greenhouse gases of running machines and of having them made, in kg of CO2 equivalent. docs/method/carbon.md.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"
#include "cost/ownership_formulas.h"

namespace podwright {

/// Of electricity at the meter (PUE included) from a grid of so many grams per kWh, in kg.
constexpr auto operation_carbon(Of<Joules> auto energy, Of<double> auto grid_g_per_kwh) {
  return cited("docs/method/carbon.md#operation", energy / kwh(1) * grid_g_per_kwh / 1000.0);
}

/// Of making all GPUs with their share of the machines, in kg.
constexpr auto embodied_carbon(Of<double> auto gpus, Of<double> auto kg_per_gpu) {
  return cited("docs/method/carbon.md#embodied", gpus * kg_per_gpu);
}

/// Part of a GPU's making that a time of use answers for: use over all the use that its life is assumed to see.
constexpr auto embodied_share(Of<Seconds> auto used, Of<double> auto life_years, Of<double> auto utilization) {
  return cited("docs/method/carbon.md#embodied", used / (life_years * years(1) * utilization));
}

/// Grams for each of `count` pieces of work.
constexpr auto grams_each(Of<double> auto kg, Of<double> auto count) { return kg * 1000.0 / count; }

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
  Known<Tracer, double> gpus{};
  Known<Tracer, Joules> energy_per_year{};  ///< at the meter
  Known<Tracer, double> life_years{};
  Known<Tracer, double> utilization{};                      ///< that the life of the machines is assumed to see
  std::optional<Known<Tracer, double>> grid_g_per_kwh;      ///< location-based
  std::optional<Known<Tracer, double>> contract_g_per_kwh;  ///< market-based, from supply contracts
  std::optional<Known<Tracer, double>> embodied_kg_per_gpu;
};

template <class Tracer>
struct Carbon {
  using Number = Known<Tracer, double>;
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
        named("cost.carbon.operation", operation_carbon(inputs.energy_per_year, *inputs.grid_g_per_kwh));
  if (inputs.contract_g_per_kwh)
    carbon.operation_kg_per_year_market =
        named("cost.carbon.operation_market", operation_carbon(inputs.energy_per_year, *inputs.contract_g_per_kwh));
  if (inputs.embodied_kg_per_gpu) {
    carbon.embodied_kg = named("cost.carbon.embodied", embodied_carbon(inputs.gpus, *inputs.embodied_kg_per_gpu));
    carbon.embodied_kg_per_year = named("cost.carbon.embodied_per_year", *carbon.embodied_kg / inputs.life_years);
  }
  if (carbon.operation_kg_per_year && carbon.embodied_kg_per_year)
    carbon.kg_per_year =
        trace.sum("cost.carbon.per_year", std::vector{*carbon.operation_kg_per_year, *carbon.embodied_kg_per_year});
  return carbon;
}

/// Of one run: `energy` at the meter, `gpu_time` GPUs times their time, in kg. Absent where a part is.
template <class Tracer>
std::optional<Known<Tracer, double>> carbon_of_run(const CarbonInputs<Tracer>& inputs,
                                                   const Known<Tracer, Joules>& energy,
                                                   const Known<Tracer, Seconds>& gpu_time) {
  if (!inputs.grid_g_per_kwh || !inputs.embodied_kg_per_gpu) return std::nullopt;
  const auto operation = named("cost.carbon.run_operation", operation_carbon(energy, *inputs.grid_g_per_kwh));
  const auto share = named("cost.carbon.run_share", embodied_share(gpu_time, inputs.life_years, inputs.utilization));
  const auto embodied = named("cost.carbon.run_embodied", embodied_carbon(share, *inputs.embodied_kg_per_gpu));
  return named("cost.carbon.run", operation + embodied);
}

/// Adds the grid's carbon, or why it is missing.
template <class Tracer>
void add_grid(Tracer& trace, const GridCarbon& grid, CarbonInputs<Tracer>& inputs, std::vector<std::string>& missing) {
  if (grid.g_per_kwh)
    inputs.grid_g_per_kwh = trace.fact(*grid.region, "grid_gco2_per_kwh", *grid.g_per_kwh);
  else
    missing.push_back(grid.absence);
}

/// Adds the carbon of making the GPUs, or why it is missing.
template <class Tracer>
void add_embodied(Tracer& trace, const Catalog& catalog, const Gpu& gpu, CarbonInputs<Tracer>& inputs,
                  std::vector<std::string>& missing, std::vector<std::string>& cautions) {
  const EmbodiedCarbon figure = embodied_carbon_figure(catalog, gpu);
  if (figure.figure == nullptr) return missing.push_back(figure.absence);
  inputs.embodied_kg_per_gpu = trace.fact(*figure.figure, "typical", raw(figure.figure->price.typical));
  if (!figure.caution.empty()) cautions.push_back(figure.caution);
}

}  // namespace podwright
