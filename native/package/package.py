#!/usr/bin/env python3
"""Makes podwright-VERSION-linux-x86_64.tar.gz of what the builds left: the two programs, the site, examples, completions,
the page of the manual, the script for hosts with a GPU, licences and a bill of materials (docs/archive.md says what it
holds and where it runs).

    package.py [--native FOLDER] [--cuda FOLDER] [--wasm FOLDER] [--site FOLDER] [--output FOLDER]

takes podwright_static of build/native, podwright-gpu of build/cuda (left out where it was not built), the engine's objects
of build/wasm and build/site, prints the path of the archive and has check.py judge it. The same files give the same bytes:
names are sorted, owners are 0, and all times are SOURCE_DATE_EPOCH, or the time of the last commit.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import pathlib
import platform
import subprocess
import sys
import tarfile
import tempfile

from bill import bill_of_materials, notices
from contents import engine_components, output, program_components, site_components, stop

root = pathlib.Path(__file__).resolve().parent.parent.parent
COMPLETIONS = {
    "bash": "share/bash-completion/completions/podwright",
    "zsh": "share/zsh/site-functions/_podwright",
    "fish": "share/fish/vendor_completions.d/podwright.fish",
    "man": "share/man/man1/podwright.1",
}
# What measures on a host with a GPU, and what it asks there.
GPU_EVIDENCE = [
    "gpu_evidence.py", "gpu_comparisons.py", "gpu_reference.py",
    "requests/plan_8b.json", "requests/serving_8b.json", "requests/training_1b.json",
]  # fmt: skip


def stripped(program):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "program"
        subprocess.run(["strip", "--strip-all", "-o", str(copy), str(program)], check=True)
        return copy.read_bytes()


def files_below(folder, prefix):
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {f"{prefix}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in paths}


def time_of_release():
    if "SOURCE_DATE_EPOCH" in os.environ:
        return int(os.environ["SOURCE_DATE_EPOCH"])
    listed = subprocess.run(["git", "-C", str(root), "log", "-1", "--format=%ct"], capture_output=True, encoding="utf-8")
    return int(listed.stdout or 0)


def programs_and_parts(given):
    """What was built, as files of the archive, and the components of each part of it."""
    files, parts = {}, {}
    for name, build, program in [
        ("bin/podwright", given.native, "podwright_static"),
        ("bin/podwright-gpu", given.cuda, "podwright-gpu"),
    ]:
        if (build / program).is_file():
            files[name] = stripped(build / program)
            parts[name] = program_components(build, program)
    if "bin/podwright" not in files:
        stop(f"there is no {given.native / 'podwright_static'}; build that target first")
    if not (given.site / "index.html").is_file():
        stop(f"there is no site in {given.site}; build it first")
    files |= files_below(given.site, "site")
    parts["site/engine"] = engine_components(given.wasm)
    parts["site/assets"] = site_components(given.site.parent / "site_packages.json", root / "web")
    return files, parts


def contents(given, time):
    files, parts = programs_and_parts(given)
    program = str(given.native / "podwright_static")
    version = output(program, "--version").strip()
    files |= files_below(root / "examples", "examples")
    files |= {f"share/podwright/{name}": (root / "native/package" / name).read_bytes() for name in GPU_EVIDENCE}
    files |= files_below(root / "native/probes/deploy", "share/podwright/deploy")
    for form, place in COMPLETIONS.items():
        files[place] = output(program, "describe", form).encode()
    files["README.md"] = (root / "docs/archive.md").read_bytes()
    files["LICENSE"] = (root / "LICENSE").read_bytes()
    sources = json.loads((root / "core/catalog/data/sources.json").read_text(encoding="utf-8"))
    files |= {f"licences/{name}": text.encode() for name, text in notices(parts, sources).items()}
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(files.items())}
    bill = bill_of_materials(version, time, parts, digests)
    files["sbom.spdx.json"] = (json.dumps(bill, indent=1, ensure_ascii=False) + "\n").encode()
    return version, files


def archive(folder, files, time):
    """The bytes of a .tar.gz whose files lie in `folder`."""
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", compresslevel=9, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for name, data in sorted(files.items()):
                entry = tarfile.TarInfo(f"{folder}/{name}")
                entry.size, entry.mtime = len(data), time
                entry.mode = 0o755 if name.startswith("bin/") or name.endswith(".sh") else 0o644
                tar.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def main():
    options = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip())
    for name in ("native", "cuda", "wasm", "site"):
        options.add_argument(f"--{name}", type=pathlib.Path, default=root / "build" / name)
    options.add_argument("--output", type=pathlib.Path, default=root / "build")
    given = options.parse_args()
    if platform.machine() != "x86_64":
        stop("the archive is made on x86-64")
    time = time_of_release()
    version, files = contents(given, time)
    name = f"podwright-{version}-linux-x86_64"
    path = given.output / f"{name}.tar.gz"
    path.write_bytes(archive(name, files, time))
    print(path, flush=True)
    sys.exit(subprocess.run([sys.executable, str(root / "native/package/check.py"), str(path)]).returncode)


if __name__ == "__main__":
    main()
