#pragma once
/// What a run of probes is asked for, and what it gives.
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "measure/profile.h"
#include "probes/catalogue.h"

namespace podwright::probes {

/// Of one program: a backend or a rank that says more is not believed.
inline constexpr int kMostDevices = 1024;

struct Progress {
  int done = 0;
  int cases = 0;
  double seconds_left = 0;
  std::string title;  ///< of the case that runs now
};

struct RunOptions {
  std::string program;           ///< this program, which the workers are
  std::string backend = "auto";  ///< auto, cuda, cpu, fake
  Budget budget;
  double seed = 1;
  std::vector<int> devices;  ///< numbers; empty: all, or the share
  /// Part and number of parts of this node's devices, which several programs divide. All of them where they are fewer
  /// than the parts: then each program may have been given its own.
  std::pair<int, int> share = {0, 1};
  std::optional<ProfileRank> rank;    ///< of a run of several programs
  std::vector<std::string> only;      ///< beginnings of probe ids; empty: all
  std::vector<std::string> required;  ///< beginnings of probe ids whose skip makes the run unusable
  bool may_have_none = false;         ///< of `only` and `required`: other runs of a cluster measure them
  bool allow_busy = false;            ///< measure although others use the device
  std::string output;                 ///< file of the profile; empty: none is written
  std::string read_file;              ///< whose rate of reading is taken; empty: none
  std::string system_root = "/";      ///< below which sysfs and procfs are; tests make one up
  std::string version;                ///< of the program
  double watchdog_factor = 1;         ///< tests shorten the patience with a probe that has begun
  double watchdog_grace_s = 10;
  const Catalog* catalog = nullptr;  ///< names the devices; may be null
  std::function<void(const Progress&)> on_progress;
  std::function<void(const std::string&)> on_note;  ///< one sentence for people
};

struct RunOutcome {
  HardwareProfile profile;
  ProbeExit exit = ProbeExit::ok;
  std::string message;          ///< why nothing was judged; empty else
  bool kept = true;             ///< the file holds the profile, where one was named
  std::set<std::string> tried;  ///< names of the cases that were planned
};

}  // namespace podwright::probes
