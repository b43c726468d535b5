#include "sizing/serving_launch_engines.h"

#include <algorithm>
#include <cmath>

#include "sizing/serving_launch.h"

namespace podwright::sizing {

double ReplicaLaunch::nodes() const { return nodes_of_replica(parallelism, node_gpus); }

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

void add_address(const EngineLaunch& engine, LaunchOptions& options, std::string_view host, std::string_view port) {
  options.add(host, "0.0.0.0");
  options.add(port, engine.port);
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
