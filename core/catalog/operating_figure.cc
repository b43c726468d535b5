#include "catalog/operating_figure.h"

#include "catalog/table_reader.h"

namespace podwright {
namespace {

struct FigureUnit {
  std::string_view sign;
  double base_units;
};
constexpr FigureUnit kFigureUnits[] = {
    {"s", 1}, {"GB/s", 1e9}, {"parameters/s", 1}, {"GPUs", 1}, {"1", 1}, {"V", 1}, {"W", 1}, {"A", 1}, {"U", 1},
    {"m", 1}, {"K", 1}};

}  // namespace

void read_operating_figures(std::string_view path, std::string_view text, std::vector<OperatingFigure>& figures,
                            Errors& errors) {
  TableReader table(path, text, {"id", "low", "typical", "high", "unit", "source", "note"}, errors);
  while (table.next()) {
    OperatingFigure figure;
    const std::string id = table.needed_text("id");
    table.head(figure, id, id);
    figure.called = id;
    double scale = 0;
    for (const FigureUnit& unit : kFigureUnits)
      if (table.text("unit") == unit.sign) scale = unit.base_units;
    if (scale == 0)
      table.error("out-of-range", "The unit \"" + table.text("unit") + "\" is not known.",
                  "s, GB/s, parameters/s, GPUs, V, A, U, m, K or 1");
    figure.low = table.needed("low") * scale;
    figure.typical = table.needed("typical") * scale;
    figure.high = table.needed("high") * scale;
    if (!(figure.low <= figure.typical && figure.typical <= figure.high))
      table.error("out-of-range", "The typical figure is outside its range.", "low <= typical <= high");
    figures.push_back(std::move(figure));
  }
}

const OperatingFigure* find_operating_figure(const std::vector<OperatingFigure>& figures, std::string_view id) {
  for (const OperatingFigure& figure : figures)
    if (figure.id == id) return &figure;
  return nullptr;
}

}  // namespace podwright
