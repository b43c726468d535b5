"""A fleet by files: nodes that were measured one by one are compared, and the results leave in five forms.

    fleet_files_test.py SOURCES PODWRIGHT
"""

import collections
import csv
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sources, podwright = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
HOSTILE = [
    'quo"te', "apo'strophe", "back\\slash", "two\nlines", "tab\tbed", "${HOME}", "$(reboot)", "`reboot`", "{{ node }}", "---",
    "- item", "# head", "a|b", "<b>bold</b>", "<!-- x", "]]>", "&amp;", "a,b", "a: b", "*", "_it_", "[x](y)", "@team",
    ":tada:", "www.example.org", "https://example.org/a?b#c", "%s%n", "\x1b[31mred", "\x7f", "\u009b31m", "\u202eright",
    "机器七号", "näme", "😀", "null", "true", "0x1", "1e9", "NaN", "=1+1", "~", "!!tag", "x" * 200, " lead", "trail ", "-rf",
    "a=b", "}", "{", '{a="b"}', "a\r\nb",
]  # fmt: skip
SERIES = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)')


def run(*words, script="", given=None):
    """The code, what was printed, and what was said on the side."""
    done = subprocess.run([podwright, *words], capture_output=True, input=given,
                          env={**os.environ, "PODWRIGHT_FAKE": script})  # fmt: skip
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace")


def scripted(script, *more):
    """The text of a scripted node's profile."""
    return run("probe", "--backend", "fake", "--quick", "--only", "hbm,launch", "--json", *more, script=script)[1]


def measured(script, *more):
    """The same as if a GPU had been measured: scripted devices pass for no machine."""
    text = scripted(script, *more).strip()
    for old, new in (('"backend":"fake"', '"backend":"cuda"'), ('"driver":"scripted ', '"driver":"'),
                     ('"cublaslt":"scripted"', '"cublaslt":"13.0"')):  # fmt: skip
        text = text.replace(old, new)
    return signed_again(text) + "\n"


def with_driver(profile, driver):
    """The same profile with another driver, signed again: it is canonical, so that its text says what is signed."""
    return signed_again(re.sub(r'"driver":"[^"]*"', lambda _: '"driver":' + json.dumps(driver, ensure_ascii=False), profile.strip()))


def signed_again(text):
    """A canonical profile that was changed, with its digest."""
    signed = re.sub(r'"integrity":\{[^}]*\},?', "", text)
    digest = hashlib.sha256(signed.encode("utf-8")).hexdigest()
    return re.sub(r'"digest":"[0-9a-f]{64}"', f'"digest":"{digest}"', text)


def metrics(text):
    """The samples of an exposition, read as strictly as the format says: {name: {labels: value}}."""
    assert text.endswith("\n"), "the last line ends with a line feed"
    samples = collections.defaultdict(dict)
    described, closed, current = {}, set(), None
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            name = line.split(" ")[2]
            assert name not in described and name not in closed, name
            closed.add(current)
            current, described[name] = name, "help"
            continue
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert (name, described[name], kind) == (current, "help", "gauge"), line
            described[name] = kind
            continue
        found = SERIES.fullmatch(line)
        assert found, line
        name, labels, value = found.groups()
        assert name == current and described[name] == "gauge", line
        pairs = [(key, re.sub(r"\\(.)", lambda one: {"n": "\n"}.get(one[1], one[1]), worth))
                 for key, worth, _ in LABEL.findall(labels or "")]  # fmt: skip
        assert len(dict(pairs)) == len(pairs), line
        series = frozenset(pairs)
        assert series not in samples[name], f"twice: {line}"
        samples[name][series] = float(value)
    return samples


def of_state(samples, state):
    """Names of the nodes in this state."""
    return {dict(labels)["node"] for labels, value in samples["podwright_node_state"].items()
            if value == 1 and dict(labels)["state"] == state}  # fmt: skip


def fields_of_junit():
    fields = collections.defaultdict(dict)
    with open(sources / "tests/native/junit_fields.csv", encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            fields[row["element"], row["inside"]][row["name"]] = row
    return fields


KINDS = {"any": ".*", "text": r".*\S.*", "whole": r"\d+", "seconds": r"\d+(\.\d+)?",
         "time": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"}  # fmt: skip


class Fleet(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    def fleet(self):
        """Nine nodes: n3 is slow, n5 has another version, n6 a fault, n8 a broken file, and n9 is missing."""
        scripts = {3: ";slow=1.5@hbm.triad", 5: ";driver=2.0", 6: ";xid=79@hbm.copy"}
        for node in range(1, 8):
            self.write(f"n{node}.json", measured(f"devices=2;seed={node}{scripts.get(node, '')}"))
        self.write("n8.json", measured("seed=8")[:3000])

    def check_junit(self, text):
        root = xml.etree.ElementTree.fromstring(text.encode("utf-8"))
        fields = fields_of_junit()

        def check(element, inside):
            known = fields[element.tag, inside]
            self.assertTrue(known, (element.tag, inside))
            for name, row in known.items():
                self.assertTrue(row["required"] != "yes" or name in element.attrib, (element.tag, name))
            for name, value in element.attrib.items():
                self.assertRegex(value, re.compile(f"(?s:{KINDS[known[name]['kind']]})\\Z"), (element.tag, name))
            for child in element:
                check(child, element.tag)

        check(root, "")
        for suite in root:
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            self.assertEqual(len({case.get("name") for case in cases}), len(cases))
            for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                self.assertEqual(int(suite.get(count)), len(suite.findall(f"testcase/{tag}")))
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "-"], input=text.encode("utf-8"), check=True)
        return root


class Compared(Fleet):
    def test_the_request_of_that_kind_is_answered_by_the_bytes_of_the_command(self):
        self.fleet()
        (self.folder / "n8.json").unlink()
        self.write("n7.json", "{}")
        profiles = [(path.stem, path.read_text(encoding="utf-8")) for path in sorted(self.folder.glob("*.json"))]
        nodes = ",".join(f'{{"name":"{name}","profile":{text.strip()}}}' for name, text in profiles)
        for expect, words in ((',"expect":"n[1-9]"', ["n[1-9]"]), (',"expect_count":12', ["12"]), ("", [""])):
            request = f'{{"kind":"compare","nodes":[{nodes}]{expect}}}\n'.encode()
            code, wanted, _ = run("compare", self.folder, "--json", "--expect", *words)
            asked, answered, _ = run("estimate", "--jsonl", "-", given=request)
            self.assertEqual(answered, wanted)
            self.assertEqual((asked, code), (1, 4))
            states = {node["node"]: node["state"] for node in json.loads(answered)["nodes"]}
            self.assertEqual((states["n1"], states["n3"], states["n6"], states["n7"]), ("ok", "low", "fault", "unusable"))

    def test_requests_of_that_kind_name_what_is_wrong(self):
        one = '"nodes":[{"name":"a","profile":{}}]'
        for members, path in (('"nodes":[]', "/nodes"), ('"nodes":[{"name":"a"}]', "/nodes/0/profile"), ('"node":[]', "/node"),
                              (f'{one},"expect":"a[1"', "/expect"), (f'{one},"expect":"a[3-1]"', "/expect"),
                              (f'{one},"expect":"a","expect_count":2', "/expect_count")):  # fmt: skip
            code, said, _ = run("estimate", "--jsonl", "-", given=f'{{"kind":"compare",{members}}}\n'.encode())
            self.assertEqual((code, json.loads(said)["error"]["path"]), (2, path), members)

    def test_nine_nodes(self):
        self.fleet()
        code, said, _ = run("compare", self.folder, "--expect", "n[1-9]")
        self.assertEqual(code, 4)
        self.assertIn("9 nodes: 1 missing, 1 unusable, 1 fault, 1 low, 5 ok.", said)
        for line in ("missing     n9: No file", "unusable    n8: The file holds no profile", "fault       n6: GPU 0 needs",
                     "low         n3: ", "hbm.triad takes 50 % longer than on the other nodes",
                     "ok          n1, n2, n4, n5, n7", "different driver: 1.0 on 6 nodes; 2.0 on n5"):  # fmt: skip
            self.assertIn(line, said)
        answer = json.loads(run("compare", self.folder, "--expect", "n[1-9]", "--json")[1])
        self.assertEqual((answer["exit_code"], answer["compared"], answer["measured_nodes"]), (4, True, 7))
        self.assertEqual([node["node"] for node in answer["nodes"] if node["slow"]], ["n3"])
        self.assertAlmostEqual(answer["nodes"][2]["slow"][0]["slower_by"], 0.5, 1)
        again = run("compare", self.folder, "--format", "json", "--expect", "n[1-9]")[1]
        self.assertEqual(json.loads(again), answer)
        # A count tells how many are missing, and not which.
        code, said, _ = run("compare", self.folder, "--expect", "10")
        self.assertEqual((code, "2 of the expected nodes" in said), (4, True))

    def test_codes(self):
        self.fleet()
        files = {node: self.folder / f"n{node}.json" for node in range(1, 9)}
        healthy = [files[node] for node in (1, 2, 4, 5, 7)]
        self.assertEqual(run("compare", *healthy)[0], 0)
        self.assertEqual(run("compare", *healthy, files[3])[0], 1)
        self.assertEqual(run("compare", *healthy, files[8])[0], 2)
        self.assertEqual(run("compare", *healthy, files[6])[0], 4)
        self.assertEqual(run("compare", *healthy, self.folder / "none.json")[0], 2)
        self.assertEqual(run("compare", *healthy, "--expect", "6")[0], 4)
        self.assertEqual(run("compare", *healthy, "--expect", "n[1")[0], 2)
        self.assertEqual(run("compare", *healthy, "--format", "yaml")[0], 2)
        (self.folder / "empty").mkdir()
        self.assertEqual(run("compare", self.folder / "empty")[0], 2)

    def test_few_nodes_are_judged_alone(self):
        self.fleet()
        code, said, _ = run("compare", self.folder / "n1.json", self.folder / "n3.json")
        self.assertEqual(code, 1)
        self.assertIn("With fewer than four nodes no node can be singled out as slow", said)
        self.assertNotIn("longer than on the other nodes", said)

    def test_names(self):
        self.fleet()
        text = (self.folder / "n1.json").read_text(encoding="utf-8")
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            self.write(f"{name}/profile.json", measured(f"seed={name}"))
        answer = json.loads(run("compare", self.folder / "a/profile.json", self.folder / "b/profile.json",
                                f"gpu=07={self.folder / 'n2.json'}", "-", "--json", given=text.encode())[1])  # fmt: skip
        names = [node["node"] for node in answer["nodes"]]
        self.assertEqual(names[0], str(self.folder / "a/profile"))
        self.assertEqual(names[3], "stdin")

    def test_lines_as_pdsh_prints_them(self):
        lines = [f"gpu{node}: " + measured(f"seed={node}{';slow=2' if node == 4 else ''}") for node in range(1, 6)]
        lines.append("gpu6: podwright: no driver\ngpu1: a warning: slow disk\n")
        code, said, _ = run("compare", "-", "--expect", "gpu[1-7]", "--json", given="".join(lines).encode())
        states = {node["node"]: node["state"] for node in json.loads(said)["nodes"]}
        self.assertEqual(code, 4)
        self.assertEqual({name for name, state in states.items() if state == "low"}, {"gpu4"})
        self.assertEqual((states["gpu6"], states["gpu7"]), ("unusable", "missing"))

    def test_host_names_of_profiles_are_not_told(self):
        self.fleet()
        for form in ("text", "json", "prometheus", "junit", "markdown"):
            _, said, _ = run("compare", self.folder, "--format", form)
            self.assertNotIn(os.uname().nodename, said.replace(str(self.folder), ""))

    def test_the_profiles_as_one(self):
        self.fleet()
        (self.folder / "n8.json").unlink()
        whole = self.folder / "whole"
        self.assertEqual(run("compare", self.folder, "-o", whole)[0], 4)
        profile = json.loads(whole.read_text(encoding="utf-8"))
        self.assertEqual([event["device"] for event in profile["health_events"] if event["name"] == "slow_node"], ["n2.d1"])
        self.assertEqual(run("verify", whole)[0], 4)


class Forms(Fleet):
    def test_metrics_of_a_fleet(self):
        self.fleet()
        _, text, _ = run("compare", self.folder, "--expect", "n[1-9]", "--format", "prometheus")
        samples = metrics(text)
        self.assertEqual(of_state(samples, "missing"), {"n9"})
        self.assertEqual(of_state(samples, "low"), {"n3"})
        self.assertEqual(samples["podwright_fleet_nodes"][frozenset({("state", "ok")})], 5)
        slow = samples["podwright_node_slower_ratio"]
        self.assertEqual([dict(labels)["node"] for labels in slow], ["n3"])
        for name in samples:
            self.assertTrue(name.startswith("podwright_"))
        if shutil.which("promtool"):
            subprocess.run(["promtool", "check", "metrics"], input=text.encode(), check=True)

    def test_forms_of_one_machine(self):
        self.fleet()
        for node, code in ((1, 0), (3, 1), (6, 4), (8, 2)):
            file = self.folder / f"n{node}.json"
            for form in ("text", "json", "prometheus", "junit", "markdown"):
                self.assertEqual(run("verify", file, "--format", form)[0], code, (node, form))
        file = self.folder / "n3.json"
        samples = metrics(run("verify", file, "--format", "prometheus", "--node", "rack 7")[1])
        self.assertEqual(of_state(samples, "low"), {"rack 7"})
        self.assertNotIn("podwright_fleet_nodes", samples)
        root = self.check_junit(run("verify", file, "--format", "junit")[1])
        self.assertEqual([suite.get("name") for suite in root], ["n3"])
        failed = {case.get("name") for case in root.iter("testcase") if case.find("failure") is not None}
        self.assertEqual(failed, {"d0 hbm.triad (1 GiB)", "d1 hbm.triad (1 GiB)"})
        self.assertIn("| <code>d0</code> | <code>hbm.triad</code> | bad |", run("verify", file, "--format", "markdown")[1])
        request = sources / "examples/chat_70b.json"
        self.assertEqual(run("verify", request, file, "--format", "junit")[0], 2)

    def test_junit_of_a_fleet(self):
        self.fleet()
        root = self.check_junit(run("compare", self.folder, "--expect", "n[1-9]", "--format", "junit")[1])
        errors = {suite.get("name"): suite.find("testcase/error").get("type") for suite in root if suite.get("errors") != "0"}
        self.assertEqual(errors, {"n8": "unusable", "n9": "missing"})


class Scripted(Fleet):
    def test_no_form_takes_a_scripted_profile_for_a_machine(self):
        files = [self.write(f"n{node}.json", scripted(f"devices=2;seed={node}")) for node in range(1, 6)]
        for words in (["verify", files[0]], ["compare", *files], ["compare", files[0]]):
            for form in ("text", "json", "markdown", "junit", "prometheus"):
                code, said, _ = run(*words, "--format", form)
                self.assertEqual(code, 1, (words, form))
                if form not in ("junit", "prometheus"):
                    self.assertIn("Nothing was measured", re.sub(r"\s+", " ", said), (words, form))
            samples = metrics(run(*words, "--format", "prometheus")[1])
            self.assertEqual(of_state(samples, "ok"), set())
            self.assertEqual({value for labels, value in samples["podwright_device_state"].items() if dict(labels)["state"] == "fine"}, {0})
            root = self.check_junit(run(*words, "--format", "junit")[1])
            self.assertEqual({case.get("name") for case in root.iter("testcase") if len(case) == 0}, {"profile"})
        # What is wrong with it is still said.
        bad = self.write("bad.json", scripted("seed=1;xid=79@hbm.copy"))
        self.assertEqual(run("verify", bad)[0], 4)


class HostileNames(Fleet):
    """Names of files, and versions in profiles, that try to be something else in each of the forms."""

    def names(self):
        rng = random.Random(29)
        signs = "\"'\\\n\r\t$`{}[]()<>|&;:#*_~!@%^-=+., ab\x01\x1b\x7f\u0085\u2028é机😀"
        made = ["".join(rng.choice(signs) for _ in range(rng.randint(1, 40))) for _ in range(200)]
        whole = (name.replace("/", "\\") for name in HOSTILE + made)
        return [name for name in dict.fromkeys(whole) if name.strip(".")]

    def test_no_name_breaks_out(self):
        profile = measured("seed=1")
        names = self.names()
        for place, name in enumerate(names):
            self.write(f"{name}.json", with_driver(profile, f"{name} {place}"))
        self.write(os.fsdecode(b"broken\xff\xfe.json"), "{")
        self.assertGreaterEqual(len(names), 240)
        plain = run("compare", self.folder)
        self.assertIn(plain[0], (2,))
        self.assertNotRegex(plain[1], r"[\x00-\x09\x0b-\x1f\x7f\u0080-\u009f]")
        answer = json.loads(run("compare", self.folder, "--json")[1])
        self.assertEqual(sum(node["state"] == "unusable" for node in answer["nodes"]), 1)
        self.assertLessEqual({name for name in names if name.isprintable()}, {node["node"] for node in answer["nodes"]})
        samples = metrics(run("compare", self.folder, "--format", "prometheus")[1])
        told = {dict(labels)["node"] for labels in samples["podwright_node_exit_code"]}
        self.assertLessEqual({name for name in names if name.isprintable()}, told)
        root = self.check_junit(run("compare", self.folder, "--format", "junit")[1])
        self.assertEqual(len(root), len(names) + 1)
        self.check_markdown(run("compare", self.folder, "--format", "markdown")[1])
        promtool = shutil.which("promtool")
        if promtool:
            text = run("compare", self.folder, "--format", "prometheus")[1]
            subprocess.run([promtool, "check", "metrics"], input=text.encode(), check=True)

    def check_markdown(self, text):
        """Every line is one that the writer begins, every row has its cells, and nothing acts but the marks of the writer."""
        columns = 0
        for line in text.split("\n"):
            if line.startswith("|"):
                self.assertIn(line.count("|"), (columns or line.count("|"),))
                columns = line.count("|")
            else:
                columns = 0
                self.assertRegex(line, r"\A(### |- [A-Z]|\d+ nodes: |No |\Z)")
        rest = re.sub(r"</?code>|<br>|&#\d+;|^(### |- )|\|", "", text, flags=re.M)
        self.assertNotRegex(rest, r"[<>`*_\[\]{}\\@#!~$&]")
        self.assertNotRegex(rest, r"(?i)www\.|://|:\w+:")


DEPLOY = sources / "native/probes/deploy"
# Stands for the programs of a cluster: sbatch runs its job at once, ssh runs its command here, and each host's GPUs are
# scripted by its name.
STAND_INS = {
    "sbatch": """#!/usr/bin/env bash
set -u
log=/dev/stdout
while [[ $1 == -* ]]; do
  case $1 in --output=*) log=${1#*=} ;; --nodelist=*) export PODWRIGHT_FAKE="seed=${1#*=};${SCRIPT_OF:-}" ;; esac
  if [[ $1 == --nodelist=gone ]]; then echo 99; exit 0; fi
  shift
done
bash "$@" >"$log" 2>&1
echo $RANDOM
""",
    "scontrol": """#!/usr/bin/env bash
tr , '\\n' <<<"$3"
""",
    "ssh": """#!/usr/bin/env bash
while [[ $1 == -* ]]; do if [[ $1 == -o ]]; then shift; fi; shift; done
if [[ $1 == gone ]]; then exit 255; fi
PODWRIGHT_FAKE="seed=$1" bash -c "$2"
""",
    "logger": "#!/usr/bin/env bash\n",
}


class Deployment(Fleet):
    """The files in native/probes/deploy, run with stand-ins for what a cluster has."""

    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        for name, text in STAND_INS.items():
            self.write(f"bin/{name}", text).chmod(0o755)
        # The recipes measure what there is; here that is scripted.
        self.program = self.write("bin/podwright-here", f"""#!/usr/bin/env bash
if [[ $1 == probe ]]; then shift; set -- probe --backend fake --only hbm,launch "$@"; fi
exec {podwright} "$@"
""")  # fmt: skip
        self.program.chmod(0o755)

    def start(self, *words, **more):
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        return subprocess.run(words, capture_output=True, encoding="utf-8", cwd=self.folder,
                              env={**os.environ, "PATH": path, "PODWRIGHT": str(self.program), **more})  # fmt: skip

    def test_shell_scripts_are_sound(self):
        scripts = sorted([*DEPLOY.glob("*.sh"), *DEPLOY.glob("*.sbatch")])
        self.assertEqual(len(scripts), 4)
        for script in scripts:
            subprocess.run(["bash", "-n", script], check=True)
            self.assertTrue(os.access(script, os.X_OK) or script.suffix == ".sbatch", script)
        if shutil.which("shellcheck"):
            subprocess.run(["shellcheck", *scripts], check=True)

    def test_slurm_jobs_leave_profiles_and_a_comparison(self):
        done = self.start(DEPLOY / "fleet_slurm.sh", "a1,a2,a3,a4,gone", PROFILES=str(self.folder / "p"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("5 nodes; job ", done.stdout)
        self.assertEqual(sorted(path.stem for path in (self.folder / "p").glob("*.json")), ["a1", "a2", "a3", "a4"])
        said = (self.folder / "p/fleet.txt").read_text(encoding="utf-8")
        self.assertIn("5 nodes: 1 missing, 4 unjudged.", said)
        self.check_junit((self.folder / "p/fleet.junit").read_text(encoding="utf-8"))
        samples = metrics((self.folder / "p/fleet.prometheus").read_text(encoding="utf-8"))
        self.assertEqual(of_state(samples, "missing"), {"gone"})
        self.assertEqual(self.start(DEPLOY / "fleet_slurm.sh").returncode, 2)

    def test_ssh_leaves_profiles_and_a_comparison(self):
        done = self.start(DEPLOY / "fleet_ssh.sh", "p", "h1", "h2", "h3", "h4", "gone")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("5 nodes: 1 missing, 4 unjudged.", done.stdout)
        self.assertEqual(self.start(DEPLOY / "fleet_ssh.sh", "p").returncode, 2)

    def test_the_prolog_fails_for_faults_alone(self):
        (self.folder / "metrics").mkdir()
        for script, code in (("", 0), ("slow=2", 0), ("wrong@hbm.*", 1), ("no_driver", 0)):
            # A prolog has no search path but its own.
            done = self.start(DEPLOY / "slurm_prolog.sh", PODWRIGHT_FAKE=script, SLURM_JOB_GPUS="0,1",
                              SLURMD_NODENAME="gpu07", METRICS=str(self.folder / "metrics"))  # fmt: skip
            self.assertEqual(done.returncode, code, (script, done.stderr))
        text = (self.folder / "metrics/podwright.prom").read_text(encoding="utf-8")
        self.assertEqual(of_state(metrics(text), "fault"), {"gpu07"})
        self.assertEqual([path.name for path in (self.folder / "metrics").iterdir()], ["podwright.prom"])
        self.assertEqual(self.start(DEPLOY / "slurm_prolog.sh", PODWRIGHT_FAKE="wrong").returncode, 0, "a job without GPUs")

    def test_the_dashboard_asks_for_metrics_that_there_are(self):
        board = json.loads((DEPLOY / "grafana_dashboard.json").read_text(encoding="utf-8"))
        heads = (sources / "core/export/prometheus.h").read_text(encoding="utf-8")
        written = set(re.findall(r'\{"(podwright_\w+)",', heads))
        self.assertEqual(board["schemaVersion"], 36)
        self.assertEqual(len({panel["id"] for panel in board["panels"]}), len(board["panels"]))
        labels = collections.defaultdict(set)
        self.fleet()
        whole = self.write("whole", run("probe", "--backend", "fake", "--quick", "--json", script="rise=ecc_correctable:3")[1])
        texts = [run("compare", self.folder, "--expect", "n[1-9]", "--format", "prometheus")[1],
                 run("verify", whole, "--format", "prometheus")[1]]  # fmt: skip
        for name, samples in [sample for text in texts for sample in metrics(text).items()]:
            self.assertIn(name, written)
            for series in samples:
                labels[name] |= set(dict(series))
        self.assertEqual(set(labels), written - {"podwright_memory_bytes"})
        asked = set()
        variables = {one["name"] for one in board["templating"]["list"]}
        places = set()
        for panel in board["panels"]:
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24)
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
            self.assertFalse(places & cells, panel["title"])
            places |= cells
            for target in panel["targets"]:
                names = set(re.findall(r"podwright_\w+", target["expr"]))
                self.assertTrue(names and names <= written, target["expr"])
                asked |= names
                self.assertLessEqual(set(re.findall(r"\$(\w+)", target["expr"])), variables)
                for matchers in re.findall(r"\{([^}]*)\}", target["expr"]):
                    self.assertLessEqual(set(re.findall(r"(\w+)(?:=~|!~|!=|=)", matchers)), set().union(*(labels[name] for name in names)))
        self.assertGreaterEqual(len(asked), 9)

    def test_the_playbook_and_the_manifests_are_what_their_programs_read(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("PyYAML is not installed")
        plays = yaml.safe_load((DEPLOY / "fleet_ansible.yml").read_text(encoding="utf-8"))
        self.assertEqual([play["hosts"] for play in plays], ["gpus", "localhost"])
        for play in plays:
            self.assertLessEqual(set(play), {"name", "hosts", "gather_facts", "strategy", "ignore_unreachable", "vars", "tasks", "connection"})
            for task in play["tasks"]:
                modules = [key for key in task if "." in key]
                self.assertEqual([module.split(".")[:2] for module in modules], [["ansible", "builtin"]])
                self.assertLessEqual(set(task) - set(modules), {"name", "register", "changed_when", "failed_when", "timeout"})
        self.assertIn("[gpus]\n", (DEPLOY / "fleet_inventory.ini").read_text(encoding="utf-8"))
        if shutil.which("ansible-playbook"):
            done = self.start("ansible-playbook", "-i", DEPLOY / "fleet_inventory.ini", "--syntax-check", DEPLOY / "fleet_ansible.yml")
            self.assertEqual(done.returncode, 0, done.stderr)
        fields = collections.defaultdict(dict)
        with open(sources / "tests/native/kubernetes_fields.csv", encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table):
                fields[row["object"]][row["field"]] = row["kind"]
        found = []
        for file in ("fleet_kubernetes.yaml", "fleet_daemonset.yaml"):
            for document in yaml.safe_load_all((DEPLOY / file).read_text(encoding="utf-8")):
                found.append(document["kind"])
                self.check_object(document, document["kind"], fields, document["kind"])
        self.assertEqual(found, ["PersistentVolumeClaim", "Job", "CronJob", "DaemonSet"])

    def check_object(self, value, kind, fields, path):
        """`kind` is a type of the table, behind [] for a list of it."""
        if kind.endswith("[]"):
            self.assertIsInstance(value, list, path)
            for i, one in enumerate(value):
                self.check_object(one, kind[:-2], fields, f"{path}[{i}]")
            return
        plain = {"string": str, "integer": int, "boolean": bool, "map": dict}
        if kind in plain:
            self.assertIs(type(value), plain[kind], path)
            return
        for name, inner in value.items():
            self.assertIn(name, fields[kind], path)
            self.check_object(inner, fields[kind][name], fields, f"{path}.{name}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
