#include "sizing/serving_launch_engines.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/number_text.h"

namespace podwright::sizing {
namespace {

/// Standard normal quantile of 0.999.
constexpr double kDeviationsOfLongest = 3.0902323061678132;
/// Lengths are told in whole multiples of so many tokens.
constexpr double kTokensOfStep = 256;
/// Ports of the pools lie so far above the engine's own.
constexpr double kPrefillPorts = 100;
constexpr double kDecodePorts = 200;

/// Length that one of a thousand sequences exceeds: prompt and answer scatter apart, their sum is taken as lognormal.
double longest_of_thousand(const ServingRun& run) {
  const double mean = run.input_tokens + run.output_tokens;
  const double input = run.input_tokens * run.input_tokens_cv / mean;
  const double output = run.output_tokens * run.output_tokens_cv / mean;
  const double variance = math::log(1 + input * input + output * output);
  return mean * math::exp(kDeviationsOfLongest * std::sqrt(variance) - variance / 2);
}

}  // namespace

double ReplicaLaunch::nodes() const { return nodes_of_replica(parallelism, node_gpus); }

double ReplicaLaunch::longest() const {
  const bool scatters = run.input_tokens_cv > 0 || run.output_tokens_cv > 0;
  const double usual = usual_tokens();
  if (run.max_model_tokens || !scatters) return usual;
  double longest = std::ceil(longest_of_thousand(run) / kTokensOfStep) * kTokensOfStep;
  if (model.context_tokens > 0) longest = std::min(longest, model.context_tokens);
  if (places) longest = std::min(longest, std::floor(*places / parallelism.attention_data) * usual);
  return std::max(longest, usual);
}

std::optional<double> ReplicaLaunch::sequences_of_rank() const {
  if (!run.max_batch_size) return std::nullopt;
  return std::ceil(*run.max_batch_size / parallelism.attention_data);
}

Draft ReplicaLaunch::draft() const {
  if (!run.speculative) return Draft::none;
  if (run.speculative->draft_model) return Draft::model;
  return model.multi_token_depths > 0 ? Draft::own_layers : Draft::head;
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_gguf(std::string_view format) {
  return format.size() > 1 && (format[0] == 'q' || format.substr(0, 2) == "iq") &&
         format.find_first_of("0123456789") <= 2;
}

bool is_plain(std::string_view format) { return one_of(format, {"fp32", "bf16", "fp16"}); }

void add_dtype(const ReplicaLaunch& replica, LaunchOptions& options) {
  const std::string_view format = replica.run.weight_precision;
  if (is_plain(format))
    options.add("--dtype", format == "fp32" ? "float32" : format == "bf16" ? "bfloat16" : "float16");
}

double port_of(const EngineLaunch& engine, Pool pool) {
  if (pool == Pool::whole) return engine.port;
  return engine.port + (pool == Pool::prefill ? kPrefillPorts : kDecodePorts);
}

std::string server_address(Pool pool, double server, double port) {
  return std::string(pool == Pool::prefill ? "$PREFILL_" : "$DECODE_") + shortest_number(server) + ":" +
         shortest_number(port);
}

void add_address(const EngineLaunch& engine, const ReplicaLaunch& replica, LaunchOptions& options,
                 std::string_view host, std::string_view port) {
  options.add(host, "0.0.0.0");
  options.add(port, port_of(engine, replica.pool));
}

void add_servers(const RouterLaunch& router, LaunchOptions& options, std::string_view beside) {
  for (double i = 0; i < router.prefill_servers; ++i)
    options.add("--prefill", "http://" + server_address(Pool::prefill, i, router.prefill_port) + std::string(beside));
  for (double i = 0; i < router.decode_servers; ++i)
    options.add("--decode", "http://" + server_address(Pool::decode, i, router.decode_port));
  options.add("--host", "0.0.0.0");
  options.add("--port", router.port);
}

void refuse_gguf(std::string_view engine, const ReplicaLaunch& replica, std::vector<std::string>& cannot) {
  if (is_gguf(replica.run.weight_precision))
    cannot.push_back(std::string(engine) + " is not started with GGUF files here; llama.cpp is.");
}

void refuse_kv_cache(std::string_view engine, const ReplicaLaunch& replica,
                     std::initializer_list<std::string_view> legal, std::vector<std::string>& cannot) {
  const std::string& format = replica.run.kv_precision;
  if (!one_of(format, {"", "bf16", "fp16"}) && !one_of(format, legal))
    cannot.push_back(std::string(engine) + " is not started with a " + format + " KV cache here.");
}

}  // namespace podwright::sizing
