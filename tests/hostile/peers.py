"""Hostile clients of `podwright serve`: after each the server answers a good request, and it ends when it is told to."""

import contextlib
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import struct
import subprocess

import documents
import judge

PATIENCE_S = 20


def hostile_message(rng, body):
    """Bytes of a client; half of them nearly right."""
    line = rng.choice([b"POST /v1/answer HTTP/1.1"] * 4 + [b"GET / HTTP/1.1", b"GET /../x HTTP/1.1", b"G\0T / HTTP/1.1", b"PUT /v1/answer HTTP/9.9",
                      b"POST " + b"/" * 100_000 + b" HTTP/1.1", b"CONNECT x:1 HTTP/1.1", b"", b"OPTIONS * HTTP/1.1", b"GET /%00%ff%2e%2e/ HTTP/1.1"])  # fmt: skip
    fields = [b"Host: localhost", b"Content-Type: application/json", b"Content-Length: %d" % len(body)]
    for _ in range(rng.choice([0, 0, 1, 2])):
        fields.append(rng.choice([b"Content-Length: -1", b"Content-Length: 99999999999999999999", b"Content-Length: 5", b"Content-Length: 1000000000",
                                  b"Transfer-Encoding: chunked", b"Host: evil.example", b"Expect: 100-continue", b"X: " + b"x" * 100_000, b": x",
                                  b"Content-Type: text/\0", b"Connection: keep-alive, close", b"Range: bytes=9-1,-5", *[b"X: y"] * 3]))  # fmt: skip
    if rng.random() < 0.3:
        rng.shuffle(fields)
    message = line + b"\r\n" + b"\r\n".join(fields) + b"\r\n\r\n" + body
    return documents.changed_bytes(rng, message) if rng.random() < 0.4 else message


def speak(port, message, manner):
    """Sends it and stays, leaves at once, or leaves without a word."""
    held = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    with contextlib.suppress(OSError):
        held.settimeout(0.05)
        held.sendall(message)
        if manner == "read":
            held.recv(1 << 16)
    if manner == "reset":
        held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    if manner != "stay":
        held.close()
    return held


def answers_well(port):
    asked = b'{"kind":"rule_of_thumb","parameters":7e9}'
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        connection.sendall(b"POST /v1/answer HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
                           b"Content-Length: %d\r\n\r\n%s" % (len(asked), asked))  # fmt: skip
        found = b""
        while part := connection.recv(1 << 16):
            found += part
    # Who asks while others keep it busy may be told to come back.
    return found.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 503 ")) and found.rstrip().endswith(b"}")


def run(program, case, place):
    """A server, its hostile clients one after the other, and a good one; what is wrong is the last line of `err`."""
    shutil.rmtree(place / "case", ignore_errors=True)
    (place / "case").mkdir(parents=True)
    os.chdir(place / "case")
    pathlib.Path("index.html").write_text("<p>a page</p>", encoding="utf-8")
    judge.forget_peak()
    with open(place / "err", "wb") as err:
        server = subprocess.Popen([program, *case.words], stdout=subprocess.PIPE, stderr=err)
    done = judge.Run()
    complaint = ""
    found = re.search(rb":(\d+)/", server.stdout.readline())
    if found:
        held = []
        try:
            held = [speak(int(found[1]), message, manner) for message, manner in case.peers]
            if not answers_well(int(found[1])):
                complaint = "a good request was not answered well after hostile ones"
        except OSError as error:
            complaint = f"a good request was not answered after hostile ones: {error}"
        for connection in held:
            connection.close()
    else:
        complaint = "the server did not start"
    server.send_signal(signal.SIGTERM)
    handle = os.pidfd_open(server.pid)
    if not select.select([handle], [], [], PATIENCE_S)[0]:
        done.hung = True
        server.kill()
    os.close(handle)
    _, status, used = os.wait4(server.pid, 0)
    server.returncode = 0
    server.stdout.close()
    killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    done.killed_by = 0 if killed == signal.SIGTERM else killed
    done.code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
    done.cpu_s, done.memory_mb = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    done.err = (place / "err").read_bytes()
    done.complaint = complaint
    return done
