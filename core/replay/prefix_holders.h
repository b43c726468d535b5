#pragma once
/// Which lanes have answered prompts that begin alike, as a router remembers it. docs/method/replay.md#scheduler.
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace podwright::replay {

class PrefixHolders {
 public:
  /// Those that answered a prompt with this part; none, if empty. Valid until the next change.
  std::span<const std::size_t> of(std::uint64_t part) const;
  void add(std::uint64_t part, std::size_t lane);
  /// It alone, as of a session that has moved.
  void set(std::uint64_t part, std::size_t lane);

 private:
  static constexpr std::size_t kOne = static_cast<std::size_t>(-1);

  /// Nearly all parts are those of one prompt.
  struct Holder {
    std::size_t lane = 0;
    std::size_t several = kOne;  ///< place in `several_`
  };
  std::unordered_map<std::uint64_t, Holder> holders_;
  std::vector<std::vector<std::size_t>> several_;
};

}  // namespace podwright::replay
