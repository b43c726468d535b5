#include "probes/cluster/process_group.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include "probes/backends.h"
#include "probes/elapsed.h"

namespace podwright::probes {
namespace {

constexpr double kGreeting = 5;  // seconds for the first words of a caller
constexpr double kLonger = 5;    // the others wait longer than rank 0, so that its reason reaches them

class Countdown {
 public:
  explicit Countdown(double seconds) : seconds_(seconds) {}
  double left() const { return seconds_ - std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  double seconds_;
  Clock::time_point start_ = Clock::now();
};

std::string nonce_text() {
  std::random_device device;
  return std::to_string(device());
}

/// Texts behind their lengths in one.
std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += std::to_string(text.size()) + ":" + text;
  return all;
}

std::optional<std::vector<std::string>> parted(const std::string& all, std::size_t from, std::size_t count) {
  std::vector<std::string> texts;
  while (from < all.size()) {
    const std::size_t colon = all.find(':', from);
    if (colon == std::string::npos) return std::nullopt;
    const std::size_t length = std::strtoull(all.c_str() + from, nullptr, 10);
    if (length > all.size() - colon - 1) return std::nullopt;
    texts.push_back(all.substr(colon + 1, length));
    from = colon + 1 + length;
  }
  if (texts.size() != count) return std::nullopt;
  return texts;
}

struct GroupAddress {
  std::string nonce;
  int port = 0;
  std::vector<std::string> addresses;
};

/// "nonce port address address ..."
std::optional<GroupAddress> read_id(const std::string& id) {
  std::istringstream words(id);
  GroupAddress place;
  words >> place.nonce >> place.port;
  for (std::string address; words >> address;) place.addresses.push_back(address);
  if (place.port <= 0 || place.addresses.empty()) return std::nullopt;
  return place;
}

}  // namespace

bool ProcessGroup::fail(const std::string& why) {
  why_ = why;
  return false;
}

std::string ProcessGroup::open() {
  listener_ = std::make_unique<Listener>(0);
  if (!listener_->open()) return "";
  nonce_ = nonce_text();
  std::string id = nonce_ + " " + std::to_string(listener_->port());
  const std::vector<std::string> addresses = own_addresses();
  for (const std::string& address : addresses)
    if (id.size() + 1 + address.size() <= kLongestId) id += " " + address;
  return id;
}

void ProcessGroup::take_opened(ProcessGroup& other) {
  listener_ = std::move(other.listener_);
  nonce_ = other.nonce_;
}

bool ProcessGroup::join(const std::string& id, int rank, double seconds) {
  rank_ = rank;
  if (rank == 0) return gather(seconds);
  const auto place = read_id(id);
  if (!place) return fail("the id of the group cannot be read");
  nonce_ = place->nonce;
  return visit(place->addresses, place->port, seconds);
}

/// Rank 0: takes who comes with the right nonce until all are there, and tells everybody how it went.
bool ProcessGroup::gather(double seconds) {
  if (listener_ == nullptr) return fail("rank 0 was not opened");
  const Countdown time(seconds);
  members_.clear();
  members_.resize(static_cast<std::size_t>(ranks()));
  int here = 1;
  while (here < ranks() && time.left() > 0) {
    Connection caller = listener_->accept(time.left());
    if (!caller.open()) break;
    std::istringstream words(caller.receive_text(kGreeting).value_or(""));
    std::string nonce;
    int rank = 0;
    if (!(words >> nonce >> rank) || nonce != nonce_ || rank <= 0 || rank >= ranks()) continue;
    // At once, so that a caller knows that it came to the right place.
    if (!caller.send_text("seated", kGreeting)) continue;
    Connection& seat = members_[static_cast<std::size_t>(rank)];
    here += seat.open() ? 0 : 1;
    seat = std::move(caller);
  }
  std::string missing;
  for (int rank = 1; rank < ranks(); ++rank)
    if (!members_[static_cast<std::size_t>(rank)].open()) missing += (missing.empty() ? "" : ", ") + name_of(rank);
  if (!missing.empty())
    fail(missing + " did not join within " + std::to_string(static_cast<int>(seconds + 0.5)) + " s");
  for (Connection& member : members_)
    if (member.open()) member.send_text(missing.empty() ? "welcome" : why_);
  return missing.empty();
}

bool ProcessGroup::visit(const std::vector<std::string>& addresses, int port, double seconds) {
  const Countdown time(seconds);
  const std::string greeting = nonce_ + " " + std::to_string(rank_);
  while (time.left() > 0) {
    for (const std::string& address : addresses) {
      Connection trial = connect_to(address, port, 2);
      if (!trial.open() || !trial.send_text(greeting) || trial.receive_text(kGreeting) != "seated") continue;
      const auto answer = trial.receive_text(std::max(0.0, time.left()) + kLonger);
      if (!answer) continue;
      if (*answer != "welcome") return fail(*answer);
      first_ = std::move(trial);
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return fail(name_of(0) + " was not reached within " + std::to_string(static_cast<int>(seconds + 0.5)) + " s");
}

std::optional<std::vector<std::string>> ProcessGroup::exchange(const std::string& own, double seconds) {
  if (rank_ != 0) {
    const auto all = first_.send_text(own) ? first_.receive_text(seconds + kLonger) : std::nullopt;
    if (!all || all->empty()) {
      fail(name_of(0) + " went away");
    } else if (all->front() != '+') {
      fail(*all);
    } else if (auto texts = parted(*all, 1, names_.size())) {
      return texts;
    } else {
      fail(name_of(0) + " told what cannot be read");
    }
    return std::nullopt;
  }
  std::vector<std::string> texts = {own};
  const Countdown time(seconds);
  for (int rank = 1; rank < ranks() && why_.empty(); ++rank) {
    auto text = members_[static_cast<std::size_t>(rank)].receive_text(std::max(0.01, time.left()));
    if (!text)
      fail(name_of(rank) + (time.left() > 0
                                ? " went away"
                                : " told nothing for " + std::to_string(static_cast<int>(seconds + 0.5)) + " s"));
    texts.push_back(std::move(text).value_or(""));
  }
  const std::string answer = why_.empty() ? "+" + joined(texts) : why_;
  for (Connection& member : members_)
    if (member.open()) member.send_text(answer);
  if (!why_.empty()) return std::nullopt;
  return texts;
}

namespace {

/// Between the making of an id and its joining.
std::map<std::string, std::unique_ptr<ProcessGroup>>& opened() {
  static auto& groups = *new std::map<std::string, std::unique_ptr<ProcessGroup>>;
  return groups;
}

}  // namespace

int own_group_id(char id[128], PwFault* fault) {
  auto group = std::make_unique<ProcessGroup>(std::vector<std::string>());
  const std::string text = group->open();
  std::memset(id, 0, 128);
  if (text.empty()) {
    set_fault(*fault, "init_failed", "no port could be opened for a group of processes");
    return PW_FAULT;
  }
  std::memcpy(id, text.data(), text.size());
  opened()[text] = std::move(group);
  return PW_OK;
}

std::unique_ptr<ProcessGroup> own_group_join(const char id[128], int rank, int ranks, double seconds, PwFault* fault) {
  std::vector<std::string> names;
  for (int one = 0; one < ranks; ++one) names.push_back("rank " + std::to_string(one));
  const std::string text(id, strnlen(id, 128));
  auto group = std::make_unique<ProcessGroup>(names);
  if (const auto found = opened().find(text); rank == 0 && found != opened().end()) {
    group->take_opened(*found->second);
    opened().erase(found);
  }
  if (group->join(text, rank, seconds)) return group;
  set_fault(*fault, "rank_lost", group->why());
  return nullptr;
}

}  // namespace podwright::probes
