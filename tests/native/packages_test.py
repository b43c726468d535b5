"""What `cmake --install` and cpack make of this build: used as whoever installs it would.

    packages_test.py SOURCES BUILD

Debian packages are judged where dpkg-deb is found, by lintian where that is found; both are skipped elsewhere.
"""

import gzip
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sources, build = map(pathlib.Path, sys.argv[1:3])
del sys.argv[1:3]
sys.path.insert(0, str(sources / "native/package"))
import check  # noqa: E402

EXAMPLES = sources / "examples"
DEPLOY = sources / "native/probes/deploy"
GPU_PROGRAM = sources / "build/cuda/podwright-gpu"
version = re.search(r"project\(podwright VERSION (\S+)", (sources / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def run(*command, **options):
    return subprocess.run(command, capture_output=True, encoding="utf-8", **options)


def below(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


class Placed(unittest.TestCase):
    """A folder that goes when the class is done."""

    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.place = pathlib.Path(place.name)

    def good(self, *command, **options):
        done = run(*command, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def manual_renders(self, packed):
        page = gzip.decompress(packed.read_bytes())
        if shutil.which("groff") is None:
            self.skipTest("there is no groff")
        done = subprocess.run(["groff", "-ww", "-man", "-Tutf8"], input=page, capture_output=True, check=True)
        self.assertEqual(done.stderr.decode(), "")
        self.assertIn("podwright plan", done.stdout.decode())

    def completion_works(self, script):
        words = f"source {script}; COMP_WORDS=(podwright pla); COMP_CWORD=1; _podwright; echo ${{COMPREPLY[*]}}; complete -p podwright"
        offered, declared = self.good("bash", "-euc", words).splitlines()
        self.assertEqual(offered, "plan")
        self.assertIn("-F _podwright podwright", declared)


class Installed(Placed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        first = cls.place / "first"
        subprocess.run(["cmake", "--install", build, "--prefix", first], capture_output=True, check=True)
        # What is installed may be moved.
        cls.prefix = first.rename(cls.place / "with a blank")

    def test_files_are_where_they_are_looked_for(self):
        names = below(self.prefix)
        libraries = {name for name in names if name.startswith("lib")}
        self.assertEqual({pathlib.Path(name).name for name in libraries}, {
            "libpodwright.a", "podwright.pc", "PodwrightConfig.cmake", "PodwrightConfigVersion.cmake",
            "PodwrightTargets.cmake", "PodwrightTargets-release.cmake"})  # fmt: skip
        places = {
            "bin/podwright", "include/podwright/podwright.h", "share/man/man1/podwright.1.gz",
            "share/bash-completion/completions/podwright", "share/zsh/site-functions/_podwright",
            "share/fish/vendor_completions.d/podwright.fish", "share/doc/podwright/commands.md",
            "share/doc/podwright/examples/chat_70b.json", "share/doc/libpodwright-dev/examples/cpp/plan.cc"}  # fmt: skip
        places |= {f"share/podwright/deploy/{name}" for name in below(DEPLOY)}
        self.assertEqual(places - names, set())
        if GPU_PROGRAM.is_file():
            places.add("bin/podwright-gpu")
        further = {name for name in names - libraries - places if not name.startswith(("share/doc/", "share/podwright/site/"))}
        self.assertEqual(further, set())

    def test_files_for_operators_are_as_they_are_written(self):
        folder = self.prefix / "share/podwright/deploy"
        names = below(DEPLOY)
        self.assertLessEqual({"Dockerfile", "fleet_ansible.yml", "fleet_kubernetes.yaml", "fleet_slurm.sh",
                              "grafana_dashboard.json", "probe.sbatch", "slurm_prolog.sh"}, names)  # fmt: skip
        for name in names:
            self.assertEqual((folder / name).read_bytes(), (DEPLOY / name).read_bytes())
            self.assertEqual(os.access(folder / name, os.X_OK), name.endswith((".sh", ".sbatch")), name)

    def test_no_file_names_the_place_where_it_was_built(self):
        for name in below(self.prefix):
            data = (self.prefix / name).read_bytes()
            for folder in (sources, build):
                self.assertNotIn(str(folder.resolve()).encode(), data, name)

    def test_the_program_needs_nothing(self):
        program = self.prefix / "bin/podwright"
        self.assertEqual(self.good(program, "--version", env={}), version + "\n")
        if (build / "podwright_static").is_file():
            self.assertEqual(check.program_faults(program, set()), [])

    def test_manual_and_completions(self):
        self.completion_works(f"'{self.prefix / 'share/bash-completion/completions/podwright'}'")
        self.manual_renders(self.prefix / "share/man/man1/podwright.1.gz")

    def test_the_site_is_found(self):
        site = self.prefix / "share/podwright/site"
        if not site.is_dir():
            site.mkdir(parents=True)
            (site / "index.html").write_text("a site", encoding="utf-8")
        with subprocess.Popen([self.prefix / "bin/podwright", "serve"], stdout=subprocess.PIPE, encoding="utf-8") as served:
            line = served.stdout.readline()
            served.terminate()
        self.assertIn("http://127.0.0.1:", line)


class Library(Placed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.place / "prefix"
        for component in ("library", "program"):
            subprocess.run(["cmake", "--install", build, "--prefix", cls.prefix, "--component", component],
                           capture_output=True, check=True)  # fmt: skip
        cls.made = cls.place / "made"
        made = run("cmake", "-S", EXAMPLES / "cpp", "-B", cls.made, f"-DCMAKE_PREFIX_PATH={cls.prefix}")
        built = run("cmake", "--build", cls.made)
        if made.returncode or built.returncode:
            raise AssertionError(made.stdout + made.stderr + built.stdout + built.stderr)
        cls.podwright = cls.prefix / "bin/podwright"

    def test_answers_are_the_bytes_of_the_program(self):
        for name in ("chat_70b", "serving_70b", "infeasible", "cost_h100"):
            request = EXAMPLES / f"{name}.json"
            kind = re.search(r'"kind": "(\w+)"', request.read_text(encoding="utf-8"))[1]
            verb = "estimate" if kind in ("training", "serving") else kind
            asked = run(self.podwright, verb, request, "--json")
            answered = run(self.made / "plan", request)
            self.assertEqual((answered.returncode, answered.stdout), (asked.returncode, asked.stdout), name)

    def test_c_asks_the_catalog(self):
        self.assertEqual(self.good(self.made / "list_gpus"), self.good(self.podwright, "catalog", "list", "gpus", "--json"))

    def test_spoilt_requests_are_refused_and_break_nothing(self):
        chance = random.Random(29)
        whole = (EXAMPLES / "serving_70b.json").read_bytes()
        file = self.place / "request.json"
        for _ in range(100):
            spoilt = bytearray(whole)
            for _ in range(chance.randint(1, 20)):
                spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
            file.write_bytes(spoilt[: chance.randint(0, len(spoilt))])
            done = subprocess.run([self.made / "plan", file], capture_output=True)
            self.assertIn(done.returncode, (0, 1, 2), bytes(spoilt))

    def test_the_header_is_plain_c_and_c_plus_plus(self):
        include = f"-I{self.prefix / 'include'}"
        text = '#include "podwright/podwright.h"\nint main(void) { podwright_free(0); return podwright_answer(0, 0) == 0; }\n'
        for compiler, language, standard in (("cc", "c", "c99"), ("c++", "c++", "c++17"), ("c++", "c++", "c++20")):
            command = [compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", include]
            self.good(*command, "-fsyntax-only", "-", input=text)

    def test_pkg_config_links_c(self):
        folder = next(self.prefix.rglob("podwright.pc")).parent
        env = {**os.environ, "PKG_CONFIG_PATH": str(folder)}
        if shutil.which("pkg-config") is None:
            self.skipTest("there is no pkg-config")
        self.assertEqual(self.good("pkg-config", "--modversion", "podwright", env=env), version + "\n")
        flags = self.good("pkg-config", "--cflags", "--libs", "podwright", env=env).split()
        program = self.place / "from_c"
        self.good("cc", EXAMPLES / "cpp/list_gpus.c", "-o", program, *flags)
        self.assertTrue(self.good(program).startswith('{"kind":"catalog"'))

    def test_another_minor_version_is_not_taken(self):
        folder = self.place / "older"
        folder.mkdir()
        asks = "cmake_minimum_required(VERSION 3.16)\nproject(a LANGUAGES CXX)\nfind_package(Podwright 0.1 REQUIRED)\n"
        (folder / "CMakeLists.txt").write_text(asks, encoding="utf-8")
        done = run("cmake", "-S", folder, "-B", folder / "made", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(f"version: {version}", done.stderr)


@unittest.skipUnless(shutil.which("dpkg-deb") and (build / "podwright_static").is_file(), "there is no dpkg-deb")
class Debian(Placed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        texts = sources / "native/package/package_texts.py"
        command = [sys.executable, texts, build, "podwright_static", version, "Somebody <somebody@example.org>", build / "packages"]
        written = run(*command)
        packed = run("cpack", "--config", build / "CPackConfig.cmake", "-G", "DEB", "-B", cls.place / "packed")
        if written.returncode or packed.returncode:
            raise AssertionError(written.stderr + packed.stdout + packed.stderr)
        cls.packages = {file.name.split("_")[0]: file for file in (cls.place / "packed").glob("*.deb")}
        cls.root = cls.place / "root"
        for file in cls.packages.values():
            subprocess.run(["dpkg-deb", "-x", file, cls.root], check=True)

    def test_which_packages_there_are(self):
        site = {"podwright-site"} if (sources / "build/site/index.html").is_file() else set()
        gpu = {"podwright-gpu"} if GPU_PROGRAM.is_file() else set()
        self.assertEqual(set(self.packages), {"podwright", "libpodwright-dev"} | site | gpu)
        for name, file in self.packages.items():
            fields = dict(re.findall(r"^(\S+): (.*)$", self.good("dpkg-deb", "--info", file).replace("\n ", "\n"), flags=re.M))
            self.assertEqual((fields["Package"], fields["Version"]), (name, f"{version}-1"))
            self.assertEqual("Depends" in fields, name in ("libpodwright-dev", "podwright-gpu"))
            self.assertTrue((self.root / "usr/share/doc" / name / "copyright").is_file())

    @unittest.skipUnless(GPU_PROGRAM.is_file(), "podwright-gpu was not built")
    def test_probes_are_handed_to_the_program_with_kernels(self):
        program = self.root / "usr/bin/podwright-gpu"
        self.assertEqual(check.program_faults(program, check.C_LIBRARY), [])
        self.assertLess(program.stat().st_size, GPU_PROGRAM.stat().st_size)
        notices = (self.root / "usr/share/doc/podwright-gpu/licences/README.md").read_text(encoding="utf-8")
        self.assertIn("cuda-toolkit", notices)
        asked = run(self.root / "usr/bin/podwright", "probe", "--backend", "cuda", "--quick", "--only", "launch")
        self.assertNotIn("cuda_missing", asked.stdout + asked.stderr)
        self.assertNotIn("podwright-gpu", asked.stderr)

    def test_every_part_has_its_licence(self):
        for name in self.packages:
            folder = self.root / "usr/share/doc" / name / "licences"
            text = (folder / "README.md").read_text(encoding="utf-8")
            for file in re.findall(r"\]\(((?!http|\.\.)[^)]+)\)", text):
                self.assertTrue((folder / file).is_file(), f"{name}: {file}")

    def test_files_of_the_system_are_good(self):
        self.completion_works(self.root / "usr/share/bash-completion/completions/podwright")
        self.manual_renders(self.root / "usr/share/man/man1/podwright.1.gz")

    def test_the_program_runs_where_nothing_else_is(self):
        if os.geteuid() != 0:
            self.skipTest("only root may change the root")
        answer = self.good("chroot", self.root, "/usr/bin/podwright", "plan", "/usr/share/doc/podwright/examples/chat_70b.json")
        self.assertIn("Design:", answer)

    @unittest.skipUnless("PODWRIGHT_FRESH_ROOT" in os.environ, "no PODWRIGHT_FRESH_ROOT names a root to install in")
    def test_installed_in_a_fresh_root(self):
        fresh = pathlib.Path(os.environ["PODWRIGHT_FRESH_ROOT"])
        names = ("podwright", "libpodwright-dev")
        for name in names:
            shutil.copy(self.packages[name], fresh / f"tmp/{name}.deb")

        def inside(script):
            return self.good("chroot", fresh, "bash", "-euc", script, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"})

        inside("cd /tmp && dpkg -i podwright.deb libpodwright-dev.deb && rm -rf ex")
        self.addCleanup(inside, f"rm -rf /tmp/ex /tmp/*.deb && dpkg --purge {' '.join(names)}")
        self.assertEqual(inside("man --warnings podwright 2>&1 > /dev/null"), "")
        self.assertIn("podwright plan", inside("man -P cat podwright"))
        load = "source /usr/share/bash-completion/bash_completion; _completion_loader podwright || true; complete -p podwright"
        self.assertIn("_podwright podwright", inside(f"set +eu; {load}"))
        inside("cmake -S /usr/share/doc/libpodwright-dev/examples/cpp -B /tmp/ex && cmake --build /tmp/ex")
        request = "/usr/share/doc/podwright/examples/chat_70b.json"
        self.assertEqual(inside(f"/tmp/ex/plan {request}"), inside(f"podwright plan {request} --json"))

    def test_lintian_finds_no_error(self):
        if shutil.which("lintian") is None:
            self.skipTest("there is no lintian")
        as_root = ["--allow-root"] if os.geteuid() == 0 else []
        done = run("lintian", *as_root, "--fail-on", "error", "--tag-display-limit", "0", *self.packages.values())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
