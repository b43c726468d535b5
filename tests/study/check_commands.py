#!/usr/bin/env python3
"""Checks the command labs of core/study/data/commands, and replays each of them with the judge of the page.

Every accepted command is accepted, in other spellings too; every near miss is rejected with its message; what works at any
time works; a filter that hides the point is told so; and a run of the first accepted commands ends at the last step. The
judge is web/scripts/judge_commands.ts: without Node (22.18 or newer) the labs are read and not replayed.
"""
import collections
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from check_labs import sentences
from check_lessons import LESSONS, ROOT, known_sources

DATA = ROOT / "core/study/data"
WEB = ROOT / "web"
LABS_PER_OBJECTIVE = {"3.1": 5, "3.2": 5, "3.3": 5, "3.4": 5}
MINUTES = range(4, 13)
STEPS = range(4, 10)
KEYS = {"id", "title", "objective", "minutes", "lesson", "setting", "prompt", "steps", "any", "sources"}
STEP_KEYS = {"task", "accept", "output", "keep", "why", "hint", "near", "changes"}
OPTIONS = range(3, 6)
# What follows their first words are words of another program.
RUNS_ANOTHER = ("srun", "sbatch", "docker run", "docker exec", "kubectl exec", "kill", "ssh")
# Of a printed line: kubectl prints long events on one.
WIDEST = 340


def command_of(way):
    return way if isinstance(way, str) else way["command"]


def is_sentence(text):
    return len(sentences(re.sub(r"`[^`]*`", "x", text))) == 1 and text[-1] in ".?!"


def step_faults(step):
    wrong = [f"unknown key {key}" for key in set(step) - STEP_KEYS]
    if not step["accept"]:
        wrong.append("nothing is accepted")
    if not is_sentence(step["why"]):
        wrong.append(f"why is not one sentence: {step['why']}")
    for key in ("task", "hint"):
        if step[key][-1] not in ".?!":
            wrong.append(f"{key} does not end as a sentence")
    accepted = [command_of(way) for way in step["accept"]]
    wrong += [f"the hint gives the command away: {one}" for one in accepted if " " in one and one in step["hint"]]
    outputs = [step["output"]] + [way["output"] for way in step["accept"] if not isinstance(way, str)]
    for lines in outputs:
        wrong += [f"line too wide: {line[:60]}" for line in lines if len(line) > WIDEST]
        if step.get("keep") and not all(any(text in line for line in lines) for text in step["keep"]):
            wrong.append(f"an output lacks what a filter must keep: {step['keep']}")
    return wrong


def question_faults(step):
    options = step["options"]
    wrong = [] if len(options) in OPTIONS else [f"{len(options)} options"]
    if sum(1 for option in options if option.get("right")) != 1:
        wrong.append("not exactly one right option")
    if len({option["text"] for option in options}) != len(options):
        wrong.append("an option stands twice")
    if not step["question"].endswith("?"):
        wrong.append("the question has no question mark")
    return wrong


def lab_faults(lab, name, sources, own_sources):
    if set(lab) != KEYS:
        return [f"keys {sorted(set(lab) ^ KEYS)}"]
    wrong = [] if lab["id"] == name and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) else ["the id is not the file's name"]
    if lab["minutes"] not in MINUTES:
        wrong.append(f"{lab['minutes']} minutes")
    if len(lab["steps"]) not in STEPS:
        wrong.append(f"{len(lab['steps'])} steps")
    if lab["objective"] not in LABS_PER_OBJECTIVE:
        wrong.append(f"objective {lab['objective']}")
    if not any(path.stem[3:] == lab["lesson"] for path in LESSONS.glob("*.md")):
        wrong.append(f"unknown lesson {lab['lesson']}")
    if not any("question" in step for step in lab["steps"]):
        wrong.append("no question about an output")
    wrong += [f"unknown source {one}" for one in lab["sources"] if one not in sources]
    if not set(lab["sources"]) & own_sources:
        wrong.append("no source of its own tools")
    for place, step in enumerate(lab["steps"], 1):
        faults = question_faults(step) if "question" in step else step_faults(step)
        wrong += [f"step {place}: {fault}" for fault in faults]
    return wrong


def give_aways(labs):
    """Questions whose right option would be found by its length or its place."""
    questions = [step["options"] for lab in labs for step in lab["steps"] if "question" in step]
    places = collections.Counter([bool(one.get("right")) for one in options].index(True) for options in questions)
    longest = [max(options, key=lambda one: len(one["text"])) for options in questions]
    named = [f"the right option is the longest in {sum(1 for one in longest if one.get('right'))} of {len(questions)}"]
    wrong = named if sum(1 for one in longest if one.get("right")) > len(questions) / 3 else []
    return wrong + [f"option {place} is right in {count}" for place, count in places.items() if count > len(questions) / 2]


def words_of(command):
    return shlex.split(command, posix=False)


def other_spellings(command):
    """The same command as others type it."""
    yield "sudo " + command
    if not re.search(r"['\"]", command):
        yield command.replace(" ", "   ")
    words = words_of(command)
    apart = [part for word in words for part in (word.split("=", 1) if re.match(r"--[a-z-]+=[^'\"]", word) else [word])]
    if apart != words:
        yield " ".join(apart)
    if "|" not in command and not re.search(r"['\"\\]", command):
        yield " ".join(f'"{word}"' if place and not word.startswith("-") else word for place, word in enumerate(words))
        yield command + " | less"


def asked_of(lab):
    """What is asked of the judge, and what must come back."""
    for at, step in enumerate(lab["steps"]):
        if "question" in step:
            continue
        where = f"step {at + 1}"
        for way in step["accept"]:
            command = command_of(way)
            lines = step["output"] if isinstance(way, str) else way["output"]
            expected = {"kind": "accepted"} if "|" in command else {"kind": "accepted", "output": lines}
            yield where, at, command, expected
            for spelling in other_spellings(command):
                yield where, at, spelling, {"kind": "accepted"}
            if lines and "|" not in command:
                yield where, at, command + " | grep nothing-of-this", {"kind": "hidden"}
        for near in step.get("near", []):
            command = re.sub(r" \.\.\.$", "", near["command"]).replace("...", "x")
            yield where, at, command, {"kind": "near", "says": near["says"], "output": near.get("output", [])} | ({"looks": True} if near.get("looks") else {})
        yield where, at, "nvidia-smii", {"kind": "refused", "output": ["bash: nvidia-smii: command not found"]}
        first = command_of(step["accept"][0]).split("|")[0].strip()
        if not first.startswith(RUNS_ANOTHER):
            yield where, at, first + " --no-such-option", {"kind": "refused"}
    for one in lab["any"]:
        first, last = one.get("from", 1) - 1, one.get("to", len(lab["steps"])) - 1
        for at in range(first, last + 1):
            step = lab["steps"][at]
            taken = [command_of(way) for way in step.get("accept", [])] + [near["command"] for near in step.get("near", [])]
            if not any(one["command"].split()[0] == text.split()[0] for text in taken):
                yield f"step {at + 1}", at, one["command"], {"kind": "works", "output": one["output"]}


def line_of(step):
    """What solves a step: a command, or the letter of the right option."""
    if "question" not in step:
        return command_of(step["accept"][0])
    return "abcdef"[[bool(option.get("right")) for option in step["options"]].index(True)]


def node():
    """A Node that reads TypeScript: the project's own, or the system's."""
    own = sorted((WEB / "node/node_modules").glob("node-*/bin/node"))
    found = [str(path) for path in own] + [path for path in [shutil.which("node")] if path]
    for path in found:
        version = subprocess.run([path, "--version"], capture_output=True, encoding="utf-8").stdout.strip("v\n").split(".")
        if len(version) > 1 and [int(part) for part in version[:2]] >= [22, 18]:
            return path
    return None


def verdicts(program, questions):
    text = "\n".join(json.dumps(one) for one in questions)
    script = WEB / "scripts/judge_commands.ts"
    run = subprocess.run([program, str(script)], input=text, capture_output=True, encoding="utf-8")
    if run.returncode != 0:
        sys.exit(run.stderr)
    return [json.loads(line) for line in run.stdout.splitlines()]


def replay_faults(program, labs):
    cases = [(lab, *one) for lab in labs for one in asked_of(lab)]
    answers = verdicts(program, [{"lab": lab["id"], "at": at, "line": line} for lab, _, at, line, _ in cases])
    for (lab, where, _, line, expected), answer in zip(cases, answers, strict=True):
        for key, value in expected.items():
            if answer.get(key) != value:
                yield lab["id"], f"{where}: `{line}` {key} is {str(answer.get(key))[:160]} and not {str(value)[:80]}"
    plays = verdicts(program, [{"lab": lab["id"], "play": [line_of(step) for step in lab["steps"]]} for lab in labs])
    for lab, play in zip(labs, plays, strict=True):
        if play["at"] != len(lab["steps"]) or set(play["marks"]) != {"first"}:
            yield lab["id"], f"its own commands end at step {play['at']} of {len(lab['steps'])}: {play['marks']}"
    print(f"{len(cases)} lines judged, {len(labs)} labs played")


def main():
    files = sorted((DATA / "commands").glob("*.json"))
    labs = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}
    own = set(json.loads((DATA / "sources/commands.json").read_text(encoding="utf-8")))
    order = json.loads((DATA / "command_tools.json").read_text(encoding="utf-8"))["order"]
    sources = known_sources()
    faults = [(name, fault) for name, lab in labs.items() for fault in lab_faults(lab, name, sources, own)]
    if sorted(order) != sorted(labs):
        faults.append(("order", f"command_tools.json orders other labs: {sorted(set(order) ^ set(labs))}"))
    faults += [("questions", fault) for fault in give_aways(labs.values())]
    counts = collections.Counter(lab["objective"] for lab in labs.values())
    if counts != LABS_PER_OBJECTIVE:
        faults.append(("labs", f"by objective: {dict(counts)}"))
    named = {one for lab in labs.values() for one in lab["sources"]}
    faults += [("sources", f"no lab names {one}") for one in sorted(own - named)]
    program = node()
    if program is None:
        print("not replayed: no Node of 22.18 or newer")
    elif not faults or "--all" in sys.argv:
        faults += replay_faults(program, list(labs.values()))
    for name, fault in faults:
        print(f"{name}: {fault}")
    print(f"{len(labs)} command labs, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
