"""Says how two sets of answers differ, by kind: numbers, words, equations, members that are new or gone.

    difference.py BEFORE AFTER

Each is a folder of answers or a file. Entries of a trace are compared by id, inputs of a worked solution by value. Ends with 1 where a number differs.
"""

import collections
import json
import pathlib
import re
import sys

kinds = collections.Counter()
examples = {}


def note(kind, where, before=None, after=None):
    kinds[kind] += 1
    examples.setdefault(kind, []).append((where, before, after))


def identified(items):
    """Objects of a list by their id; nothing where they have none or share one."""
    named = {one["id"]: one for one in items if isinstance(one, dict) and isinstance(one.get("id"), str)}
    return named if len(named) == len(items) and items else None


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def by_id(trace):
    """Entries by id without the running number; equal ids are told apart by their value."""
    entries = collections.defaultdict(list)
    for entry in trace:
        entries[re.sub(r"^n\d+:", "", entry["id"]), entry["value"]].append(entry)
    return entries


def compare_traces(where, before, after):
    first, second = by_id(before), by_id(after)
    for key in first.keys() - second.keys():
        note("trace: numbers gone", f"{where} {key}")
    for key in second.keys() - first.keys():
        note("trace: numbers new", f"{where} {key}")
    for key in first.keys() & second.keys():
        for old, new in zip(first[key], second[key]):
            for member in sorted(old.keys() | new.keys()):
                if member in ("id", "value", "inputs"):
                    continue
                if old.get(member) != new.get(member):
                    note(f"trace: {member}", f"{where} {key[0]}", old.get(member), new.get(member))


def compare(where, before, after):
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before.keys() - after.keys():
            note("members gone", f"{where}/{key}", before[key])
        for key in after.keys() - before.keys():
            note("members new", f"{where}/{key}", None, after[key])
        for key in before.keys() & after.keys():
            if key == "trace" and isinstance(before[key], list):
                compare_traces(where, before[key], after[key])
            else:
                compare(f"{where}/{key}", before[key], after[key])
    elif where.endswith("/inputs") and {one["value"] for one in before} == {one["value"] for one in after}:
        if before != after:
            note("names and order of inputs", where, [one["name"] for one in before], [one["name"] for one in after])
    elif isinstance(before, list) and isinstance(after, list):
        if before != after and sorted(map(json.dumps, before)) == sorted(map(json.dumps, after)):
            return note("order of lists", where)
        if (first := identified(before)) and (second := identified(after)):
            return compare(where, first, second)
        if len(before) != len(after):
            note("lengths of lists", where, len(before), len(after))
        for i, (old, new) in enumerate(zip(before, after)):
            compare(f"{where}/{i}", old, new)
    elif before != after:
        kind = "digests of the catalog" if where.endswith("/catalog_digest") else "NUMBERS" if is_number(before) or is_number(after) else "equations" if where.endswith("/equation") else "words"
        note(kind, where, before, after)


def answers(path):
    path = pathlib.Path(path)
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return {file.name: json.loads(file.read_text(encoding="utf-8")) for file in files}


before, after = answers(sys.argv[1]), answers(sys.argv[2])
for name in sorted(before.keys() & after.keys()):
    compare(name, before[name], after[name])
for kind, count in sorted(kinds.items()):
    print(f"{count:6}  {kind}")
    for where, old, new in examples[kind][: 3 if count > 3 else count]:
        print(f"          {where}\n            - {str(old)[:160]}\n            + {str(new)[:160]}")
sys.exit(1 if kinds["NUMBERS"] else 0)
