#pragma once
/// A rank's part of a group: one worker for each of its seats, from the first order to the last result.
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/json_read.h"
#include "probes/cluster/seats.h"
#include "probes/runner.h"

namespace podwright::probes {

/// Patience until all ranks of a group have joined, of each of the two joins.
double join_patience(const RunOptions& run);

/// The order that opens a group on one rank; the seats are those of `plan` that belong to it.
std::string open_order(const GroupPlan& plan, int rank, double patience_s);
/// The order that lets it run; empty ids: it is given up.
std::string run_order(const std::string& ids);

/// What became of one seat.
struct SeatReport {
  int seat = 0;
  std::string reason;  ///< why it did not come to the end; empty where it did
  std::string detail;
  std::vector<std::string> finished;  ///< messages of the cases that it reports: of teams that it is the first of
};
std::vector<SeatReport> read_reports(const std::string& answer);

class GroupRun {
 public:
  /// Starts the workers. `backend` by its name.
  GroupRun(const RunOptions& run, const std::string& backend, const JsonNode& order);
  ~GroupRun();
  GroupRun(const GroupRun&) = delete;
  GroupRun& operator=(const GroupRun&) = delete;

  /// Ids that the first seat made, once it has; empty where that seat is another rank's, or failed.
  std::string ids();
  /// Lets the workers join and measure, or end, and waits for them; the answer to rank 0.
  std::string run(const std::string& ids);

 private:
  struct Work;
  void live(Work& work);
  void measure(Work& work);

  const RunOptions& run_;
  std::promise<std::string> made_;  ///< by the first seat
  std::promise<std::string> given_;
  std::shared_future<std::string> ids_;
  bool first_seat_here_ = false;
  bool ran_ = false;
  std::vector<std::unique_ptr<Work>> works_;
  std::vector<std::thread> threads_;  ///< a worker ends with the thread that started it
};

}  // namespace podwright::probes
