#include "replay/prefix_cache.h"

#include <algorithm>
#include <cmath>

namespace podwright::replay {

double PrefixCache::whole_blocks(double tokens) const { return std::floor(tokens / block_) * block_; }

/// Calls `use` with the place and the sharable tokens of each entry that a prompt finds, in the pool and in host
/// memory, from its start to the first part that is not all there. Parts shorter than a block are nobody else's.
template <class Use>
void PrefixCache::each_found(const Request& request, const Use& use) const {
  if (!keeps_) return;
  for (const PromptPart& part : request.parts) {
    const double whole = whole_blocks(part.tokens);
    if (!(whole > 0)) continue;
    const auto entry = by_id_.find(part.id);
    if (entry == by_id_.end()) return;
    const Entry& known = entries_[entry->second];
    const double here = std::min(whole, known.tokens);
    const double held = std::min(whole, known.tokens + known.host);
    use(entry->second, FoundTokens{here, held - here});
    if (held < whole) return;
  }
}

FoundTokens PrefixCache::found(const Request& request) const {
  FoundTokens found;
  each_found(request, [&](std::size_t, const FoundTokens& part) {
    found.here += part.here;
    found.host += part.host;
  });
  found.here = std::min(found.here, request.input_tokens - 1);
  found.host = std::min(found.host, request.input_tokens - 1 - found.here);
  return found;
}

bool PrefixCache::fits(const Request& request, double own) const {
  double room = capacity_ - private_ - pinned_;
  each_found(request, [&](std::size_t entry, const FoundTokens&) {
    if (entries_[entry].pins == 0) room -= entries_[entry].tokens;
  });
  return own <= room;
}

void PrefixCache::admit(const Request& request, double tokens, std::vector<std::size_t>& entries) {
  each_found(request, [&](std::size_t entry, const FoundTokens&) { entries.push_back(entry); });
  for (const std::size_t entry : entries) pin(entry);
  grow(tokens);
}

void PrefixCache::grow(double tokens) {
  private_ += tokens;
  make_room(0);
}

double PrefixCache::publish(const Request& request, std::size_t parts, double beyond,
                            std::vector<std::size_t>& entries) {
  if (!keeps_) return 0;
  double moved = 0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    const bool last = i + 1 == request.parts.size();
    const double whole = whole_blocks(request.parts[i].tokens + (last ? beyond : 0));
    if (!(whole > 0)) continue;
    if (place == entries.size()) {
      entries.push_back(entry_of(request.parts[i].id));
      pin(entries.back());
    }
    Entry& entry = entries_[entries[place++]];
    const double more = std::max(0.0, whole - entry.tokens);
    // What came from host memory lies there no longer alone.
    const double loaded = std::min(entry.host, more);
    entry.host -= loaded;
    host_ -= loaded;
    entry.tokens += more;
    pinned_ += more;
    private_ -= more;
    moved += more;
  }
  return moved;
}

void PrefixCache::leave(const Request& request, double own, double computed, std::vector<std::size_t>& entries) {
  // A prompt that was not computed to its end leaves the parts that were.
  std::size_t parts = 0;
  double before = 0;
  while (parts < request.parts.size() && before + request.parts[parts].tokens <= computed)
    before += request.parts[parts++].tokens;
  const bool whole = parts == request.parts.size();
  const double beyond = whole && request.continued ? computed - before : 0;
  double moved = publish(request, parts, beyond, entries);
  if (whole && !request.continued) moved += keep_answer(std::min(computed - before, own - moved), entries);
  private_ -= own - moved;
  // From the end to the start, so that the start of a prompt goes last.
  for (std::size_t i = entries.size(); i-- > 0;) unpin(entries[i]);
  entries.clear();
  make_room(0);
}

/// An answer that belongs to no part of a prompt stays too: no engine knows that nobody will ask for it.
double PrefixCache::keep_answer(double tokens, std::vector<std::size_t>& entries) {
  if (!keeps_ || whole_blocks(tokens) <= 0) return 0;
  Entry& answer = entries_[entries.emplace_back(entry_of(kAnswers + answers_++))];
  pin(entries.back());
  answer.tokens = whole_blocks(tokens);
  pinned_ += answer.tokens;
  private_ -= answer.tokens;
  return answer.tokens;
}

std::size_t PrefixCache::entry_of(std::uint64_t id) {
  const auto known = by_id_.find(id);
  if (known != by_id_.end()) return known->second;
  std::size_t entry = entries_.size();
  if (free_.empty()) {
    entries_.emplace_back();
  } else {
    entry = free_.back();
    free_.pop_back();
    entries_[entry] = Entry();
  }
  entries_[entry].id = id;
  by_id_.emplace(id, entry);
  link(entry);
  return entry;
}

void PrefixCache::pin(std::size_t entry) {
  if (entries_[entry].pins++ > 0) return;
  unlink(entry);
  idle_ -= entries_[entry].tokens;
  pinned_ += entries_[entry].tokens;
}

void PrefixCache::unpin(std::size_t entry) {
  if (--entries_[entry].pins > 0) return;
  pinned_ -= entries_[entry].tokens;
  idle_ += entries_[entry].tokens;
  link(entry);
}

void PrefixCache::link(std::size_t entry) {
  entries_[entry].older = newest_;
  entries_[entry].newer = kNone;
  (newest_ == kNone ? oldest_ : entries_[newest_].newer) = entry;
  newest_ = entry;
  if (oldest_here_ == kNone) oldest_here_ = entry;
}

void PrefixCache::unlink(std::size_t entry) {
  const Entry& e = entries_[entry];
  if (oldest_here_ == entry) oldest_here_ = e.newer;
  (e.older == kNone ? oldest_ : entries_[e.older].newer) = e.newer;
  (e.newer == kNone ? newest_ : entries_[e.newer].older) = e.older;
}

void PrefixCache::erase(std::size_t entry) {
  unlink(entry);
  by_id_.erase(entries_[entry].id);
  free_.push_back(entry);
}

void PrefixCache::make_room(double tokens) {
  for (;;) {
    const double over = private_ + pinned_ + weight_ * idle_ + tokens - capacity_;
    while (oldest_here_ != kNone && !(entries_[oldest_here_].tokens > 0)) oldest_here_ = entries_[oldest_here_].newer;
    if (oldest_here_ == kNone || !(over > 0)) break;
    Entry& entry = entries_[oldest_here_];
    const double gone = std::min(entry.tokens, std::ceil(over / weight_ / block_) * block_);
    entry.tokens -= gone;
    idle_ -= gone;
    if (host_room_.tokens > 0) {
      entry.host += gone;
      host_ += gone;
    } else if (!(entry.tokens > 0)) {
      erase(oldest_here_);
    }
  }
  if (host_ > 0) make_host_room();
}

/// Tokens that may lie in host memory alone.
double PrefixCache::host_limit() const {
  return std::max(0.0, host_room_.tokens - (host_room_.copies ? private_ + pinned_ + idle_ : 0));
}

/// What nobody used for the longest time goes, the end of a part before its start.
void PrefixCache::make_host_room() {
  const double limit = host_limit();
  for (std::size_t entry = oldest_; entry != kNone && host_ > limit;) {
    Entry& old = entries_[entry];
    const std::size_t newer = old.newer;
    const double gone = std::min(old.host, std::ceil((host_ - limit) / block_) * block_);
    old.host -= gone;
    host_ -= gone;
    if (!(old.tokens + old.host > 0)) erase(entry);
    entry = newer;
  }
}

bool PrefixCache::consistent() const {
  double idle = 0;
  double idle_host = 0;
  std::size_t linked = 0;
  bool here = false;
  for (std::size_t entry = oldest_; entry != kNone; entry = entries_[entry].newer, ++linked) {
    const Entry& e = entries_[entry];
    here = here || entry == oldest_here_;
    if (e.pins != 0 || (e.tokens > 0 && !here) || !(e.tokens + e.host > 0)) return false;
    idle += e.tokens;
    idle_host += e.host;
  }
  double pinned = 0;
  double host = idle_host;
  std::size_t held = 0;
  for (const auto& [id, entry] : by_id_)
    if (entries_[entry].pins > 0) {
      pinned += entries_[entry].tokens;
      host += entries_[entry].host;
      ++held;
    }
  const auto near = [&](double a, double b) { return std::fabs(a - b) < 1e-6 * std::max(1.0, capacity_); };
  // What sequences are to load stays, whatever else there is.
  const bool host_fits = idle_host <= 1e-6 || host <= host_limit() * (1 + 1e-9);
  return linked + held == by_id_.size() && near(idle, idle_) && near(pinned, pinned_) && near(host, host_) &&
         host_fits && private_ > -1e-6 * capacity_ && private_ + pinned_ + weight_ * idle_ <= capacity_ * (1 + 1e-9);
}

}  // namespace podwright::replay
