#!/usr/bin/env python3
"""Checks core/study/data/claims.csv and notes_and_truth.json: each names sources that exist, none recalled."""
import csv
import json
import re
import sys

from check_lessons import OBJECTIVES, ROOT, known_sources

DATA = ROOT / "core/study/data"
VERDICTS = {"correct", "approximate", "misleading", "wrong", "outdated", "unverified", "contradicts"}
CARD_KEYS = {"id", "topic", "objective", "notes_say", "truth", "claims", "why", "sources"}
ENTRY_KEYS = {"title", "url", "publisher", "checked"}
FORMULA = re.compile(r"computed from .*[\dx/]")
METHOD = re.compile(r"docs/method/[a-z_]+\.md")
MISSING = "not found: "


def usable_sources():
    """Ids that a claim may name: those of study and catalog, less the ones recalled without a look-up."""
    catalog = json.loads((ROOT / "core/catalog/data/sources.json").read_text(encoding="utf-8"))
    return known_sources() - {source["id"] for source in catalog if source["kind"] == "recalled"}


def part_is_known(part, sources):
    if part.startswith(MISSING):
        return len(part) > len(MISSING)
    if METHOD.fullmatch(part):
        return (ROOT / part).is_file()
    return part in sources or FORMULA.match(part) is not None


def check_claim(row, sources):
    parts = row["source"].split("; ")
    wrong = [f"{column} is empty" for column in ("statement", "answer", "source") if not row[column].strip()]
    wrong += [f"unknown source {part}" for part in parts if not part_is_known(part, sources)]
    if row["verdict"] not in VERDICTS:
        wrong.append(f"verdict {row['verdict']}")
    if (row["verdict"] == "unverified") != any(part.startswith(MISSING) for part in parts):
        wrong.append("unverified and 'not found' do not go together")
    if row["objective"] not in OBJECTIVES:
        wrong.append(f"objective {row['objective']}")
    return wrong


def check_card(card, claims, sources):
    if set(card) != CARD_KEYS:
        return [f"keys {sorted(card)}"]
    wrong = [f"{key} is empty" for key, value in card.items() if not value]
    wrong += [f"unknown source {one}" for one in card["sources"] if one not in sources]
    wrong += [f"unknown claim {one}" for one in card["claims"] if one not in claims]
    if card["objective"] not in OBJECTIVES:
        wrong.append(f"objective {card['objective']}")
    return wrong


def check_entry(entry):
    wrong = [f"without {key}" for key in sorted(ENTRY_KEYS) if not entry.get(key)]
    if not entry.get("url", "").startswith("https://"):
        wrong.append("no address")
    return wrong


def main():
    with (DATA / "claims.csv").open(encoding="utf-8", newline="") as file:
        claims = list(csv.DictReader(file))
    cards = json.loads((DATA / "notes_and_truth.json").read_text(encoding="utf-8"))["cards"]
    entries = json.loads((DATA / "sources/claims.json").read_text(encoding="utf-8"))
    sources, ids = usable_sources(), [row["id"] for row in claims]
    faults = [f"{one}: occurs twice" for one in sorted({one for one in ids if ids.count(one) > 1})]
    faults += [f"{row['id']}: {text}" for row in claims for text in check_claim(row, sources)]
    faults += [f"{card.get('id')}: {text}" for card in cards for text in check_card(card, set(ids), sources)]
    faults += [f"{one}: {text}" for one, entry in entries.items() for text in check_entry(entry)]
    used = {part for row in claims for part in row["source"].split("; ")}
    used |= {source for card in cards for source in card.get("sources", [])}
    faults += [f"{one}: an entry of sources/claims.json that nothing uses" for one in sorted(set(entries) - used)]
    for fault in faults:
        print(fault)
    print(f"{len(claims)} claims, {len(cards)} cards, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
