"""Runs the program once under limits and says what of the run must not be."""

import csv
import ctypes
import dataclasses
import io
import json
import os
import pathlib
import re
import resource
import select
import shutil
import signal
import subprocess
import xml.etree.ElementTree

import documents

try:
    import yaml
except ImportError:  # files of YAML are then held to their last line alone
    yaml = None

LIBC = ctypes.CDLL(None)
CPU_S, MEMORY_MB, WALL_S = 5, 1024, 150
ADDRESS_SPACE = 3 << 30
HIGHEST_CODE = 4  # 5 is an internal error

# A terminal acts on these.
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")


@dataclasses.dataclass
class Case:
    group: str
    words: list
    files: dict = dataclasses.field(default_factory=dict)  # of its folder: bytes, or (bytes, size of the file)
    given: bytes = b""  # standard input
    form: str = "text"  # of what is asked for on standard output: json, lines, csv, text, markdown, any
    folder: str = ""  # where files are exported to
    output: str = ""  # the file that -o names
    fault: str = ""  # of the output: full, closed, small
    peers: list = dataclasses.field(default_factory=list)  # of a server: what its clients send, and how they leave


@dataclasses.dataclass
class Run:
    code: int = 0
    killed_by: int = 0
    cpu_s: float = 0
    memory_mb: float = 0
    hung: bool = False
    out: bytes = b""
    err: bytes = b""
    complaint: str = ""  # of who started it


def forget_peak():
    """What a program takes at most is counted from the peak of the process that starts it."""
    LIBC.malloc_trim(0)
    pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def run(program, case, place):
    """Runs it in `place`/case, which afterwards holds what it wrote."""
    shutil.rmtree(place / "case", ignore_errors=True)
    (place / "case").mkdir(parents=True)
    os.chdir(place / "case")
    for name, data in case.files.items():
        pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
        data, size = data if isinstance(data, tuple) else (data, len(data))
        pathlib.Path(name).write_bytes(data)
        os.truncate(name, max(size, len(data)))
    (place / "in").write_bytes(case.given)
    writes = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 0, str(place / "in"), os.O_RDONLY, 0),
               (os.POSIX_SPAWN_OPEN, 2, str(place / "err"), writes, 0o600)]  # fmt: skip
    (place / "out").write_bytes(b"")
    if case.fault == "closed":
        actions.append((os.POSIX_SPAWN_CLOSE, 1))
    else:
        actions.append((os.POSIX_SPAWN_OPEN, 1, "/dev/full" if case.fault == "full" else str(place / "out"), writes, 0o600))
    words = [documents.as_bytes(word) for word in [program, *case.words]]
    forget_peak()
    # Limits of this process that the program inherits; that of processor time it gets by itself.
    child = os.posix_spawn(program, words, {**os.environ, "NO_COLOR": "1"}, file_actions=actions)
    resource.prlimit(child, resource.RLIMIT_CPU, (CPU_S * 2, CPU_S * 3))
    if case.fault == "small":
        resource.prlimit(child, resource.RLIMIT_FSIZE, (1000, 1000))
    done = Run()
    handle = os.pidfd_open(child)
    if not select.select([handle], [], [], WALL_S)[0]:
        done.hung = True
        os.kill(child, signal.SIGKILL)
    os.close(handle)
    _, status, used = os.wait4(child, 0)
    done.killed_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    done.code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -1
    done.cpu_s = used.ru_utime + used.ru_stime
    done.memory_mb = used.ru_maxrss / 1024
    done.out = (place / "out").read_bytes()
    done.err = (place / "err").read_bytes()
    return done


def strict_json(text):
    def refuse(word):
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def whole_table(text, rows_wanted=1):
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    if len(rows) < rows_wanted + 1 or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("rows of unequal width, or none")


def whole_file(path):
    """Raises where a file that was written is not whole, as far as its format tells."""
    data = path.read_bytes()
    text = data.decode()
    kind = path.suffix
    if not text.endswith("\n"):
        raise ValueError("does not end with a line")
    if kind == ".json":
        strict_json(text)
    elif kind == ".csv":
        whole_table(text, 0)
    elif kind in (".svg", ".xml"):
        xml.etree.ElementTree.fromstring(text)
    elif kind in (".yaml", ".yml") and yaml is not None:
        list(yaml.load_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    elif kind == ".sh" or text.startswith("#!"):
        checked = subprocess.run(["bash", "-n", path], capture_output=True, check=False)
        if checked.returncode != 0:
            raise ValueError(checked.stderr.decode("utf-8", "replace"))


def wrong_errors(case, done):
    """What is wrong with the errors of a refused request."""
    answer = strict_json(done.out.decode())
    # Answers whose code says something else: that of the worst node, or that a file could not be made of them.
    if answer.get("kind") == "compare" or (case.folder and "errors" not in answer and done.err.strip()):
        return ""
    errors = answer.get("errors")
    if not errors:
        return "refused without errors"
    for error in errors:
        for key in ("code", "message", "hint"):
            if not error.get(key):
                return f"error without {key}: {error.get('code')}"
        if not isinstance(error.get("path"), str):
            return "error without path"
    return ""


def wrong_result(case, done):
    """What is missing of the result that the exit code promises."""
    try:
        text = done.out.decode()
    except UnicodeDecodeError:
        return "output is no UTF-8"
    try:
        if case.form == "json":
            strict_json(text)
        elif case.form == "lines":
            asked = [line for line in case.given.split(b"\n") if line.strip(b" \t\r")]
            answers = text.splitlines() if "\n" in text else []
            if len(answers) != len(asked):
                return f"{len(asked)} lines asked, {len(answers)} answered"
            for answer in answers:
                strict_json(answer)
        elif case.form == "csv":
            whole_table(text, 1 if done.code == 0 else 0)  # what is infeasible has no row
        elif case.form in ("text", "markdown") and not text.strip():
            return "no output"
        if case.form != "any" and not text.endswith("\n"):
            return "the output has no last line"
    except (ValueError, csv.Error) as error:
        return f"the output is not whole: {str(error)[:60]}"
    return ""


def wrong_files(case, done):
    """Of the files that were to be written."""
    found = []
    if case.folder:
        found = [path for path in pathlib.Path(case.folder).rglob("*") if path.is_file()]
        if not found and done.code == 0:
            return "no file was written"
        named = {line for line in done.err.decode("utf-8", "replace").splitlines() if line.startswith(case.folder)}
        if done.code == 0 and len(named) != len(found):
            return f"{len(named)} files named, {len(found)} there"
    if case.output:
        found = [pathlib.Path(case.output)]
        if not found[0].is_file():
            return "the file was not written" if done.code == 0 else ""
    for path in found:
        try:
            whole_file(path)
        except Exception as error:  # whatever a reader of a format raises
            return f"{path.suffix or path.name} is not whole: {type(error).__name__} {str(error)[:60]}"
    return ""


def last_word(done):
    """The line of standard error that says most of why a run ended."""
    lines = done.err.decode("utf-8", "replace").strip().splitlines() or ["no word"]
    line = next((line for line in lines if "internal error" in line), lines[-1])
    return re.sub(r"[^ -~]", "?", line)[:110]


def faults_of(case, done):
    """Everything that a run must not do, each a short sentence."""
    bad = []
    if done.hung:
        bad.append("hung")
    elif done.killed_by:
        bad.append(f"signal {signal.Signals(done.killed_by).name}: {last_word(done)}")
    elif done.code > HIGHEST_CODE:
        bad.append(f"exit {done.code}: {last_word(done)}")
    if done.cpu_s > CPU_S:
        bad.append("above 5 s")
    if done.memory_mb > MEMORY_MB:
        bad.append("above 1 GB")
    if done.complaint:
        bad.append(done.complaint)
    if bad:
        return bad
    if case.fault and done.code in (0, 1):
        # What was to be written did not fit, unless it was short.
        if case.fault != "small" or len(done.out) >= 1000:
            bad.append(f"lost ({case.fault}) with exit {done.code}")
    elif done.code in (0, 1):
        bad += [text for text in (wrong_result(case, done), wrong_files(case, done)) if text]
    elif not done.err.strip() and not done.out.strip() and case.fault == "":
        bad.append(f"exit {done.code} without a word")
    elif done.code == 2 and case.form == "json" and done.out.strip() and not case.fault:
        try:
            bad += [text for text in [wrong_errors(case, done)] if text]
        except (ValueError, AttributeError) as error:
            bad.append(f"the refusal is not whole: {str(error)[:60]}")
    for name, data in (("stdout", done.out if case.form in ("text", "markdown") else b""), ("stderr", done.err)):
        try:
            found = CONTROL.search(data.decode())
        except UnicodeDecodeError:
            bad.append(f"{name} is no UTF-8")
            continue
        if found:
            bad.append(f"a control character on {name}")
    if pathlib.Path("PWNED").exists():
        bad.append("a name was run as a command")
    return bad
