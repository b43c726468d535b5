#include "cost/monte_carlo.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/result.h"

namespace podwright {
namespace {

/// Draws made together: the numbers of all inputs stay in the first cache.
constexpr std::size_t kBlock = 128;
using Numbers = std::array<double, kBlock>;
using Block = std::array<Numbers, kCostInputCount>;

/// Even numbers of an input's stream.
void draw_even(std::uint64_t seed, CostInput input, std::size_t first, std::span<double> numbers) {
  const random::Stream stream(seed, index_of(input));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = stream.uniform(first + i);
}

/// From even numbers, or, for a lognormal input, from standard normal ones.
void shape(const UncertainNumber& number, CostInputShape shape, std::span<double> numbers) {
  if (shape == CostInputShape::lognormal)
    to_lognormal(lognormal_of(number.low, number.typical, number.high), numbers);
  else
    to_triangle({.low = number.low, .typical = number.typical, .high = number.high}, numbers);
}

void draw_block(const UncertainCosts& costs, std::uint64_t seed, std::size_t first, std::size_t count, Block& block) {
  const auto numbers_of = [&](CostInput input) { return std::span(block[index_of(input)]).first(count); };
  const double correlation = costs.utilization_rent_correlation;
  const bool linked =
      correlation != 0.0 && !costs[CostInput::utilization].certain() && !costs[CostInput::rent_per_gpu].certain();
  for (std::size_t i = 0; i < kCostInputCount; ++i) {
    const auto input = static_cast<CostInput>(i);
    if (costs.inputs[i].certain() || (linked && input == CostInput::rent_per_gpu)) continue;
    const std::span<double> numbers = numbers_of(input);
    draw_even(seed, input, first, numbers);
    if (linked && input == CostInput::utilization) {
      // Normal numbers of the rent that lean on those of the utilization.
      Numbers lean{};
      const std::span<double> leaning = std::span(lean).first(count);
      std::copy(numbers.begin(), numbers.end(), lean.begin());
      to_normal(leaning);
      const std::span<double> rent = numbers_of(CostInput::rent_per_gpu);
      draw_even(seed, CostInput::rent_per_gpu, first, rent);
      to_normal(rent);
      const double own_part = std::sqrt(1.0 - correlation * correlation);
      for (std::size_t k = 0; k < count; ++k) rent[k] = correlation * lean[k] + own_part * rent[k];
      shape(costs[CostInput::rent_per_gpu], CostInputShape::lognormal, rent);
    }
    if (kCostInputWords[i].shape == CostInputShape::lognormal) to_normal(numbers);
    shape(costs.inputs[i], kCostInputWords[i].shape, numbers);
  }
}

CostSpread spread_of(std::vector<double>& sample) {
  constexpr std::array kShares{0.05, 0.5, 0.95};
  std::array<double, kShares.size()> quantiles{};
  quantiles_of(sample, kShares, quantiles);
  return {.p5 = UsdPerSecond(quantiles[0]), .p50 = UsdPerSecond(quantiles[1]), .p95 = UsdPerSecond(quantiles[2])};
}

/// Payments of each draw, one sample for each year and way.
struct PaidSamples {
  std::vector<std::vector<double>> own, rent, mixed;

  PaidSamples(int years, std::size_t draws)
      : own(static_cast<std::size_t>(years), std::vector<double>(draws)), rent(own), mixed(own) {}

  template <class NumberOf>
  void put(std::size_t draw, const UncertainCosts& costs, const NumberOf& of) {
    for (std::size_t year = 0; year < own.size(); ++year) {
      const PaidSoFar paid = paid_so_far(costs, static_cast<double>(year), of);
      own[year][draw] = raw(paid.own);
      rent[year][draw] = raw(paid.rent);
      mixed[year][draw] = raw(paid.mixed);
    }
  }
};

FanQuantiles fan_of(std::vector<double>& sample) {
  std::array<double, kFanShares.size()> quantiles{};
  quantiles_of(sample, kFanShares, quantiles);
  FanQuantiles fan;
  std::transform(quantiles.begin(), quantiles.end(), fan.begin(), [](double usd) { return Usd(usd); });
  return fan;
}

/// Of the ways compared; none where no way is. Equal costs go to the first.
std::optional<std::size_t> cheapest_of(const UncertainCosts& costs,
                                       const std::array<UsdPerSecond, kDrawnWayCount>& of) {
  std::optional<std::size_t> least;
  for (std::size_t way = 0; way < kDrawnWayCount; ++way)
    if (costs.compared[way] && (!least || of[way] < of[*least])) least = way;
  return least;
}

}  // namespace

CostDistribution draw_costs(const UncertainCosts& costs, std::size_t draws, std::uint64_t seed, int fan_years) {
  PODWRIGHT_ASSERT(draws > 0);
  std::vector<double> used(draws);
  std::vector<double> own(draws);
  std::vector<double> rent(draws);
  std::vector<double> difference(draws);
  std::vector<double> mixed(costs.mixed ? draws : 0);
  PaidSamples paid(fan_years < 1 ? 0 : fan_years + 1, draws);
  CostDistribution distribution;
  Block block{};
  for (std::size_t i = 0; i < kCostInputCount; ++i) block[i].fill(costs.inputs[i].typical);
  for (std::size_t first = 0; first < draws; first += kBlock) {
    const std::size_t count = std::min(kBlock, draws - first);
    draw_block(costs, seed, first, count, block);
    for (std::size_t i = 0; i < count; ++i) {
      const auto number_of = [&block, i](CostInput input) { return block[index_of(input)][i]; };
      const OwnOrRent cost = own_or_rent(costs, number_of);
      used[first + i] = raw(cost.used_gpu);
      own[first + i] = raw(cost.own);
      rent[first + i] = raw(cost.rent);
      difference[first + i] = raw(cost.own - cost.rent);
      const MixedShares part = costs.mixed.value_or(MixedShares{});
      const UsdPerSecond of_both = cost.own * part.own + cost.rent * part.rent;
      if (costs.mixed) mixed[first + i] = raw(of_both);
      if (const auto least = cheapest_of(costs, {cost.rent, costs.committed, cost.own, of_both}))
        distribution.cheapest[*least] += 1;
      paid.put(first + i, costs, number_of);
    }
  }
  distribution.draws = draws;
  for (double& share : distribution.cheapest) share /= static_cast<double>(draws);
  const auto cheaper = std::count_if(difference.begin(), difference.end(), [](double d) { return d < 0; });
  distribution.probability_owning_is_cheaper = static_cast<double>(cheaper) / static_cast<double>(draws);
  distribution.used_gpu = spread_of(used);
  distribution.own = spread_of(own);
  distribution.rent = spread_of(rent);
  distribution.own_minus_rent = spread_of(difference);
  if (costs.mixed) distribution.mixed = spread_of(mixed);
  for (std::size_t year = 0; year < paid.own.size(); ++year)
    distribution.paid.push_back({.years = static_cast<int>(year),
                                 .own = fan_of(paid.own[year]),
                                 .rent = fan_of(paid.rent[year]),
                                 .mixed = fan_of(paid.mixed[year])});
  return distribution;
}

}  // namespace podwright
