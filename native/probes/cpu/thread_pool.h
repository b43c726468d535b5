#pragma once
/// Threads that run one function together and wait blocked. Active waiting makes a machine whose processors are shared
/// report times of its scheduler instead of its memory, so a thread spins for 20 microseconds and then sleeps.
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace podwright::probes {

class ThreadPool {
 public:
  /// `threads` counts the caller, who works too; at least 1.
  explicit ThreadPool(int threads);
  ~ThreadPool();

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Runs task(thread, threads) once on each thread and returns when all are done.
  void run(const std::function<void(int, int)>& task);

 private:
  void work(int thread);

  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable done_;
  const std::function<void(int, int)>* task_ = nullptr;
  std::uint64_t round_ = 0;
  int running_ = 0;
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

/// The part of `items` that falls to one thread: [first, last).
struct Part {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
inline Part part_of(std::int64_t items, int thread, int threads) {
  return {items * thread / threads, items * (thread + 1) / threads};
}

/// Processors that this process may use: affinity and the limit of its control group.
int usable_processors();

}  // namespace podwright::probes
