"""No answer is lost and nothing is left half written: full disks, closed streams, kills, hostile texts and names.

    output_test.py PODWRIGHT
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

root = pathlib.Path(__file__).parents[2]
EXAMPLES = root / "examples"
MACHINE = root / "web/src/host/sample_profile.json"  # of no scripted devices, whose rates plans take
IMPORTS = root / "tests/measure/data/imports"
MEBIBYTE = 1 << 20


def ask(*words, **more):
    return subprocess.run([podwright, *words], capture_output=True, stdin=more.pop("stdin", subprocess.DEVNULL), timeout=120, **more)


def limited(which, size):
    return lambda: resource.setrlimit(which, (size, size))


def fake(**more):
    return {**os.environ, "PODWRIGHT_FAKE": "devices=1", **more}


# One of each that prints in its own way.
PRINTING = [
    ["plan", EXAMPLES / "chat_70b.json"],
    ["plan", "--json", EXAMPLES / "chat_70b.json"],
    ["plan", "--print-request", "--model", "llama-3.1-8b"],
    ["search", "--format", "csv", EXAMPLES / "search_serving_70b.json"],
    ["architecture", "--json", EXAMPLES / "architecture_h100.json"],
    ["cost", EXAMPLES / "cost_h100.json"],
    ["estimate", "--jsonl", EXAMPLES / "requests.jsonl"],
    ["explain", "--format", "markdown", EXAMPLES / "claim_8b.json"],
    ["verify", "--format", "junit", IMPORTS / "nvb_numbers.json"],
    ["schema"],
    ["schema", "plan"],
    ["catalog", "list", "gpus"],
    ["catalog", "check"],
    ["study", "exam"],
    ["study", "claims"],
    ["formulas"],
    ["describe", "man"],
    ["--help"],
    ["plan", "--help"],
    ["--version"],
]
LOST = rb"^podwright: standard output cannot be written: .+\. The answer is lost or incomplete\.$"


class StandardOutput(unittest.TestCase):
    def is_lost(self, done, words):
        self.assertEqual(done.returncode, 3, (words, done.stderr))
        self.assertRegex(done.stderr.splitlines()[-1], LOST, words)

    def test_a_full_device(self):
        for words in PRINTING:
            with open("/dev/full", "wb") as full:
                done = subprocess.run([podwright, *words], stdout=full, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
            self.is_lost(done, words)
            self.assertIn(b"No space left on device", done.stderr)
            with tempfile.TemporaryFile() as small:
                done = subprocess.run([podwright, *words], stdout=small, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                      preexec_fn=limited(resource.RLIMIT_FSIZE, 4))  # fmt: skip
            self.is_lost(done, words)

    def test_closed(self):
        for words in PRINTING:
            self.is_lost(subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", podwright, *words], stderr=subprocess.PIPE), words)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "p.json")
            words = ["import", IMPORTS / "nvb_numbers.json", "-o", file]
            whole = ask(*words)
            self.assertEqual(whole.returncode, 0, whole.stderr)
            before = file.read_bytes()
            self.is_lost(subprocess.run(["sh", "-c", 'exec "$@" <&- >&-', "sh", podwright, *words], stderr=subprocess.PIPE), words)
            self.assertEqual(file.read_bytes(), before)
        no_input = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", podwright, "plan", "-"], capture_output=True)
        self.assertEqual((no_input.returncode, no_input.stdout), (2, b""))

    def test_a_reader_that_goes_away(self):
        for ignored in (False, True):
            for words in PRINTING:
                def start(ignored=ignored):
                    signal.signal(signal.SIGPIPE, signal.SIG_IGN if ignored else signal.SIG_DFL)

                began = subprocess.Popen([podwright, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                         restore_signals=False, preexec_fn=start)  # fmt: skip
                began.stdout.close()
                said = began.stderr.read()
                began.stderr.close()
                self.assertIn(began.wait(60), (0, 1, 2, -signal.SIGPIPE), words)
                self.assertNotIn(b"standard output", said, words)


class Files(unittest.TestCase):
    """Every command that writes files, each over files that are there."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.profile = self.folder / "profile.json"
        shutil.copy(MACHINE, self.profile)
        self.place = self.folder / "place"
        self.place.mkdir()

    def writers(self, place):
        """Command lines that write into `place`."""
        return [
            ["calibrate", self.profile, "-o", place / "calibration.json"],
            ["import", IMPORTS / "nvb_numbers.json", "-o", place / "imported.json"],
            ["import", EXAMPLES / "vllm_start.log", "-o", place / "patch.json"],
            ["import", "--rows", IMPORTS / "inferencex_record.json", "-o", place / "rows.csv"],
            ["merge", self.profile, "-o", place / "merged.json"],
            ["probe", "--backend", "fake", "--quick", "--only", "hbm", "-o", place / "measured.json"],
            ["architecture", EXAMPLES / "architecture_h100.json", "--export", "all", "-o", place],
            ["cost", EXAMPLES / "cost_h100.json", "--export", "focus", "-o", place],
            ["search", EXAMPLES / "search_serving_70b.json", "--export", "kubernetes", "-o", place],
        ]

    def contents(self):
        return {str(path.relative_to(self.place)): path.read_bytes() for path in self.place.rglob("*") if path.is_file()}

    def write_all(self):
        """The files as commands write them, by command line."""
        written = []
        for words in self.writers(self.place):
            before = self.contents()
            done = ask(*words, env=fake())
            self.assertEqual(done.returncode, 0, (words, done.stderr))
            now = self.contents()
            written.append({name: text for name, text in now.items() if before.get(name) != text})
            self.assertTrue(written[-1], words)
        return written

    def make_old(self):
        for path in self.place.rglob("*"):
            if path.is_file():
                path.write_bytes(b"old")

    def test_a_full_disk(self):
        self.write_all()
        self.make_old()
        before = self.contents()
        for words in self.writers(self.place):
            done = ask(*words, env=fake(), preexec_fn=limited(resource.RLIMIT_FSIZE, 100))
            self.assertEqual(done.returncode, 3, (words, done.stderr))
            self.assertIn(b"cannot write " + bytes(self.place), done.stderr, words)
            self.assertEqual(self.contents(), before, words)

    def test_no_folder(self):
        file = self.folder / "file"
        file.write_bytes(b"old")
        for place in (file, pathlib.Path("/proc/none")):
            for words in self.writers(place):
                done = ask(*words, env=fake())
                self.assertEqual(done.returncode, 3, (words, done.stderr))
                self.assertIn(b"cannot write " + bytes(place), done.stderr, words)
        self.assertEqual(file.read_bytes(), b"old")

    def ended_at_any_time(self, number, kept):
        """Ends each command after 0, 1, 2 ... milliseconds: files are old or as `write_all` left them."""
        whole = self.write_all()
        for words, files in zip(self.writers(self.place), whole, strict=True):
            if words[0] == "probe":
                continue  # its figures differ from run to run; tests of probes end it
            for wait in range(0, 40, 8):
                self.make_old()
                began = subprocess.Popen([podwright, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=fake())
                time.sleep(wait / 1000)
                began.send_signal(number)
                began.wait(60)
                for name, text in self.contents().items():
                    if kept(name):
                        self.assertIn(self.same(text), (b"old", self.same(files.get(name, b"old"))), (words, wait, name))

    @staticmethod
    def same(text):
        """Without when it was made."""
        return re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\"digest\":\"\w+\"", b"", text)

    def test_killed(self):
        self.ended_at_any_time(signal.SIGKILL, lambda name: not pathlib.Path(name).name.startswith(".podwright-"))

    def test_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.ended_at_any_time(number, lambda name: True)

    def test_two_write_one_file(self):
        other = self.folder / "other.json"
        other.write_bytes(ask("probe", "--backend", "fake", "--quick", "--only", "gemm", "--json", env=fake()).stdout)
        file = self.place / "merged.json"
        texts = set()
        for profile in (self.profile, other):
            self.assertEqual(ask("merge", profile, "-o", file).returncode, 0)
            texts.add(file.read_bytes())
        self.assertEqual(len(texts), 2)

        def write(profile):
            for _ in range(10):
                self.assertEqual(ask("merge", profile, "-o", file).returncode, 0)

        writing = [threading.Thread(target=write, args=[profile]) for profile in (self.profile, other)]
        for one in writing:
            one.start()
        while any(one.is_alive() for one in writing):
            self.assertIn(file.read_bytes(), texts)
        for one in writing:
            one.join()
        self.assertEqual(list(self.contents()), ["merged.json"])

    def test_a_planted_link(self):
        victim = self.folder / "victim"
        victim.write_bytes(b"mine")
        for words in self.writers(self.place):
            if words[-1] != self.place:
                pathlib.Path(f"{words[-1]}.part").symlink_to(victim)
        self.write_all()
        self.assertEqual(victim.read_bytes(), b"mine")

    def test_a_link_and_its_rights(self):
        file, link = self.folder / "file.json", self.place / "link.json"
        file.write_bytes(b"old")
        file.chmod(0o640)
        link.symlink_to(file)
        self.assertEqual(ask("import", IMPORTS / "nvb_numbers.json", "-o", link).returncode, 0)
        self.assertTrue(link.is_symlink())
        self.assertEqual((json.loads(file.read_bytes())["schema"][:9], file.stat().st_mode & 0o777), ("podwright", 0o640))
        shown = ask("import", IMPORTS / "nvb_numbers.json", "-o", "/dev/stdout")
        self.assertIn(b'"schema":"podwright', shown.stdout)
        self.assertEqual(ask("import", IMPORTS / "nvb_numbers.json", "-o", "/dev/full").returncode, 3)

    def test_two_names_that_are_one_file(self):
        overlay = self.folder / "overlay/switches"
        overlay.mkdir(parents=True)
        for item, name in (("qm9700", "Switch"), ("sn4600c", "SWITCH")):
            switch = json.loads((root / f"core/catalog/data/switches/{item}.json").read_text(encoding="utf-8"))
            (overlay / f"{item}.json").write_text(json.dumps({**switch, "name": name}), encoding="utf-8")
        words = ["architecture", EXAMPLES / "architecture_h100.json", "--catalog", overlay.parent, "--export", "netbox"]
        answer = json.loads(ask(*words, "--json").stdout)["designs"][0]["exports"]
        done = ask(*words, "-o", self.place)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(text for text in self.contents().values()), sorted(file["text"].encode() for file in answer))
        twice = {name for name in (file["name"].lower() for file in answer)}
        self.assertEqual(len(answer) - len(twice), done.stderr.count(b"the second is written as"))

    def test_no_home(self):
        words = ["plan", "--json", EXAMPLES / "chat_70b.json"]
        self.assertEqual(ask(*words, env={}).stdout, ask(*words).stdout)
        for words in (["calibrate", self.profile], ["architecture", EXAMPLES / "architecture_h100.json", "--export", "all"]):
            found = []
            for env in ({}, None):
                place = self.folder / f"home{env}"
                place.mkdir(exist_ok=True)
                target = place / "c.json" if words[0] == "calibrate" else place
                self.assertEqual(ask(*words, "-o", target, env=env).returncode, 0)
                found.append({str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()})
            self.assertEqual(found[0], found[1])


class Internal(unittest.TestCase):
    def test_memory_is_full(self):
        """Memory runs out at many places between loading and the answer."""
        whole = ask("plan", "--json", EXAMPLES / "mixed.json").stdout
        reports = 0
        for size in range(16, 48, 2):
            done = ask("plan", "--json", EXAMPLES / "mixed.json", preexec_fn=limited(resource.RLIMIT_AS, size * MEBIBYTE))
            if b"error while loading shared libraries" in done.stderr:
                continue
            self.assertIn(done.returncode, (0, 5), (size, done.stderr))
            if done.returncode == 5:
                self.assertIn(b"podwright: internal error: podwright ", done.stderr)
            if done.stdout == whole:
                continue
            self.assertEqual(done.returncode, 5)
            reports += 1
            error = json.loads(done.stdout)["error"]
            self.assertEqual((error["code"], error["path"]), ("internal", ""))
            self.assertIn("the memory that this process may use is full", error["message"])
        self.assertGreater(reports, 0)


class Texts(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def test_texts_without_end(self):
        memory = limited(resource.RLIMIT_AS, 1024 * MEBIBYTE)
        for file, why in (("/dev/zero", b"longer than 64 MiB"), ("/proc/self/mem", b"cannot read"), (self.folder, b"is a folder"),
                          (self.write("large.json", b" " * (64 * MEBIBYTE + 1)), b"longer than 64 MiB")):  # fmt: skip
            for words in (["plan"], ["verify"], ["calibrate"], ["backtest"], ["import", "-o", self.folder / "x"], ["quote", "import"],
                          ["replay", EXAMPLES / "replay_chat_70b.json"]):  # fmt: skip
                done = ask(*words, file, preexec_fn=memory)
                self.assertEqual(done.returncode, 2, (words, file, done.stderr))
                self.assertIn(why, done.stderr, (words, file))
        with open("/dev/zero", "rb") as endless:
            self.assertEqual(ask("plan", "-", stdin=endless, preexec_fn=memory).returncode, 2)
        overlay = self.folder / "overlay"
        overlay.mkdir()
        (overlay / "self").symlink_to("self")
        (overlay / "round").symlink_to(".")
        self.assertEqual(ask("catalog", "list", "gpus", "--catalog", overlay).returncode, 0)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        text = (EXAMPLES / "chat_70b.json").read_bytes()
        fed = threading.Thread(target=pipe.write_bytes, args=[text])
        fed.start()
        self.assertEqual(ask("plan", "--json", pipe).stdout, ask("plan", "--json", EXAMPLES / "chat_70b.json").stdout)
        fed.join()

    def test_marks_and_empty_files(self):
        def both(text, *words):
            plain, marked = self.folder / "plain", self.folder / "marked"
            plain.mkdir(exist_ok=True)
            marked.mkdir(exist_ok=True)
            (plain / "config.json").write_bytes(text)
            (marked / "config.json").write_bytes(b"\xef\xbb\xbf" + text)
            before, after = (ask(*words, "config.json", cwd=place) for place in (plain, marked))
            self.assertIn(before.returncode, (0, 1), (words, before.stderr))
            self.assertEqual((after.returncode, after.stdout), (before.returncode, before.stdout), words)

        profile = ask("probe", "--backend", "fake", "--quick", "--json", env=fake()).stdout
        config = json.loads((EXAMPLES / "config_json_model.json").read_text(encoding="utf-8"))
        for words, text in ((["plan"], (EXAMPLES / "chat_70b.json").read_bytes()), (["verify"], profile), (["calibrate"], profile),
                            (["compare"], profile), (["verify"], (IMPORTS / "nvb_numbers.json").read_bytes()),
                            (["import", "-o", "/dev/null"], (IMPORTS / "nvb_numbers.json").read_bytes()),
                            (["backtest"], (EXAMPLES / "own_runs.csv").read_bytes()),
                            (["model"], json.dumps(config["model"]).encode())):  # fmt: skip
            both(text, *words)
        for text in ("", " \n", "\ufeff"):
            done = ask("plan", self.write("empty.json", text))
            self.assertEqual((done.returncode, done.stderr), (2, b"podwright: The text is empty. Give a JSON document.\n"), text)

    def test_names_give_no_orders(self):
        order = "\x1b]0;x\x07\x1b[2J\x7f\x9b31m"
        request = self.write("request.json", json.dumps({"kind": "plan", order: 1}, ensure_ascii=False))
        overlay = self.folder / "overlay/gpus"
        overlay.mkdir(parents=True)
        gpu = json.loads((root / "core/catalog/data/gpus/l40s.json").read_text(encoding="utf-8"))
        (overlay / "l40s.json").write_text(json.dumps({**gpu, "name": "L40S" + order}, ensure_ascii=False), encoding="utf-8")
        profile = ask("probe", "--backend", "fake", "--quick", "--only", "hbm", "--json", env=fake()).stdout
        renamed = self.write("profile.json", profile.replace(b"NVIDIA H100 80GB HBM3", json.dumps("H100" + order)[1:-1].encode()))
        for words in (["plan", request], ["plan", "--json", request], ["plan", b"\xff\x1b[2J"], [b"\xff\x1b[2J"], ["plan", b"--\x1b[2J\xff"],
                      ["catalog", "list", "gpus", "--catalog", overlay.parent], ["catalog", "show", "gpu", order],
                      ["catalog", "list", "gpus", "--catalog", overlay.parent, "--json"], ["verify", renamed], ["study", "exam", "--seed", order],
                      ["model", b"\xff\x1b[2J"], ["search", "--model", order, "--rate", "1"]):  # fmt: skip
            done = ask(*words)
            for said in (done.stdout, done.stderr):
                self.assertEqual(re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", said.decode("utf-8")), [], words)
        answer = ask("plan", "--json", request)
        self.assertEqual(json.loads(answer.stdout)["error"]["path"], "/" + order)
        self.assertIn(rb"\u001b]0;x\u0007\u001b[2J\u007f\u009b31m", ask("plan", request).stderr)
        named = ask("catalog", "list", "gpus", "--catalog", overlay.parent)
        self.assertIn(b" stand above those of the catalog: gpus/", named.stderr)
        self.assertIn(rb"L40S\u001b]0;x\u0007", named.stdout)

    def test_wrong_lines(self):
        good = (EXAMPLES / "requests.jsonl").read_bytes().splitlines()[0]
        lines = [good, b"", b"  ", b"{bad", good, b'{"kind":"none"}', b'"' + b"x" * (64 * MEBIBYTE) + b'"', good]
        stream = self.write("lines.jsonl", b"\n".join(lines))
        for words in (["estimate", "--jsonl", stream], ["estimate", "--jsonl", "-"]):
            with open(stream, "rb") as given:
                done = ask(*words, stdin=given)
            answers = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([(one.get("line"), "errors" in one) for one in answers],
                             [(None, False), (4, True), (None, False), (6, True), (7, True), (None, False)])  # fmt: skip
            self.assertEqual(done.returncode, 2)

    def test_numbers_that_are_none(self):
        for words in (["study", "exam", "--seed"], ["study", "question", "--objective", "2.7", "--seed"], ["catalog", "check", "--stale-days"],
                      ["probe", "--backend", "fake", "--budget"], ["probe", "--backend", "fake", "--seed"], ["serve", "--patience"],
                      ["serve", "--api", "--time-limit"], ["serve", "--api", "--body-limit"]):  # fmt: skip
            for number in ("nan", "inf", "-inf", "-5", "1e400", "one", ""):
                done = ask(*words, number)
                self.assertEqual((done.returncode, done.stdout), (2, b""), (words, number, done.stderr))
                self.assertIn(b"--" if number in ("-inf", "") else b"not in range", done.stderr)

    def test_commands_and_kinds(self):
        """A command behind its file, and a file of another kind than its command."""
        before = ask(EXAMPLES / "chat_70b.json", "plan")
        self.assertEqual(before.returncode, 2)
        self.assertIn(b"the command stands before its file: podwright plan " + bytes(EXAMPLES / "chat_70b.json"), before.stderr)
        other = ask("plan", EXAMPLES / "search_405b.json")
        self.assertEqual((other.returncode, other.stdout), (0, ask("search", EXAMPLES / "search_405b.json").stdout))
        self.assertIn(b"the request is of kind search and was answered as \"podwright search\" does", other.stderr)
        self.assertNotIn(b"was answered as", ask("architecture", EXAMPLES / "fabric_h100_127.json").stderr)


podwright = pathlib.Path(sys.argv.pop(1)).resolve()
unittest.main()
