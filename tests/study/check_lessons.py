#!/usr/bin/env python3
"""Checks the lessons of core/study/data/lessons: front matter, known ids, length, formulas, live calculators.

    check_lessons.py [CLI]      CLI is the podwright executable; without it calculators are read but not asked

Objectives are those of the blueprints. Only lessons for NCA-AIIO need a calculator, rows of the inventory and a number
of lessons for each objective.

A calculator is asked with its own values, with every input at either end and at two places between, and with all inputs
at one end together; each time the answer must hold a value at every pointer that the block shows.
"""
import copy
import itertools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LESSONS = ROOT / "core/study/data/lessons"
BLUEPRINTS = ROOT / "core/study/data/blueprints"
FIRST_EXAM = "nca-aiio"
NUMERIC = ["1.2", "1.8", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.9", "3.2", "3.4"]
FEWEST_LESSONS = 30
WORDS = (700, 1500)
MINUTES = (5, 10)
FIELDS = ["id", "title", "objectives", "minutes", "sources", "inventory", "closing"]
COMMANDS = {"training": "estimate", "serving": "estimate", "fabric": "architecture"}
OPTIONAL = {"inventory"}  # where no objective is the first exam's
BLOCK_KEYS = {"title", "request", "inputs", "shows"}
INPUT_KEYS = {"pointer", "label", "min", "max", "scale"}
SHOW_KEYS = {"pointer", "label", "unit"}


def objectives_of_exams():
    """The exam of each objective."""
    return {
        objective["id"]: path.stem
        for path in sorted(BLUEPRINTS.glob("*.json"))
        for objective in json.loads(path.read_text(encoding="utf-8"))["objectives"]
    }


EXAMS = objectives_of_exams()
OBJECTIVES = list(EXAMS)
FIRST_OBJECTIVES = [one for one, exam in EXAMS.items() if exam == FIRST_EXAM]


def comma_list(text):
    return [part.strip() for part in text.split(",") if part.strip()]


def known_sources():
    known = {source["id"] for source in json.loads((ROOT / "core/catalog/data/sources.json").read_text(encoding="utf-8"))}
    for path in sorted((ROOT / "core/study/data/sources").glob("*.json")):
        known |= set(json.loads(path.read_text(encoding="utf-8")))
    return known


def known_inventory():
    lines = (ROOT / "core/study/data/coverage.csv").read_text(encoding="utf-8").splitlines()[1:]
    return {line.split(",", 1)[0] for line in lines}


def known_templates():
    """Ids of the templates of questions."""
    return set(json.loads((ROOT / "core/study/data/questions.json").read_text(encoding="utf-8")))


def known_closings():
    known = known_templates()
    for path in (ROOT / "core/study/data/written").glob("*.json"):
        known |= {question["id"] for question in json.loads(path.read_text(encoding="utf-8"))["questions"]}
    return known


def split_front_matter(text):
    """The fields between the lines of ---, and the body; None where there are none."""
    match = re.match(r"---\n(.*?)\n---\n(.*)", text, re.S)
    if not match:
        return None, text
    pairs = (line.split(":", 1) for line in match.group(1).splitlines())
    return {key.strip(): value.strip() for key, value in pairs}, match.group(2)


def fences(body):
    """Every fenced block as (kind, text), and the body without them."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", body, re.S | re.M)
    return found, re.sub(r"^```\w*\n.*?^```$", "", body, flags=re.S | re.M)


def words(prose):
    prose = re.sub(r"\$\$.*?\$\$", " ", prose, flags=re.S)
    return len(re.findall(r"[A-Za-z0-9][\w'./%-]*", prose))


def at(value, pointer):
    """What stands at a JSON Pointer; KeyError where nothing does."""
    for part in pointer.split("/")[1:]:
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def with_value(request, pointer, number):
    changed = copy.deepcopy(request)
    parent, key = pointer.rsplit("/", 1)
    holder = at(changed, parent)
    key = int(key) if isinstance(holder, list) else key
    if isinstance(holder[key], int) and float(number).is_integer():
        number = int(number)
    holder[key] = number
    return changed


def place(one, share, whole):
    """The value of an input at a share of its way, as a slider would give it."""
    low, high = one["min"], one["max"]
    number = low * (high / low) ** share if one.get("scale") == "log" else low + (high - low) * share
    return round(number) if whole else number


def requests_of(block):
    """The block's own request, each input along its way, all at the low and all at the high end."""
    request = block["request"]
    yield "as given", request
    for one, share in itertools.product(block["inputs"], (0, 0.37, 0.71, 1)):
        number = place(one, share, isinstance(at(request, one["pointer"]), int))
        yield f"{one['pointer']} = {number}", with_value(request, one["pointer"], number)
    for end in ("min", "max"):
        changed = request
        for one in block["inputs"]:
            changed = with_value(changed, one["pointer"], one[end])
        yield f"all at {end}", changed


def ask(cli, request):
    command = COMMANDS.get(request["kind"], request["kind"])
    run = subprocess.run([cli, command, "-", "--json"], input=json.dumps(request), capture_output=True, encoding="utf-8")
    return json.loads(run.stdout)


def check_block(cli, text):
    """What is wrong with one calculator."""
    try:
        block = json.loads(text)
    except json.JSONDecodeError as error:
        return [f"calculator is no JSON: {error}"]
    wrong = []
    if set(block) != BLOCK_KEYS:
        return [f"calculator has the keys {sorted(block)}"]
    title = block["title"]
    for one in block["inputs"]:
        if not {"pointer", "label", "min", "max"} <= set(one) <= INPUT_KEYS:
            wrong.append(f"{title}: input {one}")
            continue
        try:
            given = at(block["request"], one["pointer"])
        except (KeyError, IndexError):
            wrong.append(f"{title}: the request has no {one['pointer']}")
            continue
        if not one["min"] <= given <= one["max"]:
            wrong.append(f"{title}: {one['pointer']} {given} is not between its ends")
        if one.get("scale", "linear") not in ("linear", "log") or (one.get("scale") == "log" and one["min"] <= 0):
            wrong.append(f"{title}: scale of {one['pointer']}")
    for show in block["shows"]:
        if not {"pointer", "label"} <= set(show) <= SHOW_KEYS:
            wrong.append(f"{title}: shows {show}")
    if not block["shows"] or not block["inputs"]:
        wrong.append(f"{title}: nothing to change or nothing shown")
    if wrong or cli is None:
        return wrong
    for name, request in requests_of(block):
        answer = ask(cli, request)
        if "errors" in answer:
            wrong.append(f"{title}, {name}: {answer['errors'][0]['path']} {answer['errors'][0]['message']}")
            continue
        for show in block["shows"]:
            try:
                if at(answer, show["pointer"]) is None:
                    wrong.append(f"{title}, {name}: nothing at {show['pointer']}")
            except (KeyError, IndexError, TypeError, ValueError):
                wrong.append(f"{title}, {name}: the answer has no {show['pointer']}")
    return wrong


def check_lesson(path, cli, known):
    fields, body = split_front_matter(path.read_text(encoding="utf-8"))
    if fields is None:
        return ["no front matter"], []
    objectives = comma_list(fields.get("objectives", ""))
    is_further = bool(objectives) and all(one in EXAMS and one not in FIRST_OBJECTIVES for one in objectives)
    needed = [key for key in FIELDS if not (is_further and key in OPTIONAL)]
    wrong = [f"front matter lacks {key}" for key in needed if not fields.get(key)]
    wrong += [f"front matter has {key}" for key in fields if key not in FIELDS]
    if wrong:
        return wrong, []
    if not re.fullmatch(r"\d\d-" + re.escape(fields["id"]), path.stem):
        wrong.append(f"id {fields['id']} is not that of the file's name")
    wrong += [f"objective {one}" for one in objectives if one not in EXAMS]
    wrong += [f"unknown source {one}" for one in comma_list(fields["sources"]) if one not in known["sources"]]
    wrong += [f"unknown row {one}" for one in comma_list(fields.get("inventory", "")) if one not in known["inventory"]]
    if fields["closing"] not in known["closings"]:
        wrong.append(f"unknown closing question {fields['closing']}")
    if not MINUTES[0] <= int(fields["minutes"]) <= MINUTES[1]:
        wrong.append(f"{fields['minutes']} minutes")
    blocks, prose = fences(body)
    if not WORDS[0] <= words(prose) <= WORDS[1]:
        wrong.append(f"{words(prose)} words")
    if not re.search(r"\$[^$\n]+\$|\$\$.+?\$\$", prose, re.S):
        wrong.append("no formula")
    calculators = [text for kind, text in blocks if kind == "calculator"]
    if not calculators and not is_further:
        wrong.append("no calculator")
    for text in calculators:
        wrong += check_block(cli, text)
    return wrong, objectives


def main():
    cli = sys.argv[1] if len(sys.argv) > 1 else None
    known = {"sources": known_sources(), "inventory": known_inventory(), "closings": known_closings()}
    paths = sorted(LESSONS.glob("*.md"))
    faults, lessons_of, ids = 0, {one: 0 for one in OBJECTIVES}, set()
    for path in paths:
        wrong, objectives = check_lesson(path, cli, known)
        if path.stem[3:] in ids:
            wrong.append("the id is taken")
        ids.add(path.stem[3:])
        for one in objectives:
            lessons_of[one] = lessons_of.get(one, 0) + 1
        for text in wrong:
            print(f"{path.name}: {text}")
        faults += len(wrong)
    for one in FIRST_OBJECTIVES:
        needed = 2 if one in NUMERIC else 1
        if lessons_of[one] < needed:
            print(f"objective {one}: {lessons_of[one]} lessons of {needed}")
            faults += 1
    if len(paths) < FEWEST_LESSONS:
        print(f"{len(paths)} lessons of {FEWEST_LESSONS}")
        faults += 1
    print(f"{len(paths)} lessons, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
