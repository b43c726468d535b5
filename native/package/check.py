#!/usr/bin/env python3
"""Judges the archive that package.py made: what is in it, what its programs need, and whether they run.

    check.py ARCHIVE             unpacks it into a new folder and judges it there
    check.py ARCHIVE ROOT...     also runs it inside these roots of other systems (made by debootstrap; needs root)
"""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request

import container

C_LIBRARY = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}
NEWEST_GLIBC = (2, 34)
GPU_PROGRAM_BYTES = 40_000_000
NAMES = [
    "LICENSE", "README.md", "bin/podwright", "examples/chat_70b.json", "licences/README.md", "sbom.spdx.json",
    "share/bash-completion/completions/podwright", "share/fish/vendor_completions.d/podwright.fish",
    "share/man/man1/podwright.1", "share/podwright/gpu_evidence.py", container.PLACE, "share/zsh/site-functions/_podwright",
    "site/index.html",
]  # fmt: skip
ENGINE = "site/engine/*/engine.wasm"


def output(*command):
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout


def needed_libraries(program):
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "--dynamic", program)))


def newest_glibc(program):
    """The newest version of glibc that a symbol of the program asks for; (0, 0) where none does."""
    versions = re.findall(r"\bGLIBC_(\d+)\.(\d+)", output("objdump", "--dynamic-syms", program))
    return max(((int(a), int(b)) for a, b in versions), default=(0, 0))


def program_faults(program, allowed):
    """What keeps a program from starting on every system that the archive is for."""
    further = needed_libraries(program) - allowed
    faults = [f"{program} needs {name}" for name in sorted(further)]
    version = newest_glibc(program)
    if version > NEWEST_GLIBC:
        faults.append(f"{program} needs glibc {version[0]}.{version[1]}")
    if not allowed and "INTERP" in output("readelf", "--program-headers", program):
        faults.append(f"{program} needs a loader")
    return faults


def archive_is_whole(folder, path):
    with tarfile.open(path) as tar:
        entries = tar.getmembers()
    names = [entry.name for entry in entries]
    faults = [f"{name} is missing" for name in NAMES if not (folder / name).is_file()]
    faults += [f"{ENGINE}{ending} is missing" for ending in ["", ".br", ".gz"] if not any(folder.glob(ENGINE + ending))]
    if names != sorted(names):
        faults.append("names are not sorted")
    if len({entry.mtime for entry in entries}) != 1 or any(entry.uid or entry.gid for entry in entries):
        faults.append("times or owners differ")
    return faults + [f"{entry.name} is no plain file" for entry in entries if not entry.isfile()]


def packed_files_are_the_files(folder, _):
    """Of Brotli, which Python cannot read, that there is a plain file; browsers read it in tests/web."""
    faults = []
    for path in sorted((folder / "site").rglob("*")):
        plain = path.with_suffix("")
        if path.suffix in (".br", ".gz") and not plain.is_file():
            faults.append(f"{path} is packed of nothing")
        elif path.suffix == ".gz" and gzip.decompress(path.read_bytes()) != plain.read_bytes():
            faults.append(f"{path} is not {plain.name}")
    return faults


def plain_program_needs_nothing(folder, _):
    return program_faults(folder / "bin/podwright", set())


def gpu_program_needs_the_c_library(folder, _):
    program = folder / "bin/podwright-gpu"
    if not program.exists():
        print("podwright-gpu was not built and is not judged")
        return []
    faults = program_faults(program, C_LIBRARY)
    if program.stat().st_size >= GPU_PROGRAM_BYTES:
        faults.append(f"{program} has {program.stat().st_size} bytes")
    # What is thrown inside it is caught, though the C library may be too old to help.
    wrong = subprocess.run([program, "probe", "--backend", "none"], capture_output=True, encoding="utf-8")
    return faults + ([] if wrong.returncode == 2 else [f"{program} ended with {wrong.returncode}: {wrong.stderr}"])


def plan_runs(folder, _):
    run = subprocess.run(["bin/podwright", "plan", "examples/chat_70b.json"], cwd=folder, capture_output=True, encoding="utf-8")
    return [] if run.returncode == 0 and "Design:" in run.stdout else [f"plan ended with {run.returncode}: {run.stderr}"]


def status_type_and_form(address, accepted):
    request = urllib.request.Request(address, headers={"Accept-Encoding": accepted})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.headers.get_content_type(), answer.headers["Content-Encoding"], answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get_content_type(), None, error.read()


def site_is_served(folder, _):
    served = subprocess.Popen([folder / "bin/podwright", "serve"], cwd="/", stdout=subprocess.PIPE, encoding="utf-8")
    site = folder / "site"
    # Its folder has the digest of what is in it as its name.
    engine = next(folder.glob(ENGINE)).relative_to(site).with_suffix("").as_posix()
    try:
        address = re.search(r"http://\S+/", served.stdout.readline()).group()
        wanted = {
            ("", "identity"): (200, "text/html", None, (site / "index.html").read_bytes()),
            (f"{engine}.mjs", "br"): (200, "text/javascript", "br", (site / f"{engine}.mjs.br").read_bytes()),
            ("../LICENSE", "br, gzip"): (404, "text/plain", None, b""),
        }
        for form, ending in [("identity", ""), ("gzip", ".gz"), ("br", ".br")]:
            content = (site / f"{engine}.wasm{ending}").read_bytes()
            wanted[f"{engine}.wasm", form] = (200, "application/wasm", form if ending else None, content)
        got = {asked: status_type_and_form(address + asked[0], asked[1]) for asked in wanted}
    finally:
        served.terminate()
    faults = [f"/{asked[0]} is answered {asked[1]} by {got[asked][:3]}" for asked in wanted if got[asked] != wanted[asked]]
    return faults + ([] if served.wait() == 0 else [f"serve ended with {served.returncode}"])


def completions_are_scripts(folder, _):
    run = subprocess.run(["bash", "-n", folder / NAMES[6]], capture_output=True, encoding="utf-8")
    manual = (folder / "share/man/man1/podwright.1").read_text(encoding="utf-8")
    return ([] if run.returncode == 0 else [run.stderr]) + ([] if ".TH PODWRIGHT 1" in manual else ["man: no title"])


def gpu_evidence_runs(folder, _):
    """Part A from the archive on a scripted GPU; what it compares is tested elsewhere."""
    with tempfile.TemporaryDirectory() as place:
        words = ["A", "--backend", "fake", "--brief", "--program", folder / "bin/podwright", "-o", place]
        script = folder / "share/podwright/gpu_evidence.py"
        scripted = {**os.environ, "PODWRIGHT_FAKE": ""}
        command = [sys.executable, "-B", script, *words]
        run = subprocess.run(command, capture_output=True, encoding="utf-8", env=scripted, cwd="/")
        written = (pathlib.Path(place) / "h100-sxm5-80gb/evidence.json").is_file()
    return [] if run.returncode in (0, 1) and written else [f"gpu_evidence ended with {run.returncode}: {run.stderr}"]


def container_runs_without_a_builder(folder, _):
    """The files that the container file copies, as its image has them."""
    faults = container.missing_sources(folder)
    if faults:
        return faults
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        program, *words = container.assemble(folder, root)
        request = root / "usr/share/doc/podwright/examples/chat_70b.json"
        run = subprocess.run([f"{root}{program}", *words, "plan", request], cwd="/", capture_output=True, encoding="utf-8")
    return [] if "Design:" in run.stdout else [f"the container's program ended with {run.returncode}: {run.stderr}"]


def everything_is_licensed(folder, _):
    bill = json.loads((folder / "sbom.spdx.json").read_text(encoding="utf-8"))
    notices = (folder / "licences/README.md").read_text(encoding="utf-8")
    ids = [one["SPDXID"] for one in bill["packages"]] + [bill["SPDXID"]]
    ends = {one[end] for one in bill["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
    faults = [f"the bill of materials says nothing of {one}" for one in sorted(ends - set(ids))]
    if len(ids) != len(set(ids)):
        faults.append("the bill of materials has an id twice")
    for one in bill["packages"]:
        if "externalRefs" in one and f"| {one['name']} | {one['versionInfo']} |" not in notices:
            faults.append(f"{one['name']} is not in the notices")
        if not one["licenseDeclared"]:
            faults.append(f"{one['name']} has no licence")
    texts = set(re.findall(r"\]\(((?!http)[^)]+)\)", notices))
    return faults + [f"licences/{name} is missing" for name in sorted(texts) if not (folder / "licences" / name).is_file()]


CHECKS = [
    archive_is_whole,
    packed_files_are_the_files,
    plain_program_needs_nothing,
    gpu_program_needs_the_c_library,
    plan_runs,
    site_is_served,
    completions_are_scripts,
    gpu_evidence_runs,
    container_runs_without_a_builder,
    everything_is_licensed,
]


def runs_in(root, folder):
    """The plan and the server on another system, which has nothing but what it was made with."""
    inside = root / "tmp" / folder.name
    shutil.rmtree(inside, ignore_errors=True)
    shutil.copytree(folder, inside)
    script = (
        f"cd /tmp/{folder.name} && bin/podwright plan examples/chat_70b.json | grep -c Design: && "
        "{ bin/podwright serve --port 8499 & } && sleep 1 && exec 3<>/dev/tcp/127.0.0.1/8499 && "
        "printf 'GET / HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -n 1 <&3; kill $!"
    )
    try:
        done = subprocess.run(["chroot", root, "bash", "-c", script], capture_output=True, encoding="utf-8")
    finally:
        shutil.rmtree(inside)
    print(f"{root.name}: {' | '.join(done.stdout.split(chr(10)))}")
    return [] if " 200 OK" in done.stdout else [f"{root}: {done.stdout} {done.stderr}"]


def main():
    path = pathlib.Path(sys.argv[1])
    roots = [pathlib.Path(name).resolve() for name in sys.argv[2:]]
    failed = []
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(path) as tar:
            tar.extractall(place)
        folder = pathlib.Path(place) / os.listdir(place)[0]
        results = {check.__name__: check(folder, path) for check in CHECKS}
        results |= {f"runs_in {root.name}": runs_in(root, folder) for root in roots}
    for name, faults in results.items():
        if faults:
            failed.append(name)
            print(f"{name}:", *faults, sep="\n  ")
    print(f"[  PASSED  ] {len(results) - len(failed)} tests.")
    if failed:
        print(f"[  FAILED  ] {len(failed)} tests: {', '.join(failed)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
