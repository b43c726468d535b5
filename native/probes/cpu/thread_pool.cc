#include "probes/cpu/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>

#include "probes/elapsed.h"

namespace podwright::probes {
namespace {

constexpr std::chrono::microseconds kSpin{20};

/// Processors' worth of time that control groups grant, or 0 without a limit. First version 2, then version 1.
double control_group_limit() {
  std::ifstream both("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (both >> quota >> period && quota != "max" && period > 0) return std::strtod(quota.c_str(), nullptr) / period;
  std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
  double microseconds = 0;
  if (quota_file >> microseconds && period_file >> period && microseconds > 0 && period > 0)
    return microseconds / period;
  return 0;
}

/// Waits a little without sleeping. True when `ready` came.
template <class Ready>
bool spin(Ready ready) {
  const auto end = Clock::now() + kSpin;
  while (Clock::now() < end)
    if (ready()) return true;
  return false;
}

}  // namespace

int usable_processors() {
  cpu_set_t mask;
  int usable = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) usable = std::max(1, CPU_COUNT(&mask));
  const double limit = control_group_limit();
  if (limit > 0) usable = std::min(usable, std::max(1, static_cast<int>(limit + 0.5)));
  return usable;
}

ThreadPool::ThreadPool(int threads) {
  for (int thread = 1; thread < threads; ++thread) workers_.emplace_back([this, thread] { work(thread); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(const std::function<void(int, int)>& task) {
  if (workers_.empty()) {
    task(0, 1);
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    task_ = &task;
    running_ = static_cast<int>(workers_.size());
    __atomic_fetch_add(&round_, 1, __ATOMIC_RELEASE);
  }
  start_.notify_all();
  task(0, threads());
  if (!spin([this] { return __atomic_load_n(&running_, __ATOMIC_ACQUIRE) == 0; })) {
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return __atomic_load_n(&running_, __ATOMIC_ACQUIRE) == 0; });
  }
}

void ThreadPool::work(int thread) {
  std::uint64_t seen = 0;
  while (true) {
    const auto called = [&] { return __atomic_load_n(&round_, __ATOMIC_ACQUIRE) != seen; };
    if (!spin(called)) {
      std::unique_lock<std::mutex> lock(mutex_);
      start_.wait(lock, [&] { return stop_ || called(); });
      if (stop_) return;
    }
    seen = __atomic_load_n(&round_, __ATOMIC_ACQUIRE);
    (*task_)(thread, threads());
    if (__atomic_sub_fetch(&running_, 1, __ATOMIC_ACQ_REL) == 0) {
      const std::lock_guard<std::mutex> lock(mutex_);
      done_.notify_one();
    }
  }
}

}  // namespace podwright::probes
