#!/usr/bin/env python3
"""Checks core/study/data/assertions: no two places of the study tool assert what contradicts.

    check_assertions.py [--self-test]

A row says: this place asserts subject, relation, value (unit). vocabulary.json fixes the relations and the subjects.
A relation of kind "one" has one value for each subject, "many" several, an "order" leads in no circle; a relation may
name its negation, and sets of "opposites" exclude each other. Facts that the catalog has must equal the catalog's.
--self-test puts in a contradiction of each kind and expects it to be found.
"""
import csv
import difflib
import json
import pathlib
import re
import sys
from collections import defaultdict, namedtuple

from check_lessons import LESSONS, ROOT, known_templates, split_front_matter

DATA = ROOT / "core/study/data"
CATALOG = ROOT / "core/catalog/data"
ASSERTIONS = DATA / "assertions"
FILES = ["written", "lessons", "glossary", "claims", "notes", "templates", "labs"]
COLUMNS = ["place", "subject", "relation", "value", "unit"]
GRADED = ("correct", "approximate")
TOLERANCE = 0.01
KINDS = ("one", "many", "order")
COUNTED = ("zero one two three four five six seven eight nine ten eleven twelve "
           "thirteen fourteen fifteen sixteen").split()
WORDS_OF_NUMBERS = {
    **{name: (number,) for number, name in enumerate(COUNTED)},
    "a": (1,), "an": (1,), "single": (1,), "once": (1,), "twice": (2,), "double": (2,), "doubles": (2,),
    "doubled": (2,), "twofold": (2,), "no": (0,), "none": (0,), "nothing": (0,), "half": (0.5,), "third": (3, 1 / 3),
    "fourth": (4,), "quarter": (0.25,), "fifth": (5, 0.2), "eighth": (8, 0.125), "eightfold": (8,), "eighteen": (18,),
    "twenty": (20,), "thirty": (30,), "forty-eight": (48,), "fifty": (50,), "sixty": (60,), "hundredfold": (100,),
    "thousand": (1000,), "thousandfold": (1000,)}


Row = namedtuple("Row", "file line place subject relation value unit")


def slug(heading):
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def question_text(question):
    """All that a written question says, as one text."""
    parts = [question["prompt"], question.get("drawing", ""), question["explanation"]]
    for kind in ("options", "steps", "pairs"):
        for part in question.get(kind, []):
            parts += [str(part.get(key, "")) for key in ("left", "right", "text", "why")]
    return "\n".join(parts)


def lesson_sections(path):
    """The text under each heading of a lesson by its slug, with formulas and consoles and without calculators."""
    _, body = split_front_matter(path.read_text(encoding="utf-8"))
    found, name, fence = defaultdict(str), "", None
    for line in body.splitlines():
        if line.startswith("```"):
            fence = line[3:] or "plain" if fence is None else None
        heading = re.match(r"#{2,3} (.*)", line) if fence is None else None
        name = slug(heading[1]) if heading else name
        found[name] += "" if fence == "calculator" else line + "\n"
    return found


def strings(value):
    """Every string inside a JSON value."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [one for part in parts for one in strings(part)]


def places():
    """Every place by file: its id and the text that it shows; None where the text is made by code."""
    found = {file: {} for file in FILES}
    for path in sorted((DATA / "written").glob("*.json")):
        for question in json.loads(path.read_text(encoding="utf-8"))["questions"]:
            found["written"][question["id"]] = question_text(question)
    for path in sorted(LESSONS.glob("*.md")):
        for name, text in lesson_sections(path).items():
            found["lessons"][f"{path.stem[3:]}#{name}"] = text
    for entry in json.loads((DATA / "glossary.json").read_text(encoding="utf-8"))["terms"]:
        found["glossary"][entry["term"]] = f"{entry['term']} {entry.get('expands', '')} {entry['meaning']}"
    with (DATA / "claims.csv").open(encoding="utf-8", newline="") as rows:
        for claim in csv.DictReader(rows):
            found["claims"][claim["id"]] = " ".join(claim[key] for key in ("statement", "answer", "explanation"))
    for card in json.loads((DATA / "notes_and_truth.json").read_text(encoding="utf-8"))["cards"]:
        found["notes"][card["id"]] = f"{card['notes_say']} {card['truth']} {card['why']}"
    found["templates"] = {template: None for template in known_templates()}
    for lab in json.loads((DATA / "labs.json").read_text(encoding="utf-8"))["labs"]:
        texts = [lab.get(key, "") for key in ("title", "setting", "question", "reveal")]
        found["labs"][lab["id"]] = "\n".join(texts + lab.get("hints", []))
    for path in sorted((DATA / "commands").glob("*.json")):
        found["labs"][path.stem] = "\n".join(strings(json.loads(path.read_text(encoding="utf-8"))))
    return found


def needed(known):
    """What must have a row: questions, terms, templates, labs, and the claims that are right or nearly so."""
    must = {file: set(known[file]) for file in ("written", "glossary", "notes", "templates", "labs")}
    with (DATA / "claims.csv").open(encoding="utf-8", newline="") as rows:
        must["claims"] = {claim["id"] for claim in csv.DictReader(rows) if claim["verdict"] in GRADED}
    return must


def read_rows():
    rows = []
    for file in FILES:
        with (ASSERTIONS / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines)
            if reader.fieldnames != COLUMNS:
                sys.exit(f"{file}.csv has the columns {reader.fieldnames}")
            rows += [Row(file, reader.line_num, *(row[name] for name in COLUMNS)) for row in reader]
    return rows


class Vocabulary:
    def __init__(self):
        known = json.loads((ASSERTIONS / "vocabulary.json").read_text(encoding="utf-8"))
        self.relations, self.units = known["relations"], known["units"]
        self.opposites, self.subjects = known["opposites"], set(known["subjects"])
        self.synonyms = {name.casefold(): one for one, names in known["synonyms"].items() for name in names}
        self.variants = {(entry["subject"], entry["relation"]): entry["values"] for entry in known["variants"]}
        self.catalog = known["catalog"]

    def word(self, text):
        """The one spelling of a subject or value."""
        return self.synonyms.get(text.casefold(), text)

    def number(self, row):
        """A value as a number in the base of its unit, and that base; None for words."""
        try:
            base, factor = self.units[row.unit] if row.unit else ("", 1.0)
            return float(row.value) * factor, base
        except (KeyError, ValueError):
            return None

    def key(self, row):
        """What makes two values the same value, where they are not numbers."""
        number = self.number(row)
        return number if number else self.word(row.value).casefold()


def same(first, second):
    """Words must be equal, numbers equal within the tolerance."""
    if isinstance(first, tuple) != isinstance(second, tuple):
        return False
    if not isinstance(first, tuple):
        return first == second
    return first[1] == second[1] and abs(first[0] - second[0]) <= TOLERANCE * max(abs(first[0]), abs(second[0]))


def shown(row):
    return f"{row.file}/{row.place}: {row.subject} | {row.relation} | {row.value} {row.unit}".rstrip()


def against(first, second, why):
    return f"{why}\n    {shown(first)}\n    {shown(second)}"


def check_words(rows, vocabulary):
    """Relations, subjects and units that the vocabulary does not have."""
    faults, asked = [], {vocabulary.word(row.subject) for row in rows}
    for row in rows:
        relation = vocabulary.relations.get(row.relation)
        if not relation or relation["kind"] not in KINDS:
            faults.append(f"unknown relation\n    {shown(row)}")
        if vocabulary.word(row.subject) not in vocabulary.subjects:
            near = difflib.get_close_matches(row.subject, vocabulary.subjects, 3)
            faults.append(f"unknown subject, like {near}\n    {shown(row)}")
        if not row.value or (row.unit and (row.unit not in vocabulary.units or not vocabulary.number(row))):
            faults.append(f"no value of a known unit\n    {shown(row)}")
    return faults + [f"a subject without a row: {name}" for name in sorted(vocabulary.subjects - asked)]


def check_places(rows, known, must):
    faults = [f"no such place\n    {shown(row)}" for row in rows if row.place not in known[row.file]]
    for file, names in must.items():
        there = {row.place for row in rows if row.file == file}
        faults += [f"{file}/{name} has no assertion" for name in sorted(names - there)]
    lessons = {row.place.split("#")[0] for row in rows if row.file == "lessons"}
    without = {path.stem[3:] for path in LESSONS.glob("*.md")} - lessons
    faults += [f"lesson {name} has no assertion" for name in sorted(without)]
    seen = set()
    for row in rows:
        faults += [f"twice\n    {shown(row)}"] if row._replace(line=0) in seen else []
        seen.add(row._replace(line=0))
    return faults


def check_one(rows, vocabulary):
    """A functional relation has one value for each subject, or one of the variants that the vocabulary lists."""
    groups, faults = defaultdict(list), []
    for row in rows:
        if vocabulary.relations.get(row.relation, {}).get("kind") == "one":
            groups[vocabulary.word(row.subject), row.relation].append(row)
    for pair, group in groups.items():
        values = vocabulary.variants.get(pair)
        if values:
            allowed = [vocabulary.key(group[0]._replace(value=value, unit=unit)) for value, unit in values]
            faults += [f"not among the variants\n    {shown(row)}" for row in group
                       if not any(same(vocabulary.key(row), one) for one in allowed)]
            continue
        first = group[0]
        faults += [against(first, row, "two values") for row in group[1:]
                   if not same(vocabulary.key(first), vocabulary.key(row))]
    return faults


def check_negations(rows, vocabulary):
    """No relation together with its negation, nor two opposites, for one subject and value."""
    sets = [(name, entry["not"]) for name, entry in vocabulary.relations.items() if "not" in entry]
    groups, faults = defaultdict(dict), []
    for row in rows:
        groups[vocabulary.word(row.subject), vocabulary.key(row)].setdefault(row.relation, row)
    for there in groups.values():
        for names in sets + vocabulary.opposites:
            met = [there[name] for name in names if name in there]
            faults += [against(met[0], row, "a relation and its negation") for row in met[1:]]
    return faults


def check_orders(rows, vocabulary):
    """Where one thing comes before another, no way leads back."""
    faults = []
    for relation in (name for name, entry in vocabulary.relations.items() if entry["kind"] == "order"):
        follows = defaultdict(dict)
        for row in rows:
            if row.relation == relation:
                follows[vocabulary.word(row.subject)].setdefault(vocabulary.word(row.value), row)
        for start in list(follows):
            for row in circle(follows, start):
                faults.append(f"leads in a circle from {start}\n    {shown(row)}")
    return faults


def circle(follows, start):
    """The rows on a way from `start` back to itself, if there is one."""
    stack, seen = [(start, [])], set()
    while stack:
        name, way = stack.pop()
        for after, row in follows.get(name, {}).items():
            if after == start:
                return way + [row]
            if after not in seen:
                seen.add(after)
                stack.append((after, way + [row]))
    return []


def check_catalog(rows, vocabulary):
    """Facts of the catalog's items equal the catalog's; lists which fields were compared at least once."""
    faults, items, compared = [], {}, 0
    for row in rows:
        place = vocabulary.catalog.get(vocabulary.word(row.subject))
        fields = vocabulary.relations.get(row.relation, {}).get("catalog", {})
        if not place or place.split("/")[0] not in fields:
            continue
        if place not in items:
            items[place] = json.loads((CATALOG / f"{place}.json").read_text(encoding="utf-8"))
        field, unit = fields[place.split("/")[0]]
        value = items[place]
        for part in field.split("."):
            value = value[int(part)] if isinstance(value, list) else (value or {}).get(part)
        if value is None:
            continue
        compared += 1
        theirs = row._replace(file="catalog", place=f"{place}.{field}", value=str(value), unit=unit)
        ours, variants = vocabulary.key(row), vocabulary.variants.get((vocabulary.word(row.subject), row.relation), [])
        allowed = [vocabulary.key(row._replace(value=one, unit=two)) for one, two in variants]
        if not same(ours, vocabulary.key(theirs)) and not any(same(ours, one) for one in allowed):
            faults.append(against(row, theirs, "not what the catalog says"))
    return faults, compared


def numbers_of(text):
    """Every number that a text shows, also in words, as a power, a fraction or a sum."""
    plain = re.sub(r"(?<=\d)(\{,\}|,)(?=\d{3})", "", text)
    found = {float(one) for one in re.findall(r"\d+\.\d+|\d+", plain)}
    found |= {float(base) ** int(power) for base, power in re.findall(r"\b(\d+)\^\{?(\d{1,2})\b", plain)}
    found |= {int(part) / int(whole) for part, whole in re.findall(r"\b(\d+)/(\d+)\b", plain) if int(whole)}
    for sum_of in re.findall(r"\d+(?: \+ \d+)+", plain):
        found.add(float(sum(int(one) for one in sum_of.split(" + "))))
    for name, numbers in WORDS_OF_NUMBERS.items():
        if re.search(rf"\b{name}\b", text, re.I):
            found |= set(numbers)
        if re.search(rf"\b{name} and a half\b", text, re.I):
            found |= {number + 0.5 for number in numbers}
    return found


def check_numbers(rows, known, vocabulary):
    """A number that a row asserts is one that its place shows, in this or a larger or smaller unit."""
    faults, read = [], {}
    for row in rows:
        number, text = vocabulary.number(row), known[row.file].get(row.place)
        if not number or text is None:
            continue
        if (row.file, row.place) not in read:
            read[row.file, row.place] = numbers_of(text)
        value = float(row.value)
        scaled = [value * factor for factor in (1, 1e3, 1e-3, 1e6, 1e-6, 100, 0.01, 1e9, 1e-9)]
        if not any(abs(one - there) <= TOLERANCE * abs(one) for one in scaled for there in read[row.file, row.place]):
            faults.append(f"a number that the place does not show\n    {shown(row)}")
    return faults


def all_faults(rows, vocabulary, known, must):
    faults, compared = check_catalog(rows, vocabulary)
    faults += check_words(rows, vocabulary) + check_places(rows, known, must) + check_one(rows, vocabulary)
    faults += check_negations(rows, vocabulary) + check_orders(rows, vocabulary)
    return faults + check_numbers(rows, known, vocabulary), compared


def self_test(rows, vocabulary, known, must):
    """Each kind of contradiction, put in, is found."""
    def a_row(test):
        return next(row for row in rows if test(row))

    def kind(row):
        return vocabulary.relations[row.relation]["kind"]

    word = a_row(lambda row: row.relation == "made_for")
    number = a_row(lambda row: row.relation == "amounts_to" and row.file == "written" and vocabulary.number(row))
    negated = a_row(lambda row: "not" in vocabulary.relations[row.relation])
    opposite = a_row(lambda row: row.relation == "raises")
    order = a_row(lambda row: kind(row) == "order" and row.value in vocabulary.subjects)
    listed = a_row(lambda row: row.relation == "memory" and vocabulary.word(row.subject) in vocabulary.catalog)
    cases = {
        "a second word": rows + [word._replace(value="another purpose")],
        "a second number": rows + [number._replace(value=str(float(number.value) * 1.02))],
        "a negation": rows + [negated._replace(relation=vocabulary.relations[negated.relation]["not"])],
        "an opposite": rows + [opposite._replace(relation="lowers")],
        "a circle": rows + [order._replace(subject=order.value, value=order.subject)],
        "another figure than the catalog's": [row for row in rows if row.subject != listed.subject] +
                                             [listed._replace(value=str(float(listed.value) * 2))],
        "an unknown place": rows + [word._replace(place="no such place")],
        "an unknown relation": rows + [word._replace(relation="no such relation")],
        "an unknown subject": rows + [word._replace(subject="no such subject")],
        "a question without a row": [row for row in rows if row.place != number.place],
        "a number that the text lacks": rows + [number._replace(value="12345.678", unit="")],
    }
    before, failed = set(all_faults(rows, vocabulary, known, must)[0]), 0
    for name, changed in cases.items():
        new = set(all_faults(changed, vocabulary, known, must)[0]) - before
        failed += not new
        print(f"{name}: {'found' if new else 'NOT FOUND'}")
    print(f"{len(cases)} kinds, {failed} not found")
    return 1 if failed else 0


def main():
    rows, vocabulary, known = read_rows(), Vocabulary(), places()
    must = needed(known)
    if sys.argv[1:] == ["--self-test"]:
        return self_test(rows, vocabulary, known, must)
    faults, compared = all_faults(rows, vocabulary, known, must)
    for text in faults:
        print(text)
    print(f"{len(rows)} assertions, {len(vocabulary.subjects)} subjects, {len(vocabulary.relations)} relations, "
          f"{compared} compared with the catalog, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
