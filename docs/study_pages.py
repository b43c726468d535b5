#!/usr/bin/env python3
"""Writes the figures of docs/study.md and the table of docs/study_coverage.md from core/study/data.

    study_pages.py            writes them
    study_pages.py --check    fails when they are not today's

A part is between <!-- name:begin ... --> and <!-- name:end -->.
"""

import collections
import csv
import json
import pathlib
import re
import sys
import textwrap

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "tests/study"))
from check_lessons import known_templates  # noqa: E402

data = root / "core/study/data"
page = root / "docs/study.md"
coverage_page = root / "docs/study_coverage.md"


def read_json(name):
    return json.loads((data / name).read_text(encoding="utf-8"))


def read_rows(name):
    with (data / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def markdown(head, rows, numeric=()):
    rule = ["---:" if i in numeric else "---" for i in range(len(head))]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in [head, rule, *rows])


def lessons():
    return [path.read_text(encoding="utf-8") for path in sorted((data / "lessons").glob("*.md"))]


def written_questions():
    packs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((data / "written").glob("*.json"))]
    return sum(len(pack["questions"]) for pack in packs)


def figures():
    texts = lessons()
    rows = [
        ("objectives of the exam", len(read_json("blueprints/nca-aiio.json")["objectives"])),
        ("lessons", len(texts)),
        ("live calculators in them", sum(len(re.findall(r"^```calculator$", text, re.M)) for text in texts)),
        ("templates of questions with fresh numbers", len(known_templates())),
        ("written questions", written_questions()),
        ("labs", len(read_json("labs.json")["labs"])),
        ("command labs", len(list((data / "commands").glob("*.json")))),
        ("statements in the ledger", len(read_rows("claims.csv"))),
        ("cards on which notes and truth differ", len(read_json("notes_and_truth.json")["cards"])),
        ("terms in the glossary", len(read_json("glossary.json")["terms"])),
    ]
    return markdown(["what", "how many"], rows, numeric=[1])


def verdicts():
    counts = collections.Counter(row["verdict"] for row in read_rows("claims.csv"))
    return markdown(["verdict", "statements"], counts.most_common(), numeric=[1])


def group_of(row):
    return row["inventory"].split("-")[0]


def coverage_summary():
    rows = read_rows("coverage.csv")
    names = read_json("coverage_groups.json")
    kinds = collections.Counter(one.split(":")[0] for row in rows for one in set(row["covered_by"].split()))
    covered = sum(1 for row in rows if row["covered_by"].strip())
    missing = sorted({group_of(row) for row in rows} - set(names))
    if missing:
        sys.exit(f"coverage_groups.json does not name {', '.join(missing)}")
    head = f"{covered} of {len(rows)} rows are covered. References by kind: "
    return textwrap.fill(head + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) + ".", 120) + "\n"


def coverage_table():
    rows = read_rows("coverage.csv")
    parts = []
    for group, name in read_json("coverage_groups.json").items():
        own = [row for row in rows if group_of(row) == group]
        cells = [
            (row["inventory"], row["item"].replace("|", "\\|"), ", ".join(row["covered_by"].split()) or "-", row["note"].replace("|", "\\|"))
            for row in own
        ]
        parts.append(f"## {name}\n\n" + markdown(["row", "what the documents say", "where it is", "note"], cells))
    return "\n".join(parts)


parts = {
    page: {"figures": figures, "verdicts": verdicts, "coverage": coverage_summary},
    coverage_page: {"coverage": coverage_summary, "table": coverage_table},
}


def refreshed(text, name, content):
    pattern = re.compile(rf"(<!-- {name}:begin[^>]*-->\n).*?(<!-- {name}:end -->)", re.S)
    if not pattern.search(text):
        sys.exit(f"a page has no part {name}")
    return pattern.sub(lambda match: f"{match.group(1)}\n{content}\n{match.group(2)}", text)


def main():
    stale = []
    for path, named in parts.items():
        before = path.read_text(encoding="utf-8")
        after = before
        for name, write in named.items():
            after = refreshed(after, name, write())
        if after == before:
            continue
        stale.append(path.relative_to(root).as_posix())
        if "--check" not in sys.argv[1:]:
            path.write_text(after, encoding="utf-8")
    if "--check" in sys.argv[1:]:
        print(f"{len(parts)} pages, {len(stale)} stale" + (f": {', '.join(stale)}" if stale else ""))
        return 1 if stale else 0
    print("written: " + (", ".join(stale) or "nothing new"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
