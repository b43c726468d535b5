#include "sizing/latency_limit.h"

#include <cmath>

#include "base/number_text.h"
#include "base/words.h"

namespace podwright::sizing {
namespace {

constexpr int kUsualDigits = 3;
constexpr int kMostDigits = 15;

std::string time_in_digits(Seconds time, int digits) {
  const double s = time.base_units();
  return s < 1 ? human_number(s * 1e3, digits) + " ms" : human_number(s, digits) + " s";
}

}  // namespace

std::string key_of(const LatencyLimit& limit) {
  std::string key(word_of(limit.latency, kLatencyWords));
  key += "_s_";
  if (limit.percentile != Percentile::mean) key.append(facts_of(limit.percentile).word).append("_");
  return key + "max";
}

std::string text_of(const LatencyLimit& limit) {
  const std::string name(word_of(limit.latency, kLatencyWords));
  return limit.percentile == Percentile::mean ? "mean " + name
                                              : name + " " + std::string(facts_of(limit.percentile).word);
}

std::string time_text(Seconds time) { return time_in_digits(time, kUsualDigits); }

std::pair<std::string, std::string> time_texts(Seconds a, Seconds b) {
  int digits = kUsualDigits;
  while (a != b && digits < kMostDigits && time_in_digits(a, digits) == time_in_digits(b, digits)) ++digits;
  return {time_in_digits(a, digits), time_in_digits(b, digits)};
}

double rounded_up(double x) {
  double scale = 1;
  while (x * scale < 10) scale *= 10;
  while (x * scale >= 100) scale /= 10;
  return std::ceil(x * scale) / scale;
}

LatencyLimit stretched(const LatencyLimit& limit, double times) {
  return {.latency = limit.latency, .percentile = limit.percentile, .most = limit.most * times};
}

double reached(const ServedLatency& served, const LatencyLimit& limit) {
  return figure_of(served, limit.latency).quantile(limit.percentile);
}

bool within(const ServedLatency& served, const std::vector<LatencyLimit>& limits) {
  for (const LatencyLimit& limit : limits)
    if (reached(served, limit) > limit.most.base_units()) return false;
  return true;
}

int tightest(const ServedLatency& served, const std::vector<LatencyLimit>& limits) {
  int tight = -1;
  double most = 0;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const double share = reached(served, limits[i]) / limits[i].most.base_units();
    if (tight >= 0 && !(share > most)) continue;
    tight = static_cast<int>(i);
    most = share;
  }
  return tight;
}

}  // namespace podwright::sizing
