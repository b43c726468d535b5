#!/usr/bin/env python3
"""Thousands of hostile runs of the program, made of good requests, files and command lines by seeded changes.

    hostile.py PODWRIGHT [RUNS] [--seed N] [--group WORD] [--keep FOLDER] [--page FILE] [--requests FOLDER]

No run may end by a signal or with an internal error, end with 0 or 1 without the whole result, be refused without a
reason, take more than 5 s of processor time or 1 GB, or print what a terminal acts on. What does is kept in FOLDER with the
command that repeats it. The same seed and number give the same run.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import sys
import tempfile

import cases
import documents
import judge
import peers
import seeds

WORKERS = 2
KEPT_OF_A_CAUSE = 3
COLUMNS = ("group", "runs", "answers", "infeasible", "refused", "other", "longest", "most memory", "bad")


class Tally:
    """What became of the runs of a group."""

    def __init__(self):
        self.runs = 0
        self.codes = collections.Counter()
        self.longest = self.memory = 0.0
        self.bad = 0

    def add(self, done, faults):
        self.runs += 1
        self.codes[done.code] += 1
        self.longest = max(self.longest, done.cpu_s)
        self.memory = max(self.memory, done.memory_mb)
        self.bad += bool(faults)

    def join(self, other):
        self.runs += other.runs
        self.codes += other.codes
        self.longest = max(self.longest, other.longest)
        self.memory = max(self.memory, other.memory)
        self.bad += other.bad

    def row(self, name):
        codes = self.codes
        other = self.runs - codes[0] - codes[1] - codes[2]
        return (name, f"{self.runs:,}", f"{codes[0]:,}", f"{codes[1]:,}", f"{codes[2]:,}", f"{other:,}", f"{self.longest:.1f} s",
                f"{self.memory:,.0f} MB", f"{self.bad:,}")  # fmt: skip


def cause(fault):
    """Faults that differ only in numbers and names are one cause."""
    return re.sub(r'"[^"]*"|\'[^\']*\'|[\d.,]+', "#", fault)


def keep(folder, number, case, done, faults, program):
    """Writes the case with what repeats it."""
    name = re.sub(r"\W+", "-", cause(faults[0]))[:50].strip("-")
    here = folder / name / f"{case.group.replace(' ', '-')}-{number}"
    if here.parent.is_dir() and len(list(here.parent.iterdir())) >= KEPT_OF_A_CAUSE:
        return
    shutil.rmtree(here, ignore_errors=True)
    (here / "in").mkdir(parents=True)
    for file, data in case.files.items():
        (here / "in" / file).parent.mkdir(parents=True, exist_ok=True)
        data, size = data if isinstance(data, tuple) else (data, len(data))
        (here / "in" / file).write_bytes(data)
        os.truncate(here / "in" / file, max(size, len(data)))
    (here / "stdin").write_bytes(case.given)
    limit = {"small": "ulimit -f 1; "}.get(case.fault, "")
    to = {"full": " > /dev/full", "closed": " >&-"}.get(case.fault, "")
    words = " ".join(shlex.quote(os.fsdecode(documents.as_bytes(word))) for word in [program, *case.words])
    with open(here / "again.sh", "w", encoding="utf-8", errors="surrogateescape") as out:
        out.write(f"#!/bin/bash\n# {'; '.join(faults)}\ncd \"$(dirname \"$0\")/in\"\n{limit}{words} < ../stdin{to}\necho \"exit $?\"\n")
    for i, (message, manner) in enumerate(case.peers):
        (here / f"client-{i}-{manner}").write_bytes(message)
    (here / "out").write_bytes(done.out[:100_000])
    (here / "err").write_bytes(done.err[:100_000])


def limit_this_process():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (judge.ADDRESS_SPACE, judge.ADDRESS_SPACE))


def made(given, options, number):
    return cases.a_case(random.Random(f"{options.seed}/{number}"), given, options.group)


def work(options, given, numbers):
    """Runs the cases of these numbers; the tallies by group, and how often each cause was met with its first case."""
    limit_this_process()
    tallies, causes = collections.defaultdict(Tally), {}
    with tempfile.TemporaryDirectory() as place:
        for number in numbers:
            case = made(given, options, number)
            done = (peers if case.peers else judge).run(options.program, case, pathlib.Path(place))
            faults = judge.faults_of(case, done)
            tallies[case.group].add(done, faults)
            for fault in faults:
                first = causes.setdefault(cause(fault), [0, number, fault])
                first[0] += 1
            if faults and options.keep:
                keep(options.keep, number, case, done, faults, options.program)
        os.chdir("/")
    return dict(tallies), causes


def in_parallel(options, given):
    tallies, causes = collections.defaultdict(Tally), {}
    chunks = [range(start, min(options.runs, start + 100)) for start in range(0, options.runs, 100)]
    with concurrent.futures.ProcessPoolExecutor(WORKERS) as pool:
        for some, found in pool.map(work, [options] * len(chunks), [given] * len(chunks), chunks):
            for group, tally in some.items():
                tallies[group].join(tally)
            for word, (times, number, fault) in found.items():
                causes.setdefault(word, [0, number, fault])[0] += times
            if sys.stderr.isatty():
                print(f"\r{sum(t.runs for t in tallies.values())} runs", end="", file=sys.stderr)
    return tallies, causes


def write_requests(folder, given, options):
    """Changed requests as files, for others to ask."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "request").mkdir(parents=True)
    for number in range(options.runs):
        rng = random.Random(f"{options.seed}/{number}")
        _, data = cases.changed_request(rng, given)
        (folder / "request" / str(number)).write_bytes(data)


def table(tallies):
    whole = Tally()
    rows = []
    for name in sorted(tallies):
        whole.join(tallies[name])
        rows.append(tallies[name].row(name))
    return [COLUMNS, *rows, whole.row("all")], whole


def as_markdown(rows):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|---|" + "---:|" * (len(COLUMNS) - 1), *lines[1:]]) + "\n"


def write_page(page, rows, options):
    """Puts the table between the marks of the page."""
    text = page.read_text(encoding="utf-8")
    told = f"{options.runs:,} runs with the seed {options.seed}:\n\n{as_markdown(rows)}"
    mark = r"(<!-- hostile:begin[^>]*-->\n).*?(<!-- hostile:end -->)"
    page.write_text(re.sub(mark, lambda found: found[1] + told + found[2], text, flags=re.S), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda word: str(pathlib.Path(word).resolve()))
    parser.add_argument("runs", type=int, nargs="?", default=30_000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--group", help="only cases whose group has this word")
    parser.add_argument("--keep", type=lambda word: pathlib.Path(word).resolve(), help="folder for bad cases")
    parser.add_argument("--page", type=pathlib.Path, help="page whose table is written anew")
    parser.add_argument("--requests", type=pathlib.Path, help="only write that many changed requests into this folder")
    options = parser.parse_args()
    given = seeds.Seeds(options.program)
    if options.requests:
        write_requests(options.requests, given, options)
        return 0
    tallies, causes = in_parallel(options, given)
    rows, whole = table(tallies)
    widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
    for row in rows:
        print("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True))))
    for _, (times, number, fault) in sorted(causes.items(), key=lambda item: -item[1][0]):
        print(f"{times:6}  {fault}  (run {number})")
    if options.page:
        write_page(options.page, rows, options)
    print(f"[  PASSED  ] {whole.runs - whole.bad} tests.")
    if whole.bad:
        print(f"[  FAILED  ] {whole.bad} tests.")
    return 1 if whole.bad else 0


if __name__ == "__main__":
    sys.exit(main())
