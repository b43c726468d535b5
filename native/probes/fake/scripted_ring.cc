#include "probes/fake/scripted_ring.h"

#include <cstdlib>

#include "base/random.h"
#include "probes/fake/script.h"

namespace podwright::probes::fake {
namespace {

constexpr double kStepSeconds = 20e-6;
constexpr double kBytesPerSecond = 5e9;
constexpr double kNoise = 0.004;

Script environment_script() {
  const char* text = std::getenv("PODWRIGHT_FAKE");
  return Script(text == nullptr ? "" : text);
}

}  // namespace

std::string scripted_host(const std::string& own) {
  std::string host = own;
  environment_script().has("host", "", &host);
  return host;
}

std::vector<double> scripted_ring_s(const RingCase& ring, int calls) {
  const double slow = environment_script().number("slow", ring.probe, 1);
  const double seconds = slow * 2 * (ring.ranks - 1) * (kStepSeconds + ring.bytes / ring.ranks / kBytesPerSecond);
  const random::Stream draws(2, static_cast<std::uint64_t>(ring.rank));
  std::vector<double> times;
  for (int call = 0; call < calls; ++call)
    times.push_back(seconds * (1 + kNoise * (2 * draws.uniform(static_cast<std::uint64_t>(call)) - 1)));
  return times;
}

}  // namespace podwright::probes::fake
