#pragma once
/// A rank's part of a group: one worker for each of its seats, from the first order to the last result.
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "probes/runner.h"
#include "probes/worker.h"

namespace podwright::probes {

/// Patience until all ranks of a group have joined, of each of the two joins.
double join_patience(const RunOptions& run);

/// What rank 0 tells a rank to do.
struct Order {
  std::string act;                   ///< probe, group_open, group_run, end
  std::vector<WorkerJob> jobs = {};  ///< of group_open: the seats that belong to the rank
  std::string ids = {};              ///< of group_run; empty: the group is given up
  int exit = 0;                      ///< of end

  static void fields(auto& one, const auto& visit) {
    visit("act", one.act, "jobs", one.jobs, "ids", one.ids, "exit", one.exit);
  }
};

/// What became of one seat.
struct SeatReport {
  int seat = 0;
  std::string reason;  ///< why it did not come to the end; empty where it did
  std::string detail;
  std::vector<WorkerMessage> finished;  ///< cases that it reports: of teams that it is the first of

  static void fields(auto& one, const auto& visit) {
    visit("seat", one.seat, "reason", one.reason, "detail", one.detail, "finished", one.finished);
  }
};

/// What a rank answers to the orders of a group.
struct GroupAnswer {
  std::string ids = {};                ///< of group_open, where the first seat is here and made them
  std::vector<SeatReport> seats = {};  ///< of group_run

  static void fields(auto& one, const auto& visit) { visit("ids", one.ids, "seats", one.seats); }
};

class GroupRun {
 public:
  /// Starts the workers.
  GroupRun(const RunOptions& run, const std::vector<WorkerJob>& jobs);
  ~GroupRun();

  /// Ids that the first seat made, once it has; empty where that seat is another rank's, or failed.
  std::string ids();
  /// Lets the workers join and measure, or end, and waits for them.
  std::vector<SeatReport> run(const std::string& ids);

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
