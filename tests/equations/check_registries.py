"""Checks that every formula of core stands in the registry of its room.

    check_registries.py ROOT

A formula that no registry names is compared with its equation by no test. Names and ids must be unique over all rooms.
"""

import pathlib
import re
import sys

core = pathlib.Path(sys.argv[1]) / "core"
problems = []


def without_comments(text):
    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', lambda m: m.group() if m.group()[0] == '"' else "", text, flags=re.S)


formulas = {}  # constant -> where
ids = {}  # id -> constant
registered = {}  # constant -> rooms
constant = re.compile(r"\bFormula<\s*[\w:]+\s*>\s+(k\w+)\s*\{(.*?)\};", re.S)
for path in sorted(core.rglob("*.h")) + sorted(core.rglob("*.cc")):
    where = path.relative_to(core.parent).as_posix()
    text = without_comments(path.read_text(encoding="utf-8"))
    for name, body in constant.findall(text):
        if name in formulas:
            problems.append(f"{where}: {name} stands in {formulas[name]} too")
        formulas[name] = where
        match = re.search(r'\.id\s*=\s*"([^"]+)"', body)
        if not match:
            problems.append(f"{where}: {name} has no id")
        elif match.group(1) in ids:
            problems.append(f"{where}: {name} has the id of {ids[match.group(1)]}, {match.group(1)}")
        else:
            ids[match.group(1)] = name
    room = path.relative_to(core).parts[0]
    for names in re.findall(r"\bk\w*Formulas\s*=\s*std::make_tuple\((.*?)\)\s*;", text, re.S):
        for name in re.findall(r"\bk\w+", names):
            registered.setdefault(name, []).append(room)

for name, where in sorted(formulas.items(), key=lambda item: item[1]):
    room = where.split("/")[1]
    rooms = registered.get(name, [])
    if rooms != [room]:
        problems.append(f"{where}: {name} " + (f"is registered in {', '.join(rooms)}" if rooms else f"is in no registry of {room}"))
for name in sorted(set(registered) - set(formulas)):
    problems.append(f"registry of {registered[name][0]}: {name} is no formula")

for problem in problems:
    print(problem)
print(f"{len(formulas)} formulas, {len(problems)} problems")
sys.exit(1 if problems or not formulas else 0)
