"""The scripts that make and judge the archive, on small files and on the programs of this build.

    package_test.py SOURCES PODWRIGHT [PODWRIGHT_STATIC]
"""

import gzip
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

sources, *programs = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(sources / "native/package"))
import bill  # noqa: E402
import check  # noqa: E402
import container  # noqa: E402
import contents  # noqa: E402
import package  # noqa: E402

ZLIKE = contents.Component("zlike-dev", "1:1.0+b", "MIT", "pkg:deb/debian/zlike-dev@1:1.0", (("zlike.txt", "Free."),))
TOOLKIT = contents.Component("cuda-toolkit", "1.0", contents.CUDA_LICENCE, "pkg:generic/x@1.0", (("x.txt", "EULA"),))
PARTS = {"bin/podwright": [ZLIKE], "bin/podwright-gpu": [TOOLKIT, ZLIKE], "site/assets": []}


class Archive(unittest.TestCase):
    def test_the_same_files_give_the_same_bytes(self):
        files = {"b": b"2", "bin/a": b"1"}
        packed = package.archive("name", files, 1_700_000_000)
        self.assertEqual(packed, package.archive("name", dict(reversed(files.items())), 1_700_000_000))
        with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
            kept = [(one.name, one.mode, one.mtime, one.uid, tar.extractfile(one).read()) for one in tar.getmembers()]
        time = 1_700_000_000
        self.assertEqual(kept, [("name/b", 0o644, time, 0, b"2"), ("name/bin/a", 0o755, time, 0, b"1")])


class Bill(unittest.TestCase):
    def setUp(self):
        self.bill = bill.bill_of_materials("1.0", 0, PARTS, {"bin/podwright": "00ff"})

    def test_each_component_once_with_its_address(self):
        found = {one["SPDXID"]: one for one in self.bill["packages"]}
        self.assertEqual(len(found), len(self.bill["packages"]))
        one = found["SPDXRef-Package-zlike-dev-1-1.0-b"]
        self.assertEqual(one["externalRefs"][0]["referenceLocator"], ZLIKE.address)
        self.assertEqual(found["SPDXRef-bin-podwright"]["checksums"][0]["checksumValue"], "00ff")
        holders = [one["spdxElementId"] for one in self.bill["relationships"] if "zlike" in one["relatedSpdxElement"]]
        self.assertEqual(holders, ["SPDXRef-bin-podwright", "SPDXRef-bin-podwright-gpu"])

    def test_a_licence_of_its_own_is_there_whole(self):
        self.assertEqual(self.bill["hasExtractedLicensingInfos"][0]["extractedText"], "EULA")

    def test_the_name_follows_the_contents(self):
        again = bill.bill_of_materials("1.0", 0, PARTS, {"bin/podwright": "00fe"})
        self.assertNotEqual(self.bill["documentNamespace"], again["documentNamespace"])

    def test_notices_name_components_and_data(self):
        files = bill.notices(PARTS, [{"title": "A|B", "licence": "MIT", "url": "https://example.org"}, {"title": "None"}])
        self.assertEqual(files["zlike.txt"], "Free.")
        self.assertIn("| zlike-dev | 1:1.0+b | MIT | [zlike.txt](zlike.txt) |", files["README.md"])
        self.assertIn("| [A\\|B](https://example.org) |  | MIT |", files["README.md"])
        self.assertNotIn("| None |", files["README.md"])


class Packed(unittest.TestCase):
    def test_what_is_packed_is_the_file_beside_it(self):
        with tempfile.TemporaryDirectory() as place:
            site = pathlib.Path(place, "site")
            site.mkdir()
            (site / "a.js").write_bytes(b"one")
            (site / "a.js.gz").write_bytes(gzip.compress(b"one"))
            (site / "a.js.br").write_bytes(b"")
            self.assertEqual(check.packed_files_are_the_files(site.parent, None), [])
            (site / "a.js.gz").write_bytes(gzip.compress(b"other"))
            (site / "b.js.br").write_bytes(b"")
            faults = check.packed_files_are_the_files(site.parent, None)
            self.assertEqual(faults, [f"{site}/a.js.gz is not a.js", f"{site}/b.js.br is packed of nothing"])


class Contents(unittest.TestCase):
    def test_inputs_of_the_linker(self):
        with tempfile.TemporaryDirectory() as place:
            build = pathlib.Path(place).resolve()
            (build / "own.o").touch()
            text = f"tool: \\\n  /usr/lib/crt1.o \\\n  /usr/lib/gcc/../libz.a \\\n  /usr/lib/libc.so.6 \\\n  {build}/own.o core/x.a\n"
            (build / "tool.inputs").write_text(text, encoding="utf-8")
            self.assertEqual(contents.linked_files(build, "tool"), {"/usr/lib/crt1.o", "/usr/lib/libz.a"})

    def test_a_file_of_no_package_stops_the_archive(self):
        with self.assertRaisesRegex(SystemExit, "nothing says what package it is of"):
            contents.components_of({"/nowhere/zlike.h"})


def builder():
    """A command that builds images here, or why there is none."""
    for name in ("docker", "podman"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True).returncode == 0:
            return name, ""
    return None, "no builder of images runs here (docker, podman)"


class Container(unittest.TestCase):
    """The container file in an archive whose site is small."""

    BASE = "debian:bookworm-slim"

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name).resolve() / "archive"
        files = package.files_below(sources / "native/probes/deploy", "share/podwright/deploy")
        files |= {"LICENSE": b"", "sbom.spdx.json": b"{}", "licences/README.md": b"", "site/index.html": b"a site"}
        files |= {"examples/chat_70b.json": (sources / "examples/chat_70b.json").read_bytes()}
        files |= {"bin/podwright": programs[-1].read_bytes()}
        for name, data in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        (self.folder / "bin/podwright").chmod(0o755)
        self.text = files[container.PLACE].decode()

    def test_what_it_copies_is_in_the_archive_and_runs(self):
        self.assertEqual(check.container_runs_without_a_builder(self.folder, None), [])
        (self.folder / "sbom.spdx.json").unlink()
        (self.folder / "licences/README.md").unlink()
        self.assertEqual(len(container.missing_sources(self.folder)), 2)

    def test_its_program_finds_its_site(self):
        root = self.folder.parent / "root"
        (program,) = container.assemble(self.folder, root)
        with subprocess.Popen([f"{root}{program}", "serve"], stdout=subprocess.PIPE, encoding="utf-8") as served:
            line = served.stdout.readline()
            served.terminate()
        self.assertIn("The site is at http://127.0.0.1:", line)

    def test_what_it_installs_is_in_debian(self):
        wanted = container.installed_packages(self.text)
        self.assertEqual(wanted, ["ibverbs-providers", "libibverbs1", "libopenblas0-pthread"])
        if shutil.which("apt-cache") is None:
            self.skipTest("there is no apt-cache")
        for name in wanted:
            policy = check.output("apt-cache", "policy", name)
            if "Candidate" not in check.output("apt-cache", "policy", "bash") or not policy:
                self.skipTest("apt has no lists of packages")
            self.assertNotIn("Candidate: (none)", policy)

    def test_its_commands_are_those_of_the_page_and_the_program_knows_them(self):
        page = (sources / "docs/packages.md").read_text(encoding="utf-8")
        usages = container.usages(self.text)
        self.assertGreaterEqual(len(usages), 5)
        for line in usages:
            words = line.split()
            if words[0] == "docker":
                self.assertIn(f"    {line}\n", page)
            if "build" in words:
                self.assertTrue((self.folder / words[words.index("-f") + 1]).is_file())
                continue
            verb, *options = words[words.index("podwright") + 1 :]
            described = check.output(programs[-1], verb, "--help")
            for option in options:
                if option.startswith("-") and option != "-":
                    self.assertRegex(described, rf"(^|[\s,]){re.escape(option)}\b", line)

    def test_it_builds_and_answers(self):
        name, why = builder()
        if name is None:
            self.skipTest(why)
        if subprocess.run([name, "pull", self.BASE], capture_output=True).returncode != 0:
            self.skipTest(f"{self.BASE} cannot be pulled")
        build = [name, "build", "-f", container.PLACE, "--build-arg", f"BASE={self.BASE}", "-t", "podwright-test", "."]
        built = subprocess.run(build, cwd=self.folder, capture_output=True, encoding="utf-8")
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        self.addCleanup(subprocess.run, [name, "rmi", "podwright-test"], capture_output=True)
        request = (self.folder / "examples/chat_70b.json").read_bytes()
        run = subprocess.run([name, "run", "--rm", "-i", "podwright-test", "plan", "-"], input=request, capture_output=True)
        self.assertIn(b"Design:", run.stdout, run.stderr)


class Programs(unittest.TestCase):
    def test_the_static_program_needs_nothing(self):
        if len(programs) < 2:
            self.skipTest("there is no static C library to link with")
        self.assertEqual(check.program_faults(programs[1], set()), [])

    def test_a_usual_program_would_be_refused(self):
        needed = {fault.split()[-1] for fault in check.program_faults(programs[0], check.C_LIBRARY)}
        self.assertIn("libstdc++.so.6", needed)
        # Its server is inside.
        self.assertFalse([name for name in check.needed_libraries(programs[0]) if "event" in name])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
