"""Files of random deployments, with names that try to break out of them: read by a YAML parser, held against a table of
documented fields and against the options of the engine's version, run with programs that print their words.

    deployment_files_test.py ROOT EXPORT_DEPLOYMENTS
"""

import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

root = pathlib.Path(sys.argv.pop(1)).resolve()
program = pathlib.Path(sys.argv.pop(1)).resolve()

FIELDS = root / "tests/export/deployment_fields.csv"
ENGINES = root / "core/sizing/data/engines"
CASES = 600
SHELL_CASES = 40
COMPOSE_CASES = 20
PROGRAMS = ["vllm", "vllm-router", "python3", "trtllm-serve", "mpirun", "llama-server", "lmdeploy"]
#: Values of variables that only a node knows.
ASKED = {"NODE_RANK": "1", "MASTER_ADDR": "head", "CUDA_VISIBLE_DEVICES": "0",
         "VLLM_NIXL_SIDE_CHANNEL_HOST": "here", "MODEL": "asked", "DRAFT_MODEL": "asked draft"}
ASKED |= {f"{pool}_{i}": f"{pool.lower()}{i}" for pool in ("PREFILL", "DECODE") for i in range(4)}


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cases():
    text = subprocess.run([program, str(CASES)], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


class Fields:
    """The documented fields: kind, path, type."""

    def __init__(self):
        self.types = {(row["kind"], row["path"]): row["type"] for row in rows(FIELDS)}

    def check(self, kind, value, path=""):
        """Sentences about what is not documented so."""
        wanted = self.types.get((kind, path)) if path else "object"
        if wanted is None:
            wanted = self.types.get((kind, re.sub(r"[^.]+$", "*", path)))
        if wanted is None:
            return [f"{kind}: no field {path}"]
        if wanted == "PodSpec":
            return self.check("PodSpec", value)
        types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
        allowed = tuple(types[word] for word in wanted.split(" or "))
        if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
            return [f"{kind}: {path} is {type(value).__name__}, not {wanted}"]
        problems = []
        if isinstance(value, dict):
            for key, inner in value.items():
                problems += self.check(kind, inner, self.below(kind, path, key))
        if isinstance(value, list):
            for inner in value:
                problems += self.check(kind, inner, path + "[]")
        return problems

    def below(self, kind, path, key):
        """The path of a member; maps whose keys are names have a star there."""
        whole = f"{path}.{key}" if path else key
        star = f"{path}.*" if path else "*"
        return star if (kind, whole) not in self.types and (kind, star) in self.types else whole


class Options:
    """The options of each engine by version."""

    def __init__(self):
        self.options = rows(ENGINES / "options.csv")
        self.newest = {row["engine"]: row["version"] for row in rows(ENGINES / "versions.csv")}

    def version(self, case):
        return case["names"]["engine_version"] or self.newest.get(case["engine"], "")

    def has(self, case, option, *places):
        return any(row["engine"] == case["engine"] and row["option"] == option and row["where"] in places
                   and self.version(case) in row["versions"].split() for row in self.options)

    def lists(self, case):
        return case["engine"] in self.newest


def documents(text):
    return list(yaml.safe_load_all(text))


def containers(document):
    kind = document["kind"]
    if kind == "Deployment":
        return document["spec"]["template"]["spec"]["containers"]
    if kind == "LeaderWorkerSet":
        return document["spec"]["leaderWorkerTemplate"]["workerTemplate"]["spec"]["containers"]
    return []


def expanded(value):
    """The value of a variable as Kubernetes makes it: $$ is a dollar, $(NAME) would be another variable."""
    assert not re.search(r"(?<!\$)(\$\$)*\$\(", value), value
    return value.replace("$$", "$")


class Deployments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = cases()
        cls.fields = Fields()
        cls.options = Options()

    def yaml_files(self):
        for case in self.cases:
            for name, text in case["files"].items():
                if name.endswith((".yaml", ".yml")):
                    yield case, name, documents(text)

    def test_there_are_enough(self):
        self.assertGreaterEqual(sum(bool(case["files"]) for case in self.cases), 200)
        names = {name for case in self.cases for name in case["files"]}
        for name in ("vllm/config.yml", "sglang/config.yml", "tensorrt-llm/extra-llm-api-config.yml", "kubernetes.yaml",
                     "compose/compose.yaml", "llm-d/kustomization.yaml", "llm-d/patch-prefill.yaml", "dynamo.yaml"):
            self.assertIn(name, names)
        for case in self.cases:
            self.assertTrue(case["files"] or case["not_written"], case["case"])

    def test_fields_are_documented(self):
        for case, name, found in self.yaml_files():
            if name.split("/")[0] in ("vllm", "sglang", "tensorrt-llm") or name.endswith(("config.yml", "config.yaml")):
                continue
            for document in found:
                kind = document.get("kind", "compose")
                self.assertEqual(self.fields.check(kind, document), [], (case["case"], name))

    def test_names_come_back(self):
        """Exactly as they were given, and nowhere else than where they belong."""
        for case, name, found in self.yaml_files():
            names = case["names"]
            for document in found:
                where = (case["case"], name)
                if name in ("kubernetes.yaml", "dynamo.yaml"):
                    self.assertEqual(document["metadata"].get("namespace", ""), names["namespace"], where)
                if name == "llm-d/kustomization.yaml":
                    self.assertEqual(document.get("namespace", ""), names["namespace"], where)
                if name == "kubernetes.yaml":
                    self.check_pods(document, names, where)
                if name == "dynamo.yaml" and names["claim"]:
                    self.assertEqual(document["spec"]["pvcs"][0]["name"], names["claim"], where)
                if name.startswith("llm-d/patch") and names["image"]:
                    self.assertEqual(document["spec"]["template"]["spec"]["containers"][0]["image"], names["image"])
                if name.split("/")[-1].startswith("config") and names["model"]:
                    self.assertEqual(document.get("model", document.get("model-path")), names["model"], where)

    def check_pods(self, document, names, where):
        for container in containers(document):
            environment = {one["name"]: expanded(one["value"]) for one in container["env"] if "value" in one}
            if container["name"] == "router":
                continue
            self.assertIn("MODEL", environment, where)
            for variable, key in (("MODEL", "model"), ("DRAFT_MODEL", "draft_model")):
                if names[key] and variable in environment:
                    self.assertEqual(environment[variable], names[key], where)
            if names["image"]:
                self.assertEqual(container["image"], names["image"], where)

    def test_options_are_those_of_the_version(self):
        for case in self.cases:
            if not self.options.lists(case):
                continue
            for name, text in case["files"].items():
                for option, places in self.options_of(name, text):
                    self.assertTrue(self.options.has(case, option, *places),
                                    (case["case"], name, option, self.options.version(case)))

    def options_of(self, name, text):
        """Each option of a file, with the places of which one must have it."""
        last = name.split("/")[-1]
        arguments = ("router",) if "router" in last else ("argument",)
        if name.startswith("tensorrt-llm/") and last.endswith((".yml", ".yaml")) or last.endswith("api-config.yml"):
            return [(key, ("router-file",) if "disagg" in last else ("file",)) for key in dotted(yaml.safe_load(text))]
        if last.startswith("config"):
            return [(option, arguments) for option in config_options(yaml.safe_load(text))]
        if last.endswith(".sh"):
            return [(option, arguments) for option in re.findall(r"^  (-[\w.-]+)", text, re.M)]
        if name == "kubernetes.yaml":
            return [(option, ("router",) if one["name"] == "router" else arguments)
                    for document in documents(text) for one in containers(document)
                    for option in re.findall(r"^  (-[\w.-]+)", one["args"][0], re.M)]
        if name == "compose/compose.yaml":
            services = yaml.safe_load(text)["services"]
            return [(word, ("router",) if service == "router" else arguments) for service, one in services.items()
                    for word in one["command"] if word.startswith("-")]
        if name.startswith("llm-d/patch"):
            words = yaml.safe_load(text)["spec"]["template"]["spec"]["containers"][0]["args"]
            return [(option, arguments) for option in word_options(words)]
        if name == "dynamo.yaml":
            services = yaml.safe_load(text)["spec"]["services"]
            return [(option, ("argument", "dynamo")) for one in services.values()
                    for option in word_options(one["extraPodSpec"]["mainContainer"].get("args", []))]
        return []

    def test_scripts_run_and_keep_names_whole(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            self.make_programs(folder / "bin")
            for case in [one for one in self.cases if one["files"]][:SHELL_CASES]:
                self.run_engine_files(case, folder)
                self.run_pods(case, folder)

    def make_programs(self, folder):
        folder.mkdir()
        for name in PROGRAMS:
            path = folder / name
            path.write_text("#!/bin/bash\nprintf '%s\\0' \"$MODEL\" \"$@\"\n", encoding="utf-8")
            path.chmod(0o755)

    def run_shell(self, words, folder, variables):
        environment = {"PATH": f"{folder.parent / 'bin'}:/usr/bin:/bin", **variables}
        before = {path for path in folder.rglob("*")}
        done = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        made = {path.name for path in folder.rglob("*")} - {path.name for path in before}
        self.assertLessEqual(made, {"extra-llm-api-config.yml", "disagg_config.yaml"})
        return done.stdout.decode("utf-8").split("\0")[:-1]

    def run_engine_files(self, case, folder):
        own = folder / f"case{case['case']}"
        own.mkdir()
        for name, text in case["files"].items():
            if name.startswith(case["engine"] + "/"):
                (own / name.split("/")[-1]).write_text(text, encoding="utf-8", newline="")
        for script in sorted(own.glob("start*.sh")):
            asked = {name: value for name, value in ASKED.items()
                     if f"need {name} " in (own / script.name.replace("start", "environment")).read_text(encoding="utf-8")}
            words = self.run_shell(["bash", script.name, "last word"], own, asked)
            self.assertEqual(words[-1], "last word")
            if '"$MODEL"' in script.read_text(encoding="utf-8"):
                self.assertEqual(words[0], case["names"]["model"].replace("\0", "") or "asked", case["case"])
                self.assertIn(words[0], words[1:], case["case"])

    def run_pods(self, case, folder):
        own = folder / f"pods{case['case']}"
        own.mkdir()
        for document in documents(case["files"].get("kubernetes.yaml", "")):
            for one in containers(document) if document else []:
                if one["name"] == "router" or "/app/" in one["args"][0] or "sshd" in one["args"][0]:
                    continue
                variables = {each["name"]: expanded(each["value"]) for each in one["env"] if "value" in each}
                words = self.run_shell(["/bin/sh", "-c", one["args"][0]], own,
                                       {**variables, "LWS_WORKER_INDEX": "1", "LWS_LEADER_ADDRESS": "head"})
                if '"$MODEL"' in one["args"][0]:
                    self.assertIn(variables["MODEL"], words[1:], case["case"])

    @unittest.skipUnless(shutil.which("docker-compose"), "docker-compose is not installed")
    def test_compose_files_are_taken(self):
        found = [one for one in self.cases if "compose/compose.yaml" in one["files"]]
        for case in found[:COMPOSE_CASES]:
            with tempfile.TemporaryDirectory() as place:
                for name, text in case["files"].items():
                    if name.startswith("compose/"):
                        (pathlib.Path(place) / name.split("/")[-1]).write_text(text, encoding="utf-8", newline="")
                done = subprocess.run(["docker-compose", "-f", "compose.yaml", "config"], cwd=place, encoding="utf-8",
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "HF_TOKEN": "t"})
                self.assertEqual(done.returncode, 0, (case["case"], done.stderr))
                given = yaml.safe_load(case["files"]["compose/compose.yaml"])["services"]
                taken = yaml.safe_load(done.stdout)["services"]
                self.assertEqual(set(taken), set(given))
                for service, one in taken.items():
                    # It writes each dollar twice again.
                    self.assertEqual(one["command"], given[service]["command"], case["case"])
                    self.assertEqual(one["image"], given[service]["image"], case["case"])


def dotted(value, above=""):
    keys = []
    for key, inner in value.items():
        keys += dotted(inner, f"{above}{key}.") if isinstance(inner, dict) else [above + key]
    return keys


def config_options(config):
    """The arguments that the keys of a configuration file stand for."""
    options = []
    for key, value in config.items():
        if key == "model":
            continue
        if key.endswith("-config"):
            options += [f"--{key}.{inner}" for inner in json.loads(value)]
        else:
            options.append("--" + key)
    return options


def word_options(words):
    """The options of words "--name=value"; the members of a value in JSON are options of their own."""
    options = []
    for word in words:
        name, _, value = word.partition("=")
        if not name.startswith("--"):
            continue
        options += [f"{name}.{inner}" for inner in json.loads(value)] if name.endswith("-config") else [name]
    return options


if __name__ == "__main__":
    unittest.main()
