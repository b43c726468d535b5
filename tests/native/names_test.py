"""Hostile names in every place that takes a name of the user's, through every form that leaves the program: each file is
read by the parser of its language and must equal the one with a plain name, but for the name.

    names_test.py SOURCES PODWRIGHT [--all]
"""

import csv
import hashlib
import io
import json
import math
import pathlib
import random
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import yaml

ALL = "--all" in sys.argv
sys.argv = [word for word in sys.argv if word != "--all"]
from fleet_files_test import metrics, podwright, signed_again, sources  # noqa: E402, it reads the arguments

COUNT = 500
QUICK = 60
PIECES = {
    "quotes": ['"', "'", "''", '"""', "\\'", "'; touch PWNED; '", '"; touch PWNED; "'],
    "commands": ["`touch PWNED`", "$(touch PWNED)", "$(HF_TOKEN)", "${HOME}", "$MODEL", "$$", "$$(id)", "| touch PWNED", "&& touch PWNED",
                 "!!", "*", "~", ">PWNED", "<(touch PWNED)", "\\", "\\\\", "\nEND\ntouch PWNED\n", "\nEOF\ntouch PWNED\n"],
    "breaks": ["\n", "\r", "\r\n", "\t", "\v", "\f", "\0", "\x1b[31m", "\x1b]0;x\x07", "\x7f", "\x85", "\x9b31m", "\u2028", "\u2029"],
    "formulas": ["=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0", "-rf", "--flag=value", "\t=1"],
    "yaml": ["---", "...", "- a", "? a", ": b", "a: b", "# c", "a #c", "&a", "*a", "!!tag", "%TAG", "[a, b]", "{a: b}", "| ", "> ", "null",
             "~", "no", "1e3", "0x10", "12:30", ".inf", "<<", "{{app}}", "{{script}}", "\nkind: Evil"],
    "unicode": ["\u202eright", "\u200bzero", "\ufeffmark", "e\u0301\u0327", "😀👩\u200d💻", "交换机甲", "\ufffe", "\uffff", "ﬀ", "İı", "\U0010ffff"],
    "markup": ["<b>", "</text><script>alert(1)</script>", "]]>", "<![CDATA[", "<!--", "-->", "&amp;", "&#0;", "&x;", "<?xml?>"],
    "formats": ["%s%n", "%(x)s", "\\N", "\\G", "\\l", "\\n", "[1-3]", "n[1-3],m", ",", ";", "a,b", "|", "`x`", "[x](y)", "a=b", "{a=\"b\"}"],
    "files": ["../../x", "/etc/x", "a/b", "..", ".", "con", "C:\\x", "-", " ", "  lead", "trail  "],
}  # fmt: skip


def drawn_names():
    """Each piece alone, then drawn ones: in words, among others, long."""
    draw = random.Random(30)
    pieces = [piece for group in PIECES.values() for piece in group]
    names = list(pieces)
    while len(names) < COUNT:
        piece = "".join(draw.choices(pieces, k=draw.choice([1, 1, 2, 4])))
        name = draw.choice([f"Model {piece}", f"{piece} model", f"a{piece}b", piece * draw.randint(2, 5), "x" * 300 + piece, piece + "é" * 300])
        if name not in names:
            names.append(name)
    # The quick ones are of all classes.
    draw.shuffle(names)
    return names if ALL else names[:QUICK]


NAMES = drawn_names()


def of_xml(name):
    """Control characters and what XML cannot hold become U+FFFD."""
    return re.sub("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]", "\ufffd", name)


def cleaned(name):
    """One line that no terminal obeys."""
    return re.sub("[\t\n\r]", " ", of_xml(name))


def inert(cell):
    return "'" + cell if cell[:1] in tuple("=+-@\t\r\n") else cell


def slug_of(name, most=91):
    """As core/base/slug.h says it."""
    slug = "-".join(re.findall("[a-z0-9]+", re.sub("[A-Z]", lambda one: one[0].lower(), name)))
    if slug and len(slug) <= most and re.fullmatch(r"[A-Za-z0-9 '()+,\-./:_]+", name):
        return slug
    slug = slug[: most - 9]
    return slug + ("-" if slug and slug[-1] != "-" else "") + hashlib.sha256(name.encode()).hexdigest()[:8]


def ask(verb, request, *words, code=0):
    """The answer of a request, or what is printed where `words` ask for another form."""
    done = subprocess.run([podwright, verb, "-", *words], input=json.dumps(request).encode(), capture_output=True)
    assert done.returncode == code, (done.returncode, done.stderr[:500], done.stdout[:500])
    return done.stdout


def answer(verb, request, *words):
    return json.loads(ask(verb, request, "--json", *words))


def put(value, names, through=lambda text: text):
    """`value` with plain names replaced in all its texts; `through` is what a whole text goes through then."""
    if isinstance(value, str):
        for plain, name in names.items():
            value = value.replace(plain, name)
        return through(value)
    if isinstance(value, dict):
        return {put(key, names, through): put(one, names, through) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [put(one, names, through) for one in value]
    return value


# Readers, each as strict as its language.


def csv_rows(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def tree_of(element):
    return [element.tag, dict(element.attrib), element.text or "", [tree_of(one) for one in element]]


def dot_words(text):
    """The words of a graph: signs, identifiers, and quoted texts as a label shows them."""
    words = []
    while text := text.lstrip():
        found = re.match(r'--|[{}\[\];=,]|[A-Za-z_][A-Za-z0-9_]*|[0-9.]+|"((?:[^"\\\n]|\\["\\n])*)"', text)
        assert found, text[:80]
        words.append(found[0])
        text = text[found.end() :]
    return words


def expanded(text, variables):
    """A text of a container as Kubernetes makes it: $$ is a dollar, $(NAME) a variable that is known."""
    return re.sub(r"\$\$|\$\((\w+)\)", lambda one: "$" if one[0] == "$$" else variables.get(one[1], one[0]), text)


def composed(text):
    """The same as Compose makes it; another dollar than a known variable's is an error there."""
    out = re.sub(r"\$\$|\$\{(\w+):-([^}]*)\}|\$", lambda one: "\1" if one[0] == "$$" else one[2] if one[1] else "\2", text)
    assert "\2" not in out.replace("\1", ""), text
    return out.replace("\1", "$")


def opened(value):
    """A document with the JSON in its texts read too: engines take some settings so."""
    if isinstance(value, dict):
        return {key: opened(one) for key, one in value.items()}
    if isinstance(value, list):
        return [opened(one) for one in value]
    found = re.fullmatch(r'(?s)(--[a-z-]+=|)(\{".*\})', value) if isinstance(value, str) else None
    try:
        return [found[1], json.loads(found[2])] if found else value
    except json.JSONDecodeError:
        return value


def of_pods(value, variables=None):
    """A document of Kubernetes with its commands expanded; a script that leaks a secret would show it."""
    if isinstance(value, dict):
        if isinstance(value.get("env"), list):
            variables = {one["name"]: one["value"] for one in value["env"] if "value" in one} | {"HF_TOKEN": "SECRET"}
        whole = {key: of_pods(one, variables) for key, one in value.items()}
        for key in {"args", "command"} & set(value):
            whole[key] = [expanded(word, variables or {"HF_TOKEN": "SECRET"}) for word in value[key]]
        if "env" in value and isinstance(value["env"], list):
            whole["env"] = [{**one, "value": expanded(one["value"], {})} if "value" in one else one for one in value["env"]]
        return whole
    return [of_pods(one, variables) for one in value] if isinstance(value, list) else value


def markdown(text):
    """Tables, headings and lists with their texts plain again, spaces told apart no more."""
    plain = re.sub(r"&#36;", "$", re.sub(r"\\([!-/:-@\[-`{-~])", lambda one: f"\1{ord(one[1])};", text))
    rows = [[re.sub(r"\x01(\d+);", lambda one: chr(int(one[1])), cell) for cell in line.split("|")] for line in plain.split("\n")]
    return [[" ".join(cell.split()) for cell in row] for row in rows]


def model_file(name):
    """A GGUF file of one small layer, as its name says."""
    text = lambda word: struct.pack("<Q", len(word.encode())) + word.encode()  # noqa: E731
    facts = {"block_count": 1, "embedding_length": 64, "feed_forward_length": 128, "attention.head_count": 4, "attention.head_count_kv": 2,
             "context_length": 128, "vocab_size": 100}  # fmt: skip
    shapes = {"token_embd": [64, 100], "output_norm": [64], "output": [64, 100]} | {"blk.0." + part: shape for part, shape in {
        "attn_q": [64, 64], "attn_k": [64, 32], "attn_v": [64, 32], "attn_output": [64, 64], "ffn_gate": [64, 128], "ffn_up": [64, 128],
        "ffn_down": [128, 64], "attn_norm": [64], "ffn_norm": [64]}.items()}  # fmt: skip
    head = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(facts) + 2)
    for key, value in (("general.architecture", "llama"), ("general.name", name)):
        head += text(key) + struct.pack("<I", 8) + text(value)
    for key, number in facts.items():
        head += text("llama." + key) + struct.pack("<II", 4, number)
    at = 0
    for tensor, shape in shapes.items():
        head += text(tensor + ".weight") + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, at)
        at += 4 * math.prod(shape)
    return head + bytes(-len(head) % 32 + at)


class Shell:
    """Scripts, run with programs that print the words and the variables that they are given."""

    PROGRAMS = ("vllm", "python3", "trtllm-serve", "llama-server", "lmdeploy", "torchrun", "srun", "tee", "scontrol")

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "bin").mkdir()
        for name in self.PROGRAMS:
            path = self.folder / "bin" / name
            path.write_text("#!/bin/bash\nprintf '%s\\0' \"${0##*/}\" \"$MODEL\" \"$DRAFT_MODEL\" \"$@\"\n", encoding="utf-8")
            path.chmod(0o755)
        (self.folder / "bin/tee").write_text("#!/bin/bash\ncat\n", encoding="utf-8")
        (self.folder / "bin/scontrol").write_text("#!/bin/bash\necho n1\n", encoding="utf-8")
        self.number = 0

    def run(self, files, script, given=None, shell="bash", code=0):
        """The words of the program that the script ends with, and the files that the script made."""
        self.number += 1
        place = self.folder / f"run{self.number}"
        place.mkdir()
        for name, text in files.items():
            (place / name).write_text(text, encoding="utf-8", newline="")
        subprocess.run([shell, "-n", script], cwd=place, check=True)
        done = subprocess.run([shell, script, "last word"], cwd=place, capture_output=True,
                              env={"PATH": f"{self.folder}/bin:/usr/bin:/bin", **(given or {})})  # fmt: skip
        assert done.returncode == code, (done.returncode, done.stderr, files[script])
        made = {path.name: path.read_bytes().decode() for path in sorted(place.iterdir()) if path.name not in files}
        assert set(made) <= {"extra-llm-api-config.yml", "podwright.toml", "megatron.log"}, sorted(made)
        made = {name: list(yaml.safe_load_all(text)) if name.endswith(".yml") else text for name, text in made.items()}
        # A trace of the command stands before what it prints.
        said = done.stdout.decode().split("\0")
        return [re.sub(r"\A(?s:.*)\n", "", said[0]), *said[1:]], made, done.stderr.decode()


class Names(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.shell = Shell(place.name)

    def same(self, got, plain, names, where, through=lambda text: text):
        expected = put(plain, names, through)
        if got != expected:
            self.assertEqual(json.dumps(got, indent=1), json.dumps(expected, indent=1), where)

    def exports_of(self, *kinds):
        """The words of the exports that the schema lists."""
        words = set()
        for kind in kinds:
            text = subprocess.run([podwright, "schema", kind], capture_output=True, check=True).stdout.decode()
            for one in re.findall(r'"exports":\{[^{}]*"items":\{"enum":(\[[^\]]*\])', text):
                words |= set(json.loads(one))
        return words - {"all"}

    def test_the_forms_are_those_of_the_program(self):
        self.assertEqual(self.exports_of("search", "architecture", "cost"), {
            "engine", "compose", "kubernetes", "llm-d", "dynamo", "torchrun", "slurm", "kubeflow", "megatron", "memory-proof", "topology-svg",
            "elevation-svg", "bill-csv", "cables-csv", "netbox", "graphviz", "containerlab", "ansible", "focus"})  # fmt: skip

    def test_half_a_character_is_refused(self):
        ask("search", {"kind": "search", "type": "serving", "model": {"base": "llama-3.1-8b", "name": "a\ud800b"}}, "--json", code=2)

    # Serving

    ENGINES = ("vllm", "sglang", "tensorrt-llm", "llama.cpp", "lmdeploy")
    OF_SERVING = ("MODELID", "MODELNAME", "DRAFTNAME", "OURMODEL", "OURDRAFT", "OURIMAGE", "OURSPACE", "OURCLAIM")

    def deployment(self, engine, names):
        """A request whose answer has a draft model where the engine takes one."""
        request = {
            "kind": "search", "type": "serving", "gpu": "h100-sxm5-80gb", "gpu_count": 4, "engines": [engine], "effort": "coarse", "top": 1,
            "input_tokens": 512, "output_tokens": 512, "ttft_s_p95_max": 2, "tpot_s_p95_max": 0.05, "exports": ["all"],
            "weight_precisions": [{"llama.cpp": "q4-k-m", "lmdeploy": "bf16"}.get(engine, "fp8")],
            "model": {"base": "llama-3.1-70b", "id": names["MODELID"], "name": names["MODELNAME"]},
            "deploy": {"image": names["OURIMAGE"], "namespace": names["OURSPACE"], "claim": names["OURCLAIM"]},
        }  # fmt: skip
        if engine != "lmdeploy":
            request["speculative"] = {"acceptance": 0.9, "draft_tokens": [3],
                                      "draft_model": {"base": "llama-3.2-1b", "id": names["DRAFTNAME"], "name": names["DRAFTNAME"]}}  # fmt: skip
        # A program would take a dash for an option, so that such names are refused.
        if not names["OURMODEL"].startswith("-"):
            request["deploy"] |= {"model": names["OURMODEL"], "draft_model": names["OURDRAFT"]}
        return request

    def serving_forms(self, engine, names):
        """Everything that an answer to a search for serving says, read."""
        said = answer("search", self.deployment(engine, names))
        files = {one["name"]: one["text"] for one in said["exports"]}
        forms = {"engine": {}, "variables": [shlex.split(one) for one in said["launch"][0]["environment"]]}
        forms["cannot"] = said["kubernetes"].get("cannot", [])
        forms["manifest"] = of_pods(list(yaml.safe_load_all(said["kubernetes"].get("yaml", ""))))
        own = {pathlib.Path(name).name: text for name, text in files.items() if name.startswith(engine + "/")}
        asked = {} if "model" in self.deployment(engine, names)["deploy"] else {"MODEL": "asked", "DRAFT_MODEL": "asked"}
        # Options that a script has no file for stand in words that the shell reads.
        forms["start"] = self.shell.run(own, "start.sh", asked)[:2]
        for script in said["scripts"]:
            forms["asking"] = self.shell.run({"s.sh": script["text"]}, "s.sh", code=2)[2]
            forms["script"] = self.shell.run({"s.sh": script["text"]}, "s.sh", {"MODEL": "m'\n", "DRAFT_MODEL": "d"})[0]
        lines = re.findall(r"^  (export .*)$", ask("search", self.deployment(engine, names)).decode(), re.M)
        self.shell.run({"s.sh": "\n".join([*lines, "python3"])}, "s.sh")
        for name, text in files.items():
            if not name.endswith((".yml", ".yaml")):
                continue
            read = list(yaml.safe_load_all(text))
            if name == "compose/compose.yaml":
                read = put(read, {}, composed)
            elif name in ("kubernetes.yaml", "dynamo.yaml") or name.startswith("llm-d/"):
                read = of_pods(read)
            forms[name] = opened(read)
        for document in forms.get("kubernetes.yaml", []):
            if document["kind"] == "Deployment":
                pod = document["spec"]["template"]["spec"]["containers"][0]
                text = pod["args"][0].replace("/app/", "")
                given = {one["name"]: one["value"].replace("\0", "") for one in pod["env"] if "value" in one}
                forms["pod"] = self.shell.run({"pod.sh": text}, "pod.sh", given, shell="sh")[:2]
                pod["args"] = []
        # Its script is that of the file, where nothing is named.
        for document in forms["manifest"]:
            if document["kind"] == "Deployment":
                document["spec"]["template"]["spec"]["containers"][0]["args"] = []
        app = forms["kubernetes.yaml"][0]["metadata"]["name"]
        self.assertRegex(app, r"\A[a-z][a-z0-9-]{0,40}(?<!-)\Z")
        return app, forms

    def test_deployments(self):
        plain = {}
        for number, name in enumerate(NAMES):
            engine = self.ENGINES[number % len(self.ENGINES)]
            named = "" if name.startswith("-") else "named"
            if (engine, named) not in plain:
                token = {key: key if named or not key.startswith("OURM") else "-" for key in self.OF_SERVING}
                plain[engine, named] = self.serving_forms(engine, token)
            base, expected = plain[engine, named]
            app, forms = self.serving_forms(engine, dict.fromkeys(self.OF_SERVING, name))
            self.assertEqual(app.removeprefix("m"), slug_of(name, 40).removeprefix("m"))
            # The names of the models are in what is asked for alone.
            names = dict.fromkeys(self.OF_SERVING, name) | dict.fromkeys(("MODELNAME", "DRAFTNAME"), cleaned(name)) | {base: app}
            no_zeros = lambda text: text.replace("\0", "")  # noqa: E731, a shell has none
            for form, read in forms.items():
                where = (name, engine, form)
                if form in ("start", "script"):
                    self.same(list(read), list(expected[form]), names, where, no_zeros)
                elif form == "pod":
                    words, made = read
                    plain_words, plain_made = expected[form]
                    self.same(words, plain_words, names, where, no_zeros)
                    self.same(made, plain_made, names, where)
                else:
                    self.same(read, expected[form], names, where)
            self.assertEqual(set(forms), set(expected))
            if not named:
                refused = self.deployment(engine, dict.fromkeys(self.OF_SERVING, "x"))
                refused["deploy"]["model"] = name
                self.assertEqual(answer("search", refused).get("exports", []), [])

    # Training

    OF_TRAINING = ("MODELID", "MODELNAME", "OURDATA", "OURTOKENS", "OURFOLDER", "OURIMAGE", "OURSPACE", "OURTIME")

    def training_forms(self, names):
        deploy = {"data": names["OURDATA"], "tokenizer": names["OURTOKENS"], "megatron_lm": names["OURFOLDER"], "image": names["OURIMAGE"],
                  "namespace": names["OURSPACE"], "runtime": names["OURTIME"]}  # fmt: skip
        if names["OURDATA"].startswith("-"):
            deploy = {key: deploy[key] for key in ("image", "namespace", "runtime")}
        said = answer("search", {
            "kind": "search", "gpu": "h100-sxm5-80gb", "gpu_count": 16, "sequence_length": 4096, "global_batch_size": 64, "tokens": 1e9, "top": 1,
            "framework": "megatron-lm", "model": {"base": "llama-3.1-8b", "id": names["MODELID"], "name": names["MODELNAME"]},
            "exports": ["all"], "deploy": deploy})  # fmt: skip
        files = {one["name"]: one["text"] for one in said["exports"]}
        given = {key: "asked" for key in ("MASTER_ADDR", "JOB_ID", "DATA_PATH", "TOKENIZER", "MEGATRON_LM", "TITAN_MODEL", "TITAN_FLAVOR",
                                          "TITAN_DATASET", "SLURM_JOB_NODELIST", "CHECKPOINTS")} | {"MASTER_PORT": "1", "SLURM_JOB_ID": "1"}  # fmt: skip
        forms = {}
        for name, text in files.items():
            if name.endswith(".yaml"):
                forms[name] = of_pods(list(yaml.safe_load_all(text)))
            elif name == "megatron/arguments.sh":
                forms[name] = self.shell.run({"a.sh": text, "s.sh": '. ./a.sh; python3 "${MEGATRON_ARGUMENTS[@]}"'}, "s.sh", given)[0]
            else:
                forms[name] = self.shell.run({"s.sh": text}, "s.sh", given)[:2]
                forms["options of " + name] = re.findall(r"^#SBATCH .*", text, re.M)
        return next(one for name, one in forms.items() if name.startswith("kubeflow/"))[0]["metadata"]["name"], forms

    def test_training_jobs(self):
        plain = {}
        for name in NAMES:
            name = name.encode()[:253].decode(errors="ignore")  # of a runtime
            # Without its zero bytes it would be no name, and the script asks for one.
            name = name if name.strip("\0") else f"a{name}"
            named = not name.startswith("-")
            if named not in plain:
                plain[named] = self.training_forms({key: key if named or key != "OURDATA" else "-" for key in self.OF_TRAINING})
            base, expected = plain[named]
            app, forms = self.training_forms(dict.fromkeys(self.OF_TRAINING, name))
            self.assertRegex(app, r"\A[a-z][a-z0-9-]{0,40}(?<!-)\Z")
            self.assertEqual(set(forms), set(expected), name)
            for form, read in forms.items():
                names = dict.fromkeys(self.OF_TRAINING, name) | {base: app}
                if form.endswith(".yaml"):
                    self.same(read, expected[form], names, (name, form))
                else:
                    self.same(list(read), list(expected[form]), names, (name, form), lambda text: text.replace("\0", ""))

    # Designs

    OF_DESIGN = {"SYSTEMNAME": "systems/dgx-h100", "LEAFNAME": "switches/qm9700", "ETHERNAME": "switches/sn4600c", "PORTSNAME": "switches/sn2201",
                 "GPUNAME": "gpus/h100-sxm5-80gb"}  # fmt: skip
    DESIGN = {"kind": "architecture", "gpu": "h100-sxm5-80gb", "gpu_count": 64, "ownership": "dgx", "fabric": "infiniband", "workload": "training",
              "storage": {"dataset_tb": 200, "model_parameters": 70e9}, "exports": [
                  "topology-svg", "elevation-svg", "bill-csv", "cables-csv", "netbox", "graphviz", "slurm", "containerlab", "ansible"]}  # fmt: skip

    def overlay(self, names):
        folder = self.folder / "overlay"
        for key, path in self.OF_DESIGN.items():
            item = json.loads((sources / f"core/catalog/data/{path}.json").read_text(encoding="utf-8"))
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / f"{path}.json").write_text(json.dumps(item | {"name": names[key]}), encoding="utf-8")
        return folder

    def design_forms(self, names):
        said = answer("architecture", self.DESIGN, "--catalog", self.overlay(names))["designs"][0]
        forms, slugs = {}, {}
        for one in said["exports"]:
            name, text = one["name"], one["text"]
            if name.endswith(".csv"):
                forms[name] = csv_rows(text)
            elif name.endswith((".yaml", ".yml")):
                forms[name] = list(yaml.safe_load_all(text))
            elif name.endswith(".svg"):
                forms[name] = tree_of(xml.etree.ElementTree.fromstring(text))
            elif name.endswith(".dot"):
                forms[name] = dot_words(text)
            else:
                forms[name] = text
            if "device-types" in name:
                kind = forms.pop(name)[0]
                self.assertEqual(name, f"netbox/device-types/{kind['slug']}.yaml")
                self.assertRegex(kind["slug"], r"\A[a-z0-9-]{1,100}\Z")
                self.assertNotIn(kind["slug"], slugs)
                slugs[kind["slug"]] = kind
        return forms, slugs

    def test_designs(self):
        plain, kinds = self.design_forms({key: key for key in self.OF_DESIGN})
        for first in range(0, len(NAMES), len(self.OF_DESIGN)):
            names = {key: NAMES[(first + i) % len(NAMES)] for i, key in enumerate(self.OF_DESIGN)}
            forms, slugs = self.design_forms(names)
            self.assertEqual(set(forms), set(plain))
            expected = {}
            for kind in kinds.values():
                kind = put(kind, names)
                kind["slug"] = slug_of(kind["manufacturer"] + " " + kind["model"])
                expected[kind["slug"]] = kind
            self.same(slugs, expected, {}, names)
            for form, read in forms.items():
                if form.endswith(".svg"):
                    self.check_drawing(read, plain[form], names)
                else:
                    guard = inert if form in ("bill_of_materials.csv", "cables.csv") else lambda text: text
                    self.same(read, plain[form], names, (names, form), guard)

    def check_drawing(self, read, plain, names):
        """Names change how much fits: the elements are those that a drawing has, and titles say the names whole."""
        flat = lambda tree: [tree] + [one for child in tree[3] for one in flat(child)]  # noqa: E731
        looks = lambda tree: {(one[0], *sorted(one[1])) for one in flat(tree)}  # noqa: E731
        self.assertLessEqual(looks(read), looks(plain))
        titles = lambda tree: [one[2] for one in flat(tree) if one[0].endswith(("}title", "}desc"))]  # noqa: E731
        self.same(titles(read), titles(plain), {key: of_xml(name) for key, name in names.items()}, names)

    def test_names_that_would_be_one_file_stay_apart(self):
        for names in (["交换机甲", "交换机乙", "管理交换机"], ["a b", "A-B", "a.b"], ["same"] * 3, ["a$b", "a`b", "a b"], ["x" * 300 + end for end in "abc"]):
            forms, slugs = self.design_forms(dict(zip(self.OF_DESIGN, ["System", *names, "GPU"])))
            models = [(kind["manufacturer"], kind["model"]) for kind in slugs.values()]
            self.assertEqual(len(set(models)), len(models))
            self.assertLessEqual({(row[2], row[3]) for row in forms["netbox/05-devices.csv"][1:]}, set(models))
            self.assertEqual(len({row[3] for row in forms["netbox/05-devices.csv"][1:] if row[2] == "NVIDIA"}), 4)
            self.assertTrue(all(any(name in model for _, model in models) for name in names))

    # Money

    def test_costs_and_plans(self):
        prices = (sources / "core/catalog/data/prices_cloud.csv").read_text(encoding="utf-8").split("\n")[0].split(",")
        forms = {}
        for number in range(-1, len(NAMES), 3):
            three = ["PROVIDER", "INSTANCE", "REGION"] if number < 0 else [NAMES[(number + i) % len(NAMES)] for i in range(3)]
            provider, instance, region = (re.sub(r"\A\s*\Z", "x", one) for one in three)
            row = dict.fromkeys(prices, "") | {"provider": provider, "instance": instance, "gpu": "H100", "gpu_id": "h100-sxm5-80gb",
                                               "gpu_count": "8", "region": region, "country": "USA", "on_demand_usd_per_hour": "20",
                                               "segment": "hyperscaler", "as_of": "2026-10-10", "source": "gpu-price-index-2026-10"}  # fmt: skip
            text = io.StringIO(newline="")
            csv.writer(text).writerows([prices, row.values()])
            (self.folder / "prices").mkdir(exist_ok=True)
            (self.folder / "prices/prices_cloud.csv").write_text(text.getvalue(), encoding="utf-8", newline="")
            said = answer("cost", {"kind": "cost", "gpu": {"base": "h100-sxm5-80gb", "id": "h100-sxm5-80gb", "name": instance}, "gpu_count": 8,
                                   "utilization": 0.6, "as_of": "2026-11-21", "cloud": {"term": "on-demand"}, "export_days": 1,
                                   "on_premises": {}, "exports": ["focus"]}, "--catalog", self.folder / "prices")  # fmt: skip
            read = {one["name"]: csv_rows(one["text"]) for one in said["exports"]}
            if number < 0:
                forms = read
                self.assertIn("PROVIDER", {cell for row in read["focus_rent.csv"] for cell in row})
                continue
            self.same(read, forms, {"PROVIDER": provider, "INSTANCE": instance, "REGION": region}, three, inert)

    def test_plans(self):
        def plan(names):
            request = {"kind": "plan", "options": {"top": 1, "draws": 100}, "constraints": {"gpus": ["h100-sxm5-80gb"]}, "workloads": [
                {"name": name, "type": "serving", "model": {"base": "llama-3.1-8b", "id": name, "name": name}, "peak_requests_per_s": 2,
                 "input_tokens": 512, "output_tokens": 128, "ttft_s_p95_max": 2, "tpot_s_p95_max": 0.05} for name in names[:2]],
                "quotes": [{"type": "rent", "name": name, "provider": name, "gpu": "h100-sxm5-80gb", "term": "on-demand",
                            "usd_per_gpu_hour": 2.0, "as_of": "2026-10-01", "country": "USA"} for name in names[2:]]}  # fmt: skip
            return csv_rows(ask("plan", request, "--format", "csv").decode()), markdown(ask("plan", request, "--format", "markdown").decode())

        tokens = ["WORKONE", "WORKTWO", "QUOTEA", "QUOTEB", "QUOTEC", "QUOTED"]
        plain = plan(tokens)
        for first in range(0, len(NAMES), len(tokens)):
            drawn = [NAMES[(first + i) % len(NAMES)] for i in range(len(tokens))]
            table, page = plan(drawn)
            self.same(table, plain[0], dict(zip(tokens, drawn)), drawn, inert)
            self.assertEqual([len(row) for row in page], [len(row) for row in plain[1]], drawn)

    # Machines and models

    def test_profiles(self):
        measured = subprocess.run([podwright, "probe", "--backend", "fake", "--quick", "--only", "hbm", "--json"], capture_output=True, check=True)
        text = measured.stdout.decode().strip()
        device = json.loads(text)["devices"][0]["name"]
        plain = None
        for name in ["DEVICENAME", *NAMES]:
            profile = signed_again(text.replace(json.dumps(device), json.dumps(name, ensure_ascii=False)))
            # Arguments of a process end at a zero byte.
            node = "NODENAME" if plain is None else name.replace("\0", "") or "x"
            path = self.folder / "profile.json"
            path.write_text(profile, encoding="utf-8")
            said = {}
            for form in ("prometheus", "junit", "markdown"):
                done = subprocess.run([podwright, "verify", path, "--format", form, "--node", node], capture_output=True)
                said[form] = re.sub("[0-9a-f]{64}", "digest", done.stdout.decode())
            said["prometheus"] = [[key, [list(one) for one in sorted(dict(labels).items())], value]
                                  for key, one in metrics(said["prometheus"]).items() for labels, value in one.items()]  # fmt: skip
            said["junit"] = tree_of(xml.etree.ElementTree.fromstring(said["junit"]))
            said["markdown"] = re.sub(r"&#(\d+);", lambda one: chr(int(one[1])), said["markdown"])
            plain = plain or said
            names = {"DEVICENAME": name, "NODENAME": node}
            metric = {key: of_xml(one).replace("\r", "\ufffd") for key, one in names.items()}
            self.same(said["prometheus"], plain["prometheus"], metric, name)
            names = {key: cleaned(one) for key, one in names.items()}
            # A name of spaces alone is "unnamed" where the schema wants one.
            if all(one.strip() for one in names.values()):
                self.same(said["junit"], plain["junit"], names, name)
            self.same(said["markdown"], plain["markdown"], names, name)

    def test_model_files(self):
        for name in NAMES:
            path = self.folder / "x.gguf"
            path.write_bytes(model_file(name))
            said = json.loads(subprocess.run([podwright, "model", path, "--json"], capture_output=True, check=True).stdout)
            self.assertEqual(said["model"].get("name", said["model"]["id"]), name)


if __name__ == "__main__":
    unittest.main()
