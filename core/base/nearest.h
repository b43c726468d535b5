#pragma once
/// Hints for misspelled keys and ids.
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

/// Edit distance with insertions, deletions, replacements and swaps of neighbours, each 1.
int edit_distance(std::string_view a, std::string_view b);
/// The candidates closest to `word`, nearest first, at most `most`; none that differs in more than half of its letters.
/// First come those that have it, or all of its words, in their name; a name that it begins with counts as one edit.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates,
                                 std::size_t most = 3);
/// "Did you mean \"a\" or \"b\"?", or `otherwise` when nothing is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates, std::string_view otherwise);
/// "\"a\", \"b\" or \"c\""
std::string either_of(const std::vector<std::string>& words);
/// "a, b and 23 more"; all of them where they are few.
std::string first_of(const std::vector<std::string>& words, std::size_t most);
/// "a, b, c"
std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

}  // namespace podwright
