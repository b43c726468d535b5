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

/// Of sessions on one replica, where what was used a time `kept` ago is still there.
struct SessionCache {
  double found = 0;        ///< probability that a request finds its session's history up to an earlier turn
  double found_turns = 0;  ///< the same, times how many turns ago that was
  double stays = 0;        ///< how long what a turn leaves stays on average, s
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
    cache.found_turns += j * here * (1 - survives);
    // E[min(time, Erlang(j))] = j think P(Erlang(j + 1) <= time) + time P(Erlang(j) > time)
    cache.stays += here * (answers + j * think * (1 - erlang_survival(j + 1, think, kept - answers)) +
                           (kept - answers) * survives);
    left -= here;
    comes *= 1 - same;
  }
  cache.stays += left * kept;
  return cache;
}

/// What a run's prompts are made of.
struct PromptParts {
  double fresh = 0;         ///< tokens that are new in a prompt
  double turn = 0;          ///< tokens by which a history grows
  double system = 0;        ///< of a system prompt, what whole blocks hold
  double lost = 0;          ///< of a history, in a block that is not full
  double scatter = 0;       ///< variance of the new tokens
  double turn_scatter = 0;  ///< variance of a turn's tokens
};
PromptParts parts_of(const ServingRun& run, double block) {
  const TrafficPattern& traffic = *run.traffic;
  PromptParts parts;
  parts.fresh = fresh_tokens(traffic, run.input_tokens, run.output_tokens);
  parts.turn = parts.fresh + run.output_tokens;
  parts.system = std::floor(traffic.system_prompt_tokens / block) * block;
  parts.lost = (block - 1) / 2;
  const double of_fresh = parts.fresh * run.input_tokens_cv;
  const double of_answer = run.output_tokens * run.output_tokens_cv;
  parts.scatter = of_fresh * of_fresh;
  parts.turn_scatter = parts.scatter + of_answer * of_answer;
  return parts;
}

/// Sets what prompts find. A request that does not find its session's history misses the system prompt too where no
/// other session keeps it, which has the probability `alone`. The number of turns before a request is geometric;
/// docs/method/replay.md#reuse has the moments of those that are missed.
void set_hits(const ServingRun& run, const PromptParts& parts, double alone, const SessionCache& sessions,
              PrefixReuse& reuse) {
  const double m = run.traffic->turns;
  const double found = sessions.found;
  const double found_turns = sessions.found_turns;
  // A request finds turns - 1 turns before it on average, one whose turn j before came here turns - 1 as well.
  const double no_system = alone * (1 - found);
  reuse.hit_ratio = (parts.system * (1 - no_system) + found * (m * parts.turn - parts.lost)) / run.input_tokens;
  const double missed = m - 1 - m * found;
  const double missed_square = std::max(0.0, (m - 1) * (2 * m - 1) * (1 - found) - 2 * m * found_turns + found);
  const double whole = run.traffic->system_prompt_tokens;
  const double of_session = parts.fresh + parts.turn * missed;
  const double computed = of_session + no_system * whole;
  // Of requests that miss the system prompt: what their session adds to it, times their share.
  const double without_system = alone * (parts.fresh * (1 - found) + parts.turn * (missed - found_turns + found));
  const double square = parts.fresh * parts.fresh + parts.scatter + 2 * parts.fresh * parts.turn * missed +
                        parts.turn * parts.turn * missed_square + parts.turn_scatter * missed +
                        whole * (no_system * whole + 2 * without_system);
  reuse.computed_met = square / computed;
  reuse.found_met = (whole * (of_session - without_system) +
                     parts.turn * m * (parts.fresh * found + parts.turn * (found_turns - found))) /
                    computed;
}

/// Different system prompts that come to one of `replicas`.
double system_prompts_of(const TrafficPattern& traffic, double replicas) {
  const bool spread = traffic.routing == Routing::prefix_aware && traffic.system_prompts >= replicas;
  return spread ? traffic.system_prompts / replicas : traffic.system_prompts;
}

}  // namespace

PrefixReuse unlimited_reuse(const ServingRun& run, double replicas) {
  PrefixReuse reuse;
  reuse.system_prompts = system_prompts_of(*run.traffic, replicas);
  const double follows = 1 - 1 / run.traffic->turns;
  set_hits(run, parts_of(run, 1), 0, {.found = follows, .found_turns = follows}, reuse);
  reuse.unlimited = reuse.hit_ratio;
  return reuse;
}

PrefixReuse no_reuse(const ServingRun& run) {
  PrefixReuse reuse;
  set_hits(run, parts_of(run, 1), 1, {}, reuse);
  return reuse;
}

PrefixReuse prefix_reuse(const ServingRun& run, const ReuseLoad& load) {
  const TrafficPattern& traffic = *run.traffic;
  // Whole blocks alone are found: of a system prompt those that it fills, of a history half a block less on average.
  const PromptParts parts = parts_of(run, load.block_tokens);
  const double same = traffic.routing == Routing::prefix_aware ? 1 : 1 / load.replicas;
  PrefixReuse reuse = unlimited_reuse(run, load.replicas);
  const double per_system = load.requests_per_s / reuse.system_prompts;
  const auto sessions_of = [&](double kept) { return session_cache(traffic, same, load.service_s, kept); };
  // Sessions start independently of each other; each keeps its system prompt while a request of it runs, and then as
  // long as what its turn left.
  const auto alone = [&](const SessionCache& sessions) {
    return math::exp(-std::min(700.0, per_system * (sessions.stays + load.service_s)));
  };
  const auto held = [&](double kept) {
    const SessionCache sessions = sessions_of(kept);
    return reuse.system_prompts * traffic.system_prompt_tokens * (1 - alone(sessions)) +
           load.requests_per_s * traffic.turns * parts.turn * sessions.stays;
  };
  const auto kept = [&](double room) {
    double low = 0;
    double high = 1;
    while (held(high) < room && high < 1e9) high *= 2;
    for (int i = 0; i < 40; ++i) {
      const double middle = (low + high) / 2;
      (held(middle) < room ? low : high) = middle;
    }
    return low;
  };
  reuse.kept_s = reuse.host_kept_s = kept(load.room_tokens);
  const SessionCache sessions = sessions_of(reuse.kept_s);
  set_hits(run, parts, alone(sessions), sessions, reuse);
  if (!(load.room_with_host > load.room_tokens)) return reuse;
  reuse.host_kept_s = kept(load.room_with_host);
  const SessionCache longer = sessions_of(reuse.host_kept_s);
  const double in_pool = reuse.hit_ratio;
  set_hits(run, parts, alone(longer), longer, reuse);
  reuse.host_ratio = reuse.hit_ratio - in_pool;
  // Those that load their history, and of the others those that load the system prompt.
  const double systems = parts.system > 0 ? (alone(sessions) - alone(longer)) * (1 - longer.found) : 0;
  reuse.loading = longer.found - sessions.found + systems;
  return reuse;
}

}  // namespace podwright
