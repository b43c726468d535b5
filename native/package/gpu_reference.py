"""What PyTorch reaches on this GPU, to hold probes and predictions against. One JSON object a line.

    gpu_reference.py kernels   copies (cudaMemcpy), products, attention over prompts and over caches
    gpu_reference.py decode    a decoding step of Llama-3.1-8B's shape, random weights, one CUDA graph
    gpu_reference.py train     a training step of Llama-3.2-1B's shape, micro-batch 2 x 4096

Exit status: 0 measured, 3 there is no PyTorch or no GPU for it; one failure leaves the others and is a line with `error`.
"""

import json
import statistics
import sys

try:
    import torch
    import torch.nn.functional as F
except ImportError as error:
    print(f"PyTorch cannot be imported: {error}", file=sys.stderr)
    sys.exit(3)

MIB = 1 << 20
# Shapes as the catalog's models llama-3.1-8b and llama-3.2-1b, whose files name the sources of each number.
DECODED = dict(layers=32, hidden=4096, ffn=14336, heads=32, groups=8, dim=128, words=128256)
TRAINED = dict(
    num_hidden_layers=16, hidden_size=2048, intermediate_size=8192, num_attention_heads=32, num_key_value_heads=8,
    head_dim=64, vocab_size=128256, max_position_embeddings=8192, tie_word_embeddings=True,
)  # fmt: skip
# A prompt of 1024 tokens and half of 256 further ones: the middle of the request serving_8b.
DECODE_CONTEXT = 1024 + 256 // 2


def say(**facts):
    print(json.dumps(facts), flush=True)


def guarded(name, act):
    try:
        act()
    except Exception as error:
        say(left_out=name, error=f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:300])
    torch.cuda.empty_cache()


def seconds(act, repeats, warm_ups=3, samples=9):
    """Of one call, median of samples of `repeats` calls each."""
    for _ in range(warm_ups):
        act()
    torch.cuda.synchronize()
    times = []
    for _ in range(samples):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(repeats):
            act()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1e-3 / repeats)
    return statistics.median(times)


def random(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)


# ---- kernels ---------------------------------------------------------------------------------------------------------


def copies():
    """PyTorch copies whole tensors by cudaMemcpyAsync. Sizes are those of the probes."""
    sizes = {"pcie.h2d": 256 * MIB, "pcie.d2h": 256 * MIB, "hbm.copy": 1024 * MIB, "hbm.d2d_ce": 2048 * MIB}
    for probe, size in sizes.items():
        device = torch.empty(size, dtype=torch.uint8, device="cuda")
        linked = probe.startswith("pcie")
        other = torch.empty(size, dtype=torch.uint8, pin_memory=True) if linked else torch.empty_like(device)
        to, source = (other, device) if probe == "pcie.d2h" else (device, other)
        say(probe=probe, size={"bytes": size}, time_s=seconds(lambda: to.copy_(source, non_blocking=True), 5))


def products():
    for m, n, k in [(4096, 4096, 4096), (8192, 8192, 8192), (4096, 8192, 8192), (2048, 16384, 8192), (4096, 4096, 16384)]:
        x, w = random(m, k), random(n, k)
        repeats = max(3, int(2e-2 * 6e14 / (2 * m * n * k)))  # about 20 ms on an H100
        say(probe="gemm.bf16", size={"m": m, "n": n, "k": k}, time_s=seconds(lambda: F.linear(x, w), repeats))


def products_fp8():
    one = torch.ones((), device="cuda")
    for m, n, k in [(4096, 4096, 4096), (8192, 8192, 8192)]:
        x, w = (random(rows, k).to(torch.float8_e4m3fn) for rows in (m, n))
        act = lambda: torch._scaled_mm(x, w.t(), one, one, out_dtype=torch.bfloat16, use_fast_accum=True)
        say(probe="gemm.fp8", size={"m": m, "n": n, "k": k}, time_s=seconds(act, 12))


def prompts():
    from torch.nn.attention import SDPBackend, sdpa_kernel

    for context in (1024, 4096, 8192):
        q, k, v = (random(1, 32, context, 128) for _ in range(3))
        for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION):
            with sdpa_kernel(backend):
                s = seconds(lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True), 10)
            say(probe="prefill.attn", size={"context_tokens": context}, by=backend.name, time_s=s)


def caches():
    for batch, context in [(16, 8192), (64, 8192), (1, 131072)]:
        q = random(batch, 32, 1, 128)
        k, v = (random(batch, 8, context, 128) for _ in range(2))
        s = seconds(lambda: F.scaled_dot_product_attention(q, k, v, enable_gqa=True), 10)
        say(probe="decode.attn", size={"batch": batch, "context_tokens": context}, dtype="bf16", time_s=s)


def kernels():
    for act in (copies, products, products_fp8, prompts, caches):
        guarded(act.__name__, act)


# ---- steps of models -------------------------------------------------------------------------------------------------


def decode():
    shape = DECODED
    hidden, heads, groups, dim = (shape[key] for key in ("hidden", "heads", "groups", "dim"))
    weight = lambda *sides: random(*sides) * 0.02
    norm = torch.ones(hidden, device="cuda", dtype=torch.bfloat16)
    layers = [
        dict(
            qkv=weight((heads + 2 * groups) * dim, hidden), out=weight(hidden, heads * dim),
            up=weight(2 * shape["ffn"], hidden), down=weight(hidden, shape["ffn"]),
        )
        for _ in range(shape["layers"])
    ]  # fmt: skip
    head = weight(shape["words"], hidden)
    for batch in (1, 16, 64):
        guarded(f"decode {batch}", lambda batch=batch: decode_step(shape, layers, norm, head, batch))


def decode_step(shape, layers, norm, head, batch):
    hidden, heads, groups, dim = (shape[key] for key in ("hidden", "heads", "groups", "dim"))
    kept = [random(2, batch, groups, DECODE_CONTEXT, dim) for _ in layers]
    begin = random(batch, hidden)
    place = torch.full((1,), DECODE_CONTEXT - 1, device="cuda")

    def step():
        x = begin
        for layer, cache in zip(layers, kept):
            y = F.linear(F.rms_norm(x, (hidden,), norm), layer["qkv"]).view(batch, heads + 2 * groups, 1, dim)
            cache[0].index_copy_(2, place, y[:, heads : heads + groups])
            cache[1].index_copy_(2, place, y[:, heads + groups :])
            z = F.scaled_dot_product_attention(y[:, :heads], cache[0], cache[1], enable_gqa=True)
            x = x + F.linear(z.reshape(batch, heads * dim), layer["out"])
            gate, up = F.linear(F.rms_norm(x, (hidden,), norm), layer["up"]).chunk(2, -1)
            x = x + F.linear(F.silu(gate) * up, layer["down"])
        return F.linear(F.rms_norm(x, (hidden,), norm), head).argmax(-1)

    with torch.no_grad(), torch.cuda.stream(torch.cuda.Stream()):
        step(), step()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        step()
    say(step="decode", batch=batch, context_tokens=DECODE_CONTEXT, time_s=seconds(graph.replay, 10))


def train():
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(**TRAINED)
    config._attn_implementation = "sdpa"
    model = LlamaForCausalLM(config).to("cuda", torch.bfloat16).train()
    for compiled in (False, True):
        guarded("train, compiled" if compiled else "train", lambda compiled=compiled: train_step(model, compiled))


def train_step(model, compiled):
    run = torch.compile(model) if compiled else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    tokens = torch.randint(0, TRAINED["vocab_size"], (2, 4096), device="cuda")

    def step():
        run(input_ids=tokens, labels=tokens, use_cache=False).loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    time_s = seconds(step, 3, samples=5)
    say(step="train", compiled=compiled, time_s=time_s, peak_gib=torch.cuda.max_memory_allocated() / 2**30)


if __name__ == "__main__":
    if not torch.cuda.is_available():
        print("PyTorch finds no GPU", file=sys.stderr)
        sys.exit(3)
    say(torch=torch.__version__, cuda=torch.version.cuda, device=torch.cuda.get_device_name())
    act = {"kernels": kernels, "decode": decode, "train": train}[sys.argv[1]]
    guarded(sys.argv[1], act)
