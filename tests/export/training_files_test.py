"""Files of the first layouts of random searches for training, with names that try to break out of them: shell scripts
checked and run with programs that print their words, options of sbatch read as sbatch reads them, TrainJobs held against
a table of documented fields; the words of all are the same. What a proof of memory prints is compared by the program.

    training_files_test.py ROOT EXPORT_TRAINING_JOBS PODWRIGHT
"""

import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

root = pathlib.Path(sys.argv.pop(1)).resolve()
program = pathlib.Path(sys.argv.pop(1)).resolve()
podwright = pathlib.Path(sys.argv.pop(1)).resolve()

CASES = 300
RUN_CASES = 60
PROOF_CASES = 12
#: Values of what scripts ask for.
ASKED = {"MASTER_ADDR": "head", "MASTER_PORT": "1", "JOB_ID": "job", "MEGATRON_LM": "/asked/lm", "DATA_PATH": "asked data",
         "TOKENIZER": "asked tokenizer", "TITAN_MODEL": "llama3", "TITAN_FLAVOR": "8B", "TITAN_DATASET": "c4",
         "CHECKPOINTS": "/asked/kept",
         "SLURM_JOB_NODELIST": "n[1-4]", "SLURM_JOB_ID": "71234"}
NAMED = {"MEGATRON_LM": "megatron_lm", "DATA_PATH": "data", "TOKENIZER": "tokenizer", "CHECKPOINTS": "checkpoints"}


def rows(name):
    with open(root / "tests/export" / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cases():
    text = subprocess.run([program, str(CASES)], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def files(case):
    return {one["name"]: one["text"] for one in case["answer"].get("exports", [])}


def name_of(case, variable):
    """What a program is to be given for a variable."""
    return case["request"]["deploy"][NAMED[variable]].replace("\0", "") or ASKED[variable]


def sbatch_words(line):
    """The words of an option line as sbatch splits it (get_argument() of src/sbatch/opt.c)."""
    words, word, quote, i = [], None, "", 0
    while i < len(line):
        c = line[i]
        if not quote and c.isspace():
            if word is not None:
                words.append(word)
            word = None
        elif c == "\\":
            i += 1
            word = (word or "") + (line[i] if i < len(line) else "")
        elif quote and c == quote:
            quote = ""
        elif not quote and c in "\"'":
            quote = c
        elif not quote and c == "#":
            break
        else:
            word = (word or "") + c
        i += 1
    assert not quote, line
    return words + ([word] if word is not None else [])


def sbatch_options(text):
    """Option and value of each line before the first command."""
    options = {}
    for line in text.split("\n"):
        if line.strip() and not line.strip().startswith("#"):
            break
        if line.startswith("#SBATCH"):
            for word in sbatch_words(line[len("#SBATCH"):]):
                option, _, value = word.partition("=")
                options[option] = value
    return options


def whole_options(words):
    """"--name=value" of options and their values in words of their own."""
    out = []
    for word in words:
        if out and out[-1].startswith("--") and "=" not in out[-1] and not word.startswith("--"):
            out[-1] += "=" + word
        else:
            out.append(word)
    return out


class Fields:
    """The documented fields of a TrainJob: path, type."""

    def __init__(self):
        self.types = {row["path"]: row["type"] for row in rows("deployment_fields.csv") if row["kind"] == "TrainJob"}

    def check(self, value, path=""):
        wanted = self.types.get(path) if path else "object"
        if wanted is None:
            return [f"no field {path}"]
        types = {"object": dict, "array": list, "string": str, "integer": int}
        if not isinstance(value, tuple(types[word] for word in wanted.split(" or "))) or isinstance(value, bool):
            return [f"{path} is {type(value).__name__}, not {wanted}"]
        problems = []
        if isinstance(value, dict):
            for key, inner in value.items():
                whole = f"{path}.{key}" if path else key
                problems += self.check(inner, whole if whole in self.types else f"{path}.*")
        if isinstance(value, list):
            for inner in value:
                problems += self.check(inner, path + "[]")
        return problems


class TrainingFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = cases()
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        cls.make_programs(cls.folder / "bin")

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    @classmethod
    def make_programs(cls, folder):
        folder.mkdir()
        prints = "printf '%s\\0' \"$WORLD_SIZE\" \"$RANK\" \"$@\" >words\n"
        for name, text in (("torchrun", prints), ("srun", prints), ("scontrol", "printf 'n1\\nn2\\nn3\\n'\n"),
                           ("python3", prints + "cat printed 2>/dev/null || true\n")):
            (folder / name).write_text("#!/bin/bash\n" + text, encoding="utf-8")
            (folder / name).chmod(0o755)

    def each(self, kind):
        for number, case in enumerate(self.cases):
            for name, text in files(case).items():
                if name.split("/")[0] == kind:
                    yield number, case, name, text

    def run_shell(self, words, folder, variables=None):
        """What the program that the shell ends with was given."""
        folder.mkdir(exist_ok=True)
        before = {path.name for path in folder.iterdir()}
        done = subprocess.run(words, cwd=folder, env={"PATH": f"{self.folder / 'bin'}:/usr/bin:/bin",
                                                      **(ASKED if variables is None else variables)},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        made = {path.name for path in folder.iterdir()} - before
        self.assertLessEqual(made, {"words", "podwright.toml", "megatron.log"})
        return (folder / "words").read_bytes().decode("utf-8").split("\0")[:-1]

    def test_there_are_enough(self):
        self.assertGreaterEqual(sum(bool(files(case)) for case in self.cases), 200)
        for kind, least in (("torchrun", 200), ("slurm", 100), ("kubeflow", 100), ("megatron", 100), ("memory-proof", 50)):
            self.assertGreaterEqual(len({number for number, *_ in self.each(kind)}), least, kind)
        for number, case in enumerate(self.cases):
            answer = case["answer"]
            self.assertNotIn("errors", answer, number)
            self.assertTrue(not answer["feasible"] or files(case) or answer["not_exported"], number)
        pipelines = {case["answer"]["layouts"][0]["parallelism"]["pipeline"] for case in self.cases if files(case)}
        self.assertGreaterEqual(len(pipelines), 3)

    def test_scripts_are_whole(self):
        for number, case in enumerate(self.cases):
            for name, text in files(case).items():
                if name.endswith((".sh", ".sbatch")):
                    done = subprocess.run(["bash", "-n"], input=text.encode("utf-8"), stderr=subprocess.PIPE)
                    self.assertEqual((done.returncode, done.stderr), (0, b""), (number, name))

    def test_sbatch_reads_what_was_meant(self):
        documented = {row["option"]: row["value"] for row in rows("sbatch_options.csv")}
        for number, case, name, text in self.each("slurm"):
            options = sbatch_options(text)
            layout, deploy = case["answer"]["layouts"][0], case["request"]["deploy"]
            for option, value in options.items():
                self.assertTrue(option.startswith("--") and re.fullmatch(documented[option[2:]], value), (number, option))
            self.assertEqual(int(options["--nodes"]) * int(options["--gpus-per-node"]), layout["gpu_count"], number)
            self.assertEqual(options["--ntasks-per-node"], "1")
            self.assertEqual("--time" in options, "tokens" in case["request"], number)
            for key in ("partition", "account"):
                self.assertEqual(options.get("--" + key, ""), deploy[key], (number, key))

    def test_train_jobs_have_documented_fields(self):
        fields = Fields()
        for number, case, name, text in self.each("kubeflow"):
            job, deploy = yaml.safe_load(text), case["request"]["deploy"]
            where = (number, name)
            self.assertEqual(fields.check(job), [], where)
            self.assertEqual((job["apiVersion"], job["kind"]), ("trainer.kubeflow.org/v1alpha1", "TrainJob"))
            self.assertRegex(job["metadata"]["name"], r"\A[a-z]([-a-z0-9]{0,61}[a-z0-9])?\Z")
            self.assertEqual(job["metadata"].get("namespace", ""), deploy["namespace"], where)
            spec, trainer = job["spec"], job["spec"]["trainer"]
            self.assertEqual(spec["runtimeRef"]["name"], deploy["runtime"] or "torch-distributed", where)
            if deploy["image"]:
                self.assertEqual(trainer["image"], deploy["image"], where)
            self.assertLessEqual(len(trainer["image"]), 500)
            self.assertLessEqual(len(spec["runtimeRef"]["name"]), 253)
            for key in ("command", "args", "env"):
                self.assertLessEqual(len(trainer.get(key, [])), 128, where)
            self.assertEqual(trainer["numNodes"] * trainer["numProcPerNode"], case["answer"]["layouts"][0]["gpu_count"])
            self.assertEqual(trainer["resourcesPerNode"]["limits"], {"nvidia.com/gpu": str(trainer["numProcPerNode"])})
            for one in trainer.get("env", []):
                self.assertFalse(one["name"].startswith("PET_"), where)

    def test_all_give_megatron_the_same_words(self):
        """Those that the answer has, with the names byte for byte."""
        found = [(number, case) for number, case in enumerate(self.cases) if "megatron/arguments.sh" in files(case)]
        for number, case in found[:RUN_CASES]:
            folder, texts = self.folder / f"case{number}", files(case)
            words = self.run_script(folder, texts["torchrun/train-megatron-lm.sh"])
            at = words.index(name_of(case, "MEGATRON_LM") + "/pretrain_gpt.py")
            self.assertEqual(words[-1], "last word")
            megatron = words[at + 1:-1]
            self.assertEqual(megatron[megatron.index("--data-path") + 1], name_of(case, "DATA_PATH"), number)
            self.assertEqual(megatron[megatron.index("--tokenizer-model") + 1], name_of(case, "TOKENIZER"), number)
            self.assertEqual("--save" in megatron, "tokens" in case["request"], number)
            if "--save" in megatron:
                for option in ("--save", "--load"):
                    self.assertEqual(megatron[megatron.index(option) + 1], name_of(case, "CHECKPOINTS"), number)
                self.assertGreaterEqual(int(megatron[megatron.index("--save-interval") + 1]), 1)
            listed = self.run_script(folder, texts["megatron/arguments.sh"] + 'torchrun "${MEGATRON_ARGUMENTS[@]}"\n')
            self.assertEqual(listed[2:], megatron, number)
            if "slurm/train-megatron-lm.sbatch" in texts:
                slurm = self.run_script(folder, texts["slurm/train-megatron-lm.sbatch"])
                self.assertEqual(slurm[slurm.index(words[at]):], words[at:], number)
                self.assertIn("torchrun", slurm)
                if "--rdzv-endpoint" in slurm:
                    self.assertEqual(slurm[slurm.index("--rdzv-endpoint") + 1], "n1:21234")
            if "kubeflow/trainjob-megatron-lm.yaml" in texts:
                self.check_job(case, yaml.safe_load(texts["kubeflow/trainjob-megatron-lm.yaml"]), megatron, number)

    def run_script(self, folder, text):
        folder.mkdir(exist_ok=True)
        (folder / "script.sh").write_text(text, encoding="utf-8", newline="")
        return self.run_shell(["bash", "script.sh", "last word"], folder)

    def check_job(self, case, job, megatron, number):
        """Kubernetes makes one dollar of two, and takes none for a variable."""
        trainer = job["spec"]["trainer"]
        self.assertEqual(trainer["command"], ["torchrun"])
        for word in trainer["args"]:
            self.assertNotRegex(word, r"(?<!\$)(\$\$)*\$\(")
        given = [word.replace("$$", "$") for word in trainer["args"]]
        if all(case["request"]["deploy"][key] for key in ("data", "tokenizer", "megatron_lm", "checkpoints")):
            self.assertEqual(given[0], case["request"]["deploy"]["megatron_lm"] + "/pretrain_gpt.py", number)
            self.assertEqual([one.replace("\0", "") for one in given[1:]], whole_options(megatron), number)

    def test_options_are_those_of_megatron(self):
        known = {row["option"] for row in rows("megatron_options.csv")}
        for kind in ("megatron", "memory-proof"):
            for number, _, name, text in self.each(kind):
                self.assertEqual(set(re.findall(r"^  (--[\w-]+)", text, re.M)) - known, set(), (number, name))

    def test_ranks_of_one_domain_of_links_are_a_segment(self):
        """On GB200 NVL72: trays of 4 GPUs, 18 of them in a domain."""
        hints = 0
        for number, case, _, text in self.each("slurm"):
            segment = re.search(r"--segment=(\d+) ", text)
            if case["request"]["gpu"] != "gb200":
                self.assertIsNone(segment, number)
                continue
            nodes, sizes = int(sbatch_options(text)["--nodes"]), case["answer"]["layouts"][0]["parallelism"]
            self.assertLessEqual(int(sbatch_options(text)["--gpus-per-node"]), 4)
            if nodes == 1:
                continue
            hints += 1
            self.assertEqual(nodes % int(segment.group(1)), 0, number)
            self.assertLessEqual(int(segment.group(1)), 18)
            if sizes["tensor"] > 4 and nodes % (sizes["tensor"] // 4) == 0:
                self.assertGreaterEqual(int(segment.group(1)) * 4, sizes["tensor"], number)
        self.assertGreater(hints, 5)

    def test_torchtitan_gets_its_file(self):
        found = [one for one in self.each("kubeflow") if one[2].endswith("torchtitan.yaml")]
        self.assertGreater(len(found), 20)
        for number, case, _, text in found[:RUN_CASES]:
            folder, texts = self.folder / f"titan{number}", files(case)
            words = self.run_script(folder, texts["torchrun/train-torchtitan.sh"])
            toml = (folder / "podwright.toml").read_text(encoding="utf-8")
            self.assertIn("[parallelism]\n", toml)
            trainer = yaml.safe_load(text)["spec"]["trainer"]
            arguments = [one.replace("$$", "$") for one in trainer["command"] + trainer["args"]]
            variables = {one["name"]: one["value"].replace("$$", "$") for one in trainer["env"]}
            job = self.run_shell(arguments, folder, variables)
            self.assertEqual((folder / "podwright.toml").read_text(encoding="utf-8"), toml)
            self.assertEqual(job[2:5], ["-m", "torchtitan.train", "--job.config_file"])
            self.assertEqual(job[5], "podwright.toml")
            self.assertTrue(words[-1] == "last word" and "torchtitan.train" in words)
            if "slurm/train-torchtitan.sbatch" in texts:
                self.assertIn("torchtitan.train", self.run_script(folder, texts["slurm/train-torchtitan.sbatch"]))

    def test_proofs_are_of_the_layout(self):
        found = list(self.each("memory-proof"))
        for number, case, _, text in found[:RUN_CASES]:
            words = self.run_script(self.folder / f"proof{number}", text)
            layout = case["answer"]["layouts"][0]
            sizes = layout["parallelism"]
            self.assertEqual(int(words[0]), layout["gpu_count"])
            self.assertLess(int(words[1]), layout["gpu_count"])
            self.assertEqual(int(words[1]) % (layout["gpu_count"] // sizes["pipeline"]), 0, "the first rank of a stage")
            self.assertEqual(words[2], name_of(case, "MEGATRON_LM") + "/pretrain_gpt.py")
            for word in ("--fake-process-group", "--mock-data", "NullTokenizer"):
                self.assertIn(word, words)
            self.assertEqual("--moe-router-force-load-balancing" in words, "--num-experts" in words)
            for word in ("--data-path", "HuggingFaceTokenizer"):
                self.assertNotIn(word, words)
            self.assertEqual(words[words.index("--tensor-model-parallel-size") + 1], str(sizes["tensor"]))

    def test_program_compares_what_a_proof_prints(self):
        found = list(self.each("memory-proof"))
        for number, case, _, text in found[:PROOF_CASES]:
            folder = self.folder / f"verify{number}"
            folder.mkdir()
            memory = case["answer"]["layouts"][0]["memory_per_gpu"]
            allocated = sum(memory[key]["value"] if isinstance(memory[key], dict) else memory[key] for key in
                            ("weights_gib", "gradients_gib", "optimizer_gib", "activations_gib", "buffers_gib"))
            request = folder / "request.json"
            request.write_text(json.dumps(case["request"]), encoding="utf-8")
            rank = re.search(r" RANK=(\d+) ", text).group(1)
            for factor, states in ((1.0, ("within",)), (3.0, ("above",)), (0.3, ("below",))):
                peak = allocated * factor * 1024
                (folder / "printed").write_text(
                    f"[Rank {rank}] (after 1 iterations) memory (MB) | allocated: 1.00 | max allocated: {peak * 9:.2f} | "
                    f"reserved: 1.00 | max reserved: {peak * 9:.2f}\n"
                    f"[Rank {rank}] (after 2 iterations) memory (MB) | allocated: 1.00 | max allocated: {peak:.2f} | "
                    f"reserved: 1.00 | max reserved: {peak:.2f}\n", encoding="utf-8")
                self.run_script(folder, text)
                done = subprocess.run([podwright, "verify", request, folder / "megatron.log", "--json"],
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
                self.assertIn(done.returncode, (0, 1), done.stderr)
                proof = json.loads(done.stdout)
                self.assertIn(proof["state"], states, number)
                self.assertAlmostEqual(proof["allocated_gib"], allocated * factor, delta=1e-3)
                self.assertAlmostEqual(proof["estimated_allocated_gib"], allocated, delta=1e-6 * allocated)
                self.assertEqual(proof["rank"], int(rank))
                self.assertEqual(done.returncode, 0 if proof["holds"] else 1)
                if factor == 1.0:
                    self.assertTrue(proof["holds"], (number, proof))


if __name__ == "__main__":
    unittest.main()
