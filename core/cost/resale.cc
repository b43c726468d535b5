#include "cost/resale.h"

#include <array>

namespace podwright {
namespace {

/// Rows that make the curve: a generic one while the machines are young, with the fall at the next generation, then
/// what was seen of whole servers after three years and of any GPU after that.
struct Wanted {
  std::string_view gpu;
  double from_months;
  double to_months;
};
constexpr std::array<Wanted, 5> kWantedRows{{{"generic A", 0, 12},
                                             {"generic A", 12, 18},
                                             {"generic A", 18, 24},
                                             {"H100 8-GPU node", 36, 36},
                                             {"generic B", 48, 60}}};
constexpr std::size_t kKinkRow = 2;

const ResaleValue* find(const Catalog& catalog, const Wanted& wanted) {
  for (const ResaleValue& row : catalog.resale_values)
    if (row.gpu == wanted.gpu && row.age_months_from == wanted.from_months && row.age_months_to == wanted.to_months &&
        row.fraction_low && row.fraction_high)
      return &row;
  return nullptr;
}

}  // namespace

ResaleCurve resale_curve(const Catalog& catalog) {
  ResaleCurve curve;
  for (const Wanted& wanted : kWantedRows) {
    const ResaleValue* row = find(catalog, wanted);
    if (row == nullptr) {
      curve.points.clear();
      curve.absence = "The catalog has no resale value of \"" + std::string(wanted.gpu) + "\" from month " +
                      std::to_string(static_cast<int>(wanted.from_months)) + " to " +
                      std::to_string(static_cast<int>(wanted.to_months)) + ".";
      return curve;
    }
    curve.points.push_back(row);
  }
  curve.kink = curve.points[kKinkRow];
  return curve;
}

}  // namespace podwright
