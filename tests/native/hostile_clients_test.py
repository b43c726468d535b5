"""`podwright serve` and clients that are slow, many, wrong or hostile, and what else can go wrong while it serves.

    hostile_clients_test.py PODWRIGHT
"""

import contextlib
import http.client
import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest

# Memory that is freed is used again at once, in programs that are built to find mistakes too.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"

from commands_test import EXAMPLES, Site, podwright  # noqa: E402

MEGABYTE = 1_000_000
# More memory than that is not put down to chance; a program that is built to find mistakes takes more for itself.
KEPT = (40 if b"__asan_init" in podwright.read_bytes() else 4) * MEGABYTE
GET = b"GET /a.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
GUARDS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def post(size, path=b"/v1/answer", body=b""):
    fields = b"\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % size
    return b"POST " + path + b" HTTP/1.1" + fields + body


def percentile(values, share):
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


class Hostile(Site):
    def setUp(self):
        super().setUp()
        with (self.site / "huge.bin").open("wb") as huge:
            huge.truncate(100 * MEGABYTE)

    def connect(self, source="127.0.0.1", buffer=None):
        one = socket.socket()
        self.addCleanup(one.close)
        if buffer:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        one.settimeout(120)
        one.bind((source, 0))
        one.connect(("127.0.0.1", self.port))
        return one

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.served.pid}/fd"))

    def memory(self):
        """Resident, in bytes, without what it only looks at: files that it sends."""
        text = pathlib.Path(f"/proc/{self.served.pid}/status").read_text(encoding="ascii")
        return 1024 * int(text.split("RssAnon:")[1].split()[0])

    def children(self):
        return pathlib.Path(f"/proc/{self.served.pid}/task/{self.served.pid}/children").read_text(encoding="ascii").split()

    def serve(self, *words):
        self.served = super().serve(*words)
        return self.served

    def until(self, is_so, what):
        end = time.monotonic() + 60
        while not is_so():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.01)

    def is_closed(self, one):
        """Whether the server has ended the connection; what it sent before is read."""
        one.setblocking(False)
        try:
            while one.recv(65536):
                pass
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True

    def status_of(self, sent, source="127.0.0.1"):
        with self.connect(source) as one:
            with contextlib.suppress(OSError):
                one.sendall(sent)
            answer = http.client.HTTPResponse(one)
            try:
                answer.begin()
            except (http.client.HTTPException, OSError):
                return None
            return answer.status

    def is_there(self, path="/a.js"):
        self.assertEqual(self.ask(path)[0].status, 200)

    def push(self, one, data, most):
        """Sends as much as the server takes of `most` bytes that repeat `data`; returns how many."""
        sent, deadline = 0, time.monotonic() + 1
        one.setblocking(False)
        while sent < most and time.monotonic() < deadline:
            try:
                sent += one.send(data)
                deadline = time.monotonic() + 1
            except BlockingIOError:
                time.sleep(0.005)
            except OSError:
                break
        return sent


class Slow(Hostile):
    def normal(self, count):
        """Seconds of each answer, of a new connection each, and how many there were none of."""
        times, lost = [], 0
        for at in range(count):
            start = time.monotonic()
            try:
                answer, _ = self.ask("/a.js" if at % 2 else "/healthz")
                times.append(time.monotonic() - start)
                lost += answer.status != 200
            except OSError:
                lost += 1
        return times, lost

    def test_M5_200_slow_connections_leave_others_served(self):
        self.serve("--api", "--patience", "3")
        self.normal(20)
        at_rest = self.descriptors()
        alone, _ = self.normal(200)
        silent = [self.connect() for _ in range(50)]
        heads = [self.connect() for _ in range(50)]
        bodies = [self.connect() for _ in range(50)]
        readers = [self.connect(buffer=4096) for _ in range(50)]
        for one in bodies:
            one.sendall(post(1000, body=b"{"))
        for one in readers:
            one.sendall(b"GET /huge.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        letters = iter(GET * 100)
        is_over = threading.Event()

        def a_byte_now_and_then():
            while not is_over.wait(0.3):
                letter = bytes([next(letters)])
                for one in heads + bodies:
                    with contextlib.suppress(OSError):
                        one.send(letter if one in heads else b" ")
                for one in readers:
                    with contextlib.suppress(OSError):
                        one.recv(1, socket.MSG_DONTWAIT)

        writer = threading.Thread(target=a_byte_now_and_then)
        writer.start()
        self.addCleanup(writer.join)
        self.addCleanup(is_over.set)
        crowded, lost = self.normal(200)
        p50, p95 = ([1e3 * percentile(times, share) for times in (alone, crowded)] for share in (0.5, 0.95))
        print(f"ms, alone and with 200 slow connections: p50 {p50[0]:.1f} {p50[1]:.1f}, p95 {p95[0]:.1f} {p95[1]:.1f}; {lost} lost")
        self.assertLessEqual(lost, 10)
        self.assertLess(p95[1], 5 * p95[0] + 50)
        # None of them is kept, however busy it looks.
        for one in silent + heads + bodies:
            self.until(lambda one=one: self.is_closed(one), "a slow connection is closed")
        is_over.set()
        self.until(lambda: self.descriptors() <= at_rest, "all descriptors are back")

    def test_the_oldest_make_room(self):
        self.serve("--connections", "8")
        first = [self.connect() for _ in range(20)]
        self.until(lambda: sum(map(self.is_closed, first)) == 14, "six of one address are left")
        self.assertEqual([self.is_closed(one) for one in first], 14 * [True] + 6 * [False])
        self.is_there()
        # Another client has the rest, and then makes room as all do.
        others = [self.connect("127.0.0.2") for _ in range(5)]
        self.until(lambda: sum(map(self.is_closed, first)) == 17, "three more made room")
        self.assertFalse(any(map(self.is_closed, others)))
        self.assertEqual(self.status_of(GET, "127.0.0.2"), 200)

    def test_a_connection_that_is_used_is_kept(self):
        self.serve("--connections", "8", "--patience", "1")
        used = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        used.connect()
        own = used.sock
        for _ in range(8):
            time.sleep(0.2)
            used.request("GET", "/a.js")
            self.assertEqual(used.getresponse().read(), b"this is a.js")
        self.assertIs(used.sock, own)
        self.until(lambda: self.is_closed(own), "a connection that is not used is closed")

    def test_answers_that_are_worked_on_are_not_closed(self):
        self.serve("--api", "--connections", "8", "--at-once", "1", "--patience", "0.2")
        one = self.connect()
        one.sendall(Faults.long_request())
        self.until(self.children, "it is worked on")
        os.kill(int(self.children()[0]), signal.SIGSTOP)
        crowd = [self.connect() for _ in range(20)]
        self.until(lambda: all(map(self.is_closed, crowd)), "those that say nothing are closed")
        os.kill(int(self.children()[0]), signal.SIGCONT)
        answer = http.client.HTTPResponse(one)
        answer.begin()
        self.assertEqual(answer.status, 200)


class Rubbish(Hostile):
    def rubbish(self):
        """10 MB in 100 connections: what one of 10 kinds of them sends."""
        draw = random.Random(5)
        noise = draw.randbytes(100_000)
        yield lambda: noise
        yield lambda: b"GET /" + b"a" * 100_000
        yield lambda: GET[:-2] + b"X: " + b"b" * 100_000
        yield lambda: GET[:-2] + b"X: y\r\n" * 16_000
        yield lambda: GET * 10 + noise
        yield lambda: post(100_000, body=noise)
        yield lambda: post(100_000, b"/", body=noise)
        yield lambda: post(0)[:-4] + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + b"fff\r\n" + noise
        yield lambda: b"\x16\x03\x01\x02\x00" + noise
        yield lambda: b"\0" * 100_000

    def test_M5_10_MB_of_rubbish_cost_nothing_lasting(self):
        for words in ((), ("--api",)):
            self.serve(*words)
            self.is_there()
            open_before, memory = self.descriptors(), self.memory()
            for _ in range(3):
                for make in self.rubbish():
                    for _ in range(10):
                        with self.connect() as one, contextlib.suppress(OSError):
                            one.sendall(make())
                self.is_there()
            self.until(lambda: not self.children() and self.descriptors() <= open_before, "all descriptors are back")
            self.until(lambda: self.memory() - memory < KEPT, "all memory is back")
            print(f"three times 10 MB of rubbish: {(self.memory() - memory) / MEGABYTE:.1f} MB more memory")

    def test_M5_a_post_of_300_MB_is_not_kept(self):
        for words in ((), ("--api",)):
            self.serve(*words)
            self.is_there()
            before = self.memory()
            for path in (b"/", b"/v1/answer"):
                one = self.connect()
                one.sendall(post(300 * MEGABYTE, path))
                taken = self.push(one, b" " * 65536, 300 * MEGABYTE)
                self.assertLess(taken, 10 * MEGABYTE)
            self.assertLess(self.memory() - before, KEPT)
            self.is_there()

    def test_bodies_that_never_end_do_not_add_up(self):
        self.serve("--api", "--body-limit", "1")
        self.is_there("/healthz")
        before = self.memory()
        for _ in range(60):
            self.push(self.connect(), post(2 * MEGABYTE, body=b" " * 1_900_000), 1)
        self.assertLess(self.memory() - before, 60 * MEGABYTE)
        self.assertEqual(self.status_of(post(44, body=b'{"kind": "rule_of_thumb", "parameters": 7e9}')), 200)

    def test_who_does_not_read_is_not_read(self):
        self.serve()
        self.is_there()
        before = self.memory()
        one = self.connect(buffer=4096)
        one.sendall(b"GET /huge.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertLess(self.push(one, b"x" * 65536, 50 * MEGABYTE), 20 * MEGABYTE)
        self.assertLess(self.memory() - before, KEPT)
        self.is_there()

    def test_readers_of_large_files_take_no_memory(self):
        self.serve()
        self.is_there()
        before = self.memory()
        readers = [self.connect(buffer=4096) for _ in range(100)]
        for one in readers:
            one.sendall(b"GET /huge.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.assertTrue(all(one.recv(1) for one in readers))
        self.assertLess(self.memory() - before, 2 * KEPT)

    def test_many_requests_in_one_message(self):
        self.serve()
        one = self.connect()
        sender = threading.Thread(target=one.sendall, args=(GET * 2000,))
        sender.start()
        self.addCleanup(sender.join)
        received = b""
        while received.count(b"this is a.js") < 2000:
            received += (more := one.recv(65536))
            self.assertTrue(more)
        self.assertEqual(received.count(b"HTTP/1.1 200 OK"), 2000)

    def test_an_answer_does_not_wait_for_a_connection_that_had_its_descriptor(self):
        self.serve("--api")
        request = (EXAMPLES / "rule_of_thumb.json").read_bytes()
        for _ in range(10):
            wrong, right = self.connect(), self.connect()
            wrong.sendall(b"no request\r\n\r\n")
            self.until(lambda one=wrong: self.is_closed(one), "it is refused and closed")
            right.settimeout(10)
            right.sendall(post(len(request), body=request))
            self.assertTrue(right.recv(65536).startswith(b"HTTP/1.1 200 "))
            right.close()

    def test_heads_of_more_than_16_KB(self):
        self.serve()
        for size, status in ((15_000, 200), (17_000, 400)):
            self.assertEqual(self.status_of(GET[:-2] + b"X: " + b"y" * size + b"\r\n\r\n"), status)
            self.assertEqual(self.status_of(b"GET /a.js?" + b"y" * size + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"), status)


class Rules(Hostile):
    def test_M5_every_answer_has_the_guards(self):
        self.serve("--api")
        asked = [("/", {}, 200), ("/a.js", {"If_None_Match": "*"}, 304), ("/none", {}, 404), ("/huge.bin", {"Range": "bytes=1-2"}, 206),
                 ("/a.js", {"Accept_Encoding": "*;q=0"}, 406), ("/healthz", {}, 200), ("/v1/openapi.json", {}, 200),
                 ("/v1/none", {}, 404), ("/v1/answer", {}, 405), ("/", {"Host": "example.org"}, 421)]  # fmt: skip
        for path, fields, status in asked:
            answer, _ = self.ask(path, **fields)
            self.assertEqual(answer.status, status, path)
            for name, value in GUARDS.items():
                self.assertEqual(answer.headers.get_all(name), [value], path)

    def test_M5_only_hosts_that_are_served(self):
        self.serve("--host-name", "planner.example")
        for host in ("localhost", "LOCALHOST:1", "127.0.0.1", f"127.0.0.1:{self.port}", "[::1]:80", "planner.example", "Planner.Example:443"):
            self.assertEqual(self.ask("/", Host=host)[0].status, 200, host)
        for host in ("example.org", "planner.example.org", "127.0.0.1.example.org", "192.168.0.1", "0.0.0.0", "[::2]", "localhost.", "a@localhost"):
            answer, body = self.ask("/", Host=host)
            self.assertEqual(answer.status, 421, host)
            self.assertIn(b"--host-name", body)
        for host in ([], ["localhost", "example.org"], ["localhost", "localhost"]):
            lines = b"".join(b"Host: %s\r\n" % one.encode() for one in host)
            self.assertEqual(self.status_of(b"GET / HTTP/1.1\r\n" + lines + b"\r\n"), 400, host)
        self.assertEqual(self.status_of(b"GET http://example.org/ HTTP/1.1\r\nHost: localhost\r\n\r\n"), 421)

    def test_a_server_of_all_addresses_answers_to_addresses_alone(self):
        served = subprocess.Popen([podwright, "serve", "--site", self.site, "--host", "0.0.0.0"], stdout=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(served.stdout.close)
        self.addCleanup(served.wait)
        self.addCleanup(served.kill)
        self.port = int(served.stdout.readline().split("http://0.0.0.0:")[1].split("/")[0])
        for host, status in (("192.168.0.1", 200), ("[2001:db8::1]:80", 200), ("localhost", 200), ("example.org", 421)):
            self.assertEqual(self.ask("/", Host=host)[0].status, status, host)

    def test_M5_no_hidden_files_and_no_links_out_of_the_folder(self):
        outside = self.site.parent
        for hidden in (".env", ".git/config", "study/.draft", ".well-known/x"):
            (self.site / hidden).parent.mkdir(exist_ok=True)
            (self.site / hidden).write_text("hidden", encoding="utf-8")
        (outside / "site2").mkdir()
        (outside / "site2/index.html").write_text("of others", encoding="utf-8")
        links = {"out.txt": outside / "secret.txt", "up.txt": "../secret.txt", "folder": outside, "beside": "../site2",
                 "passwd": "/etc/passwd", "again.js.br": "../secret.txt", "loop": "loop", "dangling": "none",
                 "shown": ".env"}  # fmt: skip
        inside = {"in.js": "a.js", "whole.js": self.site / "a.js", "texts": "study"}
        for name, target in (links | inside).items():
            (self.site / name).symlink_to(target)
        (self.site / "again.js").write_text("this is again.js", encoding="utf-8")
        os.mkfifo(self.site / "pipe.txt")
        link = outside / "current"
        link.symlink_to(self.site)
        for folder in (self.site, link):
            self.site = folder
            self.serve()
            self.assertEqual(self.ask("/again.js", Accept_Encoding="br")[1], b"this is again.js")
            for path in ("/.env", "/.git/config", "/study/.draft", "/.well-known/x", "/%2eenv", "/%2Egit/config", "/./.env",
                         "/out.txt", "/up.txt", "/folder/secret.txt", "/beside/", "/passwd", "/loop", "/dangling", "/pipe.txt", "/shown",
                         "/study/../a.js", "/../site/a.js", "/%2e%2e/secret.txt", "/..%2f..%2fetc/passwd",
                         "/a.js/", "/a.js/..", "/study/%2e%2e/a.js", "/proc/self/environ"):  # fmt: skip
                self.assertEqual(self.ask(path)[0].status, 404, path)
            self.assertEqual(self.ask("//etc/passwd")[0].status, 421)  # which names a host
            for path in ("/in.js", "/whole.js", "/texts/"):
                self.assertEqual(self.ask(path)[0].status, 200, path)

    def test_names_with_a_digest_are_kept_for_ever_and_others_asked_for_again(self):
        (self.site / "assets").mkdir()
        kept = ("assets/page-C0nt3-_t.js", "assets/engine-AbCdEf12.wasm", "data-0123456789abcdef.json", "study/a.0123456789abcdef01.js")
        asked = ("assets/page.js", "assets/page-short.js", "assets/C0nt3ntH.js", "a-C0nt3ntH.js", "b-20260731.json",
                 "c-0123456789ABCDEF.json", "0123456789abcdef.js", "index.html")  # fmt: skip
        for name in (*kept, *asked):
            (self.site / name).write_text("x", encoding="utf-8")
        self.serve()
        for name in kept:
            self.assertEqual(self.ask(f"/{name}")[0].headers["Cache-Control"], "public, max-age=31536000, immutable", name)
        for name in asked:
            self.assertEqual(self.ask(f"/{name}")[0].headers["Cache-Control"], "no-cache", name)

    def test_another_content_of_the_same_size_and_time_has_another_tag(self):
        self.serve()
        file = self.site / "a.js"
        tag = self.ask("/a.js")[0].headers["ETag"]
        self.assertRegex(tag, '^"[^"]+"$')
        self.assertEqual(self.ask("/a.js", If_None_Match=tag)[0].status, 304)
        times = file.stat()
        file.write_text("that is a.js", encoding="utf-8")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        answer, body = self.ask("/a.js", If_None_Match=tag)
        self.assertEqual((answer.status, body), (200, b"that is a.js"))

    def test_the_engine_is_sent_packed_under_its_own_type(self):
        (self.site / "a.wasm.br").write_bytes(b"packed")
        self.serve()
        answer, body = self.ask("/a.wasm", Accept_Encoding="gzip, br")
        self.assertEqual((answer.headers["Content-Type"], answer.headers["Content-Encoding"], body), ("application/wasm", "br", b"packed"))
        self.assertEqual(answer.headers["Vary"], "Accept-Encoding")


class Faults(Hostile):
    """What goes wrong while it serves. A row: what happens, the words of the command line, and what is then asserted."""

    @staticmethod
    def long_request():
        body = (EXAMPLES / "replay_chat_70b.json").read_bytes().rstrip()[:-1] + b', "duration_s": 300000}'
        return post(len(body), body=body)

    def working(self):
        one = self.connect()
        one.sendall(self.long_request())
        self.until(self.children, "it is worked on")
        return one, int(self.children()[0])

    def answer_on(self, one):
        answer = http.client.HTTPResponse(one)
        answer.begin()
        return answer.status

    def crowd(self):
        crowd = [self.connect() for _ in range(60)]
        for at, one in enumerate(crowd):
            one.sendall([b"", GET, GET[:20], b"GET /huge.bin HTTP/1.1\r\nHost: localhost\r\n\r\n", post(10), self.long_request()][at % 6])
        self.until(self.children, "some are worked on")

    def ends_by(self, number):
        self.crowd()
        child = int(self.children()[0])
        self.served.send_signal(number)
        self.assertEqual(self.served.wait(5), 0)
        self.assertFalse(pathlib.Path(f"/proc/{child}").exists())

    def by_interrupt(self):
        self.ends_by(signal.SIGINT)

    def by_termination(self):
        self.ends_by(signal.SIGTERM)

    def killed(self):
        one, child = self.working()
        os.kill(child, signal.SIGKILL)
        self.assertEqual(self.answer_on(one), 500)

    def out_of_memory(self):
        one, child = self.working()
        adjusted = pathlib.Path(f"/proc/{child}/oom_score_adj")
        self.until(lambda: adjusted.read_text(encoding="ascii") == "1000\n", "it goes before the server")
        self.until(lambda: resource.prlimit(child, resource.RLIMIT_AS)[0] == 4 << 30, "it has a limit")
        os.kill(child, signal.SIGSTOP)
        resource.prlimit(child, resource.RLIMIT_AS, (1, 1))
        os.kill(child, signal.SIGCONT)
        self.assertIn(self.answer_on(one), (200, 500))

    def hangs(self):
        one, child = self.working()
        os.kill(child, signal.SIGSTOP)
        self.assertEqual(self.answer_on(one), 504)
        self.assertFalse(self.children())

    def client_goes_away(self):
        self.working()[0].close()
        self.until(lambda: not self.children(), "its process is ended")

    def folder_vanishes(self):
        shutil.move(self.site, f"{self.site}.gone")
        self.assertEqual(self.ask("/a.js")[0].status, 404)
        shutil.move(f"{self.site}.gone", self.site)

    def file_is_cut(self):
        one = self.connect(buffer=4096)
        one.sendall(b"GET /huge.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        one.recv(1)
        os.truncate(self.site / "huge.bin", 0)
        self.until(lambda: self.is_closed(one), "what cannot be sent ends the connection")

    def no_descriptors(self):
        at_rest = self.descriptors()
        resource.prlimit(self.served.pid, resource.RLIMIT_NOFILE, (at_rest + 10, at_rest + 10))
        many = [self.connect() for _ in range(50)]
        for one in many:
            one.close()
        self.until(lambda: self.descriptors() <= at_rest, "all descriptors are back")

    def starts_of_the_same_port(self):
        return self.refused("--port", str(self.port), said=f"port {self.port} is taken")

    def foreign_address(self):
        return self.refused("--host", "192.0.2.1", said="192.0.2.1 is not an address of this machine")

    def full_output(self):
        with open("/dev/full", "wb") as full:
            return self.refused(said="could not be printed", stdout=full)

    def refused(self, *words, said, stdout=subprocess.PIPE):
        command = [podwright, "serve", "--site", self.site, *words]
        ended = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, encoding="utf-8", timeout=20)
        self.assertEqual((ended.returncode, said in ended.stderr), (3, True), ended.stderr)

    ROWS = (
        ("Ctrl-C with open connections", ("--api",), by_interrupt),
        ("SIGTERM with open connections", ("--api",), by_termination),
        ("a killed answer", ("--api",), killed),
        ("an answer without memory", ("--api",), out_of_memory),
        ("an answer that hangs", ("--api", "--time-limit", "0.5"), hangs),
        ("a client that goes away", ("--api",), client_goes_away),
        ("a folder that vanishes", (), folder_vanishes),
        ("a file that becomes shorter", ("--patience", "1"), file_is_cut),
        ("no descriptors", (), no_descriptors),
        ("a second one on the port", (), starts_of_the_same_port),
        ("an address of others", (), foreign_address),
        ("full output", (), full_output),
    )

    def test_rows(self):
        for name, words, happens in self.ROWS:
            with self.subTest(name):
                self.serve(*words)
                happens(self)
                if self.served.poll() is None:
                    self.is_there()

    def test_M4_two_servers_do_not_share_a_port(self):
        self.serve()
        other = self.site.parent / "other"
        other.mkdir()
        (other / "index.html").write_text("the other site", encoding="utf-8")
        command = [podwright, "serve", "--site", other, "--port", str(self.port)]
        second = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=20)
        self.assertEqual((second.returncode, f"port {self.port} is taken" in second.stderr), (3, True))
        self.assertEqual({self.ask("/")[1] for _ in range(40)}, {b"this is index.html"})
        # Nor with programs that would share it.
        with socket.socket() as greedy:
            greedy.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            self.assertRaises(OSError, greedy.bind, ("127.0.0.1", self.port))

    def test_two_servers_of_one_folder(self):
        self.serve()
        port, first = self.port, self.served
        self.serve()
        self.assertNotEqual(self.port, port)
        self.is_there()
        self.served.send_signal(signal.SIGINT)
        self.assertEqual(self.served.wait(5), 0)
        self.port, self.served = port, first
        self.is_there()


if __name__ == "__main__":
    unittest.main()
