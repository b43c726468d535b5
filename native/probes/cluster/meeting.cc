#include "probes/cluster/meeting.h"

#include <chrono>
#include <random>
#include <thread>

#include "base/digest.h"
#include "probes/elapsed.h"
#include "probes/interrupt.h"
#include "probes/wire.h"

namespace podwright::probes {
namespace {

constexpr double kGreeting = 5;  // seconds for the first words of either side
constexpr const char* kSeated = "seated";

std::string fresh_nonce() {
  std::random_device device;
  std::string text;
  for (int i = 0; i < 4; ++i) text += std::to_string(device()) + "-";
  return sha256_hex(text).substr(0, 32);
}

}  // namespace

MeetingPlace own_place(const Listener& listener) { return {own_addresses(), listener.port(), fresh_nonce(), 0}; }

std::vector<Member> receive_ranks(Listener& listener, const Hello& own, double seconds) {
  std::vector<Member> members(static_cast<std::size_t>(own.world));
  for (int rank = 0; rank < own.world; ++rank) members[static_cast<std::size_t>(rank)].rank = rank;
  members.front().host = own.host;
  const Deadline deadline(seconds);
  for (int here = 1; here < own.world && deadline.left() > 0 && interrupted_by() == 0;) {
    Connection caller = listener.accept(deadline.left());
    if (!caller.open()) continue;
    const auto hello = read_wire<Hello>(caller.receive_text(kGreeting).value_or(""));
    if (!hello || hello->nonce != own.nonce || hello->world != own.world || hello->rank <= 0 ||
        hello->rank >= own.world)
      continue;
    // At once, so that a caller knows that it came to the right place.
    if (!caller.send_text(kSeated, kGreeting)) continue;
    Member& member = members[static_cast<std::size_t>(hello->rank)];
    here += member.connection.open() ? 0 : 1;  // one that heard nothing comes again
    member.host = hello->host;
    member.connection = std::move(caller);
  }
  for (Member& member : members) member.lost = member.rank != 0 && !member.connection.open();
  return members;
}

Connection visit_first_rank(const std::function<std::optional<MeetingPlace>()>& place, Hello own, double seconds) {
  const Deadline deadline(seconds);
  while (deadline.left() > 0 && interrupted_by() == 0) {
    const auto found = place();
    for (const std::string& address : found ? found->addresses : std::vector<std::string>()) {
      own.nonce = found->nonce;
      Connection trial = connect_to(address, found->port, 2);
      if (trial.open() && trial.send_text(wire_text(own), kGreeting) && trial.receive_text(kGreeting) == kSeated)
        return trial;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return Connection();
}

}  // namespace podwright::probes
