#!/usr/bin/env python3
"""Checks core/study/data/glossary.json: terms once and in order, short meanings, references that lead somewhere."""
import json
import sys

from check_lessons import FIRST_OBJECTIVES, LESSONS, OBJECTIVES, ROOT, known_sources
from check_labs import sentences

GLOSSARY = ROOT / "core/study/data/glossary.json"
FEWEST_TERMS = 150
NEEDED = {"term", "meaning", "sources"}
ALLOWED = NEEDED | {"expands", "see", "lesson", "objective"}
SENTENCES = range(1, 4)


def order(term):
    return term.casefold(), term


def check_term(entry, terms, lessons, sources):
    if not NEEDED <= set(entry) <= ALLOWED:
        return [f"keys {sorted(entry)}"]
    wrong = [f"{key} is empty" for key, value in entry.items() if not value]
    if len(sentences(entry["meaning"])) not in SENTENCES or not entry["meaning"].endswith("."):
        wrong.append("the meaning is not one to three sentences")
    wrong += [f"unknown source {one}" for one in entry["sources"] if one not in sources]
    for other in entry.get("see", []):
        if other not in terms or other == entry["term"]:
            wrong.append(f"see {other}")
    if "lesson" in entry and entry["lesson"] not in lessons:
        wrong.append(f"unknown lesson {entry['lesson']}")
    if "objective" in entry and entry["objective"] not in OBJECTIVES:
        wrong.append(f"objective {entry['objective']}")
    return wrong


def main():
    entries = json.loads(GLOSSARY.read_text(encoding="utf-8"))["terms"]
    terms = [entry.get("term", "") for entry in entries]
    lessons, sources, faults = {path.stem[3:] for path in LESSONS.glob("*.md")}, known_sources(), 0
    for entry in entries:
        for text in check_term(entry, terms, lessons, sources):
            print(f"{entry.get('term')}: {text}")
            faults += 1
    for before, after in zip(terms, terms[1:]):
        if order(before) >= order(after):
            print(f"{after}: occurs twice or out of order")
            faults += 1
    missing = [one for one in FIRST_OBJECTIVES if not any(entry.get("objective") == one for entry in entries)]
    if missing or len(entries) < FEWEST_TERMS:
        print(f"{len(entries)} terms, objectives without a term: {missing}")
        faults += 1
    print(f"{len(entries)} terms, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
