"""Checks that the code keeps to the plan of the house.

    check.py ROOT ROOMS.cmake ROOM_TARGETS TEST_TARGETS [LIBRARY...]

ROOMS.cmake holds the arrows as podwright_room(name DEPS ...). ROOM_TARGETS and TEST_TARGETS are the CMake targets that
exist, separated by commas; LIBRARY are the compiled rooms, whose undefined symbols show what they take from libm.
"""

import collections
import csv
import json
import pathlib
import re
import subprocess
import sys

GENERATED = {
    "base/message_templates.h",
    "catalog/serving_constants.h",
    "catalog/training_constants.h",
    "measure/health_rules_table.h",
    "study/blueprint_table.h",
    "study/mistakes_table.h",
    "study/question_texts.h",
}
JSON_ROOMS = {"base"}
MACHINE_DOES = {"model", "memory", "perf", "sizing"}
MACHINE_IS = {"architecture", "cost"}
LIBM = (
    "exp exp2 exp10 expm1 log log2 log10 log1p pow cbrt hypot erf erfc tgamma lgamma "
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh"
).split()
PLATFORM_HEADERS = set(
    "iostream fstream sstream iomanip ostream istream cstdio stdio.h filesystem thread mutex shared_mutex "
    "condition_variable future atomic chrono ctime time.h random stdexcept exception format expected "
    "source_location stop_token unistd.h".split()
)
# snprintf writes numbers as text without the streams.
PLATFORM_HEADER_ALLOWED = {("core/base", "cstdio")}
EXCEPTION_WORDS = {
    r"\bthrow\b": "throws",
    r"\btry\s*\{": "catches",
    r"\bstd::sto(i|l|ll|ul|ull|f|d|ld)\b": "std::sto* throws",
    r"[.>]at\(": ".at() throws",
}

root = pathlib.Path(sys.argv[1])
rooms_cmake = pathlib.Path(sys.argv[2])
room_targets = set(filter(None, sys.argv[3].split(",")))
test_targets = set(filter(None, sys.argv[4].split(",")))
libraries = sys.argv[5:]


def without_comments(text):
    """The code with comments and string literals blanked; line breaks stay."""
    pattern = r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/'

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())

    return re.sub(pattern, blank, text, flags=re.S)


class Source:
    def __init__(self, path):
        self.path = path
        self.name = path.relative_to(root).as_posix()
        self.room = self.name.split("/")[1]
        text = path.read_text(encoding="utf-8")
        self.text = text
        self.includes = [
            (text.count("\n", 0, match.start()) + 1, match.group(1))
            for match in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', text, flags=re.M)
        ]
        self.code = without_comments(text)

    def lines_with(self, pattern):
        for match in re.finditer(pattern, self.code):
            yield self.code.count("\n", 0, match.start()) + 1, match.group().strip()


def sources(*folders):
    kinds = {".h", ".cc", ".cu", ".cuh"}
    paths = [path for folder in folders for path in sorted((root / folder).rglob("*")) if path.suffix in kinds]
    return [Source(path) for path in paths]


def arrows():
    """room -> rooms named in DEPS."""
    text = re.sub(r"#[^\n]*", "", rooms_cmake.read_text(encoding="utf-8"))
    table = {}
    for match in re.finditer(r"podwright_room\(\s*(\w+)(?:\s+DEPS((?:\s+\w+)*))?\s*\)", text):
        table[match.group(1)] = set((match.group(2) or "").split())
    return table


def behind(room, table, seen=()):
    """All rooms that `room` may include: itself and what its arrows lead to. None when the arrows form a circle."""
    if room in seen:
        return None
    rooms = {room}
    for dependency in table.get(room, ()):
        further = behind(dependency, table, (*seen, room))
        if further is None:
            return None
        rooms |= further
    return rooms


table = arrows()
core = sources("core")
product = core + sources("native", "wasm")


def arrows_have_no_circle():
    return [f"{rooms_cmake.name}: the arrows lead from {room} back to it" for room in table if behind(room, table) is None]


def arrows_name_known_rooms():
    return [
        f"{rooms_cmake.name}: {room} depends on {dependency}, which is not a room"
        for room, dependencies in table.items()
        for dependency in sorted(dependencies - table.keys())
    ]


def wings_stay_apart():
    problems = []
    for wing, other in ((MACHINE_DOES, MACHINE_IS), (MACHINE_IS, MACHINE_DOES)):
        for room in sorted(wing & table.keys()):
            for wrong in sorted((behind(room, table) or set()) & other):
                problems.append(f"{rooms_cmake.name}: {room} leads to {wrong}; the two wings meet in plan only")
    return problems


def includes_follow_the_arrows():
    problems = []
    for source in core:
        allowed = behind(source.room, table) or set()
        for line, include in source.includes:
            room = include.split("/")[0]
            if "/" in include and room in table and room not in allowed:
                problems.append(f"{source.name}:{line}: {source.room} includes {include}, but no arrow leads to {room}")
    return problems


def includes_are_written_from_core():
    problems = []
    for source in core:
        for line, include in source.includes:
            quoted = f'"{include}"' in source.text
            if quoted and include not in GENERATED and not (root / "core" / include).is_file():
                problems.append(f'{source.name}:{line}: "{include}" is not a path from core/')
    return problems


def units_form_no_loop():
    """A unit is a header and its source: what one needs must not need it in turn. Types that several need have headers of their own."""
    units = {}
    for source in product:
        unit = units.setdefault(source.name.rsplit(".", 1)[0], set())
        for _, include in source.includes:
            for folder in ("core", "native"):
                if (root / folder / include).is_file():
                    unit.add(f"{folder}/{include}".rsplit(".", 1)[0])
    # Takes away, again and again, the units that need no other or that no other needs: loops remain.
    for edges in units.values():
        edges &= units.keys()
    while True:
        needed = {unit for name, edges in units.items() for unit in edges if unit != name}
        kept = {name for name, edges in units.items() if name in needed and edges - {name}}
        if len(kept) == len(units):
            break
        units = {name: edges & kept for name, edges in units.items() if name in kept}
    return [f"{name}: in a loop with {', '.join(sorted(edges - {name}))}" for name, edges in sorted(units.items())]


def no_source_is_included():
    return [
        f"{source.name}:{line}: includes the source {include}"
        for source in sources("core", "native", "wasm", "tests")
        for line, include in source.includes
        if include.endswith(".cc")
    ]


def json_library_stays_behind_its_doors():
    problems = []
    for source in product:
        for line, include in source.includes:
            allowed = source.path.suffix == ".cc" and source.name.startswith("core/") and source.room in JSON_ROOMS
            if include.startswith("nlohmann/") and not allowed:
                problems.append(f"{source.name}:{line}: the JSON library belongs in .cc files of {sorted(JSON_ROOMS)}")
    return problems


def places(template):
    return re.findall(r"\{(\w+):?([^}]*)\}", template)


def messages_are_whole_and_said():
    """Both languages fill in the same values, in forms that there are, and every message is said somewhere."""
    file = "core/base/data/messages.json"
    pairs = json.loads((root / file).read_text(encoding="utf-8"), object_pairs_hook=list)
    problems = [f"{file}: {code} is there twice" for code, count in collections.Counter(code for code, _ in pairs).items() if count > 1]
    said = set(re.findall(r'"([a-z0-9][a-z0-9_./-]*)"', "".join(source.text for source in product)))
    groups = set(re.findall(r'\b(?:say_word|template_of_word)<"([^"]+)"', "".join(source.text for source in product)))
    for code, texts in pairs:
        english, chinese = (dict(texts).get(language, "") for language in ("en", "zh"))
        if not english or not chinese or len(texts) != 2:
            problems.append(f"{file}: {code} needs a text in English and one in Chinese")
        if {name for name, _ in places(english)} != {name for name, _ in places(chinese)}:
            problems.append(f"{file}: {code} fills in other values in Chinese")
        for name, form in places(english) + places(chinese):
            if not re.fullmatch(r"|usd|s|\d{1,2}|\.\d|\d?%|\|[^|]*\|[^|]*", form):
                problems.append(f"{file}: {code} has no such form of a number: {form}")
        if code not in said and code.split("/")[0] not in groups:
            problems.append(f"{file}: nothing says {code}")
    return problems


def cuda_stays_in_its_folder():
    problems = []
    for source in sources("core", "native", "wasm", "tests"):
        if source.name.startswith("native/probes/cuda/"):
            continue
        if source.path.suffix in {".cu", ".cuh"}:
            problems.append(f"{source.name}: CUDA source outside native/probes/cuda")
        for line, include in source.includes:
            if re.match(r"(cuda|cublas|cudnn|nccl|nvml|cupti|curand|cusparse|cutlass)", include):
                problems.append(f"{source.name}:{line}: includes {include} outside native/probes/cuda")
    return problems


def core_calls_no_libm():
    names = "|".join(LIBM)
    problems = []
    for source in core:
        own = source.path.stem == "math" and source.room == "base"
        patterns = [rf"(?:\bstd|(?<![\w>]))::(?:{names})[fl]?\s*\("]
        if not own:
            patterns.append(rf"(?<![\w:.>])(?<!double )(?<!double> )(?:{names})[fl]?\s*\(")
        for pattern in patterns:
            for line, call in source.lines_with(pattern):
                problems.append(f"{source.name}:{line}: {call}...) comes from libm; base/math.h has the portable one")
    return problems


def compiled_core_needs_no_libm():
    unwanted = {name + suffix for name in LIBM for suffix in ("", "f", "l")}
    problems = []
    # A test of one room builds only the libraries that it needs.
    for library in (one for one in libraries if pathlib.Path(one).is_file()):
        listing = subprocess.run(["nm", "-u", library], capture_output=True, encoding="utf-8", check=True).stdout
        symbols = {line.split()[-1].split("@")[0] for line in listing.splitlines() if line.startswith(" ")}
        for symbol in sorted(symbols & unwanted):
            problems.append(f"{pathlib.Path(library).name}: needs {symbol} of libm")
    return problems


def core_has_no_platform():
    problems = []
    for source in core:
        for line, include in source.includes:
            allowed = (f"core/{source.room}", include) in PLATFORM_HEADER_ALLOWED
            if include in PLATFORM_HEADERS and not allowed:
                problems.append(f"{source.name}:{line}: <{include}> has no place in core")
    return problems


def core_needs_no_exceptions():
    return [
        f"{source.name}:{line}: '{found}' ({reason}; core is built without exceptions)"
        for source in core
        for pattern, reason in EXCEPTION_WORDS.items()
        for line, found in source.lines_with(pattern)
    ]


def headers_are_guarded():
    return [f"{source.name}: no #pragma once" for source in product if source.path.suffix == ".h" and "#pragma once" not in source.text]


# What begins at the margin, up to the brace that closes it there; class bodies are passed over, long functions do not stand in them.
AT_THE_MARGIN = re.compile(r"^(?!namespace|struct|class|enum|using|extern|typedef)\w[^;{}=]*\([^;{}]*\{\n(?:(?!\}).*\n)*\}", re.M)


def functions_have_at_most_100_lines():
    return [
        f"{source.name}:{source.text[: found.start()].count(chr(10)) + 1}: a function of {lines} lines"
        for source in product
        for found in AT_THE_MARGIN.finditer(source.text)
        if (lines := found.group().count("\n") + 1) > 100
    ]


WORD_LIST = r'\{\s*("[^"\n]*"(?:,\s*"[^"\n]*")+)\s*,?\s*\}'


def words_stand_once():
    """A list of strings that repeats the words of an enumeration says the enumeration again."""
    listed = [
        (source, found, frozenset(re.findall(r'"([^"]*)"', found.group(2))))
        for source in product
        for found in re.finditer(r"(k\w*Words\b[^={;]*=?\s*)?" + WORD_LIST, source.text)
    ]
    tables = [words for _, found, words in listed if found.group(1)]
    return [
        f"{source.name}:{source.text[: found.start()].count(chr(10)) + 1}: {', '.join(sorted(words))} are the words of an enumeration"
        for source, found, words in listed
        if (not found.group(1) and words in tables) or (found.group(1) and tables.count(words) > 1)
    ]


NAMED_CONSTANT = re.compile(r"^(?:static |inline )*constexpr [^=({\n]*?\b(k[A-Z]\w*)\s*(?:\[[^\]]*\])?\s*[={]", re.M)


def constants_stand_once():
    """A folder is compiled in a few pieces: of two constants of one name in it, one hides the other or is the same fact."""
    files = collections.defaultdict(set)
    for source in product:
        if source.path.suffix == ".cc":
            for name in NAMED_CONSTANT.findall(source.code):
                files[source.path.parent.relative_to(root), name].add(source.path.name)
    return [f"{folder}: {name} stands in {', '.join(sorted(found))}" for (folder, name), found in sorted(files.items()) if len(found) > 1]


def faults_have_their_tests():
    """Each row of tests/faults.csv names a file and words of it: of a test, or of a row of one."""
    with (root / "tests/faults.csv").open(encoding="utf-8", newline="") as file:
        return [
            f"tests/faults.csv: {row['file']} has no test {row['test']}"
            for row in csv.DictReader(file)
            if not (root / row["file"]).is_file() or row["test"] not in (root / row["file"]).read_text(encoding="utf-8")
        ]


def every_room_is_a_target():
    rooms = {source.room for source in core}
    problems = [f"core/{room}: not in {rooms_cmake.name}" for room in sorted(rooms - table.keys())]
    problems += [
        f"core/{room}: no CMake target podwright_{room}"
        for room in sorted(rooms & table.keys())
        if f"podwright_{room}" not in room_targets
    ]
    return problems


# Built by the preset `cuda` alone.
OF_CUDA = "native/cuda"


def every_test_folder_is_a_target():
    folders = {path.parent.relative_to(root / "tests").as_posix() for path in (root / "tests").rglob("*_test.cc")}
    return [f"tests/{folder}: no CMake target tests_{folder}" for folder in sorted(folders - {OF_CUDA}) if f"tests_{folder}" not in test_targets]


# How long a machine takes says nothing about a change: benchmarks and ./dev timings measure that.
CLOCKS = r"steady_clock|system_clock|high_resolution_clock|clock_gettime|performance\.now\(|console\.time|perf_counter"
# One waits for a page until then, and fails by what the page shows; the other is a clock.
CLOCK_ALLOWED = {"tests/web/explained.ts", "tests/native/stand_in/clock.cc"}


def tests_measure_no_time():
    problems = []
    for path in sorted((root / "tests").rglob("*")):
        name = path.relative_to(root).as_posix()
        tested = path.suffix in {".cc", ".h", ".ts", ".tsx", ".mjs"} and not name.startswith("tests/bench/")
        if tested and name not in CLOCK_ALLOWED and re.search(CLOCKS, path.read_text(encoding="utf-8")):
            problems.append(f"{name}: reads a clock; a test counts work (calls, bytes, nodes), never time")
    return problems


def heading_ids(page):
    """What the headings of a page are linked by."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def cited_sources_exist():
    """Pages of docs/ with their sections, numbers of arXiv, and ids of the catalog's sources that code gives to what it writes."""
    known = set(re.findall(r'"id": "([^"]+)"', (root / "core/catalog/data/sources.json").read_text(encoding="utf-8")))
    problems = []
    for source in product:
        for page, section in set(re.findall(r"\b(docs/method/\w+\.md)(?:#([\w-]+))?", source.text)):
            if not (root / page).exists():
                problems.append(f"{source.name}: cites {page}, which does not exist")
            elif section and section not in heading_ids(root / page):
                problems.append(f"{source.name}: cites {page}#{section}, which has no such heading")
        for paper in re.findall(r'cited\(\s*"arXiv ([^ ",;]*)', source.text):
            if not re.fullmatch(r"\d{4}\.\d{4,5}", paper):
                problems.append(f"{source.name}: cites arXiv {paper}, which is no number of a paper")
        for name in re.findall(r'[sS]ource = "([a-z0-9]+(?:-[a-z0-9]+)+)"', source.text):
            if name not in known:
                problems.append(f"{source.name}: names the source {name}, which sources.json lacks")
    return problems


CHECKS = [
    arrows_have_no_circle,
    arrows_name_known_rooms,
    wings_stay_apart,
    includes_follow_the_arrows,
    includes_are_written_from_core,
    units_form_no_loop,
    no_source_is_included,
    json_library_stays_behind_its_doors,
    messages_are_whole_and_said,
    cuda_stays_in_its_folder,
    core_calls_no_libm,
    compiled_core_needs_no_libm,
    core_has_no_platform,
    core_needs_no_exceptions,
    headers_are_guarded,
    functions_have_at_most_100_lines,
    words_stand_once,
    constants_stand_once,
    faults_have_their_tests,
    every_room_is_a_target,
    every_test_folder_is_a_target,
    tests_measure_no_time,
    cited_sources_exist,
]

if not table or not core:
    sys.exit("no rooms found: wrong arguments?")
failed = []
for check in CHECKS:
    problems = check()
    if problems:
        failed.append(check.__name__)
        print(f"{check.__name__}:", *problems, sep="\n  ")
print(f"[  PASSED  ] {len(CHECKS) - len(failed)} tests.")
if failed:
    print(f"[  FAILED  ] {len(failed)} tests: {', '.join(failed)}")
sys.exit(1 if failed else 0)
