#pragma once
/// The runner's side of a worker: starts the process, reads what it tells, ends it when it tells nothing.
#include <sys/types.h>

#include <optional>
#include <string>

#include "probes/worker.h"

namespace podwright::probes {

inline constexpr double kStartPatience = 60;  ///< seconds: a driver may take half a minute to wake many devices
/// Seconds for which a worker may say nothing in a case, and what is said of it then.
inline double patience_with(const ProbeCase& one) { return 5 * one.predicted_s() + 10; }
inline constexpr const char* kCaseSilence = "nothing came for five times the predicted time and ten seconds";

/// Bytes. A worker that says more does not measure any more.
inline constexpr std::size_t kMostOfAWorker = std::size_t{1} << 28;

/// Why a worker's case or life ended: the word of a skip and one sentence.
struct WorkerEnd {
  std::string reason;
  std::string detail;
};

class WorkerProcess {
 public:
  /// Starts `program` with the hidden command "probe-worker" and hands it the job.
  WorkerProcess(const std::string& program, const WorkerJob& job);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// A line that a worker with a meeting waits for. False when it is gone.
  bool send_line(const std::string& line);

  enum class Wait {
    message,
    silent,       ///< nothing within the time
    ended,        ///< the process is gone, or says what cannot be read and is not listened to any more
    interrupted,  ///< the user ended the run
  };
  /// The next message, at most `seconds` from now.
  Wait next(double seconds, WorkerMessage& message);

  /// Asks it to end, waits up to `grace_s`, then kills it. False when it does not even die then.
  bool end(double grace_s);
  /// What a wait that brought no message tells; `silence` is the sentence of Wait::silent.
  WorkerEnd end_of(Wait wait, const std::string& silence) const;

 private:
  bool reap(double seconds);
  Wait turn_away(const char* how);

  pid_t process_ = -1;
  int from_ = -1;
  int to_ = -1;  ///< of a worker with a meeting
  std::string pending_;
  std::size_t searched_ = 0;  ///< bytes of it that hold no end of a line
  std::size_t said_ = 0;      ///< bytes in all
  std::string how_;           ///< "ended by signal 6", "ended with status 1", "said ..."; empty while it runs
};

}  // namespace podwright::probes
