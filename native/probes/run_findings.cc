#include "probes/run_findings.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/number_text.h"
#include "measure/measure_formulas.h"
#include "measure/zeros.h"

namespace podwright::probes {
namespace {

/// The part of `both` that ran alone: `same` says whether its size is that of the part.
template <class Same>
std::optional<Seconds> alone(const HardwareProfile& profile, const ProbeResult& both, std::string_view probe,
                             Same same) {
  for (const ProbeResult& one : profile.results)
    if (one.probe == probe && one.usable() && one.devices == both.devices && same(one.size, both.size))
      return Seconds(one.time_s->median);
  return std::nullopt;
}

CurvePoint point_of(const ProbeResult& result) {
  const SampleSummary& time = *result.time_s;
  return {std::max(result.counted.bytes, result.counted.flops), time.median, time.lo95.value_or(time.median),
          time.hi95.value_or(time.median), true};
}

void compare_threads(std::vector<ProbeResult>& results) {
  for (const ProbeResult& alone : results) {
    if (alone.probe != "cpu.threads.triad" || !alone.usable()) continue;
    for (ProbeResult& many : results) {
      if (many.probe != "cpu.stream.triad" || many.size.bytes != alone.size.bytes || !many.usable()) continue;
      if (auto flag = thread_flag(point_of(alone), point_of(many))) many.flags.push_back(*flag);
    }
  }
}

}  // namespace

void add_flags_between_sizes(std::vector<ProbeResult>& results) {
  std::map<std::string, std::vector<ProbeResult*>> curves;
  for (ProbeResult& result : results) {
    if (!result.usable() || result.size.m) continue;  // products differ in shape, not only in work
    std::string curve = result.probe + "/" + result.dtype + "/" + std::to_string(static_cast<int>(result.mode));
    for (const std::string& device : result.devices) curve += "/" + device;
    for (const ProbeSizeField& field : kProbeSizeFields)
      if (field.value != &ProbeSize::bytes && field.value != &ProbeSize::context_tokens)
        curve += "/" + std::to_string((result.size.*field.value).value_or(0));
    curves[curve].push_back(&result);
  }
  for (auto& [name, of_curve] : curves)
    if (of_curve.size() > 1) add_curve_flags(of_curve);
  compare_threads(results);
}

void add_overlaps(HardwareProfile& profile) {
  for (ProbeResult& both : profile.results) {
    if (both.probe != "overlap" || !both.usable()) continue;
    const auto product = alone(profile, both, "overlap.product", [](const ProbeSize& a, const ProbeSize& b) {
      return a.m == b.m && a.n == b.n && a.k == b.k;
    });
    const auto collective = alone(profile, both, "overlap.collective",
                                  [](const ProbeSize& a, const ProbeSize& b) { return a.bytes == b.bytes; });
    if (product && collective)
      both.overlap_efficiency = overlap_efficiency(*product, *collective, Seconds(both.time_s->median));
  }
}

void add_links(HardwareProfile& profile) {
  for (const ProbeResult& result : profile.results) {
    if (result.probe != "p2p.matrix" || !result.usable() || result.devices.size() != 2) continue;
    ProfileLink link;
    link.from = result.devices.front();
    link.to = result.devices.back();
    link.bytes_per_s = result.bytes_per_s();
    profile.links.push_back(link);
  }
}

void note_power_limit(HardwareProfile& profile) {
  for (const FasterZeros& one : faster_zeros(profile))
    profile.limits.push_back(one.zeros->devices.front() + " works at its limit of power: products of zeros are " +
                             fixed_number(one.ratio, 2) + " times as fast.");
}

}  // namespace podwright::probes
