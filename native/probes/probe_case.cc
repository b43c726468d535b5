#include "probes/probe_case.h"

#include <algorithm>

#include "base/number_text.h"

namespace podwright::probes {
namespace {

std::int64_t whole(const std::optional<double>& value) { return static_cast<std::int64_t>(value.value_or(0)); }

}  // namespace

std::string ProbeCase::name() const {
  constexpr const char* kWays[] = {"zeros", "zipf", "graph", "registered", "no_nvls", "pageable", "full_sums", "best"};
  const bool another = std::find(std::begin(kWays), std::end(kWays), variant) != std::end(kWays);
  return another ? probe + "." + variant : probe;
}

std::string ProbeCase::title() const {
  std::string text = probe;
  for (const ProbeSizeField& field : kProbeSizeFields)
    if (const auto& value = size.*field.value; value)
      text += " " + std::string(field.word) + "=" + shortest_number(*value);
  if (!variant.empty()) text += " " + variant;
  if (mode == ProbeMode::sustained) text += " sustained";
  return text;
}

PwCase case_for(const ProbeCase& one, double seed) {
  PwCase to{};
  to.probe = one.probe.c_str();
  to.dtype = one.dtype.c_str();
  to.variant = one.variant.c_str();
  to.bytes = whole(one.size.bytes);
  to.m = whole(one.size.m);
  to.hidden = one.groups ? whole(one.size.n) : 0;
  to.n = one.groups ? whole(one.groups) : whole(one.size.n);
  to.k = whole(one.size.k);
  to.batch = whole(one.size.batch);
  to.context = whole(one.size.context_tokens);
  to.page = whole(one.size.page_tokens);
  to.row_bytes = whole(one.size.row_bytes);
  to.experts = whole(one.size.experts);
  to.peer = one.peer;
  to.ranks = static_cast<std::int32_t>(one.members.size());
  to.members = one.members.data();
  to.threads = static_cast<std::int32_t>(whole(one.size.threads));
  to.seed = static_cast<std::uint64_t>(seed);
  return to;
}

}  // namespace podwright::probes
