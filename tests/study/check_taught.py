#!/usr/bin/env python3
"""Checks core/study/data/taught: a row for every written question and template, and sections that exist.

A row is `item,lesson,section`. It is in a file of its item's domain, or of its item's exam where that has one letter for
all of its domains (N.csv, N-a.csv); questions about the exam itself need none.
"""
import csv
import json
import re
import sys

from check_lessons import LESSONS, OBJECTIVES, ROOT, fences, split_front_matter

TAUGHT = ROOT / "core/study/data/taught"
COLUMNS = ["item", "lesson", "section"]


def holds(file, objective):
    """Whether a file is one for this objective: `2.csv` for 2.10, `N.csv` and `N-a.csv` for N2.1."""
    name = file.removesuffix(".csv").split("-")[0]
    domain = objective.split(".")[0]
    return name in (domain, re.match(r"\D*", domain).group())


def section_name(heading):
    """As the site makes it (web/src/study/taught.ts)."""
    return re.sub(r"^-|-$", "", re.sub(r"[^a-z0-9]+", "-", heading.lower()))


def plain(heading):
    """A heading as it is shown: without the marks of Markdown."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"[*_`]", "", heading)).strip()


def sections_of(text):
    _, body = split_front_matter(text)
    _, prose = fences(body)
    return [section_name(plain(heading)) for heading in re.findall(r"^#{1,6} +(.+?)\s*$", prose, re.M)]


def known_sections():
    """Names of the sections of each lesson, by its id."""
    return {path.stem[3:]: sections_of(path.read_text(encoding="utf-8")) for path in sorted(LESSONS.glob("*.md"))}


def known_items():
    """The objective of every written question and template."""
    templates = json.loads((ROOT / "core/study/data/questions.json").read_text(encoding="utf-8"))
    items = {item: text["objective"] for item, text in templates.items()}
    for path in sorted((ROOT / "core/study/data/written").glob("*.json")):
        pack = json.loads(path.read_text(encoding="utf-8"))
        items |= {question["id"]: pack["objective"] for question in pack["questions"]}
    return items


def lesson_faults(sections):
    return [
        f"{lesson} has the section {name!r} twice"
        for lesson, names in sections.items()
        for name in sorted({name for name in names if names.count(name) > 1})
    ]


def row_faults(rows, items, sections):
    """What is wrong with rows of (file, item, lesson, section)."""
    wrong, met = [], set()
    for file, item, lesson, section in rows:
        if item not in items:
            wrong.append(f"{file}: unknown item {item}")
        elif items[item] in OBJECTIVES and not holds(file, items[item]):
            wrong.append(f"{file}: {item} belongs to objective {items[item]}")
        if item in met:
            wrong.append(f"{file}: {item} has another row")
        met.add(item)
        if lesson not in sections:
            wrong.append(f"{file}: {item} names no lesson: {lesson}")
        elif section and section not in sections[lesson]:
            wrong.append(f"{file}: {item} names no section of {lesson}: {section}")
    needed = [item for item, objective in items.items() if objective in OBJECTIVES]
    return wrong + [f"{item} has no row" for item in needed if item not in met]


def rows_of(path):
    """Rows of a file; a wrong head or a wrong number of cells is a fault of its own."""
    with path.open(encoding="utf-8", newline="") as file:
        head, *lines = list(csv.reader(file)) or [[]]
    if head != COLUMNS:
        return [], [f"{path.name} has the columns {head}"]
    good = [line for line in lines if len(line) == len(COLUMNS)]
    wrong = [f"{path.name}: {line}" for line in lines if len(line) != len(COLUMNS)]
    return [(path.name, *line) for line in good], wrong


def main():
    rows, faults = [], []
    for path in sorted(TAUGHT.glob("*.csv")):
        own, wrong = rows_of(path)
        rows += own
        faults += wrong
        if not any(holds(path.name, objective) for objective in OBJECTIVES):
            faults.append(f"{path.name} is not the file of a domain")
    sections = known_sections()
    faults += lesson_faults(sections) + row_faults(rows, known_items(), sections)
    for fault in faults:
        print(fault)
    print(f"{len(rows)} rows, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
