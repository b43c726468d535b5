"""What is inside the archive: the packages whose code the programs, the engine and the site's scripts hold, each with its
version, its licence and the texts that the licence asks for. All of it is read from what the builds left: the inputs of
the linker, the headers of each object, the modules of the bundler, and the databases of dpkg and npm."""

import dataclasses
import fnmatch
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
from urllib.parse import quote

# By source package of the distribution. A package that is not named stops the archive: its licence must be read first.
LICENCES = {
    "glibc": "LGPL-2.1-or-later",
    "gcc-*": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "linux*": "GPL-2.0-only WITH Linux-syscall-note",
    "libevent": "BSD-3-Clause",
    "libsodium": "ISC",
    "nlohmann-json3": "MIT",
    "tl-expected": "CC0-1.0",
    "cli11": "BSD-3-Clause",
    "emscripten": "MIT OR NCSA",
    "llvm-toolchain-*": "Apache-2.0 WITH LLVM-exception",
}
CUDA_LICENCE = "LicenseRef-NVIDIA-CUDA-EULA"
COMMON = pathlib.Path("/usr/share/common-licenses")


@dataclasses.dataclass(frozen=True, order=True)
class Component:
    name: str
    version: str
    licence: str
    address: str  # package URL
    texts: tuple  # (file name, text) of its licence


def stop(sentence):
    sys.exit(f"package: {sentence}")


def output(*command, **options):
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True, **options).stdout


def linked_files(build, program):
    """Absolute paths of what the linker read that the build did not make; shared libraries stay outside a program."""
    inputs = (build / f"{program}.inputs").read_text(encoding="utf-8").split(":", 1)[1]
    files = {os.path.realpath(name) for name in re.split(r"[\s\\]+", inputs) if name.startswith("/")}
    return {name for name in files if re.search(r"\.(a|o)$", name) and not name.startswith(f"{build.resolve()}/")}


def included_files(build, folders=("core/", "native/", "wasm/")):
    """Absolute paths of the headers outside the project that objects of these folders of the build include."""
    root = build.resolve().parent.parent
    files, wanted = set(), False
    for line in output("ninja", "-C", str(build), "-t", "deps").splitlines():
        if line.startswith("    "):
            if wanted and os.path.isabs(line.strip()):
                files.add(os.path.realpath(line.strip()))
        elif line:
            wanted = line.startswith(folders)
    return {name for name in files if not name.startswith(f"{root}/")}


def owners(files):
    """file -> package of the distribution; files that no package owns are left out."""
    found = {}
    names = sorted(files)
    for i in range(0, len(names), 500):
        # dpkg may know a file of /usr by its name before the folders were merged.
        some = {alias: name for name in names[i : i + 500] for alias in (name, re.sub("^/usr/(?=lib)", "/", name))}
        listed = subprocess.run(["dpkg-query", "-S", *some], capture_output=True, encoding="utf-8").stdout
        for line in listed.splitlines():
            packages, _, name = line.partition(": ")
            if name in some:
                found[some[name]] = packages.split(",")[0].split(":")[0]
    return found


def distribution():
    text = pathlib.Path("/etc/os-release").read_text(encoding="utf-8")
    return dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, flags=re.M))


def debian_component(package):
    form = "${Version}\n${source:Package}\n${source:Version}\n${Architecture}"
    version, source, source_version, architecture = output("dpkg-query", "-W", "-f", form, package).split("\n")[:4]
    licence = next((value for pattern, value in LICENCES.items() if fnmatch.fnmatch(source, pattern)), None)
    if licence is None:
        stop(f"{package} (source {source}) is inside and native/package/contents.py states no licence for it")
    system = distribution()
    address = (
        f"pkg:deb/{system['ID']}/{quote(package)}@{quote(version, '~:')}?arch={architecture}"
        f"&distro={system['ID']}-{system['VERSION_ID']}&upstream={quote(f'{source}@{source_version}', '~:')}"
    )
    text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(encoding="utf-8", errors="replace")
    texts = {f"{source}.txt": text}
    for name in re.findall(rf"{COMMON}/([A-Za-z0-9.+-]*[A-Za-z0-9])", text):
        if (COMMON / name).is_file():
            texts[f"common/{name}.txt"] = (COMMON / name).read_text(encoding="utf-8")
    return Component(package, version, licence, address, tuple(sorted(texts.items())))


@functools.lru_cache(None)
def toolkit_at(folder):
    """The CUDA toolkit whose root this is. Its licence lies there, or with the parts that it was put together of."""
    names = ("EULA.txt", "dist-info/nvidia_cuda_runtime-*/licenses/License.txt")
    texts = sorted(path for name in names for path in folder.glob(name))
    headers = sorted(path for path in folder.glob("targets/*/include/cuda_runtime_api.h"))
    if not texts or not headers:
        return None
    version = int(re.search(r"#define CUDART_VERSION\s+(\d+)", headers[0].read_text(encoding="utf-8")).group(1))
    number = f"{version // 1000}.{version % 1000 // 10}"
    text = texts[0].read_text(encoding="utf-8", errors="replace")
    address = f"pkg:generic/cuda-toolkit@{number}"
    return Component("cuda-toolkit", number, CUDA_LICENCE, address, (("cuda-toolkit.txt", text),))


def components_of(files):
    owned = owners(files)
    found = {debian_component(package) for package in set(owned.values())}
    for file in sorted(files - owned.keys()):
        one = next(filter(None, map(toolkit_at, pathlib.Path(file).parents)), None)
        if one is None and "/emscripten/" in file:  # the libraries that it built for itself
            one = debian_component("emscripten")
        if one is None:
            stop(f"{file} is inside, and nothing says what package it is of")
        found.add(one)
    return sorted(found)


def program_components(build, program):
    return components_of(linked_files(build, program) | included_files(build))


def engine_components(build):
    return sorted({*components_of(included_files(build)), debian_component("emscripten")})


def site_components(listed, web):
    """Packages of npm whose modules are in the site's scripts."""
    locked = json.loads((web / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    found = []
    for name in json.loads(listed.read_text(encoding="utf-8")):
        entry, folder = locked[f"node_modules/{name}"], web / "node_modules" / name
        files = sorted(path for path in folder.iterdir() if re.match(r"(licen[cs]e|notice|copying)", path.name, re.I))
        if not files:
            stop(f"{name} of the site's scripts has no licence file in {folder}")
        text = "\n".join(path.read_text(encoding="utf-8") for path in files)
        address = f"pkg:npm/{name.replace('@', '%40')}@{entry['version']}"
        file = f"npm/{name.replace('/', '-').lstrip('@')}.txt"
        found.append(Component(name, entry["version"], entry["license"], address, ((file, text),)))
    return found
