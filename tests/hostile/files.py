"""Files of other programs, built small and then changed in their structure or in their bytes."""

import hashlib
import json
import math
import struct

import documents
from documents import HOSTILE_TEXTS, Members, as_bytes

# Type numbers of GGUF's metadata.
_U32, _TEXT, _LIST, _U64, _F32 = 4, 8, 9, 10, 6

# More than the data of all tensors of the small model; a file ends where its hole does.
DATA_BYTES = 1 << 20

HOSTILE_COUNTS = [0, 1, 2, 3, 7, 255, 65535, 2**31 - 1, 2**31, 2**32 - 1, 10**9]
HOSTILE_LENGTHS = [0, 1, 2**31, 2**32, 2**40, 2**62, 2**63, 2**64 - 1, 10**6]


def gguf_parts(arch="llama"):
    """Metadata and tensors of a model of one layer."""
    numbers = {"block_count": 1, "embedding_length": 256, "feed_forward_length": 512, "context_length": 8192,
               "attention.head_count": 4, "attention.head_count_kv": 2, "rope.dimension_count": 64}  # fmt: skip
    metadata = [("general.architecture", _TEXT, arch), ("general.name", _TEXT, "Small model")]
    metadata += [(f"{arch}.{key}", _U32, value) for key, value in numbers.items()]
    metadata += [("tokenizer.ggml.tokens", _LIST, (_TEXT, ["a", "b"])), ("general.file_type", _U32, 15)]
    shapes = {"token_embd.weight": ([256, 64], 12), "output.weight": ([256, 64], 14), "output_norm.weight": ([256], 0),
              "blk.0.attn_norm.weight": ([256], 0), "blk.0.attn_q.weight": ([256, 256], 12),
              "blk.0.attn_k.weight": ([256, 128], 12), "blk.0.attn_v.weight": ([256, 128], 14),
              "blk.0.attn_output.weight": ([256, 256], 12), "blk.0.ffn_norm.weight": ([256], 0),
              "blk.0.ffn_gate.weight": ([256, 512], 12), "blk.0.ffn_up.weight": ([256, 512], 12),
              "blk.0.ffn_down.weight": ([512, 256], 12)}  # fmt: skip
    of_block = {0: (1, 4), 12: (256, 144), 14: (256, 210)}
    tensors, offset = [], 0
    for name, (shape, kind) in shapes.items():
        tensors.append((name, shape, kind, offset))
        weights, size = of_block[kind]
        offset += -(-(math.prod(shape) // weights * size) // 32) * 32
    return metadata, tensors


def gguf(metadata, tensors, version=3, counts=(None, None)):
    def text(value):
        data = as_bytes(value)
        return struct.pack("<Q", len(data)) + data

    def value(kind, given):
        if isinstance(given, bytes):
            return given
        if kind == _TEXT:
            return text(given)
        if kind == _LIST:
            inner, items = given
            return struct.pack("<IQ", inner, len(items)) + b"".join(value(inner, item) for item in items)
        return struct.pack({_U32: "<I", _U64: "<Q", _F32: "<f"}[kind], given)

    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors) if counts[0] is None else counts[0],
                                len(metadata) if counts[1] is None else counts[1])  # fmt: skip
    out += b"".join(text(key) + struct.pack("<I", kind) + value(kind, given) for key, kind, given in metadata)
    for name, shape, kind, offset in tensors:
        out += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)
    return out


def hostile_gguf(rng):
    arch = rng.choice(["llama", "llama", "qwen2", "gemma3", "deepseek2", "mixtral", "mamba", "phi3", "gpt-oss"])
    metadata, tensors = gguf_parts(arch)
    version, counts = 3, [None, None]
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        way = rng.randrange(10)
        i, t = rng.randrange(len(metadata)), rng.randrange(len(tensors))
        key, kind, given = metadata[i]
        name, shape, tensor_type, offset = tensors[t]
        if way < 3:
            numbers = [j for j, entry in enumerate(metadata) if entry[1] == _U32]
            if numbers:
                j = rng.choice(numbers)
                metadata[j] = (metadata[j][0], _U32, rng.choice(HOSTILE_COUNTS))
        elif way == 3:
            metadata[i] = (key, _TEXT, rng.choice(HOSTILE_TEXTS))
        elif way == 4:
            extra = rng.choice(["expert_count", "expert_used_count", "attention.sliding_window", "attention.key_length",
                                "attention.kv_lora_rank", "vocab_size", "leading_dense_block_count", "ssm.state_size",
                                "nextn_predict_layers", "expert_feed_forward_length", "attention.chunk_size"])  # fmt: skip
            metadata.append((f"{arch}.{extra}", _U32, rng.choice(HOSTILE_COUNTS)))
        elif way == 5:
            metadata[i] = (key, _LIST, (_U32, [rng.choice(HOSTILE_COUNTS)] * rng.choice([0, 1, 2, 1000])))
        elif way == 6:
            tensors[t] = (rng.choice([name, *HOSTILE_TEXTS]), [rng.choice(HOSTILE_LENGTHS)] * rng.choice([0, 1, 2, 4, 5, 70]),
                          tensor_type, offset)  # fmt: skip
        elif way == 7:
            tensors[t] = (name, shape, rng.choice([0, 1, 2, 39, 4, 200, 2**32 - 1]), rng.choice([offset, 0, 1, 2**63]))
        elif way == 8:
            counts[rng.randrange(2)] = rng.choice(HOSTILE_LENGTHS)
        else:
            chosen = rng.randrange(4)
            if chosen == 0:
                version = rng.choice([0, 1, 2, 4, 3 << 24])
            elif chosen == 1:
                metadata.append(metadata[i])
            elif chosen == 2:
                tensors.append(tensors[t])
            else:  # a list of lists, or a text, whose length says more than the file has
                length = struct.pack("<Q", rng.choice(HOSTILE_LENGTHS))
                metadata[i] = (key, *rng.choice([(_TEXT, length + b"x"), (_LIST, struct.pack("<I", 9) + length),
                                                 (_LIST, (struct.pack("<I", 9) + struct.pack("<Q", 1)) * 1000)]))  # fmt: skip
    data = gguf(metadata, tensors, version, counts)
    if rng.random() < 0.25:
        data = documents.changed_bytes(rng, data)
    return data, DATA_BYTES + rng.choice([0, 0, 0, 5_000_000_000, -DATA_BYTES])


def safetensors_header():
    tensors, at = [("__metadata__", Members([("format", "pt")]))], 0
    for name, dtype, shape, size in [("model.embed_tokens.weight", "BF16", [10, 4], 80),
                                     ("model.layers.0.mlp.gate_proj.weight", "F8_E4M3", [8, 4], 32),
                                     ("model.layers.0.mlp.gate_proj.weight_scale_inv", "F32", [1, 1], 4),
                                     ("model.layers.0.self_attn.q_proj.qweight", "I32", [4, 2], 32)]:  # fmt: skip
        tensors.append((name, Members([("dtype", dtype), ("shape", shape), ("data_offsets", [at, at + size])])))
        at += size
    return Members(tensors)


def safetensors(header, length=None):
    return struct.pack("<Q", len(header) if length is None else length) + header + bytes(148)


def hostile_safetensors(rng):
    header = safetensors_header()
    if rng.random() < 0.1:
        count = rng.choice([100, 5000])
        header = Members((f"t{i}", Members([("dtype", "BF16"), ("shape", [2]), ("data_offsets", [4 * i, 4 * i + 4])]))
                         for i in range(count))  # fmt: skip
    pool = documents.Pool([header])
    text = documents.changed(rng, header, pool)
    data = safetensors(text, rng.choice(HOSTILE_LENGTHS) if rng.random() < 0.1 else None)
    return documents.changed_bytes(rng, data) if rng.random() < 0.2 else data


def hostile_index(rng):
    """An index and its files, by their names."""
    names = [f"model-{i:05}-of-00002.safetensors" for i in (1, 2)]
    tensors = list(safetensors_header())[1:]
    index = Members([("metadata", Members([("total_size", 148)])),
                     ("weight_map", Members((name, names[i % 2]) for i, (name, _) in enumerate(tensors)))])  # fmt: skip
    text = documents.changed(rng, index, documents.Pool([index]))
    found = {"model.safetensors.index.json": text}
    for name in names:
        if rng.random() < 0.9:
            found[name] = hostile_safetensors(rng) if rng.random() < 0.3 else safetensors(as_bytes(documents.written(safetensors_header())))
    return found


# ---- profiles --------------------------------------------------------------------------------------------------------


def number_text(value):
    """As ECMAScript writes a number, which the digest of a profile is taken of."""
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{float(value)!r}".partition("e")
    sign = "-" if value < 0 else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction.removesuffix("0") if fraction == "0" else whole + fraction).lstrip("0")
    point = int(exponent or 0) + (len(whole) if whole != "0" else len(fraction.lstrip("0")) - len(fraction))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = f"e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return sign + digits[0] + ("." + digits[1:] if digits[1:] else "") + power


def canonical(node):
    if isinstance(node, dict):
        return "{" + ",".join(f"{json.dumps(key, ensure_ascii=False)}:{canonical(node[key])}"
                              for key in sorted(node, key=lambda key: key.encode("utf-16-be", "surrogatepass"))) + "}"  # fmt: skip
    if isinstance(node, list):
        return "[" + ",".join(canonical(item) for item in node) + "]"
    if isinstance(node, bool) or node is None or isinstance(node, str):
        return json.dumps(node, ensure_ascii=False)
    return number_text(node)


def digested(data):
    """The profile in canonical form with a digest that fits it, where it is JSON at all."""
    try:
        profile = json.loads(data)
        rest = {key: value for key, value in profile.items() if key != "integrity"}
        profile["integrity"] = {"alg": "sha256-jcs", "digest": hashlib.sha256(as_bytes(canonical(rest))).hexdigest()}
        return as_bytes(canonical(profile) + "\n")
    except (ValueError, AttributeError, TypeError, OverflowError, RecursionError):
        return data


def hostile_profile(rng, profile):
    data = documents.changed(rng, profile, documents.Pool([profile]))
    return digested(data) if rng.random() < 0.85 else data
