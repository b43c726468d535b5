"""Writes what fuzzing starts from, made of what the project has: requests, tables, files of other programs, small binary
files, command lines of the pages; and a dictionary of the words that readers know.

    seeds.py PODWRIGHT FOLDER     FOLDER/<target>/<name> for the targets of tests/fuzz, and FOLDER/keys.dict
"""

import json
import pathlib
import re
import shlex
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


def head(path, rows=ROWS):
    lines = text_of(path).splitlines()
    # Rows from all over the table, which differ more than neighbours.
    return "\n".join([lines[0], *lines[1 :: max(1, len(lines) // rows)][:rows]]) + "\n"


def requests():
    for path in [*ROOT.glob("examples/*.json"), *ROOT.glob("tests/golden/requests/*.json")]:
        write("request", path.stem, path.read_bytes())
    for i, line in enumerate(text_of(ROOT / "examples/requests.jsonl").splitlines()):
        write("request", f"line-{i}", line)


def weight_files():
    for arch in ("llama", "qwen2", "gemma3", "deepseek2"):
        metadata, tensors = files.gguf_parts(arch)
        write("weight_file", f"{arch}.gguf", files.gguf(metadata, tensors))
        experts = [(f"{arch}.{key}", 4, value) for key, value in
                   (("expert_count", 8), ("expert_used_count", 2), ("expert_feed_forward_length", 128), ("expert_shared_count", 1),
                    ("leading_dense_block_count", 1), ("attention.kv_lora_rank", 64), ("attention.q_lora_rank", 64),
                    ("attention.key_length", 64), ("attention.value_length", 64), ("attention.sliding_window", 512),
                    ("nextn_predict_layers", 1), ("vocab_size", 64))]  # fmt: skip
        exps = [("blk.0.ffn_gate_exps.weight", [256, 128, 8], 12, 0), ("blk.0.ffn_down_exps.weight", [128, 256, 8], 0, 0),
                ("blk.0.ffn_gate_inp.weight", [256, 8], 0, 0), ("blk.0.attn_q_norm.weight", [64], 0, 0)]  # fmt: skip
        write("weight_file", f"{arch}-experts.gguf", files.gguf(metadata + experts, tensors + exps))
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
    for path in facts.glob("*.json"):
        write("catalog", path.stem, with_sources(path.name, text_of(path)))
    for folder in (path for path in facts.iterdir() if path.is_dir()):
        for path in sorted(folder.glob("*.json"))[:: max(1, len(list(folder.glob("*.json"))) // ROWS)]:
            write("catalog", f"{folder.name}-{path.stem}", with_sources(f"{folder.name}/{path.name}", text_of(path)))


def tables():
    for path in [*ROOT.glob("tests/measured/data/*.csv"), ROOT / "examples/own_runs.csv", ROOT / "examples/quotes.csv"]:
        write("table", path.stem, head(path))
    for request in ROOT.glob("tests/golden/requests/*.json"):
        asked = json.loads(text_of(request))
        for i, text in enumerate([asked.get("csv"), asked.get("trace"), *(file.get("csv") for file in asked.get("files", []))]):
            if text:
                write("table", f"{request.stem}-{i}", text)


def imports():
    for path in [*ROOT.glob("tests/measure/data/imports/*"), ROOT / "examples/vllm_start.log", ROOT / "tests/measure/data/hot_h100.xml"]:
        write("import", path.name, path.name + "\n" + text_of(path)[: LARGEST - 100])


def profiles(given):
    for name, only in (("copies", "hbm"), ("products", "gemm.bf16"), ("launch", "launch")):
        written = given.output("probe", "--backend", "fake", "--quick", "--only", only, "--json", "--share")
        # Raw samples make up most of a profile; readers need few of them.
        profile = json.loads(written.replace('"backend":"fake"', '"backend":"cuda"'))
        for result in profile["results"]:
            result["samples_s"] = result.get("samples_s", [])[:8]
        profile["results"] = profile["results"][:4]
        write("profile", name, files.digested(json.dumps(profile).encode()))
    write("calibration", "whole", documents.written(given.calibration))


def names():
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
    for path in [*ROOT.glob("core/catalog/data/**/*.json"), *ROOT.glob("tests/fuzz/corpus/config/*")]:
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
for make in (requests, weight_files, catalogs, tables, imports, names, command_lines):
    make()
profiles(given)
words = dictionary(given)
for folder in sorted(path for path in out.iterdir() if path.is_dir()):
    print(f"{folder.name:12} {len(list(folder.iterdir())):4} seeds, {sum(p.stat().st_size for p in folder.iterdir()) / 1024:.0f} KiB")
print(f"{words} words in the dictionary")
