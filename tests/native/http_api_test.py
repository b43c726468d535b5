"""The engine over HTTP, as its clients use it and as others may misuse it.

    http_api_test.py PODWRIGHT
"""

import contextlib
import http.client
import json
import os
import pathlib
import random
import re
import resource
import signal
import socket
import subprocess
import time
import unittest

from commands_test import EXAMPLES, Site, podwright

GOLDEN = pathlib.Path(__file__).parents[1] / "golden/requests"
MACHINES = pathlib.Path(__file__).parents[1] / "measure/data"
JSON = b"Content-Type: application/json\r\n"


def kinds():
    listed = json.loads(subprocess.run([podwright, "schema"], capture_output=True, check=True).stdout)
    return {one["kind"] for one in listed["kinds"]}


def long_request():
    """One that takes about two seconds."""
    request = json.loads((EXAMPLES / "replay_chat_70b.json").read_bytes())
    return json.dumps(request | {"duration_s": 300000}).encode()


def message(body, fields=JSON, line=b"POST /v1/answer HTTP/1.1", host=b"localhost"):
    length = b"Content-Length: %d\r\n" % len(body)
    return line + b"\r\nHost: " + host + b"\r\n" + fields + length + b"\r\n" + body


class Api(Site):
    """The engine over HTTP."""

    def serve(self, *words):
        return super().serve("--api", *words)

    def send(self, path, body, method="POST", **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        given = {"Content-Type": "application/json"} | {name.replace("_", "-"): value for name, value in fields.items()}
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer, text

    def problem(self, path, body, **fields):
        answer, text = self.send(path, body, **fields)
        return answer.status, json.loads(text)["error"]

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=120)
        self.addCleanup(connection.close)
        return connection

    def status_of(self, sent, more_may_come=True):
        """Of the first answer to these bytes; None where the connection is ended without one."""
        with self.connect() as connection:
            with contextlib.suppress(OSError):
                connection.sendall(sent)
                if not more_may_come:
                    connection.shutdown(socket.SHUT_WR)
            answer = http.client.HTTPResponse(connection)
            try:
                answer.begin()
            except (http.client.HTTPException, ConnectionError):
                return None
            return answer.status

    def is_there(self):
        self.assertEqual(self.send("/healthz", None, method="GET")[0].status, 200)

    def processes(self, served):
        return pathlib.Path(f"/proc/{served.pid}/task/{served.pid}/children").read_text(encoding="ascii").split()

    def wait_for_processes(self, served, count):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if len(found := self.processes(served)) == count:
                return found
        self.fail(f"{found} are not {count}")

    def asked_and_stopped(self, served):
        """A connection whose answer will never be ready, because its process stands still."""
        connection = self.connect()
        connection.sendall(message(long_request()))
        os.kill(int(self.wait_for_processes(served, 1)[0]), signal.SIGSTOP)
        return connection

    def answer_on(self, connection):
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer, json.loads(answer.read())

    def test_answers_are_the_bytes_of_the_program(self):
        self.serve()
        for name, command in (("chat_70b", "plan"), ("serving_70b", "estimate"), ("infeasible", "estimate"), ("cost_h100", "cost")):
            request = (EXAMPLES / f"{name}.json").read_bytes()
            printed = subprocess.run([podwright, command, "-", "--json"], input=request, capture_output=True)
            kind = json.loads(request)["kind"]
            for path in ("/v1/answer", f"/v1/{kind}"):
                answer, text = self.send(path, request)
                self.assertEqual((answer.status, text), (200, printed.stdout), name)
                self.assertEqual(answer.headers["Podwright-Outcome"], ["answer", "infeasible"][printed.returncode])
                self.assertEqual(answer.headers["Content-Type"], "application/json")
                self.assertIsNone(answer.headers["Access-Control-Allow-Origin"])

    def test_the_path_may_name_the_kind(self):
        self.serve()
        answer, text = self.send("/v1/rule_of_thumb", b'{"parameters": 7e9}')
        self.assertEqual((answer.status, json.loads(text)["kind"]), (200, "rule_of_thumb"))

    def test_wrong_input_names_its_place(self):
        self.serve()
        self.assertEqual(self.problem("/v1/answer", b"{}")[0], 422)
        status, error = self.problem("/v1/answer", b'{"kind": "cost", "cont": 1}')
        self.assertEqual((status, error["code"], error["path"]), (422, "unknown-key", "/cont"))
        self.assertEqual(self.problem("/v1/answer", b"not JSON")[1]["code"], "not-json")

    def test_what_is_not_a_request_is_refused(self):
        self.serve("--body-limit", "0.01")
        self.assertEqual(self.problem("/v1/answer", b"{}", Content_Type="text/plain")[0], 415)
        self.assertEqual(self.problem("/v1/answer", b" " * 15_000)[0], 413)
        self.assertEqual(self.problem("/v1/none", b"{}")[0], 404)
        self.assertEqual(self.problem("/v1/answer", None, method="GET")[0], 405)
        self.assertEqual(self.problem("/healthz", b"{}")[0], 405)
        self.assertEqual(self.problem("/v1/answer", b"{}", Host="somewhere.example")[0], 421)
        self.assertEqual(self.send("/", b"", method="POST")[0].status, 405)
        self.assertEqual(self.send("/", None, method="GET")[1], b"this is index.html")
        for method in ("PUT", "DELETE", "PATCH"):
            status, error = self.problem("/v1/plan", b"{}", method=method)
            self.assertEqual((status, error["hint"]), (405, "Send POST."))
        answer, text = self.send("/healthz", None, method="GET")
        self.assertEqual((answer.status, json.loads(text)["status"]), (200, "ok"))

    def test_without_a_site_every_other_path_says_so(self):
        (self.site / "index.html").unlink()
        self.serve()
        for path in ("/", "/index.html", "/v1", "/favicon.ico"):
            status, error = self.problem(path, None, method="GET")
            self.assertEqual((status, error["hint"]), (404, "GET /v1/openapi.json lists the paths."), path)

    def test_many_at_once_and_some_that_go_away(self):
        served = self.serve("--at-once", "2")
        request = (EXAMPLES / "serving_70b.json").read_bytes()
        wanted = self.send("/v1/answer", request)[1]
        head = f"POST /v1/answer HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(request)}\r\n\r\n"
        open_ones = [socket.create_connection(("127.0.0.1", self.port), timeout=120) for _ in range(12)]
        for one in open_ones:
            one.sendall(head.encode() + request)
        for one in open_ones[::3]:
            one.close()
        for one in open_ones:
            if one.fileno() >= 0:
                answer = http.client.HTTPResponse(one)
                answer.begin()
                self.assertEqual((answer.status, answer.read()), (200, wanted))
                one.close()
        # Two requests in one message are answered one after the other.
        with socket.create_connection(("127.0.0.1", self.port), timeout=120) as one:
            one.sendall(2 * (head.encode() + request))
            answer = http.client.HTTPResponse(one)
            answer.begin()
            self.assertEqual(answer.read(), wanted)
        served.send_signal(signal.SIGTERM)
        self.assertEqual(served.wait(20), 0)

    def test_pages_of_listed_origins_may_read(self):
        self.serve("--cors", "https://planner.example")
        preflight, _ = self.send("/v1/answer", None, method="OPTIONS", Origin="https://planner.example")
        self.assertEqual(preflight.status, 204)
        self.assertEqual(preflight.headers["Access-Control-Allow-Origin"], "https://planner.example")
        self.assertEqual(preflight.headers["Access-Control-Allow-Headers"], "content-type")
        other, _ = self.send("/v1/answer", b"{}", Origin="https://other.example")
        self.assertIsNone(other.headers["Access-Control-Allow-Origin"])

    def test_random_bytes_break_nothing(self):
        self.serve()
        chance = random.Random(29)
        for _ in range(60):
            body = bytes(chance.randrange(256) for _ in range(chance.randrange(200)))
            self.assertEqual(self.send("/v1/answer", body)[0].status, 422)
        for _ in range(30):
            with socket.create_connection(("127.0.0.1", self.port), timeout=10) as one:
                one.sendall(bytes(chance.randrange(256) for _ in range(chance.randrange(400))) + b"\r\n\r\n")
        self.assertEqual(self.send("/healthz", None, method="GET")[0].status, 200)

    def test_the_document_names_all_kinds_and_its_references_lead_somewhere(self):
        self.serve()
        text = self.send("/v1/openapi.json", None, method="GET")[1]
        self.assertEqual(text, subprocess.run([podwright, "schema", "--openapi"], capture_output=True).stdout)
        document = json.loads(text)
        self.assertEqual(document["openapi"], "3.1.0")
        listed = json.loads(subprocess.run([podwright, "schema"], capture_output=True).stdout)
        paths = {f"/v1/{one['kind']}" for one in listed["kinds"]} | {"/v1/answer", "/v1/openapi.json", "/healthz"}
        self.assertEqual(set(document["paths"]), paths)
        references = set(re.findall(rb'"#/([^"]*)"', text))
        self.assertGreater(len(references), 40)
        for reference in references:
            place = document
            for step in reference.decode().split("/"):
                place = place[step]

    def test_every_request_of_every_kind_has_the_bytes_of_the_program(self):
        self.serve()
        log = {"name": "all_reduce.txt", "text": (MACHINES / "all_reduce_589.txt").read_text(encoding="utf-8")}
        requests = [text for path in sorted(GOLDEN.glob("*.json")) if (text := path.read_bytes()).strip()]
        requests.append(json.dumps({"kind": "import", "files": [log]}).encode())
        lines = b"".join(request.replace(b"\n", b" ") + b"\n" for request in requests)
        printed = subprocess.run([podwright, "estimate", "--jsonl", "-"], input=lines, capture_output=True).stdout
        printed = re.sub(rb'^{"line":\d+,', b"{", printed, flags=re.M)  # which only a stream has
        answered, at = set(), 0
        for request in requests:
            answer, text = self.send("/v1/answer", request)
            wanted = printed[at : (at := at + len(text))]
            self.assertEqual(text, wanted)
            self.assertEqual(answer.status, 422 if text.startswith(b'{"errors"') else 200, text[:200])
            if answer.status == 200:
                kind = json.loads(request)["kind"]
                answered.add(kind)
                self.assertEqual(self.send(f"/v1/{kind}", request)[1], wanted)
        self.assertEqual(at, len(printed))
        self.assertEqual(answered, kinds())

    def test_a_path_refuses_requests_of_other_kinds(self):
        self.serve()
        request = (EXAMPLES / "cost_h100.json").read_bytes()
        for kind in kinds() - {"cost"}:
            status, error = self.problem(f"/v1/{kind}", request)
            self.assertEqual((status, error["code"], error["path"]), (422, "conflict", "/kind"))
            self.assertIn("/v1/cost", error["hint"])
        # What is no kind at all, the engine says.
        self.assertEqual(self.problem("/v1/cost", b'{"kind": "costs"}')[1]["code"], "out-of-range")
        self.assertEqual(self.problem("/v1/cost", b'{"kind": 1}')[1]["code"], "wrong-type")
        self.assertEqual(self.problem("/v1/cost", b"[]")[1]["code"], "wrong-type")

    def test_a_process_that_stands_still_is_ended_in_time(self):
        served = self.serve("--time-limit", "2", "--at-once", "1")
        stopped = self.asked_and_stopped(served)
        waiting = self.connect()
        waiting.sendall(message(b'{"kind": "rule_of_thumb", "parameters": 7e9}'))
        answer, text = self.answer_on(stopped)
        self.assertEqual((answer.status, text["error"]["code"]), (504, "out-of-range"))
        # The one behind it has waited nearly as long: it is answered, or sent away.
        self.assertIn(self.answer_on(waiting)[0].status, (200, 503, 504))
        self.assertEqual(self.send("/v1/rule_of_thumb", b'{"parameters": 7e9}')[0].status, 200)
        self.wait_for_processes(served, 0)

    def test_a_process_that_dies_loses_its_own_answer_alone(self):
        served = self.serve("--at-once", "1")
        stopped = self.asked_and_stopped(served)
        os.kill(int(self.processes(served)[0]), signal.SIGKILL)
        self.assertEqual(self.answer_on(stopped)[0].status, 500)
        self.assertEqual(self.send("/v1/rule_of_thumb", b'{"parameters": 7e9}')[0].status, 200)

    def test_more_than_can_wait_are_sent_away(self):
        served = self.serve("--at-once", "1")
        stopped = self.asked_and_stopped(served)
        others = [self.connect() for _ in range(80)]
        for one in others:
            one.sendall(message(b'{"kind": "rule_of_thumb", "parameters": 7e9}'))
        answer, text = self.answer_on(others[-1])
        self.assertEqual((answer.status, answer.headers["Retry-After"], text["error"]["code"]), (503, "1", "conflict"))
        os.kill(int(self.processes(served)[0]), signal.SIGCONT)
        self.assertEqual(self.answer_on(stopped)[0].status, 200)
        statuses = [self.answer_on(one)[0].status for one in others[:-1]]
        self.assertEqual((statuses.count(200), statuses.count(503)), (64, 15))

    def test_the_answer_of_a_client_that_went_away_is_not_worked_out(self):
        served = self.serve("--at-once", "1")
        self.asked_and_stopped(served).close()
        self.wait_for_processes(served, 0)
        self.is_there()

    def test_only_this_machine_may_be_named(self):
        self.serve()
        request = b'{"kind": "rule_of_thumb", "parameters": 7e9}'
        for host in (b"localhost", b"LocalHost:80", b"127.0.0.1", b"127.0.0.1:%d" % self.port, b"[::1]", b"[::1]:8080"):
            self.assertEqual(self.status_of(message(request, host=host)), 200, host)
        for host in (b"example.org", b"localhost.example.org", b"127.0.0.1.example.org", b"0.0.0.0", b"[::2]", b"xlocalhost",
                     b"localhost@example.org", b"192.168.1.1:80"):  # fmt: skip
            self.assertIn(self.status_of(message(request, host=host)), (421, 400), host)
        # The address in the first line has precedence over the field.
        line = b"POST http://example.org/v1/answer HTTP/1.1"
        self.assertEqual(self.status_of(message(request, line=line)), 421)
        for path in ("/healthz", "/v1/openapi.json"):
            self.assertEqual(self.send(path, None, method="GET", Host="example.org")[0].status, 421)

    def test_other_origins_read_nothing_unless_they_are_named(self):
        self.serve()
        asked, _ = self.send("/v1/answer", None, method="OPTIONS", Origin="https://example.org")
        self.assertEqual(asked.status, 405)
        asks = {"Origin": "https://example.org", "Access_Control_Request_Method": "POST"}
        self.assertIn("--cors", self.problem("/v1/answer", None, method="OPTIONS", **asks)[1]["hint"])
        for path, method in (("/v1/answer", "POST"), ("/v1/openapi.json", "GET"), ("/healthz", "GET")):
            answer, _ = self.send(path, b"{}" if method == "POST" else None, method=method, Origin="https://example.org")
            self.assertFalse([name for name in answer.headers if name.lower().startswith("access-control")])
        # A form of another page can send these without being asked first.
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain; application/json"):
            self.assertEqual(self.problem("/v1/answer", b"{}", Content_Type=kind)[0], 415)

    def test_the_document_has_every_status_that_the_server_sends(self):
        self.serve()
        document = json.loads(self.send("/v1/openapi.json", None, method="GET")[1])
        for path, methods in document["paths"].items():
            wanted = {"200", "413", "415", "421", "422", "500", "503", "504"} if "post" in methods else {"200", "421"}
            (operation,) = methods.values()
            self.assertEqual(set(operation["responses"]), wanted, path)

    def test_broken_http_ends_no_more_than_its_connection(self):
        served = self.serve("--body-limit", "0.1")
        start = b"POST /v1/answer HTTP/1.1\r\nHost: localhost\r\n" + JSON
        chunked = start + b"Transfer-Encoding: chunked\r\n\r\n"
        cases = {
            "no request": b"\r\n\r\n",
            "zeros": b"\0" * 5000,
            "no version": b"POST /v1/answer\r\n\r\n",
            "a version of the future": b"POST /v1/answer HTTP/99.99\r\n\r\n",
            "an unknown method": b"BREW /v1/answer HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "a path that is none": b"POST %%%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "a path of a megabyte": b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n\r\n",
            "a field of a megabyte": start + b"X: " + b"a" * 1_000_000 + b"\r\n\r\n",
            "a hundred thousand fields": start + b"X: a\r\n" * 100_000 + b"\r\n",
            "a field without a colon": start + b"what is this\r\n\r\n",
            "a field that goes on": start + b" more\r\n\tand more\r\nContent-Length: 2\r\n\r\n{}",
            "a negative length": start + b"Content-Length: -1\r\n\r\n{}",
            "a length that is none": start + b"Content-Length: 0x2\r\n\r\n{}",
            "a length beyond all": start + b"Content-Length: 99999999999999999999\r\n\r\n{}",
            "a length beyond the limit": start + b"Content-Length: 9000000000\r\n\r\n{}",
            "two lengths": start + b"Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}",
            "a length and chunks": start + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            "a chunk that is none": chunked + b"zz\r\n{}\r\n",
            "a negative chunk": chunked + b"-2\r\n{}\r\n0\r\n\r\n",
            "a chunk beyond all": chunked + b"ffffffffffffffffff\r\n{}\r\n",
            "a chunk beyond the limit": chunked + b"fffffff\r\n{}\r\n",
            "chunks beyond the limit": chunked + (b"1000\r\n" + b" " * 4096 + b"\r\n") * 100 + b"0\r\n\r\n",
            "a body that ends early": start + b"Content-Length: 20\r\n\r\n{",
            "an upgrade": start + b"Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}",
            "a session of TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
            "HTTP 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        }
        for name, sent in cases.items():
            self.assertNotEqual(self.status_of(sent, more_may_come=False), 200, name)
            self.assertIsNone(served.poll(), name)
        self.is_there()
        # The same parts in other order, cut and joined by chance.
        chance = random.Random(290)
        parts = [part for sent in cases.values() for part in re.findall(rb"[^\r\n]{1,200}\r?\n?", sent)[:50]]
        for _ in range(200):
            sent = b"".join(chance.choice(parts) for _ in range(chance.randint(1, 30)))
            self.status_of(sent[: chance.randint(1, len(sent))], more_may_come=False)
        self.is_there()

    def test_chunks_are_a_body(self):
        self.serve()
        body = b'{"kind": "rule_of_thumb", "parameters": 7e9}'
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(body[i : i + 7]), body[i : i + 7]) for i in range(0, len(body), 7))
        fields = JSON + b"Transfer-Encoding: chunked\r\n\r\n"
        sent = b"POST /v1/answer HTTP/1.1\r\nHost: localhost\r\n" + fields + chunks + b"0\r\n\r\n"
        self.assertEqual(self.status_of(sent), 200)

    def test_a_body_that_others_see_end_elsewhere_is_refused_with_all_behind_it(self):
        self.serve()
        body = b'{"kind": "rule_of_thumb", "parameters": 7e9}'
        length = b"Content-Length: %d\r\n" % len(body)
        for fields in (
            length + b"Content-Length: 400\r\n",
            length.replace(b":", b" :"),
            length.replace(b": ", b": +"),
            b"Transfer-Encoding: xchunked\r\n",
            b"Transfer-Encoding: gzip, chunked\r\n",
            length + b"Transfer-Encoding: chunked\r\n",
        ):
            with self.connect() as connection:
                start = b"POST /v1/answer HTTP/1.1\r\nHost: localhost\r\n" + JSON + fields + b"\r\n"
                connection.sendall(start + body + message(body))
                answer = b""
                with contextlib.suppress(ConnectionError):
                    while more := connection.recv(65536):
                        answer += more
            self.assertIn(answer[9:12], (b"400", b"413"), fields)
            self.assertEqual(answer.count(b"HTTP/1.1 "), 1, fields)

    def test_hostile_json_is_wrong_input(self):
        self.serve()
        for body in (b"[" * 1_000_000, b'{"a":' * 500_000, b'{"kind":"plan"}' * 2, b"\xff\xfe{}", b"\xef\xbb\xbf{}", b"", b"null",
                     b'{"kind": "plan", "kind": "cost"}', b'{"kind": "' + b"x" * 1_000_000 + b'"}', b"1e999999",
                     b'{"kind": "rule_of_thumb", "parameters": 1e400}', b'{"kind": "\\ud800"}'):  # fmt: skip
            self.assertEqual(self.send("/v1/answer", body)[0].status, 422, body[:40])

    def test_slow_clients_keep_nobody_waiting(self):
        served = self.serve("--at-once", "1", "--patience", "600")
        whole = message((EXAMPLES / "chat_70b.json").read_bytes())
        slow = [self.connect() for _ in range(100)]
        for at, one in enumerate(slow):
            one.sendall(whole[: 1 + at * 7])
        self.assertEqual(self.send("/v1/rule_of_thumb", b'{"parameters": 7e9}')[0].status, 200)
        self.assertEqual(self.processes(served), [])
        slow[0].sendall(whole[1:])
        self.assertEqual(self.answer_on(slow[0])[0].status, 200)
        served.send_signal(signal.SIGTERM)
        self.assertEqual(served.wait(20), 0)

    def test_more_connections_than_descriptors(self):
        served = self.serve()
        resource.prlimit(served.pid, resource.RLIMIT_NOFILE, (40, 40))
        many = [self.connect() for _ in range(100)]
        for one in many[:20]:
            one.sendall(message(b'{"kind": "rule_of_thumb", "parameters": 7e9}'))
        # With no descriptor left an answer can be lost, and is then said to be.
        self.assertLessEqual({self.answer_on(one)[0].status for one in many[:20]}, {200, 500})
        for one in many:
            one.close()
        self.assertEqual(self.send("/v1/rule_of_thumb", b'{"parameters": 7e9}')[0].status, 200)


if __name__ == "__main__":
    unittest.main()
