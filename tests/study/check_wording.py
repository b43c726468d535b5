#!/usr/bin/env python3
"""The study tool's text is its own: no run of eight words is shared with the documents whose facts it teaches.

  check_wording.py ROOT               checks core/study below ROOT; exit status 1 where a run is shared
  check_wording.py --build DOCUMENT...  writes the fingerprints of the documents' runs again

The project keeps no document, only fingerprints of its runs: the first 5 bytes of the SHA-256 of each, sorted, in
word_runs.bin beside this file. Code is not compared (fences, drawings, calculators), nor are runs inside the names that
shared_names.txt lists.
"""
import bisect
import csv
import hashlib
import json
import re
import sys
from pathlib import Path

RUN = 8
BYTES = 5
HERE = Path(__file__).resolve().parent
PRINTS = HERE / "word_runs.bin"
NAMES = HERE / "shared_names.txt"
# What readers read, by key of a JSON object or by column of a table.
SHOWN = {
    "prompt", "text", "why", "explanation", "left", "right", "title", "topic", "expected", "truth", "statement", "answer",
    "setting", "question", "hints", "reveal", "label", "term", "expands", "meaning", "task", "hint", "says",
}  # fmt: skip


def words_of(text):
    return re.findall(r"[a-z0-9]+(?:[.,'][a-z0-9]+)*", text.lower())


def fingerprint(run):
    return hashlib.sha256(" ".join(run).encode()).digest()[:BYTES]


def runs_of(text):
    words = words_of(text)
    return [words[i : i + RUN] for i in range(len(words) - RUN + 1)]


def build(documents):
    prints = {fingerprint(run) for name in documents for run in runs_of(Path(name).read_text(encoding="utf-8", errors="replace"))}
    PRINTS.write_bytes(b"".join(sorted(prints)))
    print(f"{PRINTS.name}: {len(prints)} runs of {RUN} words in {len(documents)} documents")


class Prints:
    def __init__(self, data):
        self.prints = [data[i : i + BYTES] for i in range(0, len(data), BYTES)]

    def __contains__(self, run):
        wanted = fingerprint(run)
        at = bisect.bisect_left(self.prints, wanted)
        return at < len(self.prints) and self.prints[at] == wanted


def texts_of_json(node, key=""):
    if isinstance(node, dict):
        for name, value in node.items():
            yield from texts_of_json(value, name)
    elif isinstance(node, list):
        for value in node:
            yield from texts_of_json(value, key)
    elif isinstance(node, str) and key in SHOWN:
        yield node


def texts_of(path):
    """The texts of a file that readers read, each by itself."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        yield from texts_of_json(json.loads(text))
    elif path.suffix == ".csv":
        for row in csv.DictReader(text.splitlines()):
            yield from (value for key, value in row.items() if key in SHOWN and value)
    elif path.suffix == ".md":
        yield re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    elif path.suffix in (".cc", ".h"):
        # Neighbouring literals are one text; comments are not shown.
        for block in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', text):
            yield "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', block))


def shared(text, prints, names):
    for run in runs_of(text):
        joined = " ".join(run)
        if run in prints and not any(joined in name for name in names):
            yield joined


def check(root):
    prints = Prints(PRINTS.read_bytes())
    lines = NAMES.read_text(encoding="utf-8").splitlines()
    names = [" ".join(words_of(line)) for line in lines if line.strip() and not line.startswith("#")]
    files = sorted(path for path in (Path(root) / "core" / "study").rglob("*") if path.suffix in (".json", ".csv", ".md", ".cc", ".h"))
    runs = faults = 0
    for path in files:
        for text in texts_of(path):
            runs += len(runs_of(text))
            for run in shared(text, prints, names):
                faults += 1
                print(f"{path.relative_to(root)}: shares \"{run}\"")
    print(f"{len(files)} files, {runs} runs of {RUN} words, {faults} shared")
    return 1 if faults else 0


def main(arguments):
    if arguments[:1] == ["--build"]:
        return build(arguments[1:])
    if len(arguments) != 1:
        sys.exit(__doc__)
    sys.exit(check(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
