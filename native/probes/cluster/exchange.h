#pragma once
/// What ranks measure between each other over TCP: pairs and a ring. The network of the processors' backend; every byte
/// that arrives is checked.
#include <optional>
#include <string>
#include <vector>

#include "probes/cluster/socket.h"

namespace podwright::probes {

struct PairTimes {
  std::vector<double> round_trip_s;  ///< of a small message there and back
  std::vector<double> there_s;       ///< of one large message to the other, with its short receipt
  std::vector<double> back_s;        ///< of one from the other
  double message_bytes = 0;
  bool right = true;  ///< everything arrived unchanged
};
/// The two sides of a pair. Nothing when the other one did not answer in time.
std::optional<PairTimes> call_pair(Connection& other, double message_bytes, double seconds);
bool answer_pair(Connection& other, double message_bytes, double seconds);

struct RingTimes {
  std::vector<double> calls_s;
  bool right = true;
};
/// All-reduce of 4-byte numbers in a ring: each part travels once around to be summed and once to be told.
/// Patarasuk and Yuan 2009, doi 10.1016/j.jpdc.2008.09.002. Nothing when a neighbour did not answer in time.
std::optional<RingTimes> ring_all_reduce(Connection& next, Connection& previous, int rank, int ranks, double bytes,
                                         int calls, double seconds);

}  // namespace podwright::probes
