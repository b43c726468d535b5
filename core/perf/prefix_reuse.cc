#include "perf/prefix_reuse.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"

namespace podwright {
namespace {

/// Turns of a session after which its next visit of the same replica is looked for.
constexpr int kMostTurns = 64;
/// Of sessions: too few to look further.
constexpr double kFew = 1e-4;

/// Of sessions on one replica: what is found of the history a time `kept` after its last use, as a share of the
/// history, and how long what a turn leaves stays on average.
struct SessionCache {
  double found = 0;
  double stays = 0;
};

/// P(Erlang(count, mean of each) > time).
double erlang_survival(int count, double mean, double time) {
  if (time <= 0) return 1;
  if (!(mean > 0)) return 0;
  double term = math::exp(-std::min(700.0, time / mean));
  double sum = 0;
  for (int i = 1; i <= count; ++i) {
    sum += term;
    term *= time / mean / i;
  }
  return std::min(1.0, sum);
}

/// The next turn follows with probability 1 - 1 / turns, and comes to the same replica with probability `same`. Between
/// the end of a turn and the start of the j-th after it lie j times to think and j - 1 answers.
SessionCache session_cache(const TrafficPattern& traffic, double same, double service, double kept) {
  const double follows = 1 - 1 / traffic.turns;
  const double think = traffic.think_time_s;
  SessionCache cache;
  double comes = 1;  // that the turns follow and none of those before the last came here
  double left = 1;
  for (int j = 1; j <= kMostTurns && comes > kFew; ++j) {
    comes *= follows;
    const double here = comes * same;
    const double answers = std::min(kept, (j - 1) * service);
    const double survives = erlang_survival(j, think, kept - answers);
    cache.found += here * (1 - survives);
    // E[min(time, Erlang(j))] = j think P(Erlang(j + 1) <= time) + time P(Erlang(j) > time)
    cache.stays += here * (answers + j * think * (1 - erlang_survival(j + 1, think, kept - answers)) +
                           (kept - answers) * survives);
    left -= here;
    comes *= 1 - same;
  }
  cache.stays += left * kept;
  return cache;
}

}  // namespace

PrefixReuse prefix_reuse(const TrafficPattern& traffic, double input, double output, const ReuseLoad& load) {
  const double fresh = fresh_tokens(traffic, input, output);
  const double turn = fresh + output;
  const double history = (traffic.turns - 1) * turn;
  const bool aware = traffic.routing == Routing::prefix_aware;
  const double same = aware ? 1 : 1 / load.replicas;
  const bool spread = aware && traffic.system_prompts >= load.replicas;
  const double systems = spread ? traffic.system_prompts / load.replicas : traffic.system_prompts;
  const double per_system = load.requests_per_s / systems;
  // It lies there as long as a request uses it, and a time `kept` longer.
  const auto asked_again = [&](double kept) {
    return 1 - math::exp(-std::min(700.0, per_system * (kept + load.service_s)));
  };
  // What is kept a time `kept`: system prompts that were asked for in it, and what turns left.
  const auto held = [&](double kept) {
    return systems * traffic.system_prompt_tokens * asked_again(kept) +
           load.requests_per_s * traffic.turns * turn * session_cache(traffic, same, load.service_s, kept).stays;
  };
  PrefixReuse reuse;
  // Whole blocks alone are found: of a system prompt those that it fills, of a history half a block less on average.
  const double system = std::floor(traffic.system_prompt_tokens / load.block_tokens) * load.block_tokens;
  const double lost = (load.block_tokens - 1) / 2;
  reuse.unlimited = (system + history - (1 - 1 / traffic.turns) * lost) / input;
  if (!(load.requests_per_s > 0) || !(load.room_tokens > 0)) return reuse;
  double low = 0;
  double high = 1;
  while (held(high) < load.room_tokens && high < 1e9) high *= 2;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (held(middle) < load.room_tokens ? low : high) = middle;
  }
  reuse.kept_s = low;
  // A request finds turns - 1 turns before it on average, one whose turn j before came here turns - 1 as well.
  const double found = session_cache(traffic, same, load.service_s, low).found;
  reuse.hit_ratio = (system * asked_again(low) + found * (traffic.turns * turn - lost)) / input;
  return reuse;
}

}  // namespace podwright
