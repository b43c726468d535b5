#include "probes/result_of_case.h"

#include <algorithm>

#include "probes/catalogue.h"

namespace podwright::probes {

bool chosen(const std::string& probe, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& begin) { return probe.rfind(begin, 0) == 0; });
}

SkipReason reason_of(const std::string& word) {
  for (std::size_t i = 0; i < kSkipReasonWords.size(); ++i)
    if (kSkipReasonWords[i] == word.substr(0, word.find(':'))) return static_cast<SkipReason>(i);
  return SkipReason::not_supported;
}

std::string message_of(const std::string& word, const std::string& detail) {
  return word.find(':') == std::string::npos ? detail : word + ": " + detail;
}

void set_skip(ProbeResult& result, SkipReason reason, const std::string& message) {
  result.skip = Skip{reason, message, consequence_of(result.probe)};
}

void take_measured(ProbeResult& result, const ProbeResult& measured) {
  result.batch_operations = measured.batch_operations;
  result.samples_s = measured.samples_s;
  result.check = measured.check;
  result.context = measured.context;
  result.load = measured.load;
  result.variant.algorithm = measured.variant.algorithm;
  result.variant.heuristic_first_s = measured.variant.heuristic_first_s;
}

}  // namespace podwright::probes
