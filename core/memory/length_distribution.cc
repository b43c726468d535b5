#include "memory/length_distribution.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/distributions.h"
#include "base/math.h"

namespace podwright {
namespace {

/// Where the line through two quantiles leads.
double continued(const LengthQuantile& from, const LengthQuantile& to, double share) {
  const double slope = math::log(to.tokens / from.tokens) / (to.share - from.share);
  return std::clamp(to.tokens * math::exp(std::min(40.0, slope * (share - to.share))), 1.0, 1e8);
}

/// Mean of the first or second power of the lengths of a piece.
double mean_power(const LengthPiece& piece, double power) {
  const double from = math::pow(piece.shortest, power);
  const double to = math::pow(piece.longest, power);
  return to == from ? from : (to - from) / math::log(to / from);
}

double mean_power(const LengthDistribution& lengths, double power) {
  double sum = 0;
  for (const LengthPiece& piece : lengths) sum += piece.share * mean_power(piece, power);
  return sum;
}

}  // namespace

LengthDistribution lengths_of_quantiles(std::vector<LengthQuantile> quantiles) {
  const std::size_t last = quantiles.size() - 1;
  const double least = continued(quantiles[1], quantiles[0], 0);
  const double most = continued(quantiles[last - 1], quantiles[last], 1);
  if (quantiles[last].share < 1) quantiles.push_back({1, most});
  if (quantiles[0].share > 0) quantiles.insert(quantiles.begin(), {0, least});
  LengthDistribution lengths;
  for (std::size_t i = 1; i < quantiles.size(); ++i)
    lengths.push_back({quantiles[i].share - quantiles[i - 1].share, quantiles[i - 1].tokens, quantiles[i].tokens});
  return lengths;
}

LengthDistribution lengths_of_table(const std::vector<LengthRow>& rows) {
  double all = 0;
  for (const LengthRow& row : rows) all += row.share;
  LengthDistribution lengths;
  for (const LengthRow& row : rows) lengths.push_back({row.share / all, row.tokens, row.tokens});
  return lengths;
}

LengthDistribution lognormal_lengths(double mean, double cv) {
  constexpr double kDeviations = 4;
  constexpr int kPieces = 80;
  const double variance = math::log(1 + cv * cv);
  const auto tokens_at = [&](int piece) {
    const double deviations = kDeviations * (2.0 * piece / kPieces - 1);
    return mean * math::exp(deviations * std::sqrt(variance) - variance / 2);
  };
  const auto below = [&](int piece) {
    return piece == kPieces ? 1 : piece == 0 ? 0 : math::normal_share_below(kDeviations * (2.0 * piece / kPieces - 1));
  };
  LengthDistribution lengths;
  for (int i = 0; i < kPieces; ++i) lengths.push_back({below(i + 1) - below(i), tokens_at(i), tokens_at(i + 1)});
  return lengths;
}

void cut_lengths(LengthDistribution& lengths, double longest) {
  LengthDistribution cut;
  for (const LengthPiece& piece : lengths) {
    if (piece.shortest >= longest) {
      cut.push_back({piece.share, longest, longest});
    } else if (piece.longest <= longest) {
      cut.push_back(piece);
    } else {
      const double below = math::log(longest / piece.shortest) / math::log(piece.longest / piece.shortest);
      cut.push_back({piece.share * below, piece.shortest, longest});
      cut.push_back({piece.share * (1 - below), longest, longest});
    }
  }
  lengths = std::move(cut);
}

double mean_of_lengths(const LengthDistribution& lengths) { return mean_power(lengths, 1); }

double cv_of_lengths(const LengthDistribution& lengths) {
  const double mean = mean_power(lengths, 1);
  return std::sqrt(std::max(0.0, mean_power(lengths, 2) / (mean * mean) - 1));
}

double length_at(const LengthDistribution& lengths, double place) {
  double below = 0;
  for (const LengthPiece& piece : lengths) {
    if (place < below + piece.share)
      return piece.shortest * math::pow(piece.longest / piece.shortest, (place - below) / piece.share);
    below += piece.share;
  }
  return lengths.back().longest;
}

}  // namespace podwright
