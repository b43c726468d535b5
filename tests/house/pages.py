"""Holds the pages of the project to the project: what they name exists, and what they quote is there.

    pages.py ROOT           prints what is stale or leads nowhere, and exits 1 if anything does
    pages.py ROOT --write   writes the arrows of docs/overview.md from the build files, and tables of the accuracy page, first
"""

import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1]).resolve()
overview = root / "docs/overview.md"
WIDTH = 120


def read(path):
    return (root / path).read_text(encoding="utf-8")


def tracked():
    """Paths of the project's files, relative to its root."""
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, encoding="utf-8", check=True).stdout
    return listed.splitlines()


pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]


def anchors(page):
    """What headings of a page can be linked by."""
    found = []
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    for heading in re.findall(r"^#+ (.+)$", text, flags=re.M):
        word = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        again = sum(1 for other in found if re.fullmatch(rf"{re.escape(word)}(-\d+)?", other))
        found.append(f"{word}-{again}" if again else word)
    return set(found)


def links_of_pages():
    for page in [*pages, root / "web/README.md"]:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:", target):
                yield page, target, (page.parent / target.split("#")[0]).resolve() if target[0] != "#" else page


def links_of_code():
    """Pages and headings that comments, equations and data name; a name before the path is another project's."""
    kinds = {".h", ".cc", ".cu", ".cuh", ".ts", ".tsx", ".csv", ".json", ".md"}
    for name in tracked():
        if pathlib.Path(name).suffix in kinds and name.startswith(("core/", "native/", "wasm/", "web/", "tests/")):
            if not name.startswith(("tests/golden/answers/", "tests/measured/data/")):
                for target in re.findall(r"(?<!ggml, )\bdocs/(?:method/)?\w+\.md(?:#[\w-]+)?", read(name)):
                    yield root / name, target, root / target.split("#")[0]


def links_lead_somewhere():
    links = [*links_of_pages(), *links_of_code()]
    problems = set()
    for page, target, file in links:
        where = f"{page.relative_to(root)}: {target}"
        if not file.exists():
            problems.add(f"{where}: no such page")
        elif "#" in target and file.suffix == ".md" and target.split("#")[1] not in anchors(file):
            problems.add(f"{where}: no such heading")
    linked = {file for page, _, file in links if page in pages}
    problems.update(f"{page.relative_to(root)}: no page links to it" for page in pages[2:] if page not in linked)
    return sorted(problems)


def arrows():
    """The figure of the overview: what each room, and each program, may include directly, by the build files."""
    edges = []
    for room, needs in re.findall(r"^podwright_room\((\w+)(?: DEPS ([\w ]+))?\)", read("core/CMakeLists.txt"), flags=re.M):
        edges += [(room, need) for need in needs.split()]
    programs = [
        ("native/probes", "native/probes/probes.cmake", "podwright_probes"),
        ("native/cli", "native/CMakeLists.txt", "podwright_cli"),
        ("native/library", "native/library/library.cmake", "podwright_c"),
        ("wasm", "wasm/CMakeLists.txt", "engine"),
    ]
    for folder, file, target in programs:
        words = re.search(rf"target_link_libraries\({target} ([^)]*)\)", read(file)).group(1).split()
        for need in (word.removeprefix("podwright_") for word in words if word.startswith("podwright_")):
            edges.append((folder, "native/probes" if need == "probes" else need))
    return "```mermaid\nflowchart BT\n" + "".join(f"  {room} --> {need}\n" for room, need in edges) + "```\n"


def accuracy_table(name):
    """Rows of a table of the accuracy page, which is checked against what the program says."""
    block = re.search(rf"<!-- {name}:begin[^\n]*-->\n(.*?)<!-- {name}:end -->", read("docs/method/accuracy.md"), flags=re.S)[1]
    head, _, *rows = ([cell.strip().strip("`") for cell in line.strip("|\n ").split(" | ")] for line in block.splitlines())
    return [dict(zip(head, row)) for row in rows]


def markdown(head, rows):
    return "".join("| " + " | ".join(row) + " |\n" for row in [head, ["---"] * len(head), *rows])


UNSEEN = {
    "step_time_s": ("accuracy-left-out", "time of a training step"),
    "tpot_or_itl_ms": ("accuracy-serving-left-out", "time per output token"),
    "ttft_ms": ("accuracy-serving-left-out", "time to first token"),
    "output_tokens_per_s": ("accuracy-serving-left-out", "output tokens per second"),
    "mean_gpu_power_w": ("accuracy-serving-left-out", "mean power of a GPU"),
    "energy_j_per_output_token": ("accuracy-serving-left-out", "energy per output token"),
}


def unseen():
    """How far off predictions of runs are that the fit has not seen, by kind of source."""
    rows = []
    for quantity, (table, words) in UNSEEN.items():
        kinds = [("all", accuracy_table(table)), *((None, accuracy_table(f"{table}-tuning")),)]
        for kind, found in ((name or row["kind of source"], row) for name, part in kinds for row in part if row["quantity"] == quantity):
            rows.append([words, kind, found["cells"], f"{found['median %']} %", f"{found['90th %']} %", f"{found['coverage %']} %"])
    return markdown(["quantity", "kind of source", "figures", "half within", "nine in ten within", "held"], rows)


def worst():
    found = []
    for quantity, (table, words) in UNSEEN.items():
        for row in accuracy_table(f"{table}-source"):
            if row["quantity"] == quantity and int(row["cells"]) >= 12:
                source = row.get("source") or row["source left out"]
                found.append([source, words, row["cells"], f"{row['median %']} %", f"{row['coverage %']} %"])
    found.sort(key=lambda row: -float(row[3].split()[0]))
    return markdown(["source", "quantity", "figures", "half within", "held"], found[:10])


def peers():
    """Medians of other tools (accuracy.md, measured once) next to those of this one on runs it has not seen."""
    page = read("docs/method/accuracy.md")
    training = dict(re.findall(r"^\| (Calculon @\w+ \(.*?\)|llm-analysis @\w+) \|[^|]*\| (\d+) \|", page, flags=re.M))
    serving = re.search(r"^\| (GenZ-LLM-Analyzer @\w+) \| (\d+) \| (\d+) \| (\d+) \|", page, flags=re.M).groups()
    own = {row["quantity"]: row["median %"] for table in ("accuracy-left-out", "accuracy-serving-left-out") for row in accuracy_table(table)}
    quantities = ["step_time_s", "tpot_or_itl_ms", "ttft_ms", "output_tokens_per_s"]
    rows = [["Podwright", *(f"{own[quantity]} %" for quantity in quantities)]]
    rows += [[name, f"{median} %", "-", "-", "-"] for name, median in training.items()]
    rows.append([serving[0], "-", *(f"{median} %" for median in serving[1:])])
    return markdown(["median error", *(UNSEEN[quantity][1] for quantity in quantities)], rows)


WRITTEN = {
    "arrows": ("docs/overview.md", arrows),
    "unseen": ("docs/how_accurate.md", unseen),
    "worst": ("docs/how_accurate.md", worst),
    "compare": ("docs/compare.md", peers),
}


def part_of(name):
    return rf"(<!-- {name}:begin[^\n]*-->\n)(.*?)(<!-- {name}:end -->)"


def write_parts():
    for name, (page, content) in WRITTEN.items():
        text = re.sub(part_of(name), lambda found: found[1] + content() + found[3], read(page), flags=re.S)
        (root / page).write_text(text, encoding="utf-8")


def parts_are_those_of_the_project():
    """What this script writes from build files and from other pages."""
    problems = []
    for name, (page, content) in WRITTEN.items():
        found = re.search(part_of(name), read(page), flags=re.S)
        if not found or found[2] != content():
            problems.append(f"{page}: {name} is not as the project has it; ./dev docs writes it")
    return problems


def formats_have_their_marks():
    """On docs/formats.md a mark in quotes stands in the first sample of its row."""
    problems = []
    for mark, sample in re.findall(r"^\| [^|]* \| `([^`]+)` \| \[[^\]]*\]\(([^)]+)\)", read("docs/formats.md"), flags=re.M):
        file = (root / "docs" / sample).resolve()
        if file.is_file() and mark.startswith("podwright") and mark.rstrip("()") not in file.read_text(encoding="utf-8"):
            problems.append(f"docs/formats.md: {sample} has no {mark}")
    return problems


def json_rooms_agree():
    """The overview names the rooms that check.py lets see the JSON library."""
    allowed = set(re.findall(r'"(\w+)"', re.search(r"JSON_ROOMS = \{(.*?)\}", read("tests/house/check.py"))[1]))
    named = re.search(r"nlohmann/json appears only in `\.cc` files of ([^.;]*)", flat(read(overview)))
    if named and set(re.findall(r"`(\w+)`", named[1])) == allowed:
        return []
    return [f"docs/overview.md: nlohmann/json belongs to {', '.join(sorted(allowed))}"]


# Folders whose parts have an entry each.
PARTED = {"core", "native", "web", "tests"}


def overview_names_every_folder():
    """Every folder at the top, and every folder of those that are parted; those of tests/ that repeat core/ and native/ are one line."""
    folders = set()
    for name in tracked():
        parts = name.split("/")[:-1]
        if parts:
            folders.add("/".join(parts[:2]) if parts[0] in PARTED and len(parts) > 1 else parts[0])
    rooms = {folder.split("/")[1] for folder in folders if folder.startswith("core/")} | {"native"}
    repeated = {f"tests/{room}" for room in rooms}
    text = read(overview)
    named = set(re.findall(r"^\| `([^`]+)` \|", text, flags=re.M))
    missing = sorted(folders - PARTED - repeated - named)
    gone = sorted(name for name in named if "/" in name and not (root / name).is_dir())
    return [f"docs/overview.md: says nothing about the folder {folder}" for folder in missing] + [
        f"docs/overview.md: {folder} does not exist" for folder in gone
    ]


def flat(text):
    return " ".join(text.split())


def quotations_are_there():
    """On docs/hello.md, a line "`path`:" before a block says that each paragraph of the block is in that file."""
    problems, seen = [], 0
    for path, block in re.findall(r"`([^`\s]+)`[^`]*:\n\n```\w*\n(.*?)```", read("docs/hello.md"), flags=re.S):
        if not (root / path).is_file():
            problems.append(f"docs/hello.md: {path} does not exist")
            continue
        source = flat(read(path))
        for piece in re.split(r"^\s*\.\.\.\n", block, flags=re.M):
            seen += 1
            if flat(piece) not in source:
                problems.append(f"docs/hello.md: {path} does not hold:\n{piece}")
    return problems if seen else ["docs/hello.md: no quotation was found"]


def index_leads_to_formulas():
    """On docs/formulas.md each row names functions and tests as "`name` in `path`"; its tests call its first function."""
    problems = []
    rows = [re.findall(r"`([\w.]+)` in `([^`]+)`", line) for line in read("docs/formulas.md").split("\n")]
    for row in filter(None, rows):
        tested = ""
        for name, path in row:
            text = read(path) if (root / path).is_file() else ""
            if "." in name:
                found = re.search(rf"TEST(_F)?\({name.replace('.', ', ')}\).*?\n}}", text, re.S)
                tested += found.group() if found else ""
            else:
                found = re.search(rf"[\w>] {name}\(", text)
            if not found:
                problems.append(f"docs/formulas.md: {name} is not in {path}")
        if row[0][0] + "(" not in tested:
            problems.append(f"docs/formulas.md: no worked example calls {row[0][0]}")
    return problems if any(rows) else ["docs/formulas.md: no entry was found"]


def generated(text):
    """The text without what tools write."""
    return re.sub(r"<!-- ([\w-]+):begin.*?<!-- \1:end -->", lambda found: "\n" * found.group().count("\n"), text, flags=re.S)


def lines_are_short():
    """Prose and code; a row of a table, and a line that is one link or address, may be longer."""
    problems = []
    for page in [*pages, root / "web/README.md", root / "CHANGELOG.md"]:
        for number, line in enumerate(generated(page.read_text(encoding="utf-8")).split("\n"), 1):
            if len(line) > WIDTH and not line.lstrip().startswith("|") and " " in re.sub(r"\[[^\]]*\]\([^)]*\)", "", line).strip("-* "):
                problems.append(f"{page.relative_to(root)}:{number}: {len(line)} characters")
    return problems


def readme_is_short():
    lines = read("README.md").count("\n")
    return [f"README.md: {lines} lines, more than 100; details belong to docs/"] if lines > 100 else []


def versions_agree():
    """The program says the version that the changelog is writing about."""
    program = re.search(r"project\(podwright VERSION ([\d.]+)", read("CMakeLists.txt"))[1]
    changelog = re.search(r"^## ([\d.]+)", read("CHANGELOG.md"), flags=re.M)[1]
    return [] if program == changelog else [f"CMakeLists.txt has version {program}, CHANGELOG.md is at {changelog}"]


CHECKS = [
    links_lead_somewhere,
    parts_are_those_of_the_project,
    formats_have_their_marks,
    json_rooms_agree,
    overview_names_every_folder,
    readme_is_short,
    versions_agree,
    quotations_are_there,
    index_leads_to_formulas,
    lines_are_short,
]

if sys.argv[2:] == ["--write"]:
    write_parts()
failed = 0
for check in CHECKS:
    problems = check()
    if problems:
        failed += 1
        print(f"{check.__name__}:", *problems, sep="\n  ")
sys.exit(1 if failed else 0)
