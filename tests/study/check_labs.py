#!/usr/bin/env python3
"""Checks the labs of core/study/data/labs.json: a reader predicts a number on a slider, then the engine reveals it.

    check_labs.py [CLI]      CLI is the podwright executable; without it labs are read but not asked

The engine must answer each lab's request with a number well inside the slider, away from both ends and from where the
slider starts. What may be explored is asked along the way of every input, with all inputs at either end together, and
each time every number that is shown must be there. The text that teaches must not hold the number it reveals.
"""
import itertools
import json
import math
import re
import subprocess
import sys

from check_lessons import OBJECTIVES, ROOT, SHOW_KEYS, ask, at, known_sources, with_value

LABS = ROOT / "core/study/data/labs.json"
NUMBER_OF_LABS = range(16, 25)
MINUTES = range(2, 9)
KEYS = {"id", "title", "objective", "minutes", "setting", "question", "request", "answer_pointer", "unit", "slider",
        "hints", "reveal", "explore", "sources"}  # fmt: skip
SLIDER_KEYS = {"min", "max", "scale", "start"}
INPUT_KEYS = {"pointer", "label", "min", "max", "scale"}
SENTENCES = {"setting": range(2, 4), "reveal": range(3, 6)}
HINTS = range(1, 3)
# Of the slider's way: where the answer keeps away from the ends, and from the start.
FROM_ENDS = 0.05
FROM_START = 0.1
# A number this near to the answer gives it away.
SAME = 0.01


def sentences(text):
    return [part for part in re.split(r"(?<=[.?!])\s+", text.strip()) if part]


def share_of_way(slider, value):
    """Where a value stands between the ends of a slider, 0 to 1."""
    low, high = slider["min"], slider["max"]
    if slider["scale"] == "log":
        return math.log(value / low) / math.log(high / low)
    return (value - low) / (high - low)


def place(one, share):
    """The value of an input at a share of its way."""
    low, high = one["min"], one["max"]
    number = low * (high / low) ** share if one["scale"] == "log" else low + (high - low) * share
    return round(number) if one.get("integer") else number


def is_range(one):
    return one["min"] < one["max"] and (one["scale"] == "linear" or (one["scale"] == "log" and one["min"] > 0))


def form_of(schema, value):
    """Of a schema with forms (`oneOf`) the one whose words the value has."""
    for form in schema.get("oneOf", []):
        words = {key: field["enum"] for key, field in form["properties"].items() if len(field.get("enum", [])) == 1}
        if all(value.get(key) in enum for key, enum in words.items() if key in value):
            return form
    return schema


def schema_type(schema, request, pointer):
    """The type that a schema gives the field at a pointer; None where it has no such field."""
    value = request
    for part in pointer.split("/")[1:]:
        schema = schema.get("items", {}) if part.isdigit() else form_of(schema, value).get("properties", {}).get(part, {})
        value = value[int(part)] if part.isdigit() else value.get(part, {})
    return schema.get("type")


def schema_of(cli, kind):
    return json.loads(subprocess.run([cli, "schema", kind], capture_output=True, encoding="utf-8").stdout)


def requests_of(lab):
    """Each input along its way, then all inputs at their low and all at their high ends."""
    inputs = lab["explore"]["inputs"]
    for one, share in itertools.product(inputs, (0, 0.23, 0.37, 0.71, 1)):
        number = place(one, share)
        yield f"{one['pointer']} = {number}", with_value(lab["request"], one["pointer"], number)
    for end in ("min", "max"):
        changed = lab["request"]
        for one in inputs:
            changed = with_value(changed, one["pointer"], one[end])
        yield f"all at {end}", changed


def text_faults(lab, sources):
    wrong = [f"{key} is empty" for key in ("title", "setting", "question", "unit", "reveal") if not lab[key].strip()]
    wrong += [f"unknown source {one}" for one in lab["sources"] if one not in sources]
    if not lab["sources"]:
        wrong.append("no source")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", lab["id"]):
        wrong.append("the id is not of small letters, digits and dashes")
    if lab["objective"] not in OBJECTIVES:
        wrong.append(f"objective {lab['objective']}")
    if lab["minutes"] not in MINUTES:
        wrong.append(f"{lab['minutes']} minutes")
    if not lab["question"].endswith("?"):
        wrong.append("the question does not end with a question mark")
    for key, allowed in SENTENCES.items():
        if len(sentences(lab[key])) not in allowed:
            wrong.append(f"{key} has {len(sentences(lab[key]))} sentences")
    if len(lab["hints"]) not in HINTS:
        wrong.append(f"{len(lab['hints'])} hints")
    return wrong


def form_faults(lab):
    """What is wrong with the slider and with what may be explored, before the engine is asked."""
    slider, explore = lab["slider"], lab["explore"]
    if not SLIDER_KEYS <= set(slider) <= SLIDER_KEYS | {"step"} or not is_range(slider):
        return ["slider"]
    wrong = [] if slider["min"] <= slider["start"] <= slider["max"] else ["the slider starts outside itself"]
    if set(explore) != {"inputs", "shows"} or not explore["inputs"] or not explore["shows"]:
        return wrong + ["nothing to explore"]
    for one in explore["inputs"]:
        if not INPUT_KEYS <= set(one) <= INPUT_KEYS | {"integer"} or not is_range(one):
            wrong.append(f"input {one.get('pointer')}")
            continue
        try:
            given = at(lab["request"], one["pointer"])
        except (KeyError, IndexError):
            wrong.append(f"the request has no {one['pointer']}")
            continue
        if not one["min"] <= given <= one["max"]:
            wrong.append(f"{one['pointer']} {given} is not between its ends")
    wrong += [f"shows {show}" for show in explore["shows"] if not {"pointer", "label"} <= set(show) <= SHOW_KEYS]
    return wrong


def answer_faults(lab, answer):
    """What is wrong with the number that is predicted."""
    try:
        value = at(answer, lab["answer_pointer"])
    except (KeyError, IndexError, TypeError, ValueError):
        return [f"the answer has no {lab['answer_pointer']}"]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return [f"{lab['answer_pointer']} is no number: {value}"]
    slider = lab["slider"]
    if not slider["min"] < value < slider["max"]:
        return [f"the answer {value:g} is not inside the slider"]
    wrong = []
    way, start = share_of_way(slider, value), share_of_way(slider, slider["start"])
    if not FROM_ENDS <= way <= 1 - FROM_ENDS:
        wrong.append(f"the answer {value:g} is at an end of the slider")
    if abs(way - start) < FROM_START:
        wrong.append(f"the answer {value:g} is where the slider starts")
    for key in ("reveal", "question"):
        for text in re.findall(r"\d[\d,]*(?:\.\d+)?", lab[key]):
            if abs(float(text.replace(",", "")) - value) <= SAME * abs(value):
                wrong.append(f"{key} holds the answer: {text}")
    return wrong


def shown_faults(lab, name, answer):
    """What is wrong with the numbers shown beside one answer."""
    if "errors" in answer:
        return [f"{name}: {answer['errors'][0]['path']} {answer['errors'][0]['message']}"]
    wrong = []
    for show in lab["explore"]["shows"]:
        try:
            value = at(answer, show["pointer"])
        except (KeyError, IndexError, TypeError, ValueError):
            value = None
        if value is None:
            wrong.append(f"{name}: the answer has no {show['pointer']}")
        elif "unit" in show and not isinstance(value, (int, float)):
            wrong.append(f"{name}: {show['pointer']} has a unit and is no number")
    return wrong


def engine_faults(lab, cli, schemas):
    kind = lab["request"]["kind"]
    if kind not in schemas:
        schemas[kind] = schema_of(cli, kind)
    wrong = []
    for one in lab["explore"]["inputs"]:
        if (schema_type(schemas[kind], lab["request"], one["pointer"]) == "integer") != bool(one.get("integer")):
            wrong.append(f"{one['pointer']} is or is not a whole number")
    answer = ask(cli, lab["request"])
    wrong += shown_faults(lab, "as given", answer)
    if "errors" not in answer:
        wrong += answer_faults(lab, answer)
    for name, request in requests_of(lab):
        wrong += shown_faults(lab, name, ask(cli, request))
    return wrong


def check_lab(lab, cli, sources, schemas):
    if set(lab) != KEYS:
        return [f"keys {sorted(set(lab) ^ KEYS)}"]
    wrong = text_faults(lab, sources) + form_faults(lab)
    return wrong if wrong or cli is None else engine_faults(lab, cli, schemas)


def main():
    cli = sys.argv[1] if len(sys.argv) > 1 else None
    labs = json.loads(LABS.read_text(encoding="utf-8"))["labs"]
    sources, schemas, ids, faults = known_sources(), {}, set(), 0
    for lab in labs:
        wrong = check_lab(lab, cli, sources, schemas)
        if lab.get("id") in ids:
            wrong.append("the id is taken")
        ids.add(lab.get("id"))
        for text in wrong:
            print(f"{lab.get('id')}: {text}")
        faults += len(wrong)
    if len(labs) not in NUMBER_OF_LABS:
        print(f"{len(labs)} labs")
        faults += 1
    print(f"{len(labs)} labs, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
