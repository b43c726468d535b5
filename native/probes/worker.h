#pragma once
/// The process that measures. It is the same program, started anew for each device and group of probes, so that a hang
/// or a broken device ends it alone; the runner never touches a device itself.
///
/// A job comes as one line of JSON on standard input; what happens goes out as lines of JSON on the descriptor that
/// standard output was: {"start": case}, {"result": case, ...}, {"skip": case, ...}, {"sticky": case, ...}, {"health":
/// counters and events}, {"done"}. A worker with a group tells {"group_ids": ids} where it is the first rank, reads the
/// ids as a second line, and tells {"joined"} before its cases.
#include <optional>
#include <string>
#include <vector>

#include "probes/in_step.h"
#include "probes/probe_case.h"
#include "probes/sampling.h"

namespace podwright::probes {

struct WorkerJob {
  std::string backend;
  int device = 0;
  double seed = 0;
  bool inventory = false;      ///< tells what the device is before the cases
  bool neighbours = false;     ///< tells who else uses it, before opening it
  double cool_to_c = 0;        ///< waits before the cases until the device is as cool as this
  double cool_patience_s = 0;  ///< at most
  std::vector<ProbeCase> cases;
  std::optional<GroupSeat> group;  ///< other processes take part
};
std::string job_text(const WorkerJob& job);

/// One fact of a device's inventory.
struct Fact {
  std::string key;
  std::string text;
  double number = 0;
};

struct WorkerMessage {
  enum class Kind { devices, facts, health, group_ids, joined, start, finished, failed, done, unreadable };
  Kind kind = Kind::unreadable;
  int one = -1;  ///< index of the case
  int devices = 0;
  std::vector<Fact> facts;  ///< of facts and health
  Measured measured;
  std::string reason;  ///< of failed: the backend or the device cannot be opened
  std::string detail;
  std::string ids;  ///< of group_ids
};
WorkerMessage read_message(const std::string& line);
/// The message `finished`.
std::string finished_text(int index, const Measured& one);

/// Runs a job from standard input; the exit code of the process.
int worker_main();

}  // namespace podwright::probes
