#!/usr/bin/env python3
"""Checks core/study/data/coverage.csv: what covers each row of the inventory of the study documents.

    check_coverage.py [--list] [CLI]

Every reference must lead to something that exists. A row without a reference is printed and fails the check; with --list
it is only printed. CLI is the podwright executable; without it catalog:, calculator: and command: are not looked up.
"""
import csv
import json
import pathlib
import re
import subprocess
import sys

from check_lessons import known_sources, known_templates

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUDY = ROOT / "core/study/data"
ROWS = 552
COLUMNS = ["inventory", "item", "covered_by", "note"]
OBJECTIVES = [f"1.{n}" for n in range(1, 9)] + [f"2.{n}" for n in range(1, 11)] + [f"3.{n}" for n in range(1, 5)]


def lesson_rows():
    """The inventory rows that each lesson names in its front matter."""
    rows = {}
    for path in sorted((STUDY / "lessons").glob("*.md")):
        named = re.search(r"^inventory: (.*)$", path.read_text(encoding="utf-8"), re.M)
        rows[path.stem[3:]] = [one.strip() for one in named.group(1).split(",")] if named else []
    return rows


def claim_ids():
    """Ids of the ledger; None where this tree has none."""
    ids = set()
    for path in list(STUDY.glob("claims*.csv")) + list((ROOT / "core/catalog/data").glob("claims*.csv")):
        ids |= {row["id"] for row in csv.DictReader(path.open(encoding="utf-8", newline=""))}
    for path in STUDY.glob("claims*.json"):
        found = json.loads(path.read_text(encoding="utf-8"))
        ids |= {one["id"] for one in (found["claims"] if isinstance(found, dict) else found)}
    return ids or None


def slug(term):
    """How a reference writes a term: small letters and digits joined by dashes."""
    return re.sub(r"[^a-z0-9]+", "-", term.lower()).strip("-")


class Known:
    """Says whether what a reference names exists."""

    def __init__(self, cli):
        self.cli = cli
        self.lessons = set(lesson_rows())
        self.templates = known_templates()
        self.labs = {lab["id"] for lab in json.loads((STUDY / "labs.json").read_text(encoding="utf-8"))["labs"]}
        self.terms = {slug(entry["term"]) for entry in json.loads((STUDY / "glossary.json").read_text(encoding="utf-8"))["terms"]}
        self.sources = known_sources()
        self.claims = claim_ids()
        self.probes = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "native/probes").rglob("*.cc")))
        self.rules = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "core/architecture").glob("*.[ch]*")))
        self.asked = {}

    def lesson(self, name):
        return name in self.lessons

    def template(self, name):
        return name in self.templates

    def written(self, objective):
        folder = STUDY / "written"
        return objective in OBJECTIVES and (not folder.is_dir() or (folder / f"{objective}.json").is_file())

    def lab(self, name):
        return name in self.labs

    def glossary(self, name):
        return name in self.terms

    def source(self, name):
        return name in self.sources

    def claim(self, name):
        return bool(re.fullmatch(r"S00[0-4]-\d{3}", name)) and (self.claims is None or name in self.claims)

    def probe(self, name):
        return re.search(r'"' + re.escape(name) + r'["._]', self.probes) is not None

    def rule(self, name):
        return re.search(r"\brule_" + re.escape(name.replace("-", "_")) + r"\(", self.rules) is not None

    def catalog(self, name):
        table, _, item = name.partition("/")
        listing = self.run("catalog", "list", table)
        return listing is None or (bool(item) and re.search(r"^\s*" + re.escape(item) + r"\s", listing, re.M) is not None)

    def calculator(self, kind):
        return self.run("schema", kind) != ""

    def command(self, name):
        return self.run(name, "--help") != ""

    def run(self, *arguments):
        """What the command prints, "" where it fails, None without a command."""
        if self.cli is None:
            return None
        if arguments not in self.asked:
            done = subprocess.run([self.cli, *arguments], capture_output=True, encoding="utf-8")
            self.asked[arguments] = done.stdout if done.returncode == 0 else ""
        return self.asked[arguments]


def check_references(row, known):
    wrong = []
    for reference in row["covered_by"].split():
        kind, _, name = reference.partition(":")
        look = getattr(known, kind, None) if kind in KINDS else None
        if look is None or not name:
            wrong.append(f"{row['inventory']}: {reference} is of no known kind")
        elif not look(name):
            wrong.append(f"{row['inventory']}: {reference} leads to nothing")
    return wrong


KINDS = {"lesson", "template", "written", "catalog", "calculator", "probe", "rule", "claim", "command", "lab", "glossary",
         "source"}  # fmt: skip


def main():
    only_list = "--list" in sys.argv[1:]
    paths = [one for one in sys.argv[1:] if one != "--list"]
    known = Known(paths[0] if paths else None)
    with (STUDY / "coverage.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
        wrong = [] if reader.fieldnames == COLUMNS else [f"columns are {reader.fieldnames}"]
    if len(rows) != ROWS:
        wrong.append(f"{len(rows)} rows of {ROWS}")
    covered = {row["inventory"]: row["covered_by"].split() for row in rows}
    if len(covered) != len(rows):
        wrong.append("a row occurs twice")
    for row in rows:
        wrong += check_references(row, known)
    for lesson, named in lesson_rows().items():
        wrong += [f"{one}: lesson {lesson} names it, the table does not"
                  for one in named if f"lesson:{lesson}" not in covered.get(one, [])]
    for row, references in covered.items():
        for reference in references:
            lesson = reference.removeprefix("lesson:")
            if lesson != reference and row not in lesson_rows().get(lesson, []):
                wrong.append(f"{row}: lesson {lesson} does not name it")
    empty = [row for row in rows if not row["covered_by"].strip()]
    for row in empty:
        print(f"uncovered: {row['inventory']} {row['item']}" + (f" ({row['note']})" if row["note"] else ""))
    for text in wrong:
        print(text)
    print(f"{len(rows)} rows, {len(rows) - len(empty)} covered, {len(empty)} uncovered, {len(wrong)} faults")
    return 1 if wrong or (empty and not only_list) else 0


if __name__ == "__main__":
    sys.exit(main())
