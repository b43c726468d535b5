#pragma once
/// What a rank does when rank 0 tells it to; the same for rank 0 itself.
#include <memory>
#include <string>
#include <vector>

#include "base/json_read.h"
#include "base/json_write.h"
#include "probes/cluster/group_run.h"
#include "probes/cluster/socket.h"
#include "probes/runner.h"

namespace podwright::probes {

/// Lists of numbers in orders and answers; empty where there is none.
void write_numbers(JsonWriter& json, const char* key, const std::vector<double>& values);
std::vector<double> numbers_at(const JsonNode& node, const char* key);

inline constexpr double kPairBytes = 4.0 * 1024 * 1024;  ///< of one large message between two nodes

class RankWork {
 public:
  RankWork(const RunOptions& run, int rank) : run_(run), rank_(rank) {}

  int data_port() const { return listener_.port(); }
  const RunOutcome& local() const { return local_; }

  /// `command` names in "do" what to do: probe, call, answer, ring, group_open, group_run. The answer is the profile or
  /// the times; "{}" where there is nothing to tell.
  std::string answer(const std::string& command);

 private:
  std::string probe();
  std::string call(const JsonNode& node);
  std::string take_call(const JsonNode& node);
  std::string ring(const JsonNode& node);
  std::string open_group(const JsonNode& node);
  std::string run_group(const JsonNode& node);
  Connection reach_peer(const JsonNode& node) const;
  Connection expect_rank(int rank);

  const RunOptions& run_;
  int rank_;
  Listener listener_{0};
  RunOutcome local_;
  std::unique_ptr<GroupRun> group_;
};

}  // namespace podwright::probes
