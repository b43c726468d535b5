#include "replay/prefix_cache.h"

#include <algorithm>
#include <cmath>

namespace podwright::replay {

double PrefixCache::whole_blocks(double tokens) const { return std::floor(tokens / block_) * block_; }

/// Calls `use` with the place and the sharable tokens of each entry that a prompt finds, from its start to the first
/// part that is not all here. Parts shorter than a block are nobody else's.
template <class Use>
void PrefixCache::each_found(const Request& request, const Use& use) const {
  if (!keeps_) return;
  for (const PromptPart& part : request.parts) {
    const double whole = whole_blocks(part.tokens);
    if (!(whole > 0)) continue;
    const auto entry = by_id_.find(part.id);
    if (entry == by_id_.end()) return;
    const double here = std::min(whole, entries_[entry->second].tokens);
    use(entry->second, here);
    if (here < whole) return;
  }
}

double PrefixCache::found(const Request& request) const {
  double tokens = 0;
  each_found(request, [&](std::size_t, double here) { tokens += here; });
  return std::min(tokens, request.input_tokens - 1);
}

bool PrefixCache::fits(const Request& request, double own) const {
  double room = capacity_ - private_ - pinned_;
  each_found(request, [&](std::size_t entry, double) {
    if (entries_[entry].pins == 0) room -= entries_[entry].tokens;
  });
  return own <= room;
}

void PrefixCache::admit(const Request& request, double tokens, std::vector<std::size_t>& entries) {
  each_found(request, [&](std::size_t entry, double) { entries.push_back(entry); });
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
}

void PrefixCache::unlink(std::size_t entry) {
  const Entry& e = entries_[entry];
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
    if (oldest_ == kNone || !(over > 0)) return;
    Entry& entry = entries_[oldest_];
    const double gone = std::min(entry.tokens, std::ceil(over / weight_ / block_) * block_);
    entry.tokens -= gone;
    idle_ -= gone;
    if (!(entry.tokens > 0)) erase(oldest_);
  }
}

bool PrefixCache::consistent() const {
  double idle = 0;
  std::size_t linked = 0;
  for (std::size_t entry = oldest_; entry != kNone; entry = entries_[entry].newer, ++linked) {
    if (entries_[entry].pins != 0) return false;
    idle += entries_[entry].tokens;
  }
  double pinned = 0;
  std::size_t held = 0;
  for (const auto& [id, entry] : by_id_)
    if (entries_[entry].pins > 0) {
      pinned += entries_[entry].tokens;
      ++held;
    }
  const auto near = [&](double a, double b) { return std::fabs(a - b) < 1e-6 * std::max(1.0, capacity_); };
  return linked + held == by_id_.size() && near(idle, idle_) && near(pinned, pinned_) && private_ > -1e-6 * capacity_ &&
         private_ + pinned_ + weight_ * idle_ <= capacity_ * (1 + 1e-9);
}

}  // namespace podwright::replay
