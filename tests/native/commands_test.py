"""What the program does as a process: the site that it serves, quotes that it reads, completions that it writes.

    commands_test.py PODWRIGHT
"""

import http.client
import json
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

podwright = pathlib.Path(sys.argv.pop(1)).resolve()
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
MACHINES = pathlib.Path(__file__).parents[1] / "measure/data"


class Served(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.site = pathlib.Path(place.name) / "site"
        (self.site / "study").mkdir(parents=True)
        (self.site.parent / "secret.txt").write_text("not of the site", encoding="utf-8")
        for name in ("index.html", "study/index.html", "a.js", "a.mjs", "a.css", "a.json", "a.wasm", "a.svg", "a.bin"):
            (self.site / name).write_text(f"this is {name}", encoding="utf-8")
        (self.site / "site.webmanifest").touch()
        (self.site / "large.txt").write_bytes(b"0123456789" * 300_000)

    def serve(self, *words):
        served = subprocess.Popen([podwright, "serve", "--site", self.site, *words], stdout=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(served.stdout.close)
        self.addCleanup(served.wait)
        self.addCleanup(served.kill)
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", served.stdout.readline()).group(1))
        return served

    def ask(self, path, method="GET"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(method, path)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body

    def test_each_kind_of_file(self):
        self.serve()
        kinds = {"/": "text/html", "/study/": "text/html", "/a.js": "text/javascript", "/a.mjs": "text/javascript",
                 "/a.css": "text/css", "/a.json": "application/json", "/a.wasm": "application/wasm",
                 "/a.svg": "image/svg+xml", "/site.webmanifest": "application/manifest+json",
                 "/a.bin": "application/octet-stream", "/a.js?v=1": "text/javascript", "/%61.js": "text/javascript"}  # fmt: skip
        for path, kind in kinds.items():
            answer, body = self.ask(path)
            self.assertEqual((answer.status, answer.headers.get_content_type()), (200, kind), path)
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(answer.headers["Referrer-Policy"], "no-referrer")
            self.assertEqual(int(answer.headers["Content-Length"]), len(body))
        self.assertEqual(self.ask("/study/")[1], b"this is study/index.html")

    def test_only_heads_and_files_of_the_site(self):
        self.serve()
        head, body = self.ask("/large.txt", "HEAD")
        self.assertEqual((head.status, head.headers["Content-Length"], body), (200, "3000000", b""))
        self.assertEqual(len(self.ask("/large.txt")[1]), 3_000_000)
        for path in ("/none", "/study", "/../secret.txt", "/%2e%2e/secret.txt", "/study/../../secret.txt", "/a.js%00",
                     "/..%2fsecret.txt"):  # fmt: skip
            answer, body = self.ask(path)
            self.assertEqual((answer.status, answer.headers["X-Content-Type-Options"], body), (404, "nosniff", b""), path)
        self.assertEqual(self.ask("/a.js", "POST")[0].status, 501)

    def test_a_browser_that_goes_away_ends_nothing(self):
        self.serve()
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", self.port)) as asked:
                asked.sendall(b"GET /large.txt HTTP/1.1\r\nHost: x\r\n\r\n")
                asked.recv(1000)
        self.assertEqual(self.ask("/a.js")[1], b"this is a.js")

    def test_ports_and_signals(self):
        served = self.serve()
        again = subprocess.run([podwright, "serve", "--site", self.site, "--port", str(self.port)], capture_output=True)
        self.assertEqual((again.returncode, f"port {self.port} is taken".encode() in again.stderr), (3, True))
        served.send_signal(signal.SIGINT)
        self.assertEqual(served.wait(10), 0)
        (self.site / "index.html").unlink()
        none = subprocess.run([podwright, "serve", "--site", self.site], capture_output=True, encoding="utf-8")
        self.assertEqual((none.returncode, "there is no site in" in none.stderr), (3, True))


class Printed(unittest.TestCase):
    def test_every_example_as_text(self):
        for example in sorted(EXAMPLES.glob("*.json")) or self.fail("no examples"):
            kind = json.loads(example.read_text(encoding="utf-8")).get("kind", "plan")
            verb = {"serving": "estimate", "training": "estimate", "fabric": "architecture"}.get(kind, kind)
            done = subprocess.run([podwright, verb, example], capture_output=True, encoding="utf-8")
            self.assertIn(done.returncode, (0, 1), f"{example.name}: {done.stderr}")
            self.assertTrue(done.stdout.strip(), example.name)


class Quoted(unittest.TestCase):
    def run_import(self, table, *more):
        return subprocess.run([podwright, "quote", "import", table, *more], capture_output=True, encoding="utf-8")

    def test_a_table_becomes_quotes_of_a_request(self):
        imported = self.run_import(EXAMPLES / "quotes.csv", EXAMPLES / "chat_70b.json")
        self.assertEqual(imported.returncode, 0, imported.stderr)
        request = json.loads(imported.stdout)
        self.assertEqual([quote["name"] for quote in request["quotes"]], ["Q-2210", "ANG-88", "S-31"])
        self.assertAlmostEqual(request["quotes"][1]["usd_per_gpu_hour"], 2.4 * 1.16)
        self.assertEqual(request["economics"]["network_usd_per_gpu"], 1450)
        self.assertEqual(request["economics"]["horizon_years"], 4)
        plan = subprocess.run([podwright, "plan", "-"], input=imported.stdout, capture_output=True, encoding="utf-8")
        self.assertEqual(plan.returncode, 0, plan.stderr)
        self.assertIn("Q-2210", plan.stdout)
        with tempfile.TemporaryDirectory() as folder:
            again = pathlib.Path(folder, "request.json")
            again.write_text(imported.stdout, encoding="utf-8")
            twice = json.loads(self.run_import(EXAMPLES / "quotes.csv", str(again)).stdout)
            self.assertEqual(len(twice["quotes"]), 6)
        self.assertEqual(self.run_import(EXAMPLES / "quotes.csv", EXAMPLES / "serving_70b.json").returncode, 2)

    def test_what_is_no_quote_is_named_by_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder, "bad.csv")
            table.write_text("type,price,colour\nrent,3,red\nlease,2,\nrent,two,\nnetwork,9,\nnetwork,8,\n", encoding="utf-8")
            refused = self.run_import(str(table))
            self.assertEqual((refused.returncode, refused.stdout), (2, ""))
            for part in ("bad.csv:1:", "colour", "bad.csv:3:", "lease", "bad.csv:4:", "two", "bad.csv:6:"):
                self.assertIn(part, refused.stderr)


class Machines(unittest.TestCase):
    """A log with a hot GPU, a table of an impossible rate, and a file of no program: tests/measure/data."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.profile = pathlib.Path(place.name, "profile.json")
        self.table = pathlib.Path(place.name, "ar590.txt")
        self.table.write_bytes((MACHINES / "all_reduce_589.txt").read_bytes())
        self.broken = pathlib.Path(place.name, "broken.txt")
        self.broken.write_text("this is no file of any program\n", encoding="utf-8")

    def run_program(self, *words):
        done = subprocess.run([podwright, *words], capture_output=True, encoding="utf-8")
        return done.returncode, re.sub(r"\s+", " ", done.stdout), done.stderr

    def test_a_log_names_the_gpu_the_causes_and_the_command_first(self):
        code, said, _ = self.run_program("verify", MACHINES / "hot_h100.xml")
        self.assertEqual(code, 4)
        self.assertTrue(said.startswith("1 of 8 GPUs needs service. 7 of 8 GPUs are fine. service GPU 3 needs service: "
                                        "2 uncorrectable ECC errors"), said[:200])
        for part in ("a row remap waits for a reset", "next: dcgmi diag -r 3 -i 3", "next: nvidia-smi --gpu-reset -i 3"):
            self.assertIn(part, said)

    def test_a_file_that_cannot_be_read_is_left_out(self):
        code, said, complaint = self.run_program("import", MACHINES / "hot_h100.xml", self.broken, self.table, "-o", self.profile)
        self.assertEqual(code, 0, complaint)
        self.assertIn("GPU 3 needs service", said)
        for part in ("broken.txt is left out", "looks like plain text", "ar590.txt is left out", "which collective"):
            self.assertIn(part, complaint)
        code, said, complaint = self.run_program(
            "import", MACHINES / "hot_h100.xml", self.table, "--read-as", f"{self.table}=all_reduce", "-o", self.profile)  # fmt: skip
        self.assertEqual((code, complaint), (0, ""))
        self.assertIn("All-reduce at 589 GB/s is impossible", said)

    def test_the_gpu_can_be_corrected_and_the_profile_keeps_it(self):
        self.run_program("import", MACHINES / "hot_h100.xml", "--gpu", "h100-pcie-80gb", "-o", self.profile)
        devices = json.loads(self.profile.read_text(encoding="utf-8"))["devices"]
        self.assertEqual({(one["key"], one["key_match"]) for one in devices}, {("h100-pcie-80gb", "chosen")})
        self.assertEqual(self.run_program("verify", MACHINES / "hot_h100.xml", "--gpu", "d3=h1000")[0], 2)


class OwnRuns(unittest.TestCase):
    def compare(self, table, *more):
        return subprocess.run([podwright, "backtest", "--mine", table, *more], capture_output=True, encoding="utf-8")

    def test_the_example_gets_a_sentence_and_advice(self):
        done = self.compare(EXAMPLES / "own_runs.csv")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout.replace("\n", " "), r"5 runs are .* predicted: .* lie in the 90 % interval\.")
        mine = json.loads(self.compare(EXAMPLES / "own_runs.csv", "--json").stdout)["mine"]
        self.assertEqual([(own["figures"], own["rows"]) for own in mine], [("serving", 5)])
        self.assertIn(mine[0]["advice"]["message"].split(":")[0], done.stdout.replace("\n", " "))

    def test_mistakes_are_named(self):
        table = (EXAMPLES / "own_runs.csv").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "runs.csv")
            path.write_text(table.replace("output_len", "output_length"), encoding="utf-8")
            refused = self.compare(path)
            self.assertEqual(refused.returncode, 2)
            self.assertIn('runs.csv:1: The table lacks the column "output_len"', refused.stderr)
            path.write_text(table.replace(",tp,", ",tensr,"), encoding="utf-8")
            self.assertIn('runs.csv: the column "tensr" is not known and not read', self.compare(path).stdout)


class Completed(unittest.TestCase):
    def completions(self, *words):
        """What bash offers for the last of the words."""
        script = 'source /dev/stdin; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _podwright; echo "${COMPREPLY[@]}"'
        text = subprocess.run([podwright, "describe", "bash"], capture_output=True, check=True).stdout
        run = subprocess.run(["bash", "--norc", "-c", script, "bash", *words], input=text, capture_output=True, check=True)
        return run.stdout.decode().split()

    def test_commands_options_and_values(self):
        self.assertEqual(self.completions("podwright", "pl"), ["plan"])
        self.assertEqual(self.completions("podwright", "catalog", ""), ["list", "show", "check"])
        self.assertEqual(self.completions("podwright", "study", "exam", "--s"), ["--seed"])
        self.assertEqual(self.completions("podwright", "probe", "--backend", "c"), ["cuda", "cpu"])
        self.assertEqual(self.completions("podwright", "describe", ""), ["bash", "fish", "man", "zsh"])

    def test_files_where_no_word_fits(self):
        self.assertEqual(self.completions("podwright", "plan", ""), [])
        self.assertEqual(self.completions("podwright", "plan", "--catalog", "x"), [])

    def test_what_help_names_is_offered(self):
        listed = subprocess.run([podwright, "--help"], capture_output=True, encoding="utf-8").stdout
        commands = re.findall(r"^  (\w+) +\S", listed.split("Subcommands:")[1].split("Example:")[0], flags=re.M)
        self.assertEqual(self.completions("podwright", ""), commands)


if __name__ == "__main__":
    unittest.main()
