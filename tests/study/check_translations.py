#!/usr/bin/env python3
"""Checks the Chinese texts of core/study/data/zh: written/OBJECTIVE.json, glossary.json and lessons/FILE.md.

A translation belongs to something that exists, has as many parts as it, keeps its numbers and leaves no English sentence.
It names the digest of the English text that it was made of. Where that text is another now, the translation is stale:
the site shows English instead, and here it is listed as a warning, and its numbers and parts are not compared.
"""
import hashlib
import json
import re
import sys

from check_lessons import LESSONS, ROOT, fences, split_front_matter
from check_written import LONGEST_SHARE

DATA = ROOT / "core/study/data"
CHINESE = DATA / "zh"
QUESTION_KEYS = {"prompt", "options", "explanation", "of"}
OPTION_KEYS = {"text", "why"}
LESSON_FIELDS = {"title", "of"}
CALCULATOR_WORDS = {"title", "label"}
# Most of the letters that may be English words; names such as nvidia-smi and terms in brackets do not count.
ENGLISH_SHARE = 0.4
# Fewer, next to Chinese ones, are part of a name: NVMe over Fabrics.
FEWEST_WORDS = 3
HAN = "\u4e00-\u9fff"
NO_PROSE = re.compile(r"`[^`]*`|\$\$.*?\$\$|\$[^$\n]*\$|\]\([^)]*\)|（[^）]*）", re.S)
LATIN_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:+/_-]*")
# Chinese counts in 万 and 亿: 70 billion is 700 亿.
NUMBER = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)*(?![.,]?\d)(?! (?:thousand|million|billion|trillion)\b)")
HALF_WIDTH = re.compile(rf"[{HAN}][,;:?!]|[,;?!][{HAN}]")
# Written with a space between Chinese and Latin letters, as the site's other texts are.
NO_SPACE = re.compile(rf"[{HAN}][A-Za-z0-9]|[A-Za-z0-9%][{HAN}]")
HEADING = re.compile(r"^(#{1,6}) ", re.M)
DISPLAYED = re.compile(r"\$\$.*?\$\$", re.S)


class Report:
    """Faults decide the exit code, warnings are printed."""

    def __init__(self):
        self.faults, self.stale = [], []

    def fault(self, place, what):
        self.faults.append(f"{place}: {what}")


def digest(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]


def text_of_question(question):
    """What web/scripts/study_translations.ts takes the digest of."""
    options = [[option["text"], option["why"]] for option in question.get("options", [])]
    parts = [question["prompt"], options, question["explanation"]]
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def read(path):
    """A JSON file; a key given twice would hide a translation."""

    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError(f"{path}: a key occurs twice: {sorted(key for key, _ in pairs)}")
        return dict(pairs)

    return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=once)


def english_words(text):
    """Latin words that are no names: names have capitals, digits or a sign within."""
    return [word for word in LATIN_WORD.findall(text) if re.fullmatch(r"[a-z]{2,}", word.strip(".:"))]


def is_english(text):
    prose = NO_PROSE.sub(" ", text)
    words, signs = english_words(prose), len(re.findall(f"[{HAN}]", prose))
    letters = sum(map(len, words))
    return letters > ENGLISH_SHARE * (letters + signs) and (signs == 0 or len(words) >= FEWEST_WORDS)


def is_name(text, english):
    """A product or a command stands as in English."""
    return text == english and " " not in text


def numbers_lost(text, english):
    return sorted(set(NUMBER.findall(english)) - set(NUMBER.findall(text)))


def prose_faults(text):
    if not text.strip():
        return ["is empty"]
    faults = ["is in English"] if is_english(text) else []
    plain = NO_PROSE.sub(" ", text)
    for rule, what in ((HALF_WIDTH, "sign of half width"), (NO_SPACE, "no space")):
        faults += [f"{what} at {found.group()!r}" for found in [rule.search(plain)] if found]
    return faults


def sentence_faults(text, english):
    """Of a whole sentence or more."""
    faults = prose_faults(text)
    if not text.endswith(("。", "？")):
        faults.append("has no end of a sentence")
    return faults + [f"lacks the number {one}" for one in numbers_lost(text, english)]


def option_faults(option, english):
    if set(option) != OPTION_KEYS:
        return [f"has the keys {sorted(option)}"]
    text, faults = option["text"], sentence_faults(option["why"], english["why"])
    if not is_name(text, english["text"]):
        faults += prose_faults(text)
    return faults + [f"lacks the number {one}" for one in numbers_lost(text, english["text"])]


def question_faults(made, question):
    if not QUESTION_KEYS <= set(made) <= QUESTION_KEYS | {"drawing"}:
        return [f"keys {sorted(made)}"]
    options = question.get("options", [])
    if len(made["options"]) != len(options):
        return [f"{len(made['options'])} options for {len(options)}"]
    faults = [f"{key} {what}" for key in ("prompt", "explanation") for what in sentence_faults(made[key], question[key])]
    for i, (option, english) in enumerate(zip(made["options"], options), 1):
        faults += [f"option {i} {what}" for what in option_faults(option, english)]
    texts = [option["text"] for option in made["options"]]
    if len(set(texts)) < len(texts):
        faults.append("two options read the same")
    if question["kind"] == "choose-two" and "两" not in made["prompt"]:
        faults.append("the prompt does not ask for two")
    return faults


def right_is_longest(made, question):
    lengths = [len(option["text"]) for option in made["options"]]
    right = next(i for i, option in enumerate(question["options"]) if option.get("right"))
    return all(lengths[right] > length for i, length in enumerate(lengths) if i != right)


def check_questions(report):
    """The number of translations, stale ones included."""
    count, choices, longest = 0, 0, 0
    for path in sorted((CHINESE / "written").glob("*.json")):
        file, english = read(path), DATA / "written" / path.name
        if file.get("objective") != path.stem or not english.exists():
            report.fault(path.name, f"objective {file.get('objective')}")
            continue
        known = {question["id"]: question for question in read(english)["questions"]}
        for identifier, made in file["questions"].items():
            question, count = known.get(identifier), count + 1
            if question is None:
                report.fault(identifier, "no such question")
            elif made.get("of") != digest(text_of_question(question)):
                report.stale.append(identifier)
            else:
                faults = question_faults(made, question)
                for what in faults:
                    report.fault(identifier, what)
                if question["kind"] == "choice" and not faults:
                    choices, longest = choices + 1, longest + right_is_longest(made, question)
    if longest > LONGEST_SHARE * choices:
        report.fault("questions", f"the right option is the longest in {longest} of {choices}")
    return count


def check_terms(report):
    path = CHINESE / "glossary.json"
    terms = read(path)["terms"] if path.exists() else {}
    known = {entry["term"]: entry["meaning"] for entry in read(DATA / "glossary.json")["terms"]}
    for term, made in terms.items():
        if term not in known or set(made) != {"meaning", "of"}:
            report.fault(term, "no such term" if term not in known else f"keys {sorted(made)}")
        elif made["of"] != digest(known[term]):
            report.stale.append(term)
        else:
            for what in sentence_faults(made["meaning"], known[term]):
                report.fault(term, what)
    return len(terms)


def without_words(value):
    """A calculator without what a reader reads."""
    if isinstance(value, dict):
        return {key: without_words(one) for key, one in value.items() if key not in CALCULATOR_WORDS}
    return [without_words(one) for one in value] if isinstance(value, list) else value


def block_faults(made, english):
    kinds, english_kinds = [kind for kind, _ in made], [kind for kind, _ in english]
    if kinds != english_kinds:
        return [f"blocks {kinds} for {english_kinds}"]
    faults = []
    for i, ((kind, text), (_, original)) in enumerate(zip(made, english), 1):
        same = text == original
        if kind == "calculator":
            same = without_words(json.loads(text)) == without_words(json.loads(original))
        if not same:
            faults.append(f"block {i} ({kind}) is another")
    return faults


def lesson_faults(fields, body, english):
    faults = [f"title {what}" for what in prose_faults(fields.get("title", ""))]
    blocks, prose = fences(body)
    english_blocks, english_prose = fences(english)
    faults += block_faults(blocks, english_blocks)
    headings, wanted = HEADING.findall(prose), HEADING.findall(english_prose)
    if headings != wanted:
        faults.append(f"headings {headings} for {wanted}")
    if DISPLAYED.findall(prose) != DISPLAYED.findall(english_prose):
        faults.append("other formulas")
    paragraphs = [one for one in re.split(r"\n\s*\n", prose) if one.strip()]
    faults += [f"in English: {one.strip()[:60]}" for one in paragraphs if is_english(one)]
    plain, english_plain = DISPLAYED.sub(" ", prose), DISPLAYED.sub(" ", english_prose)
    return faults + [f"lacks the number {one}" for one in numbers_lost(plain, english_plain)]


def check_lessons(report):
    paths = sorted((CHINESE / "lessons").glob("*.md"))
    for path in paths:
        original = LESSONS / path.name
        if not original.exists():
            report.fault(path.name, "no such lesson")
            continue
        _, english = split_front_matter(original.read_text(encoding="utf-8"))
        fields, body = split_front_matter(path.read_text(encoding="utf-8"))
        if set(fields or ()) != LESSON_FIELDS:
            report.fault(path.name, f"front matter {sorted(fields or ())}")
        elif fields["of"] != digest(english):
            report.stale.append(path.name)
        else:
            for what in lesson_faults(fields, body, english):
                report.fault(path.name, what)
    return len(paths)


def main():
    report = Report()
    questions, terms, lessons = check_questions(report), check_terms(report), check_lessons(report)
    for one in report.stale:
        print(f"{one}: stale, the English text has changed (warning)")
    for one in report.faults:
        print(one)
    print(
        f"{questions} questions, {terms} terms and {lessons} lessons in Chinese, "
        f"{len(report.stale)} stale, {len(report.faults)} faults"
    )
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
