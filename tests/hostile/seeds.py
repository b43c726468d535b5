"""What a run starts from: good requests, files and options, as the project and the program have them."""

import json
import pathlib
import re
import subprocess
import tempfile

import documents
import files
from documents import Members, Raw

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A command that takes a request of the kind; what has none is asked by the lines of `estimate`.
ASKING = ["plan", "estimate", "search", "replay", "mig", "architecture", "cost", "rule-of-thumb", "explain"]
OTHERS = ["model", "backtest", "calibrate", "formulas", "catalog list", "catalog show", "catalog check", "schema", "serve",
          "probe", "merge", "verify", "import", "compare", "quote import", "study question", "study exam", "study claims",
          "describe"]  # fmt: skip


class Seeds:
    def __init__(self, program):
        self.program = program
        self.requests = {}  # by kind
        for path in sorted([*ROOT.glob("examples/*.json"), *ROOT.glob("tests/golden/requests/*.json"),
                            *ROOT.glob("tests/fuzz/corpus/request/*.json")]):  # fmt: skip
            if path.name.startswith("error_"):
                continue
            document = documents.read(path.read_text(encoding="utf-8"))
            kind = dict(document).get("kind", "training")
            self.requests.setdefault(kind, []).append(document)
        listed = json.loads(self.output("schema"))["kinds"]
        self.verbs = {row["kind"]: row["verb"] if row["verb"] in ASKING else "" for row in listed}
        self.pool = documents.Pool(document for several in self.requests.values() for document in several)
        self.schemas = {kind: json.loads(self.output("schema", kind)) for kind in self.verbs}
        self.fields = {kind: list(self.fields_of(schema)) for kind, schema in self.schemas.items()}
        self.exports = {kind: sorted({word for _, key, schema in fields if key == "exports" for word in schema["items"].get("enum", ())})
                        for kind, fields in self.fields.items()}  # fmt: skip
        self.options = {}
        for command in [*ASKING, *OTHERS]:
            help_text = self.output(*command.split(), "--help")
            # Each with whether a value follows it.
            found = re.findall(r"^ +(?:-\w,)?\s*(--[\w-]+)(?:[ ,]+([A-Z:{]\S*))?", help_text, flags=re.M)
            self.options[command] = [(name, bool(value)) for name, value in found]
        self.ids = {table: [row["id"] for row in json.loads(self.output("catalog", "list", table, "--json"))["items"]]
                    for table in ("gpus", "models", "engines", "switches")}  # fmt: skip
        self.configs = [documents.read(path.read_text(encoding="utf-8")) for path in sorted(ROOT.glob("tests/fuzz/corpus/config/*.json"))]
        profile = self.output("probe", "--backend", "fake", "--quick", "--only", "hbm,launch,gemm.bf16", "--json")
        self.profile = documents.read(profile)
        # Rates of scripted devices are for no plan; those of this one are.
        machine = ROOT / "web/src/host/sample_profile.json"
        self.named_profile = documents.read(machine.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as place:
            calibration = pathlib.Path(place, "c.json")
            self.output("calibrate", str(machine), "-o", str(calibration))
            self.calibration = documents.read(calibration.read_text(encoding="utf-8"))
        self.catalog = sorted(path for path in ROOT.glob("core/catalog/data/**/*") if path.is_file())
        self.tables = sorted([*ROOT.glob("tests/measured/data/*.csv"), ROOT / "examples/own_runs.csv"])
        self.imports = sorted([*ROOT.glob("tests/measure/data/imports/*"), ROOT / "tests/measure/data/hot_h100.xml",
                               ROOT / "tests/measure/data/all_reduce_589.txt", ROOT / "examples/vllm_start.log"])  # fmt: skip

        texts = [(path.name, path.read_text(encoding="utf-8")) for path in self.imports if path.stat().st_size < 5000]
        self.requests["import"] = [Members([("kind", "import"), ("files", [Members([("name", name), ("text", text)])])])
                                   for name, text in texts]  # fmt: skip

    def output(self, *words):
        done = subprocess.run([self.program, *words], capture_output=True, encoding="utf-8", check=False)
        if done.returncode != 0:
            raise SystemExit(f"podwright {' '.join(words)} ended with {done.returncode}: {done.stderr[:300]}")
        return done.stdout

    def fields_of(self, schema, path=()):
        """Every field of a schema as (keys of the objects that it is in, its key, its schema); lists count as their items."""
        if not isinstance(schema, dict):
            return
        for key, inner in schema.get("properties", {}).items():
            if (path, key) not in (((), "kind"), ((), "schema"), ((), "type")):
                yield path, key, inner
            yield from self.fields_of(inner, (*path, key))
        yield from self.fields_of(schema.get("items"), path)
        for several in ("oneOf", "anyOf", "allOf"):
            for inner in schema.get(several, ()):
                yield from self.fields_of(inner, path)

    def set_field(self, rng, kind, document):
        """Gives the document a field that its kind knows, where it belongs, with a value in or rarely out of its range."""
        if not self.fields[kind]:
            return
        path, key, schema = rng.choice(self.fields[kind])
        for step in path:
            found = dict(document).get(step)
            if not isinstance(found, list) or not found:
                found = Members()
                document[:] = [pair for pair in document if pair[0] != step] + [(step, found)]
            while isinstance(found, list) and not isinstance(found, Members) and found:
                found = rng.choice(found)
            if not isinstance(found, Members):
                return
            document = found
        known = key in self.pool.by_key and rng.random() < 0.4
        value = self.pool.value(rng, key) if known else self.value_of(rng, schema)
        document[:] = [pair for pair in document if pair[0] != key] + [(key, value)]

    def value_of(self, rng, schema, depth=0):
        if not isinstance(schema, dict) or rng.random() < 0.05 or depth > 6:
            return documents.hostile_value(rng, rng.choice([1, 1.5, "x", True, None]))
        if "enum" in schema:
            return rng.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        for several in ("oneOf", "anyOf"):
            if several in schema:
                return self.value_of(rng, rng.choice(schema[several]), depth + 1)
        kind = schema.get("type", "object" if "properties" in schema else "string")
        kind = rng.choice(kind) if isinstance(kind, list) else kind
        if kind in ("number", "integer"):
            low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
            high = schema.get("maximum", schema.get("exclusiveMaximum", 1e9))
            value = rng.choice([low, high, low + (high - low) * rng.random(), min(high, low + 10 ** rng.uniform(-3, 6))])
            return Raw(f"{value:.0f}" if kind == "integer" else f"{value:.17g}")
        if kind == "boolean":
            return rng.random() < 0.5
        if kind == "array":
            return [self.value_of(rng, schema.get("items", {}), depth + 1) for _ in range(rng.choice([0, 1, 2, 3]))]
        if kind == "object":
            needed = set(schema.get("required", ()))
            return Members((key, self.value_of(rng, inner, depth + 1)) for key, inner in schema.get("properties", {}).items()
                           if key in needed or rng.random() < 0.3)  # fmt: skip
        return rng.choice([rng.choice(self.ids[rng.choice(["gpus", "models", "engines"])]), rng.choice(documents.HOSTILE_TEXTS)])

    def request(self, rng, kind):
        return rng.choice(self.requests[kind])

    def table(self, rng):
        """The head and some rows of a table of measured runs."""
        lines = rng.choice(self.tables).read_text(encoding="utf-8").splitlines()
        return "\n".join([lines[0], *rng.sample(lines[1:], min(len(lines) - 1, rng.choice([1, 3, 8])))]) + "\n"
