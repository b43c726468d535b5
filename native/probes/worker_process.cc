#include "probes/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "probes/elapsed.h"
#include "probes/interrupt.h"
#include "probes/wire.h"

namespace podwright::probes {

WorkerProcess::WorkerProcess(const std::string& program, const WorkerJob& job) {
  int to_worker[2];
  int from_worker[2];
  if (pipe2(to_worker, O_CLOEXEC) != 0 || pipe2(from_worker, O_CLOEXEC) != 0) {
    how_ = "no pipe could be made";
    return;
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, to_worker[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, from_worker[1], STDOUT_FILENO);
  // A group of its own: Ctrl-C reaches the runner alone, which then ends the worker in order.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string name = program;
  std::string verb = "probe-worker";
  char* const words[] = {name.data(), verb.data(), nullptr};
  if (posix_spawn(&process_, program.c_str(), &files, &attributes, words, environ) != 0) {
    process_ = -1;
    how_ = "could not be started";
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  close(to_worker[0]);
  close(from_worker[1]);
  from_ = from_worker[0];
  write_all(to_worker[1], wire_text(job) + "\n");
  if (job.meeting) {
    to_ = to_worker[1];
  } else {
    close(to_worker[1]);
  }
}

WorkerProcess::~WorkerProcess() {
  end(1);
  if (from_ >= 0) close(from_);
  if (to_ >= 0) close(to_);
}

bool WorkerProcess::send_line(const std::string& line) { return to_ >= 0 && write_all(to_, line + "\n"); }

WorkerProcess::Wait WorkerProcess::next(double seconds, WorkerMessage& message) {
  const Deadline deadline(seconds);
  while (true) {
    if (const std::size_t line = pending_.find('\n', searched_); line != std::string::npos) {
      message = read_message(pending_.substr(0, line));
      pending_.erase(0, line + 1);
      searched_ = 0;
      return message.kind == WorkerMessage::Kind::unreadable ? turn_away("said what cannot be read") : Wait::message;
    }
    searched_ = pending_.size();
    if (interrupted_by() != 0) return Wait::interrupted;
    const double left = deadline.left();
    if (left <= 0) return Wait::silent;
    if (from_ < 0) return Wait::ended;
    pollfd input{from_, POLLIN, 0};
    // Short enough to notice a signal that came between the look and the wait.
    const int ready = poll(&input, 1, static_cast<int>(std::min(left, 0.5) * 1000) + 1);
    if (ready <= 0) continue;
    char buffer[65536];
    const ssize_t got = read(from_, buffer, sizeof buffer);
    if (got > 0) {
      pending_.append(buffer, static_cast<std::size_t>(got));
      said_ += static_cast<std::size_t>(got);
      if (said_ > kMostOfAWorker) return turn_away("said more than can be kept");
      continue;
    }
    if (!reap(5)) how_ = "closed its output";
    return Wait::ended;
  }
}

WorkerProcess::Wait WorkerProcess::turn_away(const char* how) {
  close(from_);
  from_ = -1;
  pending_.clear();
  searched_ = 0;
  how_ = how;
  return Wait::ended;
}

WorkerEnd WorkerProcess::end_of(Wait wait, const std::string& silence) const {
  if (wait == Wait::silent) return {"hang", silence};
  if (wait == Wait::interrupted) return {"interrupted", "the run was ended"};
  return {"device_fault", "the worker " + how_};
}

bool WorkerProcess::reap(double seconds) {
  if (process_ <= 0) return true;
  const Deadline deadline(seconds);
  while (true) {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == process_) {
      how_ = WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status))
                                 : "ended with status " + std::to_string(WEXITSTATUS(status));
      process_ = -1;
      return true;
    }
    if (deadline.left() <= 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

bool WorkerProcess::end(double grace_s) {
  if (process_ <= 0 || reap(0)) return true;
  kill(process_, SIGTERM);
  if (reap(grace_s)) return true;
  kill(process_, SIGKILL);
  return reap(5);
}

}  // namespace podwright::probes
