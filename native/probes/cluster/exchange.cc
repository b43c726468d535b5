#include "probes/cluster/exchange.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/random.h"
#include "probes/elapsed.h"

namespace podwright::probes {
namespace {

constexpr int kSamples = 24;
constexpr int kTripsInSample = 20;
constexpr std::size_t kSmall = 64;

std::vector<std::uint64_t> message(double bytes) {
  const random::Stream draws(1, 17);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(bytes) / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = draws.bits(i);
  return words;
}

std::size_t size_of(const std::vector<std::uint64_t>& words) { return words.size() * sizeof(std::uint64_t); }

/// Large messages one way: the receiver sends one byte back for each.
bool send_samples(Connection& other, const std::vector<std::uint64_t>& words, double seconds,
                  std::vector<double>* times) {
  for (int i = 0; i <= kSamples; ++i) {
    const auto start = Clock::now();
    char receipt = 0;
    if (!other.send_bytes(words.data(), size_of(words), seconds) || !other.receive_bytes(&receipt, 1, seconds))
      return false;
    if (i > 0 && times != nullptr) times->push_back(seconds_since(start));  // the first one grows the windows
  }
  return true;
}

/// False when the other one went away; `right` falls when a byte is another.
bool receive_samples(Connection& other, const std::vector<std::uint64_t>& expected, double seconds, bool& right,
                     std::vector<double>* times) {
  std::vector<std::uint64_t> words(expected.size());
  for (int i = 0; i <= kSamples; ++i) {
    const auto start = Clock::now();
    if (!other.receive_bytes(words.data(), size_of(words), seconds)) return false;
    if (i > 0 && times != nullptr) times->push_back(seconds_since(start));
    const char receipt = words == expected ? 1 : 0;
    right = right && receipt == 1;
    if (!other.send_bytes(&receipt, 1, seconds)) return false;
  }
  return true;
}

/// Sends and receives at once, so that a ring of senders does not wait for each other.
bool send_and_receive(Connection& to, const char* out, Connection& from, char* in, std::size_t out_bytes,
                      std::size_t in_bytes, double seconds) {
  const auto start = Clock::now();
  while (out_bytes > 0 || in_bytes > 0) {
    pollfd waits[2] = {{to.descriptor(), static_cast<short>(out_bytes > 0 ? POLLOUT : 0), 0},
                       {from.descriptor(), static_cast<short>(in_bytes > 0 ? POLLIN : 0), 0}};
    if (seconds_since(start) > seconds) return false;
    if (poll(waits, 2, 500) < 0 && errno != EINTR) return false;
    if (out_bytes > 0 && (waits[0].revents & (POLLOUT | POLLERR | POLLHUP)) != 0) {
      const ssize_t sent = send(to.descriptor(), out, out_bytes, MSG_NOSIGNAL);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
      if (sent > 0) {
        out += sent;
        out_bytes -= static_cast<std::size_t>(sent);
      }
    }
    if (in_bytes > 0 && (waits[1].revents & (POLLIN | POLLERR | POLLHUP)) != 0) {
      const ssize_t got = recv(from.descriptor(), in, in_bytes, 0);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
      if (got > 0) {
        in += got;
        in_bytes -= static_cast<std::size_t>(got);
      }
    }
  }
  return true;
}

/// Small whole numbers, whose sums are exact in any order.
float term(int rank, std::size_t i) { return static_cast<float>((i + 7 * static_cast<std::size_t>(rank)) % 31); }

class Ring {
 public:
  Ring(Connection& next, Connection& previous, int rank, int ranks, double bytes, double seconds)
      : next_(next),
        previous_(previous),
        rank_(rank),
        ranks_(ranks),
        seconds_(seconds),
        values_(
            std::max<std::size_t>(static_cast<std::size_t>(ranks), static_cast<std::size_t>(bytes) / sizeof(float))),
        incoming_(values_.size() / static_cast<std::size_t>(ranks) + 1) {}

  void fill() {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = term(rank_, i);
  }

  bool reduce() {
    for (int step = 0; step + 1 < ranks_; ++step) {
      const Range out = part(rank_ - step);
      const Range in = part(rank_ - step - 1);
      if (!pass(out, incoming_.data(), in)) return false;
      for (std::size_t i = 0; i < in.count; ++i) values_[in.first + i] += incoming_[i];
    }
    for (int step = 0; step + 1 < ranks_; ++step) {
      const Range out = part(rank_ + 1 - step);
      const Range in = part(rank_ - step);
      if (!pass(out, values_.data() + in.first, in)) return false;
    }
    return true;
  }

  bool right() const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      float sum = 0;
      for (int rank = 0; rank < ranks_; ++rank) sum += term(rank, i);
      if (values_[i] != sum) return false;
    }
    return true;
  }

 private:
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  Range part(int index) const {
    const auto parts = static_cast<std::size_t>(ranks_);
    const auto at = static_cast<std::size_t>((index % ranks_ + ranks_) % ranks_);
    const std::size_t first = values_.size() * at / parts;
    return {first, values_.size() * (at + 1) / parts - first};
  }
  bool pass(Range out, float* to, Range in) {
    return send_and_receive(next_, reinterpret_cast<const char*>(values_.data() + out.first), previous_,
                            reinterpret_cast<char*>(to), out.count * sizeof(float), in.count * sizeof(float), seconds_);
  }

  Connection& next_;
  Connection& previous_;
  int rank_;
  int ranks_;
  double seconds_;
  std::vector<float> values_;
  std::vector<float> incoming_;
};

}  // namespace

std::optional<PairTimes> call_pair(Connection& other, double message_bytes, double seconds) {
  PairTimes times;
  times.message_bytes = message_bytes;
  char small[kSmall] = {};
  for (int sample = 0; sample <= kSamples; ++sample) {
    const auto start = Clock::now();
    for (int trip = 0; trip < kTripsInSample; ++trip)
      if (!other.send_bytes(small, kSmall, seconds) || !other.receive_bytes(small, kSmall, seconds))
        return std::nullopt;
    if (sample > 0) times.round_trip_s.push_back(seconds_since(start) / kTripsInSample);
  }
  const std::vector<std::uint64_t> words = message(message_bytes);
  if (!send_samples(other, words, seconds, &times.there_s)) return std::nullopt;
  if (!receive_samples(other, words, seconds, times.right, &times.back_s)) return std::nullopt;
  char right = 0;
  if (!other.receive_bytes(&right, 1, seconds)) return std::nullopt;
  times.right = times.right && right == 1;
  return times;
}

bool answer_pair(Connection& other, double message_bytes, double seconds) {
  char small[kSmall] = {};
  for (int trip = 0; trip < (kSamples + 1) * kTripsInSample; ++trip)
    if (!other.receive_bytes(small, kSmall, seconds) || !other.send_bytes(small, kSmall, seconds)) return false;
  const std::vector<std::uint64_t> words = message(message_bytes);
  bool right = true;
  if (!receive_samples(other, words, seconds, right, nullptr)) return false;
  if (!send_samples(other, words, seconds, nullptr)) return false;
  const char receipt = right ? 1 : 0;
  return other.send_bytes(&receipt, 1, seconds);
}

std::optional<RingTimes> ring_all_reduce(Connection& next, Connection& previous, int rank, int ranks, double bytes,
                                         int calls, double seconds) {
  Ring ring(next, previous, rank, ranks, bytes, seconds);
  RingTimes times;
  for (int call = 0; call <= calls; ++call) {
    ring.fill();
    const auto start = Clock::now();
    if (!ring.reduce()) return std::nullopt;
    if (call > 0) times.calls_s.push_back(seconds_since(start));
  }
  times.right = ring.right();
  return times;
}

}  // namespace podwright::probes
