"""Writes what fuzzing starts from, made of what the project has: requests, tables, files of other programs, small binary
files, command lines of the pages; and a dictionary of the words that readers know.

    seeds.py PODWRIGHT FOLDER     FOLDER/<target>/<name> for the targets of tests/fuzz, and FOLDER/keys.dict
"""

import csv
import io
import json
import pathlib
import re
import shlex
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/hostile"))

import documents  # noqa: E402
import files  # noqa: E402
import seeds  # noqa: E402

program, out = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
LARGEST = 20_000  # of a seed: fuzzers are slow on more
ROWS = 4  # of a table


def text_of(path):
    return path.read_text(encoding="utf-8")


def write(target, name, data):
    data = data if isinstance(data, bytes) else documents.as_bytes(data)
    if len(data) <= LARGEST:
        (out / target).mkdir(parents=True, exist_ok=True)
        (out / target / name).write_bytes(data)


def changed_cells(path, column, cell):
    """The head of a table with another cell in a column of each row."""
    rows = list(csv.reader(io.StringIO(head(path, 1))))
    for row in rows[1:]:
        row[column] = cell
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def head(path, rows=ROWS):
    lines = text_of(path).splitlines()
    # Rows from all over the table, which differ more than neighbours.
    return "\n".join([lines[0], *lines[1 :: max(1, len(lines) // rows)][:rows]]) + "\n"


LITERAL = re.compile(r'R"(\w*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|//[^\n]*', re.S)


def texts_of_tests(folder):
    """The longer texts of the tests of a room: (file of the test, text)."""
    for path in sorted((ROOT / "tests" / folder).glob("*")):
        if path.suffix not in {".cc", ".h"}:
            continue
        source, texts, end = text_of(path), [], None
        for found in LITERAL.finditer(source):
            raw, plain = found[2], found[3]
            if raw is None and plain is None:
                continue
            text = raw if raw is not None else plain.encode().decode("unicode_escape")
            # Texts side by side are one.
            if end is not None and not source[end : found.start()].strip():
                texts[-1] += text
            else:
                texts.append(text)
            end = found.end()
        yield from ((path.stem, text) for text in texts if len(text) >= 20)


# What reads the texts that tests of a room give to its readers.
READS = {"base": ["json"], "catalog": ["config", "weight_file"], "measure": ["import", "profile"], "calibration": ["table", "calibration"],
         "replay": ["table"], "api": ["request"]}  # fmt: skip


def part(name, text):
    """A file of an import."""
    return f"--- {name}\n{text}\n"


def texts():
    for folder, targets in READS.items():
        for i, (name, text) in enumerate(texts_of_tests(folder)):
            for target in targets:
                write(target, f"{folder}-{name}-{i}", part("file", text) if target == "import" else text)


def json_texts():
    for name, text in (("deep", '{"a":[' * 70), ("deep-text", '["\\"{[", ' + "[" * 80), ("empty", ""), ("blank", " \n"), ("zero", "{\0}"),
                       ("key", json.dumps({"k" * 2000: 1}))):  # fmt: skip
        write("json", name, text)


def requests():
    for name, item in (("gpu", {"base": 7}), ("gpu", {"base": "none"}), ("system", {"base": "dgx-h100", "id": "own", "gpus": 4}), ("system", 7)):
        for kind in ("training", "architecture", "plan"):
            asked = json.loads(text_of(ROOT / {"training": "examples/training_405b.json", "architecture": "examples/architecture_h100.json",
                                               "plan": "examples/chat_70b.json"}[kind]))  # fmt: skip
            write("request", f"{kind}-{name}-{str(item)[:12].replace('/', '')}", json.dumps(asked | {name: item}))
    for path in [*ROOT.glob("examples/*.json"), *ROOT.glob("tests/golden/requests/*.json")]:
        write("request", path.stem, path.read_bytes())
    for i, line in enumerate(text_of(ROOT / "examples/requests.jsonl").splitlines()):
        write("request", f"line-{i}", line)


def weight_files():
    for arch in ("llama", "qwen2", "gemma3", "deepseek2"):
        metadata, tensors = files.gguf_parts(arch)
        write("weight_file", f"{arch}.gguf", files.gguf(metadata, tensors))
        more = [(f"{arch}.{key}", 4, value) for key, value in
                (("expert_count", 8), ("expert_used_count", 2), ("expert_feed_forward_length", 128), ("expert_shared_count", 1),
                 ("leading_dense_block_count", 1), ("interleave_moe_layer_step", 2), ("attention.kv_lora_rank", 64), ("attention.q_lora_rank", 64),
                 ("attention.key_length", 64), ("attention.value_length", 64), ("attention.sliding_window", 512), ("ssm.state_size", 16),
                 ("nextn_predict_layers", 1), ("vocab_size", 64))]  # fmt: skip
        more += [("split.count", 4, 2), ("split.tensors.count", 4, 99), (f"{arch}.attention.sliding_window_pattern", 9, (7, [b"\1"]))]
        names = ["ffn_gate_exps.weight", "ffn_down_exps.weight", "ffn_down_shexp.weight", "ffn_gate_inp_shexp.weight", "exp_probs_b.bias",
                 "ffn_up_exps.bias", "attn_q_norm.weight", "attn_q.bias", "attn_output.bias", "ffn_up.bias", "attn_sinks"]  # fmt: skip
        # In a gap behind the small model's tensors.
        exps = [(f"blk.0.{name}", [64, 32], 0, (1 << 20) + 8192 * i) for i, name in enumerate([*names, "position_embd.weight"])]
        write("weight_file", f"{arch}-experts.gguf", files.gguf(metadata + more, tensors + exps))
        short = [item for item in metadata if "length" not in item[0] and "tokens" not in item[0]]
        write("weight_file", f"{arch}-missing.gguf", files.gguf(short, []))
    metadata, tensors = files.gguf_parts()
    for name, kind, value in (("list", 9, (4, [2])), ("lists", 9, (9, [(4, [2]), (4, [3, 1])])), ("float", 6, 2.5), ("double", 12, struct.pack("<d", 2)),
                              ("small", 1, b"\xfe"), ("flag", 7, b"\1"), ("signed", 11, struct.pack("<q", -3)), ("unknown", 99, b"")):  # fmt: skip
        other = [item for item in metadata if item[0] != "llama.attention.head_count_kv"]
        write("weight_file", f"metadata-{name}.gguf", files.gguf([*other, ("llama.attention.head_count_kv", kind, value)], tensors))
    write("weight_file", "version-9.gguf", files.gguf(metadata, tensors, version=9))
    write("weight_file", "big-endian.gguf", b"GGUF" + struct.pack(">I", 3))
    for name, tensor in (("type", ("x", [32], 999, 0)), ("blocks", ("x", [33], 12, 0)), ("huge", ("x", [1 << 60], 0, 0)), ("twice", tensors[0])):
        write("weight_file", f"tensor-{name}.gguf", files.gguf(metadata, [*tensors, tensor]))
    header = documents.written(files.safetensors_header())
    write("weight_file", "small.safetensors", files.safetensors(header.encode()))
    index = {"metadata": {"total_size": 148}, "weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}
    write("weight_file", "index.json", json.dumps(index))
    for path in ROOT.glob("tests/fuzz/corpus/config/*.json"):
        write("weight_file", path.name, path.read_bytes())


def catalogs():
    facts = ROOT / "core/catalog/data"
    sources = documents.read(text_of(facts / "sources.json"))
    by_id = {dict(source)["id"]: source for source in sources}

    def with_sources(name, text):
        """The file with the sources that it names, so that it can be read by itself."""
        named = [source for word, source in by_id.items() if f'"{word}"' in text or re.search(rf"(?:^|,){re.escape(word)}(?:,|$)", text, re.M)]
        return f"--- sources.json\n{documents.written(named)}\n--- {name}\n{text}\n"

    for path in facts.glob("*.csv"):
        write("catalog", path.stem, with_sources(path.name, head(path)))
        for column, name in enumerate(text_of(path).split("\n", 1)[0].split(",")):
            for cell in ("x", "-1", ""):
                write("catalog", f"{path.stem}-{name}-{cell}", with_sources(path.name, changed_cells(path, column, cell)))
        write("catalog", f"{path.stem}-columns", with_sources(path.name, head(path).replace(",", ",x", 1)))
    gpu = text_of(facts / "gpus/h100-sxm5-80gb.json")
    more = {"base": '{"base": "h100-sxm5-80gb", "id": "h100-own", "memory_gb": 96}', "patch": '{"base": "h100-sxm5-80gb", "memory_gb": -1}',
            "nothing": '{"base": "none"}', "broken": '{"id": '}  # fmt: skip
    for name, text in more.items():
        write("catalog", f"gpu-{name}", with_sources("gpus/h100-sxm5-80gb.json", gpu) + f"--- gpus/other.json\n{text}\n")
    for name, text in (("aliases", '{"gpus": {"h100-sxm5-80gb": "x", "own": "h100-sxm5-80gb", "y": 7}, "none": {}}'), ("sources", "{}"),
                       ("sources-text", "7"), ("none", "[]"), ("models/x", "{}")):  # fmt: skip
        write("catalog", f"file-{name.replace('/', '-')}", with_sources("gpus/h100-sxm5-80gb.json", gpu) + f"--- {name}.json\n{text}\n")
    for path in facts.glob("*.json"):
        write("catalog", path.stem, with_sources(path.name, text_of(path)))
    for folder in (path for path in facts.iterdir() if path.is_dir()):
        for path in sorted(folder.glob("*.json"))[:: max(1, len(list(folder.glob("*.json"))) // ROWS)]:
            write("catalog", f"{folder.name}-{path.stem}", with_sources(f"{folder.name}/{path.name}", text_of(path)))


def tables():
    for path in [*ROOT.glob("tests/measured/data/*.csv"), ROOT / "examples/own_runs.csv", ROOT / "examples/quotes.csv"]:
        write("table", path.stem, head(path))
        if path.stem.startswith("training_"):
            continue  # columns as training.csv has them
        for column, name in enumerate(text_of(path).split("\n", 1)[0].split(",")):
            for cell in ("", "3", "x"):
                write("table", f"{path.stem}-{name}-{cell}", changed_cells(path, column, cell))
    # Models that only the row describes.
    sizes = "layers,hidden,heads,kv_heads,ffn,vocab,experts,topk,ffn_is_per_expert,seq_len,gpu,num_gpus,tp,pp,global_batch,step_time_s"
    for i, row in enumerate(("32,4096,32,8,14336,128256,,,,4096,H100,64,2,2,128,1.5", "24,2048,,,,,,,,2048,A100,8,1,1,64,1",
                             "32,4096,32,8,1408,,64,6,true,4096,H100,64,1,1,512,2", "61,7168,128,,18432,129280,256,8,false,4096,H800,2048,1,16,15360,9", "30,7168,,,18432,,,,true,4096,H800,2048,1,16,15360,9",
                             "20,7168,,,2000,,,,false,4096,H800,2048,1,16,15360,9",
                             ",4096,,,,,,,,4096,H100,8,1,1,8,1", "7,100,,,,,1,,,128,H100,3,2,1,7,1")):  # fmt: skip
        for model in ("own-model", "deepseek-v3", "mixtral-8x7b-v0.1", "qwen3-next-80b-a3b"):
            write("table", f"model-{i}-{model}", f"model,{sizes},framework\n{model},{row},megatron-core\n")
            write("table", f"model-id-{i}-{model}", f"model_id,{sizes},framework\n{model},{row},megatron-core\n")
    for request in ROOT.glob("tests/golden/requests/*.json"):
        asked = json.loads(text_of(request))
        for i, text in enumerate([asked.get("csv"), asked.get("trace"), *(file.get("csv") for file in asked.get("files", []))]):
            if text:
                write("table", f"{request.stem}-{i}", text)


def imports():
    for path in [*ROOT.glob("tests/measure/data/imports/*"), ROOT / "examples/vllm_start.log", ROOT / "tests/measure/data/hot_h100.xml"]:
        write("import", path.name, part(path.name, text_of(path)[: LARGEST - 100]))

    def record(start, **more):
        metrics = {"time_to_first_token": (60, "ms"), "inter_token_latency": (10, "ms"), "output_sequence_length": (100, "tokens"),
                   "input_sequence_length": (1024, "tokens")}  # fmt: skip
        given = {"metadata": {"request_start_ns": start, "request_end_ns": start + 10**9, "benchmark_phase": "profiling", "was_cancelled": False},
                 "metrics": {key: {"value": value, "unit": unit} for key, (value, unit) in metrics.items()}, "error": None}  # fmt: skip
        return json.dumps(given | more) + "\n"

    records = record(10**18) + record(10**18 + 10**8) + record(10**18, error={"code": 499})
    write("import", "aiperf-records", part("profile_export.jsonl", records))
    write("import", "aiperf-records-empty", part("profile_export.jsonl", record(10**18, metrics={"x": {"value": 1, "unit": "ms"}})))
    texts = [text for _, text in texts_of_tests("measure") if len(text) > 200]
    # Two that may be of one machine or engine, and some as what they are not.
    for i, (one, other) in enumerate(zip(texts, texts[1:], strict=False)):
        write("import", f"two-{i}", part("one", one) + part("other", other))
        write("import", f"changed-{i}", part("one", one) + part("other", re.sub(r"[1-8]", lambda digit: str(int(digit[0]) + 1), one)))
    for i, word in enumerate(("vllm-bench", "nccl-tests", "all_reduce", "nvidia-smi", "engine-log")):
        write("import", f"as-{i}", part(f"file as {word}", texts[i]))


def profiles(given):
    for name, only in (("copies", "hbm"), ("products", "gemm.bf16"), ("launch", "launch")):
        written = given.output("probe", "--backend", "fake", "--quick", "--only", only, "--json", "--share")
        # Raw samples make up most of a profile; readers need few of them.
        profile = json.loads(written.replace('"backend":"fake"', '"backend":"cuda"'))
        for result in profile["results"]:
            result["samples_s"] = result.get("samples_s", [])[:8]
        profile["results"] = profile["results"][:4]
        digested = files.digested(json.dumps(profile).encode())
        write("profile", name, digested)
        write("import", name, part("profile.json", digested.decode()) * 2)
    result = json.loads(given.output("probe", "--backend", "fake", "--quick", "--only", "hbm", "--json", "--share"))["results"][0]
    pair = result | {"probe": "coll.sendrecv", "devices": ["n0.d0", "n1.d0"], "size": {"bytes": 1e8, "ranks": 2, "nodes": 2}}
    lost = result | {"probe": "coll.sendrecv", "devices": ["n0.d0", "n7.d0"]}
    for part_of_run in ("started", "alone", "waited", "together", "ended"):
        for ranks in (1, 2, 5, 1_000_000):
            rank = {"rank": 0, "ranks": ranks, "part": part_of_run, "node": "x", "came_s": 5, "waited_s": 3}
            write("profile", f"rank-{part_of_run}-{ranks}", json.dumps({"run": {"rank": rank}, "exchanges": [pair, lost]}))
    write("calibration", "whole", documents.written(given.calibration))
    device = json.loads(documents.written(given.calibration))["devices"][0]
    for rate in device["rates"]:
        for changes in ({}, {"unit": "1"}, {"typical": 1e9}, {"operation": "x"}, {"low": None},
                        {"against": {"host": 2, "reference": 3, "half_width": 0.1, "sizes": 2, "source": "x"}}):  # fmt: skip
            one = {"schema": "podwright-calibration/2", "devices": [device | {"rates": [rate | changes]}]}
            write("calibration", f"{rate['probe']}-{'-'.join(changes)}", json.dumps(one))
    for changes in ({"gpu": {"base": "h100-sxm5-80gb", "id": "own", "name": "Own"}}, {"gpu": 7}, {"gpu": "nothing"}, {"profile_digest": "x"},
                    {"backend": "fake"}, {"rates": []}):  # fmt: skip
        one = {"schema": "podwright-calibration/2", "devices": [device | changes, device]}
        write("calibration", "-".join(f"{key}-{value}" for key, value in changes.items())[:40].replace("/", "-"), json.dumps(one))


def names():
    for i in range(12):  # the length chooses the design
        write("export", f"design-{i}", "name" + "x" * i + "\n")
    for i in range(0, len(documents.HOSTILE_TEXTS), 4):
        write("export", f"names-{i}", "\n".join(text.replace("\n", " ") for text in documents.HOSTILE_TEXTS[i : i + 4])[:1000])
    write("export", "plain", "one\ntwo\n")


def command_lines():
    """Those of the pages."""
    count = 0
    for page in [ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("docs/method/*.md")]:
        for line in re.findall(r"podwright ((?:%s) --[^`\n|#>]*)" % "|".join(seeds.ASKING), text_of(page)):
            try:
                words = shlex.split(line)
            except ValueError:
                continue
            write("words", f"page-{count}", "\n".join(words) + "\n")
            count += 1
    for i, more in enumerate((["--set", "gpu=h200"], ["--set", "nothing"], ["--set", "a[x]=1"], ["--set", "traffic={\"turns\":2}"], ["--set", "/a/0/b=1"],
                              ["--set", "workloads[7].x=1"], ["--set", "gpu.x=1"], ["--set", "gpu=null"], ["--gpu", "nothing"], ["--gpu-count", "x"],
                              ["--model", "meta-llama/Llama-3.1-8B-Instruct"], ["--model", "none.json"], ["--model", "no model"], ["--set", "output_lengths=[1]"], ["--set", "=1"])):  # fmt: skip
        for verb in ("estimate", "plan", "search"):
            given = [] if "--model" in more else ["--model", "llama-3.1-8b"]
            write("words", f"set-{i}-{verb}", "\n".join([verb, *given, "--gpu", "h200", "--gpu-count", "1", *more]) + "\n")


def dictionary(given):
    """Names and words of the field tables, of the facts, of headers of tables, and of what readers compare with."""
    words = set()

    def of_schema(schema):
        if isinstance(schema, dict):
            words.update(schema.get("properties", {}))
            words.update(str(word) for word in schema.get("enum", ()))
            for inner in schema.values():
                of_schema(inner)
        elif isinstance(schema, list):
            for inner in schema:
                of_schema(inner)

    of_schema(list(given.schemas.values()))
    for path in [*ROOT.glob("core/catalog/data/**/*.json"), *ROOT.glob("tests/fuzz/corpus/config/*.json")]:
        words.update(place[2] for place in documents.places(documents.read(text_of(path))) if place[2])
    for path in [*ROOT.glob("core/catalog/data/*.csv"), *ROOT.glob("tests/measured/data/*.csv"), *ROOT.glob("examples/*.csv")]:
        words.update(text_of(path).split("\n", 1)[0].split(","))
    for path in [*ROOT.glob("core/catalog/**/*.cc"), *ROOT.glob("core/measure/*.cc"), *ROOT.glob("core/replay/trace_file.cc")]:
        words.update(re.findall(r'"([\w.:=-]{2,40})"', text_of(path)))
    lines = ['"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in sorted(words) if word.isascii() and word.isprintable() and word]
    numbers = ["-1", "0.5", "1e300", "1e-308", "9007199254740993", "18446744073709551615"]
    (out / "keys.dict").write_text("\n".join([*lines, *(f'"{number}"' for number in numbers)]) + "\n", encoding="utf-8")
    return len(lines)


given = seeds.Seeds(program)
for make in (texts, json_texts, requests, weight_files, catalogs, tables, imports, names, command_lines):
    make()
profiles(given)
words = dictionary(given)
for folder in sorted(path for path in out.iterdir() if path.is_dir()):
    print(f"{folder.name:12} {len(list(folder.iterdir())):4} seeds, {sum(p.stat().st_size for p in folder.iterdir()) / 1024:.0f} KiB")
print(f"{words} words in the dictionary")
