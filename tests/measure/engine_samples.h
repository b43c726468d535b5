#pragma once
/// Short logs and metrics of serving engines, made up in their formats.
#include <string>

namespace podwright {

inline const std::string kVllmLog =
    R"log((APIServer pid=1) INFO 11-20 10:00:00 [api_server.py:1839] vLLM API server version 0.11.1
(APIServer pid=1) INFO 11-20 10:00:00 [utils.py:233] non-default args: {'model_tag': '/srv/secret-model', 'host': '10.1.2.3', 'max_num_seqs': 256, 'gpu_memory_utilization': 0.9}
(APIServer pid=1) INFO 11-20 10:00:05 [model.py:1510] Using max model len 8192
(APIServer pid=1) INFO 11-20 10:00:05 [scheduler.py:205] Chunked prefill is enabled with max_num_batched_tokens=8192.
(EngineCore_DP0 pid=7) INFO 11-20 10:00:09 [core.py:77] Initializing a V1 LLM engine (v0.11.1) with config: model='/srv/secret-model', dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=2, pipeline_parallel_size=1, data_parallel_size=1, quantization=None, kv_cache_dtype=fp8_e4m3, device_config=cuda
(Worker_TP0 pid=8) INFO 11-20 10:00:59 [gpu_model_runner.py:2653] Model loading took 65.7410 GiB and 31.402321 seconds
(Worker_TP1 pid=9) INFO 11-20 10:00:59 [gpu_model_runner.py:2653] Model loading took 65.7500 GiB and 31.902321 seconds
(Worker_TP0 pid=8) INFO 11-20 10:01:30 [gpu_worker.py:298] Available KV cache memory: 57.20 GiB
(Worker_TP1 pid=9) INFO 11-20 10:01:30 [gpu_worker.py:298] Available KV cache memory: 57.07 GiB
(EngineCore_DP0 pid=7) INFO 11-20 10:01:31 [kv_cache_utils.py:1087] GPU KV cache size: 748,080 tokens
(EngineCore_DP0 pid=7) INFO 11-20 10:01:31 [kv_cache_utils.py:1091] Maximum concurrency for 8,192 tokens per request: 91.32x
(Worker_TP0 pid=8) INFO 11-20 10:01:50 [gpu_model_runner.py:3480] Graph capturing finished in 19 secs, took 0.84 GiB
)log";

/// Of the first generation of the engine: blocks, and no word on their size.
inline const std::string kVllmBlocksLog =
    R"log(INFO 01-30 03:18:10 config.py:549] This model supports multiple tasks: {'generate'}. Defaulting to 'generate'.
INFO 01-30 03:18:12 gpu_model_runner.py:848] Loading model weights took 67.7229 GB
INFO 01-30 03:19:14 kv_cache_utils.py:395] # GPU blocks: 1381, # CPU blocks: 2048
INFO 01-30 03:19:14 kv_cache_utils.py:398] Maximum concurrency for 2048 tokens per request: 10.79x
)log";

inline const std::string kSglangLog =
    R"log([2025-11-20 10:00:00] server_args=ServerArgs(model_path='/srv/secret-model', host='10.1.2.3', tp_size=4, pp_size=1, dp_size=2, enable_dp_attention=True, mem_fraction_static=0.88, page_size=1, kv_cache_dtype='auto', max_running_requests=None)
[2025-11-20 10:00:40 DP0 TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.48 GB, mem usage=15.11 GB.
[2025-11-20 10:00:40 DP0 TP0] Using KV cache dtype: torch.bfloat16
[2025-11-20 10:00:40 DP0 TP0] KV Cache is allocated. #tokens: 442750, K size: 27.02 GB, V size: 27.02 GB
[2025-11-20 10:00:41 DP1 TP2] KV Cache is allocated. #tokens: 442750, K size: 27.02 GB, V size: 27.02 GB
[2025-11-20 10:00:50 DP0 TP0] max_total_num_tokens=442750, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2049, context_len=131072, available_gpu_mem=7.40 GB
)log";

/// The first pool is the one that TensorRT-LLM measures with.
inline const std::string kTrtLog =
    R"log([TensorRT-LLM] TensorRT-LLM version: 1.0.0
[TensorRT-LLM][INFO] Number of tokens per block: 32.
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 0.56 GiB for max tokens in paged KV cache (8224).
[11/20/2025-04:21:10] [TRT-LLM] [I] max_seq_len=8224, max_num_requests=64, max_num_tokens=8192, max_batch_size=64
[TensorRT-LLM][INFO] [MemUsageChange] Allocated 62.99 GiB for max tokens in paged KV cache (294848).
)log";

inline const std::string kLlamaLog =
    R"log(build: 6500 (0123abcd) with cc (Debian 12.2.0-14) 12.2.0 for x86_64-linux-gnu
llama_context: n_seq_max     = 4
llama_context: n_ctx         = 16384
llama_context: n_ctx_per_seq = 4096
llama_context: n_batch       = 2048
llama_context: n_ubatch      = 512
llama_kv_cache:      CUDA0 KV buffer size =  2048.00 MiB
llama_kv_cache: size = 2048.00 MiB (  4096 cells,  32 layers,  4/4 seqs), K (f16): 1024.00 MiB, V (f16): 1024.00 MiB
)log";

inline const std::string kVllmMetrics =
    R"log(# HELP vllm:num_requests_running Number of requests in model execution batches.
# TYPE vllm:num_requests_running gauge
vllm:num_requests_running{engine="0",model_name="/srv/secret-model"} 71.0
vllm:num_requests_waiting{engine="0",model_name="/srv/secret-model"} 12.0
vllm:kv_cache_usage_perc{engine="0",model_name="/srv/secret-model"} 0.97
vllm:prefix_cache_queries_total{engine="0",model_name="/srv/secret-model"} 2.0e+06
vllm:prefix_cache_hits_total{engine="0",model_name="/srv/secret-model"} 620000.0
vllm:prefix_cache_hits_created{engine="0",model_name="/srv/secret-model"} 1.79e+09
vllm:num_preemptions_total{engine="0",model_name="/srv/secret-model"} 3.0
vllm:prompt_tokens_total{engine="0",model_name="/srv/secret-model"} 2.0e+06
vllm:generation_tokens_total{engine="0",model_name="/srv/secret-model"} 500000.0
vllm:request_success_total{engine="0",finished_reason="stop",model_name="/srv/secret-model"} 900.0
vllm:request_success_total{engine="0",finished_reason="length",model_name="/srv/secret-model"} 100.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.5",model_name="/srv/secret-model"} 600.0
vllm:time_to_first_token_seconds_count{engine="0",model_name="/srv/secret-model"} 1000.0
vllm:time_to_first_token_seconds_sum{engine="0",model_name="/srv/secret-model"} 450.0
vllm:inter_token_latency_seconds_count{engine="0",model_name="/srv/secret-model"} 0.0
vllm:inter_token_latency_seconds_sum{engine="0",model_name="/srv/secret-model"} 0.0
vllm:cache_config_info{block_size="16",cache_dtype="fp8",engine="0",gpu_memory_utilization="0.9",num_gpu_blocks="46755",num_gpu_blocks_override="None"} 1.0
python_gc_objects_collected_total{generation="0"} 5.0
)log";

inline const std::string kSglangMetrics =
    R"log(# TYPE sglang:num_running_reqs gauge
sglang:num_running_reqs{model_name="m",dp_rank="0",tp_rank="0",priority=""} 30
sglang:num_running_reqs{model_name="m",dp_rank="0",tp_rank="1",priority=""} 30
sglang:num_running_reqs{model_name="m",dp_rank="1",tp_rank="2",priority=""} 34
sglang:num_running_reqs{model_name="m",dp_rank="1",tp_rank="2",priority="0"} 34
sglang:num_queue_reqs{model_name="m",dp_rank="0",tp_rank="0"} 0
sglang:token_usage{model_name="m",dp_rank="0",tp_rank="0"} 0.28
sglang:cache_hit_rate{model_name="m",dp_rank="0",tp_rank="0"} 0.42
sglang:max_total_num_tokens{model_name="m",dp_rank="0",tp_rank="0"} 442750
)log";

}  // namespace podwright
