#include "calibration/measured_traffic.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/append.h"
#include "base/words.h"

namespace podwright {
namespace {

constexpr double kMostRequests = 1e6;  ///< of a stage
constexpr double kMostPieces = 1000;   ///< of a prompt

/// "15x50 3x20": requests a second times seconds. Empty where the text is none.
std::vector<LoadStage> stages_of(std::string_view text) {
  std::vector<LoadStage> stages;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view one = text.substr(0, end);
    const std::size_t times = std::min(one.find('x'), one.size());
    const double rate = cell_number(one.substr(0, times)).value_or(0);
    const double seconds = cell_number(one.substr(std::min(times + 1, one.size()))).value_or(0);
    if (!(rate > 0) || !(seconds > 0)) return {};
    stages.push_back({rate, seconds});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return stages;
}

class TrafficRowReader {
 public:
  TrafficRowReader(const Catalog& catalog, const MeasuredCells& cells, MeasuredTrafficRow& row)
      : catalog_(catalog), cells_(cells), row_(row) {}

  Result<void> read() {
    if (Result<void> known = read_serving_row(catalog_, cells_, row_); !known) return known;
    StagedLoad& load = row_.load;
    load.stages = stages_of(cells_.text("stages"));
    const bool clients = row_.run.load.kind == LoadKind::concurrency && row_.requests;
    if (load.stages.empty() && !clients)
      return failure({"missing", "", "neither stages such as \"3x20\" nor clients and their requests", ""});
    if (!load.stages.empty())
      row_.run.load = {LoadKind::request_rate, load.stages.back().requests_per_s};
    else
      load.clients = row_.run.load.value;
    load.requests = row_.requests.value_or(0);
    load.evenly = cells_.text("arrivals") == "even";
    load.input_tokens = row_.run.input_tokens;
    load.output_tokens = row_.run.output_tokens;
    load.system_prompts = std::floor(cells_.size("system_prompts").value_or(1));
    load.system_prompt_tokens = cells_.number("system_prompt_tokens").value_or(0);
    load.prompts = std::floor(cells_.size("prompts").value_or(0));
    row_.counted_output_tokens = cells_.number("counted_output_len");
    return check_load();
  }

 private:
  Result<void> check_load() {
    const StagedLoad& load = row_.load;
    if (!(load.system_prompt_tokens >= 0) || load.system_prompt_tokens >= load.input_tokens)
      return failure({"conflict", "", "the system prompt leaves no room for a question", ""});
    double most = std::max({load.clients, load.requests, load.prompts * load.system_prompts});
    for (const LoadStage& stage : load.stages) most = std::max(most, stage.requests_per_s * stage.seconds);
    if (!(most <= kMostRequests)) return failure({"conflict", "", "more than a million requests or prompts", ""});
    if (load.input_tokens > kMostPieces * row_.run.max_batched_tokens.value_or(load.input_tokens))
      return failure({"conflict", "", "a prompt takes more than a thousand steps", ""});
    const std::string written = cells_.text("routing");
    const auto routing = of_word<Routing>(written.empty() ? kRoutingWords.front() : written, kRoutingWords);
    if (!routing) return failure({"unknown-id", "", "the routing \"" + written.substr(0, 60) + "\" is not known", ""});
    row_.run.traffic = TrafficPattern{
        .system_prompt_tokens = load.system_prompt_tokens, .system_prompts = load.system_prompts, .routing = *routing};
    return {};
  }

  const Catalog& catalog_;
  const MeasuredCells& cells_;
  MeasuredTrafficRow& row_;
};

}  // namespace

const MeasuredColumns& measured_traffic_columns() {
  static const MeasuredColumns columns = [] {
    MeasuredColumns c = measured_serving_columns();
    append(c.metrics, std::vector<std::string>{"ttft_p50_ms", "ttft_p90_ms", "ttft_p99_ms", "request_ms",
                                               "request_p50_ms", "request_p99_ms", "prefix_hit_ratio"});
    append(c.sizes, std::vector<std::string>{"system_prompts", "prompts"});
    append(c.numbers, std::vector<std::string>{"system_prompt_tokens", "counted_output_len"});
    append(c.texts, std::vector<std::string>{"stages", "arrivals", "routing"});
    return c;
  }();
  return columns;
}

Result<MeasuredTraffic> read_measured_traffic(const Catalog& catalog, std::string_view csv, std::string_view file) {
  return read_measured_table<MeasuredTrafficRow, TrafficRowReader>(catalog, csv, file, measured_traffic_columns());
}

}  // namespace podwright
