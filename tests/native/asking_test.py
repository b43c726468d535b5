"""Requests that flags make, and answers in every form, asked as a stranger would.

    asking_test.py PODWRIGHT
"""

import csv
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

podwright = pathlib.Path(sys.argv.pop(1)).resolve()
root = pathlib.Path(__file__).parents[2]
FLAGS = list(csv.DictReader((root / "native/cli/data/flags.csv").read_text(encoding="utf-8").splitlines()))
COMMANDS = list(dict.fromkeys(row["command"] for row in FLAGS))
PLAN = ["plan", "--model", "llama-3.1-70b", "--rate", "50", "--ttft", "2", "--tpot", "0.05", "--gpu", "b200-sxm,h200"]
HOSTILE = [
    'say "no"', "it's", "a\nb", "a\r\nb", "${HOME}", "$(id)", "`id`", "{{ value }}", "---", "- a", "\ta\t", "#", "a: b", "%s%n", "..",
    "=1+1", "+1", "-1", "@a", "|a|b|", "[a](b)", "<b>", "*a*", "\\", "\\u0000", "null", "true", "1e3", "[1]", '{"a":1}', "", " ", "é", "模型",
    "\u202e", "\u2028", "\x1b[31m", "\x7f", "a" * 5000, "--json", "[]", "{}", "%%",
]  # fmt: skip


def ask(*words, **more):
    return subprocess.run([podwright, *words], capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, **more)


def at(document, pointer):
    for step in pointer.split("/")[1:]:
        document = document[int(step) if isinstance(document, list) else step]
    return document


class Flags(unittest.TestCase):
    def printed(self, *words):
        done = ask(*words, "--print-request")
        self.assertEqual(done.returncode, 0, (words, done.stderr))
        return json.loads(done.stdout)

    def test_the_first_example_is_the_same_request_as_a_file(self):
        by_hand = {"kind": "plan",
                   "workloads": [{"type": "serving", "model": "llama-3.1-70b", "peak_requests_per_s": 50, "ttft_s_p95_max": 2,
                                  "tpot_s_p95_max": 0.05, "traffic": {"preset": "azure-conversation-2023"}}],
                   "constraints": {"gpus": ["b200-sxm", "h200"]}}  # fmt: skip
        self.assertEqual(self.printed(*PLAN), by_hand)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "request.json")
            file.write_text(json.dumps(by_hand), encoding="utf-8")
            asked, of_file = ask(*PLAN, "--json"), ask("plan", file, "--json")
        self.assertEqual((asked.returncode, asked.stdout), (0, of_file.stdout))
        self.assertIn("--preset azure-conversation-2023 is assumed", asked.stderr)

    def test_every_flag_sets_its_field(self):
        for row in FLAGS:
            usage = re.search(rf"^  {row['flag']}(?: (\S+))?(?= |$)", self.help_of(row["command"]), flags=re.M)
            self.assertIsNotNone(usage, row)
            kind, words = (usage.group(1) or "").split(":")[0], re.search(r"\{(.*?)\}", usage.group(1) or "")
            value = words.group(1).split(",")[-1] if words else "7" if kind not in ("", "ID", "ID|FILE", "WORD", "TEXT") else "x7"
            typed = ["--type", row["type"]] if row["type"] and row["flag"] != "--type" else []
            request = self.printed(row["command"], *typed, row["flag"], *([value] if kind else []))
            set_to = at(request, row["field"])
            wanted = True if not kind else 7 if value == "7" else value
            self.assertEqual(set_to, [wanted] if isinstance(set_to, list) else wanted, row)
            self.assertEqual(list(request)[0], "kind", row)

    def help_of(self, command, known={}):  # noqa: B006
        if command not in known:
            known[command] = ask(command, "--help").stdout
        return known[command]

    def test_what_examples_print_is_what_they_ask(self):
        for command in COMMANDS:
            examples = re.findall(r"^  podwright (.* --.*)$", self.help_of(command), flags=re.M)
            self.assertTrue(examples, command)
            for example in map(shlex.split, examples):
                asked = ask(*example, "--json")
                self.assertIn(asked.returncode, (0, 1), (example, asked.stderr, asked.stdout[:300]))
                printed = ask(*example, "--print-request").stdout
                again = subprocess.run([podwright, command, "-", "--json"], input=printed, capture_output=True, encoding="utf-8")
                self.assertEqual(again.stdout, asked.stdout, example)
                self.assertEqual(ask(*example, "--print-request").stdout, printed)

    def test_flags_change_a_file(self):
        file = root / "examples/chat_70b.json"
        before = json.loads(file.read_text(encoding="utf-8"))
        after = self.printed("plan", file, "--users", "900", "--gpu", "h200", "--gpu", "b200-sxm,h100-sxm5-80gb", "--top", "2",
                             "--set", "workloads[0].mean_requests_per_s=null", "--set", "/workloads/1/name=second")  # fmt: skip
        self.assertEqual(after["workloads"][0]["users"], 900)
        self.assertNotIn("peak_requests_per_s", after["workloads"][0])
        self.assertNotIn("mean_requests_per_s", after["workloads"][0])
        self.assertNotIn("traffic", after["workloads"][0])
        self.assertEqual(after["workloads"][1], {"name": "second"})
        self.assertEqual(after["constraints"]["gpus"], ["h200", "b200-sxm", "h100-sxm5-80gb"])
        self.assertEqual(after["options"], {**before["options"], "top": 2})
        self.assertEqual(after["economics"], before["economics"])
        load = self.printed("estimate", root / "examples/serving_70b.json", "--rate", "3")["load"]
        self.assertEqual(load, {"request_rate_per_s": 3})

    def test_the_form_follows_the_flags(self):
        self.assertEqual(self.printed("estimate", "--sequence-length", "8")["kind"], "training")
        self.assertEqual(self.printed("estimate", "--concurrency", "8")["kind"], "serving")
        self.assertEqual(self.printed("search", "--tokens", "8")["type"], "training")
        self.assertEqual(self.printed("plan", "--deadline-days", "8")["workloads"][0]["type"], "training")
        self.assertEqual(self.printed("architecture", "--nodes", "8")["kind"], "fabric")
        self.assertEqual(self.printed("plan", "--type", "training", "--rate", "1")["workloads"][0]["type"], "training")
        for words in (("--input-tokens", "5"), ("--set", "workloads[0].input_lengths.p50=5"), ("--type", "training")):
            self.assertNotIn("traffic", self.printed("plan", "--model", "x", *words)["workloads"][0], words)

    def test_values_of_set(self):
        values = {"3": 3, "2.50": 2.5, "true": True, "[1,2]": [1, 2], '{"a":"b"}': {"a": "b"}, '"3"': "3", "007": "007", "a=b": "a=b",
                  "[1": "[1", "1e999": "1e999", "": ""}  # fmt: skip
        for text, value in values.items():
            self.assertEqual(self.printed("plan", "--set", f"options.a~1b={text}")["options"]["a~1b"], value, text)
            self.assertEqual(self.printed("plan", "--set", f"/options/a~1b={text}")["options"]["a/b"], value, text)

    def test_mistakes_name_their_flag(self):
        mistakes = {
            ("--rate", "abc"): '/workloads/0/peak_requests_per_s (--rate): "peak_requests_per_s" must be a number, found text.',
            ("--rate", "-3"): "(--rate): ",
            ("--top", "1.5"): "/options/top (--top): ",
            ("--goal", "cheap"): "/goal (--goal): ",
            ("--explain=maybe",): "--explain",
            ("--gpu", "h100-sxm5-80gb,b201-sxm"): '/constraints/gpus/1 (--gpu): There is no GPU "b201-sxm" in the catalog. Did you mean "b200-sxm"',
            ("--model", "llama-3.1-70c"): "/workloads/0/model (--model): ",
            ("--set", "workloads[0].trafic.turns=3"): '/workloads/0/trafic (--set workloads[0].trafic.turns): "trafic" is not a known key here. Did you mean "traffic"?',
            ("--set", "options=3"): "/options (--set options): ",
            ("--set", "top"): '--set top: There is no "=" before a value.',
            ("--set", "a..b=1"): "--set a..b: This is not the path of a field.",
            ("--set", "=1"): "--set : This is not the path of a field.",
            ("--set", "workloads[9].name=x"): "--set workloads[9].name, at /workloads: The list has no such place. A new item goes at place 1.",
            ("--set", "workloads[99999999999].name=x"): "This is not the path of a field.",
            ("--set", "kind.a=1"): "--set kind.a, at /kind: Here is text, not a list or an object.",
            ("--deadline-days", "3"): "/workloads/0/deadline_days (--deadline-days): ",
        }  # fmt: skip
        for words, message in mistakes.items():
            done = ask("plan", "--type", "serving", "--model", "llama-3.1-8b", "--rate", "1", *words) if words[0] not in (
                "--rate", "--model") else ask("plan", "--model" if words[0] == "--rate" else "--rate", "1", *words)  # fmt: skip
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(message, done.stderr, words)
        for word in ("./none.json", "none.gguf", "/none"):
            none = ask("plan", "--rate", "1", "--model", word)
            self.assertEqual((none.returncode, f"cannot read {word}" in none.stderr), (2, True), none.stderr)
        self.assertIn("There is no model", ask("plan", "--rate", "1", "--model", "nobody/nothing-8b").stderr)
        for verb, words in (("plan", ("--rate, --users, --tokens-per-day",)), ("search", ("--rate", "--gpu-count"))):
            loadless = ask(verb, "--model", "llama-3.1-70b", "--gpu", "h200")
            self.assertEqual(loadless.returncode, 2)
            for word in words:
                self.assertIn(word, loadless.stderr.split("As flags: ")[1])
        ambiguous = ask("plan", "--model", "llama-3.1-8b", "--rate", "1", "--gpu", "h100")
        self.assertIn('It may mean "h100-', ambiguous.stderr)
        self.assertIn("uses no network", ask("model", "https://example.com/a/b").stderr)
        self.assertIn('podwright import: --output is required.\n"podwright import --help"', ask("import", "x.json").stderr)
        unknown = ask("plan", "--modle", "x", "--rate=3", "--inputtokens=5")
        self.assertEqual(unknown.returncode, 2)
        for said in ('"--modle" is not an option of podwright plan. Did you mean "--model"', '"--inputtokens"', '"--input-tokens"'):
            self.assertIn(said, unknown.stderr)
        missing = ask("estimate", "--gpu", "h200")
        self.assertIn("Give it with --concurrency, --rate, --static-batch, --max-throughput, or with --set.", missing.stderr)
        twice = ask("plan", "--rate", "1", "--rate", "2")
        self.assertEqual(twice.returncode, 2)

    def test_published_names_of_models(self):
        name = "meta-llama/Llama-3.1-70B-Instruct"
        words = ("--rate", "5", "--gpu", "h200")
        printed = ask("plan", "--model", name, *words, "--print-request")
        request = json.loads(printed.stdout)
        self.assertEqual(request["workloads"][0]["model"], "llama-3.1-70b")
        self.assertIn(f"--model {name} is read as llama-3.1-70b", printed.stderr)
        request["workloads"][0]["model"] = name
        of_file = subprocess.run([podwright, "plan", "-", "--json"], input=json.dumps(request), capture_output=True, encoding="utf-8")
        taken = [one for one in json.loads(of_file.stdout)["assumptions"] if one.get("path") == "/workloads/0/model"]
        self.assertEqual([one["value"] for one in taken], ["llama-3.1-70b"])
        self.assertIn("/workloads/0/model: llama-3.1-70b", of_file.stderr)
        of_id = ask("plan", "--model", "llama-3.1-70b", *words, "--json")
        without = [one for one in json.loads(of_file.stdout)["assumptions"] if one not in taken]
        self.assertEqual(json.loads(of_id.stdout), {**json.loads(of_file.stdout), "assumptions": without})

    def test_what_was_asked_for_and_not_made_is_code_2(self):
        search = ("search", "--model", "llama-3.1-8b", "--rate", "5", "--gpu", "h200", "--engine", "vllm")
        with tempfile.TemporaryDirectory() as folder:
            def exported(*words):
                return ask(*search, *words, "-o", folder), sorted(pathlib.Path(folder).iterdir())
            good, files = exported("--export", "kubernetes")
            self.assertEqual((good.returncode, [file.name for file in files]), (0, ["kubernetes.yaml"]), good.stderr)
            self.assertNotIn("is in the answer of --json", good.stdout)
            files[0].unlink()
            bad, files = exported("--export", "kubernetes", "--set", "deploy.engine_version=0.0.1")
            self.assertEqual((bad.returncode, files), (2, []))
            self.assertIn("not written: The options of vllm 0.0.1 are not listed here", bad.stderr)
            no_base = ("--engine", "tensorrt-llm", "--export", "kubernetes,llm-d")
            part = ask("search", "--model", "llama-3.1-8b", "--rate", "5", "--gpu", "h200", *no_base, "-o", folder)
            self.assertEqual(part.returncode, 2, part.stderr)
            self.assertIn("No base of llm-d is listed here", part.stderr)
            self.assertEqual([file.name for file in pathlib.Path(folder).iterdir()], ["kubernetes.yaml"])
            none, _ = exported()
            self.assertEqual((none.returncode, "add --export" in none.stderr), (2, True), none.stderr)

    def test_bytes_that_are_no_text(self):
        for words in ([b"--name", b"\xff\xfe"], [b"--set", b"workloads[0].name=\xc3"], [b"--set", b"\xff=1"], [b"--gpu", b"\xed\xa0\x80"]):
            done = subprocess.run([str(podwright).encode(), b"plan", *words], capture_output=True)
            self.assertEqual((done.returncode, b"not UTF-8" in done.stderr), (2, True), words)

    def test_hostile_values_stay_values(self):
        draw = random.Random(29)
        letters = ["\"", "'", "\\", "\n", "\t", "$", "{", "}", "[", "]", "=", ",", ".", "/", "~", "-", "#", ":", "é", "模", "\U0001f600", "a", "0"]
        drawn = ["".join(draw.choices(letters, k=draw.randrange(1, 12))) for _ in range(200)]
        for name in HOSTILE + drawn:
            words = [f"--name={name}"] if name else []
            request = self.printed("plan", *words, "--set", f"/workloads/0/x={json.dumps(name)}", "--gpu", name.replace(",", ""))
            self.assertEqual(request["workloads"][0].get("name", ""), name)
            self.assertEqual(request["workloads"][0]["x"], name)
            self.assertEqual(request["constraints"]["gpus"], [name.replace(",", "")])
        for name in drawn[:50]:
            done = ask(*PLAN, "--set", f"{name}={name}")
            self.assertEqual((done.returncode, done.stdout), (2, ""), name)

    def test_weights_that_files_hold(self):
        header = json.dumps({"lm_head.weight": {"dtype": "BF16", "shape": [128256, 8192], "data_offsets": [0, 2101346304]}}).encode()
        model = json.loads((root / "examples/config_json_model.json").read_text(encoding="utf-8"))["model"]
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "config.json").write_text(json.dumps(model), encoding="utf-8")
            weights = pathlib.Path(folder, "model.safetensors")
            with weights.open("wb") as file:
                file.write(len(header).to_bytes(8, "little") + header)
                file.truncate(8 + len(header) + 2101346304)  # holes take no room on the disk
            for path in (weights, folder):
                asked = self.printed("estimate", "--model", path, "--concurrency", "1")
                self.assertEqual(asked["weights"], {"output_head_bytes": 2101346304})
                self.assertEqual(asked["model"], json.loads(ask("model", weights, "--json").stdout)["model"])
            self.assertNotIn("weights", self.printed("estimate", "--model", weights, "--sequence-length", "9"))
            self.assertNotIn("weights", self.printed("plan", "--model", weights)["workloads"][0])
            before = {"kind": "serving", "model": "llama-3.1-8b", "weights": {"other_bytes": 5}, "weight_precision": "fp8"}
            file = pathlib.Path(folder, "request.json")
            file.write_text(json.dumps(before), encoding="utf-8")
            self.assertEqual(self.printed("estimate", file, "--model", "llama-3.1-70b"),
                             {"kind": "serving", "model": "llama-3.1-70b", "weight_precision": "fp8"})  # fmt: skip

    def test_a_model_that_files_hold(self):
        model = json.loads((root / "examples/config_json_model.json").read_text(encoding="utf-8"))["model"]
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, "config.json")
            config.write_text(json.dumps(model), encoding="utf-8")
            as_read = json.loads(ask("model", config, "--json").stdout)["model"]
            for path in (config, folder):
                self.assertEqual(self.printed("plan", "--model", path)["workloads"][0]["model"], as_read)
            # Files to start a run take more from it than its shape.
            self.assertEqual(as_read["rope_base"], model["rope_theta"])
            ask("plan", "--model", config, "--tokens", "1e10", "--deadline-days", "30", "--gpu", "h100-sxm5-80gb",
                "--export", "slurm", "-o", f"{folder}/out")  # fmt: skip
            (script,) = pathlib.Path(folder, "out").rglob("*megatron*.sbatch")
            self.assertIn(f"--rotary-base {model['rope_theta']}", script.read_text(encoding="utf-8"))
            # A file of another name is the model, whatever stands beside it.
            other = pathlib.Path(folder, "mine.json")
            other.write_text("\n" + json.dumps(model | {"num_hidden_layers": 7}), encoding="utf-8")
            read = json.loads(ask("model", other, "--json").stdout)["model"]
            self.assertEqual(read["layers"], 7)
            piped = subprocess.run([podwright, "plan", "--model", "-", "--print-request"], input=json.dumps(model), capture_output=True, encoding="utf-8")
            self.assertEqual(json.loads(piped.stdout)["workloads"][0]["model"], as_read)
            answered = ask("plan", "--model", config, "--rate", "1", "--json")
            self.assertIn(answered.returncode, (0, 1), answered.stderr)
            config.write_text("{}", encoding="utf-8")
            broken = ask("plan", "--model", config, "--rate", "1")
            self.assertEqual((broken.returncode, broken.stdout), (2, ""))
            self.assertIn("--model config.json", broken.stderr)


class Input(unittest.TestCase):
    def test_nothing_is_asked(self):
        for command in COMMANDS:
            done = ask(command)
            if command == "estimate":  # reads what is piped into it
                self.assertEqual((done.returncode, "not-json" in done.stderr or "JSON" in done.stderr), (2, True), done.stderr)
                continue
            self.assertEqual((done.returncode, done.stdout), (2, ""), command)
            self.assertIn(f"{command} needs a request", done.stderr)
            self.assertGreaterEqual(done.stderr.count("\n  podwright "), 1)

    def test_standard_input_is_read_once(self):
        request = (root / "examples/serving_70b.json").read_text(encoding="utf-8")
        twice = subprocess.run([podwright, "replay", "-", "-"], input=request, capture_output=True, encoding="utf-8")
        self.assertEqual(twice.returncode, 2)
        self.assertIn("can be read only once", twice.stderr)
        piped = subprocess.run([podwright, "estimate"], input=request, capture_output=True, encoding="utf-8")
        self.assertEqual((piped.returncode, piped.stdout), (0, ask("estimate", root / "examples/serving_70b.json").stdout))

    def test_the_old_name_of_a_command(self):
        self.assertEqual(ask("rule_of_thumb", "--parameters", "7e9").stdout, ask("rule-of-thumb", "--parameters", "7e9").stdout)
        self.assertNotIn("rule_of_thumb", ask("--help").stdout)
        self.assertIn("rule-of-thumb", ask("--help").stdout)

    def test_help_ends_with_exit_codes(self):
        for words in ([], *([command] for command in COMMANDS), ["probe"], ["catalog", "list"]):
            said = ask(*words, "--help").stdout
            self.assertIn("\nExit codes:\n  0  an answer\n  1  infeasible", said, words)
        page = subprocess.run([podwright, "describe", "man"], capture_output=True, encoding="utf-8").stdout
        self.assertIn(".SH EXIT STATUS\n.TP\n.B 0\nan answer\n", page)
        self.assertIn("\\-\\-rate", page)


class Formats(unittest.TestCase):
    """One answer in every form."""

    def test_each_command_in_each_format(self):
        for command in COMMANDS:
            example = re.findall(r"^  podwright (.*)$", ask(command, "--help").stdout, flags=re.M)[-1]
            forms = {form: ask(*shlex.split(example), "--format", form, cwd=root) for form in ("text", "json", "csv", "markdown")}
            codes = {done.returncode for done in forms.values()}
            self.assertTrue(codes <= {0, 1} and len(codes) == 1, (command, codes))
            self.assertEqual(forms["json"].stdout, ask(*shlex.split(example), "--json", cwd=root).stdout)
            rows = list(csv.reader(forms["csv"].stdout.splitlines()))
            self.assertGreater(len(rows), 1, command)
            self.assertEqual({len(row) for row in rows}, {len(rows[0])}, command)
            self.assertTrue(all(re.fullmatch(r"[a-z0-9_.]+", name) for name in rows[0]), rows[0])
            self.check_tables(forms["markdown"].stdout)

    def check_tables(self, page):
        """Every row of a table has as many cells as its head, and an empty line is before it."""
        lines = page.split("\n")
        cells = [len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) if line.startswith("|") else 0 for line in lines]
        for i, count in enumerate(cells):
            if count and i and cells[i - 1]:
                self.assertEqual(count, cells[i - 1], lines[i])
            elif count:
                self.assertTrue(i == 0 or not lines[i - 1], lines[i])
                self.assertRegex(lines[i + 1], r"^\|( -{3}:? \|)+$")

    def test_rows_are_those_of_the_answer(self):
        request = root / "examples/chat_70b.json"
        plans = json.loads(ask("plan", request, "--json").stdout)["plans"]
        rows = list(csv.DictReader(ask("plan", request, "--format", "csv").stdout.splitlines()))
        self.assertEqual([row["gpu"] for row in rows], [plan["gpu"] for plan in plans])
        self.assertEqual([float(row["ranked_by_usd_per_year"]) for row in rows], [plan["ranked_by_usd_per_year"] for plan in plans])
        self.assertEqual([float(row["latency.ttft_s_p95"]) for row in rows], [plan["estimates"][0]["latency"]["ttft_s_p95"] for plan in plans])
        answer = json.loads(ask("estimate", root / "examples/serving_70b.json", "--json").stdout)
        (row,) = csv.DictReader(ask("estimate", root / "examples/serving_70b.json", "--format", "csv").stdout.splitlines())
        for name, value in row.items():
            wanted = at(answer, "/" + name.replace(".", "/"))
            self.assertEqual(value, json.dumps(wanted) if isinstance(wanted, bool) else str(wanted) if isinstance(wanted, str) else value, name)
            if isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
                self.assertEqual(float(value), wanted, name)

    def test_lines_of_requests_as_a_table(self):
        lines = (root / "examples/requests.jsonl").read_text(encoding="utf-8")
        done = subprocess.run([podwright, "estimate", "--jsonl", "--format", "csv"], input=lines + "{}\n", capture_output=True, encoding="utf-8")
        rows = list(csv.DictReader(done.stdout.splitlines()))
        answers = [json.loads(line) for line in ask("estimate", "--jsonl", root / "examples/requests.jsonl").stdout.splitlines()]
        self.assertEqual((done.returncode, len(rows)), (2, len(answers) + 1))
        self.assertEqual([row["kind"] for row in rows[:-1]], [answer["kind"] for answer in answers])
        self.assertEqual(rows[-1]["error.code"], "missing")
        self.assertEqual(ask("estimate", "--jsonl", "x.jsonl", "--rate", "3").returncode, 2)
        self.assertEqual(ask("estimate", "--jsonl", "x.jsonl", "--format", "markdown").returncode, 2)

    def test_slices_are_rows(self):
        request = root / "examples/mig_small_models.json"
        rows = list(csv.DictReader(ask("mig", request, "--format", "csv").stdout.splitlines()))
        slices = json.loads(ask("mig", request, "--json").stdout)["slices"]
        self.assertEqual([(row["workload"], row["profile"]) for row in rows],
                         [(one["workload"], profile["profile"]) for one in slices for profile in one["profiles"]])  # fmt: skip

    def test_nothing_fits(self):
        words = ["plan", "--model", "llama-3.1-405b", "--rate", "5", "--ttft", "0.001", "--gpu", "h200"]
        done = ask(*words, "--format", "csv")
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (1, 1), done.stdout)
        page = ask(*words, "--format", "markdown").stdout
        self.assertTrue(page.startswith("No plan fits.\n\n## Why, nearest first\n\n- "), page[:200])
        wrong = ask("plan", "--rate", "x", "--format", "csv")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertEqual(ask("plan", "--format", "yaml").returncode, 2)

    def test_hostile_names_stay_in_their_cells(self):
        draw = random.Random(30)
        signs = "|\\`*_[]<>#-+=~$&{}'\",;\n\r\t @.1)a"
        names = HOSTILE + ["".join(draw.choices(signs, k=draw.randrange(1, 12))) for _ in range(20)]
        plan = json.loads((root / "examples/plan_batch.json").read_text(encoding="utf-8"))
        for name in names:
            plan["workloads"][0]["name"] = name
            plan["options"] = {"top": 1, "draws": 100}
            for form in ("markdown", "csv"):
                done = subprocess.run([podwright, "plan", "-", "--format", form], input=json.dumps(plan), capture_output=True, encoding="utf-8")
                if done.returncode == 2:
                    continue  # not a name
                self.assertIn(done.returncode, (0, 1), (name, done.stderr))
                if form == "markdown":
                    self.check_tables(done.stdout)
                    self.assertNotIn("\n---", done.stdout)
                    self.assertIsNone(re.search(r"[\x00-\x09\x0b-\x1f\x7f]", done.stdout), name)
                else:
                    self.assertEqual(len({len(row) for row in csv.reader(done.stdout.splitlines())}), 1)


if __name__ == "__main__":
    unittest.main()
