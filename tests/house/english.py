"""Refuses turns of phrase that are not idiomatic English in texts that people read.

    english.py ROOT          prints each place with what to say instead, and exits 1 if there is one
    english.py ROOT FILE...  looks only at these files, whole

PHRASES are what it refuses, PLACES where it looks: a pattern of paths and what of such a file is prose. A phrase that is
right in one place for a good reason is listed in RIGHT.
"""

import pathlib
import re
import sys

# What is refused, and what to say instead. Case does not matter; a blank is any white space.
PHRASES = {
    r"(?<!there\s)\b(?:is|are|was|were) no (?!longer|more|less|fewer|better|worse|later|earlier|larger|smaller|slower|faster)":
        "'is not a', 'cannot', or name what it is",
    r"\bstands? (?:in|on|at|under|below|above|there|here|next|with|behind|between|beside|as)\b|\bwhat stands\b": "'is in', 'is'",
    r"\bbeside\b": "'next to', 'compared with', 'in addition to'",
    r"\b(?:tells|told)\b(?! apart)": "'shows', 'says', 'is given'",
    r"\bspeaks? (?:for|against)\b": "'in favour of', 'against'",
    r"\bthe own\b": "'your own', 'its own'",
    r"\bbinds? no\b": "'ties up no'",
    r"\bhangs? on\b": "'depends on'",
    r"\bbehind the horizon\b": "'after the horizon'",
    r"\bgoes on behind\b": "'continues after'",
    r"\bha(?:s|ve) a fault\b": "'there is an error in'",
    r"\bdraws (?:lie|have paid)\b": "'the bar covers 80 % of the draws', 'in half of the simulations'",
    r"\blooks? at (?:its|their) own\b": "'uses its own'",
    r"\bas needed, a\b|\ball of it, a year\b": "'scaled to demand', 'total per year'",
    r"\btimes less\b": "a percentage",
    r"\bdear(?:er|est)?\b": "'expensive'",
    r"\bused badly\b": "'poorly utilised'",
    r"\bhow many to one\b": "'what is the oversubscription ratio'",
    r"\btimes of ten\b": "'times out of ten'",
    r"\bshall\b": "'must' or 'should'",
    r"\bthis many\b|\bso many \w+(?! that\b)(?=[\s.,;])": "the number",
    r"\bthe middle of \d": "'the median of'",
    r"\banew\b": "'again'",
    r"\bfor ever\b": "'without end'",
    r"\b(?:lab|exam|tool|command) of (?:this|that) name\b": "'with this name'",
    r"(?<!your\s)(?<!their\s)(?<!learner.s\s)\bown cards\b": "'your own cards', 'cards of your own'",
    r"\b(?:what|all|who) (?:comes?|came) of (?:it|this|that)\b": "'the results'",
    r"\bsoftware as it comes\b": "'as installed'",
    r"\b(?:the )?plan on show\b": "'the plan shown'",
    r"\bhow one\b": "'how you', 'how it is known'",
}


def whole(text):
    return text


def markdown(text):
    """A page without its code, links' targets, comments and what tools write into it; line breaks stay."""
    pattern = r"<!-- ([\w-]+):begin.*?<!-- \1:end -->|```.*?```|`[^`\n]*(?:\n[^`\n]+)?`|\]\([^)\s]*\)|<!--.*?-->"
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.S)


def literals(text):
    """The string literals of C++ or TypeScript, neighbours joined; line breaks stay."""
    code = re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.S)
    prose, end = [], 0
    for found in re.finditer(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', code):
        between = code[end : found.start()]
        prose.append(re.sub(r"[^\n]", "", between) + ("" if between.isspace() else " | "))
        prose.append(found.group(1) or found.group(2) or "")
        end = found.end()
    return "".join(prose)


def lesson(text):
    """The prose of a lesson: no code but the titles and labels of its calculators."""
    return re.sub(r"(?<=```)[^`]*?(?=```)", lambda block: literals(block.group()), text)


# Where prose is, and how it is found in a file.
PLACES = [
    ("CONTRIBUTING.md", markdown),
    ("README.md", markdown),
    ("CHANGELOG.md", markdown),
    ("docs/*.md", markdown),
    ("docs/method/*.md", markdown),
    ("web/README.md", markdown),
    ("web/src/data/*.json", literals),
    ("web/src/**/*_words.ts", literals),
    ("core/base/data/messages.json", literals),
    ("core/measure/data/health_rules.json", literals),
    ("core/study/data/*.json", literals),
    ("core/study/data/written/*.json", literals),
    ("core/study/data/*.csv", whole),
    ("core/study/data/lessons/*.md", lesson),
    ("tests/status/lines.csv", whole),
]

# (path, phrase as it is written): right where it is.
RIGHT = set()


def problems(root, path, prose):
    name = path.relative_to(root).as_posix()
    text = prose(path.read_text(encoding="utf-8"))
    for phrase, instead in PHRASES.items():
        for found in re.finditer(phrase.replace(" ", r"\s+"), text, flags=re.I):
            words = " ".join(found.group().split())
            if (name, words) not in RIGHT:
                yield f"{name}:{text.count(chr(10), 0, found.start()) + 1}: '{words}': say {instead}"


def main(root, files):
    looked_at = [(path, prose) for pattern, prose in PLACES for path in sorted(root.glob(pattern))]
    if files:
        looked_at = [(file, markdown if file.suffix == ".md" else whole) for file in files]
    empty = [pattern for pattern, _ in PLACES if not any(root.glob(pattern))]
    found = [f"{pattern}: no such file" for pattern in empty]
    found += [problem for path, prose in looked_at for problem in problems(root, path, prose)]
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    base = pathlib.Path(sys.argv[1]).resolve()
    sys.exit(main(base, [pathlib.Path(name).resolve() for name in sys.argv[2:]]))
