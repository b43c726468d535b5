/// Searches for random training runs with all files of their first layout, as lines of JSON for training_files_test.py:
/// the request and the answer.
///
///     export_training_jobs [COUNT]
#include <cstdlib>
#include <iostream>

#include "api/answer.h"
#include "base/json_write.h"
#include "hostile_names.h"

namespace podwright {
namespace {

constexpr std::uint64_t kSeed = 31;

struct Workload {
  const char* model;
  double gpus;
};
/// Enough GPUs for the model, or for the larger ones more than a node.
constexpr std::array kWorkloads{
    Workload{"llama-3.1-8b", 8},       Workload{"llama-3.1-8b", 4},        Workload{"llama-3.1-8b", 16},
    Workload{"llama-3.1-8b", 64},      Workload{"mistral-7b-v0.1", 8},     Workload{"llama-2-13b", 16},
    Workload{"llama-3.1-70b", 64},     Workload{"llama-3.1-70b", 128},     Workload{"llama-3.1-70b", 12},
    Workload{"mixtral-8x7b-v0.1", 64}, Workload{"mixtral-8x7b-v0.1", 128}, Workload{"deepseek-v3", 256},
    Workload{"llama-3.1-405b", 512},   Workload{"gpt-3-175b", 128}};

/// Slurm's names as they are, or hostile ones.
std::string slurm_name(Draws& draws) {
  constexpr std::array<const char*, 4> kNames{"gpu", "batch_long,debug", "team-a.train", ""};
  return draws.chance(0.2) ? draws.name() : draws.of(kNames);
}

std::string request_of(std::uint64_t number) {
  Draws draws(kSeed, number);
  const Workload& workload = draws.of(kWorkloads);
  JsonWriter out;
  out.begin_object();
  out.text("kind", "search");
  out.text("model", workload.model);
  out.text("gpu", draws.of(std::array<const char*, 5>{"h100-sxm5-80gb", "h100-sxm5-80gb", "gb200", "h200", "mi300x"}));
  out.number("gpu_count", workload.gpus);
  out.number("sequence_length", draws.of(std::array{2048.0, 4096.0, 8192.0}));
  out.number("global_batch_size", draws.of(std::array{256.0, 512.0}));
  if (draws.chance(0.7)) out.number("tokens", draws.of(std::array{1e9, 3.3e11}));
  if (draws.chance(0.4))
    out.text("framework", draws.of(std::array<const char*, 3>{"torchtitan", "nemo", "pytorch-fsdp"}));
  if (draws.chance(0.3)) write_texts(out, "precisions", {"fp8"});
  out.number("top", 1);
  if (draws.chance(0.3)) {
    out.begin_object("limits");
    out.number("pipeline_min", 2);
    out.end_object();
  }
  write_texts(out, "exports", {"all"});
  out.begin_object("deploy");
  for (const char* key : {"data", "tokenizer", "megatron_lm", "checkpoints", "image", "namespace", "runtime"})
    out.text(key, draws.name());
  for (const char* key : {"partition", "account"}) out.text(key, slurm_name(draws));
  out.end_object();
  out.end_object();
  return out.take();
}

}  // namespace
}  // namespace podwright

int main(int count, char** words) {
  const std::uint64_t cases = count > 1 ? std::strtoull(words[1], nullptr, 10) : 300;
  for (std::uint64_t number = 0; number < cases; ++number) {
    const std::string request = podwright::request_of(number);
    const podwright::Answer answer = podwright::answer_request(podwright::embedded_catalog_facts(), request);
    std::cout << "{\"request\":" << request << ",\"answer\":" << answer.text << "}\n";
  }
}
