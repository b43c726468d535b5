#pragma once
/// The pool of keys and values of one engine: what running sequences hold, and what finished ones left behind, which
/// the least recently used of goes when room is needed, to host memory where there is some.
/// docs/method/replay.md#cache.
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "replay/traffic_source.h"

namespace podwright::replay {

/// Tokens from the start of a prompt.
struct FoundTokens {
  double here = 0;  ///< in the pool
  double host = 0;  ///< behind them or between them, in host memory alone
};

/// Host memory behind a pool.
struct HostRoom {
  double tokens = 0;    ///< that it holds; 0: there is none
  bool copies = false;  ///< it holds what the pool keeps too
};

class PrefixCache {
 public:
  /// `block`: content is shared in whole blocks of so many tokens. `keeps`: finished sequences leave theirs. `weight`:
  /// room that a token takes which nobody uses.
  PrefixCache(double capacity, double block, bool keeps, double weight = 1, HostRoom host = {})
      : capacity_(capacity), block_(block), keeps_(keeps), weight_(weight), host_room_(host) {}

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  double capacity() const { return capacity_; }
  /// Tokens that may be taken: free ones, and what nobody uses.
  double room() const { return capacity_ - private_ - pinned_; }
  /// At least one token of the prompt remains to be computed.
  FoundTokens found(const Request& request) const;
  /// Takes the found parts, whose entries are added to `entries`, and `tokens` of the sequence's own.
  void admit(const Request& request, double tokens, std::vector<std::size_t>& entries);
  void grow(double tokens);
  /// The prompt is computed: others may use it from now on. Tokens of the sequence's own that are the cache's now.
  double publish(const Request& request, std::vector<std::size_t>& entries) {
    return publish(request, request.parts.size(), 0, entries);
  }
  /// The sequence goes: what is computed of prompt and answer stays as long as there is room, also an answer that
  /// nobody asks for again; its other `own` tokens are free.
  void leave(const Request& request, double own, double computed, std::vector<std::size_t>& entries);

  /// Whether a sequence finds room for its `own` tokens beside the parts that it finds here.
  bool fits(const Request& request, double own) const;
  /// Forgets what no sequence uses.
  void drop_all() { make_room(capacity_); }
  double own_tokens() const { return private_; }
  /// Sums over all entries, for tests.
  bool consistent() const;

 private:
  struct Entry {
    std::uint64_t id = 0;
    double tokens = 0;  ///< in the pool
    double host = 0;    ///< behind them, in host memory alone
    int pins = 0;
    std::size_t older = kNone;
    std::size_t newer = kNone;
  };

  /// Ids of answers; those of prompts lie below.
  static constexpr std::uint64_t kAnswers = std::uint64_t{1} << 63;

  double whole_blocks(double tokens) const;
  template <class Use>
  void each_found(const Request& request, const Use& use) const;
  double publish(const Request& request, std::size_t parts, double beyond, std::vector<std::size_t>& entries);
  double keep_answer(double tokens, std::vector<std::size_t>& entries);
  std::size_t entry_of(std::uint64_t id);
  void pin(std::size_t entry);
  void unpin(std::size_t entry);
  void link(std::size_t entry);
  void unlink(std::size_t entry);
  void erase(std::size_t entry);
  /// So much of the pool is free, or nothing is left that nobody uses.
  void make_room(double tokens);
  void make_host_room();
  double host_limit() const;

  double capacity_;
  double block_;
  bool keeps_;
  double weight_;
  HostRoom host_room_;
  double private_ = 0;
  double pinned_ = 0;  ///< of entries that sequences use
  double idle_ = 0;    ///< of the others
  double host_ = 0;    ///< tokens in host memory alone
  std::vector<Entry> entries_;
  std::vector<std::size_t> free_;
  std::uint64_t answers_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> by_id_;
  std::size_t oldest_ = kNone;
  std::size_t newest_ = kNone;
  std::size_t oldest_here_ = kNone;  ///< those before it have nothing in the pool
};

}  // namespace podwright::replay
