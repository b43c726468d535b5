"""Hostile runs by group: what is asked of the program, with which files, and what is to come of it."""

import documents
import files
import peers
import seeds as good
from documents import HOSTILE_TEXTS, Members, as_bytes
from judge import Case

CALIBRATED = ["--calibration", "c.json"]
# Kinds whose answers can have files.
EXPORTING = ["architecture", "search", "cost"]


def form(rng, verb, forms=("text", "json", "json", "csv", "markdown")):
    """How the answer is to be printed: the words for it, and its name."""
    chosen = rng.choice(forms)
    return {"text": [], "json": ["--json"]}.get(chosen, ["--format", chosen]), chosen


def asked(rng, seeds, kind, data, group):
    """A request of a kind, printed in one of its forms, or as files."""
    verb = seeds.verbs[kind]
    if not verb or rng.random() < 0.08:
        line = data.replace(b"\n", b" ").replace(b"\r", b" ")
        words = ["estimate", "--jsonl", "-"]
        if rng.random() < 0.3:
            return Case(group, [*words, "--format", "csv"], given=line + b"\n", form="any")
        return Case(group, words, given=b"\n".join([line] * rng.choice([1, 1, 3])) + b"\n", form="lines")
    if rng.random() < 0.04:
        return Case(group, [verb, "r.json", "--print-request"], {"r.json": data}, form="json")
    if kind in EXPORTING and rng.random() < 0.45:
        words, name = form(rng, verb, ("text", "json"))
        word = "all" if rng.random() < 0.5 and kind != "cost" else rng.choice([*seeds.exports[kind], "nosuch"])
        return Case(group, [verb, "r.json", "--export", word, "-o", "out", *words], {"r.json": data},
                    form=name, folder="out")  # fmt: skip
    words, name = form(rng, verb)
    if rng.random() < 0.1:
        return Case(group, [verb, "-", *words], given=data, form=name)
    return Case(group, [verb, "r.json", *words], {"r.json": data}, form=name)


# Kinds with much to compute are asked more often.
LARGE = ["serving", "training", "plan", "search", "replay", "mig", "fabric", "architecture", "cost"]


def changed_request(rng, seeds):
    """A kind, and a request of it after some changes."""
    kind = rng.choice(LARGE if rng.random() < 0.6 else sorted(seeds.verbs))
    document = documents.copied(seeds.request(rng, kind)) if kind in seeds.requests else Members([("kind", kind)])
    if kind not in seeds.requests or rng.random() < 0.03:  # of what its schema says alone
        for _ in range(12):
            seeds.set_field(rng, kind, document)
    elif rng.random() < 0.1 and "explain" not in dict(document) and ((), "explain") in [field[:2] for field in seeds.fields[kind]]:
        document.append(("explain", True))
    return kind, documents.changed(rng, document, seeds.pool, lambda rng, changed: seeds.set_field(rng, kind, changed))


def a_request(rng, seeds):
    kind, data = changed_request(rng, seeds)
    return asked(rng, seeds, kind, data, "requests")


def a_model(rng, seeds):
    way = rng.random()
    if way < 0.45:
        found = {rng.choice(["m.gguf", "m.gguf", "x'y.gguf", "m.bin"]): files.hostile_gguf(rng)}
    elif way < 0.7:
        found = {"m.safetensors": files.hostile_safetensors(rng)}
    elif way < 0.8:
        found = files.hostile_index(rng)
    else:
        found = {"config.json": documents.changed(rng, rng.choice(seeds.configs), documents.Pool(seeds.configs))}
    name = next(iter(found))
    way = rng.random()
    if way < 0.65:
        words, form_name = form(rng, "model")
        return Case("model files", ["model", name if rng.random() < 0.9 else ".", *words], found, form=form_name)
    flags = ["--model", name, "--gpu", rng.choice(["h100-sxm5-80gb", "h200-sxm5-141gb", "l40s"])]
    if way < 0.85:
        words, form_name = form(rng, "estimate")
        given = ["--gpu-count", "1", "--engine", rng.choice(["vllm", "llama.cpp"]), "--rate", "1"]
        return Case("model files", ["estimate", *flags, *given, *words], found, form=form_name)
    limits = ["--rate", "1", "--ttft", "5", "--tpot", "0.2"]
    return Case("model files", ["search", *flags, *limits, "--export", "all", "-o", "out"], found, folder="out")


def a_machine(rng, seeds):
    profile = files.hostile_profile(rng, rng.choice([seeds.profile, seeds.named_profile]))
    whole = files.digested(as_bytes(documents.written(seeds.profile)))
    found = {"p.json": profile, "whole.json": whole}
    way = rng.random()
    if way < 0.3:
        words, name = form(rng, "verify", ("text", "json", "junit", "prometheus", "markdown"))
        return Case("machines", ["verify", "p.json", *words], found, form="json" if name == "json" else "text")
    if way < 0.45:
        found["c.json"] = documents.changed(rng, seeds.calibration, documents.Pool([seeds.calibration]))
        kind = rng.choice(["serving", "training"])
        words, name = form(rng, "estimate")
        found["r.json"] = as_bytes(documents.written(seeds.request(rng, kind)))
        return Case("machines", ["estimate", "r.json", *CALIBRATED, *words], found, form=name)
    if way < 0.6:
        return Case("machines", ["calibrate", "p.json", *rng.choice([[], ["-o", "c.json"], ["--reference", "-o", "r.csv"]])], found)
    if way < 0.75:
        return Case("machines", ["merge", "p.json", "whole.json", "-o", "m.json"], found, output="m.json")
    if way < 0.85:
        found["r.json"] = as_bytes(documents.written(seeds.request(rng, rng.choice(["serving", "plan", "training"]))))
        return Case("machines", ["verify", "r.json", "p.json", "--json"], found, form="json")
    words, name = form(rng, "compare", ("text", "json", "junit", "prometheus", "markdown"))
    expect = rng.choice([[], ["--expect", rng.choice(["2", "gpu[01-16]", "gpu[1-99999999]", "x[", "-1", "@whole.json", ""])]])
    node = rng.choice(["p.json", "whole.json"]) if rng.random() < 0.5 else f"{rng.choice(['a', *HOSTILE_TEXTS])}=p.json".replace("\0", "")
    return Case("machines", ["compare", node, "whole.json", *expect, *words], found, form="json" if name == "json" else "text")


def a_catalog(rng, seeds):
    found = {}
    for path in rng.sample(seeds.catalog, rng.choice([1, 1, 2, 3])):
        name = "over/" + str(path.relative_to(good.ROOT / "core/catalog/data"))
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            document = documents.read(text)
            found[name] = documents.changed(rng, document, documents.Pool([document]))
        else:
            lines = text.splitlines()
            kept = "\n".join([lines[0], *rng.sample(lines[1:], min(len(lines) - 1, rng.choice([1, 5, 1000])))]) + "\n"
            found[name] = documents.changed_lines(rng, kept)
    if rng.random() < 0.03:
        found["over/" + rng.choice(["x.txt", "gpus/a b.json", "gpus/.json", "gpus/deep/er/x.json", "nosuch.csv"])] = b"{}"
    where = ["--catalog", "over"]
    way = rng.random()
    if way < 0.4:
        return Case("catalogs", ["catalog", "check", *where], found)
    if way < 0.5:
        words, name = form(rng, "catalog list")
        table = rng.choice(["gpus", "models", "systems", "switches", "prices", "regions", "sources", "engines"])
        return Case("catalogs", ["catalog", "list", table, *where, *words], found, form=name)
    kind = rng.choice(["serving", "training", "plan", "architecture", "cost", "mig", "fabric"])
    case = asked(rng, seeds, kind, as_bytes(documents.written(seeds.request(rng, kind))), "catalogs")
    case.files.update(found)
    case.words += where
    return case


TRACE = "\n".join('{"timestamp": %d, "input_length": %d, "output_length": %d, "hash_ids": [0, 1, %d]}' % (i * 900, 600 + i, 40 + i, i)
                  for i in range(5))  # fmt: skip
TRACE_CSV = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.68,374,44\n2023-11-16 18:15:50.99,396,109\n"


def a_table(rng, seeds):
    way = rng.random()
    if way < 0.4:
        words, name = form(rng, "backtest")
        more = rng.choice([[], ["--mine"], ["--by", "source"], ["--by", rng.choice(HOSTILE_TEXTS).replace("\0", "")]])
        return Case("tables", ["backtest", "t.csv", *more, *words], {"t.csv": documents.changed_lines(rng, seeds.table(rng))}, form=name)
    if way < 0.65:
        quotes = documents.changed_lines(rng, (good.ROOT / "examples/quotes.csv").read_text(encoding="utf-8"))
        plan = rng.choice([[], ["r.json"]])
        found = {"q.csv": quotes, "r.json": as_bytes(documents.written(seeds.request(rng, "plan")))}
        return Case("tables", ["quote", "import", "q.csv", *plan], found, form="json")
    trace = documents.changed_lines(rng, rng.choice([TRACE, TRACE_CSV]))
    found = {"r.json": as_bytes(documents.written(seeds.request(rng, rng.choice(["replay", "serving"])))), "t": trace}
    words, name = form(rng, "replay")
    return Case("tables", ["replay", "r.json", "t", *words], found, form=name)


def changed_line(rng, line):
    """A document, or a line of a log among documents."""
    try:
        document = documents.read(line)
    except ValueError:
        return documents.changed_lines(rng, line)
    return documents.changed(rng, document, documents.Pool([document]))


def an_import(rng, seeds):
    path = rng.choice(seeds.imports)
    data = path.read_bytes()
    way = rng.random()
    if way < 0.4 and path.suffix in (".json", ".jsonl"):
        data = b"\n".join(changed_line(rng, line) for line in ([data.decode()] if path.suffix == ".json" else data.decode().splitlines())) + b"\n"
    elif way < 0.8:
        data = documents.changed_lines(rng, data.decode())
    else:
        data = documents.changed_bytes(rng, data)
    name = path.name
    found = {name: data}
    way = rng.random()
    if way < 0.2:
        words, form_name = form(rng, "verify", ("text", "json", "junit", "prometheus"))
        return Case("imports", ["verify", name, *words], found, form="json" if form_name == "json" else "text")
    if way < 0.45:
        more = [word for pair in (("--gpu", "h100-sxm5-80gb"), ("--column", "model=qwen3-32b"), ("--column", "tp=2"))
                for word in pair]  # fmt: skip
        return Case("imports", ["import", name, "--rows", *more, "-o", "rows.csv"], found, output="rows.csv")
    if way < 0.6:
        found["r.json"] = as_bytes(documents.written(seeds.request(rng, "serving")))
        return Case("imports", ["import", name, "--request", "r.json", "-o", "m.json"], found, output="m.json")
    if way < 0.7:
        word = rng.choice(["all_reduce", "aiperf", "engine-log", "mlperf-training", "nvidia-smi", "x"])
        return Case("imports", ["import", name, "--read-as", f"{name}={word}", "-o", "p.json"], found, output="p.json")
    return Case("imports", ["import", name, "-o", "p.json"], found, output="p.json")


VALUES = ["nan", "inf", "-inf", "-1", "0", "1e999", "1e-320", "", " ", "x" * 5000, "0x10", "--", "-", "/dev/null", "/", ".",
          "/proc/self/mem", "/nosuch/x", "1,,2", ",", "=", "a=b", "[", "{}", "null", "\x1b[31m", "h100-sxm5-80gb", "1",
          "llama-3.1-8b", "100", "\udcff", "🙂", "../x", "99999999999999999999", "1.5"]  # fmt: skip
# What does not end, measures for long, or listens.
NEVER = {"serve", "probe", "--help"}


def a_command(rng, seeds):
    command = rng.choice([*good.ASKING, *good.OTHERS])
    words = command.split()
    found = {"r.json": as_bytes(documents.written(seeds.request(rng, rng.choice(["serving", "training", "plan"]))))}
    if command not in NEVER and rng.random() < 0.6:
        words.append(rng.choice(["r.json", "r.json", "nosuch.json", "-", ".", "", *VALUES]))
    for _ in range(rng.choice([0, 1, 1, 2, 3, 5])):
        name, takes_value = rng.choice([pair for pair in seeds.options[command] if pair[0] not in ("--help", "-o")] or [("--json", False)])
        words.append(rng.choice([name, name, name, name, name[:-1], name + "x"]))
        if takes_value:
            words.append(rng.choice(VALUES))
        elif rng.random() < 0.1:
            words[-1] += "=" + rng.choice(VALUES)
    if rng.random() < 0.2:
        words += ["--set", rng.choice(["workloads[0].model=x", "a[99999999]=1", "/a/b=1", "[", "=", "x" * 1000, "a=" + "[" * 5000])]
    if command == "probe":
        words += ["--backend", "fake", "--only", rng.choice(["hbm", "launch", "nosuch", ""]), "--budget", "1"]
    if command == "serve":
        words += ["--port", rng.choice(["-1", "65536", "x", "nan", "1e3"])]
    if rng.random() < 0.15:
        rng.shuffle(words)
    if rng.random() < 0.05:
        words = [rng.choice(VALUES) for _ in range(rng.choice([0, 1, 2, 50]))]
    words = [word.replace("\0", "") for word in words]
    forms = "any"
    return Case("command lines", words, found, form=forms)


def an_output(rng, seeds):
    """Good questions whose answer has nowhere to go."""
    fault = rng.choice(["full", "closed", "small", "full"])
    kind = rng.choice([kind for kind in seeds.verbs if kind in seeds.requests])
    verb = seeds.verbs[kind]
    data = as_bytes(documents.written(seeds.request(rng, kind)))
    way = rng.random()
    if way < 0.25:
        words = rng.choice([["schema"], ["schema", "plan"], ["catalog", "list", "gpus"], ["catalog", "check"], ["study", "exam"],
                            ["study", "claims"], ["formulas", "kv"], ["describe", "man"], ["--help"], ["--version"], ["plan", "--help"],
                            ["catalog", "show", "gpu", "l4"], ["study", "question"], ["schema", "--openapi"]])  # fmt: skip
        return Case("lost outputs", words, fault=fault)
    if kind in EXPORTING and way < 0.5:
        return Case("lost outputs", [verb, "r.json", "--export", "all" if verb != "cost" else "focus", "-o", "out"], {"r.json": data},
                    folder="out", fault=fault)  # fmt: skip
    if not verb or way < 0.4:
        return Case("lost outputs", ["estimate", "--jsonl", "-"], given=data.replace(b"\n", b" "), form="lines", fault=fault)
    words, name = form(rng, verb)
    return Case("lost outputs", [verb, "r.json", *words], {"r.json": data}, form=name, fault=fault)


def a_peer(rng, seeds):
    """Clients of a server; each says what a request of any kind says, or nearly."""
    told = []
    for _ in range(rng.choice([1, 3, 10])):
        kind = rng.choice(LARGE)
        body = documents.changed(rng, seeds.request(rng, kind), seeds.pool, lambda rng, changed, kind=kind: seeds.set_field(rng, kind, changed))
        told.append((peers.hostile_message(rng, body[:200_000]), rng.choice(["read", "stay", "leave", "reset"])))
    return Case("peers", ["serve", "--api", "--port", "0", "--site", "."], form="any", peers=told)


def large_document(rng, seeds, times):
    """A request in which one thing stands as many times."""
    kind = rng.choice(["plan", "serving", "training", "architecture", "compare", "import", "calibrate", "explain"])
    document = documents.copied(seeds.request(rng, kind)) if kind in seeds.requests else Members([("kind", kind)])
    way = rng.randrange(5)
    if way == 0:
        document.extend((f"key{i}", i) for i in range(times))
    elif way == 1:
        document.append(("constraints", [0] * times))
    elif way == 2:
        lists = [place for place in documents.places(document) if isinstance(documents.value_at(place), list) and documents.value_at(place)
                 and not isinstance(documents.value_at(place), Members)]  # fmt: skip
        if lists:
            chosen = documents.value_at(rng.choice(lists))
            chosen.extend(chosen[:1] * times)
    elif way == 3:
        document.append(("model", Members((f"key{i}", i) for i in range(times))))
    else:
        document.append(("name", "x" * times * 10))
    return kind, as_bytes(documents.written(document))


def a_large(rng, seeds):
    """Much of something, within the size that is read."""
    times = rng.choice([1000, 10_000, 100_000])
    way = rng.randrange(7)
    if way < 2:
        kind, data = large_document(rng, seeds, times)
        return asked(rng, seeds, kind, data, "large")
    if way == 2:
        header = Members((f"model.layers.{i}.w", Members([("dtype", "BF16"), ("shape", [2]), ("data_offsets", [4 * i, 4 * i + 4])]))
                         for i in range(times))  # fmt: skip
        return Case("large", ["model", "m.safetensors", "--json"], {"m.safetensors": (files.safetensors(as_bytes(documents.written(header))), 8 * times + 10**8)},
                    form="json")  # fmt: skip
    if way == 3:
        index = Members([("metadata", Members([("total_size", 148)])), ("weight_map", Members((f"t{i}", "a.safetensors") for i in range(times)))])
        found = {"model.safetensors.index.json": as_bytes(documents.written(index)), "a.safetensors": files.safetensors(b"{}")}
        return Case("large", ["model", "model.safetensors.index.json", "--json"], found, form="json")
    if way == 4:
        metadata, tensors = files.gguf_parts()
        tensors += [(f"blk.{i}.x", [32], 0, 0) for i in range(times)]
        return Case("large", ["model", "m.gguf", "--json"], {"m.gguf": (files.gguf(metadata, tensors), 10**9)}, form="json")
    if way == 5:
        lines = rng.choice(seeds.tables).read_text(encoding="utf-8").splitlines()
        rows = [lines[0]] + [rng.choice(lines[1:])] * (times // 10)
        return Case("large", ["backtest", "t.csv", "--json"], {"t.csv": as_bytes("\n".join(rows) + "\n")}, form="json")
    count = rng.choice([10**5, 10**6, 10**9])
    kind = rng.choice(["search", "architecture", "cost", "fabric", "mig", "replay", "plan", "serving", "training"])
    document = documents.copied(seeds.request(rng, kind))
    for place in documents.places(document):
        if place[2] in ("gpu_count", "nodes", "request_rate_per_s", "peak_requests_per_s", "concurrency", "top", "draws", "duration_s", "users"):
            documents.put(place, count)
    return asked(rng, seeds, kind, as_bytes(documents.written(document)), "large")


# How many of a hundred runs each has.
GROUPS = [(a_request, 44), (a_large, 1), (a_peer, 1), (a_model, 14), (a_machine, 9), (a_catalog, 9), (a_table, 7), (an_import, 7), (a_command, 6), (an_output, 2)]


def a_case(rng, seeds, only=None):
    """`only`: a word of the function that makes it."""
    chosen = [pair for pair in GROUPS if only is None or only in pair[0].__name__]
    return rng.choices([make for make, _ in chosen], [share for _, share in chosen])[0](rng, seeds)
