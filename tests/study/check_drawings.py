#!/usr/bin/env python3
"""Checks the drawings of core/study/data/drawings, and that lessons and questions show what exists.

    check_drawings.py [CLI]     CLI is the podwright executable; without it requests of the core's drawings are not asked

A drawing is boxes on a grid with links between them (kind blocks), stacked bars (bars) or a drawing of the core (core).
Every lesson shows at least one, every drawing is shown somewhere, and a part that a question asks for is named nowhere
else in its drawing, nor in the question's prompt.
"""
import json
import re
import sys

from check_lessons import LESSONS, ROOT, ask, fences, split_front_matter

DATA = ROOT / "core/study/data"
KEYS = {
    "blocks": ({"id", "kind", "title", "shows", "boxes"}, {"links", "steps", "legend"}),
    "bars": ({"id", "kind", "title", "shows", "unit", "bars"}, set()),
    "core": ({"id", "kind", "title", "shows", "request"}, set()),
}
BOX_KEYS = {"id", "text", "note", "at", "size", "area", "in", "tone"}
LINK_KEYS = {"from", "to", "text", "both", "tone", "dashed"}
STEP_KEYS = {"text", "boxes", "links"}
TONES = {"plain", "compute", "memory", "data", "control", "power", "heat"}
COLUMNS, ROWS, BOXES = 6, 8, 16
# Characters that a link's text and, for each column, the two lines of a box's text and note may have.
LINK_TEXT, BOX_TEXT, BOX_NOTE = 18, 32, 44
CORE_FILES = ("topology-svg", "elevation-svg")


def is_text(value):
    return isinstance(value, str) and value.strip() == value != ""


def cells(box):
    """Left, top, right and bottom of a box on the grid."""
    (column, row), (columns, rows) = box["at"], box.get("size", [1, 1])
    return column, row, column + columns, row + rows


def frames_of(box, boxes):
    """Ids of all frames around a box, the nearest first."""
    found = []
    while "in" in box and box["in"] in boxes and box["in"] not in found:
        found.append(box["in"])
        box = boxes[box["in"]]
    return found


def box_faults(box):
    name = box.get("id", "?")
    wrong = [f"{name}: {key} is missing" for key in ("id", "text", "at") if key not in box]
    wrong += [f"{name}: unknown key {key}" for key in sorted(set(box) - BOX_KEYS)]
    if wrong:
        return wrong
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        wrong.append(f"{name}: an id has lower-case words joined by hyphens")
    numbers = [*box["at"], *box.get("size", [1, 1])]
    if len(numbers) != 4 or not all(isinstance(number, int) for number in numbers):
        return [*wrong, f"{name}: at and size are two whole numbers each"]
    left, top, right, bottom = cells(box)
    if not (0 <= left < right <= COLUMNS and 0 <= top < bottom <= ROWS):
        wrong.append(f"{name}: outside the grid of {COLUMNS} columns and {ROWS} rows")
    for key, most in (("text", BOX_TEXT), ("note", BOX_NOTE)):
        if key in box and not is_text(box[key]):
            wrong.append(f"{name}: {key} is empty or has spaces at an end")
        elif len(box.get(key, "")) > most * (right - left):
            wrong.append(f"{name}: {key} has {len(box[key])} characters, at most {most * (right - left)}")
    if box.get("tone", "plain") not in TONES:
        wrong.append(f"{name}: unknown tone {box['tone']}")
    return wrong


def grid_faults(boxes):
    """Overlaps, and boxes that leave their frames."""
    wrong = []
    every = list(boxes.values())
    for place, box in enumerate(every):
        left, top, right, bottom = cells(box)
        if "in" in box:
            frame = boxes.get(box["in"])
            if frame is None or frame is box:
                wrong.append(f"{box['id']}: is in {box['in']}, which does not exist")
            else:
                outer = cells(frame)
                if left < outer[0] or top < outer[1] or right > outer[2] or bottom > outer[3]:
                    wrong.append(f"{box['id']}: leaves its frame {frame['id']}")
                if not frame.get("area"):
                    wrong.append(f"{frame['id']}: holds {box['id']} and is no area")
        for other in every[place + 1 :]:
            outer = cells(other)
            is_over = left < outer[2] and outer[0] < right and top < outer[3] and outer[1] < bottom
            if is_over and other["id"] not in frames_of(box, boxes) and box["id"] not in frames_of(other, boxes):
                wrong.append(f"{box['id']} lies over {other['id']}")
    return wrong


def link_faults(drawing, boxes):
    wrong = []
    for link in drawing.get("links", []):
        name = f"link {link.get('from')} to {link.get('to')}"
        wrong += [f"{name}: unknown key {key}" for key in sorted(set(link) - LINK_KEYS)]
        ends = [link.get("from"), link.get("to")]
        missing = [end for end in ends if end not in boxes]
        wrong += [f"{name}: no box {end}" for end in missing]
        if "text" in link and not (is_text(link["text"]) and len(link["text"]) <= LINK_TEXT):
            wrong.append(f"{name}: a text of 1 to {LINK_TEXT} characters, not {link['text']!r}")
        if link.get("tone", "plain") not in TONES:
            wrong.append(f"{name}: unknown tone {link['tone']}")
        if missing:
            continue
        if ends[0] == ends[1] or ends[0] in frames_of(boxes[ends[1]], boxes) or ends[1] in frames_of(boxes[ends[0]], boxes):
            wrong.append(f"{name}: leads from a frame to what it holds, or to itself")
    return wrong


def step_faults(drawing, boxes):
    wrong = []
    joined = [{link.get("from"), link.get("to")} for link in drawing.get("links", [])]
    for number, step in enumerate(drawing.get("steps", []), start=1):
        wrong += [f"step {number}: unknown key {key}" for key in sorted(set(step) - STEP_KEYS)]
        if not is_text(step.get("text")):
            wrong.append(f"step {number}: no text")
        if not step.get("boxes") and not step.get("links"):
            wrong.append(f"step {number}: lights nothing")
        wrong += [f"step {number}: no box {box}" for box in step.get("boxes", []) if box not in boxes]
        wrong += [f"step {number}: no link {pair}" for pair in step.get("links", []) if set(pair) not in joined]
    return wrong


def legend_faults(drawing):
    """A legend says what tones of the drawing mean in it; false means that they say nothing more than the texts."""
    legend = drawing.get("legend", {})
    if legend is False:
        return []
    used = {one.get("tone", "plain") for one in [*drawing["boxes"], *drawing.get("links", [])]}
    wrong = [f"legend: no part has the tone {tone}" for tone in legend if tone not in used & TONES - {"plain"}]
    return wrong + [f"legend: {tone} has no short name" for tone, name in legend.items() if not is_text(name) or len(name) > 24]


def block_faults(drawing):
    wrong = [fault for box in drawing["boxes"] for fault in box_faults(box)]
    if wrong:
        return wrong
    boxes = {box["id"]: box for box in drawing["boxes"]}
    if len(boxes) < len(drawing["boxes"]):
        wrong.append("two boxes have one id")
    if not 2 <= len(boxes) <= BOXES:
        wrong.append(f"{len(boxes)} boxes, not 2 to {BOXES}")
    return wrong + grid_faults(boxes) + link_faults(drawing, boxes) + step_faults(drawing, boxes) + legend_faults(drawing)


def bar_faults(drawing):
    wrong = [] if is_text(drawing["unit"]) else ["no unit"]
    for bar in drawing["bars"]:
        parts = bar.get("parts", [])
        if not is_text(bar.get("text")) or not parts:
            wrong.append(f"a bar without text or parts: {bar}")
        for part in parts:
            value = part.get("value")
            if not is_text(part.get("text")) or isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
                wrong.append(f"{bar.get('text')}: part {part}")
            if set(part) - {"text", "value", "tone"} or part.get("tone", "plain") not in TONES:
                wrong.append(f"{bar.get('text')}: part {part}")
    return wrong


def core_faults(drawing, cli):
    request = drawing["request"]
    exports = request.get("exports", [])
    if request.get("kind") != "architecture" or len(exports) != 1 or exports[0] not in CORE_FILES:
        return [f"the request must be of kind architecture and export one of {', '.join(CORE_FILES)}"]
    if cli is None:
        return []
    answer = ask(cli, request)
    if "errors" in answer:
        return [f"{answer['errors'][0]['path']} {answer['errors'][0]['message']}"]
    files = answer.get("designs", [{}])[0].get("exports", [])
    return [] if files and files[0]["text"].startswith("<svg") else ["the engine makes no drawing of the request"]


def drawing_faults(drawing, cli):
    required, optional = KEYS.get(drawing.get("kind"), (set(), set()))
    if not required:
        return [f"unknown kind {drawing.get('kind')}"]
    wrong = [f"{key} is missing" for key in sorted(required - set(drawing))]
    wrong += [f"unknown key {key}" for key in sorted(set(drawing) - required - optional)]
    if wrong:
        return wrong
    wrong += [f"{key} is empty" for key in ("title", "shows") if not is_text(drawing[key])]
    if not re.search(r"[.?!]$", drawing["shows"]):
        wrong.append("shows is no sentence")
    check = {"blocks": block_faults, "bars": bar_faults, "core": lambda one: core_faults(one, cli)}[drawing["kind"]]
    return wrong + check(drawing)


def read_drawings(cli):
    """The drawings by id, and what is wrong with them by file."""
    drawings, faults = {}, []
    for path in sorted((DATA / "drawings").glob("*")):
        try:
            drawing = json.loads(path.read_text(encoding="utf-8"))
            wrong = drawing_faults(drawing, cli)
        except (json.JSONDecodeError, TypeError, KeyError, ValueError, AttributeError) as error:
            faults.append(f"{path.name}: cannot be read: {error}")
            continue
        if path.name != f"{drawing.get('id')}.json":
            wrong.append(f"its id is {drawing.get('id')}")
        drawings[path.stem] = drawing
        faults += [f"{path.name}: {fault}" for fault in wrong]
    return drawings, faults


def texts_without(drawing, hidden):
    """Every text of a drawing of boxes but those of one box."""
    texts = [drawing["title"], drawing["shows"]]
    texts += [text for box in drawing["boxes"] if box["id"] != hidden for text in (box["text"], box.get("note", ""))]
    texts += list((drawing.get("legend") or {}).values())
    texts += [link.get("text", "") for link in drawing.get("links", [])]
    return texts + [step["text"] for step in drawing.get("steps", [])]


def names(text, name):
    """Whether a text holds a name as whole words."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def question_faults(question, drawings):
    picture, hidden = question.get("picture"), question.get("hidden")
    if picture is None:
        return ["hidden without a picture"] if hidden is not None else []
    drawing = drawings.get(picture)
    if drawing is None:
        return [f"no drawing {picture}"]
    if hidden is None:
        return []
    box = next((box for box in drawing.get("boxes", []) if box.get("id") == hidden), None)
    if box is None:
        return [f"the drawing {picture} has no box {hidden}"]
    texts = [*texts_without(drawing, hidden), question["prompt"]]
    return [f"{box['text']}, which is asked for, is named in: {text}" for text in texts if names(text, box["text"])]


def main():
    cli = sys.argv[1] if len(sys.argv) > 1 else None
    drawings, faults = read_drawings(cli)
    shown = set()
    lessons = sorted(LESSONS.glob("*.md"))
    for path in lessons:
        blocks, _ = fences(split_front_matter(path.read_text(encoding="utf-8"))[1])
        ids = [text.strip() for kind, text in blocks if kind == "drawing"]
        shown |= set(ids)
        faults += [f"{path.name}: no drawing {one}" for one in ids if one not in drawings]
        if not ids:
            faults.append(f"{path.name}: shows no drawing")
    pictures = 0
    for path in sorted((DATA / "written").glob("*.json")):
        for question in json.loads(path.read_text(encoding="utf-8"))["questions"]:
            pictures += "picture" in question
            shown.add(question.get("picture"))
            faults += [f"{path.name}: {question['id']}: {fault}" for fault in question_faults(question, drawings)]
    faults += [f"{one}.json: is shown nowhere" for one in drawings if one not in shown]
    for fault in faults:
        print(fault)
    print(f"{len(drawings)} drawings, {len(lessons)} lessons, {pictures} questions with a picture, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
