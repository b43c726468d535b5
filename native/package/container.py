"""The container file as check.py and tests read it where nothing can build it: what it copies from the archive, and the
files that this makes."""

import json
import re
import shlex
import shutil

PLACE = "share/podwright/deploy/Dockerfile"


def instructions(text):
    """(word, the rest of its line) of each instruction; continued lines are joined."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", lines)
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def usages(text):
    """The commands of its comments."""
    said = "\n".join(line[1:].strip() for line in text.splitlines() if line.startswith("#"))
    return [line for line in re.sub(r"\\\n", "", said).splitlines() if re.match(r"(srun .*)?docker (build|run) ", line)]


def installed_packages(text):
    """What it installs with apt-get."""
    runs = " && ".join(rest for word, rest in instructions(text) if word == "RUN")
    words = [shlex.split(part) for part in runs.split("&&") if "apt-get install" in part]
    return [one for part in words for one in part[2:] if not one.startswith("-")]


def copies(text):
    """(sources, target) of each COPY."""
    parts = [rest.split() for word, rest in instructions(text) if word == "COPY"]
    return [(part[:-1], part[-1]) for part in parts]


def missing_sources(folder):
    """Of the unpacked archive in `folder`; a source that ends in a slash is a folder with something in it."""
    text = (folder / PLACE).read_text(encoding="utf-8")
    sources = [source for listed, _ in copies(text) for source in listed]
    there = {one: any((folder / one).iterdir()) if (folder / one).is_dir() else (folder / one).is_file() for one in sources}
    return [f"the container file copies {one}, which is not there" for one, found in there.items() if not found]


def assemble(folder, root):
    """Copies into the empty folder `root` what the container file copies; the words that it starts there."""
    text = (folder / PLACE).read_text(encoding="utf-8")
    for sources, target in copies(text):
        into = root / target.strip("/")
        into.mkdir(parents=True, exist_ok=True)
        for source in sources:
            if (folder / source).is_dir():
                shutil.copytree(folder / source, into, dirs_exist_ok=True)
            else:
                shutil.copy2(folder / source, into)
    return json.loads(dict(instructions(text))["ENTRYPOINT"])
