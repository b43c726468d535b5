#pragma once
/// The process that measures. It is the same program, started again for each device and group of probes, so that a hang
/// or a broken device ends it alone; the runner never touches a device itself.
///
/// A job comes as one line of JSON on standard input; what happens goes out as messages, one a line, on the descriptor
/// that standard output was. A worker that meets the other ranks of the run tells what each of them says, and reads its
/// seat and its cases as a second line; one with a seat says that it has joined before its cases.
#include <optional>
#include <string>
#include <vector>

#include "probes/nccl_group.h"
#include "probes/probe_case.h"
#include "probes/sampling.h"

namespace podwright::probes {

/// Where the first workers of all ranks of a run meet.
struct Meeting {
  std::string address;  ///< of rank 0
  int rank = 0;
  int ranks = 1;
  double patience_s = 120;
  std::string says;  ///< to all

  static void fields(auto& one, const auto& visit) {
    visit("address", one.address, "rank", one.rank, "ranks", one.ranks, "patience_s", one.patience_s, "says", one.says);
  }
};

struct WorkerJob {
  std::string backend;
  int device = 0;
  double seed = 0;
  bool inventory = false;      ///< says what the device is before the cases
  bool neighbours = false;     ///< tells who else uses it, before opening it
  double cool_to_c = 0;        ///< waits before the cases until the device is as cool as this
  double cool_patience_s = 0;  ///< at most
  std::vector<ProbeCase> cases;
  std::optional<Meeting> meeting;
  std::optional<GroupSeat> group;  ///< other processes take part

  static void fields(auto& one, const auto& visit) {
    visit("backend", one.backend, "device", one.device, "seed", one.seed, "inventory", one.inventory, "neighbours",
          one.neighbours, "cool_to_c", one.cool_to_c, "cool_patience_s", one.cool_patience_s, "cases", one.cases,
          "meeting", one.meeting, "group", one.group);
  }
};

/// One fact of a device's inventory, a counter or an event.
struct Fact {
  std::string key;
  std::string text;
  double number = 0;

  static void fields(auto& one, const auto& visit) { visit("key", one.key, "text", one.text, "number", one.number); }
};

struct WorkerMessage {
  enum class Kind { unreadable, devices, facts, health, met, joined, start, finished, failed, done };
  friend constexpr int values_of(Kind) { return static_cast<int>(Kind::done) + 1; }
  Kind kind = Kind::unreadable;
  int one = -1;  ///< index of the case
  int devices = 0;
  std::vector<Fact> facts = {};  ///< of facts and health
  Measured measured = {};        ///< of finished
  std::string reason = {};       ///< of failed: the backend or the device cannot be opened
  std::string detail = {};
  std::vector<std::string> says = {};  ///< of met, by rank
  std::vector<int> id = {};            ///< of met: of the next group, made by rank 0

  static void fields(auto& message, const auto& visit) {
    visit("kind", message.kind, "one", message.one, "devices", message.devices, "facts", message.facts, "reason",
          message.reason, "detail", message.detail, "says", message.says, "id", message.id);
    if (message.kind == Kind::finished) visit("measured", message.measured);
  }
};
/// A result whose numbers no profile can hold is a skipped case, and a fact that none can hold is left out.
WorkerMessage read_message(const std::string& line);

/// False when the other side is gone.
bool write_all(int descriptor, const std::string& text);

/// Runs a job from standard input; the exit code of the process.
int worker_main();

}  // namespace podwright::probes
