#include "catalog/gpu_named.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "base/lower_case.h"

namespace podwright {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_beginning(const Words& words, std::string_view begin) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return word.rfind(begin, 0) == 0; });
}

bool begins(std::string_view text, std::string_view part) { return text.substr(0, part.size()) == part; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// 80 of "80gb" and "80g".
std::optional<int> gigabytes_in(const std::string& word) {
  int size = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
  const std::string_view unit = std::string_view(word).substr(static_cast<std::size_t>(end - word.data()));
  return error == std::errc() && (unit == "gb" || unit == "g") ? std::optional<int>(size) : std::nullopt;
}

std::optional<int> gigabytes_in(const Words& words) {
  for (const std::string& word : words)
    if (const auto size = gigabytes_in(word)) return size;
  return {};
}

/// Words that make another product of the same number.
constexpr std::array<std::string_view, 10> kOtherProducts = {"ti", "super", "laptop", "mobile", "max",
                                                             "d",  "ada",   "xt",     "sff",    "grid"};

/// An id: the words that name the model, which a name must have, and what tells one kind of it from another.
struct IdWords {
  Words model;
  Words details;
};

IdWords parts_of(const std::string& id) {
  const auto tells_kind = [](const std::string& word) {
    const bool count = word.size() <= 2 && std::all_of(word.begin(), word.end(), is_digit);
    const bool described = word == "blackwell" || word == "dgx" || word == "trillium" || word == "ironwood";
    return word == "pcie" || word == "nvl" || begins(word, "sxm") || described || count || gigabytes_in(word);
  };
  IdWords parts;
  for (const std::string& word : words_of(id)) {
    const bool model = parts.model.empty() || (parts.details.empty() && !tells_kind(word));
    (model ? parts.model : parts.details).push_back(word);
  }
  return parts;
}

bool names_model(const Words& name, const Words& id, const Words& model) {
  return std::all_of(model.begin(), model.end(), [&](const std::string& word) { return has(name, word); }) &&
         std::none_of(kOtherProducts.begin(), kOtherProducts.end(),
                      [&](std::string_view word) { return has(name, word) && !has(id, word); });
}

bool fits_form(const Words& name, const Words& id, std::string_view form_factor) {
  for (const std::string_view form : {"pcie", "nvl"})
    if (has(id, form) && !has(name, form)) return false;
  if (has(name, "nvl")) return has(id, "nvl");
  if (has(name, "pcie")) return begins(form_factor, "PCIe");
  return !has_beginning(name, "sxm") || begins(form_factor, "SXM");
}

/// What speaks for a GPU, and whether anything speaks against it.
struct Evidence {
  int points = 0;
  bool against = false;

  /// A figure that is known on both sides.
  void compare(double seen, double listed, double same, double apart, int weight) {
    const double off = std::fabs(seen / listed - 1);
    if (off <= same) points += weight;
    if (off <= apart) return;
    points -= weight;
    against = true;
  }
};

/// Absent where the memory is another one.
std::optional<Evidence> evidence_for(const Gpu& gpu, const DeviceLook& look, const Words& name, const Words& details) {
  Evidence found;
  for (const std::string& word : details)
    if (!gigabytes_in(word)) found.points += has(name, word) ? 1 : -1;
  const std::optional<int> said = gigabytes_in(name);
  const bool same_size = said && gigabytes_in(details) == said;
  if (same_size) found.points += 3;
  if (has(name, "mig")) return found;
  if (look.memory && gpu.memory) {
    const double off = std::fabs(*look.memory / gpu.memory_driver.value_or(*gpu.memory) - 1);
    if (off > 0.12 && std::fabs(*look.memory / *gpu.memory - 1) > 0.12) return {};
    if (off <= 0.02) ++found.points;
  } else if (said && !same_size && gpu.memory) {
    found.compare(*said, raw(*gpu.memory) / 1e9, 0.02, 0.12, 3);
  }
  if (look.sm_count && gpu.sm_count) found.compare(*look.sm_count, *gpu.sm_count, 0.001, 0.02, 4);
  if (look.bandwidth && gpu.memory_bandwidth)
    found.compare(raw(*look.bandwidth), raw(*gpu.memory_bandwidth), 0.04, 0.15, 3);
  if (look.power_limit && gpu.board_power) found.compare(raw(*look.power_limit), raw(*gpu.board_power), 0.02, 0.3, 2);
  return found;
}

}  // namespace

NamedGpu gpu_named(const Catalog& catalog, const DeviceLook& look) {
  const Words name = words_of(look.name);
  NamedGpu best;
  Evidence most;
  for (const Gpu& gpu : catalog.gpus) {
    const Words id = words_of(gpu.id);
    const IdWords parts = parts_of(gpu.id);
    if (!names_model(name, id, parts.model) || !fits_form(name, id, gpu.form_factor)) continue;
    const std::optional<Evidence> found = evidence_for(gpu, look, name, parts.details);
    if (!found) continue;
    const bool equal = best.gpu != nullptr && found->points == most.points;
    const bool module_before_card = equal && begins(gpu.form_factor, "SXM") && !begins(best.gpu->form_factor, "SXM");
    if (best.gpu == nullptr || found->points > most.points || module_before_card) {
      best = {&gpu, !equal && !found->against};
      most = *found;
    } else if (equal) {
      best.certain = false;
    }
  }
  return best;
}

}  // namespace podwright
