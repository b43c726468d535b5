#!/usr/bin/env python3
"""Checks the written questions of the study tool.

    check_written.py [DATA] [--catalog SOURCES] [--partial] [--total N] [--minimum OBJECTIVE=N ...]

DATA is core/study/data: blueprints/*.json, sources/*.json and written/OBJECTIVE.json. SOURCES is the catalog's list of
sources, which questions may cite too. Each fault is printed as `file: id: what`; the exit code is 1 when there is one.
A table of kinds and difficulties follows. With --partial, what only the whole set can keep (totals, shares, files that
are missing) is a warning. Shares are those of each exam; least numbers are set for NCA-AIIO alone.
"""

import argparse
import collections
import datetime
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

TOTAL = 300
# Questions an objective must have at least, by the weight of its domain and by what templates do not cover.
MINIMUM = {
    "1.1": 18, "1.2": 12, "1.3": 16, "1.4": 14, "1.5": 16, "1.6": 16, "1.7": 16, "1.8": 10,
    "2.1": 8, "2.2": 8, "2.3": 8, "2.4": 8, "2.5": 8, "2.6": 8, "2.7": 8, "2.8": 8, "2.9": 8, "2.10": 8,
    "3.1": 12, "3.2": 12, "3.3": 12, "3.4": 12,
}  # fmt: skip
# The exam that the minima are for; its objectives also say what the study documents hold about them.
FIRST_EXAM = "nca-aiio"

KINDS = ("choice", "choose-two", "order", "match")
OPTIONS = {"choice": (4, 1), "choose-two": (5, 2)}  # options, right ones
STEPS = range(4, 7)
PAIRS = range(3, 6)
EXPLANATION_SENTENCES = range(2, 5)
# Without the instruction at the end: two sentences are the rule, more than four are a text to read.
PROMPT_SENTENCES = 2
PROMPT_SENTENCES_LIMIT = 4
# Chance is 25 %; above this share "take the longest" becomes a strategy.
LONGEST_SHARE = 0.3
SAME_PLACE_SHARE = 0.45
# Least share of all questions that has this difficulty.
DIFFICULTY_SHARE = {2: 1 / 3, 3: 1 / 5}
FIRST_DATE = datetime.date(2026, 1, 1)

COMMON_KEYS = {"id", "kind", "prompt", "explanation", "sources", "difficulty", "level", "asks", "reviewed"}
LEVELS = ("associate", "professional")
ASKS = ("recall", "scenario", "calculation")
KIND_KEYS = {"choice": "options", "choose-two": "options", "order": "steps", "match": "pairs"}
INSTRUCTIONS = "Arrange Assign Choose Complete Match Name Order Pair Pick Put Select Sort".split()
FORBIDDEN_OPTION = re.compile(
    r"\b(all|none|both|any) of (the|these)\b.*\b(above|below|options|answers)\b|\bnone of these\b", re.IGNORECASE
)


class Report:
    """Collects faults and warnings; faults decide the exit code."""

    def __init__(self, partial):
        self.partial = partial
        self.faults = []
        self.warnings = []

    def fault(self, place, identifier, what):
        self.faults.append(f"{place}: {identifier}: {what}")

    def warning(self, place, identifier, what):
        self.warnings.append(f"{place}: {identifier}: {what}")

    def whole_set(self, place, identifier, what):
        """A rule that files still missing may break."""
        (self.warning if self.partial else self.fault)(place, identifier, what)


def read_json(path, report):
    """The content of a JSON file, or None with a fault; a key given twice is a fault as well."""

    def without_duplicates(pairs):
        keys = collections.Counter(key for key, _ in pairs)
        for key in (key for key, count in keys.items() if count > 1):
            report.fault(path.name, key, "the key occurs twice in one object")
        return dict(pairs)

    try:
        return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=without_duplicates)
    except OSError as error:
        report.fault(path.name, "-", f"cannot be read: {error.strerror}")
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        report.fault(path.name, "-", f"is no JSON: {error}")
    return None


def is_text(value):
    return isinstance(value, str) and value.strip() != "" and value == value.strip()


def is_date(value):
    try:
        return isinstance(value, str) and datetime.date.fromisoformat(value) >= FIRST_DATE
    except ValueError:
        return False


def sentences(text):
    """Sentences of a plain text: each ends in a full stop, question or exclamation mark before a space or the end."""
    return [part for part in re.split(r"(?<=[.?!])\s+", text.strip()) if part]


def folded(text):
    return " ".join(text.casefold().split())


def same_as(text):
    """What two texts share when a reader takes them for one. Case counts inside: 125 GB/s is not 125 Gb/s."""
    text = " ".join(text.split()).rstrip(".")
    return text[:1].casefold() + text[1:]


def check_exam(place, exam, report):
    """The exam's own figures."""
    for key in ("id", "name", "version"):
        if not is_text(exam.get(key)):
            report.fault(place, "exam", f"{key} is missing or empty")
    for key in ("questions", "minutes"):
        if not isinstance(exam.get(key), int) or exam[key] <= 0:
            report.fault(place, "exam", f"{key} must be a positive whole number")
    pass_mark = exam.get("pass_mark", {})
    if not isinstance(pass_mark.get("share"), (int, float)) or not 0 < pass_mark["share"] <= 1:
        report.fault(place, "exam", "pass_mark.share must lie above 0 and at most at 1")
    if not is_text(pass_mark.get("standing")):
        report.fault(place, "exam", "pass_mark.standing must say what the mark rests on")
    if not is_date(exam.get("checked")):
        report.fault(place, "exam", "checked must be a date, YYYY-MM-DD")


def check_domains(place, content, report):
    """The ids of the domains, whose weights sum to 1."""
    domains = {}
    for domain in content.get("domains", []):
        identifier = domain.get("id", "?")
        if identifier in domains:
            report.fault(place, identifier, "the domain occurs twice")
        domains[identifier] = domain
        if not is_text(domain.get("name")):
            report.fault(place, identifier, "name is missing or empty")
        if not isinstance(domain.get("weight"), (int, float)) or not 0 < domain["weight"] < 1:
            report.fault(place, identifier, "weight must lie between 0 and 1")
            domain["weight"] = 0
    weights = sum(domain["weight"] for domain in domains.values())
    if abs(weights - 1) > 1e-9:
        report.fault(place, "domains", f"the weights sum to {weights:g}, not to 1")
    return set(domains)


def check_objectives(data, report):
    """The exam of each objective, and the sources of each exam."""
    exams, sources = {}, {}
    for path in sorted((data / "blueprints").glob("*.json")):
        content = read_json(path, report)
        if not isinstance(content, dict):
            continue
        check_exam(path.name, content.get("exam", {}), report)
        domains = check_domains(path.name, content, report)
        sources[path.name] = content.get("exam", {}).get("sources", [])
        for objective in content.get("objectives", []):
            identifier = objective.get("id", "?")
            if identifier in exams:
                report.fault(path.name, identifier, "the objective occurs twice")
            exams[identifier] = path.stem
            if identifier.split(".")[0] not in domains:
                report.fault(path.name, identifier, "belongs to no domain")
            if not is_text(objective.get("text")):
                report.fault(path.name, identifier, "text is missing or empty")
            if path.stem == FIRST_EXAM and objective.get("in_study_documents") not in ("good", "thin", "none"):
                report.fault(path.name, identifier, "in_study_documents must be good, thin or none")
    first = {identifier for identifier, exam in exams.items() if exam == FIRST_EXAM}
    for identifier in sorted(first ^ set(MINIMUM)):
        report.fault(f"{FIRST_EXAM}.json", identifier, "objectives and minima are not of the same ids")
    return exams, sources


def check_sources(data, catalog, report):
    """Ids of all sources that a question may cite, and those of the study tool alone with their file."""
    known = set()
    content = read_json(catalog, report)
    if isinstance(content, list):
        known.update(entry["id"] for entry in content)
    own = {}
    contents = {}
    for path in sorted((data / "sources").glob("*.json")):
        entries = read_json(path, report)
        if not isinstance(entries, dict):
            continue
        for identifier, source in entries.items():
            if not isinstance(source, dict):
                report.fault(path.name, identifier, "a source must be an object")
                continue
            if identifier in known and identifier not in own:
                report.fault(path.name, identifier, "the catalog has a source of this id already")
            if identifier in own and contents[identifier] != source:
                report.fault(path.name, identifier, f"{own[identifier]} gives another source under this id")
            own.setdefault(identifier, path.name)
            contents[identifier] = source
            for key in ("title", "publisher"):
                if not is_text(source.get(key)):
                    report.fault(path.name, identifier, f"{key} is missing or empty")
            if not re.fullmatch(r"https?://[^\s/]+\.\S+", str(source.get("url", ""))):
                report.fault(path.name, identifier, "url must be a web address")
            if not is_date(source.get("checked")):
                report.fault(path.name, identifier, "checked must be a date, YYYY-MM-DD")
            for key in sorted(set(source) - {"title", "url", "publisher", "checked"}):
                report.fault(path.name, identifier, f"unknown key {key}")
    return known | set(own), own


def check_texts(place, identifier, entries, keys, report):
    """Entries of a question: each an object with these texts, nothing empty."""
    fine = True
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            report.fault(place, identifier, f"entry {number} is no object")
            return False
        for key in keys:
            if not is_text(entry.get(key)):
                report.fault(place, identifier, f"entry {number}: {key} is missing, empty or has spaces at an end")
                fine = False
        for key in sorted(set(entry) - set(keys) - {"right"}):
            report.fault(place, identifier, f"entry {number}: unknown key {key}")
    return fine


def check_distinct(place, identifier, entries, key, report):
    counts = collections.Counter(same_as(entry[key]) for entry in entries)
    for text in (text for text, count in counts.items() if count > 1):
        report.fault(place, identifier, f"{key} occurs twice: {text}")


def check_options(place, question, report):
    identifier = question["id"]
    options = question["options"]
    count, right = OPTIONS[question["kind"]]
    if len(options) != count:
        report.fault(place, identifier, f"{len(options)} options instead of {count}")
    if not check_texts(place, identifier, options, ("text", "why"), report):
        return
    for option in options:
        if "right" in option and not isinstance(option["right"], bool):
            report.fault(place, identifier, f"right must be true or false: {option['text']}")
        if FORBIDDEN_OPTION.search(option["text"]):
            report.fault(place, identifier, f"an option must stand for itself: {option['text']}")
        if folded(option["why"]) == folded(option["text"]):
            report.fault(place, identifier, f"why only repeats the option: {option['text']}")
    marked = sum(option.get("right") is True for option in options)
    if marked != right:
        report.fault(place, identifier, f"{marked} right options instead of {right}")
    check_distinct(place, identifier, options, "text", report)
    if question["kind"] == "choose-two" and not question["prompt"].endswith("Choose two."):
        report.fault(place, identifier, "the prompt does not end with: Choose two.")


def check_steps(place, question, report):
    steps = question["steps"]
    if len(steps) not in STEPS:
        report.fault(place, question["id"], f"{len(steps)} steps, not {STEPS.start} to {STEPS.stop - 1}")
    if check_texts(place, question["id"], steps, ("text", "why"), report):
        check_distinct(place, question["id"], steps, "text", report)


def check_pairs(place, question, report):
    pairs = question["pairs"]
    if len(pairs) not in PAIRS:
        report.fault(place, question["id"], f"{len(pairs)} pairs, not {PAIRS.start} to {PAIRS.stop - 1}")
    if check_texts(place, question["id"], pairs, ("left", "right", "why"), report):
        check_distinct(place, question["id"], pairs, "left", report)
        check_distinct(place, question["id"], pairs, "right", report)


def check_prompt(place, question, report):
    prompt = question["prompt"]
    parts = sentences(prompt)
    last = parts[-1]
    instruction = last.endswith(".") and last.split()[0] in INSTRUCTIONS
    if not last.endswith("?") and not instruction:
        report.fault(place, question["id"], f"the prompt ends with neither a question nor an instruction: {last}")
    length = len(parts) - (1 if instruction and len(parts) > 1 else 0)
    if length > PROMPT_SENTENCES:
        tell = report.fault if length > PROMPT_SENTENCES_LIMIT else report.warning
        tell(place, question["id"], f"the prompt has {length} sentences")


def check_question(place, objective, question, exams, known_sources, report):
    """One question; True if it is whole enough to be counted."""
    if not isinstance(question, dict) or not is_text(question.get("id")):
        report.fault(place, "?", "a question without an id")
        return False
    identifier = question["id"]
    if not re.fullmatch(re.escape(objective) + r"-[a-z0-9]+(-[a-z0-9]+)*", identifier):
        report.fault(place, identifier, f"the id must be {objective}- and lower-case words joined by hyphens")
    kind = question.get("kind")
    if kind not in KINDS:
        report.fault(place, identifier, f"unknown kind {kind}; known are {', '.join(KINDS)}")
        return False
    needed = COMMON_KEYS | {KIND_KEYS[kind]}
    for key in sorted(needed - set(question)):
        report.fault(place, identifier, f"{key} is missing")
    for key in sorted(set(question) - needed - {"drawing", "like", "picture", "hidden", "also"}):
        report.fault(place, identifier, f"unknown key {key}")
    if needed - set(question):
        return False
    if not is_text(question["prompt"]) or not is_text(question["explanation"]):
        report.fault(place, identifier, "prompt and explanation must be texts without spaces at the ends")
        return False
    if not isinstance(question[KIND_KEYS[kind]], list):
        report.fault(place, identifier, f"{KIND_KEYS[kind]} must be a list")
        return False

    check_prompt(place, question, report)
    length = len(sentences(question["explanation"]))
    if length not in EXPLANATION_SENTENCES:
        limits = f"{EXPLANATION_SENTENCES.start} to {EXPLANATION_SENTENCES.stop - 1}"
        report.fault(place, identifier, f"the explanation has {length} sentences, not {limits}")
    if "drawing" in question and not (isinstance(question["drawing"], str) and question["drawing"].strip()):
        report.fault(place, identifier, "drawing must be a block of text")
    if question["difficulty"] not in (1, 2, 3):
        report.fault(place, identifier, "difficulty must be 1, 2 or 3")
    if question["level"] not in LEVELS:
        report.fault(place, identifier, f"level must be one of {', '.join(LEVELS)}")
    if question["asks"] not in ASKS:
        report.fault(place, identifier, f"asks must be one of {', '.join(ASKS)}")
    if "also" in question and exams.get(question["also"]) in (None, exams[objective]):
        report.fault(place, identifier, f"also must be an objective of another exam, not {question['also']}")
    if not is_date(question["reviewed"]):
        report.fault(place, identifier, "reviewed must be a date, YYYY-MM-DD")
    if not isinstance(question["sources"], list) or not question["sources"]:
        report.fault(place, identifier, "needs at least one source")
    else:
        for source in (source for source in question["sources"] if source not in known_sources):
            report.fault(place, identifier, f"unknown source {source}")
        if len(set(question["sources"])) != len(question["sources"]):
            report.fault(place, identifier, "a source occurs twice")
    {"order": check_steps, "match": check_pairs}.get(kind, check_options)(place, question, report)
    return True


def check_written(data, exams, known_sources, report):
    """All questions that are whole, by objective."""
    questions = {}
    ids = {}
    prompts = {}
    for path in sorted((data / "written").glob("*.json")):
        content = read_json(path, report)
        if not isinstance(content, dict):
            continue
        objective = content.get("objective")
        if objective not in exams:
            report.fault(path.name, str(objective), "unknown objective")
            continue
        if path.stem != objective:
            report.fault(path.name, objective, "the file must bear the objective's name")
        for key in sorted(set(content) - {"objective", "questions"}):
            report.fault(path.name, objective, f"unknown key {key}")
        for question in content.get("questions", []):
            if not check_question(path.name, objective, question, exams, known_sources, report):
                continue
            for seen, text, what in ((ids, question["id"], "id"), (prompts, folded(question["prompt"]), "prompt")):
                if text in seen:
                    report.fault(path.name, question["id"], f"the {what} stands in {seen[text]} already")
                seen.setdefault(text, path.name)
            questions.setdefault(objective, []).append(question)
    return questions


def right_is_longest(question):
    """Whether the one right option is longer than each other one."""
    lengths = {True: [0], False: [0]}
    for option in question["options"]:
        lengths[option.get("right") is True].append(len(str(option.get("text", ""))))
    return max(lengths[True]) > max(lengths[False])


def share_of_longest(choices):
    """Share of choice questions whose right option is the longest."""
    return sum(map(right_is_longest, choices)) / len(choices) if choices else 0


def check_choices(exam, questions, report):
    """Neither length nor place of an option may give it away."""
    choices = {
        objective: [question for question in group if question["kind"] == "choice"]
        for objective, group in questions.items()
    }
    everything = [question for group in choices.values() for question in group]
    if not everything:
        return
    longest = [question["id"] for question in everything if right_is_longest(question)]
    share = share_of_longest(everything)
    print(f"{exam}: right option longest: {len(longest)} of {len(everything)} choice questions ({share:.0%})")
    print("by objective:", ", ".join(f"{one} {share_of_longest(choices[one]):.0%}" for one in in_order(choices)))
    if share > LONGEST_SHARE:
        report.fault(exam, "choice", f"the right option is the longest in {share:.0%}: {', '.join(longest)}")
    places = collections.Counter(
        place
        for question in everything
        for place, option in enumerate(question["options"], start=1)
        if option.get("right") is True
    )
    print("places of the right option:", ", ".join(f"{place}: {places[place]}" for place in sorted(places)))
    if max(places.values(), default=0) > SAME_PLACE_SHARE * len(everything):
        report.warning(exam, "choice", "the right option stands too often at the same place")


def check_shares(exam, questions, report):
    check_choices(exam, questions, report)
    everything = [question for group in questions.values() for question in group]
    for difficulty, least in DIFFICULTY_SHARE.items():
        count = sum(question["difficulty"] == difficulty for question in everything)
        if everything and count < least * len(everything):
            what = f"{count} of {len(everything)} have it, less than {least:.0%}"
            report.whole_set(exam, f"difficulty {difficulty}", what)


def check_counts(questions, total, minimum, report):
    """Numbers that the first exam must have; the others have none yet."""
    for objective, least in minimum.items():
        count = len(questions.get(objective, []))
        if count < least:
            missing = not questions.get(objective)
            tell = report.whole_set if missing else report.fault
            tell("written", objective, f"{count} questions, at least {least} are needed")
    count = sum(len(questions.get(objective, [])) for objective in minimum)
    if count < total:
        report.whole_set("written", "total", f"{count} questions, at least {total} are needed")


def in_order(objectives):
    """Objectives by the letter of their exam and their numbers."""

    def key(objective):
        letters = re.match(r"\D*", objective).group()
        return letters, [int(part) for part in objective[len(letters) :].split(".")]

    return sorted(objectives, key=key)


def print_table(questions):
    """Numbers of kinds and difficulties, one line an objective."""
    columns = [*KINDS, "1", "2", "3", "all"]
    print(f"{'objective':<10}" + "".join(f"{column:>11}" for column in columns))
    total = collections.Counter()
    for objective in in_order(questions):
        counts = collections.Counter()
        for question in questions[objective]:
            counts.update((question["kind"], str(question["difficulty"]), "all"))
        total += counts
        print(f"{objective:<10}" + "".join(f"{counts[column]:>11}" for column in columns))
    print(f"{'all':<10}" + "".join(f"{total[column]:>11}" for column in columns))
    if total["all"]:
        print(f"{'share':<10}" + "".join(f"{total[column] / total['all']:>11.0%}" for column in columns))


def objective_minimum(text):
    objective, _, number = text.partition("=")
    if objective not in MINIMUM or not number.isdigit():
        raise argparse.ArgumentTypeError(f"{text}: give OBJECTIVE=N, as in 2.1=12")
    return objective, int(number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=pathlib.Path, default=ROOT / "core/study/data")
    parser.add_argument("--catalog", type=pathlib.Path, default=ROOT / "core/catalog/data/sources.json")
    parser.add_argument("--partial", action="store_true", help="totals only warn while files are missing")
    parser.add_argument("--total", type=int, default=TOTAL, help="least number of questions")
    parser.add_argument("--minimum", type=objective_minimum, nargs="*", default=[], help="least number of an objective")
    arguments = parser.parse_args()

    report = Report(arguments.partial)
    exams, exam_sources = check_objectives(arguments.data, report)
    known_sources, own_sources = check_sources(arguments.data, arguments.catalog, report)
    for place, cited in exam_sources.items():
        for source in (source for source in cited if source not in known_sources):
            report.fault(place, "exam", f"unknown source {source}")
    questions = check_written(arguments.data, exams, known_sources, report)

    print_table(questions)
    for exam in sorted(set(exams.values())):
        check_shares(exam, {one: group for one, group in questions.items() if exams[one] == exam}, report)
    check_counts(questions, arguments.total, MINIMUM | dict(arguments.minimum), report)

    for line in report.warnings:
        print(f"warning: {line}")
    for line in report.faults:
        print(line)
    print(f"{len(report.faults)} faults, {len(report.warnings)} warnings, {len(own_sources)} sources of the study tool")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
