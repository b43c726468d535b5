"""What the program does as a process: the site that it serves, quotes that it reads, completions that it writes.

    commands_test.py PODWRIGHT
"""

import http.client
import json
import os
import pathlib
import random
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


class Site(unittest.TestCase):
    """A small site that the program serves."""

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

    def ask(self, path, method="GET", **fields):
        """`fields`: of the request, with _ for -; a list is as many lines."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.putrequest(method, path, skip_host="Host" in fields, skip_accept_encoding=True)
        for name, given in fields.items():
            for value in given if isinstance(given, list) else [given]:
                connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body


class Served(Site):
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
        for method in ("POST", "PUT", "DELETE", "PATCH"):
            refused, text = self.ask("/a.js", method)
            self.assertEqual((refused.status, refused.headers["Allow"]), (405, "GET, HEAD"))
            self.assertEqual(json.loads(text)["error"]["hint"], "Send GET.")

    def test_a_browser_that_goes_away_ends_nothing(self):
        self.serve()
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", self.port)) as asked:
                asked.sendall(b"GET /large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n")
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


class Forms(Site):
    """A file whose smaller forms are beside it. What is in them tells them apart; the program does not unpack."""

    def setUp(self):
        super().setUp()
        (self.site / "a.js.br").write_bytes(b"brotli")
        (self.site / "a.js.gz").write_bytes(b"gzipped")
        (self.site / "a.css.gz").write_bytes(b"gzipped")
        self.serve()

    def form_of(self, path, accepted):
        answer, body = self.ask(path, **({} if accepted is None else {"Accept_Encoding": accepted}))
        self.assertEqual(answer.headers["Vary"], "Accept-Encoding", accepted)
        if answer.status == 406:
            return None
        form = answer.headers["Content-Encoding"] or "identity"
        self.assertEqual((answer.status, answer.headers.get_content_type()), (200, self.kind(path)), accepted)
        self.assertEqual(body, {"br": b"brotli", "gzip": b"gzipped"}.get(form, f"this is {path[1:]}".encode()), accepted)
        return form

    def kind(self, path):
        return {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}[pathlib.Path(path).suffix]

    def test_the_form_that_is_wanted_most(self):
        wanted = {
            None: "identity", "": "identity", "gzip, deflate, br, zstd": "br", "gzip, deflate": "gzip", "deflate": "identity",
            "br;q=0.5, gzip;q=0.9": "gzip", "br;q=0.5,gzip": "gzip", "gzip;q=0.8, br;q=0.8": "br", "BR ; Q=1.000": "br",
            "identity, br;q=0.9": "identity", "gzip;q=0.001": "gzip", "br;q=0, gzip": "gzip", "br;q=0": "identity",
            "*": "br", "*;q=0.5, gzip": "gzip", "gzip;q=0.5, *;q=0": "gzip", "br;q=0, *": "gzip",
            "identity;q=1, *;q=0": "identity", "identity;q=0": None, "*;q=0": None, "deflate, identity;q=0": None,
            "identity;q=0, gzip": "gzip", "identity;q=0, *;q=0.1": "br",
            # A weight that is not one refuses.
            "br;q=1.5": "identity", "br;q=high": "identity", "br;q=0.1234": "identity", "br;level=9": "identity",
            "br;q=": "identity", "br;q=1.": "br", "br;": "br", ",, ,gzip ,": "gzip", ";q=1": "identity", "brotli, xgzip": "identity",
        }  # fmt: skip
        for accepted, form in wanted.items():
            self.assertEqual(self.form_of("/a.js", accepted), form, accepted)
        self.assertEqual(self.form_of("/a.js", ["deflate", "gzip"]), "gzip")

    def test_only_forms_that_are_there(self):
        self.assertEqual(self.form_of("/a.css", "gzip, br"), "gzip")
        self.assertEqual(self.form_of("/a.css", "br"), "identity")
        self.assertIsNone(self.form_of("/a.css", "br, identity;q=0"))
        self.assertEqual(self.form_of("/a.svg", "gzip, br"), "identity")
        (self.site / "gone.js.br").write_bytes(b"brotli")
        self.assertEqual(self.ask("/gone.js", Accept_Encoding="br")[0].status, 404)

    def test_no_form_of_an_older_file(self):
        time = (self.site / "a.js").stat().st_mtime_ns
        os.utime(self.site / "a.js.br", ns=(time, time))
        self.assertEqual(self.form_of("/a.js", "gzip, br"), "br")
        os.utime(self.site / "a.js.br", ns=(time - 1, time - 1))
        self.assertEqual(self.form_of("/a.js", "gzip, br"), "gzip")
        os.utime(self.site / "a.js", ns=(time + 10**10, time + 10**10))
        self.assertEqual(self.form_of("/a.js", "gzip, br"), "identity")

    def test_heads_say_what_the_file_would(self):
        for accepted in ("br", "gzip", "identity"):
            whole, body = self.ask("/a.js", Accept_Encoding=accepted)
            head, nothing = self.ask("/a.js", "HEAD", Accept_Encoding=accepted)
            self.assertEqual((head.status, nothing), (200, b""))
            without_date = [[one for one in answer.getheaders() if one[0] != "Date"] for answer in (head, whole)]
            self.assertEqual(*without_date)
            self.assertEqual(int(head.headers["Content-Length"]), len(body))

    def test_what_is_kept_is_not_sent_again(self):
        tags = {}
        for accepted in ("br", "gzip", "identity"):
            answer, _ = self.ask("/a.js", Accept_Encoding=accepted)
            self.assertEqual(answer.headers["Cache-Control"], "no-cache")
            tag, date = tags[accepted] = answer.headers["ETag"], answer.headers["Last-Modified"]
            for fields in ({"If_None_Match": tag}, {"If_None_Match": f'"x", W/{tag}'}, {"If_None_Match": "*"},
                           {"If_Modified_Since": date}, {"If_Modified_Since": "Fri, 01 Jan 2999 00:00:00 GMT"}):  # fmt: skip
                kept, body = self.ask("/a.js", Accept_Encoding=accepted, **fields)
                self.assertEqual((kept.status, body, kept.headers["ETag"]), (304, b"", tag), fields)
                self.assertEqual(kept.headers["Vary"], "Accept-Encoding")
            for fields in ({"If_None_Match": '"x"'}, {"If_None_Match": '"x"', "If_Modified_Since": date},
                           {"If_Modified_Since": "Thu, 01 Jan 1970 00:00:00 GMT"}, {"If_Modified_Since": "today"}):  # fmt: skip
                self.assertEqual(self.ask("/a.js", Accept_Encoding=accepted, **fields)[0].status, 200, fields)
        self.assertEqual(len({tag for tag, _ in tags.values()}), 3)
        self.assertEqual(self.ask("/a.js", Accept_Encoding="gzip", If_None_Match=tags["br"][0])[0].status, 200)
        (self.site / "a.js").write_text("this is another", encoding="utf-8")
        tag, date = tags["identity"]
        self.assertEqual(self.ask("/a.js", If_None_Match=tag)[1], b"this is another")

    def test_parts_of_files_as_they_are(self):
        content = b"this is a.js"
        tag, date = (self.ask("/a.js")[0].headers[name] for name in ("ETag", "Last-Modified"))
        parts = {"bytes=0-3": (0, 3), "bytes=5-": (5, 11), "bytes=-4": (8, 11), "bytes=-99": (0, 11), "bytes=11-99": (11, 11)}
        for asked, (first, last) in parts.items():
            for fields in ({}, {"If_Range": tag}, {"If_Range": date}):
                answer, body = self.ask("/a.js", Range=asked, **fields)
                self.assertEqual((answer.status, body), (206, content[first : last + 1]), asked)
                self.assertEqual(answer.headers["Content-Range"], f"bytes {first}-{last}/12")
        for asked in ("bytes=12-", "bytes=-0", "bytes=500-600"):
            answer, body = self.ask("/a.js", Range=asked)
            self.assertEqual((answer.status, answer.headers["Content-Range"], body), (416, "bytes */12", b""), asked)
        for asked in ("bytes=0-1,3-4", "lines=1-2", "bytes=3-1", "bytes=-", "bytes=x-", "bytes=1-x", "bytes", "",
                      "bytes=99999999999999999999-", "bytes=--1"):  # fmt: skip
            answer, body = self.ask("/a.js", Range=asked)
            self.assertEqual((answer.status, body, answer.headers["Accept-Ranges"]), (200, content, "bytes"), asked)
        self.assertEqual(self.ask("/a.js", Range="bytes=0-3", If_Range='"x"')[1], content)
        answer, body = self.ask("/a.js", Range="bytes=0-3", Accept_Encoding="br")
        self.assertEqual((answer.status, body, answer.headers["Accept-Ranges"]), (200, b"brotli", None))
        self.assertEqual(self.ask("/large.txt", Range="bytes=1234567-1234576")[1], b"7890123456")
        self.assertEqual(self.ask("/site.webmanifest", Range="bytes=-1")[0].status, 416)

    def test_answers_without_a_body_end_where_they_end(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        self.addCleanup(connection.close)
        asked = [("HEAD", {}, 200), ("GET", {"If-None-Match": "*"}, 304), ("GET", {"Range": "bytes=99-"}, 416),
                 ("GET", {"Accept-Encoding": "*;q=0"}, 406), ("GET", {"Accept-Encoding": "br"}, 200)]  # fmt: skip
        for method, fields, status in asked * 2:
            connection.request(method, "/a.js", headers={"Accept-Encoding": "identity", **fields})
            answer = connection.getresponse()
            self.assertEqual((answer.status, answer.read()), (status, b"brotli" if fields.get("Accept-Encoding") == "br" else b""))

    def test_nonsense_is_answered(self):
        draw = random.Random(1)
        words = ["br", "gzip", "identity", "*", "bytes", "q", "=", ";", ",", " ", "-", '"', "W/", "0", ".", "5", "99999999999999999999"]
        for _ in range(500):
            text = "".join(draw.choices(words, k=draw.randrange(9))).strip()
            field = draw.choice(["Accept_Encoding", "If_None_Match", "If_Modified_Since", "Range", "If_Range"])
            answer, body = self.ask("/a.js", **{"Range": "bytes=1-2", field: text})
            self.assertIn(answer.status, (200, 206, 304, 406, 416), (field, text))
            self.assertEqual(len(body), int(answer.headers["Content-Length"] or 0), (field, text))


class Printed(unittest.TestCase):
    def test_every_example_as_text(self):
        for example in sorted(EXAMPLES.glob("*.json")) or self.fail("no examples"):
            kind = json.loads(example.read_text(encoding="utf-8")).get("kind", "plan")
            verb = {"serving": "estimate", "training": "estimate", "fabric": "architecture"}.get(kind, kind)
            done = subprocess.run([podwright, verb, example], capture_output=True, encoding="utf-8")
            self.assertIn(done.returncode, (0, 1), f"{example.name}: {done.stderr}")
            self.assertTrue(done.stdout.strip(), example.name)


class Understood(unittest.TestCase):
    def test_what_is_not_understood_of_a_model_is_said_first(self):
        config = {"model_type": "bert", "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096,
                  "vocab_size": 30522}  # fmt: skip
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump(config, file)
            file.flush()
            given = ["--model", file.name, "--gpu", "h200", "--gpu-count", "1", "--rate", "2"]
            for words in (["estimate", *given, "--engine", "vllm", "--weight-precision", "bf16"], ["plan", "--model", file.name, "--rate", "2"],
                          ["search", "--model", file.name, "--gpu", "h200", "--rate", "2", "--ttft", "5", "--tpot", "0.2"]):  # fmt: skip
                done = subprocess.run([podwright, *words], capture_output=True, encoding="utf-8", check=False)
                self.assertIn("These fields of the model's file", "".join(done.stdout.splitlines(True)[:6]), done.stderr)
                self.assertEqual(done.stdout.count("model_type"), 1, words)


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

    def request(self):
        path = pathlib.Path(self.profile.parent, "request.json")
        path.write_text(json.dumps({
            "kind": "serving", "model": "llama-3.1-8b", "gpu": "h100-sxm5-80gb", "gpu_count": 1, "weight_precision": "bf16",
            "engine": "vllm", "input_tokens": 512, "output_tokens": 128, "load": {"concurrency": 8}}), encoding="utf-8")  # fmt: skip
        return path

    def test_a_plan_on_a_sick_machine_is_answered(self):
        self.assertEqual(self.run_program("import", MACHINES / "hot_h100.xml", "-o", self.profile)[0], 0)
        code, said, complaint = self.run_program("verify", self.request(), self.profile)
        self.assertEqual((code, complaint), (4, ""))
        self.assertIn("What the plan assumes of this machine", said)
        self.assertIn("d3: ecc_errors: 2 uncorrectable ECC errors", said)

    def test_a_plan_of_which_nothing_was_measured_is_not_fine(self):
        pass_all = MACHINES / "imports/nvb_copy_engines.json"
        self.assertEqual(self.run_program("import", pass_all, "--gpu", "h100-sxm5-80gb", "-o", self.profile)[0], 0)
        code, said, _ = self.run_program("verify", self.request(), self.profile)
        self.assertEqual(code, 1)
        self.assertIn("The profile contains none of these figures: the plan was not checked.", said)

    def test_files_that_compare_leaves_out_are_counted(self):
        folder = pathlib.Path(self.profile.parent, "fleet")
        folder.mkdir()
        for name in ("hot_h100.xml", "imports/nvb_copy_engines.json"):
            (folder / pathlib.Path(name).name).write_bytes((MACHINES / name).read_bytes())
        complaint = self.run_program("compare", folder)[2]
        self.assertIn("only files *.json are read; name the others (1) that are files of nodes", complaint)

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


class Results(unittest.TestCase):
    """Files of other programs that a command judges or makes rows of: tests/measure/data/imports."""

    def run_program(self, *words):
        done = subprocess.run([podwright, *words], capture_output=True, encoding="utf-8")
        return done.returncode, re.sub(r"\s+", " ", done.stdout), done.stderr

    def test_a_diagnostic_ends_with_the_codes_of_verify(self):
        for name, code in (("dcgm4_pass.json", 0), ("dcgm4_warn_persistence.json", 0), ("dcgm4_fail_memory.json", 4),
                           ("dcgm3_power.json", 4), ("dcgm2_ids.json", 4)):  # fmt: skip
            self.assertEqual(self.run_program("verify", MACHINES / "imports" / name)[0], code, name)
        _, said, _ = self.run_program("verify", MACHINES / "imports" / "dcgm4_fail_memory.json")
        self.assertIn("GPU 1 needs service", said)
        self.assertIn("error 52, isolate", said)

    def test_a_table_of_nccl_tests_is_judged_alone(self):
        code, said, _ = self.run_program("verify", MACHINES / "imports" / "nccl_json_8_gpus.json")
        self.assertEqual(code, 0, said)
        self.assertIn("446 GB/s, at least 420 GB/s is expected", said)

    def test_what_does_not_describe_the_machine_is_left_out(self):
        with tempfile.TemporaryDirectory() as place:
            profile = pathlib.Path(place, "profile.json")
            files = [MACHINES / "imports" / name for name in ("nccl_json_8_gpus.json", "vllm_bench_2025.json", "mlperf_lora.txt")]
            code, said, complaint = self.run_program("import", *files, "-o", profile)
            self.assertEqual(code, 0, complaint)
            self.assertIn("bus 446 GB/s, algorithm 255 GB/s", said)
            self.assertNotIn("95 % interval", said)
            for name in ("vllm_bench_2025.json is left out", "mlperf_lora.txt is left out"):
                self.assertIn(name, complaint)
            # Plans take nothing of it: verify says so, and calibrate ends alike with and without a file.
            self.assertIn("Plans take none of them.", self.run_program("verify", profile)[1])
            table = pathlib.Path(place, "calibration.json")
            self.assertEqual([self.run_program("calibrate", profile, *words)[0] for words in ([], ["-o", table])], [1, 1])
            self.assertFalse(table.exists())
            self.assertEqual(self.run_program("import", files[0], "-o", "-")[0], 3)

    def test_two_commands_say_whether_a_run_is_normal(self):
        with tempfile.TemporaryDirectory() as place:
            table = pathlib.Path(place, "runs.csv")
            words = ("import", MACHINES / "imports" / "sglang_server_info.jsonl", "--rows", "-o", table)
            code, _, complaint = self.run_program(*words)
            self.assertEqual(code, 2)
            self.assertIn("--gpu", complaint)
            code, said, complaint = self.run_program(*words, "--gpu", "h100-sxm5-80gb", "--column", "model=qwen3-32b")
            self.assertEqual((code, complaint), (0, ""))
            self.assertIn("2 runs", said)
            code, said, complaint = self.run_program("backtest", "--mine", table)
            self.assertEqual((code, complaint), (0, ""))
            self.assertRegex(said, r"2 runs are .* predicted")
            self.assertRegex(said, r"run figure measured predicted 90 % interval inside")
            self.assertIn("throughput in several units is one figure", said)
            self.assertIn("| 90 % interval |", self.run_program("backtest", "--mine", table, "--format", "markdown")[1])
            # A run of training, and what it contradicts.
            words = ("import", MACHINES / "imports" / "mlperf_lora.txt", "--rows", "-o", table, "--gpu", "h100-sxm5-80gb")
            code, _, complaint = self.run_program(*words, "--column", "num_gpus=8", "--column", "global_batch=9")
            self.assertEqual(code, 2)
            self.assertIn("/global_batch", complaint)
            self.assertEqual(self.run_program(*words, "--column", "num_gpus=8")[0], 0)
            self.assertEqual(self.run_program("backtest", "--mine", table)[0], 0)
            self.assertEqual(self.run_program(*words, "--column", "num_gpus")[0], 2)
            self.assertEqual(self.run_program("import", MACHINES / "imports" / "mlperf_lora.txt", "-o", table)[0], 2)


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

    def test_ids_words_and_paths_of_requests(self):
        self.assertEqual(self.completions("podwright", "plan", "--model", "llama-3.1-7"), ["llama-3.1-70b"])
        self.assertIn("h100-sxm5-80gb", self.completions("podwright", "cost", "--gpu", "h100"))
        self.assertEqual(self.completions("podwright", "search", "--objective", "t"), ["time"])
        self.assertEqual(self.completions("podwright", "plan", "--goal", "large"), ["largest-load", "largest-model"])
        self.assertEqual(self.completions("podwright", "plan", "--set", "workloads[0].traffic.tu"), ["workloads[0].traffic.turns="])
        self.assertEqual(self.completions("podwright", "estimate", "--max-t"), ["--max-throughput"])

    def test_files_where_no_word_fits(self):
        self.assertEqual(self.completions("podwright", "plan", ""), [])
        self.assertEqual(self.completions("podwright", "plan", "--catalog", "x"), [])

    def test_what_help_names_is_offered(self):
        listed = subprocess.run([podwright, "--help"], capture_output=True, encoding="utf-8").stdout
        commands = re.findall(r"^  ([\w-]+) +\S", listed.split("Subcommands:")[1].split("Example:")[0], flags=re.M)
        self.assertEqual(self.completions("podwright", ""), commands)


if __name__ == "__main__":
    unittest.main()
