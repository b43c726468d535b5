#include "replay/lane.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perf/lane_schedule.h"

namespace podwright::replay {

void Lane::arrive(Request&& request) {
  std::size_t place = sequences_.size();
  if (free_.empty()) {
    sequences_.emplace_back();
  } else {
    place = free_.back();
    free_.pop_back();
    sequences_[place] = Sequence();
  }
  Sequence& sequence = sequences_[place];
  sequence.served.at = request.at;
  sequence.target = request.input_tokens;
  sequence.request = std::move(request);
  waiting_.push_back(place);
  const double at = sequence.served.at;
  const bool only_loads = pieces_.empty() && decoding_ == 0;
  if (event_at_ == kNever || only_loads) {
    if (event_at_ != kNever) busy_s_ += at - now_;
    now_ = std::max(now_, at);
    plan();
  } else if (steps_planned_ > 0 && waiting_.size() == 1 && static_cast<double>(running()) < limits_.max_sequences) {
    // It is seen when the running step ends.
    steps_planned_ = steps_until(at, steps_planned_);
    event_at_ = now_ + time_of(steps_planned_);
  }
}

void Lane::on_event(const Ended& ended) {
  busy_s_ += event_at_ - now_;
  now_ = event_at_;
  decode_steps(steps_planned_ > 0 ? steps_planned_ : 1);
  end_pieces(ended);
  end_answers(ended);
  plan();
}

double Lane::time_of(double steps) const {
  const double growth = clock_.per_context_token() * decoding_count() * yield_;
  return steps * base_ + growth * steps * (steps - 1) / 2;
}

double Lane::steps_until(double at, double most) const {
  const double time = at - now_;
  const double half = clock_.per_context_token() * decoding_count() * yield_ / 2;
  const double first = base_ - half;
  const double root = 2 * time / (first + std::sqrt(first * first + 4 * half * time));
  double steps = std::clamp(std::ceil(root), 1.0, most);
  while (steps > 1 && time_of(steps - 1) >= time) --steps;
  while (steps < most && time_of(steps) < time) ++steps;
  return steps;
}

double Lane::own_now(const Sequence& sequence) const {
  const bool grows = sequence.decodes && !limits_.reserves_whole;
  return sequence.own + (grows ? (count_ - sequence.since) * yield_ : 0);
}

bool Lane::awaits_load(const Sequence& sequence) const {
  return limits_.host.load == HostLoad::apart && sequence.loaded_at > now_;
}

/// When the tokens are here: loads begin in the order of admission.
double Lane::load(double tokens) {
  if (!(tokens > 0)) return now_;
  const double time = tokens * limits_.host.token_s;
  link_free_at_ = std::max(link_free_at_, now_) + time / limits_.host.links;
  return std::max(link_free_at_, now_ + time);
}

void Lane::plan() {
  pieces_.clear();
  yield_ = clock_.tokens_per_step();
  while (running() > 1 && cache_.room() < growth_of(1)) preempt_youngest();
  double room = prompt_room(limits_.step_tokens, decoding_count());
  for (const std::size_t place : prefilling_) {
    if (!(room > 0)) break;
    const Sequence& sequence = sequences_[place];
    if (awaits_load(sequence)) continue;
    pieces_.push_back({place, std::min(sequence.target - sequence.computed, room)});
    room -= pieces_.back().tokens;
  }
  while (room > 0 && admit_next(room)) {
  }
  base_ = clock_.decode(decoding_count()) + clock_.cache(decoding_count(), context_);
  pieces_.empty() ? plan_decoding() : plan_prompts();
}

void Lane::plan_prompts() {
  double tokens = 0;
  double ending = 0;
  double attention = 0;
  double loaded_at = now_;
  for (const Piece& piece : pieces_) {
    const Sequence& sequence = sequences_[piece.sequence];
    tokens += piece.tokens;
    if (sequence.computed + piece.tokens >= sequence.target) ++ending;
    attention += clock_.prompt_attention(sequence.computed, sequence.computed + piece.tokens);
    loaded_at = std::max(loaded_at, sequence.loaded_at);
  }
  steps_planned_ = 0;
  event_at_ = now_ + base_ + clock_.prompts(decoding_count(), tokens, ending) + attention;
  if (limits_.host.load == HostLoad::by_layer) event_at_ = std::max(event_at_, loaded_at);
  if (limits_.host.load == HostLoad::before_step) event_at_ += loaded_at - now_;
}

void Lane::plan_decoding() {
  double loaded_at = kNever;
  for (const std::size_t place : prefilling_) loaded_at = std::min(loaded_at, sequences_[place].loaded_at);
  if (decoding_ == 0) {
    steps_planned_ = 0;
    event_at_ = loaded_at;
    return;
  }
  while (!is({ends_.top().admitted, ends_.top().sequence})) ends_.pop();
  steps_planned_ = ends_.top().at - count_;
  if (!limits_.reserves_whole)
    steps_planned_ = std::clamp(std::floor(cache_.room() / growth_of(1)), 1.0, steps_planned_);
  if (loaded_at != kNever) steps_planned_ = steps_until(loaded_at, steps_planned_);
  event_at_ = now_ + time_of(steps_planned_);
}

bool Lane::admit_next(double& room) {
  if (waiting_.empty() || static_cast<double>(running()) >= limits_.max_sequences) return false;
  const std::size_t place = waiting_.front();
  Sequence& sequence = sequences_[place];
  const double answer = limits_.reserves_whole ? sequence.request.output_tokens - sequence.generated : 0;
  FoundTokens found = cache_.found(sequence.request);
  if (!cache_.fits(sequence.request, sequence.target - found.here + answer + growth_of(1))) {
    if (running() > 0) return false;
    // What it shares belongs to a longer prompt and leaves no room for the rest of its own.
    cache_.drop_all();
    found = {};
  }
  const double own = sequence.target - found.here + answer;
  waiting_.pop_front();
  cache_.admit(sequence.request, own, sequence.entries);
  sequence.own = own;
  sequence.computed = found.here + found.host;
  sequence.loaded_at = load(found.host);
  if (sequence.served.preempted == 0) {
    sequence.served.found_tokens = sequence.computed;
    sequence.served.host_tokens = found.host;
  }
  sequence.admitted = ++admissions_;
  if (admitted_.size() > 64 + 2 * running())
    std::erase_if(admitted_, [&](const Admission& admission) { return !is(admission); });
  admitted_.push_back({sequence.admitted, place});
  prefilling_.push_back(place);
  if (awaits_load(sequence)) return true;
  pieces_.push_back({place, std::min(sequence.target - sequence.computed, room)});
  room -= pieces_.back().tokens;
  return true;
}

bool Lane::is(const Admission& admission) const { return sequences_[admission.sequence].admitted == admission.number; }

void Lane::preempt_youngest() {
  while (!is(admitted_.back())) admitted_.pop_back();
  const std::size_t place = admitted_.back().sequence;
  admitted_.pop_back();
  Sequence& sequence = sequences_[place];
  double held = sequence.computed;
  if (sequence.decodes) {
    const double decoded = (count_ - sequence.since) * yield_;
    sequence.generated += std::floor(decoded);
    held = sequence.target + decoded;
  } else {
    prefilling_.pop_back();
  }
  const double own = own_now(sequence);
  stop(place);
  cache_.leave(sequence.request, own, held, sequence.entries);
  sequence.target = sequence.request.input_tokens + sequence.generated;
  sequence.computed = 0;
  ++sequence.served.preempted;
  waiting_.push_front(place);
}

void Lane::decode_steps(double steps) {
  count_ += steps;
  context_ += steps * decoding_count() * yield_;
  if (!limits_.reserves_whole) cache_.grow(growth_of(steps));
}

void Lane::end_pieces(const Ended& ended) {
  for (const Piece& piece : pieces_) {
    Sequence& sequence = sequences_[piece.sequence];
    sequence.computed += piece.tokens;
    if (sequence.computed < sequence.target) continue;
    prefilling_.erase(std::find(prefilling_.begin(), prefilling_.end(), piece.sequence));
    start_decoding(piece.sequence);
    if (!sequence.decodes) finish(piece.sequence, ended);
  }
  pieces_.clear();
}

void Lane::start_decoding(std::size_t place) {
  Sequence& sequence = sequences_[place];
  sequence.own -= cache_.publish(sequence.request, sequence.entries);
  if (sequence.served.first_token == 0) sequence.served.first_token = now_;
  sequence.generated += 1;
  const double left = sequence.request.output_tokens - sequence.generated;
  if (!(left > 0)) return;
  sequence.decodes = true;
  sequence.since = count_;
  ++decoding_;
  context_ += sequence.target;
  ends_.push({count_ + std::ceil(left / yield_ - 1e-9), sequence.admitted, place});
}

void Lane::end_answers(const Ended& ended) {
  while (!ends_.empty()) {
    const End end = ends_.top();
    const bool current = is({end.admitted, end.sequence});
    if (current && end.at > count_) return;
    ends_.pop();
    if (current) finish(end.sequence, ended);
  }
}

/// Takes a running sequence out of the lane's counts.
void Lane::stop(std::size_t place) {
  Sequence& sequence = sequences_[place];
  if (sequence.decodes) {
    --decoding_;
    context_ -= sequence.target + (count_ - sequence.since) * yield_;
    if (decoding_ == 0) context_ = 0;
  }
  sequence.decodes = false;
  sequence.admitted = 0;
}

void Lane::finish(std::size_t place, const Ended& ended) {
  Sequence& sequence = sequences_[place];
  sequence.served.finished = now_;
  const double own = own_now(sequence);
  stop(place);
  const double computed = sequence.request.input_tokens + sequence.request.output_tokens - 1;
  cache_.leave(sequence.request, own, computed, sequence.entries);
  ended(sequence.request, sequence.served);
  free_.push_back(place);
}

bool Lane::consistent() const {
  double own = 0;
  double context = 0;
  std::size_t decoding = 0;
  for (const Sequence& sequence : sequences_) {
    if (sequence.admitted == 0) continue;
    own += own_now(sequence);
    if (!sequence.decodes) continue;
    ++decoding;
    context += sequence.target + (count_ - sequence.since) * yield_;
  }
  const double allowed = 1e-6 * std::max(1.0, limits_.pool_tokens);
  return cache_.consistent() && decoding == decoding_ && std::fabs(own - cache_.own_tokens()) < allowed &&
         std::fabs(context - context_) < allowed;
}

}  // namespace podwright::replay
