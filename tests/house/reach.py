"""What a change can make fail: reads changed paths, one a line, and prints stages of `./dev test` and folders of tests/.

    git diff --name-only COMMIT | reach.py ROOT

Stages: format, web, pages, cuda, accuracy, engine (WASM, site, browser, npm), npm (its package alone), sanitized; `everything`
stands for all of them. A line `tests NAME...` lists the folders whose native tests are reached, by the arrows between the rooms.
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
rooms_cmake = re.sub(r"#[^\n]*", "", (root / "core/CMakeLists.txt").read_text(encoding="utf-8"))
needs = {
    name: set((rooms or "").split())
    for name, rooms in re.findall(r"podwright_room\(\s*(\w+)(?:\s+DEPS((?:\s+\w+)*))?\s*\)", rooms_cmake)
}
folders = {path.parent.name for path in (root / "tests").glob("*/*_test.cc")}
whole_engine = folders - needs.keys()


def using(room):
    """The room and all that its changes reach."""
    reached, before = {room}, set()
    while reached != before:
        before, reached = reached, reached | {other for other, rooms in needs.items() if rooms & reached}
    return reached


def stages_of(path):
    top, _, rest = path.partition("/")
    part = rest.split("/")[0]
    if top == "core" and part in needs:
        return {"format", "pages", "accuracy", "engine", "sanitized"} | {f"tests {one}" for one in (using(part) & folders) | whole_engine}
    if top == "native":
        return {"format", "cuda", "pages", "sanitized", "tests native", "tests cli"}
    if path.startswith(("wasm/npm/", "tests/npm/")):
        return {"web", "npm"}
    if top == "wasm":
        return {"format", "engine"}
    if top == "web" or path.startswith("tests/web/"):
        return {"web", "engine"}
    if path.startswith("tests/native/cuda/"):
        return {"format", "cuda"}
    if top == "tests" and part in folders:
        return {"format", "accuracy", "engine", "sanitized", f"tests {part}"}
    if top == "examples":
        return {"pages", "engine", "tests golden"}
    if path.endswith(".md"):
        return {"pages"}
    return {"everything"}


reached = {stage for line in sys.stdin for stage in stages_of(line.strip()) if line.strip()}
names = sorted(stage.split()[1] for stage in reached if stage.startswith("tests "))
print(*sorted(stage for stage in reached if not stage.startswith("tests ")), sep="\n")
if names:
    print("tests", *names)
