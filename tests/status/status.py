"""Writes docs/status.md: what Podwright must keep, the limit, the figure of today, and the command that takes it.

    status.py                      writes the page
    status.py --check              fails when the page is not what the files beside it and the tables give, or a command of it
                                   names a test, a script or a program that is not there
    status.py --run [PART ...]     runs the commands of these parts, or of all, keeps their figures and writes the page
    status.py --run --slow [...]   also those that take more than about a minute
    status.py --keep NAME FIGURE [COMMIT]   keeps a figure that was measured otherwise

lines.csv is written by hand. Its column `figure` says how a figure is taken:

    passed                         how many cases the command passes
    text PATTERN                   the first group of the pattern in what the command prints
    kept                           it is measured on a machine at rest, or by hand; kept.csv has it
    cell PAGE | PART | ROW | COLUMN  a cell of a table that another tool writes; `least COLUMN` or `most COLUMN` of all such rows

A row of a table is meant by words of its cells, and by `cells > 20` for those with more rows behind them. `slow` comes before a
figure that --slow takes. kept.csv is written by this tool alone.
"""

import csv
import datetime
import fnmatch
import itertools
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent.parent
page = root / "docs/status.md"
kept_file = root / "tests/status/kept.csv"
BEGIN, END = "<!-- status:begin (written by ./dev docs) -->\n", "<!-- status:end -->"
NOT_MEASURED = "not measured"


def read(path):
    return (root / path).read_text(encoding="utf-8")


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


lines = rows_of(root / "tests/status/lines.csv")
kept = {row["name"]: row for row in rows_of(kept_file)} if kept_file.exists() else {}


# ---- figures ---------------------------------------------------------------------------------------------------------


def cells_of(place):
    """The number of a table's cell: `PAGE | PART | ROW | COLUMN`."""
    file, part, row, column = (word.strip() for word in place.split("|"))
    found = re.search(rf"<!-- {part}:begin[^\n]*-->\n(.*?)<!-- {part}:end -->", read(file), flags=re.S)
    if not found:
        raise ValueError(f"{file} has no part {part}")
    table = [[cell.strip(" `") for cell in line.strip().strip("|").split("|")] for line in found[1].splitlines() if line.startswith("|")]
    head, body = table[0], table[2:]
    end, column = re.match(r"(?:(least|most) )?(.*)", column).groups()
    words = [word.strip() for word in row.split(",") if word.strip()]
    above = [int(word.split(">")[1]) for word in words if ">" in word]
    wanted = [word for word in words if ">" not in word]
    hits = [one for one in body if all(word in one for word in wanted) and all(int(one[head.index("cells")]) > few for few in above)]
    numbers = [float(one[head.index(column)].replace(",", "").split()[0]) for one in hits if one[head.index(column)] != "-"]
    if not numbers or (len(numbers) > 1 and not end):
        raise ValueError(f"{file}, {part}: {len(numbers)} rows of '{row}' with '{column}'")
    return min(numbers) if end == "least" else max(numbers)


def figure_of(line):
    """(text, where it is from): what is known of a line today."""
    how = line["figure"].removeprefix("slow ")
    if how.startswith("cell "):
        of = how[5:].split("|")[0].strip()
        return f"{cells_of(how[5:]):g}", f"[table]({of.removeprefix('docs/')})"
    if line["name"] in kept:
        one = kept[line["name"]]
        return one["figure"], f"{one['date']}, {one['commit']}"
    return NOT_MEASURED, ""


def bounds_of(limit):
    """(least, most, unit) of `<= 60 s`, `>= 85 %`, `= 0 runs`, `4 to 5 GPUs`; nothing of `all pass`."""
    if limit == "all pass":
        return None
    found = re.fullmatch(r"(?:(<=|>=|=) )?([\d.,]+)(?: to ([\d.,]+))?(?: (.*))?", limit)
    if not found or bool(found[1]) == bool(found[3]):
        raise ValueError(f"'{limit}' is not a limit")
    sign, low, high, unit = found.groups()
    low = float(low.replace(",", ""))
    if high:
        return low, float(high.replace(",", "")), unit or ""
    return (low if sign in (">=", "=") else float("-inf")), (low if sign in ("<=", "=") else float("inf")), unit or ""


def verdict_of(line):
    figure = figure_of(line)[0]
    if figure == NOT_MEASURED:
        return NOT_MEASURED
    bounds = bounds_of(line["limit"])
    if bounds is None:
        return "holds" if re.fullmatch(r"[\d,]+ passed", figure) and figure != "0 passed" else "falls short"
    return "holds" if bounds[0] <= float(figure.replace(",", "")) <= bounds[1] else "falls short"


def shown(line):
    figure, _ = figure_of(line)
    bounds = bounds_of(line["limit"])
    if bounds is None or figure == NOT_MEASURED:
        return figure
    unit = bounds[2].removesuffix("s") if figure == "1" and len(bounds[2]) > 2 else bounds[2]
    return f"{float(figure.replace(',', '')):,.12g} {unit}".strip()


# ---- running ---------------------------------------------------------------------------------------------------------


def cases(text):
    """(passed, failed) by the summaries of GoogleTest, ctest, unittest, Vitest and Playwright."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    passed = failed = 0
    for count in re.findall(r"^\[  PASSED  \] (\d+) test", text, flags=re.M):
        passed += int(count)
    for count in re.findall(r"^\[  FAILED  \] (\d+) test", text, flags=re.M):
        failed += int(count)
    for bad, every in re.findall(r"(\d+) tests failed out of (\d+)", text):
        passed, failed = passed + int(every) - int(bad), failed + int(bad)
    for line in re.findall(r"^ *Tests +\d.*|^ +\d+ (?:passed|failed|flaky)\b.*", text, flags=re.M):
        passed += sum(int(n) for n in re.findall(r"(\d+) passed", line))
        failed += sum(int(n) for n in re.findall(r"(\d+) (?:failed|flaky)", line))
    if not passed + failed:
        for count in re.findall(r"^Ran (\d+) tests?", text, flags=re.M):
            passed += int(count)
    return passed, failed


def measure(line):
    run = subprocess.run(["bash", "-c", line["command"]], cwd=root, capture_output=True, encoding="utf-8", errors="replace")
    text = run.stdout + run.stderr
    how = line["figure"].removeprefix("slow ")
    if how == "passed":
        passed, failed = cases(text)
        # A check that counts nothing is one case.
        if not passed + failed and run.returncode == 0:
            passed = 1
        failed = max(failed, int(run.returncode != 0))
        return f"{passed:,} passed" + (f", {failed:,} failed" if failed else "")
    found = re.search(how.removeprefix("text "), text, flags=re.M)
    if not found:
        sys.exit(f"{line['name']}: '{line['command']}' printed no such figure: {text[-500:]}")
    return found[1]


def git(*words):
    return subprocess.run(["git", *words], cwd=root, capture_output=True, encoding="utf-8", check=True).stdout.strip()


def head():
    return git("rev-parse", "--short=8", "HEAD")


def keep(name, figure, commit):
    """With today's date, or where the figure is of an earlier commit, that of the commit."""
    day = datetime.date.today().isoformat() if commit == head() else git("log", "-1", "--format=%cs", commit)
    kept[name] = {"name": name, "figure": figure, "date": day, "commit": commit}
    names = [line["name"] for line in lines]
    with kept_file.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["name", "figure", "date", "commit"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept[one] for one in names if one in kept)


def run(parts, slow):
    for line in lines:
        how = line["figure"]
        if (not parts or line["part"] in parts) and not how.startswith(("cell", "kept")) and (slow or not how.startswith("slow")):
            keep(line["name"], measure(line), head())
            print(f"{line['name']}: {shown(line)}, {verdict_of(line)}", flush=True)


# ---- checking --------------------------------------------------------------------------------------------------------


def has_case(room, pattern):
    text = "".join(file.read_text(encoding="utf-8") for file in sorted((root / "tests" / room).glob("*_test.cc")))
    names = [f"{suite}.{case}" for suite, case in re.findall(r"^TEST(?:_F)?\((\w+),\s*(\w+)\)", text, flags=re.M)]
    instances = re.findall(r"^INSTANTIATE_TEST_SUITE_P\((\w+),\s*(\w+)", text, flags=re.M)
    for suite, case in re.findall(r"^TEST_P\((\w+),\s*(\w+)\)", text, flags=re.M):
        names += [f"{instance}/{suite}.{case}/0" for instance, of in instances if of == suite]
    return any(fnmatch.fnmatchcase(name, pattern) for name in names)


def missing_of(words):
    """What a command names and is not there."""
    program, rest = words[0], words[1:]
    if found := re.fullmatch(r"build/native/tests/tests_(\w+)", program):
        filters = [word.split("=", 1)[1].split("-")[0] for word in rest if word.startswith("--gtest_filter=")]
        return [f"test {one}" for part in filters for one in part.split(":") if not has_case(found[1], one)]
    if program == "./dev":
        return [] if re.search(rf"^  {rest[0]} ", read("dev"), flags=re.M) else [f"verb {rest[0]}"]
    if program in ("python3", "node"):
        return [] if (root / rest[0]).is_file() else [f"file {rest[0]}"]
    if program == "npm":
        folder, script = rest[1], rest[3] if rest[2] == "run" else rest[2]
        scripts = json.loads(read(f"{folder}/package.json"))["scripts"]
        files = [word for word in rest if re.search(r"\.(?:spec|test)\.tsx?$", word)]
        places = [root / folder, root / "tests/npm" if folder == "wasm/npm" else root / "tests/web"]
        return [f"script {script}"] * (script not in scripts) + [
            f"file {name}" for name in files if not any((place / name).is_file() for place in places)
        ]
    if program == "ctest":
        lists = "".join(file.read_text(encoding="utf-8") for file in [root / "tests/CMakeLists.txt", *(root / "tests").rglob("*.cmake")])
        names = [name.strip("^$") for name in rest[rest.index("-R") + 1].split("|")]
        return [f"test {name}" for name in names if name != "tests_" and f"add_test(NAME {name}" not in lists]
    if program.startswith("build/native/"):
        return []
    return [] if shutil.which(program) or (root / program).is_file() else [f"program {program}"]


def commands_of(text):
    """The words of each program that a command starts."""
    words = shlex.shlex(text, posix=True, punctuation_chars="|&;()")
    words.whitespace_split = True
    for is_between, group in itertools.groupby(words, lambda word: re.fullmatch(r"[|&;()]+", word) is not None):
        own = list(itertools.dropwhile(lambda word: re.match(r"[A-Z_]+=", word), group))
        # What a loop of the shell does is not looked into.
        if own and own[0] == "for":
            return
        if own and not is_between:
            yield own


def problems():
    names = [line["name"] for line in lines]
    yield from (f"{name} is there twice" for name in sorted(set(names)) if names.count(name) > 1)
    yield from (f"kept.csv has the figure {name}, which no line asks for" for name in kept if name not in names)
    for line in lines:
        for words in commands_of(line["command"]):
            yield from (f"{line['name']}: there is no {what}" for what in missing_of(words))
        try:
            if bool(line["why"]) == (verdict_of(line) == "holds"):
                yield f"{line['name']} {verdict_of(line)}: " + ("its reason is out of date" if line["why"] else "its reason is missing")
        except ValueError as error:
            yield f"{line['name']}: {error}"


# ---- the page --------------------------------------------------------------------------------------------------------


def cell(text):
    return text.replace("|", "\\|")


def table(head, rows):
    return "".join("| " + " | ".join(row) + " |\n" for row in [head, ["---"] * len(head), *rows])


def part_text(name, own):
    rows = []
    for line in own:
        command = f"`{line['command']}`" if line["command"] else "by hand"
        rows.append([cell(line["holds"]), cell(line["limit"]), cell(shown(line)), verdict_of(line), figure_of(line)[1] or "-", cell(command)])
    text = f"## {name}\n\n" + table(["what must hold", "limit", "today", "state", "measured", "command"], rows)
    misses = [f"- {line['holds']}: {line['why']}\n" for line in own if line["why"]]
    return text + ("\nWhy not:\n\n" + "".join(misses) if misses else "")


def content():
    parts = [(name, list(own)) for name, own in itertools.groupby(lines, lambda line: line["part"])]
    words = ["holds", "falls short", NOT_MEASURED]
    counts = {name: [[verdict_of(line) for line in own].count(word) for word in words] for name, own in parts}
    total = [sum(column) for column in zip(*counts.values())]
    dates = sorted(row["date"] for row in kept.values())
    text = f"{total[0]} of {sum(total)} promises hold, {total[1]} fall short, {total[2]} are not measured. "
    text += f"Kept figures are of {dates[0]} to {dates[-1]}.\n\n"
    rows = [[f"[{name}](#{re.sub(r'[^a-z ]', '', name.lower()).replace(' ', '-')})", *map(str, found)] for name, found in counts.items()]
    return text + table(["part", *words], rows) + "\n" + "\n".join(part_text(name, own) for name, own in parts)


def written(text):
    before, rest = text.split(BEGIN)
    return before + BEGIN + content() + END + rest.split(END)[1]


def main(words):
    if words[:1] == ["--keep"] and len(words) in (3, 4):
        if words[1] not in [line["name"] for line in lines]:
            sys.exit(f"no line of lines.csv is called {words[1]}")
        keep(words[1], words[2], words[3] if len(words) == 4 else head())
    elif words[:1] == ["--run"]:
        run([word for word in words[1:] if word != "--slow"], "--slow" in words)
    elif words == ["--check"]:
        found = list(problems())
        if not found and written(page.read_text(encoding="utf-8")) != page.read_text(encoding="utf-8"):
            found = ["docs/status.md: not today's; ./dev docs writes it again"]
        for one in found:
            print(one)
        return 1 if found else 0
    elif words:
        sys.exit(__doc__)
    page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
