#include "api/write_carbon_numbers.h"
#include "api/write_common.h"
#include "api/write_cost.h"
#include "cost/carbon.h"

namespace podwright {
namespace {

struct CarbonAnswer {
  CarbonInputs<Trace> inputs;
  std::vector<std::string> missing;
  std::vector<std::string> cautions;
};

void add_grid(Trace& trace, const Catalog& catalog, const CostRequest& request, CarbonAnswer& answer) {
  if (request.carbon->grid_gco2_per_kwh) {
    answer.inputs.grid_g_per_kwh = trace.input("/carbon/grid_gco2_per_kwh", *request.carbon->grid_gco2_per_kwh);
    return;
  }
  const GridCarbon grid = grid_carbon(catalog, request.on_premises->region);
  if (grid.g_per_kwh)
    answer.inputs.grid_g_per_kwh = trace.fact(*grid.region, "grid_gco2_per_kwh", *grid.g_per_kwh);
  else
    answer.missing.push_back(grid.absence);
}

void add_embodied(Trace& trace, const Catalog& catalog, const CostRequest& request, CarbonAnswer& answer) {
  if (request.carbon->embodied_kg_per_gpu) {
    answer.inputs.embodied_kg_per_gpu =
        trace.input("/carbon/embodied_kg_per_gpu", *request.carbon->embodied_kg_per_gpu);
    return;
  }
  if (!request.gpu) {
    answer.missing.emplace_back("Carbon of making the machines: name the \"gpu\" or give \"embodied_kg_per_gpu\".");
    return;
  }
  const EmbodiedCarbon figure = embodied_carbon_figure(catalog, *request.gpu);
  if (figure.figure == nullptr) {
    answer.missing.push_back(figure.absence);
    return;
  }
  answer.inputs.embodied_kg_per_gpu = trace.fact(*figure.figure, "typical", raw(figure.figure->price.typical));
  if (!figure.caution.empty()) answer.cautions.push_back(figure.caution);
}

}  // namespace

void write_carbon(JsonWriter& out, Trace& trace, const Catalog& catalog, const CostRequest& request,
                  const CostSides& sides) {
  if (!request.carbon || !sides.owned || !sides.owned->cost.operation) return;
  CarbonAnswer answer;
  answer.inputs.gpus = sides.owned->inputs.gpu_count;
  answer.inputs.energy_per_year = sides.owned->cost.operation->energy_per_year;
  answer.inputs.life_years = sides.owned->inputs.horizon_years;
  answer.inputs.utilization = *sides.owned->inputs.utilization;
  add_grid(trace, catalog, request, answer);
  add_embodied(trace, catalog, request, answer);
  const Carbon<Trace> carbon = carbon_of(trace, answer.inputs);
  out.begin_object("carbon");
  write_carbon_numbers(out, carbon);
  write_texts(out, "missing", answer.missing);
  write_texts(out, "cautions", answer.cautions);
  out.end_object();
}

}  // namespace podwright
