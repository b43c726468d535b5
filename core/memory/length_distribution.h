#pragma once
/// Lengths of prompts or answers where more of them is known than mean and scatter: quantiles, or a table.
/// docs/method/percentiles.md#lengths.
#include <vector>

namespace podwright {

/// A share of the lengths: their logarithm is evenly distributed between two ends, which are equal for one length.
struct LengthPiece {
  double share = 0;
  double shortest = 0;  ///< tokens
  double longest = 0;   ///< tokens
};
/// The shares of the pieces add up to 1. Empty: not known.
using LengthDistribution = std::vector<LengthPiece>;

/// Tokens that a share 0..1 of the lengths do not exceed.
struct LengthQuantile {
  double share = 0;
  double tokens = 0;
};
/// Two quantiles or more, rising. Beyond the first and the last the logarithm goes on as next to them, down to 1 token.
LengthDistribution lengths_of_quantiles(std::vector<LengthQuantile> quantiles);

/// A length and how frequent it is, compared with the others.
struct LengthRow {
  double tokens = 0;
  double share = 0;
};
LengthDistribution lengths_of_table(const std::vector<LengthRow>& rows);

/// Lognormal lengths, up to where one of 30,000 is longer.
LengthDistribution lognormal_lengths(double mean, double cv);
/// What is longer becomes `longest`.
void cut_lengths(LengthDistribution& lengths, double longest);

double mean_of_lengths(const LengthDistribution& lengths);
/// Standard deviation over mean.
double cv_of_lengths(const LengthDistribution& lengths);
/// The length at a place 0..1 of the pieces, laid end to end: one drawn at random where the place is.
double length_at(const LengthDistribution& lengths, double place);

}  // namespace podwright
