#include "api/write_fits.h"

#include "base/words.h"

namespace podwright {

namespace {

void write_curve(JsonWriter& out, std::string_view key, const std::optional<FitCurve>& curve) {
  if (!curve) return;
  out.begin_list(key);
  for (const auto& [x, y] : curve->points) {
    out.begin_object();
    out.number(curve->x, x);
    out.number(curve->y, y);
    out.end_object();
  }
  out.end_list();
}

}  // namespace

void write_fits(JsonWriter& out, const std::vector<FitRow>& rows) {
  const auto number = [&](std::string_view key, const std::optional<double>& value) {
    if (value) out.number(key, *value);
  };
  out.begin_list("fits");
  for (const FitRow& row : rows) {
    out.begin_object();
    out.text("parameter", row.parameter);
    for (const FitNumber& one : row.numbers) out.number(one.key, one.value);
    if (row.sustained_is_measured) out.boolean("sustained_factor_is_measured", *row.sustained_is_measured);
    number("left_out_median_error", row.left_out_median);
    number("left_out_90_error", row.left_out_90);
    number("interval_half_width", row.half_width);
    write_curve(out, "measured", row.curve);
    write_curve(out, "residuals", row.residuals);
    out.text("in_plans", word_of(row.use, kFitUseWords));
    const bool taken = row.use == FitUse::rate;
    if (const std::string& told = taken ? row.left_out : row.why_not; !told.empty())
      out.text(taken ? "left_out" : "not_taken", told);
    out.end_object();
  }
  out.end_list();
}

}  // namespace podwright
