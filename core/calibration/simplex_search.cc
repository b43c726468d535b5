#include "calibration/simplex_search.h"

#include <algorithm>
#include <cstddef>

#include "base/stable_sort.h"

namespace podwright {
namespace {

using Cost = std::function<double(const std::vector<double>&)>;

constexpr int kMovesPerRound = 400;
constexpr double kLeastSimplexGain = 1e-6;

struct Vertex {
  std::vector<double> at;
  double cost = 0;
};

/// The point on the line from `worst` through `centre`, `reach` times its length beyond the centre.
Vertex along(const Cost& cost, const std::vector<double>& centre, const Vertex& worst, double reach) {
  Vertex vertex{centre, 0};
  for (std::size_t i = 0; i < centre.size(); ++i) vertex.at[i] += reach * (centre[i] - worst.at[i]);
  vertex.cost = cost(vertex.at);
  return vertex;
}

std::vector<double> centre_of(const std::vector<Vertex>& best_first) {
  std::vector<double> centre(best_first.front().at.size(), 0.0);
  for (std::size_t v = 0; v + 1 < best_first.size(); ++v)
    for (std::size_t i = 0; i < centre.size(); ++i)
      centre[i] += best_first[v].at[i] / static_cast<double>(best_first.size() - 1);
  return centre;
}

void shrink(const Cost& cost, std::vector<Vertex>& best_first) {
  for (std::size_t v = 1; v < best_first.size(); ++v) {
    for (std::size_t i = 0; i < best_first[v].at.size(); ++i)
      best_first[v].at[i] = (best_first[v].at[i] + best_first.front().at[i]) / 2;
    best_first[v].cost = cost(best_first[v].at);
  }
}

void move(const Cost& cost, std::vector<Vertex>& best_first) {
  Vertex& worst = best_first.back();
  const std::vector<double> centre = centre_of(best_first);
  const Vertex reflected = along(cost, centre, worst, 1);
  if (reflected.cost < best_first.front().cost) {
    const Vertex further = along(cost, centre, worst, 2);
    worst = further.cost < reflected.cost ? further : reflected;
  } else if (reflected.cost < best_first[best_first.size() - 2].cost) {
    worst = reflected;
  } else {
    const Vertex nearer = along(cost, centre, worst, reflected.cost < worst.cost ? 0.5 : -0.5);
    if (nearer.cost < std::min(worst.cost, reflected.cost)) {
      worst = nearer;
    } else {
      shrink(cost, best_first);
    }
  }
}

Vertex one_round(const Cost& cost, const std::vector<double>& start, const std::vector<double>& steps,
                 double tolerance) {
  std::vector<Vertex> vertices{{start, cost(start)}};
  for (std::size_t i = 0; i < start.size(); ++i) {
    std::vector<double> at = start;
    at[i] += steps[i];
    const double value = cost(at);
    vertices.push_back({std::move(at), value});
  }
  const auto better = [](const Vertex& a, const Vertex& b) { return a.cost < b.cost; };
  for (int i = 0; i < kMovesPerRound; ++i) {
    sort_stably(vertices, better);
    if (vertices.back().cost - vertices.front().cost < tolerance) break;
    move(cost, vertices);
  }
  return *std::min_element(vertices.begin(), vertices.end(), better);
}

}  // namespace

std::vector<double> simplex_minimum(const Cost& cost, std::vector<double> start, const std::vector<double>& steps,
                                    const SimplexEffort& effort) {
  double before = cost(start);
  for (int round = 0; round < effort.rounds; ++round) {
    Vertex found = one_round(cost, start, steps, effort.tolerance);
    start = std::move(found.at);
    if (before - found.cost < kLeastSimplexGain) break;
    before = found.cost;
  }
  return start;
}

}  // namespace podwright
